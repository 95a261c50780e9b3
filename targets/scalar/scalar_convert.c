// SPDX-License-Identifier: Apache-2.0
//
// How does a tensor that another toolchain quantized become a per-block affine one (HQ-ZP-002 to
// 015)? Weights are copied, scales widened, zero points rebuilt as int32 with the toolchain's bias
// removed. Everything is checked before the first byte is written.

#include "scalar_bits.h"
#include "scalar_dequantize.h"
#include "scalar_schemes.h"
#include "scalar_tensor.h"

enum { kWeights = 0, kScales = 1, kZeroPoints = 2, kBuffers = 3 };
enum { kAlignment = 64, kFloat16 = 1, kFloat32 = 3 };

// The geometry of the groups.
struct groups {
  uint64_t along;  // of one row
  uint64_t rows;   // indices across the axis
  uint64_t count;  // of both
};

static bool shape_is_valid(const struct hurray_foreign_tensor* foreign) {
  if (foreign->rank == 0 || foreign->rank > HURRAY_MOST_RANK || foreign->shape == NULL ||
      foreign->axis >= foreign->rank) {
    return false;
  }
  for (uint32_t i = 0; i < foreign->rank; ++i) {
    if (foreign->shape[i] == HURRAY_DYNAMIC) return false;
  }
  const uint64_t size = foreign->shape[foreign->axis];
  return foreign->group_size >= 2 && is_power_of_two(foreign->group_size) &&
         (size == 0 || foreign->group_size <= size);
}

static bool find_groups(const struct hurray_foreign_tensor* foreign, struct groups* groups) {
  uint64_t rows = 1;
  bool is_empty = false, fits = true;
  for (uint32_t i = 0; i < foreign->rank; ++i) {
    is_empty = is_empty || foreign->shape[i] == 0;
    if (i != foreign->axis) fits = multiply(rows, foreign->shape[i], &rows) && fits;
  }
  const struct groups none = {0, 0, 0};
  *groups = none;
  if (is_empty) return true;
  groups->along = divide_up(foreign->shape[foreign->axis], foreign->group_size);
  groups->rows = rows;
  return fits && multiply(groups->along, rows, &groups->count);
}

// Groups that are not runs of the axis cannot be expressed.   [HQ-ZP-011]
static bool is_in_order(const struct hurray_foreign_tensor* foreign) {
  if (foreign->group_index == NULL) return true;
  for (uint64_t i = 0; i < foreign->shape[foreign->axis]; ++i) {
    if (foreign->group_index[i] != i / foreign->group_size) return false;
  }
  return true;
}

// Where the scale and zero point of block `b` stand in the toolchain's order, as the run and the
// place in it.
static void find_source(const struct hurray_foreign_tensor* foreign, const struct groups* groups,
                        uint64_t b, uint64_t* run, uint64_t* place) {
  const uint64_t row = b / groups->along;
  const uint64_t group = b % groups->along;
  *run = foreign->group_major != 0 ? group : row;
  *place = foreign->group_major != 0 ? row : group;
}

static uint64_t run_length(const struct hurray_foreign_tensor* foreign,
                           const struct groups* groups) {
  return foreign->group_major != 0 ? groups->rows : groups->along;
}

// Fields from the start of one run to the start of the next: whole words where runs begin in one.
static uint64_t run_stride(const struct hurray_foreign_tensor* foreign,
                           const struct groups* groups) {
  const uint64_t per_word = 32 / foreign->zero_point_format.bits;
  const uint64_t length = run_length(foreign, groups);
  return foreign->word_bytes == 4 ? divide_up(length, per_word) * per_word : length;
}

static bool plane_is_valid(const struct hurray_foreign_tensor* foreign,
                           const struct groups* groups) {
  const struct hurray_zero_point_format* format = &foreign->zero_point_format;
  if (format->bits != 2 && format->bits != 4 && format->bits != 8) return false;
  if (format->high_field_first > 1 || foreign->group_major > 1) return false;
  if (foreign->word_bytes != 1 && foreign->word_bytes != 4) return false;
  if (format->bias > INT32_MAX - (int32_t)((1u << format->bits) - 1u)) return false;
  if (groups->count == 0) return true;
  // As many bytes as all runs take, and no field of them beyond.   [HQ-ZP-015]
  const uint64_t runs = groups->count / run_length(foreign, groups);
  uint64_t fields;
  return multiply(runs, run_stride(foreign, groups), &fields) &&
         divide_up(fields, 8 / format->bits) <= foreign->zero_points_bytes &&
         foreign->zero_points != NULL;
}

static bool scales_are_valid(const struct hurray_foreign_tensor* foreign,
                             const struct groups* groups) {
  if (foreign->scale_type_tag < kFloat16 || foreign->scale_type_tag > kFloat32) return false;
  uint64_t bytes;
  if (!multiply(groups->count, foreign->scale_type_tag == kFloat32 ? 4 : 2, &bytes) ||
      bytes != foreign->scales_bytes || (foreign->scales == NULL && bytes != 0)) {
    return false;
  }
  for (uint64_t i = 0; i < groups->count; ++i) {
    if (!hurray_scalar_is_affine_scale(
            hurray_scalar_load_scale(foreign->scales, foreign->scale_type_tag, i))) {
      return false;
    }
  }
  return true;
}

