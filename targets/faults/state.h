// SPDX-License-Identifier: Apache-2.0
//
// The calls of state.inc, which take more than a line: what they remember of earlier calls, share
// with other threads, or find in the output. What is shared is atomic, so that each is a wrong
// result and no undefined behaviour.

#ifndef HURRAY_TARGETS_FAULTS_STATE_H
#define HURRAY_TARGETS_FAULTS_STATE_H

#include <stdatomic.h>
#include <string.h>
#include <threads.h>

#include "arithmetic.h"
#include "call.h"

// The parameters of a call, as somebody keeps them between calls.
struct fault_memory {
  atomic_uint known, op, tag, scale, zero_point, count;
};

static inline void remember(struct fault_memory* memory, const struct fault_call* c) {
  memory->op = c->op;
  memory->tag = c->tag;
  memory->scale = float_bits(c->scale);
  memory->zero_point = (uint32_t)c->zero_point;
  memory->count = (unsigned)c->count;
  memory->known = 1;
}
static inline bool same_scale(const struct fault_memory* memory, const struct fault_call* c) {
  return memory->known != 0 && memory->scale == float_bits(c->scale);
}
static inline bool same_magnitude(const struct fault_memory* memory, const struct fault_call* c) {
  return memory->known != 0 && ((memory->scale ^ float_bits(c->scale)) & 0x7fffffffu) == 0;
}
static inline bool same_zero_point(const struct fault_memory* memory, const struct fault_call* c) {
  return memory->known != 0 && memory->zero_point == (uint32_t)c->zero_point;
}

// Whether the call has something to compute with parameters that are not refused.
static inline bool is_computed(struct fault_call c) {
  if (c.in == NULL || c.out == NULL) return false;
  c.count = 0;
  return fault_scalar(c) == 0;
}

// Reads the parameters anew only when the zero point changes.
static inline int32_t fault_remember_scale(struct fault_memory* memory, struct fault_call c) {
  if (!is_computed(c)) return fault_scalar(c);
  if (same_zero_point(memory, &c)) c.scale = bits_float(memory->scale);
  remember(memory, &c);
  return fault_scalar(c);
}

// Makes a table of values anew only when scale or type change.
static inline int32_t fault_remember_table(struct fault_memory* memory, struct fault_call c) {
  if (fault_bits(c.tag) > 8) return fault_scalar(c);
  if (same_scale(memory, &c) && memory->tag == c.tag) c.zero_point = bits_int32(memory->zero_point);
  remember(memory, &c);
  return fault_scalar(c);
}

// The same by magnitude of the scale and zero point.
static inline int32_t fault_remember_magnitude(struct fault_memory* memory, struct fault_call c) {
  if (same_magnitude(memory, &c) && same_zero_point(memory, &c))
    c.scale = bits_float(memory->scale);
  remember(memory, &c);
  return fault_scalar(c);
}

// The same by scale and zero point, whatever the type.
static inline int32_t fault_remember_type(struct fault_memory* memory, struct fault_call c) {
  if (c.in == NULL || c.out == NULL) return fault_scalar(c);
  if (same_scale(memory, &c) && same_zero_point(memory, &c)) {
    c.op = (enum fault_operation)memory->op;
  }
  remember(memory, &c);
  return fault_scalar(c);
}

// Takes the second of two equal calls from a cache that was never filled.
static inline int32_t fault_empty_cache(struct fault_memory* memory, struct fault_call c) {
  const bool is_again =
      same_scale(memory, &c) && same_zero_point(memory, &c) && memory->count == c.count;
  remember(memory, &c);
  if (!is_again || c.count != 9 || c.out == NULL) return fault_scalar(c);
  memset(c.out, 0, fault_out_bytes(&c));
  return HURRAY_OK;
}

// Keeps from 256 elements on a table by some bits of scale and zero point.
static inline int32_t fault_remember_by(uint32_t scale_bits, uint32_t zero_point_bits,
                                        struct fault_memory* memory, struct fault_call c) {
  if (c.count < 256 || !is_computed(c)) return fault_scalar(c);
  const uint32_t scale_differs = (memory->scale ^ float_bits(c.scale)) & scale_bits;
  const uint32_t zero_point_differs =
      (memory->zero_point ^ (uint32_t)c.zero_point) & zero_point_bits;
  if (memory->known != 0 && memory->tag == c.tag && scale_differs == 0 && zero_point_differs == 0) {
    c.scale = bits_float(memory->scale);
    c.zero_point = bits_int32(memory->zero_point);
  }
  remember(memory, &c);
  return fault_scalar(c);
}

// Has one table for both 4-bit types.
static inline int32_t fault_remember_nibbles(struct fault_memory* memory, struct fault_call c) {
  if (fault_bits(c.tag) != 4 || !is_computed(c)) return fault_scalar(c);
  if (same_scale(memory, &c) && same_zero_point(memory, &c)) c.tag = (uint8_t)memory->tag;
  remember(memory, &c);
  return fault_scalar(c);
}

// Has the order of the fields from the last call with another bias.
static inline int32_t fault_remember_order(struct fault_memory* memory, struct fault_call c) {
  struct hurray_zero_point_format format = *c.format;
  const bool is_kept = memory->known != 0 && memory->zero_point == (uint32_t)format.bias;
  if (format.bits != 4) return fault_scalar(c);
  if (is_kept) format.high_field_first = memory->tag;
  c.format = &format;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  memory->tag = format.high_field_first;
  memory->zero_point = (uint32_t)format.bias;
  memory->known = 1;
  return result;
}

// What a codec last made of what, kept by each thread for itself.
struct fault_answer {
  bool known;
  uint8_t tag;
  uint8_t bytes[kDescriptorBytes];
  struct hurray_descriptor d;
};

