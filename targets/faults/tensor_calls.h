// SPDX-License-Identifier: Apache-2.0
//
// Calls about tensors that are scalar's but for one rule: what a reader sees of the bytes, what its
// rules see, what it tells; what a writer sees and spells; and the value of one element.

#ifndef HURRAY_TARGETS_FAULTS_TENSOR_CALLS_H
#define HURRAY_TARGETS_FAULTS_TENSOR_CALLS_H

#include "call.h"
#include "scalar/scalar_bits.h"
#include "scalar/scalar_tensor.h"

// A descriptor in a copy, and where its parts begin; 0 for a part that it does not have or that its
// length cuts. Behind the copy there is room for what a rule inserts.
enum { kMostTensorBytes = 8192, kTensorRoom = 8448 };
struct fault_tensor_bytes {
  uint32_t mode;
  size_t length;  // all that the caller gave, which may be more than the descriptor
  uint32_t rank, buffer_count;
  size_t shape, byte_offset, strides, handles, section_length, section, shard, statistics,
      extension, member, end;
  uint8_t b[kTensorRoom];
};
// Moves what begins at `at` by `bytes` toward the end, or toward the start if negative, and
// corrects descriptor_length.
void fault_shift(struct fault_tensor_bytes* v, size_t at, ptrdiff_t bytes);

// `seen` edits the bytes before scalar reads them.
int32_t fault_tensor_seeing(void (*seen)(struct fault_tensor_bytes*), struct fault_call call);
// `judged` edits what the rules of scalar's reader see; what is told is the tensor as it was.
int32_t fault_tensor_judging(void (*judged)(struct hurray_tensor*), struct fault_call call);
// `told` edits what scalar told of the bytes.
int32_t fault_tensor_telling(void (*told)(const struct fault_tensor_bytes*, struct hurray_tensor*),
                             struct fault_call call);
// Refuses a valid tensor `when` says so, of any of the three operations.
int32_t fault_tensor_refusing(bool (*when)(const struct hurray_tensor*), struct fault_call call);

// `seen` edits the tensor before scalar writes it; `spelled` edits the bytes.
int32_t fault_tensor_writing(void (*seen)(struct hurray_tensor*), struct fault_call call);
int32_t fault_tensor_spelling(void (*spelled)(struct fault_tensor_bytes*), struct fault_call call);

// What dequantize_tensor is handed, to edit; fault_own gives a copy of a buffer, or NULL if there
// is none or it is too large.
enum { kMostHanded = 8, kPoolBytes = 49152 };
struct fault_handed {
  struct hurray_tensor t;
  uint32_t mode;
  size_t count;
  struct hurray_tensor_buffers buffers;
  const uint8_t* bytes[kMostHanded];
  uint64_t byte_sizes[kMostHanded];
  size_t used;
  uint8_t pool[kPoolBytes];
};
uint8_t* fault_own(struct fault_handed* v, uint32_t index);
int32_t fault_tensor_handing(void (*edited)(struct fault_handed*), struct fault_call call);

// One element of a tensor, as rules see it.
struct fault_value {
  const struct hurray_tensor* t;
  const struct hurray_descriptor* q;
  const struct hurray_scalar_element* type;
  const struct hurray_tensor_buffers* buffers;
  struct hurray_scalar_arrays arrays;
  uint8_t scheme;                    // 0: not quantized
  uint64_t n, count;                 // in row-major order
  uint64_t place;                    // in the data, in elements
  uint64_t along, axis_elements;     // the index along the axis
  uint64_t inner, outer;             // elements behind the axis; row-major index over the others
  uint64_t blocks, at;               // along the axis; the place of scale and zero point
  uint64_t index[HURRAY_MOST_RANK];  // of all dimensions
  float scale;
  int64_t zero_point;
  uint64_t pattern;
  float right;
};
// Of an entry or a place, modulo how many there are; 0 beyond the buffer.
float fault_scale_at(const struct fault_value* e, uint64_t i);
int64_t fault_zero_point_at(const struct fault_value* e, uint64_t i);
uint64_t fault_pattern_at(const struct fault_value* e, uint64_t place);
// What comes of a pattern with a scale and zero point by the rule of the tensor's scheme.
float fault_computed(const struct fault_value* e, uint64_t pattern, float scale,
                     int64_t zero_point);
float fault_nf4_level(uint64_t code);

int32_t fault_values_by(float (*rule)(const struct fault_value*), struct fault_call call);

#endif  // HURRAY_TARGETS_FAULTS_TENSOR_CALLS_H
