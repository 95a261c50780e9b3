// SPDX-License-Identifier: Apache-2.0
//
// How does a tensor stand in a request and in an answer, and when are two answers the same?

#include "kit_tensor.h"

#include "kit_descriptor.h"

enum { kHandleBytes = 16, kWordBytes = 8 };

// An entry of the buffer table as it lies on the wire, from or to the table's struct.
static struct hurray_buffer_handle read_handle(const uint8_t* wire) {
  struct hurray_buffer_handle handle;
  __builtin_memset(&handle, 0, sizeof handle);
  for (unsigned i = 0; i < 8; ++i) handle.byte_size |= (uint64_t)wire[i] << (8 * i);
  for (unsigned i = 0; i < 4; ++i) handle.alignment |= (uint32_t)wire[8 + i] << (8 * i);
  handle.device_tag = wire[12];
  handle.sync_mode = wire[13];
  handle.memory_class = wire[14];
  return handle;
}

static void write_handle(const struct hurray_buffer_handle* handle, uint8_t* wire) {
  for (unsigned i = 0; i < 8; ++i) wire[i] = (uint8_t)(handle->byte_size >> (8 * i) & 0xff);
  for (unsigned i = 0; i < 4; ++i) wire[8 + i] = (uint8_t)(handle->alignment >> (8 * i) & 0xff);
  wire[12] = handle->device_tag;
  wire[13] = handle->sync_mode;
  wire[14] = handle->memory_class;
  wire[15] = 0;
}

// Reads an array of words that has as many elements as the shape has dimensions.
static const char* read_words(const struct kit_request* request, enum kit_key key, void* words) {
  struct kit_text text = kit_array(request, key);
  if (text.length != kit_array(request, kKeyShape).length) return "arrays of different ranks";
  const size_t most = 2 * (size_t)kWordBytes * HURRAY_MOST_RANK;
  if (text.length > most) text.length = most;
  return hurray_kit_read_array(text, words, hurray_kit_swap(kWordBytes)) ? NULL : "malformed array";
}

static const char* read_handles(struct kit_text text, struct hurray_tensor* tensor) {
  const size_t count = text.length / (2 * kHandleBytes);
  tensor->buffer_count = (uint32_t)count;
  for (size_t i = 0; i < count; ++i) {
    uint8_t wire[kHandleBytes];
    const struct kit_text one = {text.at + 2 * kHandleBytes * i, 2 * kHandleBytes};
    if (!hurray_kit_read_array(one, wire, 0)) return "malformed array";
    if (wire[15] != 0) return "the last byte of a handle is zero";
    if (i < HURRAY_MOST_BUFFERS) tensor->buffers[i] = read_handle(wire);
  }
  return NULL;
}

const char* hurray_kit_read_tensor(const struct kit_request* request, uint8_t fill,
                                   struct hurray_tensor* tensor) {
  __builtin_memset(tensor, fill, sizeof *tensor);
  tensor->type_tag = request->type;
  tensor->layout_tag = request->layout;
  tensor->flags = 0;
  tensor->rank = (uint32_t)(kit_array(request, kKeyShape).length / (2 * kWordBytes));
  tensor->byte_offset = request->byte_offset;
  const char* refusal = read_words(request, kKeyShape, tensor->shape);
  if (refusal == NULL && request->layout == kStrided) {
    refusal = read_words(request, kKeyStrides, tensor->strides);
  }
  if (refusal == NULL) refusal = read_handles(kit_array(request, kKeyBuffers), tensor);
  if (kit_has(request, kKeyScheme)) {
    tensor->flags |= HURRAY_HAS_QUANTIZATION;
    hurray_kit_read_descriptor(request, &tensor->quantization);
  }
  if (refusal == NULL && kit_has(request, kKeyParentShape)) {
    tensor->flags |= HURRAY_HAS_SHARD;
    refusal = read_words(request, kKeyParentShape, tensor->parent_shape);
    if (refusal == NULL) refusal = read_words(request, kKeyShardOffset, tensor->shard_offset);
  }
  if (refusal == NULL && kit_has(request, kKeyStatistics)) {
    tensor->flags |= HURRAY_HAS_STATISTICS;
    if (!hurray_kit_read_array(kit_array(request, kKeyStatistics), tensor->statistics, 0)) {
      refusal = "malformed array";
    }
  }
  if (refusal == NULL && kit_has(request, kKeyExtensionType)) {
    tensor->flags |= HURRAY_HAS_EXTENSION_TYPE;
    if (!hurray_kit_read_array(kit_array(request, kKeyExtensionType), tensor->extension_type, 0)) {
      refusal = "malformed array";
    }
  }
  if (kit_has(request, kKeyMemberRole)) {
    tensor->flags |= HURRAY_HAS_COMPOSITE_MEMBER;
    tensor->member_role = request->member_role;
  }
  return refusal;
}

static void put_words(struct kit_output* output, const void* words, size_t count) {
  hurray_kit_put_array(output, words, count * kWordBytes, hurray_kit_swap(kWordBytes));
}

static void put_handles(struct kit_output* output, const struct hurray_tensor* tensor) {
  HURRAY_KIT_PUT(output, " buffers=");
  for (uint32_t i = 0; i < tensor->buffer_count && i < HURRAY_MOST_BUFFERS; ++i) {
    uint8_t wire[kHandleBytes];
    write_handle(&tensor->buffers[i], wire);
    hurray_kit_put_array(output, wire, sizeof wire, 0);
  }
}

