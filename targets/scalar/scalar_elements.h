// SPDX-License-Identifier: Apache-2.0
//
// What is an element type to the scalar target? Every type of the format with its width, and how
// one element is taken out of packed bytes and read as a number.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_ELEMENTS_H
#define HURRAY_TARGETS_SCALAR_SCALAR_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hurray_scalar_kind {
  kUnsigned,     // bool too: one bit
  kSigned,       // two's complement
  kIeeeFloat,    // with infinities where the exponent is all ones
  kFiniteFloat,  // every pattern is a number
  kE4m3,         // as finite, but the two patterns with all other bits set are NaN
  kPowerOfTwo,   // e8m0: neither 0 nor ff
  kNoNumber,     // complex and 128-bit types: not of one number, or not of 64 bits
};

struct hurray_scalar_element {
  uint8_t tag;
  uint8_t bits;
  uint8_t kind;           // enum hurray_scalar_kind
  uint8_t mantissa_bits;  // of the small floats
  uint8_t bias;
};

// The type with this tag, or NULL if the format has none.
const struct hurray_scalar_element* hurray_scalar_find_element(uint8_t type_tag);

// Bytes of `count` packed elements; false if that is more than 64 bits hold. [HQ-PACK-012..014]
bool hurray_scalar_size(const struct hurray_scalar_element* element, uint64_t count,
                        uint64_t* bytes);

// The bits of the element that begins `bit` bits after the start of `packed`; at most 64 of them.
// Types of up to 8 bits are read from one byte or two, wider ones begin at a whole byte.
uint64_t hurray_scalar_load(const uint8_t* packed, uint64_t bit, unsigned bits);

// These bits as an integer, of kUnsigned and kSigned.
int64_t hurray_scalar_integer(const struct hurray_scalar_element* element, uint64_t pattern);

// Their value: small floats exactly, integers and binary64 rounded once to nearest-even.
float hurray_scalar_value(const struct hurray_scalar_element* element, uint64_t pattern);

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_ELEMENTS_H
