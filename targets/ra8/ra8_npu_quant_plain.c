// SPDX-License-Identifier: Apache-2.0
//
// The firmware functions as one would write them first: plain loops, nothing that a compiler for
// Helium could not turn into vector instructions. Right as C. A compiler that does turn them makes
// the body of a dequantizing loop flush subnormals while its scalar tail keeps them, which is what
// images of this file are there to show (A05, R15).

#include <stdbool.h>

#include "ra8_npu_quant.h"

// Where every difference from an 8-bit code fits int32.
static bool internal_fits(int32_t zero_point) {
  return zero_point > INT32_MIN + 255 && zero_point < INT32_MAX - 255;
}

// Nearest whole number, ties away from zero; NaN as 0; bounded before the cast.
static int64_t internal_round(float quotient) {
  if (!(quotient > -0x1p40f)) return quotient == quotient ? -((int64_t)1 << 40) : 0;
  if (quotient > 0x1p40f) return (int64_t)1 << 40;
  const int64_t whole = (int64_t)quotient;
  const float rest = quotient - (float)whole;
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

static int32_t internal_clamp(int64_t code, int32_t min, int32_t max) {
  return code < min ? min : code > max ? max : (int32_t)code;
}

ra8_err_t ra8_npu_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!(scale > 0.0f)) return k_ra8_err_invalid_arg;
  for (size_t i = 0; i < count; ++i) {
    out[i] = (int8_t)internal_clamp(internal_round(in[i] / scale) + zero_point,
                                    k_ra8_npu_quant_i8_min, k_ra8_npu_quant_i8_max);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_dequantize_i8(const int8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (internal_fits(zero_point)) {
    for (size_t i = 0; i < count; ++i) out[i] = scale * (float)(in[i] - zero_point);
  } else {
    for (size_t i = 0; i < count; ++i) out[i] = scale * (float)((int64_t)in[i] - zero_point);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_quantize_u8(const float* in, uint8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!(scale > 0.0f)) return k_ra8_err_invalid_arg;
  for (size_t i = 0; i < count; ++i) {
    out[i] = (uint8_t)internal_clamp(internal_round(in[i] / scale) + zero_point,
                                     k_ra8_npu_quant_u8_min, k_ra8_npu_quant_u8_max);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_dequantize_u8(const uint8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (internal_fits(zero_point)) {
    for (size_t i = 0; i < count; ++i) out[i] = scale * (float)(in[i] - zero_point);
  } else {
    for (size_t i = 0; i < count; ++i) out[i] = scale * (float)((int64_t)in[i] - zero_point);
  }
  return k_ra8_ok;
}
