// SPDX-License-Identifier: Apache-2.0
//
// What does the descriptor of scheme 04 say, and which sixteen levels do its codes stand for? A
// scale for each run of block_size elements along an axis, times a fixed level, 16 bytes. Source:
// quantization/nf4.md, rows HQ-NF4. What only shape and buffer table can tell is in
// tensor_quantization.h.
//
//   offset   0           1               2      4     8           12
//   field    scheme_tag  scheme_version  flags  axis  block_size  scale_buffer_index
//   value    04          01              0      u32   u32         u32

#ifndef HURRAY_REFERENCE_NF4_H
#define HURRAY_REFERENCE_NF4_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kNf4Bytes = 16;  // [HQ-NF4-001]

struct Nf4 {
  std::uint16_t flags;  // 0
  std::uint32_t axis;
  std::uint32_t block_size;  // elements; a power of two, at least 8
  std::uint32_t scale_buffer_index;

  friend bool operator==(const Nf4&, const Nf4&) = default;
};

// Code to level, as binary32 bits: the table is part of the format.   [HQ-NF4-007, -008]
inline constexpr std::array<std::uint32_t, 16> kNf4LevelBits = {
    0xbf800000, 0xbf3239b1, 0xbf066b30, 0xbeca32a0, 0xbe91a24d, 0xbe3d353f, 0xbdba7871, 0x00000000,
    0x3da2faff, 0x3e24cae3, 0x3e7c04dd, 0x3ead033a, 0x3ee1a4b8, 0x3f1007ab, 0x3f3913b3, 0x3f800000};

// scale * level[code]: one binary32 product, nearest-even.
//   code   0 to 15   [HQ-NF4-010; rulings A05, A36]
float nf4_value(float scale, unsigned code, const Choices& choices = {});

// As those of per_channel_affine.h.
void parse(std::span<const std::uint8_t> bytes, Nf4& out, Findings& findings);
void judge(const Nf4& descriptor, std::uint8_t storage_type_tag, Findings& findings);
[[nodiscard]] Status encode(const Nf4& descriptor, std::uint8_t storage_type_tag,
                            std::span<std::uint8_t> out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_NF4_H
