// SPDX-License-Identifier: Apache-2.0
//
// The firmware functions as a target: contract ra8 and nothing else. A firmware whose header
// matches can be judged with this file alone, unchanged, linked to its own ra8_npu_quant.c.

#include "hurray_target.h"
#include "ra8_npu_quant.h"

static const struct hurray_ra8_functions kFunctions = {
    .quantize_i8 = ra8_npu_quantize_i8,
    .dequantize_i8 = ra8_npu_dequantize_i8,
    .quantize_u8 = ra8_npu_quantize_u8,
    .dequantize_u8 = ra8_npu_dequantize_u8,
};

const struct hurray_target HURRAY_TARGET_SYMBOL = {
    .struct_bytes = sizeof(struct hurray_target),
    .abi = HURRAY_TARGET_ABI,
    .name = "ra8-c",
    .version = "1",
    .contracts = HURRAY_CONTRACT_RA8,
    .ra8 = &kFunctions,
};
