// SPDX-License-Identifier: Apache-2.0
//
// What do the scalar target's operations on tensors share? The rules that a tensor has to obey,
// what they know about its parameter arrays, and arithmetic that cannot wrap.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_TENSOR_H
#define HURRAY_TARGETS_SCALAR_SCALAR_TENSOR_H

#include "scalar.h"
#include "scalar_elements.h"

enum { kRowMajor = 1, kColumnMajor = 2, kStrided = 3 };

// The products and sums of 64 bits; false if they do not fit.
static inline bool multiply(uint64_t a, uint64_t b, uint64_t* product) {
  *product = a * b;
  return a == 0 || b <= UINT64_MAX / a;
}

static inline bool add(uint64_t a, uint64_t b, uint64_t* sum) {
  *sum = a + b;
  return b <= UINT64_MAX - a;
}

static inline uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

// Whether a dimension is not known yet: nothing is computed from one.   [HQ-MD-012]
bool hurray_scalar_has_dynamic(const struct hurray_tensor* tensor);

// The number of elements of a tensor without dynamic dimensions; false if it exceeds 64 bits.
bool hurray_scalar_count(const struct hurray_tensor* tensor, uint64_t* count);

// What a scheme has for each channel or block, if it is one of the five.
struct hurray_scalar_arrays {
  bool has_scales;       // in the buffer scale_buffer_index
  bool has_zero_points;  // in the buffer zero_point_buffer_index
  bool is_shared;        // both in one buffer, the scales first   [A20]
  unsigned scale_bytes;  // of one
  uint64_t count;        // of entries; 0 if a dynamic dimension hides it
};

// Fills `arrays` for a tensor with an axis below its rank; false if a count exceeds 64 bits.
bool hurray_scalar_find_arrays(const struct hurray_tensor* tensor,
                               struct hurray_scalar_arrays* arrays);

// What stands in the bytes of a descriptor, whose values nobody has judged yet. `out` is untouched
// unless HURRAY_OK.
hurray_status hurray_scalar_read_tensor(uint32_t mode, const uint8_t* bytes, size_t length,
                                        struct hurray_tensor* out);

// Everything that makes a tensor valid for a strict reader, its quantization descriptor's own rules
// apart: HURRAY_OK, HURRAY_REJECTED, or HURRAY_UNSUPPORTED for a type that this target does not
// read. An unknown scheme, which only a permissive reader gets this far, has no rules.
hurray_status hurray_scalar_judge_tensor(const struct hurray_tensor* tensor);

// The part of it that the scheme adds: axis, shape and parameter buffers.
bool hurray_scalar_quantization_fits(const struct hurray_tensor* tensor);

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_TENSOR_H
