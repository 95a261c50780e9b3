// SPDX-License-Identifier: Apache-2.0
//
// Which scheme is a quantization descriptor of, and what does it say? The first byte decides; the
// schemes' own files do the rest. Source: quantization.md, rows HQ-HDR.

#ifndef HURRAY_REFERENCE_QUANTIZATION_H
#define HURRAY_REFERENCE_QUANTIZATION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/mxfp.h"
#include "reference/nf4.h"
#include "reference/per_block_affine.h"
#include "reference/per_channel_affine.h"
#include "reference/per_tensor_affine.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::uint8_t kSchemePerTensorAffine = 0x01;
inline constexpr std::uint8_t kSchemePerChannelAffine = 0x02;
inline constexpr std::uint8_t kSchemePerBlockAffine = 0x03;
inline constexpr std::uint8_t kSchemeNf4 = 0x04;
inline constexpr std::uint8_t kSchemeMxfp = 0x05;

// The longest of the descriptors.
inline constexpr std::size_t kLongestSchemeBytes = kPerBlockAffineBytes;

// A descriptor of any scheme: the member that scheme_tag names, the others are zero. A tag without
// a member is one that a permissive reader has stepped over.
struct Quantization {
  std::uint8_t scheme_tag = 0;
  PerTensorAffine per_tensor_affine{};
  PerChannelAffine per_channel_affine{};
  PerBlockAffine per_block_affine{};
  Nf4 nf4{};
  Mxfp mxfp{};
};

// What the schemes have in common, under one name each; what a scheme has not is nullopt.
struct SchemeFields {
  std::optional<std::uint32_t> axis;                     // 02 to 05
  std::optional<std::uint32_t> block_size;               // 03 to 05
  std::optional<std::uint32_t> scale_buffer_index;       // 02 to 05
  std::optional<std::uint32_t> zero_point_buffer_index;  // 02 and 03 unless symmetric
  std::uint8_t scale_type_tag = 0;                       // of the scale array; 42 for scheme 05
};
SchemeFields fields_of(const Quantization& quantization);

bool is_known_scheme(std::uint8_t scheme_tag);
// Length of the descriptor of a known scheme, else 0.
std::size_t scheme_bytes(std::uint8_t scheme_tag);

// Reads and judges a whole section, for a tensor whose element type has this tag: what section and
// storage type say. Shape and buffers are not known here.
//   bytes   any alignment, any length; nothing outside is read
//   out     scheme_tag is set if there is a byte; the scheme's member if the section is long enough
// In permissive mode an unknown scheme, other than 00 and ff, is Behaviour::kUnknownScheme.
void parse_quantization(std::span<const std::uint8_t> bytes, std::uint8_t storage_type_tag,
                        Quantization& out, Findings& findings, Mode mode = Mode::kStrict);

// Judges the fields again, without bytes.
void judge_quantization(const Quantization& quantization, std::uint8_t storage_type_tag,
                        Findings& findings);

// Writes the descriptor, scheme_bytes(scheme_tag) bytes.
//   out       touched only on kOk
//   written   set only on kOk
[[nodiscard]] Status encode_quantization(const Quantization& quantization,
                                         std::uint8_t storage_type_tag, std::span<std::uint8_t> out,
                                         std::size_t& written);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_QUANTIZATION_H
