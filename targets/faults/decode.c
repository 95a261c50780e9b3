// SPDX-License-Identifier: Apache-2.0
//
// Faulty decoders.

#include <string.h>

#include "replacements.h"
#include "scalar/scalar.h"

enum { kBytes = 16, kZeroPointAt = 8 };

// Scalar judges a copy whose zero point is 0, legal for every type; the real one is put back after.
hurray_status fault_decode_zero_point_unchecked(uint8_t type_tag, const uint8_t* bytes,
                                                size_t length, struct hurray_descriptor* out) {
  if (bytes == NULL || length < kBytes) return hurray_scalar_decode(type_tag, bytes, length, out);
  uint8_t copy[kBytes];
  memcpy(copy, bytes, kBytes);
  memset(copy + kZeroPointAt, 0, 4);
  const hurray_status status = hurray_scalar_decode(type_tag, copy, kBytes, out);
  if (status != HURRAY_OK) return status;

  const uint8_t* z = bytes + kZeroPointAt;
  const uint32_t bits =
      (uint32_t)z[0] | (uint32_t)z[1] << 8 | (uint32_t)z[2] << 16 | (uint32_t)z[3] << 24;
  memcpy(&out->zero_point, &bits, sizeof bits);
  return HURRAY_OK;
}
