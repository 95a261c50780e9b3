// SPDX-License-Identifier: Apache-2.0
//
// Numbers and bytes that implementations get wrong, see mutate.h.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "conformance/runner/byte_map.h"
#include "conformance/runner/mutate.h"
#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

template <typename Range>
auto one_of(Random& random, const Range& values) {
  return values[static_cast<std::size_t>(random.below(std::size(values)))];
}

void store(Bytes& bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
}

std::uint64_t load(const Bytes& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) {
    value |= std::uint64_t{bytes[at + i]} << 8 * i;
  }
  return value;
}

// What may stand in a field: a number beside the one that is there, an odd one, a bit turned over.
std::uint64_t other_value(Random& random, std::uint64_t value, std::size_t width) {
  switch (random.below(9)) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 8:
      return value + beyond_a_width(random);
    case 2:
      return value ^ (std::uint64_t{1} << random.below(8 * width));
    case 3:
      return value ^ 0x80;
    case 4:
      return random.below(256);
    case 5:
      return width == 4 ? odd_float(random) : random.below(9);
    case 6:
      return random.next();
    default:
      return static_cast<std::uint64_t>(odd_integer(random));
  }
}

}  // namespace

std::uint32_t odd_float(Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1:
      return one_of(random, positive_scales());
    case 2:
      return one_of(random, negative_scales());
    case 3:
      return one_of(random, nan_scales());
    case 4:
      return one_of(random, std::array{0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u,
                                       0x7f7fffffu, 0x00800000u, 0x007fffffu, 0x00000001u});
    case 5:
      return static_cast<std::uint32_t>(random.below(254) + 1) << 23;
    case 6:
      return 0x3a000000u + static_cast<std::uint32_t>(random.below(0x08000000));
    default:
      return static_cast<std::uint32_t>(random.next());
  }
}

std::int64_t odd_integer(Random& random) {
  const auto near = [&] { return static_cast<std::int64_t>(random.below(3)) - 1; };
  switch (random.below(4)) {
    case 0:
      return static_cast<std::int64_t>(random.below(20)) - 4;
    case 1: {
      const auto power = static_cast<std::int64_t>(std::uint64_t{1} << random.below(33));
      return (random.below(2) == 0 ? power : -power) + near();
    }
    case 2:
      return one_of(random, std::array<std::int64_t, 14>{
                                -128, -129, 127, 128, 255, 256, -32768, 32767, 65535, 65536,
                                std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::max(), 0xffffffff, 8});
    default: {
      const unsigned bits = static_cast<unsigned>(random.below(63)) + 1;
      return static_cast<std::int64_t>(random.next() >> bits);
    }
  }
}

float odd_input(Random& random, float scale, std::int64_t zero_point, std::int64_t least,
                std::int64_t most) {
  static const std::vector<float> kSpecial = special_inputs();
  const auto any_code = [&] {
    const auto span = static_cast<std::uint64_t>(most - least) + 3;
    switch (random.below(3)) {
      case 0:
        return least - 1 + static_cast<std::int64_t>(random.below(4));
      case 1:
        return most - 2 + static_cast<std::int64_t>(random.below(4));
      default:
        return least - 1 + static_cast<std::int64_t>(random.below(span));
    }
  };
  switch (random.below(8)) {
    case 0:
      return one_of(random, kSpecial);
    case 1:
      return std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    case 2:
    case 3:
    case 4: {
      const std::vector<float> ties = [&] {
        const std::int64_t code = any_code();
        return tie_inputs(std::bit_cast<std::uint32_t>(scale), zero_point, code, code);
      }();
      return ties.empty() ? one_of(random, kSpecial) : one_of(random, ties);
    }
    case 5:
      return static_cast<float>(any_code() - zero_point) * scale;
    case 6:
      return std::nextafter(static_cast<float>(any_code()) / 2,
                            random.below(2) == 0 ? -INFINITY : INFINITY);
    default:
      return std::bit_cast<float>(odd_float(random));
  }
}

std::uint64_t beyond_a_width(Random& random) {
  return std::uint64_t{1} << one_of(random, std::array{8u, 16u, 32u});
}

void change_number(Random& random, Bytes& bytes) {
  if (bytes.empty()) return;
  const std::size_t width = std::min<std::size_t>(std::size_t{1} << random.below(4), bytes.size());
  const std::size_t at = static_cast<std::size_t>(random.below(bytes.size() / width)) * width;
  store(bytes, at, width, other_value(random, load(bytes, at, width), width));
}

void change_descriptor(Random& random, Bytes& bytes, bool is_tensor) {
  const std::uint64_t what = random.below(16);
  if (what == 0 && !bytes.empty()) {
    bytes.resize(static_cast<std::size_t>(random.below(bytes.size())));
    return;
  }
  if (what == 1) {
    bytes.resize(bytes.size() + 1 + static_cast<std::size_t>(random.below(24)));
    if (random.below(2) == 0) bytes.back() = static_cast<std::uint8_t>(random.next());
    return;
  }
  if (what == 2) {
    change_number(random, bytes);
    return;
  }
  const ByteMap map = is_tensor ? map_tensor(bytes) : map_quantization(bytes);
  std::vector<const MapField*> fields;
  for (const MapField& each : map.fields) {
    if (each.present > 0) fields.push_back(&each);
  }
  if (fields.empty()) return;
  const MapField& field = *one_of(random, fields);
  const std::size_t width = std::min<std::size_t>(field.present, 8);
  const std::size_t at =
      field.offset + static_cast<std::size_t>(random.below(field.present - width + 1));
  store(bytes, at, width, other_value(random, load(bytes, at, width), width));
}

}  // namespace hurray::conformance
