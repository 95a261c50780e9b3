// SPDX-License-Identifier: Apache-2.0
//
// The properties of the kernels, see properties.h; those of descriptors, conversion and packing are
// in properties_of_bytes.cpp. Each says why it has to hold, down to the last rounding.
//
// u = 2^-24 is half an ulp of 1: one operation in binary32 has a relative error of u at most,
// unless its result is subnormal or overflows.

#include "conformance/properties.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "conformance/property_calls.h"
#include "reference/binary32.h"

namespace hurray::conformance {
namespace {

Violation refused(std::string_view property, std::string request) {
  return {std::string(property), "Refuses what is legal.", {std::move(request)}};
}

// The distance between neighbours where the greater of two magnitudes lies.
double ulp_of_greater(float a, float b) {
  const std::uint32_t bits = std::max(magnitude_bits(a), magnitude_bits(b));
  return std::ldexp(1.0, std::max(static_cast<int>(bits >> 23), 1) - 150);
}

// The binary32 at or next above a whole number.
float at_or_above(std::int64_t integer) {
  const auto nearest = static_cast<float>(integer);
  return static_cast<double>(nearest) < static_cast<double>(integer)
             ? std::nextafter(nearest, INFINITY)
             : nearest;
}

}  // namespace

Verdict quantize_is_monotonic(const Target& target, const Quantization& how,
                              std::span<const float> in) {
  constexpr auto kProperty = "quantize-is-monotonic";
  if (!can_quantize(target, how)) return std::nullopt;
  Floats rising;
  std::copy_if(in.begin(), in.end(), std::back_inserter(rising),
               [](float x) { return !is_nan(x); });
  std::sort(rising.begin(), rising.end());

  // Dividing, rounding, adding and clamping each keep order, with one or two roundings (R06), with
  // subnormals flushed or not (R15); dividing by a negative scale reverses it.
  const std::optional<Codes> codes = codes_of(target, how, rising);
  if (!codes) {
    if (may_refuse(how, rising)) return std::nullopt;
    return refused(kProperty, quantize_line(how, rising));
  }
  for (std::size_t i = 1; i < rising.size(); ++i) {
    const std::int64_t rise = (*codes)[i] - (*codes)[i - 1];
    const bool equal = rising[i] == rising[i - 1];
    if (equal ? rise == 0 : is_negative(how.scale) ? rise <= 0 : rise >= 0) continue;
    const Floats pair = {rising[i - 1], rising[i]};
    return Violation{kProperty,
                     fmt::format("{} gives {}, and {} gives {}.", shown(pair[0]), (*codes)[i - 1],
                                 shown(pair[1]), (*codes)[i]),
                     {quantize_line(how, rising)}};
  }
  return std::nullopt;
}

Verdict quantize_inverts_dequantize(const Target& target, const Quantization& how,
                                    std::span<const std::int64_t> codes) {
  constexpr auto kProperty = "quantize-inverts-dequantize";
  if (!can_quantize(target, how) || !can_dequantize(target, how)) return std::nullopt;
  Codes kept;
  std::copy_if(codes.begin(), codes.end(), std::back_inserter(kept),
               [&](std::int64_t code) { return has_to_come_back(how, code); });
  const std::string first = dequantize_line(how, kept);
  const std::optional<Floats> reals = reals_of(target, how, kept);
  if (!reals) return refused(kProperty, first);
  const std::string second = quantize_line(how, *reals);
  const std::optional<Codes> again = codes_of(target, how, *reals);
  if (!again) {
    if (may_refuse(how, *reals)) return std::nullopt;
    return refused(kProperty, second);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if ((*again)[i] == kept[i]) continue;
    return Violation{kProperty,
                     fmt::format("Code {} is dequantized to {}, and that is quantized to {}.",
                                 kept[i], shown((*reals)[i]), (*again)[i]),
                     {first, second}};
  }
  return std::nullopt;
}

Verdict round_trip_is_within_half_a_step(const Target& target, const Quantization& how,
                                         std::span<const float> in) {
  constexpr auto kProperty = "round-trip-is-within-half-a-step";
  if (!can_quantize(target, how) || !can_dequantize(target, how)) return std::nullopt;
  if (may_be_flushed(how, how.scale)) return std::nullopt;
  const StorageTypeInfo& info = info_of(how.type);
  const auto lowest = static_cast<double>(info.min - how.zero_point);
  const auto highest = static_cast<double>(info.max - how.zero_point);
  Floats inside;
  std::copy_if(in.begin(), in.end(), std::back_inserter(inside), [&](float x) {
    // A double is exact enough: what it lets in beyond the last code is less than half a step.
    const double steps = static_cast<double>(x) / static_cast<double>(how.scale);
    return is_finite(x) && !may_be_flushed(how, x) && lowest <= steps && steps <= highest;
  });

  const std::string first = quantize_line(how, inside);
  const std::optional<Codes> codes = codes_of(target, how, inside);
  if (!codes) return may_refuse(how, inside) ? Verdict() : refused(kProperty, first);
  const std::string second = dequantize_line(how, *codes);
  const std::optional<Floats> results = reals_of(target, how, *codes);
  if (!results) return refused(kProperty, second);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const std::optional<std::int64_t> steps = steps_of(how, (*codes)[i]);
    if (!steps || !is_finite(how.scale * static_cast<float>(*steps))) continue;

    // With y = fl(x / s), and r the integer next to it: |s*r - x| <= |s|/2 + |x|*u, and
    // |x|*u < ulp(x). The product adds half an ulp of the result. With the exact quotient there is
    // no y, but r may have more than 24 bits: rounding it costs |s*r|*u instead. A quotient that is
    // subnormal is less than 1/2, and stays so rounded: then r = 0 and |x| < |s|/2.
    // The double below errs by 2^-52 of its operands, 2^-29 ulp: less than is left to the bound.
    const float x = inside[i];
    const float result = (*results)[i];
    const double error = std::abs(static_cast<double>(result) - static_cast<double>(x));
    const double bound =
        std::abs(static_cast<double>(how.scale)) / 2 + 1.5 * ulp_of_greater(x, result);
    if (error <= bound) continue;
    return Violation{
        kProperty,
        fmt::format("{} is quantized to {} and dequantized to {}: off by {:.9g}, where "
                    "half a step and the roundings allow {:.9g}.",
                    shown(x), (*codes)[i], shown(result), error, bound),
        {first, second}};
  }
  return std::nullopt;
}

