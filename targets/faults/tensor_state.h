// SPDX-License-Identifier: Apache-2.0
//
// The calls of tensor_state.inc, which take more than a line: what operations on tensors share with
// other threads, and what they write to their inputs and put back. As in state.h, what is shared is
// atomic.

#ifndef HURRAY_TARGETS_FAULTS_TENSOR_STATE_H
#define HURRAY_TARGETS_FAULTS_TENSOR_STATE_H

#include "state.h"

// Puts bytes into a static buffer and takes them out of it a while later.
static inline void pass_through(_Atomic uint8_t* shared, void* bytes, size_t length) {
  uint8_t* at = bytes;
  for (size_t i = 0; i < length; ++i) shared[i] = at[i];
  wait_a_while();
  for (size_t i = 0; i < length; ++i) at[i] = shared[i];
}

enum { kMostPassed = 1024 };

// The dimensions that a reader has found.
static inline void fault_pass_shape(_Atomic uint8_t* shared, struct hurray_tensor* t) {
  if (t->rank <= 8) pass_through(shared, t->shape, t->rank * sizeof t->shape[0]);
}
// The bytes that a writer has written.
static inline void fault_pass_written(_Atomic uint8_t* shared, const struct fault_call* c) {
  if (*c->written <= kMostPassed) pass_through(shared, c->out, *c->written);
}
// A buffer that a dequantizer takes its elements or parameters from.
static inline int32_t fault_pass_buffer(_Atomic uint8_t* shared, uint32_t index,
                                        struct fault_call c) {
  uint8_t copy[kMostPassed];
  const uint8_t* bytes[3];
  if (c.buffers->count != 3 || c.buffers->bytes[index] == NULL) return fault_scalar(c);
  const size_t length = (size_t)c.buffers->byte_sizes[index];
  if (length > sizeof copy) return fault_scalar(c);
  memcpy(bytes, c.buffers->bytes, sizeof bytes);
  memcpy(copy, bytes[index], length);
  pass_through(shared, copy, length);
  bytes[index] = copy;
  const struct hurray_tensor_buffers buffers = {3, bytes, c.buffers->byte_sizes};
  c.buffers = &buffers;
  return fault_scalar(c);
}
// The bias of a converter.
static inline int32_t fault_pass_bias(_Atomic uint8_t* shared, struct fault_call c) {
  struct hurray_foreign_tensor foreign = *(const struct hurray_foreign_tensor*)c.in;
  int32_t* bias = &foreign.zero_point_format.bias;
  pass_through(shared, bias, sizeof *bias);
  c.in = &foreign;
  return fault_scalar(c);
}

// Writes to a buffer that is to be read only, and puts back what was there.
static inline void fault_rewrite_buffer(const struct fault_call* c, uint32_t index) {
  if (c->buffers->count <= index || c->buffers->bytes[index] == NULL) return;
  fault_rewrite((void*)(uintptr_t)c->buffers->bytes[index], 0,
                (size_t)c->buffers->byte_sizes[index]);
}

#endif  // HURRAY_TARGETS_FAULTS_TENSOR_STATE_H
