// SPDX-License-Identifier: Apache-2.0
//
// What are the real values of a tensor's elements? All layouts and schemes, one element at a time,
// in logical row-major order. The contents of the parameter arrays are judged first, all of them
// (HQ-PCA-019 to 021, HQ-PBA-028, HQ-NF4-011, HQ-MX-010), so that a refusal touches nothing.

#include "scalar_bits.h"
#include "scalar_dequantize.h"
#include "scalar_schemes.h"
#include "scalar_tensor.h"

// Bit patterns, so that no compiler's reading of a decimal number is trusted.   [HQ-NF4-007]
static const uint32_t kNf4Levels[16] = {
    0xbf800000u, 0xbf3239b1u, 0xbf066b30u, 0xbeca32a0u, 0xbe91a24du, 0xbe3d353fu,
    0xbdba7871u, 0x00000000u, 0x3da2faffu, 0x3e24cae3u, 0x3e7c04ddu, 0x3ead033au,
    0x3ee1a4b8u, 0x3f1007abu, 0x3f3913b3u, 0x3f800000u,
};

// The bytes of a buffer, if it is as long as its handle says.
static bool find_buffer(const struct hurray_scalar_dequantizer* d,
                        const struct hurray_tensor_buffers* buffers, uint32_t index,
                        const uint8_t** bytes) {
  if (index >= buffers->count || index >= d->tensor->buffer_count) return false;
  const uint64_t size = buffers->byte_sizes[index];
  *bytes = buffers->bytes[index];
  return size >= d->tensor->buffers[index].byte_size && (*bytes != NULL || size == 0);
}

static bool find_buffers(struct hurray_scalar_dequantizer* d,
                         const struct hurray_tensor_buffers* buffers) {
  const struct hurray_descriptor* q = &d->tensor->quantization;
  if (!find_buffer(d, buffers, 0, &d->data)) return false;
  if (!d->arrays.has_scales) return true;
  if (!find_buffer(d, buffers, q->scale_buffer_index, &d->scales)) return false;
  if (!d->arrays.has_zero_points) return true;
  if (d->arrays.is_shared) {
    if (d->arrays.count != 0) d->zero_points = d->scales + d->arrays.count * d->arrays.scale_bytes;
    return true;
  }
  return find_buffer(d, buffers, q->zero_point_buffer_index, &d->zero_points);
}

float hurray_scalar_load_scale(const uint8_t* scales, uint8_t scale_type_tag, uint64_t index) {
  const struct hurray_scalar_element* type = hurray_scalar_find_element(scale_type_tag);
  return hurray_scalar_value(type, hurray_scalar_load(scales, index * type->bits, type->bits));
}

bool hurray_scalar_is_affine_scale(float scale) {
  return (float_bits(scale) & 0x7fffffffu) - 1u < 0x7f7fffffu;
}

float hurray_scalar_scale_at(const struct hurray_scalar_dequantizer* d, uint64_t index) {
  const struct hurray_descriptor* q = &d->tensor->quantization;
  switch (d->scheme) {
    case kPerTensorAffine:
      return q->scale;
    case kNf4:
      return bits_float(load_le32(d->scales + 4 * index));
    case kMxfp:
      return bits_float((uint32_t)d->scales[index] << 23);  // 2^(e - 127)   [HQ-MX-011]
    default:
      return hurray_scalar_load_scale(d->scales, q->scale_type_tag, index);
  }
}

int32_t hurray_scalar_zero_point_at(const struct hurray_scalar_dequantizer* d, uint64_t index) {
  if (d->scheme == kPerTensorAffine) return d->tensor->quantization.zero_point;
  if (!d->arrays.has_zero_points) return 0;
  return bits_int32(load_le32(d->zero_points + 4 * index));
}

static bool contents_are_valid(const struct hurray_scalar_dequantizer* d) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(d->tensor->type_tag);
  for (uint64_t i = 0; i < d->arrays.count; ++i) {
    switch (d->scheme) {
      case kPerChannelAffine:
        if (!hurray_scalar_parameters_valid(type, hurray_scalar_scale_at(d, i),
                                            hurray_scalar_zero_point_at(d, i))) {
          return false;
        }
        break;
      case kPerBlockAffine:
        // Zero points have no range here.   [A24]
        if (!hurray_scalar_is_affine_scale(hurray_scalar_scale_at(d, i))) return false;
        break;
      case kNf4: {
        // From +0 to the largest number, and -0.   [A35]
        const uint32_t bits = float_bits(hurray_scalar_scale_at(d, i));
        if (bits >= 0x7f800000u && bits != 0x80000000u) return false;
        break;
      }
      default:
        if (d->scales[i] == 0 || d->scales[i] == 0xff) return false;
    }
  }
  return true;
}

