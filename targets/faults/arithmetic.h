// SPDX-License-Identifier: Apache-2.0
//
// The wrong arithmetic that rules are made of: other roundings, casts as machines do them, numbers
// of other widths. All of it is defined behaviour, so that a fault is wrong in the one way that its
// row says, with every compiler and under every sanitizer.

#ifndef HURRAY_TARGETS_FAULTS_ARITHMETIC_H
#define HURRAY_TARGETS_FAULTS_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "scalar/scalar_bits.h"

// Whole numbers near a quotient. Beyond 2^40 they stop, NaN gives 0.
static inline int64_t whole_away(float y) { return round_away_i64(y, ROUND_LIMIT_WIDE); }
static inline int64_t whole_toward_zero(float y) {
  y = y == y ? y : 0.0f;
  y = y < 0x1p40f ? y : 0x1p40f;
  return (int64_t)(y > -0x1p40f ? y : -0x1p40f);
}
static inline float fraction_of(float y) {
  return y > -0x1p24f && y < 0x1p24f ? y - (float)whole_toward_zero(y) : 0.0f;
}
static inline bool is_tie(float y) { return fraction_of(y) == 0.5f || fraction_of(y) == -0.5f; }
static inline int64_t whole_down(float y) { return whole_toward_zero(y) - (fraction_of(y) < 0); }
static inline int64_t whole_up(float y) { return whole_toward_zero(y) + (fraction_of(y) > 0); }
static inline int64_t whole_even(float y) {
  const int64_t k = whole_toward_zero(y);
  return is_tie(y) && k % 2 == 0 ? k : whole_away(y);
}

// Of a binary64 quotient.
static inline int64_t whole_away_wide(double y) {
  y = y == y ? y : 0.0;
  y = y < 0x1p40 ? y : 0x1p40;
  y = y > -0x1p40 ? y : -0x1p40;
  const int64_t whole = (int64_t)y;
  const double rest = y - (double)whole;
  return whole + (rest >= 0.5) - (rest <= -0.5);
}

// float to int32 by the instruction of x86 (cvttss2si) and of ARM (fcvtzs).
static inline int64_t x86_i32(float y) {
  return y >= -0x1p31f && y < 0x1p31f ? (int64_t)y : INT32_MIN;
}
static inline int64_t arm_i32(float y) {
  if (y != y) return 0;
  return y >= 0x1p31f ? INT32_MAX : y < -0x1p31f ? INT32_MIN : (int64_t)y;
}

static inline int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}
static inline int64_t wrap32(int64_t value) {
  return bits_int32((uint32_t)((uint64_t)value & 0xffffffffu));
}
static inline int64_t wrap16(int64_t value) { return ((value + 0x8000) & 0xffff) - 0x8000; }
static inline int64_t wrap8(int64_t value) { return ((value + 0x80) & 0xff) - 0x80; }
static inline int64_t wrap4(int64_t value) { return ((value + 8) & 15) - 8; }

static inline bool is_nan(float x) { return x != x; }
static inline bool is_finite(float x) { return (float_bits(x) & 0x7f800000u) != 0x7f800000u; }
static inline bool is_subnormal(float x) {
  return (float_bits(x) & 0x7f800000u) == 0 && (float_bits(x) & 0x007fffffu) != 0;
}
static inline float magnitude(float x) { return bits_float(float_bits(x) & 0x7fffffffu); }
static inline bool is_power_of_two(float x) {
  const uint32_t word = float_bits(x) & 0x7fffffffu;
  const uint32_t mantissa = word & 0x7fffffu;
  return word >> 23 == 0 ? word != 0 && (word & (word - 1)) == 0 : mantissa == 0 && is_finite(x);
}
static inline float flushed(float x) {
  return is_subnormal(x) ? bits_float(float_bits(x) & 0x80000000u) : x;
}

static inline uint32_t swapped(uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00u) | (word << 8 & 0xff0000u) | word << 24;
}

// The nearest number of `bits` significant bits, ties to even; exponents as in binary32.
static inline float rounded_to(uint32_t bits, float x) {
  if (!is_finite(x)) return x;
  const uint32_t cut = 24 - bits;
  const uint32_t word = float_bits(x);
  return bits_float((word + (1u << (cut - 1)) - 1 + (word >> cut & 1)) >> cut << cut);
}
// Through binary16: 11 significant bits, nothing above 65504, steps of 2^-24 below 2^-14.
static inline float through_half(float x) {
  if (magnitude(x) >= 65520.0f) return x < 0 ? -__builtin_inff() : __builtin_inff();
  if (magnitude(x) >= 0x1p-14f) return rounded_to(11, x);
  const volatile float shifted = x + (x < 0 ? -0x1.8p-1f : 0x1.8p-1f);
  return shifted - (x < 0 ? -0x1.8p-1f : 0x1.8p-1f);
}

// a * b + c rounded once; exact products of two binary32 fit binary64.
static inline float fused(float a, float b, float c) {
  return (float)((double)a * (double)b + (double)c);
}
// The product with a normal power of two as integer arithmetic, whatever comes of the exponent.
static inline float exponents_added(float power, float x) {
  return bits_float(float_bits(x) + float_bits(power) - 0x3f800000u);
}
// Separate roundings, whatever the compiler would like to merge.
static inline float product(float a, float b) {
  const volatile float p = a * b;
  return p;
}

#endif  // HURRAY_TARGETS_FAULTS_ARITHMETIC_H
