// SPDX-License-Identifier: Apache-2.0
//
// clamp(round(x / scale) + zero_point), with the rounding done on integers: a binary32 is taken
// apart into mantissa * 2^exponent, and "half away from zero" becomes adding half a unit and
// dropping bits. There is no conversion from float to int and no libm, hence nothing undefined.
// [RA8-Q-006, -026]

#include "reference/quantize.h"

#include <algorithm>

#include "reference/binary32.h"

namespace hurray {
namespace {

// Stands for every rounded quotient of 2^36 or more. Codes stay within 2^32 and zero points within
// 2^31, so no sum brings such a quotient back into a range: it saturates.   [RA8-Q-005, -008, R08]
constexpr int kHugeExponent = 36;
constexpr std::int64_t kHuge = std::int64_t{1} << kHugeExponent;

// A finite magnitude, as mantissa * 2^exponent. Bit 23 of the mantissa is set unless the number is
// subnormal or zero; bits above are not.
struct Parts {
  std::int64_t mantissa;
  int exponent;
};

Parts magnitude_of(float finite) {
  const std::uint32_t bits = magnitude_bits(finite);
  const std::uint32_t fraction = bits & (kSmallestNormalBits - 1);
  const auto exponent_field = static_cast<int>(bits >> 23);
  if (exponent_field == 0) return {fraction, -149};
  return {fraction | kSmallestNormalBits, exponent_field - 150};
}

// The same number with bit 23 set, for a subnormal too. Not for zero.
Parts normalized(Parts parts) {
  while (parts.mantissa < kSmallestNormalBits) {
    parts.mantissa *= 2;
    parts.exponent -= 1;
  }
  return parts;
}

// round(|value|), ties away from zero.   [RA8-Q-003]
std::int64_t rounded_magnitude(float value) {
  if (is_nan(value)) return 0;           // no number at all counts as 0   [R01, RA8-Z-001]
  if (is_infinite(value)) return kHuge;  // saturates by its sign   [RA8-Q-005, R04]

  const auto [mantissa, exponent] = magnitude_of(value);
  if (exponent >= 0) {  // an integer already, 2^23 or more
    return exponent > kHugeExponent - 24 ? kHuge : mantissa << exponent;
  }
  // With more than 24 bits behind the point the mantissa, being below 2^24, is less than one half.
  // The largest such number, 0.49999997, is the one that adding 0.5 in binary32 rounds up.   [R05]
  if (exponent < -24) return 0;
  const std::int64_t half = std::int64_t{1} << (-exponent - 1);
  return (mantissa + half) >> -exponent;
}

// round(|x / scale|) of the rational number, ties away from zero; both finite and not zero.   [R06]
std::int64_t rounded_exact_quotient(float x, float scale) {
  const auto [dividend, x_exponent] = normalized(magnitude_of(x));
  const auto [divisor, scale_exponent] = normalized(magnitude_of(scale));
  const int shift = x_exponent - scale_exponent;

  // dividend / divisor lies strictly between 1/2 and 2, which settles all but a few dozen shifts.
  if (shift > kHugeExponent) return kHuge;
  if (shift < -1) return 0;

  // n / d, rounded half up, is floor((2n + d) / 2d). The numerator stays below 2^62.
  const std::int64_t n = shift < 0 ? dividend : dividend << shift;
  const std::int64_t d = shift < 0 ? divisor * 2 : divisor;
  return (2 * n + d) / (2 * d);
}

// What the exact quotient can be computed of; everything else has the same quotient in binary32.
bool is_finite_and_not_zero(float value) { return is_finite(value) && !is_zero(value); }

}  // namespace

std::int64_t quantize_value(float x, float scale, std::int32_t zero_point, std::int64_t min,
                            std::int64_t max, const Choices& choices) {
  // A flushing unit takes subnormal operands as zeros. The scale can become zero only here; IEEE
  // 754 then has an infinity by sign for every x but zero, and 0 / 0 is NaN, hence the zero point.
  // A subnormal quotient may be flushed as well; it rounds to 0 either way.   [R04, R15]
  const float dividend = flush_operand(x, choices.subnormals);
  const float divisor = flush_operand(scale, choices.subnormals);

  // Round the quotient, of which there are two legal ones.   [RA8-Q-001, -002, R06]
  // By IEEE 754 a finite x over infinity is 0 (R03), infinity over infinity NaN (R01), and a
  // quotient beyond the largest binary32 infinity (R04).
  const bool exact = choices.quotient == Quotient::kExact && is_finite_and_not_zero(dividend) &&
                     is_finite_and_not_zero(divisor);
  const std::int64_t magnitude =
      exact ? rounded_exact_quotient(dividend, divisor) : rounded_magnitude(dividend / divisor);
  const bool negative = is_negative(dividend) != is_negative(divisor);
  const std::int64_t rounded = negative ? -magnitude : magnitude;

  // The zero point comes after rounding, whole and in 64 bits, so that a large quotient and an
  // opposite zero point cancel. Only the sum is clamped.   [RA8-Q-004, -005, -007, -008, R07, R08]
  return std::clamp(rounded + zero_point, min, max);
}

void quantize(StorageType type, float scale, std::int32_t zero_point, const float* in,
              std::size_t count, std::uint8_t* q, const Choices& choices) {
  const StorageTypeInfo& info = info_of(type);

  // Zero first, so that bits that belong to no element are zero in the end.   [HQ-PACK-006, -009]
  std::fill_n(q, packed_bytes(type, count).value_or(0), std::uint8_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    write_element(type, q, i,
                  quantize_value(in[i], scale, zero_point, info.min, info.max, choices));
  }
}

}  // namespace hurray
