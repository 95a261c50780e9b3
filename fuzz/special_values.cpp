// SPDX-License-Identifier: Apache-2.0
//
// Special values by kind of field, see special_values.h.

#include "fuzz/special_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "fuzz/kernel_input.h"
#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"

namespace hurray::fuzz {
namespace {

// Zeros, subnormals and their ends, infinities, NaNs, and what rounding likes.
constexpr std::array<std::uint32_t, 28> kScales = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00800001,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
    0x7fffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x3f7fffff, 0x3f800001, 0x3dcccccd,
    0x3eaaaaab, 0x01000000, 0x00ffffff, 0x34000000, 0x33800000, 0x40490fdb, 0x3c008081};
constexpr std::array<std::int64_t, 22> kZeroPoints = {
    0, 1, -1, 2, -2, -3, 3, 4, 7, 8, -8, -9, 15, 16, 127, 128, -128, -129, 255, 256, 32767, 65535};
constexpr std::array<std::int64_t, 12> kWideZeroPoints = {
    32768,     -32768,        -32769,        65536,    -65536,    INT32_MAX,
    INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, 16777217, -16777217, 1000001};
constexpr std::array<std::uint8_t, kElementTypes.size()> kTags = [] {
  std::array<std::uint8_t, kElementTypes.size()> tags{};
  std::ranges::transform(kElementTypes, tags.begin(), &ElementTypeInfo::tag);
  return tags;
}();
constexpr std::uint8_t kReservedTag = 0x47;  // beside them, and of no type
constexpr std::array<std::uint64_t, 18> kSizes = {0,  1,  2,  3,  4,  7,  8,   9,   15,
                                                  16, 31, 32, 33, 64, 65, 128, 256, 1024};

// A neighbour, a few steps away.
std::uint64_t beside(std::uint64_t value, Random& random) {
  const std::uint64_t by = 1 + random.below(2);
  return random.once_in(2) ? value + by : value - by;
}

std::uint32_t scale_value(std::uint32_t before, Random& random) {
  switch (random.below(6)) {
    case 0:
      return static_cast<std::uint32_t>(random.next());
    case 1:
      return static_cast<std::uint32_t>(beside(before, random));
    case 2:  // a power of two, or beside one
      return static_cast<std::uint32_t>((random.below(256) << 23) + random.below(3) - 1) |
             (random.once_in(4) ? kSignBit : 0);
    case 3:
      return before ^ kSignBit;
    default:
      return random.one_of(std::span(kScales));
  }
}

std::uint32_t zero_point_value(std::uint32_t before, Random& random) {
  switch (random.below(4)) {
    case 0:
      return static_cast<std::uint32_t>(random.once_in(2) ? random.next() : beside(before, random));
    case 1:
      return static_cast<std::uint32_t>(random.one_of(std::span(kWideZeroPoints)));
    default:
      return static_cast<std::uint32_t>(random.one_of(std::span(kZeroPoints)));
  }
}

// A real at, or beside, a tie or the ends of the range, for the parameters of the input.
std::uint32_t real_value(const Edited& input, Random& random) {
  if (random.once_in(3)) return scale_value(static_cast<std::uint32_t>(random.next()), random);
  const std::optional<KernelInput> read = kernel_input({input.room.data(), input.length}, true);
  if (!read) return ordinary_scale(random);
  std::int64_t code = 0;
  switch (random.below(4)) {
    case 0:
      code = read->type->min;
      break;
    case 1:
      code = read->type->max;
      break;
    case 2:
      code = read->zero_point + static_cast<std::int64_t>(random.below(9)) - 4;
      break;
    default: {
      const unsigned bits = static_cast<unsigned>(random.below(read->type->bits + 1));
      const auto part = static_cast<std::int64_t>(random.next() & ((std::uint64_t{1} << bits) - 1));
      code = random.once_in(2) ? read->type->min + part : read->zero_point + part;
    }
  }
  const double halves = static_cast<double>(random.below(3)) * 0.5 - 0.5;
  const double steps = static_cast<double>(code) + halves - static_cast<double>(read->zero_point);
  const double real = steps * static_cast<double>(read->scale);
  if (!(std::abs(real) < 3.4e38)) return random.one_of(std::span(kScales));
  return std::bit_cast<std::uint32_t>(static_cast<float>(real)) +
         static_cast<std::uint32_t>(random.below(5)) - 2;
}

std::uint64_t small_value(std::uint64_t before, Random& random) {
  switch (random.below(4)) {
    case 0:
      return random.next();
    case 1:
      return beside(before, random);
    case 2:
      return std::uint64_t{1} << random.below(8);
    default:
      return random.below(12);
  }
}

std::uint64_t number_value(std::uint64_t before, Random& random) {
  switch (random.below(8)) {
    case 0:
      return ~std::uint64_t{0} >> random.below(64);
    case 1:
      return std::uint64_t{1} << random.below(64);
    case 2:
      return random.next();
    case 3:
    case 4:
      return beside(before, random);
    default:
      return random.one_of(std::span(kSizes));
  }
}

}  // namespace

std::span<const std::uint8_t> element_tags() { return kTags; }

std::uint32_t ordinary_scale(Random& random) {
  // 2^-20 to 2^20, any mantissa.
  return static_cast<std::uint32_t>((107 + random.below(40)) << 23 | random.below(1 << 23));
}

std::uint64_t special_value(const Field& field, std::uint64_t before, const Edited& input,
                            Random& random) {
  switch (field.kind) {
    case FieldKind::kType:
      if (random.once_in(4)) return random.next();
      return random.once_in(32) ? kReservedTag : random.one_of(std::span(kTags));
    case FieldKind::kKernelType:
      return random.below(kStorageTypes.size());
    case FieldKind::kSettings:
      return random.once_in(2) ? random.next() : before ^ std::uint64_t{1} << random.below(8);
    case FieldKind::kScheme:
      return random.once_in(3) ? random.next() : random.below(7);
    case FieldKind::kVersion:
      return random.once_in(4) ? random.next() : random.below(4);
    case FieldKind::kFlags:
      return random.once_in(3) ? random.below(2)
                               : before ^ std::uint64_t{1} << random.below(8 * field.bytes);
    case FieldKind::kScale:
      return scale_value(static_cast<std::uint32_t>(before), random);
    case FieldKind::kZeroPoint:
      return zero_point_value(static_cast<std::uint32_t>(before), random);
    case FieldKind::kReal:
      return real_value(input, random);
    case FieldKind::kIndex:
      return random.once_in(3) ? ~std::uint64_t{0} : small_value(before, random);
    case FieldKind::kAxis:
    case FieldKind::kSmall:
      return small_value(before, random);
    case FieldKind::kBlockSize:
      return random.once_in(2) ? std::uint64_t{1} << random.below(33)
                               : number_value(before, random);
    case FieldKind::kReserved:
      return std::uint64_t{1} << random.below(8 * field.bytes);
    case FieldKind::kCodes:
      return random.once_in(2) ? random.next()
                               : random.one_of(std::span(kSizes)) * 0x0101010101010101;
    case FieldKind::kNumber:
      return number_value(before, random);
  }
  return before;
}

}  // namespace hurray::fuzz