// The place of logical index `n` in the data, in elements from the first one; negative with
// negative strides.
static int64_t find_place(const struct hurray_tensor* tensor, uint64_t n) {
  if (tensor->layout_tag == kRowMajor) return (int64_t)n;
  uint64_t place = 0;  // wraps where strides are negative, and back
  uint64_t step = 1;
  uint64_t across = n;
  uint64_t index[HURRAY_MOST_RANK];
  for (uint32_t i = tensor->rank; i-- > 0;) {
    index[i] = across % tensor->shape[i];
    across /= tensor->shape[i];
  }
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    place += index[i] * (tensor->layout_tag == kStrided ? (uint64_t)tensor->strides[i] : step);
    step *= tensor->shape[i];
  }
  return bits_int64(place);
}

uint64_t hurray_scalar_find_parameters(const struct hurray_scalar_dequantizer* d, uint64_t n) {
  if (d->scheme == kPerTensorAffine) return 0;
  const uint64_t along = n / d->inner % d->axis_elements;
  if (d->scheme == kPerChannelAffine) return along;
  const uint64_t outer = n / (d->inner * d->axis_elements) * d->inner + n % d->inner;
  const uint32_t block = d->tensor->quantization.block_size;
  return outer * divide_up(d->axis_elements, block) + along / block;
}

float hurray_scalar_value_at(const struct hurray_scalar_dequantizer* d, uint64_t n) {
  const unsigned bits = d->element->bits;
  const uint64_t bit =
      8 * d->tensor->byte_offset + (uint64_t)find_place(d->tensor, n) * (uint64_t)bits;
  const uint64_t pattern = hurray_scalar_load(d->data, bit, bits);
  if (d->scheme == 0) return hurray_scalar_value(d->element, pattern);

  const uint64_t parameters = hurray_scalar_find_parameters(d, n);
  const float scale = hurray_scalar_scale_at(d, parameters);
  switch (d->scheme) {
    case kNf4:
      return scale * bits_float(kNf4Levels[pattern]);
    case kMxfp:
      return scale * hurray_scalar_value(d->element, pattern);
    default: {
      // Exact: neither code nor zero point has more than 32 bits.   [A01, A02, A55]
      const int64_t code = hurray_scalar_integer(d->element, pattern);
      return scale * (float)(code - hurray_scalar_zero_point_at(d, parameters));
    }
  }
}

// HURRAY_OK if `count` elements can be computed.
static hurray_status prepare(struct hurray_scalar_dequantizer* d,
                             const struct hurray_tensor_buffers* buffers, size_t count) {
  const struct hurray_tensor* tensor = d->tensor;
  uint64_t elements;
  if (hurray_scalar_has_dynamic(tensor) || !hurray_scalar_count(tensor, &elements) ||
      elements != count) {
    return HURRAY_REJECTED;
  }
  if ((tensor->flags & HURRAY_HAS_QUANTIZATION) != 0) {
    d->scheme = tensor->quantization.scheme_tag;
    if (!hurray_scalar_find_arrays(tensor, &d->arrays)) return HURRAY_REJECTED;
  }
  if (d->arrays.has_scales) {
    const uint32_t axis = tensor->quantization.axis;
    d->axis_elements = tensor->shape[axis];
    d->inner = 1;
    for (uint32_t i = axis + 1; count != 0 && i < tensor->rank; ++i) d->inner *= tensor->shape[i];
  }
  return find_buffers(d, buffers) && contents_are_valid(d) ? HURRAY_OK : HURRAY_REJECTED;
}

hurray_status hurray_scalar_prepare_values(uint32_t mode, const struct hurray_tensor* tensor,
                                           const struct hurray_tensor_buffers* buffers,
                                           size_t count, struct hurray_scalar_dequantizer* d) {
  if (mode != HURRAY_MODE_STRICT && mode != HURRAY_MODE_PERMISSIVE) return HURRAY_UNSUPPORTED;
  if (tensor == NULL || buffers == NULL) return HURRAY_REJECTED;
  // Of a scheme that was stepped over nothing is known: the data is not touched. [HQ-HDR-007]
  if ((tensor->flags & HURRAY_HAS_QUANTIZATION) != 0 &&
      hurray_scalar_find_scheme(tensor->quantization.scheme_tag) == NULL) {
    return HURRAY_UNSUPPORTED;
  }
  // Sizes and places once more: what follows relies on them to stay inside the buffers.
  const hurray_status status = hurray_scalar_judge_tensor(tensor);
  if (status != HURRAY_OK) return status;
  *d = (struct hurray_scalar_dequantizer){.tensor = tensor,
                                          .element = hurray_scalar_find_element(tensor->type_tag)};
  return prepare(d, buffers, count);
}

hurray_status hurray_scalar_dequantize_tensor(uint32_t mode, const struct hurray_tensor* tensor,
                                              const struct hurray_tensor_buffers* buffers,
                                              float* out, size_t count) {
  struct hurray_scalar_dequantizer d;
  const hurray_status status = hurray_scalar_prepare_values(mode, tensor, buffers, count, &d);
  if (status != HURRAY_OK || count == 0) return status;
  if (out == NULL) return HURRAY_REJECTED;
  for (size_t n = 0; n < count; ++n) out[n] = hurray_scalar_value_at(&d, n);
  return HURRAY_OK;
}
