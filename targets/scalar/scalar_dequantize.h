// SPDX-License-Identifier: Apache-2.0
//
// What does whoever computes the values of a tensor need? All checks, done once; then the scale and
// the zero point of an element, or its value. And which scales an affine scheme may have, for the
// converter too.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H
#define HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "scalar_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// The scale at `index` of an array of float16, bfloat16 or float32, widened exactly. [HQ-PBA-027]
float hurray_scalar_load_scale(const uint8_t* scales, uint8_t scale_type_tag, uint64_t index);

// Finite and not zero, whatever the floating-point unit makes of subnormals.   [HQ-PBA-028]
bool hurray_scalar_is_affine_scale(float scale);

// Everything that stays the same from element to element.
struct hurray_scalar_dequantizer {
  const struct hurray_tensor* tensor;
  const struct hurray_scalar_element* element;
  const uint8_t* data;
  const uint8_t* scales;
  const uint8_t* zero_points;  // NULL if there are none
  struct hurray_scalar_arrays arrays;
  uint8_t scheme;          // 0 if the tensor is not quantized
  uint64_t axis_elements;  // along the axis
  uint64_t inner;          // elements from one index along the axis to the next
};

// HURRAY_OK if `count` elements can be computed: after that, nothing else can fail.
hurray_status hurray_scalar_prepare_values(uint32_t mode, const struct hurray_tensor* tensor,
                                           const struct hurray_tensor_buffers* buffers,
                                           size_t count, struct hurray_scalar_dequantizer* d);

// Which scale and zero point belong to logical index `n`.   [HQ-PCA-022, HQ-PBA-020]
uint64_t hurray_scalar_find_parameters(const struct hurray_scalar_dequantizer* d, uint64_t n);
float hurray_scalar_scale_at(const struct hurray_scalar_dequantizer* d, uint64_t parameters);
int32_t hurray_scalar_zero_point_at(const struct hurray_scalar_dequantizer* d, uint64_t parameters);

// The value at logical index `n`.
float hurray_scalar_value_at(const struct hurray_scalar_dequantizer* d, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_DEQUANTIZE_H
