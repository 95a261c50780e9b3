// SPDX-License-Identifier: Apache-2.0
//
// The firmware functions in portable C. One floating-point division per element; rounding happens
// in integers, on the significand of the quotient. Nothing is cast from float to integer, so no
// input can reach an undefined conversion. No libm, no libc, no writable data.

#include "ra8_npu_quant.h"

#include <stdbool.h>

// A binary32 taken apart: value = (-1)^negative * significand * 2^exponent.
typedef struct {
  bool negative;
  bool is_nan;
  bool is_infinite;
  uint32_t significand;
  int32_t exponent;
} ra8_parts_t;

static ra8_parts_t internal_take_apart(float value) {
  const union {
    float value;
    uint32_t bits;
  } u = {.value = value};
  const uint32_t fraction = u.bits & 0x7fffffu;
  const uint32_t biased = u.bits >> 23 & 0xffu;
  const ra8_parts_t parts = {
      .negative = u.bits >> 31 != 0,
      .is_nan = biased == 255 && fraction != 0,
      .is_infinite = biased == 255 && fraction == 0,
      .significand = biased == 0 ? fraction : fraction | 0x800000u,
      .exponent = (int32_t)(biased == 0 ? 1u : biased) - 150,
  };
  return parts;
}

// Any magnitude from here on outweighs every int32 zero point and every 8-bit range.
#define RA8_MAGNITUDE_CAP ((int64_t)1 << 40)

// The quotient as the nearest whole number, ties away from zero; bounded, and 0 for NaN.
static int64_t internal_round(float quotient) {
  const ra8_parts_t parts = internal_take_apart(quotient);
  if (parts.is_nan) return 0;

  int64_t magnitude;
  if (parts.is_infinite || parts.exponent > 16) {  // the significand has 24 bits: 2^40 or more
    magnitude = RA8_MAGNITUDE_CAP;
  } else if (parts.exponent >= 0) {
    magnitude = (int64_t)parts.significand << parts.exponent;
  } else if (parts.exponent >= -24) {  // half a unit joins the significand, then the fraction goes
    const uint32_t half = (uint32_t)1 << (-parts.exponent - 1);
    magnitude = (int64_t)((parts.significand + half) >> -parts.exponent);
  } else {  // below one half
    magnitude = 0;
  }
  return parts.negative ? -magnitude : magnitude;
}

static int32_t internal_quantize(float in, float scale, int32_t zero_point, int32_t min,
                                 int32_t max) {
  const int64_t code = internal_round(in / scale) + zero_point;
  if (code <= min) return min;
  if (code >= max) return max;
  return (int32_t)code;
}

// Judged by its bits: a floating-point unit that reads subnormals as zero must not refuse them.
static bool internal_scale_is_positive(float scale) {
  const ra8_parts_t parts = internal_take_apart(scale);
  return !parts.negative && !parts.is_nan && (parts.is_infinite || parts.significand != 0);
}

static float internal_dequantize(int32_t code, float scale, int32_t zero_point) {
  const int64_t steps = (int64_t)code - (int64_t)zero_point;
  return scale * (float)steps;
}

ra8_err_t ra8_npu_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_scale_is_positive(scale)) return k_ra8_err_invalid_arg;
  const float* const end = in + count;
  while (in != end) {
    *out++ = (int8_t)internal_quantize(*in++, scale, zero_point, k_ra8_npu_quant_i8_min,
                                       k_ra8_npu_quant_i8_max);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_dequantize_i8(const int8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  const int8_t* const end = in + count;
  while (in != end) *out++ = internal_dequantize(*in++, scale, zero_point);
  return k_ra8_ok;
}

ra8_err_t ra8_npu_quantize_u8(const float* in, uint8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_scale_is_positive(scale)) return k_ra8_err_invalid_arg;
  const float* const end = in + count;
  while (in != end) {
    *out++ = (uint8_t)internal_quantize(*in++, scale, zero_point, k_ra8_npu_quant_u8_min,
                                        k_ra8_npu_quant_u8_max);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_dequantize_u8(const uint8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  const uint8_t* const end = in + count;
  while (in != end) *out++ = internal_dequantize(*in++, scale, zero_point);
  return k_ra8_ok;
}
