// SPDX-License-Identifier: Apache-2.0
//
// The fields of MXFP, scheme 05 (HQ-MX): small floats or integers, and a power of two for each
// block of them.

#include "scalar_bits.h"
#include "scalar_schemes.h"

enum { kLeastBlock = 16, kMostBlock = 2048 };

static void read(const uint8_t* bytes, struct hurray_descriptor* fields) {
  fields->axis = load_le32(bytes);
  fields->block_size = load_le32(bytes + 4);
  fields->scale_buffer_index = load_le32(bytes + 8);
}

static void write(const struct hurray_descriptor* fields, uint8_t* bytes) {
  store_le32(bytes, fields->axis);
  store_le32(bytes + 4, fields->block_size);
  store_le32(bytes + 8, fields->scale_buffer_index);
}

static bool is_storage_type(uint8_t type_tag) {  // [HQ-MX-016]
  switch (type_tag) {
    case 0x10:  // int8
    case 0x40:  // float8_e4m3
    case 0x41:  // float8_e5m2
    case 0x43:  // float4_e2m1
    case 0x44:  // float6_e2m3
    case 0x45:  // float6_e3m2
    case 0x48:  // int4
      return true;
    default:
      return false;
  }
}

static bool is_valid(uint8_t type_tag, const struct hurray_descriptor* fields) {
  return is_storage_type(type_tag) && fields->block_size >= kLeastBlock &&
         fields->block_size <= kMostBlock && is_power_of_two(fields->block_size);
}

const struct hurray_scalar_scheme hurray_scalar_mxfp = {
    .bytes = 16, .read = read, .write = write, .is_valid = is_valid};
