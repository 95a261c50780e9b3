// SPDX-License-Identifier: Apache-2.0
//
// Numbers that are hard at every element, see hard_calls.h. Where a number is hard only for some
// scales, scales are tried until enough are found; what an implementation should make of them is
// none of this file's business.

#include "conformance/runner/families/hard_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {
namespace {

constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::uint32_t kSubnormalScale = 0x00000101;
constexpr std::uint32_t kLargestScale = 0x7f7fffff;
constexpr std::uint32_t kNegativeLargestScale = 0xff7fffff;
constexpr std::size_t kMostInPattern = 64;
constexpr std::size_t kEnoughInPattern = 12;
constexpr int kMostScales = 40;

std::int64_t code_of(const StorageTypeInfo& info, std::int32_t zero_point, double quotient) {
  return std::clamp(static_cast<std::int64_t>(std::round(quotient)) + zero_point, info.min,
                    info.max);
}

// Multiplying by the reciprocal gives another code than dividing.
bool reciprocal_shows(const StorageTypeInfo& info, std::uint32_t scale_bits,
                      std::int32_t zero_point, float x) {
  const float scale = std::bit_cast<float>(scale_bits);
  const float reciprocal = 1.0f / scale;
  const float by_product = x * reciprocal;
  const float by_quotient = x / scale;
  return code_of(info, zero_point, by_product) != code_of(info, zero_point, by_quotient);
}

// The quotient rounded to binary32 gives another code than the exact one (R06).
bool quotient_shows(const StorageTypeInfo& info, std::uint32_t scale_bits, std::int32_t zero_point,
                    float x) {
  const float scale = std::bit_cast<float>(scale_bits);
  const float rounded = x / scale;
  return code_of(info, zero_point, rounded) !=
         code_of(info, zero_point, static_cast<double>(x) / static_cast<double>(scale));
}

// scale * code + (-scale * zero_point) in one rounding gives another number (HQ-PTA-020).
bool fused_shows(std::uint32_t scale_bits, std::int32_t zero_point, std::int64_t code) {
  const float scale = std::bit_cast<float>(scale_bits);
  const float offset = -(scale * static_cast<float>(zero_point));
  return std::fma(scale, static_cast<float>(code), offset) !=
         scale * static_cast<float>(code - zero_point);
}

// The product of the unrounded difference gives another number (HQ-PTA-020).
bool one_rounding_shows(std::uint32_t scale_bits, std::int32_t zero_point, std::int64_t code) {
  const float scale = std::bit_cast<float>(scale_bits);
  const double difference = static_cast<double>(code - zero_point);
  return static_cast<float>(static_cast<double>(scale) * difference) !=
         scale * static_cast<float>(code - zero_point);
}

// A zero point with room below it: negative quotients do not saturate.
std::int32_t high_zero_point(const StorageTypeInfo& info) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(info.max - info.max / 8, 100001));
}

// (code + 1/2) on the side of `sign` for even codes: away from zero and to even part, and with the
// zero point on the other side so does rounding the sum.
std::vector<float> ties(const StorageTypeInfo& info, std::int32_t zero_point, int sign) {
  std::vector<float> inputs;
  for (std::int64_t code = 0; inputs.size() < kMostInPattern; code += 2) {
    const std::int64_t away = zero_point + sign * (code + 1);
    if (away < info.min || away > info.max) break;
    inputs.push_back(static_cast<float>(sign) * (static_cast<float>(code) + 0.5f));
  }
  return inputs;
}

std::vector<float> extremes(const StorageTypeInfo& info, std::int32_t zero_point) {
  const float above = static_cast<float>(info.max - zero_point) + 1;
  const float below = static_cast<float>(info.min - zero_point) - 1;
  return {INFINITY, -INFINITY,      0x1p31f,         -0x1p31f, above,  below,     0x1p32f,
          -0x1p32f, 0x1.fffffep30f, -0x1.fffffep31f, 1e10f,    -1e10f, above * 2, below * 2 - 2,
          0x1p63f,  -0x1p63f,       0x1p64f,         -0x1p64f, 3e38f,  -3e38f};
}

