// SPDX-License-Identifier: Apache-2.0
//
// Which digest does a sweep expect, and which output has a digest? FNV-1a with 64 bits, taken over
// runs of equal elements at a time and, for single elements, backwards.

#ifndef HURRAY_CONFORMANCE_SWEEP_DIGEST_H
#define HURRAY_CONFORMANCE_SWEEP_DIGEST_H

#include <cstdint>
#include <optional>

namespace hurray::conformance {

class SweepDigest {
 public:
  std::uint64_t value() const { return value_; }

  void add_byte(std::uint8_t byte) { value_ = (value_ ^ byte) * kPrime; }
  // `count` times the low `width` bytes of `element`, little-endian; 1, 2 or 4 bytes.
  void add(std::uint32_t element, unsigned width, std::uint64_t count);

  static constexpr std::uint64_t kOffset = 0xcbf29ce484222325u;
  static constexpr std::uint64_t kPrime = 0x100000001b3u;

 private:
  std::uint64_t value_ = kOffset;
};

// The element of `width` bytes with this digest, as a sweep over a single input answers it; nothing
// if there is none. 1, 2 or 4 bytes.
std::optional<std::uint32_t> element_with(std::uint64_t digest, unsigned width);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_DIGEST_H