Verdict quantize_saturates(const Target& target, const Quantization& how,
                           std::span<const float> in) {
  constexpr auto kProperty = "quantize-saturates";
  if (!can_quantize(target, how) || may_be_flushed(how, how.scale)) return std::nullopt;
  const std::optional<Codes> codes = codes_of(target, how, in);
  if (!codes) {
    return may_refuse(how, in) ? Verdict() : refused(kProperty, quantize_line(how, in));
  }
  // If x / s is at least the binary32 F, then so is fl(x / s), as rounding keeps order. With F at
  // or above max - zero_point the integer next to it, plus the zero point, is max or more. s * F
  // has 48 significant bits at most and is exact in a double.
  const StorageTypeInfo& info = info_of(how.type);
  const double scale = std::abs(static_cast<double>(how.scale));
  const double highest = scale * at_or_above(info.max - how.zero_point);
  const double lowest = scale * -at_or_above(how.zero_point - info.min);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (is_nan(in[i])) continue;
    const double towards_max = is_negative(how.scale) ? -in[i] : in[i];
    if (towards_max < highest && towards_max > lowest) continue;
    const std::int64_t outermost = towards_max >= highest ? info.max : info.min;
    if ((*codes)[i] == outermost) continue;
    return Violation{kProperty,
                     fmt::format("{} lies at or beyond the real of code {} and is quantized to {}.",
                                 shown(in[i]), outermost, (*codes)[i]),
                     {quantize_line(how, in)}};
  }
  return std::nullopt;
}

Verdict zero_maps_to_the_zero_point(const Target& target, const Quantization& how) {
  constexpr auto kProperty = "zero-maps-to-the-zero-point";
  const StorageTypeInfo& info = info_of(how.type);
  const std::int64_t code = std::clamp<std::int64_t>(how.zero_point, info.min, info.max);
  if (can_quantize(target, how)) {
    const Floats zeros = {0.0f, -0.0f};
    const std::optional<Codes> codes = codes_of(target, how, zeros);
    if (!codes && !may_refuse(how, zeros)) return refused(kProperty, quantize_line(how, zeros));
    if (codes && *codes != Codes{code, code}) {
      return Violation{kProperty,
                       fmt::format("The zeros are quantized to {} and {} instead of {}.",
                                   (*codes)[0], (*codes)[1], code),
                       {quantize_line(how, zeros)}};
    }
  }
  if (can_dequantize(target, how) && code == how.zero_point) {
    const Codes zero_point = {code};
    const std::optional<Floats> reals = reals_of(target, how, zero_point);
    if (!reals) return refused(kProperty, dequantize_line(how, zero_point));
    if (!is_zero(reals->front())) {
      return Violation{kProperty,
                       fmt::format("The zero point is dequantized to {}.", shown(reals->front())),
                       {dequantize_line(how, zero_point)}};
    }
  }
  return std::nullopt;
}

