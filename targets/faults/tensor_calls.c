// SPDX-License-Identifier: Apache-2.0
//
// Calls about tensors, see tensor_calls.h.

#include "tensor_calls.h"

#include <string.h>

#include "element_calls.h"
#include "scalar/scalar_dequantize.h"

enum { kFixed = 20, kHandle = 16, kStatistics = 72, kExtension = 20, kMember = 16 };

// The place of the next `bytes` bytes, if they are there.
static size_t take(size_t* at, size_t end, uint64_t bytes) {
  const size_t first = *at;
  if (first == 0 || bytes > end - first) {
    *at = 0;
    return 0;
  }
  *at += (size_t)bytes;
  return first;
}

static void locate(struct fault_tensor_bytes* v) {
  if (v->length < kFixed) return;
  const uint32_t stated = load_le32(v->b + 6), flags = load_le32(v->b + 10);
  const size_t end = stated < v->length ? stated : v->length;
  v->rank = load_le32(v->b + 16);
  if (v->rank > HURRAY_MOST_RANK || end < kFixed) return;
  const uint64_t words = 8 * (uint64_t)v->rank;
  size_t at = kFixed;
  v->shape = take(&at, end, words);
  v->byte_offset = take(&at, end, 8);
  if (v->b[15] == kStrided) v->strides = take(&at, end, words);
  const size_t count = take(&at, end, 1);
  if (count == 0) return;
  v->buffer_count = v->b[count];
  v->handles = take(&at, end, kHandle * (uint64_t)v->buffer_count);
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0) {
    v->section_length = take(&at, end, 4);
    if (v->section_length == 0) return;
    v->section = take(&at, end, load_le32(v->b + v->section_length));
  }
  if ((flags & HURRAY_HAS_SHARD) != 0) v->shard = take(&at, end, 2 * words);
  if ((flags & HURRAY_HAS_STATISTICS) != 0) v->statistics = take(&at, end, kStatistics);
  if ((flags & HURRAY_HAS_EXTENSION_TYPE) != 0) v->extension = take(&at, end, kExtension);
  if ((flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) v->member = take(&at, end, kMember);
  v->end = at;
}

// False if there is nothing to copy, or too much.
static bool copy_bytes(struct fault_tensor_bytes* v, const void* bytes, size_t length) {
  if (bytes == NULL || length > kMostTensorBytes) return false;
  v->length = length;
  if (length != 0) memcpy(v->b, bytes, length);
  locate(v);
  return true;
}

void fault_shift(struct fault_tensor_bytes* v, size_t at, ptrdiff_t bytes) {
  const size_t by = (size_t)(bytes < 0 ? -bytes : bytes);
  if (at > v->length || by > kTensorRoom - kMostTensorBytes) return;
  if (bytes < 0 && by > v->length - at) return;
  if (bytes >= 0) {
    memmove(v->b + at + by, v->b + at, v->length - at);
    memset(v->b + at, 0, by);
    v->length += by;
  } else {
    memmove(v->b + at, v->b + at + by, v->length - at - by);
    v->length -= by;
  }
  store_le32(v->b + 6, load_le32(v->b + 6) + (uint32_t)((uint64_t)bytes & 0xffffffffu));
}

static size_t length_in_room(const struct fault_tensor_bytes* v) {
  return v->length < kTensorRoom ? v->length : kTensorRoom;
}

int32_t fault_tensor_seeing(void (*seen)(struct fault_tensor_bytes*), struct fault_call c) {
  struct fault_tensor_bytes v = {.mode = c.mode};
  if (!copy_bytes(&v, c.in, c.count)) return fault_scalar(c);
  seen(&v);
  return hurray_scalar_decode_tensor(v.mode, v.b, length_in_room(&v), c.out);
}

int32_t fault_tensor_judging(void (*judged)(struct hurray_tensor*), struct fault_call c) {
  struct hurray_tensor read, seen;
  int32_t result = hurray_scalar_read_tensor(c.mode, c.in, c.count, &read);
  if (result != HURRAY_OK || c.out == NULL) return fault_scalar(c);
  seen = read;
  judged(&seen);
  result = hurray_scalar_judge_tensor(&seen);
  if (result == HURRAY_OK) memcpy(c.out, &read, sizeof read);
  return result;
}

