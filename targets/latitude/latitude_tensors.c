// SPDX-License-Identifier: Apache-2.0
//
// Readers that forgive, other writers, and other values of tensors, see latitude_tensors.h.

#include "latitude_tensors.h"

#include <string.h>

#include "scalar/scalar_dequantize.h"
#include "scalar/scalar_schemes.h"
#include "scalar/scalar_tensor.h"

enum { kFixedBytes = 20, kExtensionBytes = 20, kMostScaleBytes = 16384 };

static void read_fields(const uint8_t* section, struct hurray_descriptor* d) {
  const struct hurray_scalar_scheme* scheme = hurray_scalar_find_scheme(section[0]);
  if (scheme != NULL) scheme->read(section + kHeaderBytes, d);
}

int32_t latitude_forgive(void (*alone)(struct fault_section*),
                         void (*in_tensor)(struct fault_tensor_bytes*), struct fault_call c) {
  const uint8_t* in = c.in;
  c.of_any_scheme = true;
  if (c.op == kDecode) return fault_decode_seeing(alone, c);
  const int32_t result = fault_tensor_seeing(in_tensor, c);
  struct hurray_tensor* t = c.out;
  if (result != HURRAY_OK) return result;
  if ((t->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    read_fields(in + latitude_sections_at(t) + 4, &t->quantization);
  }
  return result;
}

static void as_version_1(struct fault_tensor_bytes* v) {
  if (v->b[4] == 0) v->b[4] = 1;
}
int32_t latitude_read_major_0(struct fault_call c) {
  const int32_t result = fault_tensor_seeing(as_version_1, c);
  struct hurray_tensor* t = c.out;
  if (result == HURRAY_OK) t->version_major = ((const uint8_t*)c.in)[4];
  return result;
}

int32_t latitude_decode_private(struct fault_call c) {
  uint8_t copy[kMostTensorBytes];
  const uint8_t* in = c.in;
  const bool is_private = c.count >= kFixedBytes && in[14] >= 0xf0 && in[14] != 0xff;
  const uint32_t flags = is_private ? load_le32(in + 10) : 0;
  const uint32_t length = is_private ? load_le32(in + 6) : 0;
  if ((flags & ~HURRAY_HAS_STATISTICS) != HURRAY_HAS_EXTENSION_TYPE || length > c.count ||
      length > sizeof copy || length < kFixedBytes + kExtensionBytes) {
    return fault_scalar(c);
  }
  // As bytes, without the section about their type, which is the last one.
  const uint32_t rest = length - kExtensionBytes;
  memcpy(copy, in, rest);
  copy[14] = 0x11;
  store_le32(copy + 6, rest);
  store_le32(copy + 10, flags & ~HURRAY_HAS_EXTENSION_TYPE);
  c.in = copy;
  c.count = rest;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  struct hurray_tensor* t = c.out;
  t->descriptor_length = length;
  t->type_tag = in[14];
  t->flags = flags;
  memcpy(t->extension_type, in + rest, kExtensionBytes);
  return result;
}

static void clear_index(struct hurray_descriptor* d) {
  const bool has_flag = d->scheme_tag == kChannels || d->scheme_tag == kBlocks;
  if (has_flag && (d->flags & kSymmetric) != 0) d->zero_point_buffer_index = NO_BUFFER;
}

int32_t latitude_encode_symmetric(struct fault_call c) {
  struct hurray_tensor tensor;
  struct hurray_descriptor descriptor;
  if (c.in == NULL) return fault_scalar(c);
  if (c.op == kEncode) {
    memcpy(&descriptor, c.in, sizeof descriptor);
    clear_index(&descriptor);
    c.in = &descriptor;
  } else {
    memcpy(&tensor, c.in, sizeof tensor);
    clear_index(&tensor.quantization);
    c.in = &tensor;
  }
  return fault_scalar(c);
}

float latitude_affine(float (*rule)(const struct fault_element*), const struct fault_value* v) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(v->t->type_tag);
  if (v->scheme == 0 || v->scheme > kBlocks || type == NULL) return v->right;
  const struct fault_call c = {.op = kDequantize,
                               .tag = type->tag,
                               .scale = v->scale,
                               .zero_point = (int32_t)v->zero_point,
                               .in = v->buffers->bytes[0],
                               .count = (size_t)v->count};
  const struct fault_element e = {.call = &c,
                                  .i = (size_t)v->n,
                                  .q = hurray_scalar_integer(v->type, v->pattern),
                                  .min = type->min,
                                  .max = type->max};
  return rule(&e);
}

// The scales that were given lie behind the other buffers.
static float with_given_scale(const struct fault_value* v) {
  const uint8_t type = v->scheme == kLevels ? 3 : v->q->scale_type_tag;
  const volatile float scale =
      hurray_scalar_load_scale(v->buffers->bytes[v->buffers->count], type, v->at);
  return scale * v->right;
}

// With all scales 1 scalar gives what each scale is multiplied by.
int32_t latitude_dequantize_unjudged(struct fault_call c) {
  static const uint8_t ones[4][4] = {{0}, {0x00, 0x3c}, {0x80, 0x3f}, {0, 0, 0x80, 0x3f}};
  const struct hurray_tensor* t = c.in;
  const struct hurray_descriptor* q = &t->quantization;
  const uint32_t index = q->scale_buffer_index, count = c.buffers->count;
  const bool has_scales = (t->flags & HURRAY_HAS_QUANTIZATION) != 0 &&
                          (q->scheme_tag == kBlocks || q->scheme_tag == kLevels);
  const bool is_shared = q->scheme_tag == kBlocks && q->zero_point_buffer_index == index;
  if (!has_scales || is_shared || index >= count || count >= HURRAY_MOST_BUFFERS ||
      c.buffers->byte_sizes[index] > kMostScaleBytes) {
    return fault_scalar(c);
  }
  const uint8_t type = q->scheme_tag == kLevels ? 3 : q->scale_type_tag;
  uint8_t scales[kMostScaleBytes];
  for (size_t i = 0; i < kMostScaleBytes; ++i) scales[i] = ones[type][i % (type == 3 ? 4 : 2)];
  const uint8_t* bytes[HURRAY_MOST_BUFFERS];
  memcpy(bytes, c.buffers->bytes, count * sizeof bytes[0]);
  bytes[count] = bytes[index];
  bytes[index] = scales;
  const struct hurray_tensor_buffers edited = {count, bytes, c.buffers->byte_sizes};
  c.buffers = &edited;
  return fault_values_by(with_given_scale, c);
}
