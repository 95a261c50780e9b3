// SPDX-License-Identifier: Apache-2.0
//
// What does the descriptor of scheme 03 say, and is it valid? One scale and one zero point for each
// run of block_size elements along an axis, 24 bytes. Source: quantization/per-block-affine.md,
// rows HQ-PBA. What only shape and buffer table can tell is in tensor_quantization.h.
//
//   offset   0           1               2      4     8           12
//   field    scheme_tag  scheme_version  flags  axis  block_size  scale_buffer_index
//   value    03          01              u16    u32   u32         u32
//   offset   16                       20              21
//   field    zero_point_buffer_index  scale_type_tag  reserved
//   value    u32                      01, 02, 03      00 00 00

#ifndef HURRAY_REFERENCE_PER_BLOCK_AFFINE_H
#define HURRAY_REFERENCE_PER_BLOCK_AFFINE_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/findings.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kPerBlockAffineBytes = 24;  // [HQ-PBA-032]

struct PerBlockAffine {
  std::uint16_t flags;  // kSymmetric or 0
  std::uint32_t axis;
  std::uint32_t block_size;  // elements; a power of two, at least 2
  std::uint32_t scale_buffer_index;
  std::uint32_t zero_point_buffer_index;  // kNoBufferIndex if symmetric
  std::uint8_t scale_type_tag;            // 01 float16, 02 bfloat16, 03 float32

  friend bool operator==(const PerBlockAffine&, const PerBlockAffine&) = default;
};

// As those of per_channel_affine.h. Given a symmetric descriptor with a zero point index, which
// readers may ignore, encode writes ffffffff in its place (ruling A17).
void parse(std::span<const std::uint8_t> bytes, PerBlockAffine& out, Findings& findings);
void judge(const PerBlockAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings);
[[nodiscard]] Status encode(const PerBlockAffine& descriptor, std::uint8_t storage_type_tag,
                            std::span<std::uint8_t> out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_PER_BLOCK_AFFINE_H
