// SPDX-License-Identifier: Apache-2.0
//
// How does the scalar target touch bytes and bit patterns? Little-endian loads and stores at any
// alignment on any host (compilers turn them into one instruction where the host allows it), the
// bits of a binary32, and the rounding rule of the quantizers.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_BITS_H
#define HURRAY_TARGETS_SCALAR_SCALAR_BITS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t load_le32(const uint8_t* p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint16_t load_le16(const uint8_t* p) { return (uint16_t)(p[0] | p[1] << 8); }

static inline uint64_t load_le64(const uint8_t* p) {
  return load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
}

static inline void store_le32(uint8_t* p, uint32_t word) {
  p[0] = (uint8_t)(word & 0xffu);
  p[1] = (uint8_t)(word >> 8 & 0xffu);
  p[2] = (uint8_t)(word >> 16 & 0xffu);
  p[3] = (uint8_t)(word >> 24);
}

static inline void store_le64(uint8_t* p, uint64_t word) {
  store_le32(p, (uint32_t)(word & 0xffffffffu));
  store_le32(p + 4, (uint32_t)(word >> 32));
}

// The first `bytes` bytes (0 to 3) of a word; the rest of it is neither read nor written.
static inline uint32_t load_le32_part(const uint8_t* p, size_t bytes) {
  uint32_t word = 0;
  for (size_t i = 0; i < bytes; ++i) word |= (uint32_t)p[i] << (8 * i);
  return word;
}

static inline void store_le32_part(uint8_t* p, size_t bytes, uint32_t word) {
  for (size_t i = 0; i < bytes; ++i) p[i] = (uint8_t)(word >> (8 * i) & 0xffu);
}

union binary32 {
  float value;
  uint32_t bits;
};

static inline uint32_t float_bits(float value) {
  union binary32 u = {.value = value};
  return u.bits;
}

static inline float bits_float(uint32_t bits) {
  union binary32 u;
  u.bits = bits;
  return u.value;
}

// Two's complement without a conversion that the language leaves to the implementation.
static inline int32_t bits_int32(uint32_t bits) {
  return bits <= INT32_MAX ? (int32_t)bits : -(int32_t)~bits - 1;
}

// Nearest integer of a quotient, ties away from zero, NaN as 0. `limit` is a whole number: what
// lies beyond it becomes it, so the cast is defined and the caller's saturation sees the right
// side. The truncated part of a binary32 is a binary32 and so is the rest: both steps below are
// exact.
static inline int32_t round_away_i32(float y, float limit) {
  y = y == y ? y : 0.0f;
  y = y < limit ? y : limit;
  y = y > -limit ? y : -limit;
  const int32_t whole = (int32_t)y;
  const float rest = y - (float)whole;
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

static inline int64_t round_away_i64(float y, float limit) {
  y = y == y ? y : 0.0f;
  y = y < limit ? y : limit;
  y = y > -limit ? y : -limit;
  const int64_t whole = (int64_t)y;
  const float rest = y - (float)whole;
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

static inline int64_t bits_int64(uint64_t bits) {
  return bits <= INT64_MAX ? (int64_t)bits : -(int64_t)~bits - 1;
}

// Limits that no sum of rounded quotient and zero point can bring back into range: 2^20 while both
// have 16 bits, 2^40 while both have 32.
#define ROUND_LIMIT_NARROW 0x1p20f
#define ROUND_LIMIT_WIDE 0x1p40f

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_BITS_H
