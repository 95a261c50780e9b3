// SPDX-License-Identifier: Apache-2.0
//
// Does the compiler complain when a result code is dropped? This file must not compile without a
// warning for each of the four calls; CTest counts them.   [RA8-Q-023]

#include "ra8_npu_quant.h"

void ra8_nodiscard_test(const float* real, float* real_out, int8_t* i8, uint8_t* u8);
void ra8_nodiscard_test(const float* real, float* real_out, int8_t* i8, uint8_t* u8) {
  ra8_npu_quantize_i8(real, i8, 1, 1.0f, 0);
  ra8_npu_quantize_u8(real, u8, 1, 1.0f, 0);
  ra8_npu_dequantize_i8(i8, real_out, 1, 1.0f, 0);
  ra8_npu_dequantize_u8(u8, real_out, 1, 1.0f, 0);
}
