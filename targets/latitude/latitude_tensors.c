// SPDX-License-Identifier: Apache-2.0
//
// Readers that forgive, other writers, and other values of tensors, see latitude_tensors.h.

#include "latitude_tensors.h"

#include <string.h>

#include "scalar/scalar_dequantize.h"
#include "scalar/scalar_schemes.h"
#include "scalar/scalar_tensor.h"

enum {
  kFixedBytes = 20,
  kTableEntryBytes = 16,
  kExtensionBytes = 20,
  kMostDescriptorBytes = 8192,
  kMostScaleBytes = 16384
};

// Finds section and handles in a copy of a tensor descriptor; false where it is cut off.
static bool find_parts(size_t length, struct latitude_bytes* bytes) {
  const uint32_t rank = load_le32(bytes->b + 16);
  const size_t strides = bytes->b[15] == kStrided ? rank : 0;
  const size_t table = kFixedBytes + 8 * ((size_t)rank + strides) + 8;
  if (rank > HURRAY_MOST_RANK || table >= length) return false;
  bytes->handles = bytes->b + table + 1;
  const size_t at = table + 1 + kTableEntryBytes * (size_t)bytes->b[table];
  const bool is_quantized = (bytes->b[10] & HURRAY_HAS_QUANTIZATION) != 0;
  if (is_quantized && at + 4 + kHeaderBytes <= length) {
    bytes->section = bytes->b + at + 4;
    bytes->scheme = bytes->section[0];
  }
  return at <= length;
}

static int32_t forgive_tensor(void (*edit)(struct latitude_bytes*), struct fault_call c) {
  uint8_t copy[kMostDescriptorBytes];
  const uint8_t* in = c.in;
  struct latitude_bytes bytes = {.b = copy};
  if (c.count < kFixedBytes || c.count > sizeof copy) return fault_scalar(c);
  memcpy(copy, in, c.count);
  if (!find_parts(c.count, &bytes)) return fault_scalar(c);
  edit(&bytes);
  c.in = copy;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  struct hurray_tensor* t = c.out;
  t->version_major = in[4];
  const uint8_t* handle = in + (bytes.handles - copy);
  for (uint32_t i = 0; i < t->buffer_count; ++i, handle += kTableEntryBytes) {
    t->buffers[i].byte_size = load_le64(handle);
    t->buffers[i].alignment = load_le32(handle + 8);
  }
  const struct hurray_scalar_scheme* scheme = hurray_scalar_find_scheme(bytes.scheme);
  if (bytes.section != NULL && scheme != NULL) {
    scheme->read(in + (bytes.section - copy) + kHeaderBytes, &t->quantization);
  }
  return result;
}

int32_t latitude_forgive(void (*edit)(struct latitude_bytes*), struct fault_call c) {
  uint8_t copy[kSectionBytes] = {0};
  if (c.op == kDecodeTensor) return forgive_tensor(edit, c);
  if (c.op != kDecode || c.count < kHeaderBytes || c.count > sizeof copy) return fault_scalar(c);
  const uint8_t* in = c.in;
  memcpy(copy, in, c.count);
  struct latitude_bytes bytes = {.scheme = in[0], .section = copy};
  edit(&bytes);
  c.in = copy;
  const int32_t result = fault_scalar(c);
  if (result == HURRAY_OK) hurray_scalar_find_scheme(in[0])->read(in + kHeaderBytes, c.out);
  return result;
}

