// SPDX-License-Identifier: Apache-2.0
//
// Packing for every element type, as one rule: elements lie in groups. A group is the element
// itself from 8 bits up, the byte that elements share below, and three bytes for four elements of 6
// bits. Inside a group the least significant end fills first.

#include <algorithm>
#include <bit>
#include <limits>

#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/small_float.h"

namespace hurray {
namespace {

// Where the bits of one element lie: in one byte, in the bytes of a whole element, or, with 6 bits,
// in the one or two bytes of the group that its field touches.
struct Field {
  std::size_t byte;
  unsigned bytes;
  unsigned shift;
  std::uint64_t mask;
};

Field locate(const ElementTypeInfo& info, std::size_t index) {
  const ElementGroup group = group_of(info);
  const unsigned bits = info.bits;
  const std::uint64_t mask =
      bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
  const auto slot = static_cast<unsigned>(index % group.elements);
  const unsigned first_bit = slot * bits;
  const unsigned last_bit = first_bit + bits - 1;
  return {index / group.elements * group.bytes + first_bit / 8, last_bit / 8 - first_bit / 8 + 1,
          first_bit % 8, mask};
}

// Entry of a type that fits the 64 bits of pack_elements, else nullptr.
const ElementTypeInfo* find_packable(std::uint8_t tag) {
  const ElementTypeInfo* const info = find_element_type(tag);
  return info != nullptr && info->bits <= 64 ? info : nullptr;
}

// Whether the type has the value. A pattern is a number without sign; of 64 bits each is one.
bool is_value_of(const ElementTypeInfo& info, std::int64_t value) {
  if (info.bits == 64) return true;
  const std::int64_t patterns = std::int64_t{1} << info.bits;
  if (info.kind != ElementKind::kSigned) return value >= 0 && value < patterns;
  return value >= -(patterns / 2) && value < patterns / 2;  // [HQ-PACK-003]
}

}  // namespace

const ElementTypeInfo* find_element_type(std::uint8_t tag) {
  const auto found = std::ranges::find(kElementTypes, tag, &ElementTypeInfo::tag);
  return found == kElementTypes.end() ? nullptr : &*found;
}

ElementGroup group_of(const ElementTypeInfo& info) {
  if (info.bits >= 8) return {1, info.bits / 8};
  if (info.bits == 6) return {4, 3};  // [HQ-PACK-010, -014, A42]
  return {8 / info.bits, 1};
}

std::optional<std::uint64_t> element_bytes(std::uint8_t tag, std::uint64_t count) {
  const ElementTypeInfo* const info = find_element_type(tag);
  if (info == nullptr) return std::nullopt;
  // Whole groups, the last one perhaps partly used. Dividing first cannot overflow.
  // [HQ-PACK-012..014]
  const ElementGroup group = group_of(*info);
  const std::uint64_t groups = count / group.elements + (count % group.elements != 0 ? 1 : 0);
  if (groups > std::numeric_limits<std::uint64_t>::max() / group.bytes) return std::nullopt;
  return groups * group.bytes;
}

std::uint64_t read_element_bits(std::uint8_t tag, const std::uint8_t* packed, std::size_t index) {
  const Field field = locate(*find_element_type(tag), index);
  return (load_le(packed + field.byte, field.bytes) >> field.shift) & field.mask;
}

void write_element_bits(std::uint8_t tag, std::uint8_t* packed, std::size_t index,
                        std::uint64_t bits) {
  const Field field = locate(*find_element_type(tag), index);
  std::uint8_t* const first = packed + field.byte;
  const std::uint64_t neighbours = load_le(first, field.bytes) & ~(field.mask << field.shift);
  store_le(first, field.bytes, neighbours | ((bits & field.mask) << field.shift));
}

std::int64_t read_element_value(std::uint8_t tag, const std::uint8_t* packed, std::size_t index) {
  const ElementTypeInfo& info = *find_element_type(tag);
  const auto pattern = static_cast<std::int64_t>(read_element_bits(tag, packed, index));
  // Two's complement: what is no value of a signed type stands for itself minus 2^bits. With 64
  // bits the conversion has already done it.   [HQ-PACK-002, -005, -008]
  return is_value_of(info, pattern) ? pattern : pattern - (std::int64_t{1} << info.bits);
}

Status pack_elements(std::uint8_t tag, std::span<const std::int64_t> values,
                     std::span<std::uint8_t> out) {
  const ElementTypeInfo* const info = find_packable(tag);
  if (info == nullptr) return Status::kElementTypeUnknown;
  const bool representable =
      std::ranges::all_of(values, [&](std::int64_t value) { return is_value_of(*info, value); });
  if (!representable) return Status::kValueOutOfRange;
  const std::optional<std::uint64_t> bytes = element_bytes(tag, values.size());
  if (!bytes.has_value() || *bytes > out.size()) return Status::kBufferTooSmall;

  // Zero first, so that bits that belong to no element are zero in the end.   [HQ-PACK-006, -009,
  // -011, -033]
  std::fill_n(out.begin(), *bytes, std::uint8_t{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    write_element_bits(tag, out.data(), i, static_cast<std::uint64_t>(values[i]));
  }
  return Status::kOk;
}

Status unpack_elements(std::uint8_t tag, std::span<const std::uint8_t> packed,
                       std::span<std::int64_t> values) {
  if (find_packable(tag) == nullptr) return Status::kElementTypeUnknown;
  const std::optional<std::uint64_t> bytes = element_bytes(tag, values.size());
  if (!bytes.has_value() || *bytes > packed.size()) return Status::kTooFewBytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = read_element_value(tag, packed.data(), i);
  }
  return Status::kOk;
}

bool is_widenable(std::uint8_t tag) {
  const ElementTypeInfo* const info = find_packable(tag);
  return info != nullptr && info->kind != ElementKind::kComplex;
}

float widen_element(std::uint8_t tag, const std::uint8_t* packed, std::size_t index) {
  const ElementTypeInfo& info = *find_element_type(tag);
  const std::uint64_t bits = read_element_bits(tag, packed, index);
  switch (info.kind) {
    case ElementKind::kFloat:
      // binary64 is the one float that does not fit: one rounding, to nearest-even.
      if (info.bits == 64) return static_cast<float>(std::bit_cast<double>(bits));
      return widen_small_float(tag, static_cast<std::uint32_t>(bits));
    case ElementKind::kSigned:
      return static_cast<float>(read_element_value(tag, packed, index));
    case ElementKind::kUnsigned:  // from 64 bits at once: the upper half of uint64 is not negative
    case ElementKind::kBool:
      return static_cast<float>(bits);
    case ElementKind::kComplex:
      break;
  }
  return 0.0f;
}

Status widen_elements(std::uint8_t tag, std::span<const std::uint8_t> packed, std::size_t count,
                      float* out) {
  if (!is_widenable(tag)) return Status::kElementTypeUnknown;
  const std::optional<std::uint64_t> bytes = element_bytes(tag, count);
  if (!bytes.has_value() || *bytes > packed.size()) return Status::kTooFewBytes;
  for (std::size_t i = 0; i < count; ++i) out[i] = widen_element(tag, packed.data(), i);
  return Status::kOk;
}

bool unused_bits_are_zero(std::uint8_t tag, const std::uint8_t* packed, std::size_t count) {
  const ElementGroup group = group_of(*find_element_type(tag));
  // The places of the last group that no element has taken are elements like any other.
  const std::size_t places = (count + group.elements - 1) / group.elements * group.elements;
  for (std::size_t i = count; i < places; ++i) {
    if (read_element_bits(tag, packed, i) != 0) return false;
  }
  return true;
}

}  // namespace hurray