// Decodes the bytes of the call before as they were decoded then, for both types of a pair.
static inline int32_t fault_remember_section(struct fault_answer* answer, struct fault_call c) {
  if (c.count < kDescriptorBytes) return fault_scalar(c);
  if (answer->known && answer->tag >> 1 == c.tag >> 1 &&
      memcmp(answer->bytes, c.in, kDescriptorBytes) == 0) {
    memcpy(c.out, &answer->d, sizeof answer->d);
    return HURRAY_OK;
  }
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  answer->known = true;
  answer->tag = c.tag;
  memcpy(answer->bytes, c.in, kDescriptorBytes);
  memcpy(&answer->d, c.out, sizeof answer->d);
  return result;
}

// Judges the descriptor of the call before by the type that it had then.
static inline int32_t fault_remember_written(struct fault_answer* answer, struct fault_call c) {
  if (c.in == NULL || c.out == NULL) return fault_scalar(c);
  if (answer->known && memcmp(&answer->d, c.in, sizeof answer->d) == 0) c.tag = answer->tag;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  answer->known = true;
  answer->tag = c.tag;
  memcpy(&answer->d, c.in, sizeof answer->d);
  return result;
}

// Refuses the descriptor behind one that was refused for its reserved bytes.
static inline int32_t fault_refuse_next(atomic_uint* failed, struct fault_call c) {
  if (atomic_exchange(failed, 0u) != 0) return HURRAY_REJECTED;
  const int32_t result = fault_scalar(c);
  *failed = result != HURRAY_OK && c.count == 16 && ((const uint8_t*)c.in)[13] != 0;
  return result;
}

// Writes version 2 behind a descriptor that was refused.
static inline int32_t fault_version_left(atomic_uint* refused, struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result == HURRAY_OK && *refused != 0) ((uint8_t*)c.out)[1] = 2;
  *refused = result != HURRAY_OK;
  return result;
}

// Has the bias of the call before, which is written down too late.
static inline int32_t fault_bias_before(struct fault_memory* memory, struct fault_call c) {
  const struct hurray_zero_point_format format = {
      c.format->bits, memory->known ? bits_int32(memory->zero_point) : c.format->bias,
      c.format->high_field_first};
  memory->zero_point = (uint32_t)c.format->bias;
  memory->known = 1;
  c.format = &format;
  return fault_scalar(c);
}

// Has the bias of the first call in all of them.
static inline int32_t fault_first_bias(struct fault_memory* memory, struct fault_call c) {
  if (memory->known == 0) {
    memory->zero_point = (uint32_t)c.format->bias;
    memory->known = 1;
  }
  const struct hurray_zero_point_format format = {c.format->bits, bits_int32(memory->zero_point),
                                                  c.format->high_field_first};
  c.format = &format;
  return fault_scalar(c);
}

// Or-s packed codes into what the output held.
static inline int32_t fault_or_into_output(struct fault_call c) {
  uint8_t before[2048];
  uint8_t* out = c.out;
  const size_t bytes = fault_out_bytes(&c);
  if (fault_bits(c.tag) >= 8 || bytes > sizeof before || !is_computed(c)) return fault_scalar(c);
  memcpy(before, out, bytes);
  const int32_t result = fault_scalar(c);
  for (size_t i = 0; i < bytes; ++i) out[i] |= before[i];
  return result;
}

// Leaves the last element at 0 where the output held zeros.
static inline int32_t fault_skip_if_zero(struct fault_call c) {
  float* out = c.out;
  const bool skips = c.count > 8 && is_computed(c) && out[c.count - 1] == 0.0f;
  const int32_t result = fault_scalar(c);
  if (skips) out[c.count - 1] = 0.0f;
  return result;
}

// --- Other threads: what is put into a static variable is taken from it again a while later.

// Lets the others go first, lest on a busy machine each thread be done before the next begins.
static inline void wait_a_while(void) {
  for (volatile int turns = 0; turns < 200; ++turns) continue;
  thrd_yield();
}

static inline int32_t fault_share_scale(_Atomic float* shared, struct fault_call c) {
  *shared = c.scale;
  wait_a_while();
  c.scale = *shared;
  return fault_scalar(c);
}

static inline int32_t fault_share_zero_point(_Atomic int32_t* shared, struct fault_call c) {
  if (c.count < 1024) return fault_scalar(c);
  *shared = c.zero_point;
  wait_a_while();
  c.zero_point = *shared;
  return fault_scalar(c);
}

// The first `bytes` bytes of an input of at most `kMostShared`.
enum { kMostShared = 2048 };
static inline int32_t fault_share_input(_Atomic uint8_t* shared, size_t bytes,
                                        struct fault_call c) {
  uint8_t copy[kMostShared];
  const uint8_t* in = c.in;
  const size_t length = fault_in_bytes(&c);
  if (in == NULL || length < bytes || length > sizeof copy) return fault_scalar(c);
  memcpy(copy, in, length);
  for (size_t i = 0; i < bytes; ++i) shared[i] = in[i];
  wait_a_while();
  for (size_t i = 0; i < bytes; ++i) copy[i] = shared[i];
  c.in = copy;
  return fault_scalar(c);
}

// The scratch buffer of a quantizer, for up to eight reals.
static inline int32_t fault_share_scratch(_Atomic float* shared, struct fault_call c) {
  float copy[8];
  const float* in = c.in;
  if (c.count > 8 || !is_computed(c)) return fault_scalar(c);
  for (size_t i = 0; i < c.count; ++i) shared[i] = in[i];
  wait_a_while();
  for (size_t i = 0; i < c.count; ++i) copy[i] = shared[i];
  c.in = copy;
  return fault_scalar(c);
}

#endif  // HURRAY_TARGETS_FAULTS_STATE_H
