// SPDX-License-Identifier: Apache-2.0
//
// Does a scheme fit its tensor? Axis, block size against the shape, and the parameter buffers: how
// many there are, where, and how long (HQ-HDR-019 to 024, and each scheme's validity rules). A
// buffer that scales and zero points share is read (A20).

#include "scalar_schemes.h"
#include "scalar_tensor.h"

enum { kFloat32 = 3, kZeroPointBytes = 4 };

// Blocks along the axis times everything across it, partial blocks included. [HQ-PBA-019, A30]
static bool count_blocks(const struct hurray_tensor* tensor, uint64_t* count) {
  const struct hurray_descriptor* q = &tensor->quantization;
  uint64_t elements;
  *count = 0;
  if (hurray_scalar_count(tensor, &elements) && elements == 0) return true;
  *count = divide_up(tensor->shape[q->axis], q->block_size);
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (i != q->axis && !multiply(*count, tensor->shape[i], count)) return false;
  }
  return true;
}

bool hurray_scalar_find_arrays(const struct hurray_tensor* tensor,
                               struct hurray_scalar_arrays* arrays) {
  const struct hurray_descriptor* q = &tensor->quantization;
  const struct hurray_scalar_arrays none = {.count = 0};
  *arrays = none;
  switch (q->scheme_tag) {
    case kPerChannelAffine:
    case kPerBlockAffine:
      arrays->has_zero_points = (q->flags & kSymmetric) == 0;
      arrays->is_shared =
          arrays->has_zero_points && q->scale_buffer_index == q->zero_point_buffer_index;
      arrays->scale_bytes = q->scale_type_tag == kFloat32 ? 4 : 2;
      break;
    case kNf4:
      arrays->scale_bytes = 4;
      break;
    case kMxfp:
      arrays->scale_bytes = 1;
      break;
    default:
      return true;
  }
  arrays->has_scales = true;
  if (q->scheme_tag == kPerChannelAffine) {
    arrays->count = tensor->shape[q->axis];
    return true;
  }
  return hurray_scalar_has_dynamic(tensor) || count_blocks(tensor, &arrays->count);
}

static bool shape_fits(const struct hurray_tensor* tensor) {
  const struct hurray_descriptor* q = &tensor->quantization;
  if (q->axis >= tensor->rank) return false;  // [A57]
  const uint64_t size = tensor->shape[q->axis];
  if (size == HURRAY_DYNAMIC) return false;  // [HQ-MD-013]
  switch (q->scheme_tag) {
    case kPerBlockAffine:
    case kNf4:
      return size == 0 || q->block_size <= size;  // [HQ-PBA-007, 008; A34]
    case kMxfp:
      return size != 0 && size % q->block_size == 0;  // [HQ-MX-005, A33]
    default:
      return true;
  }
}

// Neither the data buffer nor beyond the table.   [HQ-HDR-020]
static bool names_a_parameter_buffer(const struct hurray_tensor* tensor, uint32_t index) {
  return index != 0 && index < tensor->buffer_count;
}

// Exactly as long as the arrays in them.   [HQ-PCA-011, 013; A60]
static bool buffers_have_size(const struct hurray_tensor* tensor,
                              const struct hurray_scalar_arrays* arrays) {
  const struct hurray_descriptor* q = &tensor->quantization;
  const uint64_t scales_bytes = tensor->buffers[q->scale_buffer_index].byte_size;
  uint64_t scales, zero_points = 0, both;
  if (!multiply(arrays->count, arrays->scale_bytes, &scales)) return false;
  if (!arrays->has_zero_points) return scales_bytes == scales;
  if (!multiply(arrays->count, kZeroPointBytes, &zero_points)) return false;
  if (arrays->is_shared) return add(scales, zero_points, &both) && scales_bytes == both;
  return scales_bytes == scales &&
         tensor->buffers[q->zero_point_buffer_index].byte_size == zero_points;
}

bool hurray_scalar_quantization_fits(const struct hurray_tensor* tensor) {
  const struct hurray_descriptor* q = &tensor->quantization;
  struct hurray_scalar_arrays arrays;
  if (q->scheme_tag != kPerTensorAffine && !shape_fits(tensor)) return false;
  if (!hurray_scalar_find_arrays(tensor, &arrays)) return false;

  uint32_t buffers = 1;
  if (arrays.has_scales) ++buffers;
  if (arrays.has_zero_points && !arrays.is_shared) ++buffers;
  if (tensor->buffer_count != buffers) return false;  // [HQ-MD-018, A21]
  if (!arrays.has_scales) return true;
  if (!names_a_parameter_buffer(tensor, q->scale_buffer_index)) return false;
  if (arrays.has_zero_points && !names_a_parameter_buffer(tensor, q->zero_point_buffer_index)) {
    return false;
  }
  // Without a number of blocks there is no length.   [A32]
  const bool has_count = q->scheme_tag == kPerChannelAffine || !hurray_scalar_has_dynamic(tensor);
  return !has_count || buffers_have_size(tensor, &arrays);
}
