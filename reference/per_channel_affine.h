// SPDX-License-Identifier: Apache-2.0
//
// What does the descriptor of scheme 02 say, and is it valid? One scale and one zero point for each
// index along an axis, kept in buffers of their own, 20 bytes. Source:
// quantization/per-channel-affine.md, rows HQ-PCA. What only shape and buffer table can tell is in
// tensor_quantization.h, what only the buffers' contents can tell in dequantize_tensor.h.
//
//   offset   0           1               2      4     8                   12
//   field    scheme_tag  scheme_version  flags  axis  scale_buffer_index  zero_point_buffer_index
//   value    02          01              u16    u32   u32                 u32
//   offset   16              17
//   field    scale_type_tag  reserved
//   value    03              00 00 00

#ifndef HURRAY_REFERENCE_PER_CHANNEL_AFFINE_H
#define HURRAY_REFERENCE_PER_CHANNEL_AFFINE_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/findings.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kPerChannelAffineBytes = 20;  // [HQ-PCA-026]

// Flag bit 0 of schemes 02 and 03: all zero points are 0 and there is no array of them.
inline constexpr std::uint16_t kSymmetric = 1;
// What zero_point_buffer_index is then.
inline constexpr std::uint32_t kNoBufferIndex = 0xffffffff;

struct PerChannelAffine {
  std::uint16_t flags;
  std::uint32_t axis;
  std::uint32_t scale_buffer_index;
  std::uint32_t zero_point_buffer_index;
  std::uint8_t scale_type_tag;  // 03, float32

  friend bool operator==(const PerChannelAffine&, const PerChannelAffine&) = default;
};

// Reads the fields and judges what is in the bytes alone: length, tag, version, reserved bytes.
//   bytes   any alignment, any length; nothing outside is read
//   out     written if the bytes have the scheme's tag and its length at least, else untouched
void parse(std::span<const std::uint8_t> bytes, PerChannelAffine& out, Findings& findings);

// Judges what the fields say, by themselves and against the element type of the tensor. Of the
// indices only what is wrong with any buffer table.
void judge(const PerChannelAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings);

// Writes 20 bytes, and only on kOk, which means that judge() has found nothing that has to or
// should be refused. Otherwise the status of the gravest finding, or kBufferTooSmall.
[[nodiscard]] Status encode(const PerChannelAffine& descriptor, std::uint8_t storage_type_tag,
                            std::span<std::uint8_t> out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_PER_CHANNEL_AFFINE_H
