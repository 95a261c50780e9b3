// SPDX-License-Identifier: Apache-2.0
//
// The scalar target without its byte swaps: words lie in memory as the processor has them, which is
// wrong where that is not little-endian. Included before everything else of each file.

#ifndef HURRAY_FAULTS_NATIVE_ORDER_H
#define HURRAY_FAULTS_NATIVE_ORDER_H

#include <string.h>

#include "scalar/scalar_bits.h"

static inline uint32_t load_native32(const uint8_t* p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static inline void store_native32(uint8_t* p, uint32_t word) { memcpy(p, &word, sizeof word); }

#define load_le32(p) load_native32(p)
#define store_le32(p, word) store_native32(p, word)

#endif  // HURRAY_FAULTS_NATIVE_ORDER_H
