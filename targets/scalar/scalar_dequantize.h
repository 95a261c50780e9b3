// SPDX-License-Identifier: Apache-2.0
//
// Which scales may an affine scheme have, and how are they read from an array? For the dequantizer
// and the converter.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H
#define HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H

#include <stdbool.h>
#include <stdint.h>

// The scale at `index` of an array of float16, bfloat16 or float32, widened exactly. [HQ-PBA-027]
float hurray_scalar_load_scale(const uint8_t* scales, uint8_t scale_type_tag, uint64_t index);

// Finite and not zero, whatever the floating-point unit makes of subnormals.   [HQ-PBA-028]
bool hurray_scalar_is_affine_scale(float scale);

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H
