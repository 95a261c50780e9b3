// SPDX-License-Identifier: Apache-2.0
//
// Drawing inputs and making them simpler, see property_inputs.h.

#include "conformance/property_inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reference/binary32.h"
#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

template <typename Values>
auto one_of(Random& random, const Values& values) {
  return values[random.below(std::size(values))];
}

// --- Drawing

std::uint32_t any_bits(Random& random) { return static_cast<std::uint32_t>(random.next() >> 32); }

// Not zero, not NaN, not infinite.
std::uint32_t positive_scale(Random& random) {
  const std::uint32_t fraction = any_bits(random) >> 9;
  switch (random.below(6)) {
    case 0:  // round numbers, decimals, the ends of the classes
      return one_of(random, positive_scales());
    case 1:  // what tensors have: 2^-20 to 2^4
      return static_cast<std::uint32_t>(107 + random.below(25)) << 23 | fraction;
    case 2: {  // a power of two or its neighbour
      const auto power = static_cast<std::uint32_t>(1 + random.below(254)) << 23;
      return power + static_cast<std::uint32_t>(random.below(3)) - 1;
    }
    case 3:  // subnormals
      return std::max(fraction >> random.below(23), 1u);
    case 4:  // products overflow
      return static_cast<std::uint32_t>(254 - random.below(12)) << 23 | fraction;
    default:
      return static_cast<std::uint32_t>(1 + random.below(254)) << 23 | fraction;
  }
}

std::uint32_t any_scale(Random& random) {
  const std::uint32_t sign = random.below(3) == 0 ? kSignBit : 0;
  switch (random.below(8)) {
    case 0:
      return sign;
    case 1:
      return sign | kInfinityBits;
    case 2:
      return random.below(2) == 0 ? one_of(random, nan_scales())
                                  : sign | kInfinityBits | std::max(any_bits(random) >> 9, 1u);
    default:
      return sign | positive_scale(random);
  }
}

std::int32_t legal_zero_point(Random& random, const StorageTypeInfo& info) {
  if (random.below(2) == 0) return one_of(random, legal_zero_points(info));
  const std::int64_t max =
      std::min<std::int64_t>(info.max, std::numeric_limits<std::int32_t>::max());
  const auto span = static_cast<std::uint64_t>(max - info.min + 1);
  return static_cast<std::int32_t>(info.min + static_cast<std::int64_t>(random.below(span)));
}

// Around the ends of the type and of int32, and anything.
std::int32_t any_zero_point(Random& random, const StorageTypeInfo& info) {
  const std::int64_t near = static_cast<std::int64_t>(random.below(5)) - 2;
  switch (random.below(6)) {
    case 0:
      return static_cast<std::int32_t>(info.min + near);
    case 1:
      return static_cast<std::int32_t>(info.max + near);
    case 2:
      return random.below(2) == 0 ? std::numeric_limits<std::int32_t>::min()
                                  : std::numeric_limits<std::int32_t>::max();
    case 3:
      return static_cast<std::int32_t>(any_bits(random));
    default:
      return legal_zero_point(random, info);
  }
}

// The ends of the type, what lies near the zero point or a power of two from it, and anything.
std::int64_t code_of(Random& random, const Quantization& how) {
  const StorageTypeInfo& info = info_of(how.type);
  const std::int64_t near = static_cast<std::int64_t>(random.below(7)) - 3;
  std::int64_t code = 0;
  switch (random.below(5)) {
    case 0:
      code = (random.below(2) == 0 ? info.min : info.max) + near;
      break;
    case 1:
      code = how.zero_point + near;
      break;
    case 2: {
      const std::int64_t power = std::int64_t{1} << random.below(info.bits);
      code = how.zero_point + (random.below(2) == 0 ? power : -power) + near;
      break;
    }
    default:
      code = info.min + static_cast<std::int64_t>(
                            random.below(static_cast<std::uint64_t>(info.max - info.min + 1)));
  }
  return std::clamp(code, info.min, info.max);
}

// Beside a tie or a clamp edge, an input that kernels are known to get wrong, or anything.
float real_of(Random& random, const Quantization& how) {
  static const std::vector<float> kSpecial = special_inputs();
  const std::uint64_t kind = random.below(8);
  if (kind == 0) return one_of(random, kSpecial);
  if (kind == 1) return std::bit_cast<float>(any_bits(random));
  if (kind == 2) {
    constexpr std::array<std::uint32_t, 4> kOdd = {0x7fc00000, 0xffc00001, 0x7f800001, 0x80000001};
    return std::bit_cast<float>(one_of(random, kOdd));
  }
  const std::int64_t code = code_of(random, how);
  const std::vector<float> near = tie_inputs(bits_of(how.scale), how.zero_point, code, code);
  return near.empty() ? one_of(random, kSpecial) : one_of(random, near);
}

