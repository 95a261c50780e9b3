// SPDX-License-Identifier: Apache-2.0
//
// Which bytes are a tensor descriptor? Its reader and writer (HQ-MD): order and length of what is
// in it. scalar_tensor_rules.c judges the values. Bytes behind the last section are not looked at,
// nor is what lies behind descriptor_length.

#include "scalar_tensor.h"
#include "scalar_bits.h"
#include "scalar_schemes.h"

enum {
  kHandleBytes = 16,
  kStatisticsBytes = 72,
  kExtensionBytes = 20,
  kMemberBytes = 16,
  kFixedBytes = 20,
  kLengthAt = 6,
  kVersionMajor = 1
};

// What of a descriptor has not been read yet.
struct cursor {
  const uint8_t* at;
  size_t left;
};

// The next `bytes` bytes, or NULL if there are fewer.
static const uint8_t* take(struct cursor* cursor, size_t bytes) {
  const uint8_t* at = cursor->at;
  if (bytes > cursor->left) return NULL;
  cursor->at += bytes;
  cursor->left -= bytes;
  return at;
}

static bool take_words(struct cursor* cursor, uint32_t count, uint64_t* words) {
  const uint8_t* at = take(cursor, 8 * (size_t)count);
  for (uint32_t i = 0; at != NULL && i < count; ++i) words[i] = load_le64(at + 8 * i);
  return at != NULL;
}

static bool take_bytes(struct cursor* cursor, size_t count, uint8_t* bytes) {
  const uint8_t* at = take(cursor, count);
  for (size_t i = 0; at != NULL && i < count; ++i) bytes[i] = at[i];
  return at != NULL;
}

static bool read_handle(struct cursor* cursor, struct hurray_buffer_handle* handle) {
  const uint8_t* at = take(cursor, kHandleBytes);
  if (at == NULL || at[15] != 0) return false;  // [HQ-MD-021]
  handle->byte_size = load_le64(at);
  handle->alignment = load_le32(at + 8);
  handle->device_tag = at[12];
  handle->sync_mode = at[13];
  handle->memory_class = at[14];
  return true;
}

static bool read_layout_and_buffers(struct cursor* cursor, struct hurray_tensor* tensor) {
  if (!take_words(cursor, tensor->rank, tensor->shape)) return false;
  if (!take_words(cursor, 1, &tensor->byte_offset)) return false;
  if (tensor->layout_tag == kStrided) {
    const uint8_t* at = take(cursor, 8 * (size_t)tensor->rank);
    if (at == NULL) return false;
    for (uint32_t i = 0; i < tensor->rank; ++i) {
      tensor->strides[i] = bits_int64(load_le64(at + 8 * i));
    }
  }
  const uint8_t* count = take(cursor, 1);
  if (count == NULL) return false;
  tensor->buffer_count = *count;
  for (uint32_t i = 0; i < tensor->buffer_count; ++i) {
    if (!read_handle(cursor, &tensor->buffers[i])) return false;
  }
  return true;
}

static bool read_quantization(struct cursor* cursor, uint32_t mode, struct hurray_tensor* tensor) {
  const uint8_t* length_at = take(cursor, 4);
  if (length_at == NULL) return false;
  const uint32_t length = load_le32(length_at);
  const uint8_t* section = take(cursor, length);
  if (section == NULL || length < kHeaderBytes) return false;
  const uint8_t tag = section[0];
  if (mode == HURRAY_MODE_PERMISSIVE && hurray_scalar_find_scheme(tag) == NULL && tag != 0 &&
      tag != 0xff) {
    tensor->quantization.scheme_tag = tag;  // stepped over   [HQ-HDR-006, HQ-HDR-011]
    return true;
  }
  return hurray_scalar_decode(tensor->type_tag, section, length, &tensor->quantization) ==
         HURRAY_OK;
}

// In the order that the format gives them.   [HQ-MD-011]
static bool read_sections(struct cursor* cursor, uint32_t mode, struct hurray_tensor* tensor) {
  const uint32_t flags = tensor->flags;
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0 && !read_quantization(cursor, mode, tensor)) {
    return false;
  }
  if ((flags & HURRAY_HAS_SHARD) != 0 &&
      !(take_words(cursor, tensor->rank, tensor->parent_shape) &&
        take_words(cursor, tensor->rank, tensor->shard_offset))) {
    return false;
  }
  if ((flags & HURRAY_HAS_STATISTICS) != 0 &&
      !take_bytes(cursor, kStatisticsBytes, tensor->statistics)) {
    return false;
  }
  if ((flags & HURRAY_HAS_EXTENSION_TYPE) != 0 &&
      !take_bytes(cursor, kExtensionBytes, tensor->extension_type)) {
    return false;
  }
  if ((flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) {
    const uint8_t* member = take(cursor, kMemberBytes);
    if (member == NULL) return false;
    tensor->member_role = member[0];
    for (size_t i = 1; i < kMemberBytes; ++i) {
      if (member[i] != 0) return false;  // [HQ-MD-043]
    }
  }
  return true;
}

