// SPDX-License-Identifier: Apache-2.0
//
// What a reader sees, and readers that refuse some of it, see latitude_tensors.h.

#include <string.h>

#include "latitude_tensors.h"
#include "scalar/scalar_schemes.h"
#include "scalar/scalar_tensor.h"

enum { kFixedBytes = 20, kTableEntryBytes = 16, kLeastAlignment = 64, kE8m0Tag = 0x42 };

bool latitude_shares_a_buffer(const struct latitude_seen* s) {
  const bool has_two_arrays = s->scheme == kChannels || s->scheme == kBlocks;
  return s->t != NULL && has_two_arrays && (s->d->flags & kSymmetric) == 0 &&
         s->d->scale_buffer_index == s->d->zero_point_buffer_index;
}

bool latitude_has_other_index(const struct latitude_seen* s) {
  return s->scheme == kBlocks && (s->d->flags & kSymmetric) != 0 &&
         s->d->zero_point_buffer_index != NO_BUFFER;
}

bool latitude_is_dynamic(const struct latitude_seen* s) {
  return s->t != NULL && s->scheme != 0 && hurray_scalar_has_dynamic(s->t);
}

static uint32_t buffers_of(const struct latitude_seen* s) {
  return s->t != NULL ? s->t->buffer_count : 0;
}
bool latitude_has_sync_mode(const struct latitude_seen* s) {
  for (uint32_t i = 0; i < buffers_of(s); ++i) {
    if (s->t->buffers[i].sync_mode != 0) return true;
  }
  return false;
}
bool latitude_has_memory_class(const struct latitude_seen* s) {
  for (uint32_t i = 0; i < buffers_of(s); ++i) {
    if (s->t->buffers[i].memory_class != 0) return true;
  }
  return false;
}
bool latitude_has_empty_below(const struct latitude_seen* s, uint32_t alignment) {
  for (uint32_t i = 0; i < buffers_of(s); ++i) {
    if (s->t->buffers[i].byte_size == 0 && s->t->buffers[i].alignment < alignment) return true;
  }
  return false;
}

// Bytes that the elements take, the last block whole or not; false if it is whole, or nobody knows
// where they lie.   [A28]
struct sizes {
  uint64_t padded, unpadded;
};
static bool find_sizes(const struct latitude_seen* s, struct sizes* sizes) {
  if (s->t == NULL || (s->scheme != kBlocks && s->scheme != kLevels) || s->t->rank != 1) {
    return false;
  }
  const uint64_t size = s->t->shape[0], block = s->d->block_size;
  if (size == HURRAY_DYNAMIC || size % block == 0) return false;
  const struct hurray_scalar_element* element = hurray_scalar_find_element(s->tag);
  return hurray_scalar_size(element, size, &sizes->unpadded) &&
         hurray_scalar_size(element, divide_up(size, block) * block, &sizes->padded);
}
static uint64_t data_bytes(const struct latitude_seen* s) {
  return s->t->buffers[0].byte_size - s->t->byte_offset;
}
bool latitude_is_padded(const struct latitude_seen* s) {
  struct sizes sizes;
  return find_sizes(s, &sizes) && sizes.padded != sizes.unpadded && data_bytes(s) >= sizes.padded;
}
bool latitude_is_unpadded(const struct latitude_seen* s) {
  struct sizes sizes;
  return find_sizes(s, &sizes) && data_bytes(s) < sizes.padded;
}

int64_t latitude_negative_zero(const struct latitude_seen* s) {
  if (s->buffers == NULL || s->scheme != kLevels || s->d->scale_buffer_index >= s->buffers->count) {
    return -1;
  }
  const uint8_t* scales = s->buffers->bytes[s->d->scale_buffer_index];
  const uint64_t count = s->buffers->byte_sizes[s->d->scale_buffer_index] / 4;
  for (uint64_t i = 0; i < count; ++i) {
    if (load_le32(scales + 4 * i) == 0x80000000u) return (int64_t)i;
  }
  return -1;
}

// Whether bits behind the last of `count` elements are set, in its byte, or its group of four
// elements of 6 bits.
static bool has_unused(uint8_t tag, const uint8_t* packed, uint64_t count) {
  const struct hurray_scalar_element* element = hurray_scalar_find_element(tag);
  uint64_t bytes;
  if (element == NULL || packed == NULL || !hurray_scalar_size(element, count, &bytes)) {
    return false;
  }
  const uint64_t used = count * element->bits;
  if (used % 8 != 0 && packed[used / 8] >> (used % 8) != 0) return true;
  for (uint64_t i = used / 8 + (used % 8 != 0); i < bytes; ++i) {
    if (packed[i] != 0) return true;
  }
  return false;
}