// Multiples of the subnormal scale that are subnormal themselves.
std::vector<float> subnormal_inputs() {
  std::vector<float> inputs;
  for (std::uint32_t multiple = 1; multiple <= 32; ++multiple) {
    const std::uint32_t bits = kSubnormalScale * (multiple % 7 + 1) + multiple;
    inputs.push_back(std::bit_cast<float>(bits));
    inputs.push_back(-std::bit_cast<float>(bits));
  }
  return inputs;
}

std::vector<float> nans() {
  std::vector<float> inputs;
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffa00000u, 0x7fbfffffu,
                                   0xffffffffu, 0x7f801000u}) {
    inputs.push_back(std::bit_cast<float>(bits));
  }
  return inputs;
}

// Codes over the range of the type; those of uint32 from 2^31 on are left to others (A02).
std::vector<std::int64_t> some_codes(const StorageTypeInfo& info) {
  const std::int64_t last =
      std::min<std::int64_t>(info.max, std::numeric_limits<std::int32_t>::max());
  std::vector<std::int64_t> codes;
  if (info.bits <= 8) {
    for (std::int64_t code = info.min; code <= last; ++code) codes.push_back(code);
    return codes;
  }
  Random random(info.bits);
  // Half of the range: no difference with a zero point of the other half leaves int32 (A01).
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t span = static_cast<std::uint64_t>(last / 2 - info.min / 2);
    codes.push_back(info.min / 2 + static_cast<std::int64_t>(random.below(span)));
  }
  return codes;
}

template <typename Number, typename Predicate>
std::vector<Number> only_if(std::vector<Number> numbers, Predicate predicate) {
  std::erase_if(numbers, [&](Number number) { return !predicate(number); });
  if (numbers.size() > kMostInPattern) numbers.resize(kMostInPattern);
  return numbers;
}

// Tries scales and zero points until `fill` has put enough numbers into the call; keeps the best.
template <typename Fill>
HardCall best(HardCall call, Fill fill) {
  const std::vector<std::int32_t> zero_points = legal_zero_points(*call.info);
  Random random(0x4a5d + static_cast<unsigned>(call.info->type));
  HardCall found = call;
  for (int i = 0; i < kMostScales; ++i) {
    call.scale_bits = static_cast<std::uint32_t>(0x3c000000 + random.below(0x04000000));
    call.zero_point = zero_points[static_cast<std::size_t>(i) % zero_points.size()];
    // Where the sum or the difference with it has bits to spare.
    if (std::abs(static_cast<std::int64_t>(call.zero_point)) > (1 << 22)) call.zero_point = 100001;
    fill(call);
    if (call.inputs.size() + call.codes.size() > found.inputs.size() + found.codes.size()) {
      found = call;
      if (found.inputs.size() + found.codes.size() >= kEnoughInPattern) break;
    }
  }
  return found;
}

void add_quantizing(std::vector<HardCall>& calls, const HardCall& kernel) {
  const StorageTypeInfo& info = *kernel.info;
  const auto add = [&](std::string_view trait, std::uint32_t scale_bits, std::int32_t zero_point,
                       std::vector<float> inputs) {
    HardCall call = kernel;
    call.trait = trait;
    call.scale_bits = scale_bits;
    call.zero_point = zero_point;
    call.inputs = std::move(inputs);
    calls.push_back(std::move(call));
  };
  const std::int32_t high = high_zero_point(info);
  const std::int32_t low = static_cast<std::int32_t>(std::max<std::int64_t>(info.min, -high));
  add("ties-below", kOne, high, ties(info, high, -1));
  add("ties-above", kOne, low, ties(info, low, 1));

  const auto try_ties = [&](std::string_view trait, auto shows) {
    HardCall call = kernel;
    call.trait = trait;
    call = best(std::move(call), [&](HardCall& each) {
      const std::int64_t first = std::max<std::int64_t>(info.min, each.zero_point - 40);
      const std::int64_t last = std::min<std::int64_t>(info.max, each.zero_point + 40);
      each.inputs =
          only_if(tie_inputs(each.scale_bits, each.zero_point, first, last),
                  [&](float x) { return shows(info, each.scale_bits, each.zero_point, x); });
    });
    if (!call.inputs.empty()) calls.push_back(std::move(call));
  };
  try_ties("reciprocal", reciprocal_shows);
  try_ties("quotient", quotient_shows);

  add("extremes", kOne, 1, extremes(info, 1));
  add("subnormals", kSubnormalScale, info.is_signed ? 0 : 1, subnormal_inputs());
  add("nan", kOne, 1, nans());
  if (kernel.of_ra8) {
    const std::int32_t far = -1999900;
    std::vector<float> inputs;
    for (std::int64_t code = info.min; code <= info.max; code += 5) {
      inputs.push_back(static_cast<float>(code - far));
    }
    add("far-zero-point", kOne, far, std::move(inputs));
  }
}

