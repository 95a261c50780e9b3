// SPDX-License-Identifier: Apache-2.0
//
// What rows about elements, tensors and conversion do that takes more than a line.

#ifndef HURRAY_TARGETS_FAULTS_ROW_HELPERS_H
#define HURRAY_TARGETS_FAULTS_ROW_HELPERS_H

#include <string.h>

#include "arithmetic.h"
#include "element_calls.h"
#include "tensor_calls.h"

// --- Tensors

// Where an element would lie if all strides were positive.
static inline uint64_t fault_mirrored_place(const struct fault_value* e) {
  uint64_t place = 0;
  for (uint32_t i = 0; i < e->t->rank; ++i) {
    const int64_t stride = e->t->strides[i];
    place += e->index[i] * (stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride);
  }
  return place;
}

// --- Elements

static inline uint32_t fault_element_bits(uint8_t tag) {
  const struct hurray_scalar_element* type = hurray_scalar_find_element(tag);
  return type != NULL ? type->bits : 0;
}
static inline size_t fault_element_bytes(const struct fault_call* c) {
  const struct hurray_scalar_element* type = hurray_scalar_find_element(c->tag);
  uint64_t bytes = 0;
  return type != NULL && hurray_scalar_size(type, c->count, &bytes) ? (size_t)bytes : 0;
}
static inline uint8_t fault_reversed(uint8_t byte) {
  uint32_t reversed = 0;
  for (unsigned bit = 0; bit < 8; ++bit) reversed = reversed << 1 | (byte >> bit & 1u);
  return (uint8_t)reversed;
}
// Sets the bits behind the last element.
static inline void fault_fill_tail(const struct fault_call* c) {
  const size_t bytes = fault_element_bytes(c);
  for (uint64_t at = (uint64_t)c->count * fault_element_bits(c->tag); at < 8 * bytes; ++at) {
    fault_put_pattern(c->out, bytes, at, 1, 1);
  }
}
// Leaves the last bytes of a group as they are if no element reaches them.
static inline int32_t fault_pack_shorter(struct fault_call c) {
  const size_t bytes = fault_element_bytes(&c);
  uint8_t room[1024];
  uint8_t* out = c.out;
  if (bytes > sizeof room) return fault_scalar(c);
  c.out = room;
  const int32_t result = fault_scalar(c);
  if (result == HURRAY_OK) memcpy(out, room, (c.count * 6 + 7) / 8);
  return result;
}
static inline int32_t fault_pack_ored(struct fault_call c) {
  const size_t bytes = fault_element_bytes(&c);
  uint8_t before[1024];
  uint8_t* out = c.out;
  if (bytes > sizeof before) return fault_scalar(c);
  memcpy(before, out, bytes);
  const int32_t result = fault_scalar(c);
  for (size_t i = 0; result == HURRAY_OK && i < bytes; ++i) out[i] |= before[i];
  return result;
}
static inline int32_t fault_widen_replacing(uint8_t byte, uint8_t by, struct fault_call c) {
  uint8_t copy[1024];
  if (c.in == NULL || c.count > sizeof copy) return fault_scalar(c);
  memcpy(copy, c.in, c.count);
  for (size_t i = 0; i < c.count; ++i) copy[i] = copy[i] == byte ? by : copy[i];
  c.in = copy;
  return fault_scalar(c);
}

// --- Tensors

