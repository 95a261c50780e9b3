// SPDX-License-Identifier: Apache-2.0
//
// Which bytes are a per-tensor affine descriptor? Decoder and encoder of scheme 01 (HQ-PTA,
// HQ-HDR). Of the other schemes it knows the lengths, so that it can tell a truncated descriptor
// (rejected) from one that it merely does not implement (unsupported).

#include "scalar.h"
#include "scalar_bits.h"

enum { kPerTensorAffine = 1, kSchemeCount = 5, kBytes = 16, kVersion = 1 };

static const uint8_t kSchemeBytes[kSchemeCount + 1] = {0, kBytes, 20, 24, 16, 16};

hurray_status hurray_scalar_decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                                   struct hurray_descriptor* out) {
  if (bytes == NULL || out == NULL || length < 4) return HURRAY_REJECTED;
  const uint8_t tag = bytes[0];
  if (tag == 0 || tag > kSchemeCount || bytes[1] != kVersion) return HURRAY_REJECTED;
  if (length < kSchemeBytes[tag]) return HURRAY_REJECTED;
  if (tag != kPerTensorAffine) return HURRAY_UNSUPPORTED;

  // A longer section carries a tail for later versions: not looked at.   [A12]
  const uint32_t header = load_le32(bytes);
  const float scale = bits_float(load_le32(bytes + 4));
  const int32_t zero_point = bits_int32(load_le32(bytes + 8));
  const uint32_t reserved = load_le32(bytes + 12);

  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  if (type == NULL) return HURRAY_REJECTED;
  if (header >> 16 != 0 || reserved != 0) return HURRAY_REJECTED;
  if (!hurray_scalar_parameters_valid(type, scale, zero_point)) return HURRAY_REJECTED;

  const struct hurray_descriptor descriptor = {
      .scheme_tag = kPerTensorAffine, .scale = scale, .zero_point = zero_point};
  *out = descriptor;
  return HURRAY_OK;
}

hurray_status hurray_scalar_encode(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                                   uint8_t* out, size_t capacity, size_t* written) {
  if (descriptor == NULL || out == NULL || written == NULL) return HURRAY_REJECTED;
  const struct hurray_descriptor d = *descriptor;
  if (d.scheme_tag == 0 || d.scheme_tag > kSchemeCount) return HURRAY_REJECTED;
  if (d.scheme_tag != kPerTensorAffine) return HURRAY_UNSUPPORTED;

  // Fields of other schemes have no place in these bytes: refused rather than dropped.
  if ((d.flags | d.scale_type_tag | d.axis | d.block_size | d.scale_buffer_index |
       d.zero_point_buffer_index) != 0) {
    return HURRAY_REJECTED;
  }
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  if (type == NULL || !hurray_scalar_parameters_valid(type, d.scale, d.zero_point)) {
    return HURRAY_REJECTED;
  }
  if (capacity < kBytes) return HURRAY_REJECTED;

  store_le32(out, kPerTensorAffine | kVersion << 8);
  store_le32(out + 4, float_bits(d.scale));
  store_le32(out + 8, (uint32_t)d.zero_point);
  store_le32(out + 12, 0);
  *written = kBytes;
  return HURRAY_OK;
}