// --- Simplifying

// Less of something in one respect, and not more in any other: sign, distance of the exponent from
// that of 1, bits of the fraction.
std::vector<float> simpler_floats(float value, bool may_be_zero) {
  constexpr std::uint32_t kOne = 0x3f800000;
  const std::uint32_t bits = bits_of(value);
  std::vector<std::uint32_t> simpler;
  if (may_be_zero && bits != 0) simpler.push_back(0);
  if (bits == 0 && !may_be_zero) simpler.push_back(kOne);
  if (bits != kOne && bits != 0) {
    simpler.push_back(kOne);
    if (is_negative(value)) simpler.push_back(bits & ~kSignBit);
    if (const std::uint32_t fraction = bits & (kSmallestNormalBits - 1); fraction != 0) {
      simpler.push_back(bits - fraction);
      simpler.push_back(bits & 0xffff0000);
      simpler.push_back(bits & (bits - 1));
    }
    const std::int32_t exponent = static_cast<std::int32_t>(bits >> 23 & 0xff) - 127;
    for (const std::int32_t less : {exponent / 2, exponent - (exponent > 0) + (exponent < 0)}) {
      simpler.push_back((bits & 0x807fffff) | static_cast<std::uint32_t>(less + 127) << 23);
    }
  }
  std::vector<float> values;
  for (const std::uint32_t each : simpler) {
    const auto candidate = std::bit_cast<float>(each);
    if (each != bits && (may_be_zero || !is_zero(candidate))) values.push_back(candidate);
  }
  return values;
}

// Towards zero; one by one only where that does not take long.
std::vector<std::int64_t> simpler_integers(std::int64_t value) {
  constexpr std::int64_t kFew = 256;
  const std::int64_t magnitude = std::abs(value);
  const std::int64_t sign = value < 0 ? -1 : 1;
  std::vector<std::int64_t> values;
  if (value == 0) return values;
  values = {0, value / 2, sign * (magnitude & (magnitude - 1))};
  if (value < 0) values.push_back(magnitude);
  if (magnitude <= kFew) values.push_back(value - sign);
  return values;
}

// Without one half, a quarter …, a single element; at least one is left.
template <typename T>
std::vector<std::vector<T>> shorter(const std::vector<T>& values) {
  std::vector<std::vector<T>> all;
  for (std::size_t length = (values.size() + 1) / 2; length > 0; length /= 2) {
    for (std::size_t at = 0; at + length <= values.size(); at += length) {
      if (length == values.size()) break;
      std::vector<T> rest(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at));
      rest.insert(rest.end(), values.begin() + static_cast<std::ptrdiff_t>(at + length),
                  values.end());
      all.push_back(std::move(rest));
    }
  }
  return all;
}

}  // namespace

PropertyInput kernel_input(Random& random, Contract contract) {
  const auto quantization = [&](StorageType type) {
    Quantization how;
    how.contract = contract;
    how.type = type;
    const bool negative = contract == Contract::kHurray && random.below(4) == 0;
    how.scale = std::bit_cast<float>(positive_scale(random) | (negative ? kSignBit : 0));
    how.zero_point = contract == Contract::kHurray ? legal_zero_point(random, info_of(type))
                                                   : any_zero_point(random, info_of(type));
    return how;
  };
  const std::size_t types = contract == Contract::kHurray ? kStorageTypes.size() : 2;
  const StorageType type = kStorageTypes[random.below(types)].type;
  PropertyInput input;
  input.how = quantization(type);
  input.around.before = quantization(type);
  input.around.offset_bytes = random.below(64);
  const std::size_t count = 1 + random.below(random.below(4) == 0 ? 150 : 20);
  for (std::size_t i = 0; i < count; ++i) {
    input.reals.push_back(real_of(random, input.how));
    input.codes.push_back(code_of(random, input.how));
  }
  return input;
}

