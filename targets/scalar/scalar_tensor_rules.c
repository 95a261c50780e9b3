// SPDX-License-Identifier: Apache-2.0
//
// Is this a valid tensor? The rules of the tensor descriptor (HQ-MD) that concern values, for
// reader and writer alike; scalar_tensor.c has those of the bytes. Where a ruling leaves a choice,
// a handle may have a sync mode or class that its device knows (A22), an empty buffer a small
// alignment (A23), a dimension may be dynamic (A32), and private types are refused (A62).

#include "scalar_schemes.h"
#include "scalar_tensor.h"

enum { kFirstPrivate = 0xf0, kLastPrivate = 0xfe, kLeastAlignment = 64 };
enum { kCpu = 0, kLastDevice = 8, kLastSyncMode = 2 };

static bool is_private(uint8_t tag) { return tag >= kFirstPrivate && tag <= kLastPrivate; }

bool hurray_scalar_has_dynamic(const struct hurray_tensor* tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->shape[i] == HURRAY_DYNAMIC) return true;
  }
  return false;
}

static bool is_empty(const struct hurray_tensor* tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->shape[i] == 0) return true;
  }
  return false;
}

bool hurray_scalar_count(const struct hurray_tensor* tensor, uint64_t* count) {
  // A zero anywhere makes it none, however large the rest is.
  *count = 0;
  if (is_empty(tensor)) return true;
  *count = 1;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (!multiply(*count, tensor->shape[i], count)) return false;
  }
  return true;
}

// Tier 1 and whatever a scheme stores.   [HQ-PACK-031, A61]
static bool is_read(const struct hurray_scalar_element* element) {
  return element->kind != kNoNumber && element->kind != kPowerOfTwo;
}

// Which memory classes a device has: bit n for class n.   [HQ-MD-025]
static bool device_has_class(uint8_t device, uint8_t memory_class) {
  static const uint8_t classes[kLastDevice + 1] = {0x7, 0xf, 0xf, 0x7, 0xf, 0x1, 0x7, 0xf, 0x7};
  if (is_private(device)) return memory_class == 0 || is_private(memory_class);
  return device <= kLastDevice && memory_class < 8 && (classes[device] >> memory_class & 1) != 0;
}

static bool handle_is_valid(const struct hurray_buffer_handle* handle) {
  if (!is_power_of_two(handle->alignment)) return false;
  if (handle->alignment < kLeastAlignment && handle->byte_size != 0) return false;
  if (handle->sync_mode > kLastSyncMode) return false;
  if (handle->device_tag == kCpu && handle->sync_mode != 0) return false;
  return device_has_class(handle->device_tag, handle->memory_class);
}

static bool buffers_are_valid(const struct hurray_tensor* tensor) {
  if (tensor->buffer_count == 0 || tensor->buffer_count > HURRAY_MOST_BUFFERS) return false;
  const struct hurray_buffer_handle* first = &tensor->buffers[0];
  for (uint32_t i = 0; i < tensor->buffer_count; ++i) {
    const struct hurray_buffer_handle* handle = &tensor->buffers[i];
    if (!handle_is_valid(handle)) return false;
    // [HQ-MD-023, HQ-HDR-024]
    if (handle->device_tag != first->device_tag || handle->memory_class != first->memory_class) {
      return false;
    }
  }
  return tensor->byte_offset <= first->byte_size;  // [A48]
}

// How far elements reach behind the first one and before it, in elements; false beyond 64 bits.
// Strides of 0 put any number of them in one place.
static bool find_reach(const struct hurray_tensor* tensor, uint64_t* behind, uint64_t* before) {
  *before = 0;
  *behind = 0;
  if (tensor->layout_tag != kStrided) {
    if (!hurray_scalar_count(tensor, behind)) return false;
    --*behind;
    return true;
  }
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    const int64_t stride = tensor->strides[i];
    const uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    uint64_t* side = stride < 0 ? before : behind;
    uint64_t distance;
    if (!multiply(step, tensor->shape[i] - 1, &distance)) return false;
    if (!add(*side, distance, side)) return false;
  }
  return true;
}

// Whether the data buffer holds every element. A partial last block may be stored without its
// filler: what is addressed has to be there, no more.   [A28, A47]
static bool data_fits(const struct hurray_tensor* tensor,
                      const struct hurray_scalar_element* element) {
  uint64_t behind, before, bytes;
  if (is_empty(tensor)) return true;
  if (!find_reach(tensor, &behind, &before)) return false;
  if (behind == UINT64_MAX || !hurray_scalar_size(element, behind + 1, &bytes)) return false;
  if (bytes > tensor->buffers[0].byte_size - tensor->byte_offset) return false;
  return hurray_scalar_size(element, before, &bytes) && bytes <= tensor->byte_offset;
}

// [HQ-MD-041]
static bool shard_is_inside(const struct hurray_tensor* tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    const uint64_t parent = tensor->parent_shape[i];
    if (tensor->shape[i] == HURRAY_DYNAMIC || parent == HURRAY_DYNAMIC) continue;
    if (tensor->shape[i] > parent || tensor->shard_offset[i] > parent - tensor->shape[i]) {
      return false;
    }
  }
  return true;
}

hurray_status hurray_scalar_judge_tensor(const struct hurray_tensor* tensor) {
  const uint32_t flags = tensor->flags;
  const uint32_t known = HURRAY_HAS_QUANTIZATION | HURRAY_HAS_SHARD | HURRAY_HAS_STATISTICS |
                         HURRAY_HAS_COMPOSITE_MEMBER;
  // An extension section belongs to private types, which are refused.   [HQ-MD-010, 030; A62]
  if ((flags & ~known) != 0) return HURRAY_REJECTED;
  const struct hurray_scalar_element* element = hurray_scalar_find_element(tensor->type_tag);
  if (element == NULL || tensor->rank > HURRAY_MOST_RANK) return HURRAY_REJECTED;
  if (tensor->layout_tag < kRowMajor || tensor->layout_tag > kStrided) return HURRAY_REJECTED;
  if (tensor->rank == 0 && tensor->layout_tag != kRowMajor) return HURRAY_REJECTED;
  if (!buffers_are_valid(tensor)) return HURRAY_REJECTED;

  const bool is_quantized = (flags & HURRAY_HAS_QUANTIZATION) != 0;
  const bool is_known =
      !is_quantized || hurray_scalar_find_scheme(tensor->quantization.scheme_tag) != NULL;
  if (!is_quantized && tensor->buffer_count != 1) return HURRAY_REJECTED;  // [HQ-MD-017, A21]
  // How an unknown scheme stores its elements is its own affair.
  if (is_known && !hurray_scalar_has_dynamic(tensor) && !data_fits(tensor, element)) {
    return HURRAY_REJECTED;
  }
  if (is_quantized && is_known && !hurray_scalar_quantization_fits(tensor)) return HURRAY_REJECTED;
  if ((flags & HURRAY_HAS_SHARD) != 0 && !shard_is_inside(tensor)) return HURRAY_REJECTED;
  if ((flags & HURRAY_HAS_STATISTICS) != 0) {
    // Bits 6 to 31 of the mask.   [HQ-MD-042]
    const uint8_t* mask = tensor->statistics;
    if (mask[0] >> 6 != 0 || (mask[1] | mask[2] | mask[3]) != 0) return HURRAY_REJECTED;
  }
  if ((flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0 && tensor->member_role > 1) return HURRAY_REJECTED;
  return is_read(element) ? HURRAY_OK : HURRAY_UNSUPPORTED;
}
