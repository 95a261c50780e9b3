// SPDX-License-Identifier: Apache-2.0
//
// Is ra8_npu_quant.h, alone and first in a C11 file, the contract that its callers compile against?
// RA8-Q-024, 025, 031, 032. Everything here is decided by the compiler.

#include "ra8_npu_quant.h"

#define HAS_TYPE(FUNCTION, TYPE) _Generic(&(FUNCTION), TYPE: 1, default: 0)
typedef ra8_err_t (*quantize_i8)(const float*, int8_t*, size_t, float, int32_t);
typedef ra8_err_t (*quantize_u8)(const float*, uint8_t*, size_t, float, int32_t);
typedef ra8_err_t (*dequantize_i8)(const int8_t*, float*, size_t, float, int32_t);
typedef ra8_err_t (*dequantize_u8)(const uint8_t*, float*, size_t, float, int32_t);

_Static_assert(HAS_TYPE(ra8_npu_quantize_i8, quantize_i8), "quantize_i8");
_Static_assert(HAS_TYPE(ra8_npu_quantize_u8, quantize_u8), "quantize_u8");
_Static_assert(HAS_TYPE(ra8_npu_dequantize_i8, dequantize_i8), "dequantize_i8");
_Static_assert(HAS_TYPE(ra8_npu_dequantize_u8, dequantize_u8), "dequantize_u8");

_Static_assert(_Generic((ra8_err_t)0, uint16_t: 1, default: 0), "result codes are uint16_t");
_Static_assert(k_ra8_ok == 0 && k_ra8_err_invalid_arg == 0x103 && k_ra8_err_null_ptr == 0x504,
               "result codes have pinned numbers");

_Static_assert(k_ra8_npu_quant_i8_min == -128 && k_ra8_npu_quant_i8_max == 127, "int8 range");
_Static_assert(k_ra8_npu_quant_u8_min == 0 && k_ra8_npu_quant_u8_max == 255, "uint8 range");
_Static_assert(sizeof(ra8_npu_quant_range_t) == sizeof(int32_t), "range type has 32 bits");

// Called from the C++ test: a C caller links to the same names.
ra8_err_t ra8_header_test_call(const float* in, int8_t* out);
ra8_err_t ra8_header_test_call(const float* in, int8_t* out) {
  return ra8_npu_quantize_i8(in, out, 1, 1.0f, 0);
}
