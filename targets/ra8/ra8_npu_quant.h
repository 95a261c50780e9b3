// SPDX-License-Identifier: Apache-2.0
//
// How do reals get into an 8-bit NPU tensor and out of it again? The firmware's four functions:
//   real      = scale * (quantized - zero_point)
//   quantized = saturate(round(real / scale) + zero_point)
// Written from the published contract (requirements RA8-Q). Needs no device, no libm and no libc;
// C11, C23 and C++11 or later, C linkage.

#ifndef RA8_NPU_QUANT_H
#define RA8_NPU_QUANT_H

#include <stddef.h>
#include <stdint.h>

#include "ra8_err.h"

// An ignored result code is an ignored error.   [RA8-Q-023]
#if defined(__cplusplus) && __cplusplus >= 201703L
#define RA8_NODISCARD [[nodiscard]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202000L
#define RA8_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define RA8_NODISCARD __attribute__((warn_unused_result))
#else
#define RA8_NODISCARD
#endif

// The range enumeration has int32_t under it, where the language can name that; elsewhere at least
// its size, which Arm compilers would make 16 bits.   [RA8-Q-024]
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define RA8_SIZED_INT32
#define RA8_UNDERLYING_INT32 : int32_t
#elif defined(__GNUC__)
#define RA8_SIZED_INT32 __attribute__((__mode__(__SI__)))
#define RA8_UNDERLYING_INT32
#else
#define RA8_SIZED_INT32
#define RA8_UNDERLYING_INT32
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The codes at which quantizing saturates, both inclusive.
// clang-format off
typedef enum RA8_SIZED_INT32 ra8_npu_quant_range_t RA8_UNDERLYING_INT32 {
  k_ra8_npu_quant_i8_min = -128,
  k_ra8_npu_quant_i8_max = 127,
  k_ra8_npu_quant_u8_min = 0,
  k_ra8_npu_quant_u8_max = 255
} ra8_npu_quant_range_t;
// clang-format on

// Quantizes `count` reals: out[i] = clamp(round(in[i] / scale) + zero_point, min, max).
//   in          `count` binary32, only read, must not overlap out
//   out         `count` codes; written on k_ra8_ok, untouched on any error
//   count       0 does nothing; the other arguments are checked all the same
//   scale       strictly positive, subnormals and +inf included
//   zero_point  any int32; added after rounding, in arithmetic that cannot overflow
// The quotient is the binary32 one. Ties go away from zero. Infinities saturate by sign; NaN
// becomes the code of real zero. Returns k_ra8_err_null_ptr if in or out is null, else
// k_ra8_err_invalid_arg if scale is not positive or is NaN, else k_ra8_ok. Re-entrant, no state.
// [RA8-Q-001..018]
RA8_NODISCARD ra8_err_t ra8_npu_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                                            int32_t zero_point);

// The same with codes 0 to 255.
RA8_NODISCARD ra8_err_t ra8_npu_quantize_u8(const float* in, uint8_t* out, size_t count,
                                            float scale, int32_t zero_point);

// Dequantizes `count` codes: out[i] = scale * float(in[i] - zero_point).
//   in          `count` codes, only read, must not overlap out
//   out         `count` binary32; written on k_ra8_ok, untouched on any error
//   scale       computed with whatever it is: there is no error for it
//   zero_point  any int32; the difference is exact, then rounded once to binary32
// Returns k_ra8_err_null_ptr if in or out is null, else k_ra8_ok. Re-entrant, no state.
// [RA8-Q-012..018, 019..022]
RA8_NODISCARD ra8_err_t ra8_npu_dequantize_i8(const int8_t* in, float* out, size_t count,
                                              float scale, int32_t zero_point);

// The same for codes 0 to 255.
RA8_NODISCARD ra8_err_t ra8_npu_dequantize_u8(const uint8_t* in, float* out, size_t count,
                                              float scale, int32_t zero_point);

#ifdef __cplusplus
}
#endif

#endif  // RA8_NPU_QUANT_H
