// SPDX-License-Identifier: Apache-2.0
//
// From descriptor to kernel on a device: scheme 01 (HQ-PTA, HQ-HDR) for the storage types that
// every reader has to know, and int8 and uint8 tensors by the functions of ra8_npu_quant.h. Scales
// are judged by their bits, so that no floating-point mode can change what is accepted.

#include "ra8_hurray.h"

#include <ra8_npu_quant.h>  // that of the firmware: see ra8_firmware_target.c
#include <stdbool.h>

enum { kSchemePerTensorAffine = 1, kLastScheme = 5, kVersion = 1, kDescriptorBytes = 16 };

// The value range of a storage type: 10 int8, 11 uint8 … 15 uint32. False for any other.
static bool range_of(uint8_t type_tag, int64_t* least, int64_t* most) {
  if (type_tag < 0x10 || type_tag > 0x15) return false;
  const unsigned bits = 8u << ((type_tag - 0x10u) / 2);
  const bool is_signed = type_tag % 2 == 0;
  *least = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
  *most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  return true;
}

static uint32_t bits_of(float value) {
  const union {
    float value;
    uint32_t bits;
  } u = {.value = value};
  return u.bits;
}

// A finite scale that is not zero, and a zero point that the type can hold.
// [HQ-PTA-006 to 009, 011, 016, 017]
static bool may_describe(uint8_t type_tag, float scale, int32_t zero_point) {
  int64_t least, most;
  const uint32_t magnitude = bits_of(scale) & 0x7fffffffu;
  return range_of(type_tag, &least, &most) && magnitude != 0 && magnitude < 0x7f800000u &&
         zero_point >= least && zero_point <= most;
}

static uint32_t get_word(const uint8_t* bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t* bytes, uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes[i] = (uint8_t)(word >> (8 * i));
}

hurray_status ra8_hurray_decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                                struct hurray_descriptor* out) {
  // Of the other schemes nothing is known but how long they are at least.
  static const uint8_t least_bytes[kLastScheme + 1] = {0, kDescriptorBytes, 20, 24, 16, 16};
  if (bytes == NULL || out == NULL || length < 4) return HURRAY_REJECTED;
  const uint8_t scheme = bytes[0];
  if (scheme == 0 || scheme > kLastScheme || bytes[1] != kVersion) return HURRAY_REJECTED;
  if (length < least_bytes[scheme]) return HURRAY_REJECTED;
  if (scheme != kSchemePerTensorAffine) return HURRAY_UNSUPPORTED;

  if (bytes[2] != 0 || bytes[3] != 0 || get_word(bytes + 12) != 0) return HURRAY_REJECTED;
  const union {
    uint32_t bits;
    float value;
  } scale = {.bits = get_word(bytes + 4)};
  const union {
    uint32_t bits;
    int32_t value;
  } zero_point = {.bits = get_word(bytes + 8)};
  // The sub-byte types 48 to 4b are legal too, and optional.
  if (type_tag >= 0x48 && type_tag <= 0x4b) return HURRAY_UNSUPPORTED;
  if (!may_describe(type_tag, scale.value, zero_point.value)) return HURRAY_REJECTED;

  const struct hurray_descriptor descriptor = {
      .scheme_tag = kSchemePerTensorAffine, .scale = scale.value, .zero_point = zero_point.value};
  *out = descriptor;
  return HURRAY_OK;
}

hurray_status ra8_hurray_encode(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                                uint8_t* out, size_t capacity, size_t* written) {
  if (descriptor == NULL || out == NULL || written == NULL) return HURRAY_REJECTED;
  const uint8_t scheme = descriptor->scheme_tag;
  if (scheme == 0 || scheme > kLastScheme) return HURRAY_REJECTED;
  if (scheme != kSchemePerTensorAffine) return HURRAY_UNSUPPORTED;
  const bool has_foreign_fields = descriptor->flags != 0 || descriptor->scale_type_tag != 0 ||
                                  descriptor->axis != 0 || descriptor->block_size != 0 ||
                                  descriptor->scale_buffer_index != 0 ||
                                  descriptor->zero_point_buffer_index != 0;
  if (has_foreign_fields || capacity < kDescriptorBytes) return HURRAY_REJECTED;
  if (type_tag >= 0x48 && type_tag <= 0x4b) return HURRAY_UNSUPPORTED;
  if (!may_describe(type_tag, descriptor->scale, descriptor->zero_point)) return HURRAY_REJECTED;

  put_word(out, kSchemePerTensorAffine | kVersion << 8);
  put_word(out + 4, bits_of(descriptor->scale));
  put_word(out + 8, (uint32_t)descriptor->zero_point);
  put_word(out + 12, 0);
  *written = kDescriptorBytes;
  return HURRAY_OK;
}

// Whatever the firmware's error was: it means that nothing was written.
#define STATUS_OF(CODE) ((CODE) == k_ra8_ok ? HURRAY_OK : HURRAY_REJECTED)

hurray_status ra8_hurray_dequantize(uint8_t type_tag, float scale, int32_t zero_point,
                                    const void* q, float* out, size_t count) {
  if (type_tag != 0x10 && type_tag != 0x11) return HURRAY_UNSUPPORTED;
  if (!may_describe(type_tag, scale, zero_point)) return HURRAY_REJECTED;
  return type_tag == 0x10
             ? STATUS_OF(ra8_npu_dequantize_i8((const int8_t*)q, out, count, scale, zero_point))
             : STATUS_OF(ra8_npu_dequantize_u8((const uint8_t*)q, out, count, scale, zero_point));
}

hurray_status ra8_hurray_quantize(uint8_t type_tag, float scale, int32_t zero_point,
                                  const float* in, void* q, size_t count) {
  if (type_tag != 0x10 && type_tag != 0x11) return HURRAY_UNSUPPORTED;
  if (!may_describe(type_tag, scale, zero_point)) return HURRAY_REJECTED;
  return type_tag == 0x10
             ? STATUS_OF(ra8_npu_quantize_i8(in, (int8_t*)q, count, scale, zero_point))
             : STATUS_OF(ra8_npu_quantize_u8(in, (uint8_t*)q, count, scale, zero_point));
}
