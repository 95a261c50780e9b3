// SPDX-License-Identifier: Apache-2.0
//
// Values to packed bytes and back (HQ-PACK): the operations on element types.

#include "scalar.h"
#include "scalar_elements.h"

// The type if its elements have values, else NULL and why.
static const struct hurray_scalar_element* find_number(uint8_t type_tag, hurray_status* status) {
  const struct hurray_scalar_element* element = hurray_scalar_find_element(type_tag);
  *status = element == NULL ? HURRAY_REJECTED : HURRAY_UNSUPPORTED;
  return element == NULL || element->kind == kNoNumber ? NULL : element;
}

// Neither 00 nor ff: as data of e8m0 they mean nothing.   [HQ-PACK-021]
static bool is_power_of_two_code(uint64_t pattern) { return pattern - 1u < 0xfeu; }

static bool is_in_range(const struct hurray_scalar_element* element, int64_t value) {
  const unsigned bits = element->bits;
  if (element->kind == kPowerOfTwo) return is_power_of_two_code((uint64_t)value);
  if (bits == 64) return true;
  if (element->kind == kSigned) {
    const int64_t limit = INT64_C(1) << (bits - 1);
    return value >= -limit && value < limit;
  }
  return (uint64_t)value >> bits == 0;
}

hurray_status hurray_scalar_packed_bytes(uint8_t type_tag, uint64_t count, uint64_t* bytes) {
  const struct hurray_scalar_element* element = hurray_scalar_find_element(type_tag);
  uint64_t size;
  if (element == NULL || bytes == NULL) return HURRAY_REJECTED;
  if (!hurray_scalar_size(element, count, &size)) return HURRAY_REJECTED;
  *bytes = size;
  return HURRAY_OK;
}

hurray_status hurray_scalar_pack(uint8_t type_tag, const int64_t* values, size_t count,
                                 uint8_t* out) {
  hurray_status status;
  const struct hurray_scalar_element* element = find_number(type_tag, &status);
  if (element == NULL) return status;
  if (count == 0) return HURRAY_OK;
  if (values == NULL || out == NULL) return HURRAY_REJECTED;
  for (size_t i = 0; i < count; ++i) {
    if (!is_in_range(element, values[i])) return HURRAY_REJECTED;
  }
  const unsigned bits = element->bits;
  const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1u;
  // Bits that wait for their byte. Elements of 8 bits and more leave none behind.
  uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t pattern = (uint64_t)values[i] & mask;
    if (bits >= 8) {
      for (unsigned byte = 0; byte < bits / 8; ++byte, pattern >>= 8) {
        *out++ = (uint8_t)(pattern & 0xffu);
      }
      continue;
    }
    pending |= (uint32_t)pattern << pending_bits;
    pending_bits += bits;
    if (pending_bits < 8) continue;
    *out++ = (uint8_t)(pending & 0xffu);
    pending >>= 8;
    pending_bits -= 8;
  }
  if (pending_bits != 0) *out++ = (uint8_t)pending;
  // A group of 6-bit elements is three bytes whole.   [HQ-PACK-011, A42]
  if (bits == 6 && count % 4 == 1) {
    *out++ = 0;
    *out++ = 0;
  }
  if (bits == 6 && count % 4 == 2) *out++ = 0;
  return HURRAY_OK;
}

hurray_status hurray_scalar_unpack(uint8_t type_tag, const uint8_t* packed, size_t count,
                                   int64_t* values) {
  hurray_status status;
  const struct hurray_scalar_element* element = find_number(type_tag, &status);
  if (element == NULL) return status;
  if (count == 0) return HURRAY_OK;
  if (packed == NULL || values == NULL) return HURRAY_REJECTED;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bit = (uint64_t)i * element->bits;
    values[i] = hurray_scalar_integer(element, hurray_scalar_load(packed, bit, element->bits));
  }
  return HURRAY_OK;
}

hurray_status hurray_scalar_widen(uint8_t type_tag, const uint8_t* packed, size_t count,
                                  float* out) {
  hurray_status status;
  const struct hurray_scalar_element* element = find_number(type_tag, &status);
  if (element == NULL) return status;
  if (count == 0) return HURRAY_OK;
  if (packed == NULL || out == NULL) return HURRAY_REJECTED;
  const unsigned bits = element->bits;
  for (size_t i = 0; i < count && element->kind == kPowerOfTwo; ++i) {
    if (!is_power_of_two_code(packed[i])) return HURRAY_REJECTED;
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = hurray_scalar_value(element, hurray_scalar_load(packed, (uint64_t)i * bits, bits));
  }
  return HURRAY_OK;
}