PropertyInput plane_input(Random& random, Contract contract) {
  PropertyInput input = kernel_input(random, contract);
  input.how.zero_point = static_cast<std::int32_t>(random.below(16));
  input.codes.resize(std::min<std::size_t>(input.codes.size(), 16));
  for (std::int64_t& code : input.codes) code = code_of(random, input.how);
  for (std::size_t i = 0; i < input.codes.size(); i += 2) {
    input.plane.push_back(random.below(3) == 0 ? 0xff : static_cast<std::uint8_t>(random.next()));
  }
  return input;
}

PropertyInput descriptor_input(Random& random, Contract) {
  PropertyInput input;
  const StorageTypeInfo& info = one_of(random, kStorageTypes);
  input.type_tag = static_cast<std::uint8_t>(info.type);
  if (random.below(8) == 0) input.type_tag = static_cast<std::uint8_t>(random.next());
  input.how.type = info.type;
  const bool is_legal = random.below(2) == 0;
  input.how.scale = std::bit_cast<float>(is_legal ? positive_scale(random) : any_scale(random));
  input.how.zero_point = is_legal ? legal_zero_point(random, info) : any_zero_point(random, info);

  input.descriptor = descriptor(bits_of(input.how.scale), input.how.zero_point);
  // A change is one bit, or one byte.
  for (std::uint64_t changes = is_legal ? random.below(3) : 0; changes > 0; --changes) {
    std::uint8_t& byte = input.descriptor[random.below(input.descriptor.size())];
    byte = random.below(2) == 0 ? static_cast<std::uint8_t>(byte ^ 1u << random.below(8))
                                : static_cast<std::uint8_t>(random.next());
  }
  switch (random.below(12)) {
    case 0:
      input.descriptor.resize(random.below(16));
      break;
    case 1:
      input.descriptor.resize(16 + random.below(65), static_cast<std::uint8_t>(random.next()));
      break;
    case 2:
      for (std::uint8_t& byte : input.descriptor) byte = static_cast<std::uint8_t>(random.next());
      input.descriptor[0] = 1;
      break;
    default:
      break;
  }
  return input;
}

std::vector<PropertyInput> simpler_inputs(const PropertyInput& input) {
  std::vector<PropertyInput> all;
  const auto add = [&](auto change) {
    all.push_back(input);
    change(all.back());
  };
  for (Floats& reals : shorter(input.reals)) add([&](PropertyInput& i) { i.reals = reals; });
  for (Codes& codes : shorter(input.codes)) add([&](PropertyInput& i) { i.codes = codes; });
  if (input.descriptor.size() > 16) add([](PropertyInput& i) { i.descriptor.resize(16); });

  for (const float scale : simpler_floats(input.how.scale, false)) {
    add([&](PropertyInput& i) { i.how.scale = scale; });
  }
  for (const std::int64_t zero_point : simpler_integers(input.how.zero_point)) {
    if (zero_point > std::numeric_limits<std::int32_t>::max()) continue;
    add([&](PropertyInput& i) { i.how.zero_point = static_cast<std::int32_t>(zero_point); });
  }
  if (input.around.offset_bytes != 0) add([](PropertyInput& i) { i.around.offset_bytes = 0; });
  if (!same_quantization(input.around.before, input.how)) {
    add([](PropertyInput& i) { i.around.before = i.how; });
  }

  for (std::size_t at = 0; at < input.reals.size(); ++at) {
    for (const float x : simpler_floats(input.reals[at], true)) {
      add([&](PropertyInput& i) { i.reals[at] = x; });
    }
  }
  const StorageTypeInfo& info = info_of(input.how.type);
  for (std::size_t at = 0; at < input.codes.size(); ++at) {
    for (const std::int64_t code : simpler_integers(input.codes[at])) {
      if (code < info.min || code > info.max) continue;
      add([&](PropertyInput& i) { i.codes[at] = code; });
    }
  }
  const Bytes valid = base_descriptor(0);
  for (std::size_t at = 0; at < std::min(input.descriptor.size(), valid.size()); ++at) {
    if (input.descriptor[at] == valid[at]) continue;
    add([&](PropertyInput& i) { i.descriptor[at] = valid[at]; });
  }
  if (input.plane.size() > 1 && input.codes.size() > 2) {
    add([](PropertyInput& i) {
      i.plane.erase(i.plane.begin());
      i.codes.erase(i.codes.begin(), i.codes.begin() + 2);
    });
  }
  for (std::size_t at = 0; at < input.plane.size(); ++at) {
    if (input.plane[at] != 0) add([&](PropertyInput& i) { i.plane[at] = 0; });
  }
  return all;
}

}  // namespace hurray::conformance
