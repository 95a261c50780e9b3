// SPDX-License-Identifier: Apache-2.0
//
// Which element type stands at which bit of the table's type sets, and how wide is one element?
//
// The order is that of the list in hurray_target.h.

#ifndef HURRAY_KIT_TYPES_H
#define HURRAY_KIT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The storage types of the schemes come first.
enum { kStorageTypes = 15, kElementTypes = 26 };
#define HURRAY_KIT_STORAGE_TYPES ((1u << kStorageTypes) - 1)

static const struct {
  uint8_t tag;
  uint8_t bits;
} kElementType[kElementTypes] = {
    {0x10, 8},  {0x11, 8},  {0x12, 16}, {0x13, 16},  {0x14, 32},  {0x15, 32}, {0x48, 4},
    {0x49, 4},  {0x4a, 2},  {0x4b, 2},  {0x40, 8},   {0x41, 8},   {0x43, 4},  {0x44, 6},
    {0x45, 6},  {0x20, 1},  {0x42, 8},  {0x01, 16},  {0x02, 16},  {0x03, 32}, {0x04, 64},
    {0x16, 64}, {0x17, 64}, {0x50, 64}, {0x51, 128}, {0x46, 128},
};

// Bits per element if the set `types` has the element type with this tag, else 0.
static inline unsigned hurray_kit_claimed_bits(uint8_t tag, uint32_t types) {
  for (unsigned bit = 0; bit < kElementTypes; ++bit) {
    if (kElementType[bit].tag == tag && (types >> bit & 1) != 0) return kElementType[bit].bits;
  }
  return 0;
}

// Bytes of `count` packed elements; false if no request line could hold them.
static inline bool hurray_kit_packed_bytes(uint64_t count, unsigned bits, size_t* bytes) {
  if (count > UINT32_MAX) return false;
  // Elements of 6 bits fill groups of three bytes.
  const uint64_t wide = bits == 6 ? (count + 3) / 4 * 3 : (count * bits + 7) / 8;
  *bytes = (size_t)wide;
  return wide <= SIZE_MAX;
}

#endif  // HURRAY_KIT_TYPES_H
