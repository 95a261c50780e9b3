// SPDX-License-Identifier: Apache-2.0
//
// The fields of per-block affine, scheme 03 (HQ-PBA): a scale and a zero point for each run of
// block_size elements along an axis. Scales may be narrower than binary32.

#include "scalar_bits.h"
#include "scalar_schemes.h"

enum { kFloat16 = 1, kFloat32 = 3, kLeastBlock = 2 };

static void read(const uint8_t* bytes, struct hurray_descriptor* fields) {
  fields->axis = load_le32(bytes);
  fields->block_size = load_le32(bytes + 4);
  fields->scale_buffer_index = load_le32(bytes + 8);
  fields->zero_point_buffer_index = load_le32(bytes + 12);
  fields->scale_type_tag = bytes[16];
}

static void write(const struct hurray_descriptor* fields, uint8_t* bytes) {
  store_le32(bytes, fields->axis);
  store_le32(bytes + 4, fields->block_size);
  store_le32(bytes + 8, fields->scale_buffer_index);
  store_le32(bytes + 12, fields->zero_point_buffer_index);
  bytes[16] = fields->scale_type_tag;
}

const struct hurray_scalar_type* hurray_scalar_per_block_type(uint8_t type_tag) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  return type != NULL && type->bits <= 8 ? type : NULL;
}

static bool is_valid(uint8_t type_tag, const struct hurray_descriptor* fields) {
  // The index of a symmetric tensor is ignored, whatever it is.   [HQ-PBA-014, A17]
  const bool has_zero_points = (fields->flags & kSymmetric) == 0;
  return hurray_scalar_per_block_type(type_tag) != NULL && fields->block_size >= kLeastBlock &&
         is_power_of_two(fields->block_size) && fields->scale_type_tag >= kFloat16 &&
         fields->scale_type_tag <= kFloat32 &&
         !(has_zero_points && fields->zero_point_buffer_index == NO_BUFFER);
}

const struct hurray_scalar_scheme hurray_scalar_per_block_affine = {.bytes = 24,
                                                                    .reserved_bytes = 3,
                                                                    .flags = kSymmetric,
                                                                    .read = read,
                                                                    .write = write,
                                                                    .is_valid = is_valid};