int32_t latitude_decode_private(struct fault_call c) {
  uint8_t copy[kMostDescriptorBytes];
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

// Of the element with this logical index: its place in the data, and the number of its channel or
// block. Strides are positive where the suite computes values.
struct position {
  uint64_t place, parameters;
};
static struct position find_position(const struct hurray_tensor* t, uint64_t n) {
  const struct hurray_descriptor* q = &t->quantization;
  const bool is_of_blocks = q->scheme_tag >= kBlocks;
  const uint64_t blocks = is_of_blocks ? divide_up(t->shape[q->axis], q->block_size) : 1;
  uint64_t index[HURRAY_MOST_RANK], step = 1, across = 0;
  struct position position = {n, 0};
  for (uint32_t i = t->rank; i-- > 0; n /= t->shape[i]) index[i] = n % t->shape[i];
  if (t->layout_tag != kRowMajor) position.place = 0;
  for (uint32_t i = 0; i < t->rank; ++i) {
    if (t->layout_tag == kColumnMajor) position.place += index[i] * step;
    if (t->layout_tag == kStrided) position.place += index[i] * (uint64_t)t->strides[i];
    step *= t->shape[i];
    if (i != q->axis) across = across * t->shape[i] + index[i];
  }
  if (q->scheme_tag == kChannels) position.parameters = index[q->axis];
  if (is_of_blocks) position.parameters = across * blocks + index[q->axis] / q->block_size;
  return position;
}

int32_t latitude_dequantize_by(float (*rule)(const struct fault_element*), struct fault_call c) {
  const struct hurray_tensor* t = c.in;
  const int32_t result = fault_scalar(c);
  const struct hurray_descriptor* q = &t->quantization;
  const bool is_affine = (t->flags & HURRAY_HAS_QUANTIZATION) != 0 && q->scheme_tag <= kBlocks;
  struct hurray_scalar_arrays arrays;
  if (result != HURRAY_OK || !is_affine || !hurray_scalar_find_arrays(t, &arrays)) return result;
  const struct hurray_scalar_element* element = hurray_scalar_find_element(t->type_tag);
  const struct hurray_scalar_type* type = hurray_scalar_find_type(t->type_tag);
  const uint8_t* data = c.buffers->bytes[0];
  float* out = c.out;
  c.tag = t->type_tag;
  c.scale = q->scale;
  c.zero_point = q->zero_point;
  struct fault_element e = {.call = &c, .min = type->min, .max = type->max};
  for (; e.i < c.count; ++e.i) {
    const struct position position = find_position(t, e.i);
    if (arrays.has_scales) {
      const uint8_t* scales = c.buffers->bytes[q->scale_buffer_index];
      c.scale = hurray_scalar_load_scale(scales, q->scale_type_tag, position.parameters);
      c.zero_point = 0;
    }
    if (arrays.has_zero_points) {
      const uint8_t* zero_points = c.buffers->bytes[q->zero_point_buffer_index];
      if (arrays.is_shared) zero_points += arrays.count * arrays.scale_bytes;
      c.zero_point = bits_int32(load_le32(zero_points + 4 * position.parameters));
    }
    const uint64_t bit = 8 * t->byte_offset + position.place * element->bits;
    e.q = hurray_scalar_integer(element, hurray_scalar_load(data, bit, element->bits));
    out[e.i] = rule(&e);
  }
  return result;
}

// With all scales 1 scalar gives what each scale is multiplied by.
int32_t latitude_dequantize_unjudged(struct fault_call c) {
  const struct hurray_tensor* t = c.in;
  const struct hurray_descriptor* q = &t->quantization;
  const uint32_t index = q->scale_buffer_index;
  const bool has_flag = (t->flags & HURRAY_HAS_QUANTIZATION) != 0;
  if (!has_flag || (q->scheme_tag != kBlocks && q->scheme_tag != kLevels) ||
      index >= c.buffers->count || c.buffers->byte_sizes[index] > kMostScaleBytes) {
    return fault_scalar(c);
  }
  static const uint8_t ones[4][4] = {{0}, {0x00, 0x3c}, {0x80, 0x3f}, {0, 0, 0x80, 0x3f}};
  const uint8_t type = q->scheme_tag == kLevels ? 3 : q->scale_type_tag;
  const size_t width = type == 3 ? 4 : 2;
  uint8_t scales[kMostScaleBytes];
  const uint8_t* bytes[HURRAY_MOST_BUFFERS];
  memcpy(bytes, c.buffers->bytes, c.buffers->count * sizeof bytes[0]);
  for (size_t i = 0; i < kMostScaleBytes; ++i) scales[i] = ones[type][i % width];
  // A shared buffer has zero points behind the scales.
  const bool is_shared = q->scheme_tag == kBlocks && q->zero_point_buffer_index == index;
  const struct hurray_tensor_buffers edited = {c.buffers->count, bytes, c.buffers->byte_sizes};
  const uint8_t* given = bytes[index];
  if (is_shared || given == NULL) return fault_scalar(c);
  bytes[index] = scales;
  c.buffers = &edited;
  const int32_t result = fault_scalar(c);
  float* out = c.out;
  for (size_t n = 0; result == HURRAY_OK && n < c.count; ++n) {
    const uint64_t parameters = find_position(t, n).parameters;
    const volatile float scale = hurray_scalar_load_scale(given, type, parameters);
    out[n] = scale * out[n];
  }
  return result;
}

void latitude_clear_signs_of_zeros(const struct fault_call* c) {
  const struct hurray_tensor* t = c->in;
  if ((t->flags & HURRAY_HAS_QUANTIZATION) == 0 || t->quantization.scheme_tag != kLevels) return;
  float* out = c->out;
  for (size_t i = 0; i < c->count; ++i) {
    if (out[i] == 0) out[i] = 0.0f;
  }
}
