// SPDX-License-Identifier: Apache-2.0
//
// How do the fields of a quantization descriptor stand in a request and in an answer?

#include "kit_descriptor.h"

void hurray_kit_read_descriptor(const struct kit_request* request,
                                struct hurray_descriptor* descriptor) {
  __builtin_memset(descriptor, 0, sizeof *descriptor);
  descriptor->scheme_tag = request->scheme;
  descriptor->scale_type_tag = request->scale_type_tag;
  descriptor->flags = (uint16_t)request->flags;
  // Not through a float, which a signalling NaN may not survive.
  __builtin_memcpy(&descriptor->scale, &request->scale_bits, sizeof descriptor->scale);
  descriptor->zero_point = request->zero_point;
  descriptor->axis = request->axis;
  descriptor->block_size = request->block_size;
  descriptor->scale_buffer_index = request->scale_buffer_index;
  descriptor->zero_point_buffer_index = request->zero_point_buffer_index;
}

static bool has(uint64_t keys, enum kit_key key) { return (keys >> key & 1) != 0; }

static void put_key(struct kit_output* output, enum kit_key key) {
  HURRAY_KIT_PUT(output, " ");
  hurray_kit_put(output, hurray_kit_keys[key].name);
  HURRAY_KIT_PUT(output, "=");
}

static void put_number(struct kit_output* output, uint64_t keys, enum kit_key key, uint32_t value) {
  if (!has(keys, key)) return;
  put_key(output, key);
  hurray_kit_put_unsigned(output, value);
}

static void put_hex(struct kit_output* output, uint64_t keys, enum kit_key key, uint32_t value,
                    unsigned digits) {
  if (!has(keys, key)) return;
  put_key(output, key);
  hurray_kit_put_hex_number(output, value, digits);
}

void hurray_kit_put_fields(struct kit_output* output, const struct hurray_descriptor* descriptor,
                           uint64_t keys) {
  uint32_t scale_bits;
  __builtin_memcpy(&scale_bits, &descriptor->scale, sizeof scale_bits);
  put_hex(output, keys, kKeyScale, scale_bits, 8);
  if (has(keys, kKeyZeroPoint)) {
    put_key(output, kKeyZeroPoint);
    hurray_kit_put_int32(output, descriptor->zero_point);
  }
  put_hex(output, keys, kKeyFlags, descriptor->flags, 4);
  put_number(output, keys, kKeyAxis, descriptor->axis);
  put_number(output, keys, kKeyBlockSize, descriptor->block_size);
  put_number(output, keys, kKeyScaleBufferIndex, descriptor->scale_buffer_index);
  put_number(output, keys, kKeyZeroPointBufferIndex, descriptor->zero_point_buffer_index);
  put_hex(output, keys, kKeyScaleTypeTag, descriptor->scale_type_tag, 2);
}

bool hurray_kit_same_fields(const struct hurray_descriptor* a, const struct hurray_descriptor* b,
                            uint64_t keys) {
  if (a->scheme_tag != b->scheme_tag) return false;
  return !((has(keys, kKeyScale) && __builtin_memcmp(&a->scale, &b->scale, sizeof a->scale) != 0) ||
           (has(keys, kKeyZeroPoint) && a->zero_point != b->zero_point) ||
           (has(keys, kKeyFlags) && a->flags != b->flags) ||
           (has(keys, kKeyAxis) && a->axis != b->axis) ||
           (has(keys, kKeyBlockSize) && a->block_size != b->block_size) ||
           (has(keys, kKeyScaleBufferIndex) && a->scale_buffer_index != b->scale_buffer_index) ||
           (has(keys, kKeyZeroPointBufferIndex) &&
            a->zero_point_buffer_index != b->zero_point_buffer_index) ||
           (has(keys, kKeyScaleTypeTag) && a->scale_type_tag != b->scale_type_tag));
}

uint32_t hurray_kit_count_other_fields(const struct hurray_descriptor* descriptor, uint64_t keys) {
  struct hurray_descriptor others;
  __builtin_memcpy(&others, descriptor, sizeof others);
  others.scheme_tag = 0;
  if (has(keys, kKeyScale)) __builtin_memset(&others.scale, 0, sizeof others.scale);
  if (has(keys, kKeyZeroPoint)) others.zero_point = 0;
  if (has(keys, kKeyFlags)) others.flags = 0;
  if (has(keys, kKeyAxis)) others.axis = 0;
  if (has(keys, kKeyBlockSize)) others.block_size = 0;
  if (has(keys, kKeyScaleBufferIndex)) others.scale_buffer_index = 0;
  if (has(keys, kKeyZeroPointBufferIndex)) others.zero_point_buffer_index = 0;
  if (has(keys, kKeyScaleTypeTag)) others.scale_type_tag = 0;
  const uint8_t* bytes = (const uint8_t*)&others;
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof others; ++i) count += bytes[i] != 0;
  return count;
}
