// SPDX-License-Identifier: Apache-2.0
//
// How do zero points of another toolchain become the ones that Hurray subtracts? Such planes pack
// several unsigned fields into a byte, and some toolchains store zero_point - 1. Nothing in the
// file tells which, so the bias is an argument (ruling A26). Source: the recipe "Converting an
// Externally Quantized Tensor", rows HQ-ZP. Scales and weights need no conversion and are not here.

#ifndef HURRAY_REFERENCE_ZERO_POINT_H
#define HURRAY_REFERENCE_ZERO_POINT_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/status.h"

namespace hurray {

// The defaults are the recipe's plane.
struct ZeroPointFormat {
  unsigned bits = 4;              // of one field: 2, 4 or 8
  std::int32_t bias = 1;          // added to each field: 1 where zero_point - 1 is stored, else 0
  bool high_field_first = false;  // whether the field in a byte's highest bits comes first
};

// out[i] = field i + bias, as int32: a stored 15 with bias 1 is 16.
//   packed   the plane; only the first ceil(count * bits / 8) bytes are read
//   out      `count` int32, must not overlap `packed`; written only on kOk
// kInvalidFormat: another field width, or a bias with which some field would leave int32.
// kTooFewBytes: the plane holds fewer than `count` fields.   [HQ-ZP-005..008, -015]
[[nodiscard]] Status normalize_zero_points(const ZeroPointFormat& format,
                                           std::span<const std::uint8_t> packed, std::size_t count,
                                           std::int32_t* out);

// Whether there are planes of this format: kInvalidFormat is for the others.
bool is_possible(const ZeroPointFormat& format);

// Field `index` of a plane, plus the bias.
//   format   one that is possible
//   packed   a plane with more fields than `index`; the byte of that one is read
std::int32_t normalized_zero_point(const ZeroPointFormat& format, const std::uint8_t* packed,
                                   std::size_t index);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_ZERO_POINT_H
