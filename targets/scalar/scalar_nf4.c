// SPDX-License-Identifier: Apache-2.0
//
// The fields of NF4, scheme 04 (HQ-NF4): codes of four bits that stand for sixteen fixed levels,
// and a scale for each block of them.

#include "scalar_bits.h"
#include "scalar_schemes.h"

enum { kUint4 = 0x49, kLeastBlock = 8 };

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

static bool is_valid(uint8_t type_tag, const struct hurray_descriptor* fields) {
  return type_tag == kUint4 && fields->block_size >= kLeastBlock &&
         is_power_of_two(fields->block_size);
}

const struct hurray_scalar_scheme hurray_scalar_nf4 = {
    .bytes = 16, .read = read, .write = write, .is_valid = is_valid};
