// SPDX-License-Identifier: Apache-2.0
//
// Which tensor is another one, and as valid? See kit_mirror.h.

#include "kit_mirror.h"

#include "kit_request.h"

enum { kFixedBytes = 20, kHandleBytes = 16, kWordBytes = 8, kPerTensor = 1, kUsual = 64 };

// What lies in words of eight bytes, in reverse order.
static void mirror_words(void* words, size_t count) {
  uint8_t* bytes = words;
  for (size_t low = 0, high = count; low + 1 < high--; ++low) {
    uint8_t kept[kWordBytes];
    __builtin_memcpy(kept, bytes + kWordBytes * low, kWordBytes);
    __builtin_memcpy(bytes + kWordBytes * low, bytes + kWordBytes * high, kWordBytes);
    __builtin_memcpy(bytes + kWordBytes * high, kept, kWordBytes);
  }
}

void hurray_kit_mirror_tensor(struct hurray_tensor* tensor) {
  const size_t rank = tensor->rank;
  if (rank > HURRAY_MOST_RANK) return;
  mirror_words(tensor->shape, rank);
  if (tensor->layout_tag == kStrided) mirror_words(tensor->strides, rank);
  for (uint32_t i = 0; i < tensor->buffer_count && i < HURRAY_MOST_BUFFERS; ++i) {
    if (tensor->buffers[i].alignment == kUsual) tensor->buffers[i].alignment = 2 * kUsual;
  }
  if ((tensor->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    struct hurray_descriptor* descriptor = &tensor->quantization;
    if (descriptor->scheme_tag == kPerTensor) {
      descriptor->scale *= 2;
    } else if (descriptor->axis < rank) {
      descriptor->axis = (uint32_t)rank - 1 - descriptor->axis;
    }
  }
  if ((tensor->flags & HURRAY_HAS_SHARD) != 0) {
    mirror_words(tensor->parent_shape, rank);
    mirror_words(tensor->shard_offset, rank);
  }
}

// The place of the next `length` bytes of those that are left, or NULL.
static uint8_t* take(uint8_t** at, size_t* left, size_t length) {
  uint8_t* taken = *at;
  if (length > *left) return NULL;
  *at += length;
  *left -= length;
  return taken;
}

static uint32_t number(const uint8_t* bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void mirror_section(uint8_t* section, size_t length, size_t rank) {
  if (length < 8) return;
  const uint32_t axis = number(section + 4);
  if (section[0] == kPerTensor) {
    section[4] ^= 2;  // of the fraction of the scale
  } else if (axis < rank) {
    section[4] = (uint8_t)(rank - 1 - axis);
  }
}

void hurray_kit_mirror_bytes(uint8_t* bytes, size_t length) {
  uint8_t* at = bytes;
  size_t left = length;
  const uint8_t* fixed = take(&at, &left, kFixedBytes);
  if (fixed == NULL) return;
  const uint32_t flags = number(fixed + 10), rank = number(fixed + 16);
  if (rank > HURRAY_MOST_RANK) return;
  const size_t words = kWordBytes * (size_t)rank;
  const bool is_strided = fixed[15] == kStrided;
  uint8_t* shape = take(&at, &left, words + kWordBytes);
  uint8_t* strides = shape != NULL && is_strided ? take(&at, &left, words) : NULL;
  const uint8_t* count = shape != NULL ? take(&at, &left, 1) : NULL;
  if (count == NULL || (is_strided && strides == NULL)) return;
  mirror_words(shape, rank);
  if (strides != NULL) mirror_words(strides, rank);
  uint8_t* handles = take(&at, &left, kHandleBytes * (size_t)*count);
  if (handles == NULL) return;
  for (unsigned i = 0; i < *count; ++i) {
    uint8_t* alignment = handles + kHandleBytes * i + 8;
    if (number(alignment) == kUsual) alignment[0] = 2 * kUsual;
  }
  if ((flags & HURRAY_HAS_QUANTIZATION) != 0) {
    const uint8_t* section_length = take(&at, &left, 4);
    if (section_length == NULL) return;
    uint8_t* section = take(&at, &left, number(section_length));
    if (section == NULL) return;
    mirror_section(section, number(section_length), rank);
  }
  if ((flags & HURRAY_HAS_SHARD) != 0) {
    uint8_t* parent = take(&at, &left, 2 * words);
    if (parent == NULL) return;
    mirror_words(parent, rank);
    mirror_words(parent + words, rank);
  }
}