Verdict dequantize_is_odd(const Target& target, const Quantization& how,
                          std::span<const std::int64_t> codes) {
  constexpr auto kProperty = "dequantize-is-odd";
  if (!can_dequantize(target, how)) return std::nullopt;
  const StorageTypeInfo& info = info_of(how.type);
  Codes pairs;
  for (const std::int64_t code : codes) {
    const std::int64_t mirrored = 2 * std::int64_t{how.zero_point} - code;
    if (mirrored < info.min || mirrored > info.max) continue;
    if (!steps_of(how, code) || !steps_of(how, mirrored)) continue;
    pairs.insert(pairs.end(), {code, mirrored});
  }
  // Subtraction, conversion to nearest-even and product are odd functions, each.
  const std::optional<Floats> reals = reals_of(target, how, pairs);
  if (!reals) return refused(kProperty, dequantize_line(how, pairs));
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (same_real((*reals)[i], -(*reals)[i + 1])) continue;
    return Violation{
        kProperty,
        fmt::format("Code {} is dequantized to {}, and its mirror image {} to {}.", pairs[i],
                    shown((*reals)[i]), pairs[i + 1], shown((*reals)[i + 1])),
        {dequantize_line(how, pairs)}};
  }
  return std::nullopt;
}

Verdict quantize_is_elementwise(const Target& target, const Quantization& how,
                                std::span<const float> in, const Surroundings& around) {
  constexpr auto kProperty = "quantize-is-elementwise";
  if (!can_quantize(target, how)) return std::nullopt;
  // Made once to be forgotten: nothing of calls before this function is left then.
  codes_of(target, how, in.first(std::min<std::size_t>(in.size(), 1)));
  std::vector<std::optional<Codes>> alone;
  for (const float& x : in) alone.push_back(codes_of(target, how, {&x, 1}));
  const bool has_before =
      can_quantize(target, around.before) && !same_quantization(around.before, how);
  if (has_before) codes_of(target, around.before, in);
  const std::optional<Codes> together = codes_of(target, how, in, around.offset_bytes);

  std::vector<std::string> requests;
  if (has_before) requests.push_back(quantize_line(around.before, in));
  requests.push_back(quantize_line(how, in, around.offset_bytes));
  const bool refuses_one = std::find(alone.begin(), alone.end(), std::nullopt) != alone.end();
  if (!together || refuses_one) {
    if (!may_refuse(how, in)) return refused(kProperty, requests.back());
    if (!together && refuses_one) return std::nullopt;
    return Violation{kProperty, "Refuses an element alone, and not among others; or the reverse.",
                     requests};
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    if ((*together)[i] == alone[i]->front()) continue;
    return Violation{kProperty,
                     fmt::format("{} gives {} alone, and {} as element {} of {}.", shown(in[i]),
                                 alone[i]->front(), (*together)[i], i, in.size()),
                     requests};
  }
  return std::nullopt;
}

Verdict dequantize_is_elementwise(const Target& target, const Quantization& how,
                                  std::span<const std::int64_t> codes, const Surroundings& around) {
  constexpr auto kProperty = "dequantize-is-elementwise";
  if (!can_dequantize(target, how)) return std::nullopt;
  reals_of(target, how, codes.first(std::min<std::size_t>(codes.size(), 1)));  // as above
  std::vector<std::optional<Floats>> alone;
  for (const std::int64_t& code : codes) alone.push_back(reals_of(target, how, {&code, 1}));
  const bool has_before = around.before.type == how.type && can_dequantize(target, around.before) &&
                          !same_quantization(around.before, how);
  if (has_before) reals_of(target, around.before, codes);
  const std::optional<Floats> together = reals_of(target, how, codes, around.offset_bytes);

  std::vector<std::string> requests;
  if (has_before) requests.push_back(dequantize_line(around.before, codes));
  requests.push_back(dequantize_line(how, codes, around.offset_bytes));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!together || !alone[i]) return refused(kProperty, requests.back());
    if (same_real((*together)[i], alone[i]->front())) continue;
    return Violation{kProperty,
                     fmt::format("Code {} gives {} alone, and {} as element {} of {}.", codes[i],
                                 shown(alone[i]->front()), shown((*together)[i]), i, codes.size()),
                     requests};
  }
  return std::nullopt;
}

}  // namespace hurray::conformance