int32_t fault_tensor_telling(void (*told)(const struct fault_tensor_bytes*, struct hurray_tensor*),
                             struct fault_call c) {
  struct fault_tensor_bytes v = {.mode = c.mode};
  const int32_t result = fault_scalar(c);
  if (result == HURRAY_OK && copy_bytes(&v, c.in, c.count)) told(&v, c.out);
  return result;
}

int32_t fault_tensor_refusing(bool (*when)(const struct hurray_tensor*), struct fault_call c) {
  if (c.op != kDecodeTensor) {
    return c.in != NULL && when(c.in) ? HURRAY_REJECTED : fault_scalar(c);
  }
  struct hurray_tensor read;
  const int32_t result = hurray_scalar_decode_tensor(c.mode, c.in, c.count, &read);
  if (result != HURRAY_OK || c.out == NULL) return fault_scalar(c);
  if (when(&read)) return HURRAY_REJECTED;
  memcpy(c.out, &read, sizeof read);
  return result;
}

int32_t fault_tensor_writing(void (*seen)(struct hurray_tensor*), struct fault_call c) {
  struct hurray_tensor t;
  if (c.in == NULL) return fault_scalar(c);
  memcpy(&t, c.in, sizeof t);
  seen(&t);
  c.in = &t;
  return fault_scalar(c);
}

int32_t fault_tensor_spelling(void (*spelled)(struct fault_tensor_bytes*), struct fault_call c) {
  struct fault_tensor_bytes v = {.mode = HURRAY_MODE_STRICT};
  uint8_t room[kMostTensorBytes];
  size_t length;
  if (c.out == NULL || c.written == NULL || c.count > sizeof room) return fault_scalar(c);
  struct fault_call inside = c;
  inside.out = room;
  inside.written = &length;
  const int32_t result = fault_scalar(inside);
  if (result != HURRAY_OK || !copy_bytes(&v, room, length)) return result;
  spelled(&v);
  length = length_in_room(&v);
  if (length > c.count) return HURRAY_REJECTED;
  memcpy(c.out, v.b, length);
  *c.written = length;
  return result;
}

uint8_t* fault_own(struct fault_handed* v, uint32_t index) {
  if (index >= v->buffers.count || v->bytes[index] == NULL) return NULL;
  const uint64_t size = v->byte_sizes[index];
  if (size > kPoolBytes - v->used) return NULL;
  uint8_t* own = v->pool + v->used;
  memcpy(own, v->bytes[index], (size_t)size);
  v->used += (size_t)size;
  v->bytes[index] = own;
  return own;
}

int32_t fault_tensor_handing(void (*edited)(struct fault_handed*), struct fault_call c) {
  if (c.in == NULL || c.buffers == NULL || c.buffers->count > kMostHanded) return fault_scalar(c);
  struct fault_handed v;
  memcpy(&v.t, c.in, sizeof v.t);
  v.mode = c.mode;
  v.count = c.count;
  v.used = 0;
  for (uint32_t i = 0; i < c.buffers->count; ++i) {
    v.bytes[i] = c.buffers->bytes[i];
    v.byte_sizes[i] = c.buffers->byte_sizes[i];
  }
  v.buffers = (struct hurray_tensor_buffers){c.buffers->count, v.bytes, v.byte_sizes};
  edited(&v);
  return hurray_scalar_dequantize_tensor(v.mode, &v.t, &v.buffers, c.out, v.count);
}

// --- Values

static const uint8_t* buffer_of(const struct fault_value* e, uint32_t index, size_t* bytes) {
  *bytes = index < e->buffers->count ? (size_t)e->buffers->byte_sizes[index] : 0;
  return *bytes != 0 ? e->buffers->bytes[index] : NULL;
}

float fault_scale_at(const struct fault_value* e, uint64_t i) {
  size_t bytes;
  const uint8_t* scales = buffer_of(e, e->q->scale_buffer_index, &bytes);
  if (!e->arrays.has_scales || e->arrays.count == 0 || scales == NULL) return e->scale;
  i %= e->arrays.count;
  if (e->scheme == 5) return bits_float((uint32_t)scales[i] << 23);
  return hurray_scalar_load_scale(scales, e->scheme == 4 ? 3 : e->q->scale_type_tag, i);
}

