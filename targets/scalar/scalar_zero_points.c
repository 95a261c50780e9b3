// SPDX-License-Identifier: Apache-2.0
//
// What are the true zero points in a plane that a foreign toolchain packed? HQ-ZP-005 to 008, 015.
// Fields of 1, 2, 4 and 8 bits; a field never straddles a byte. The sum is taken in int32: a
// stored 15 plus 1 is 16.

#include "scalar.h"

hurray_status hurray_scalar_normalize_zero_points(const struct hurray_zero_point_format* format,
                                                  const uint8_t* packed, size_t packed_bytes,
                                                  size_t count, int32_t* out) {
  if (format == NULL) return HURRAY_REJECTED;
  const uint32_t bits = format->bits;
  if (bits != 1 && bits != 2 && bits != 4 && bits != 8) return HURRAY_UNSUPPORTED;

  const size_t per_byte = 8 / bits;
  const int32_t mask = (1 << bits) - 1;
  // Compared in bytes, so that no count can wrap.
  const size_t needed = count / per_byte + (count % per_byte != 0);
  if (needed > packed_bytes || format->bias > INT32_MAX - mask) return HURRAY_REJECTED;
  if (count == 0) return HURRAY_OK;
  if (packed == NULL || out == NULL) return HURRAY_REJECTED;

  const size_t flip = format->high_field_first != 0 ? per_byte - 1 : 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t position = (i % per_byte) ^ flip;
    const int32_t field = packed[i / per_byte] >> (position * bits) & mask;
    out[i] = field + format->bias;
  }
  return HURRAY_OK;
}