hurray_status hurray_scalar_read_tensor(uint32_t mode, const uint8_t* bytes, size_t length,
                                        struct hurray_tensor* out) {
  static const uint8_t magic[] = {'H', 'R', 'R', 'Y'};
  if (mode != HURRAY_MODE_STRICT && mode != HURRAY_MODE_PERMISSIVE) return HURRAY_UNSUPPORTED;
  if (bytes == NULL || out == NULL || length < kFixedBytes) return HURRAY_REJECTED;
  for (size_t i = 0; i < sizeof magic; ++i) {
    if (bytes[i] != magic[i]) return HURRAY_REJECTED;
  }
  struct hurray_tensor tensor = {.descriptor_length = load_le32(bytes + kLengthAt),
                                 .version_major = bytes[4],
                                 .version_minor = bytes[5],
                                 .type_tag = bytes[14],
                                 .layout_tag = bytes[15],
                                 .flags = load_le32(bytes + 10),
                                 .rank = load_le32(bytes + 16)};
  // A newer minor version adds at the end only.   [HQ-MD-005, 006]
  if (tensor.version_major != kVersionMajor) return HURRAY_REJECTED;
  if (tensor.descriptor_length < kFixedBytes || tensor.descriptor_length > length ||
      tensor.rank > HURRAY_MOST_RANK) {
    return HURRAY_REJECTED;  // [HQ-MD-007, 027; A51]
  }
  struct cursor cursor = {bytes + kFixedBytes, tensor.descriptor_length - kFixedBytes};
  if (!read_layout_and_buffers(&cursor, &tensor) || !read_sections(&cursor, mode, &tensor)) {
    return HURRAY_REJECTED;
  }
  *out = tensor;
  return HURRAY_OK;
}

hurray_status hurray_scalar_decode_tensor(uint32_t mode, const uint8_t* bytes, size_t length,
                                          struct hurray_tensor* out) {
  struct hurray_tensor tensor;
  if (out == NULL) return HURRAY_REJECTED;
  hurray_status status = hurray_scalar_read_tensor(mode, bytes, length, &tensor);
  if (status == HURRAY_OK) status = hurray_scalar_judge_tensor(&tensor);
  if (status == HURRAY_OK) *out = tensor;
  return status;
}

static void put_words(uint8_t** at, uint32_t count, const uint64_t* words) {
  for (uint32_t i = 0; i < count; ++i, *at += 8) store_le64(*at, words[i]);
}

static void put_bytes(uint8_t** at, size_t count, const uint8_t* bytes) {
  for (size_t i = 0; i < count; ++i) *(*at)++ = bytes[i];
}

static void put_handle(uint8_t** at, const struct hurray_buffer_handle* handle) {
  const uint8_t last[] = {handle->device_tag, handle->sync_mode, handle->memory_class, 0};
  store_le64(*at, handle->byte_size);
  store_le32(*at + 8, handle->alignment);
  *at += 12;
  put_bytes(at, sizeof last, last);
}

static size_t encoded_bytes(const struct hurray_tensor* tensor, size_t section_bytes) {
  const uint32_t flags = tensor->flags;
  const size_t dimension_bytes = 8 * (size_t)tensor->rank;
  size_t bytes = kFixedBytes + dimension_bytes + 8 + 1;
  if (tensor->layout_tag == kStrided) bytes += dimension_bytes;
  bytes += kHandleBytes * (size_t)tensor->buffer_count;
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0) bytes += 4 + section_bytes;
  if ((flags & HURRAY_HAS_SHARD) != 0) bytes += 2 * dimension_bytes;
  if ((flags & HURRAY_HAS_STATISTICS) != 0) bytes += kStatisticsBytes;
  if ((flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) bytes += kMemberBytes;
  return bytes;
}

hurray_status hurray_scalar_encode_tensor(const struct hurray_tensor* tensor, uint8_t* out,
                                          size_t capacity, size_t* written) {
  if (tensor == NULL || out == NULL || written == NULL) return HURRAY_REJECTED;
  const uint32_t flags = tensor->flags;
  uint8_t section[kMostSchemeBytes];
  size_t section_bytes = 0;
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0) {
    const hurray_status status = hurray_scalar_encode(tensor->type_tag, &tensor->quantization,
                                                      section, sizeof section, &section_bytes);
    if (status != HURRAY_OK) return status;
  }
  const hurray_status status = hurray_scalar_judge_tensor(tensor);
  if (status != HURRAY_OK) return status;
  const size_t bytes = encoded_bytes(tensor, section_bytes);
  if (bytes > capacity) return HURRAY_REJECTED;

  const uint8_t head[] = {'H', 'R', 'R', 'Y', kVersionMajor, 0};
  uint8_t* at = out;
  put_bytes(&at, sizeof head, head);
  store_le32(at, (uint32_t)bytes);
  store_le32(at + 4, flags);
  at[8] = tensor->type_tag;
  at[9] = tensor->layout_tag;
  store_le32(at + 10, tensor->rank);
  at += 14;
  put_words(&at, tensor->rank, tensor->shape);
  put_words(&at, 1, &tensor->byte_offset);
  if (tensor->layout_tag == kStrided) {
    for (uint32_t i = 0; i < tensor->rank; ++i, at += 8) {
      store_le64(at, (uint64_t)tensor->strides[i]);
    }
  }
  *at++ = (uint8_t)tensor->buffer_count;
  for (uint32_t i = 0; i < tensor->buffer_count; ++i) put_handle(&at, &tensor->buffers[i]);
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0) {
    store_le32(at, (uint32_t)section_bytes);
    at += 4;
    put_bytes(&at, section_bytes, section);
  }
  if ((flags & HURRAY_HAS_SHARD) != 0) {
    put_words(&at, tensor->rank, tensor->parent_shape);
    put_words(&at, tensor->rank, tensor->shard_offset);
  }
  if ((flags & HURRAY_HAS_STATISTICS) != 0) put_bytes(&at, kStatisticsBytes, tensor->statistics);
  if ((flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) {
    const uint8_t member[kMemberBytes] = {tensor->member_role};
    put_bytes(&at, sizeof member, member);
  }
  *written = bytes;
  return HURRAY_OK;
}
