// SPDX-License-Identifier: Apache-2.0
//
// The firmware functions as a target that claims both contracts: ra8 as they are, hurray through
// ra8_hurray.h. ra8_target.c claims ra8 alone. Compiled with the header of whatever firmware is
// judged, hence the angle brackets: quotes would find the one beside this file.

#include <ra8_npu_quant.h>

#include "hurray_target.h"
#include "ra8_hurray.h"

// A firmware's own ra8_err_t may be an enumeration of any width: each function is called, not cast.
#define RA8_FUNCTION(NAME, IN, OUT)                                                             \
  static uint16_t NAME(const IN* in, OUT* out, size_t count, float scale, int32_t zero_point) { \
    return (uint16_t)ra8_npu_##NAME(in, out, count, scale, zero_point);                         \
  }
RA8_FUNCTION(quantize_i8, float, int8_t)
RA8_FUNCTION(dequantize_i8, int8_t, float)
RA8_FUNCTION(quantize_u8, float, uint8_t)
RA8_FUNCTION(dequantize_u8, uint8_t, float)

static const struct hurray_ra8_functions kFunctions = {
    .quantize_i8 = quantize_i8,
    .dequantize_i8 = dequantize_i8,
    .quantize_u8 = quantize_u8,
    .dequantize_u8 = dequantize_u8,
};

const struct hurray_target HURRAY_TARGET_SYMBOL = {
    .struct_bytes = sizeof(struct hurray_target),
    .abi = HURRAY_TARGET_ABI,
    .name = "ra8-firmware",
    .version = "1",
    .contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8,
    .schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE,
    .modes = HURRAY_MODE_STRICT,
    .decode_types = RA8_HURRAY_CODEC_TYPES,
    .encode_types = RA8_HURRAY_CODEC_TYPES,
    .dequantize_types = RA8_HURRAY_KERNEL_TYPES,
    .quantize_types = RA8_HURRAY_KERNEL_TYPES,
    .decode = ra8_hurray_decode,
    .encode = ra8_hurray_encode,
    .dequantize = ra8_hurray_dequantize,
    .quantize = ra8_hurray_quantize,
    .ra8 = &kFunctions,
};
