// SPDX-License-Identifier: Apache-2.0
//
// The four firmware functions under their own contract (RA8-Q): every int32 zero point counts in
// full, NULL is seen before the scale, and both are seen before a count of 0 (rulings R11 to R13).

#include "scalar.h"
#include "scalar_bits.h"

enum { kOk = 0, kInvalidArg = 0x103, kNullPtr = 0x504 };

// Positive, +inf included (R03). An integer compares as such a float does: a subnormal scale is
// positive whatever the caller did to the floating-point unit, and NaN lies above +inf.   [R04]
static bool is_positive(float scale) { return float_bits(scale) - 1u < 0x7f800000u; }

// In 64 bits neither sum nor difference can overflow, and clamping comes last.   [RA8-Q-007, 021]
static inline int32_t quantize_one(float in, float scale, int32_t zero_point, int32_t min,
                                   int32_t max) {
  const int64_t code = round_away_i64(in / scale, ROUND_LIMIT_WIDE) + zero_point;
  return code < min ? min : code > max ? max : (int32_t)code;
}

static inline float dequantize_one(int32_t code, float scale, int32_t zero_point) {
  return scale * (float)((int64_t)code - zero_point);
}

uint16_t hurray_scalar_ra8_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                                       int32_t zero_point) {
  if (in == NULL || out == NULL) return kNullPtr;
  if (!is_positive(scale)) return kInvalidArg;
  for (size_t i = 0; i < count; ++i) {
    out[i] = (int8_t)quantize_one(in[i], scale, zero_point, INT8_MIN, INT8_MAX);
  }
  return kOk;
}

uint16_t hurray_scalar_ra8_quantize_u8(const float* in, uint8_t* out, size_t count, float scale,
                                       int32_t zero_point) {
  if (in == NULL || out == NULL) return kNullPtr;
  if (!is_positive(scale)) return kInvalidArg;
  for (size_t i = 0; i < count; ++i) {
    out[i] = (uint8_t)quantize_one(in[i], scale, zero_point, 0, UINT8_MAX);
  }
  return kOk;
}

uint16_t hurray_scalar_ra8_dequantize_i8(const int8_t* in, float* out, size_t count, float scale,
                                         int32_t zero_point) {
  if (in == NULL || out == NULL) return kNullPtr;
  for (size_t i = 0; i < count; ++i) out[i] = dequantize_one(in[i], scale, zero_point);
  return kOk;
}

uint16_t hurray_scalar_ra8_dequantize_u8(const uint8_t* in, float* out, size_t count, float scale,
                                         int32_t zero_point) {
  if (in == NULL || out == NULL) return kNullPtr;
  for (size_t i = 0; i < count; ++i) out[i] = dequantize_one(in[i], scale, zero_point);
  return kOk;
}