static inline bool fault_is_quantized(const struct hurray_tensor* t) {
  return (t->flags & HURRAY_HAS_QUANTIZATION) != 0;
}
static inline bool fault_has_scheme(const struct hurray_tensor* t, uint8_t scheme) {
  return fault_is_quantized(t) && t->quantization.scheme_tag == scheme;
}
static inline bool fault_is_empty(const struct hurray_tensor* t) {
  for (uint32_t i = 0; i < t->rank; ++i) {
    if (t->shape[i] == 0) return true;
  }
  return false;
}
static inline bool fault_axis_is_dynamic(const struct hurray_tensor* t) {
  const struct hurray_descriptor* q = &t->quantization;
  return fault_is_quantized(t) && q->scheme_tag != 1 && q->axis < t->rank &&
         q->axis < HURRAY_MOST_RANK && t->shape[q->axis] == HURRAY_DYNAMIC;
}
// Nothing of the quantization is left to be judged.
static inline void fault_unquantize(struct hurray_tensor* t) {
  t->flags &= ~(uint32_t)HURRAY_HAS_QUANTIZATION;
  t->buffer_count = 1;
}
// Gives the buffer of the scales, or of the zero points, the size that it ought to have, if it is
// `longer` or `shorter`.
static inline void fault_fit(struct hurray_tensor* t, int zero_points, bool longer, bool shorter) {
  const struct hurray_descriptor* q = &t->quantization;
  struct hurray_scalar_arrays arrays;
  if (t->rank > HURRAY_MOST_RANK || t->buffer_count > HURRAY_MOST_BUFFERS) return;
  if (q->axis >= t->rank || (q->block_size == 0 && q->scheme_tag != 2)) return;
  if (!hurray_scalar_find_arrays(t, &arrays)) return;
  const uint32_t index = zero_points ? q->zero_point_buffer_index : q->scale_buffer_index;
  if (index >= t->buffer_count || arrays.is_shared) return;
  uint64_t* size = &t->buffers[index].byte_size;
  const uint64_t right = arrays.count * (zero_points ? 4 : arrays.scale_bytes);
  if ((*size > right && longer) || (*size < right && shorter)) *size = right;
}
// The low bits of the number of elements.
static inline uint64_t fault_low_product(const struct hurray_tensor* t, unsigned bits) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < t->rank; ++i) product *= t->shape[i];
  return bits == 64 ? product : product & ((UINT64_C(1) << bits) - 1);
}
static inline void fault_round_axis(struct hurray_tensor* t) {
  uint64_t* size = &t->shape[t->quantization.axis];
  const uint64_t block = t->quantization.block_size;
  if (block != 0 && *size % block != 0 && *size < UINT64_MAX - block)
    *size += block - *size % block;
}
// An axis ends with its last whole block if there are parameters for no more.
static inline void fault_drop_partial(struct hurray_tensor* t, uint8_t scheme) {
  const struct hurray_descriptor* q = &t->quantization;
  if (!fault_has_scheme(t, scheme) || t->rank != 1 || q->block_size == 0) return;
  const uint64_t whole = t->shape[0] / q->block_size;
  if (t->buffers[1].byte_size == 4 * whole) t->shape[0] = whole * q->block_size;
}
// Leaves the buffers that the indices name.
static inline void fault_drop_buffers(struct hurray_tensor* t) {
  const struct hurray_descriptor* q = &t->quantization;
  uint32_t most = q->scheme_tag == 1 ? 0 : q->scale_buffer_index;
  if ((q->scheme_tag == 2 || q->scheme_tag == 3) && (q->flags & 1) == 0 &&
      q->zero_point_buffer_index > most) {
    most = q->zero_point_buffer_index;
  }
  if (most + 1 < t->buffer_count) t->buffer_count = most + 1;
}
// The bytes of the fields that are known.
static inline size_t fault_section_bytes(uint8_t scheme) {
  return scheme == 2 ? 20 : scheme == 3 ? 24 : 16;
}
// Takes the shard from another place, as far as there are bytes.
static inline void fault_read_shard(struct hurray_tensor* t, const struct fault_tensor_bytes* v,
                                    size_t at) {
  for (uint32_t i = 0; i < 2 * t->rank && at + 8 * i + 8 <= v->length; ++i) {
    (i < t->rank ? t->parent_shape + i : t->shard_offset + i - t->rank)[0] =
        load_le64(v->b + at + 8 * i);
  }
}
static inline bool fault_steps_over(const struct fault_call* c) {
  const struct hurray_tensor* t = c->in;
  return t != NULL && c->buffers != NULL && c->buffers->count > 0 && fault_is_quantized(t) &&
         t->quantization.scheme_tag > 5;
}
static inline void fault_as_float32(struct fault_tensor_bytes* v) {
  if (hurray_scalar_find_element(v->b[14]) == NULL) v->b[14] = 0x03;
}
static inline void fault_as_bytes(struct fault_tensor_bytes* v) {
  if (hurray_scalar_find_element(v->b[14]) == NULL) v->b[14] = 0x11;
}
// The product, rounded toward zero.
static inline float fault_truncated(float a, float b) {
  const double exact = (double)a * (double)b;
  const float rounded = (float)exact;
  const bool is_beyond = exact < 0 ? (double)rounded < exact : (double)rounded > exact;
  return is_beyond ? bits_float(float_bits(rounded) - 1) : rounded;
}
// The index over the dimensions beside the axis, the first of them fastest.
static inline uint64_t fault_outer_reversed(const struct fault_value* e) {
  uint64_t outer = 0, step = 1;
  for (uint32_t i = 0; i < e->t->rank; ++i) {
    if (i == e->q->axis) continue;
    outer += e->index[i] * step;
    step *= e->t->shape[i];
  }
  return outer;
}
// --- Conversion

// The quantization behind three handles, or NULL.
static inline uint8_t* fault_section_of(const struct hurray_converted_tensor* out) {
  const uint32_t rank = out->descriptor_bytes >= 20 ? load_le32(out->descriptor + 16) : 65;
  const size_t at = 20 + 8 * (size_t)(rank < 65 ? rank : 0) + 9 + 48 + 4;
  return rank < 65 && at + 24 <= out->descriptor_bytes ? out->descriptor + at : NULL;
}
static inline void fault_sizes_in_elements(const struct hurray_converted_tensor* out) {
  uint8_t* section = fault_section_of(out);
  if (section == NULL) return;
  for (size_t i = 1; i < 3; ++i) {
    uint8_t* handle = section - 4 - 48 + 16 * i;
    store_le32(handle, load_le32(handle) / 4);
  }
}
static inline bool fault_is_sorted(const struct hurray_foreign_tensor* f) {
  for (uint64_t i = 1; f->axis < f->rank && i < f->shape[f->axis]; ++i) {
    if (f->group_index[i] < f->group_index[i - 1]) return false;
  }
  return true;
}

// A reader that lets something pass: what it tells is the header alone.
static inline int32_t fault_passed(struct fault_call c) {
  const uint8_t* in = c.in;
  struct hurray_tensor* out = c.out;
  if (c.op != kDecodeTensor || in == NULL || out == NULL || c.count < 20) return HURRAY_REJECTED;
  memset(out, 0, sizeof *out);
  out->descriptor_length = load_le32(in + 6);
  out->version_major = 1;
  out->type_tag = in[14];
  out->layout_tag = in[15];
  out->buffer_count = 1;
  return HURRAY_OK;
}

#endif  // HURRAY_TARGETS_FAULTS_ROW_HELPERS_H
