// SPDX-License-Identifier: Apache-2.0
//
// What does the descriptor of scheme 01 say, and is it valid? One scale and one zero point for a
// whole tensor, 16 bytes. Source: quantization/per-tensor-affine.md, rows HQ-PTA-001 to -017 and
// -026. Nothing here reads elements; that is dequantize.h and quantize.h.
//
//   offset   0           1               2      4      8           12
//   field    scheme_tag  scheme_version  flags  scale  zero_point  reserved
//   value    01          01              0      f32    i32         00 00 00 00

#ifndef HURRAY_REFERENCE_PER_TENSOR_AFFINE_H
#define HURRAY_REFERENCE_PER_TENSOR_AFFINE_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kPerTensorAffineBytes = 16;  // [HQ-PTA-014]

struct PerTensorAffine {
  float scale;              // real units per step: finite, not zero, any sign
  std::int32_t zero_point;  // the code that stands for 0, subtracted as stored
};

// Reads a descriptor by itself: everything that can be judged without knowing the tensor.
//   bytes   any alignment, any length; nothing outside is read
//   out     written only on kOk
// kOk or a status of stage kLength, kHeader or kFields. Version 0 is refused (ruling A11); what
// happens to bytes after the 16th is choices.longer_section (ruling A12).
[[nodiscard]] Status decode(std::span<const std::uint8_t> bytes, PerTensorAffine& out,
                            const Choices& choices = {});

// Judges the fields, alone and against the element type of the tensor that carries them.
//   storage_type_tag   any of the 256 tags
// kOk, kScaleNan, kScaleNotFinite, kScaleZero, kStorageTypeNotAllowed or kZeroPointOutOfRange. For
// a uint32 tensor the legal zero points end where the int32 field does (ruling A03).
[[nodiscard]] Status validate(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag);

// decode, then validate: the whole duty of a strict reader. `out` is written only on kOk.
[[nodiscard]] Status decode_for(std::span<const std::uint8_t> bytes, std::uint8_t storage_type_tag,
                                PerTensorAffine& out, const Choices& choices = {});

// Writes the 16 bytes of a descriptor that decode_for would accept for the same tensor.
//   out   any alignment; at least 16 bytes, of which the first 16 are written, and only on kOk
// A status of validate, or kBufferTooSmall.   [HQ-PTA-026]
[[nodiscard]] Status encode(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag,
                            std::span<std::uint8_t> out);

// The same rules as a list of all that is wrong, as the other schemes have it: version 0 is kSoft
// (ruling A11), a longer section is Behaviour::kLongerSection (ruling A12).
//   out   written if the bytes have the scheme's tag and its length at least, else untouched
void parse(std::span<const std::uint8_t> bytes, PerTensorAffine& out, Findings& findings);
void judge(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_PER_TENSOR_AFFINE_H
