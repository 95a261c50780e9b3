// SPDX-License-Identifier: Apache-2.0
//
// What does the descriptor of scheme 05 say, and is it valid? A power of two for each run of
// block_size elements along an axis, 16 bytes. Source: quantization/mxfp.md, rows HQ-MX. What only
// shape and buffer table can tell is in tensor_quantization.h.
//
//   offset   0           1               2      4     8           12
//   field    scheme_tag  scheme_version  flags  axis  block_size  scale_buffer_index
//   value    05          01              0      u32   u32         u32

#ifndef HURRAY_REFERENCE_MXFP_H
#define HURRAY_REFERENCE_MXFP_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/findings.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kMxfpBytes = 16;  // [HQ-MX-001]

struct Mxfp {
  std::uint16_t flags;  // 0
  std::uint32_t axis;
  std::uint32_t block_size;  // elements; a power of two, 16 to 2048
  std::uint32_t scale_buffer_index;

  friend bool operator==(const Mxfp&, const Mxfp&) = default;
};

// Whether the scheme stores elements of this type: e4m3 e5m2 e2m1 e2m3 e3m2 int8 int4.
bool is_mxfp_storage(std::uint8_t type_tag);  // [HQ-MX-016]

// 2^(scale_bits - 127) * the element, rounded once to binary32.
//   scale_bits      01 to fe; 00 and ff are computed with as small_float.h has them
//   element_value   what the element stands for, exactly   [HQ-MX-011..014; rulings A38, A39, A46]
float mxfp_value(std::uint8_t scale_bits, float element_value);

// As those of per_channel_affine.h.
void parse(std::span<const std::uint8_t> bytes, Mxfp& out, Findings& findings);
void judge(const Mxfp& descriptor, std::uint8_t storage_type_tag, Findings& findings);
[[nodiscard]] Status encode(const Mxfp& descriptor, std::uint8_t storage_type_tag,
                            std::span<std::uint8_t> out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_MXFP_H