void hurray_kit_put_tensor(struct kit_output* output, const struct hurray_tensor* tensor) {
  const size_t rank = tensor->rank < HURRAY_MOST_RANK ? tensor->rank : HURRAY_MOST_RANK;
  HURRAY_KIT_PUT(output, " length=");
  hurray_kit_put_unsigned(output, tensor->descriptor_length);
  HURRAY_KIT_PUT(output, " version=");
  hurray_kit_put_unsigned(output, tensor->version_major);
  HURRAY_KIT_PUT(output, ".");
  hurray_kit_put_unsigned(output, tensor->version_minor);
  HURRAY_KIT_PUT(output, " type=");
  hurray_kit_put_hex_number(output, tensor->type_tag, 2);
  HURRAY_KIT_PUT(output, " layout=");
  hurray_kit_put_unsigned(output, tensor->layout_tag);
  HURRAY_KIT_PUT(output, " shape=");
  put_words(output, tensor->shape, rank);
  HURRAY_KIT_PUT(output, " byte_offset=");
  hurray_kit_put_unsigned(output, tensor->byte_offset);
  if (tensor->layout_tag == kStrided) {
    HURRAY_KIT_PUT(output, " strides=");
    put_words(output, tensor->strides, rank);
  }
  put_handles(output, tensor);
  if ((tensor->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    HURRAY_KIT_PUT(output, " scheme=");
    hurray_kit_put_unsigned(output, tensor->quantization.scheme_tag);
    hurray_kit_put_fields(output, &tensor->quantization,
                          hurray_kit_scheme_keys(tensor->quantization.scheme_tag));
  }
  if ((tensor->flags & HURRAY_HAS_SHARD) != 0) {
    HURRAY_KIT_PUT(output, " parent_shape=");
    put_words(output, tensor->parent_shape, rank);
    HURRAY_KIT_PUT(output, " shard_offset=");
    put_words(output, tensor->shard_offset, rank);
  }
  if ((tensor->flags & HURRAY_HAS_STATISTICS) != 0) {
    HURRAY_KIT_PUT(output, " statistics=");
    hurray_kit_put_array(output, tensor->statistics, sizeof tensor->statistics, 0);
  }
  if ((tensor->flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) {
    HURRAY_KIT_PUT(output, " member_role=");
    hurray_kit_put_hex_number(output, tensor->member_role, 2);
  }
  if ((tensor->flags & HURRAY_HAS_EXTENSION_TYPE) != 0) {
    HURRAY_KIT_PUT(output, " extension_type=");
    hurray_kit_put_array(output, tensor->extension_type, sizeof tensor->extension_type, 0);
  }
}

static bool same_words(const void* a, const void* b, size_t count) {
  return __builtin_memcmp(a, b, count * kWordBytes) == 0;
}

static bool same_handles(const struct hurray_tensor* a, const struct hurray_tensor* b) {
  for (uint32_t i = 0; i < a->buffer_count && i < HURRAY_MOST_BUFFERS; ++i) {
    uint8_t one[kHandleBytes], other[kHandleBytes];
    write_handle(&a->buffers[i], one);
    write_handle(&b->buffers[i], other);
    if (__builtin_memcmp(one, other, sizeof one) != 0) return false;
  }
  return true;
}

bool hurray_kit_same_tensor(const struct hurray_tensor* a, const struct hurray_tensor* b) {
  const size_t rank = a->rank < HURRAY_MOST_RANK ? a->rank : HURRAY_MOST_RANK;
  if (a->descriptor_length != b->descriptor_length || a->version_major != b->version_major ||
      a->version_minor != b->version_minor || a->type_tag != b->type_tag ||
      a->layout_tag != b->layout_tag || a->flags != b->flags || a->rank != b->rank ||
      a->byte_offset != b->byte_offset || a->buffer_count != b->buffer_count) {
    return false;
  }
  const uint8_t scheme = a->quantization.scheme_tag;
  return same_words(a->shape, b->shape, rank) &&
         (a->layout_tag != kStrided || same_words(a->strides, b->strides, rank)) &&
         same_handles(a, b) &&
         ((a->flags & HURRAY_HAS_QUANTIZATION) == 0 ||
          hurray_kit_same_fields(&a->quantization, &b->quantization,
                                 hurray_kit_scheme_keys(scheme))) &&
         ((a->flags & HURRAY_HAS_SHARD) == 0 ||
          (same_words(a->parent_shape, b->parent_shape, rank) &&
           same_words(a->shard_offset, b->shard_offset, rank))) &&
         ((a->flags & HURRAY_HAS_STATISTICS) == 0 ||
          __builtin_memcmp(a->statistics, b->statistics, sizeof a->statistics) == 0) &&
         ((a->flags & HURRAY_HAS_COMPOSITE_MEMBER) == 0 || a->member_role == b->member_role) &&
         ((a->flags & HURRAY_HAS_EXTENSION_TYPE) == 0 ||
          __builtin_memcmp(a->extension_type, b->extension_type, sizeof a->extension_type) == 0);
}
