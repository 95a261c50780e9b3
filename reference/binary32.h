// SPDX-License-Identifier: Apache-2.0
//
// What kind of number is a binary32? Answered from its bits, never by comparing, because a
// comparison follows the floating-point mode of the thread: with subnormals flushed, 2^-149 != 0 is
// false. Also the place that makes sure that `float` is binary32 and that the compiler leaves it
// alone.

#ifndef HURRAY_REFERENCE_BINARY32_H
#define HURRAY_REFERENCE_BINARY32_H

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#include "reference/choices.h"

namespace hurray {

static_assert(std::numeric_limits<float>::is_iec559 && sizeof(float) == 4,
              "float has to be IEEE 754 binary32");
static_assert(FLT_EVAL_METHOD == 0, "float expressions have to be evaluated in float");
#ifdef __FAST_MATH__
// A refusal, not a use: with that flag a compiler may take NaN for impossible and divide by
// multiplying, and the oracle would be wrong in silence.
#error "the reference cannot be built with -ffast-math"
#endif

inline constexpr std::uint32_t kSignBit = 0x80000000;
inline constexpr std::uint32_t kInfinityBits = 0x7f800000;
inline constexpr std::uint32_t kSmallestNormalBits = 0x00800000;

constexpr std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint32_t magnitude_bits(float value) { return bits_of(value) & ~kSignBit; }

// Magnitudes order like their bit patterns: zero, subnormals, normals, infinity, NaNs.
constexpr bool is_negative(float value) { return (bits_of(value) & kSignBit) != 0; }
constexpr bool is_zero(float value) { return magnitude_bits(value) == 0; }
constexpr bool is_nan(float value) { return magnitude_bits(value) > kInfinityBits; }
constexpr bool is_infinite(float value) { return magnitude_bits(value) == kInfinityBits; }
constexpr bool is_finite(float value) { return magnitude_bits(value) < kInfinityBits; }
constexpr bool is_subnormal(float value) {
  return !is_zero(value) && magnitude_bits(value) < kSmallestNormalBits;
}

// A subnormal becomes the zero of its sign, everything else stays.
constexpr float flushed(float value) {
  return is_subnormal(value) ? std::bit_cast<float>(bits_of(value) & kSignBit) : value;
}

// Ruling R15: a flushing unit does so before an operation, after it, or both.
constexpr float flush_operand(float value, Subnormals subnormals) {
  const bool flushes = subnormals == Subnormals::kFlush || subnormals == Subnormals::kFlushOperands;
  return flushes ? flushed(value) : value;
}
constexpr float flush_result(float value, Subnormals subnormals) {
  const bool flushes = subnormals == Subnormals::kFlush || subnormals == Subnormals::kFlushResults;
  return flushes ? flushed(value) : value;
}

}  // namespace hurray

#endif  // HURRAY_REFERENCE_BINARY32_H
