// SPDX-License-Identifier: Apache-2.0
//
// How do elements of every type lie in bytes, and which numbers are they (HQ-PACK)? Elements
// narrower than a byte fill it from its low bits, so that element i begins at bit i * bits whatever
// the width; the three bytes of four 6-bit elements are one little-endian number.

#include "scalar_elements.h"

#include "scalar.h"
#include "scalar_bits.h"

static const struct hurray_scalar_element kElements[] = {
    {0x01, 16, kIeeeFloat, 10, 15}, {0x02, 16, kIeeeFloat, 7, 127}, {0x03, 32, kIeeeFloat, 23, 127},
    {0x04, 64, kIeeeFloat, 52, 0},  {0x10, 8, kSigned, 0, 0},       {0x11, 8, kUnsigned, 0, 0},
    {0x12, 16, kSigned, 0, 0},      {0x13, 16, kUnsigned, 0, 0},    {0x14, 32, kSigned, 0, 0},
    {0x15, 32, kUnsigned, 0, 0},    {0x16, 64, kSigned, 0, 0},      {0x17, 64, kUnsigned, 0, 0},
    {0x20, 1, kUnsigned, 0, 0},     {0x40, 8, kE4m3, 3, 7},         {0x41, 8, kIeeeFloat, 2, 15},
    {0x42, 8, kPowerOfTwo, 0, 127}, {0x43, 4, kFiniteFloat, 1, 1},  {0x44, 6, kFiniteFloat, 3, 1},
    {0x45, 6, kFiniteFloat, 2, 3},  {0x46, 128, kNoNumber, 0, 0},   {0x48, 4, kSigned, 0, 0},
    {0x49, 4, kUnsigned, 0, 0},     {0x4a, 2, kSigned, 0, 0},       {0x4b, 2, kUnsigned, 0, 0},
    {0x50, 64, kNoNumber, 0, 0},    {0x51, 128, kNoNumber, 0, 0},
};

const struct hurray_scalar_element* hurray_scalar_find_element(uint8_t type_tag) {
  for (size_t i = 0; i < sizeof kElements / sizeof kElements[0]; ++i) {
    if (kElements[i].tag == type_tag) return &kElements[i];
  }
  return NULL;
}

bool hurray_scalar_size(const struct hurray_scalar_element* element, uint64_t count,
                        uint64_t* bytes) {
  if (element->bits == 6) {
    *bytes = (count / 4 + (count % 4 != 0)) * 3;
  } else if (element->bits < 8) {
    const uint64_t per_byte = 8u / element->bits;
    *bytes = count / per_byte + (count % per_byte != 0);
  } else {
    const uint64_t width = element->bits / 8u;
    if (count > UINT64_MAX / width) return false;
    *bytes = count * width;
  }
  return true;
}

uint64_t hurray_scalar_load(const uint8_t* packed, uint64_t bit, unsigned bits) {
  const uint8_t* p = packed + bit / 8;
  uint64_t pattern = 0;
  if (bits >= 8) {
    for (unsigned i = 0; i < bits / 8; ++i) pattern |= (uint64_t)p[i] << (8 * i);
    return pattern;
  }
  const unsigned shift = (unsigned)(bit % 8);
  pattern = (uint64_t)p[0] >> shift;
  if (shift + bits > 8) pattern |= (uint64_t)p[1] << (8 - shift);
  return pattern & ((1u << bits) - 1u);
}

int64_t hurray_scalar_integer(const struct hurray_scalar_element* element, uint64_t pattern) {
  if (element->kind == kSigned) {
    const uint64_t sign = UINT64_C(1) << (element->bits - 1);
    return bits_int64((pattern ^ sign) - sign);
  }
  return bits_int64(pattern);
}

// A float of at most 16 bits, which binary32 holds exactly: its bits are put together, so that no
// mode of a floating-point unit has a say.
static float small_float(const struct hurray_scalar_element* element, uint32_t pattern) {
  const uint32_t mantissa_bits = element->mantissa_bits;
  const uint32_t sign = pattern >> (element->bits - 1) << 31;
  const uint32_t exponent_mask = (1u << (element->bits - 1u - mantissa_bits)) - 1u;
  uint32_t exponent = pattern >> mantissa_bits & exponent_mask;
  uint32_t mantissa = pattern & ((1u << mantissa_bits) - 1u);

  if (element->kind == kIeeeFloat && exponent == exponent_mask) {
    return bits_float(sign | 0x7f800000u | mantissa << (23 - mantissa_bits));
  }
  if (element->kind == kE4m3 && (pattern & 0x7fu) == 0x7fu) return bits_float(sign | 0x7fc00000u);
  if (exponent == 0) {
    if (mantissa == 0) return bits_float(sign);
    // bfloat16 has the exponents of binary32, and its subnormals are subnormal there.
    if (element->bias == 127) return bits_float(sign | mantissa << (23 - mantissa_bits));
    uint32_t shifts = 0;
    while (mantissa >> mantissa_bits == 0) {
      mantissa <<= 1;
      ++shifts;
    }
    mantissa &= (1u << mantissa_bits) - 1u;
    // Still counted from the type's bias: 1 for subnormals, less what they were shifted.
    return bits_float(sign | (128u - element->bias - shifts) << 23 |
                      mantissa << (23 - mantissa_bits));
  }
  exponent += 127u - element->bias;
  return bits_float(sign | exponent << 23 | mantissa << (23 - mantissa_bits));
}

float hurray_scalar_value(const struct hurray_scalar_element* element, uint64_t pattern) {
  switch (element->kind) {
    case kUnsigned:
      return (float)pattern;
    case kSigned:
      return (float)hurray_scalar_integer(element, pattern);
    case kPowerOfTwo:
      return bits_float((uint32_t)pattern << 23);
    default:
      break;
  }
  if (element->bits == 64) {
    union {
      uint64_t bits;
      double value;
    } wide = {.bits = pattern};
    return (float)wide.value;
  }
  return element->bits == 32 ? bits_float((uint32_t)pattern)
                             : small_float(element, (uint32_t)pattern);
}
