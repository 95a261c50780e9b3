// SPDX-License-Identifier: Apache-2.0
//
// The firmware functions with Helium, four elements at a time, bit for bit what ra8_npu_quant.c
// answers. Helium's float arithmetic flushes subnormals, always rounds to nearest and cannot
// divide; what follows from each is said where it matters. Tails are predicated: inactive lanes are
// neither read nor written.

#include <arm_mve.h>
#include <stdbool.h>

#include "ra8_npu_quant.h"

static uint32_t internal_bits(float value) {
  const union {
    float value;
    uint32_t bits;
  } u = {.value = value};
  return u.bits;
}

// For zero points within this bound int32 is wide enough. Dequantizing: no difference from an 8-bit
// code overflows. Quantizing: a quotient that conversion saturates to 2^31 - 1 or -2^31 stays
// beyond every 8-bit code after the addition, as the unsaturated one would.
#define RA8_MODERATE_ZERO_POINT (INT32_MAX - 511)

static bool internal_is_moderate(int32_t zero_point) {
  return zero_point >= -RA8_MODERATE_ZERO_POINT && zero_point <= RA8_MODERATE_ZERO_POINT;
}

static uint32_t internal_left(size_t count) { return count < 4 ? (uint32_t)count : 4; }

// --- Dequantizing

// A difference is zero or at least 1, so with a normal scale no product is subnormal and nothing
// can be flushed. Zero, infinite and NaN scales come out of Helium as they should.   [A05]
static bool internal_products_are_normal(float scale) {
  const uint32_t magnitude = internal_bits(scale) & 0x7fffffffu;
  return magnitude == 0 || magnitude >= 0x00800000u;
}

static float32x4_t internal_dequantize_lanes(int32x4_t codes, float scale, int32_t zero_point) {
  return vmulq_n_f32(vcvtq_f32_s32(vsubq_n_s32(codes, zero_point)), scale);
}

// A double holds every difference. A function of its own and never inlined: a loop over its body is
// one that the compiler may turn into flushing Helium instructions.
__attribute__((noinline)) static float internal_dequantize_one(int32_t code, float scale,
                                                               int32_t zero_point) {
  return scale * (float)((double)code - (double)zero_point);
}

ra8_err_t ra8_npu_dequantize_i8(const int8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_products_are_normal(scale) || !internal_is_moderate(zero_point)) {
    for (size_t i = 0; i < count; ++i) out[i] = internal_dequantize_one(in[i], scale, zero_point);
    return k_ra8_ok;
  }
  for (size_t i = 0; i < count; i += 4) {
    const mve_pred16_t active = vctp32q(internal_left(count - i));
    const int32x4_t codes = vldrbq_z_s32(in + i, active);
    vstrwq_p_f32(out + i, internal_dequantize_lanes(codes, scale, zero_point), active);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_dequantize_u8(const uint8_t* in, float* out, size_t count, float scale,
                                int32_t zero_point) {
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_products_are_normal(scale) || !internal_is_moderate(zero_point)) {
    for (size_t i = 0; i < count; ++i) out[i] = internal_dequantize_one(in[i], scale, zero_point);
    return k_ra8_ok;
  }
  for (size_t i = 0; i < count; i += 4) {
    const mve_pred16_t active = vctp32q(internal_left(count - i));
    const int32x4_t codes = vreinterpretq_s32_u32(vldrbq_z_u32(in + i, active));
    vstrwq_p_f32(out + i, internal_dequantize_lanes(codes, scale, zero_point), active);
  }
  return k_ra8_ok;
}

// --- Quantizing

// Judged by its bits: positive, not NaN; subnormals and +inf included.
static bool internal_scale_is_positive(float scale) {
  return internal_bits(scale) - 1u < 0x7f800000u;
}

// Division is scalar, one VDIV.F32 per lane: the binary32 quotient with its subnormals, and with
// those of its operands. From there on nothing depends on them: VCVTA rounds ties away from zero, a
// subnormal becomes 0 either way, NaN becomes 0, and what exceeds int32 saturates.   [R05, R06,
// R15]
static int32x4_t internal_quantize_lanes(float32x4_t in, float scale, int32_t zero_point,
                                         int32_t min, int32_t max) {
  float32x4_t quotients = in;
  quotients = vsetq_lane_f32(vgetq_lane_f32(in, 0) / scale, quotients, 0);
  quotients = vsetq_lane_f32(vgetq_lane_f32(in, 1) / scale, quotients, 1);
  quotients = vsetq_lane_f32(vgetq_lane_f32(in, 2) / scale, quotients, 2);
  quotients = vsetq_lane_f32(vgetq_lane_f32(in, 3) / scale, quotients, 3);
  const int32x4_t codes = vqaddq_n_s32(vcvtaq_s32_f32(quotients), zero_point);
  return vminq_s32(vmaxq_s32(codes, vdupq_n_s32(min)), vdupq_n_s32(max));
}

// Zero points near the ends of int32. Only quotients beyond 2^30 can bring the sum back into the
// type, and those are whole numbers already, which a double adds exactly; every other sum lies far
// outside, rounded or not.   [R08]
static int32_t internal_quantize_one(float in, float scale, int32_t zero_point, int32_t min,
                                     int32_t max) {
  const float quotient = in / scale;
  const double sum = (quotient == quotient ? (double)quotient : 0.0) + (double)zero_point;
  if (sum <= (double)min) return min;
  if (sum >= (double)max) return max;
  return (int32_t)sum;
}

ra8_err_t ra8_npu_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  const int32_t min = k_ra8_npu_quant_i8_min;
  const int32_t max = k_ra8_npu_quant_i8_max;
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_scale_is_positive(scale)) return k_ra8_err_invalid_arg;
  if (!internal_is_moderate(zero_point)) {
    for (size_t i = 0; i < count; ++i) {
      out[i] = (int8_t)internal_quantize_one(in[i], scale, zero_point, min, max);
    }
    return k_ra8_ok;
  }
  for (size_t i = 0; i < count; i += 4) {
    const mve_pred16_t active = vctp32q(internal_left(count - i));
    const float32x4_t reals = vldrwq_z_f32(in + i, active);
    vstrbq_p_s32(out + i, internal_quantize_lanes(reals, scale, zero_point, min, max), active);
  }
  return k_ra8_ok;
}

ra8_err_t ra8_npu_quantize_u8(const float* in, uint8_t* out, size_t count, float scale,
                              int32_t zero_point) {
  const int32_t min = k_ra8_npu_quant_u8_min;
  const int32_t max = k_ra8_npu_quant_u8_max;
  if (in == NULL || out == NULL) return k_ra8_err_null_ptr;
  if (!internal_scale_is_positive(scale)) return k_ra8_err_invalid_arg;
  if (!internal_is_moderate(zero_point)) {
    for (size_t i = 0; i < count; ++i) {
      out[i] = (uint8_t)internal_quantize_one(in[i], scale, zero_point, min, max);
    }
    return k_ra8_ok;
  }
  for (size_t i = 0; i < count; i += 4) {
    const mve_pred16_t active = vctp32q(internal_left(count - i));
    const float32x4_t reals = vldrwq_z_f32(in + i, active);
    const int32x4_t codes = internal_quantize_lanes(reals, scale, zero_point, min, max);
    vstrbq_p_u32(out + i, vreinterpretq_u32_s32(codes), active);
  }
  return k_ra8_ok;
}