void add_dequantizing(std::vector<HardCall>& calls, const HardCall& kernel) {
  const StorageTypeInfo& info = *kernel.info;
  const std::vector<std::int64_t> all = some_codes(info);
  const auto add = [&](std::string_view trait, std::uint32_t scale_bits, std::int32_t zero_point,
                       auto shows) {
    HardCall call = kernel;
    call.trait = trait;
    call.scale_bits = scale_bits;
    call.zero_point = zero_point;
    call.codes = only_if(all, shows);
    if (!call.codes.empty()) calls.push_back(std::move(call));
  };
  const auto try_codes = [&](std::string_view trait, auto shows) {
    HardCall call = kernel;
    call.trait = trait;
    call = best(std::move(call), [&](HardCall& each) {
      each.codes = only_if(
          all, [&](std::int64_t code) { return shows(each.scale_bits, each.zero_point, code); });
    });
    if (!call.codes.empty()) calls.push_back(std::move(call));
  };
  try_codes("fused", fused_shows);
  try_codes("one-rounding", one_rounding_shows);
  add("subnormals", kSubnormalScale, 1,
      [](std::int64_t code) { return code != 1 && std::abs(code - 1) < 0x800000 / 0x101; });
  const std::uint32_t largest = kernel.of_ra8 ? kLargestScale : kNegativeLargestScale;
  add("overflow", largest, 1, [](std::int64_t code) { return std::abs(code - 1) > 1; });
  if (kernel.of_ra8) {
    // No difference with it fits int32.
    add("far-zero-point", 0x3dcccccd, std::numeric_limits<std::int32_t>::min(),
        [](std::int64_t code) { return code >= 0; });
  }
}

std::vector<HardCall> make() {
  std::vector<HardCall> calls;
  for (const bool of_ra8 : {false, true}) {
    for (const StorageTypeInfo& info : kStorageTypes) {
      if (of_ra8 && info.bits != 8) continue;
      HardCall kernel;
      kernel.of_ra8 = of_ra8;
      kernel.info = &info;
      add_dequantizing(calls, kernel);
      kernel.quantizes = true;
      add_quantizing(calls, kernel);
    }
  }
  return calls;
}

}  // namespace

std::string HardCall::kernel() const {
  const std::string_view verb = quantizes ? "quantize" : "dequantize";
  if (!of_ra8) return fmt::format("hurray/{}-{}", verb, info->name);
  return fmt::format("ra8/{}_{}", verb, ra8_suffix(*info));
}

std::string HardCall::request(std::size_t count, std::size_t first) const {
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
  for (std::size_t i = 0; i < count; ++i) {
    if (quantizes) {
      floats.push_back(inputs[(first + i) % inputs.size()]);
    } else {
      integers.push_back(codes[(first + i) % codes.size()]);
    }
  }
  if (quantizes) {
    return (of_ra8 ? ra8_quantize_request : quantize_request)(*info, scale_bits, zero_point,
                                                              floats);
  }
  return (of_ra8 ? ra8_dequantize_request : dequantize_request)(*info, scale_bits, zero_point,
                                                                integers);
}

const std::vector<HardCall>& hard_calls() {
  static const std::vector<HardCall> kCalls = make();
  return kCalls;
}

}  // namespace hurray::conformance
