// SPDX-License-Identifier: Apache-2.0
//
// Where does a code have to come back that is dequantized and quantized again? See properties.h.

#include <bit>
#include <cstdlib>

#include "conformance/properties.h"
#include "conformance/property_calls.h"
#include "reference/binary32.h"

namespace hurray::conformance {
namespace {

constexpr unsigned kSignificandBits = 24;

bool fits_significand(std::uint64_t integer) {
  return integer == 0 ||
         std::bit_width(integer >> std::countr_zero(integer)) <= static_cast<int>(kSignificandBits);
}

// Whether scale * steps is a binary32 as it stands, but for overflow. A scale is an integer times a
// power of two of at least 2^-149, hence so is the product: it never loses bits by being small.
bool product_is_exact(float scale, std::int64_t steps) {
  const std::uint32_t bits = magnitude_bits(scale);
  const std::uint32_t fraction = bits & (kSmallestNormalBits - 1);
  const std::uint64_t significand =
      bits < kSmallestNormalBits ? fraction : fraction | kSmallestNormalBits;
  return fits_significand(significand * static_cast<std::uint64_t>(std::abs(steps)));
}

}  // namespace

bool may_be_flushed(const Quantization& how, float value) {
  return how.contract == Contract::kRa8 && is_subnormal(value);
}

std::optional<std::int64_t> steps_of(const Quantization& how, std::int64_t code) {
  const auto is_int32 = [](std::int64_t value) {
    return value == static_cast<std::int32_t>(value);
  };
  const std::int64_t steps = code - how.zero_point;
  if (how.contract == Contract::kRa8) return steps;
  if (!is_int32(code) || !is_int32(steps)) return std::nullopt;
  return steps;
}

// Where quantizing the dequantized code has to give the code back.
//
// Let s be the scale, d = code - zero_point, x = fl(s * fl(d)), and r the quotient that is rounded
// to an integer, either x / s or fl(x / s) (R06). The code comes back if r rounds to d.
//  * d = 0: x is a zero, and so is r.
//  * s * d a binary32, d too: then x / s = d exactly, whatever the size of d.
//  * |d| <= 2^22: d is exact, x does not lose bits by being small (product_is_exact), so unless it
//    overflows it is off by half an ulp of x at most. Write |s| = m * 2^a and |d| = n * 2^b with m
//    and n in [1, 2). If m * n < 2, half an ulp of x is 2^(a+b-24), which as a quotient is at most
//    2^(b-24) / m. Else it is twice that. Both are at most 2^(b-23) = ulp(d). So fl(x / s), as d
//    and d ± ulp(d) are binary32 numbers and rounding keeps order, is off by ulp(d) at most. Below
//    2^22 that is 1/4, and |r - d| < 1/2. For |d| = 2^22 itself the product is exact.
//  * Above, ulp(d) is 1/2 and more: with s = 3fd48fcd and d = 7538348 the binary32 quotient is
//    7538348.5, which rounds to another code. There is no promise.
bool has_to_come_back(const Quantization& how, std::int64_t code) {
  constexpr std::int64_t kAlwaysApart = std::int64_t{1} << 22;
  const std::optional<std::int64_t> steps = steps_of(how, code);
  if (!steps || may_be_flushed(how, how.scale)) return false;
  if (!is_finite(how.scale * static_cast<float>(*steps))) return false;
  if (std::abs(*steps) <= kAlwaysApart) return true;
  return fits_significand(static_cast<std::uint64_t>(std::abs(*steps))) &&
         product_is_exact(how.scale, *steps);
}

}  // namespace hurray::conformance