// A63.
static void see_e8m0(const struct fault_call* c, struct latitude_seen* s) {
  const uint8_t* packed = c->in;
  for (size_t i = 0; c->tag == kE8m0Tag && i < c->count; ++i) {
    if (packed[i] == 0x00) s->has_00 = true;
    if (packed[i] == 0xff) s->has_ff = true;
  }
}

// Unused bits of a dense tensor. Behind a partial last block lies its filler, which is nobody's
// business.   [A29]
static bool tensor_has_unused(const struct latitude_seen* s) {
  const struct hurray_tensor* t = s->t;
  const struct hurray_tensor_buffers* buffers = s->buffers;
  struct sizes sizes;
  uint64_t count;
  if (buffers->count == 0 || t->layout_tag == kStrided || hurray_scalar_has_dynamic(t) ||
      !hurray_scalar_count(t, &count) || buffers->byte_sizes[0] < t->buffers[0].byte_size) {
    return false;
  }
  if (count == 0 || (find_sizes(s, &sizes) && data_bytes(s) >= sizes.padded)) return false;
  return has_unused(t->type_tag, buffers->bytes[0] + t->byte_offset, count);
}

size_t latitude_sections_at(const struct hurray_tensor* t) {
  const size_t strides = t->layout_tag == kStrided ? t->rank : 0;
  return kFixedBytes + 8 * (t->rank + strides) + 8 + 1 + kTableEntryBytes * t->buffer_count;
}

static void see_section(const uint8_t* section, size_t length, struct latitude_seen* s) {
  const struct hurray_scalar_scheme* scheme = hurray_scalar_find_scheme(s->scheme);
  s->section = section;
  s->length = length;
  s->tail = scheme != NULL ? length - scheme->bytes : 0;
}

static void see_tensor(const struct hurray_tensor* t, struct latitude_seen* s) {
  s->t = t;
  s->tag = t->type_tag;
  if ((t->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    s->d = &t->quantization;
    s->scheme = s->d->scheme_tag;
  }
}

static void see_bytes(const uint8_t* bytes, struct latitude_seen* s) {
  const struct hurray_tensor* t = s->t;
  size_t at = latitude_sections_at(t);
  if ((t->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    see_section(bytes + at + 4, load_le32(bytes + at), s);
    at += 4 + s->length;
  }
  if ((t->flags & HURRAY_HAS_SHARD) != 0) at += 16 * (size_t)t->rank;
  if ((t->flags & HURRAY_HAS_STATISTICS) != 0) at += sizeof t->statistics;
  if ((t->flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) at += 16;
  s->trailing = t->descriptor_length - at;
}

static const struct hurray_descriptor kNone;

// Decoders write only what nobody refuses, so scalar writes into a copy.
static int32_t refuse_decoded(bool (*refuses)(const struct latitude_seen*), int32_t status,
                              struct fault_call c) {
  struct hurray_descriptor told;
  void* out = c.out;
  c.out = &told;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  struct latitude_seen s = {.op = c.op, .tag = c.tag, .scheme = told.scheme_tag, .d = &told};
  see_section(c.in, c.count, &s);
  if (refuses(&s)) return status;
  memcpy(out, &told, sizeof told);
  return result;
}

static int32_t refuse_decoded_tensor(bool (*refuses)(const struct latitude_seen*), int32_t status,
                                     struct fault_call c) {
  struct hurray_tensor told;
  void* out = c.out;
  c.out = &told;
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  struct latitude_seen s = {.op = c.op, .mode = c.mode, .d = &kNone};
  see_tensor(&told, &s);
  see_bytes(c.in, &s);
  if (refuses(&s)) return status;
  memcpy(out, &told, sizeof told);
  return result;
}

int32_t latitude_refuse(bool (*refuses)(const struct latitude_seen*), int32_t status,
                        struct fault_call c) {
  struct latitude_seen s = {.op = c.op, .mode = c.mode, .tag = c.tag, .d = &kNone};
  if (c.in == NULL || c.out == NULL) return fault_scalar(c);
  switch (c.op) {
    case kDecode:
      return refuse_decoded(refuses, status, c);
    case kDecodeTensor:
      return refuse_decoded_tensor(refuses, status, c);
    case kDequantizeTensor:
      see_tensor(c.in, &s);
      s.buffers = c.buffers;
      s.has_unused = tensor_has_unused(&s);
      break;
    case kUnpack:
      see_e8m0(&c, &s);
      s.has_unused = has_unused(c.tag, c.in, c.count);
      break;
    case kWiden:
      s.has_unused = has_unused(c.tag, c.in, c.count);
      break;
    default:
      break;
  }
  return refuses(&s) ? status : fault_scalar(c);
}
