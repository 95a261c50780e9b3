// SPDX-License-Identifier: Apache-2.0
//
// The fields of per-tensor affine, scheme 01 (HQ-PTA): one scale and one zero point, in the
// descriptor itself.

#include "scalar_bits.h"
#include "scalar_schemes.h"

static void read(const uint8_t* bytes, struct hurray_descriptor* fields) {
  fields->scale = bits_float(load_le32(bytes));
  fields->zero_point = bits_int32(load_le32(bytes + 4));
}

static void write(const struct hurray_descriptor* fields, uint8_t* bytes) {
  store_le32(bytes, float_bits(fields->scale));
  store_le32(bytes + 4, (uint32_t)fields->zero_point);
}

static bool is_valid(uint8_t type_tag, const struct hurray_descriptor* fields) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  return type != NULL && hurray_scalar_parameters_valid(type, fields->scale, fields->zero_point);
}

const struct hurray_scalar_scheme hurray_scalar_per_tensor_affine = {
    .bytes = 16, .reserved_bytes = 4, .read = read, .write = write, .is_valid = is_valid};
