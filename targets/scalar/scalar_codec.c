// SPDX-License-Identifier: Apache-2.0
//
// Which bytes are a quantization descriptor? Decoder and encoder of all five schemes: the header,
// the length, reserved bits and bytes (HQ-HDR). The fields are each scheme's own.

#include "scalar.h"
#include "scalar_bits.h"
#include "scalar_schemes.h"

enum { kVersion = 1 };

const struct hurray_scalar_scheme* hurray_scalar_find_scheme(uint8_t tag) {
  static const struct hurray_scalar_scheme* const schemes[kSchemeCount] = {
      &hurray_scalar_per_tensor_affine, &hurray_scalar_per_channel_affine,
      &hurray_scalar_per_block_affine, &hurray_scalar_nf4, &hurray_scalar_mxfp};
  return tag == 0 || tag > kSchemeCount ? NULL : schemes[tag - 1];
}

hurray_status hurray_scalar_decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                                   struct hurray_descriptor* out) {
  if (bytes == NULL || out == NULL || length < kHeaderBytes) return HURRAY_REJECTED;
  const struct hurray_scalar_scheme* scheme = hurray_scalar_find_scheme(bytes[0]);
  if (scheme == NULL || bytes[1] != kVersion) return HURRAY_REJECTED;
  // A longer section carries a tail for later versions: not looked at.   [A12]
  if (length < scheme->bytes) return HURRAY_REJECTED;

  struct hurray_descriptor fields = {.scheme_tag = bytes[0], .flags = load_le16(bytes + 2)};
  if ((fields.flags & ~scheme->flags) != 0) return HURRAY_REJECTED;
  for (size_t i = 1; i <= scheme->reserved_bytes; ++i) {
    if (bytes[scheme->bytes - i] != 0) return HURRAY_REJECTED;
  }
  scheme->read(bytes + kHeaderBytes, &fields);
  if (!scheme->is_valid(type_tag, &fields)) return HURRAY_REJECTED;
  *out = fields;
  return HURRAY_OK;
}

static bool same_fields(const struct hurray_descriptor* a, const struct hurray_descriptor* b) {
  return a->scheme_tag == b->scheme_tag && a->scale_type_tag == b->scale_type_tag &&
         a->flags == b->flags && float_bits(a->scale) == float_bits(b->scale) &&
         a->zero_point == b->zero_point && a->axis == b->axis && a->block_size == b->block_size &&
         a->scale_buffer_index == b->scale_buffer_index &&
         a->zero_point_buffer_index == b->zero_point_buffer_index;
}

hurray_status hurray_scalar_encode(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                                   uint8_t* out, size_t capacity, size_t* written) {
  if (descriptor == NULL || out == NULL || written == NULL) return HURRAY_REJECTED;
  const struct hurray_scalar_scheme* scheme = hurray_scalar_find_scheme(descriptor->scheme_tag);
  if (scheme == NULL || (descriptor->flags & ~scheme->flags) != 0) return HURRAY_REJECTED;
  if (!scheme->is_valid(type_tag, descriptor)) return HURRAY_REJECTED;
  // A reader of a symmetric tensor may overlook the index; a writer has one value for it.
  if ((descriptor->flags & kSymmetric) != 0 && descriptor->zero_point_buffer_index != NO_BUFFER) {
    return HURRAY_REJECTED;  // [HQ-PCA-006, HQ-PBA-013]
  }
  if (capacity < scheme->bytes) return HURRAY_REJECTED;

  uint8_t bytes[kMostSchemeBytes] = {descriptor->scheme_tag, kVersion,
                                     (uint8_t)(descriptor->flags & 0xffu),
                                     (uint8_t)(descriptor->flags >> 8)};
  scheme->write(descriptor, bytes + kHeaderBytes);

  // Fields of other schemes have no place in these bytes: refused rather than dropped.
  struct hurray_descriptor back = {.scheme_tag = descriptor->scheme_tag,
                                   .flags = descriptor->flags};
  scheme->read(bytes + kHeaderBytes, &back);
  if (!same_fields(&back, descriptor)) return HURRAY_REJECTED;

  for (size_t i = 0; i < scheme->bytes; ++i) out[i] = bytes[i];
  *written = scheme->bytes;
  return HURRAY_OK;
}
