// SPDX-License-Identifier: Apache-2.0
//
// How do numbers lie in memory? Little-endian, on every host and at any address. [HQ-PTA-024,
// HQ-PACK-001] Each function touches exactly the bytes of its number, one at a time, so that
// neither the host's byte order nor its alignment rules can show.

#ifndef HURRAY_REFERENCE_BYTE_ORDER_H
#define HURRAY_REFERENCE_BYTE_ORDER_H

#include <bit>
#include <cstdint>

namespace hurray {

// `bytes` little-endian bytes as an unsigned number; 0 to 8 of them.
constexpr std::uint64_t load_le(const std::uint8_t* from, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  }
  return value;
}

// The low `bytes` bytes of `value`, least significant first.
constexpr void store_le(std::uint8_t* to, unsigned bytes, std::uint64_t value) {
  for (unsigned i = 0; i < bytes; ++i) {
    to[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

constexpr std::uint16_t load_le16(const std::uint8_t* from) {
  return static_cast<std::uint16_t>(load_le(from, 2));
}
constexpr std::uint32_t load_le32(const std::uint8_t* from) {
  return static_cast<std::uint32_t>(load_le(from, 4));
}
constexpr std::uint64_t load_le64(const std::uint8_t* from) { return load_le(from, 8); }

constexpr void store_le16(std::uint8_t* to, std::uint16_t value) { store_le(to, 2, value); }
constexpr void store_le32(std::uint8_t* to, std::uint32_t value) { store_le(to, 4, value); }
constexpr void store_le64(std::uint8_t* to, std::uint64_t value) { store_le(to, 8, value); }

// binary32 travels as its bit pattern: no conversion, so NaN payloads and subnormals survive.
constexpr float load_binary32(const std::uint8_t* from) {
  return std::bit_cast<float>(load_le32(from));
}
constexpr void store_binary32(std::uint8_t* to, float value) {
  store_le32(to, std::bit_cast<std::uint32_t>(value));
}

}  // namespace hurray

#endif  // HURRAY_REFERENCE_BYTE_ORDER_H