int64_t fault_zero_point_at(const struct fault_value* e, uint64_t i) {
  size_t bytes;
  const uint8_t* points = buffer_of(e, e->q->zero_point_buffer_index, &bytes);
  if (!e->arrays.has_zero_points || e->arrays.count == 0 || points == NULL) return e->zero_point;
  if (e->arrays.is_shared) points += e->arrays.count * e->arrays.scale_bytes;
  return bits_int32(load_le32(points + 4 * (i % e->arrays.count)));
}

uint64_t fault_pattern_at(const struct fault_value* e, uint64_t place) {
  size_t bytes;
  const uint8_t* data = buffer_of(e, 0, &bytes);
  const uint32_t bits = e->type->bits;
  // A place before byte_offset is negative, and the sum is not.
  const uint64_t at = 8 * e->t->byte_offset + place * bits;
  return data == NULL || at > 8 * (uint64_t)bytes ? 0 : fault_pattern(data, bytes, at, bits);
}

float fault_nf4_level(uint64_t code) {
  static const float levels[16] = {
      -1.0f,           -0x1.647362p-1f, -0x1.0cd66p-1f,  -0x1.94654p-2f,
      -0x1.23449ap-2f, -0x1.7a6a7ep-3f, -0x1.74f0e2p-4f, 0.0f,
      0x1.45f5fep-4f,  0x1.4995c6p-3f,  0x1.f809bap-3f,  0x1.5a0674p-2f,
      0x1.c34970p-2f,  0x1.200f56p-1f,  0x1.722766p-1f,  1.0f};
  return levels[code & 15];
}

float fault_computed(const struct fault_value* e, uint64_t pattern, float scale,
                     int64_t zero_point) {
  switch (e->scheme) {
    case 0:
      return hurray_scalar_value(e->type, pattern);
    case 4:
      return scale * fault_nf4_level(pattern);
    case 5:
      return scale * hurray_scalar_value(e->type, pattern);
    default:
      return scale * (float)(hurray_scalar_integer(e->type, pattern) - zero_point);
  }
}

static void find_element(struct fault_value* e) {
  const struct hurray_tensor* t = e->t;
  uint64_t rest = e->n, place = 0, step = 1;
  for (uint32_t i = t->rank; i-- > 0; rest /= t->shape[i]) e->index[i] = rest % t->shape[i];
  for (uint32_t i = 0; i < t->rank; ++i) {
    place += e->index[i] * (t->layout_tag == kStrided ? (uint64_t)t->strides[i] : step);
    step *= t->shape[i];
  }
  e->place = t->layout_tag == kRowMajor ? e->n : place;
  e->pattern = fault_pattern_at(e, e->place);
  if (!e->arrays.has_scales) return;
  e->along = e->n / e->inner % e->axis_elements;
  e->outer = e->n / (e->inner * e->axis_elements) * e->inner + e->n % e->inner;
  e->at = e->scheme == 2 ? e->along : e->outer * e->blocks + e->along / e->q->block_size;
  e->scale = fault_scale_at(e, e->at);
  e->zero_point = fault_zero_point_at(e, e->at);
}

int32_t fault_values_by(float (*rule)(const struct fault_value*), struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK || c.count == 0) return result;
  const struct hurray_tensor* t = c.in;
  struct fault_value e = {.t = t,
                          .q = &t->quantization,
                          .type = hurray_scalar_find_element(t->type_tag),
                          .buffers = c.buffers,
                          .count = c.count,
                          .inner = 1};
  if ((t->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    e.scheme = e.q->scheme_tag;
    hurray_scalar_find_arrays(t, &e.arrays);
    if (e.scheme == 1) {
      e.scale = e.q->scale;
      e.zero_point = e.q->zero_point;
    }
  }
  if (e.arrays.has_scales) {
    e.axis_elements = t->shape[e.q->axis];
    for (uint32_t i = e.q->axis + 1; i < t->rank; ++i) e.inner *= t->shape[i];
    e.blocks = e.scheme == 2 ? e.axis_elements : divide_up(e.axis_elements, e.q->block_size);
  }
  float* out = c.out;
  for (; e.n < c.count; ++e.n) {
    find_element(&e);
    e.right = out[e.n];
    out[e.n] = rule(&e);
  }
  return result;
}
