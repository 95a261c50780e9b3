// SPDX-License-Identifier: Apache-2.0
//
// Which storage type stands at which bit of the table's type sets, and how wide is one element?
//
// The order is that of the list in hurray_target.h.

#ifndef HURRAY_KIT_TYPES_H
#define HURRAY_KIT_TYPES_H

#include <stdint.h>

enum { kStorageTypes = 15 };

static const struct {
  uint8_t tag;
  uint8_t bits;
} kStorageType[kStorageTypes] = {
    {0x10, 8}, {0x11, 8}, {0x12, 16}, {0x13, 16}, {0x14, 32}, {0x15, 32}, {0x48, 4}, {0x49, 4},
    {0x4a, 2}, {0x4b, 2}, {0x40, 8},  {0x41, 8},  {0x43, 4},  {0x44, 6},  {0x45, 6},
};

// Bits per element if the set `types` has the storage type with this tag, else 0.
static inline unsigned hurray_kit_claimed_bits(uint8_t tag, uint32_t types) {
  for (unsigned bit = 0; bit < kStorageTypes; ++bit) {
    if (kStorageType[bit].tag == tag && (types >> bit & 1) != 0) return kStorageType[bit].bits;
  }
  return 0;
}

#endif  // HURRAY_KIT_TYPES_H