// Exactly as long as the shape asks for. A partial last group of a vector may come with its filler.
static bool weights_are_valid(const struct hurray_foreign_tensor* foreign) {
  const struct hurray_scalar_element* element = hurray_scalar_find_element(foreign->type_tag);
  uint64_t count = 1, bytes;
  for (uint32_t i = 0; i < foreign->rank; ++i) {
    if (foreign->shape[i] == 0) return foreign->weights_bytes == 0;
  }
  for (uint32_t i = 0; i < foreign->rank; ++i) {
    if (!multiply(count, foreign->shape[i], &count)) return false;
  }
  if (foreign->weights == NULL || !hurray_scalar_size(element, count, &bytes)) return false;
  if (foreign->weights_bytes == bytes) return true;
  if (foreign->rank != 1 || count % foreign->group_size == 0) return false;
  const uint64_t filler = foreign->group_size - count % foreign->group_size;
  return add(count, filler, &count) && hurray_scalar_size(element, count, &bytes) &&
         foreign->weights_bytes == bytes;
}

static int32_t load_zero_point(const struct hurray_foreign_tensor* foreign, uint64_t field) {
  const struct hurray_zero_point_format* format = &foreign->zero_point_format;
  const uint64_t per_byte = 8 / format->bits;
  const uint64_t flip = format->high_field_first != 0 ? per_byte - 1 : 0;
  const unsigned shift = (unsigned)((field % per_byte) ^ flip) * format->bits;
  const int32_t mask = (int32_t)((1u << format->bits) - 1u);
  return (foreign->zero_points[field / per_byte] >> shift & mask) + format->bias;
}

static hurray_status write_descriptor(const struct hurray_foreign_tensor* foreign,
                                      const struct groups* groups,
                                      struct hurray_converted_tensor* out) {
  const struct hurray_buffer_handle empty = {.alignment = kAlignment};
  struct hurray_tensor tensor = {.type_tag = foreign->type_tag,
                                 .layout_tag = kRowMajor,
                                 .flags = HURRAY_HAS_QUANTIZATION,
                                 .rank = foreign->rank,
                                 .buffer_count = kBuffers,
                                 .quantization = {.scheme_tag = kPerBlockAffine,
                                                  .scale_type_tag = kFloat32,
                                                  .axis = foreign->axis,
                                                  .block_size = foreign->group_size,
                                                  .scale_buffer_index = kScales,
                                                  .zero_point_buffer_index = kZeroPoints}};
  for (uint32_t i = 0; i < foreign->rank; ++i) tensor.shape[i] = foreign->shape[i];
  for (uint32_t i = 0; i < kBuffers; ++i) tensor.buffers[i] = empty;
  tensor.buffers[kWeights].byte_size = foreign->weights_bytes;
  tensor.buffers[kScales].byte_size = 4 * groups->count;
  tensor.buffers[kZeroPoints].byte_size = 4 * groups->count;
  // Judges the tensor as any other.   [HQ-ZP-014]
  return hurray_scalar_encode_tensor(&tensor, out->descriptor, out->descriptor_capacity,
                                     &out->descriptor_bytes);
}

hurray_status hurray_scalar_convert(const struct hurray_foreign_tensor* foreign,
                                    struct hurray_converted_tensor* out) {
  struct groups groups;
  if (foreign == NULL || out == NULL) return HURRAY_REJECTED;
  if (hurray_scalar_per_block_type(foreign->type_tag) == NULL || !shape_is_valid(foreign) ||
      !find_groups(foreign, &groups) || !plane_is_valid(foreign, &groups) ||
      !scales_are_valid(foreign, &groups) || !weights_are_valid(foreign) || !is_in_order(foreign)) {
    return HURRAY_REJECTED;
  }
  // A second level of scales cannot be expressed either.   [HQ-ZP-012]
  if (foreign->super_scales != NULL && foreign->super_scales_bytes != 0) return HURRAY_REJECTED;
  if (groups.count != 0 &&
      (out->weights == NULL || out->scales == NULL || out->zero_points == NULL)) {
    return HURRAY_REJECTED;
  }
  const hurray_status status = write_descriptor(foreign, &groups, out);
  if (status != HURRAY_OK) return status;

  for (size_t i = 0; i < foreign->weights_bytes; ++i) out->weights[i] = foreign->weights[i];
  const uint64_t length = run_length(foreign, &groups);
  const uint64_t stride = run_stride(foreign, &groups);
  for (uint64_t b = 0; b < groups.count; ++b) {
    uint64_t run, place;
    find_source(foreign, &groups, b, &run, &place);
    out->scales[b] =
        hurray_scalar_load_scale(foreign->scales, foreign->scale_type_tag, run * length + place);
    out->zero_points[b] = load_zero_point(foreign, run * stride + place);
  }
  return HURRAY_OK;
}
