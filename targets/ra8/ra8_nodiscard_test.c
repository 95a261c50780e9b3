// SPDX-License-Identifier: Apache-2.0
//
// Does the compiler complain when a result code is dropped? This file must not compile without a
// warning per call; CTest looks for it.   [RA8-Q-023]

#include "ra8_npu_quant.h"

void ra8_nodiscard_test(const float* in, int8_t* out);
void ra8_nodiscard_test(const float* in, int8_t* out) { ra8_npu_quantize_i8(in, out, 1, 1.0f, 0); }
