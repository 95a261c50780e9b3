// SPDX-License-Identifier: Apache-2.0
//
// What is the digest of billions of output bytes, without a multiplication for each of them?
//
// FNV-1a is one long chain, h = (h ^ byte) * prime. As h ^ byte differs from h in its lowest byte
// alone, n bytes turn h into h * prime^n + s, where s depends on the bytes and on the lowest byte
// of h. That lowest byte goes through an invertible function in which no bit depends on a higher
// one, so it is back where it was after 256 times the same element, and so is s the next time.
// Quantized floats are the same element for long stretches: those cost a comparison.

#ifndef HURRAY_KIT_DIGEST_H
#define HURRAY_KIT_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { kDigestPeriod = 256, kWidestElement = 4 };

struct kit_digest {
  uint64_t value;
  unsigned width;  // bytes of an element
  uint64_t power;  // prime^(256 * width)
  // The last stretch of 256 times `element` began with the lowest byte `low` and added `sum`.
  bool is_known;
  uint8_t element[kWidestElement];
  uint8_t low;
  uint64_t sum;
};

#define HURRAY_KIT_FNV_PRIME UINT64_C(0x100000001b3)

// The digest of nothing, for elements of 1, 2 or 4 bytes.
static inline struct kit_digest hurray_kit_no_digest(unsigned width) {
  struct kit_digest digest;
  __builtin_memset(&digest, 0, sizeof digest);
  digest.value = UINT64_C(0xcbf29ce484222325);
  digest.width = width;
  digest.power = HURRAY_KIT_FNV_PRIME;
  for (unsigned n = 1; n < kDigestPeriod * width; n *= 2) digest.power *= digest.power;
  return digest;
}

static inline uint64_t hurray_kit_digest_bytes(uint64_t value, const uint8_t* bytes,
                                               size_t length) {
  for (size_t i = 0; i < length; ++i) value = (value ^ bytes[i]) * HURRAY_KIT_FNV_PRIME;
  return value;
}

// Adds 256 times the element at `bytes`.
static inline void hurray_kit_digest_stretch(struct kit_digest* digest, const uint8_t* bytes) {
  const uint64_t before = digest->value;
  if (digest->is_known && digest->low == (uint8_t)before &&
      __builtin_memcmp(digest->element, bytes, digest->width) == 0) {
    digest->value = before * digest->power + digest->sum;
    return;
  }
  digest->value = hurray_kit_digest_bytes(before, bytes, (size_t)kDigestPeriod * digest->width);
  digest->is_known = (uint8_t)digest->value == (uint8_t)before;
  digest->low = (uint8_t)before;
  digest->sum = digest->value - before * digest->power;
  __builtin_memcpy(digest->element, bytes, digest->width);
}

static inline void hurray_kit_digest_add(struct kit_digest* digest, const uint8_t* bytes,
                                         size_t length) {
  const size_t stretch = (size_t)kDigestPeriod * digest->width;
  for (; length >= stretch; bytes += stretch, length -= stretch) {
    if (__builtin_memcmp(bytes, bytes + digest->width, stretch - digest->width) == 0) {
      hurray_kit_digest_stretch(digest, bytes);
    } else {
      digest->value = hurray_kit_digest_bytes(digest->value, bytes, stretch);
    }
  }
  digest->value = hurray_kit_digest_bytes(digest->value, bytes, length);
}

#endif  // HURRAY_KIT_DIGEST_H
