// SPDX-License-Identifier: Apache-2.0
//
// The fields of per-channel affine, scheme 02 (HQ-PCA): a scale and a zero point for each index
// along an axis, in buffers of their own.

#include "scalar_bits.h"
#include "scalar_schemes.h"

enum { kFloat32 = 3 };

static void read(const uint8_t* bytes, struct hurray_descriptor* fields) {
  fields->axis = load_le32(bytes);
  fields->scale_buffer_index = load_le32(bytes + 4);
  fields->zero_point_buffer_index = load_le32(bytes + 8);
  fields->scale_type_tag = bytes[12];
}

static void write(const struct hurray_descriptor* fields, uint8_t* bytes) {
  store_le32(bytes, fields->axis);
  store_le32(bytes + 4, fields->scale_buffer_index);
  store_le32(bytes + 8, fields->zero_point_buffer_index);
  bytes[12] = fields->scale_type_tag;
}

static bool is_valid(uint8_t type_tag, const struct hurray_descriptor* fields) {
  // Symmetric and without a zero-point buffer are the same thing.   [HQ-PCA-006, 007; A18, A19]
  const bool is_symmetric = (fields->flags & kSymmetric) != 0;
  return hurray_scalar_find_type(type_tag) != NULL && fields->scale_type_tag == kFloat32 &&
         is_symmetric == (fields->zero_point_buffer_index == NO_BUFFER);
}

const struct hurray_scalar_scheme hurray_scalar_per_channel_affine = {.bytes = 20,
                                                                      .reserved_bytes = 3,
                                                                      .flags = kSymmetric,
                                                                      .read = read,
                                                                      .write = write,
                                                                      .is_valid = is_valid};
