// SPDX-License-Identifier: Apache-2.0
//
// What do the four functions of the firmware header ra8_npu_quant.h do, result codes included? The
// arithmetic is that of quantize.h and dequantize.h; this file adds what a C caller sees: null
// pointers, refused scales, and zero points that no descriptor could carry. Rows RA8-Q.

#ifndef HURRAY_REFERENCE_FIRMWARE_H
#define HURRAY_REFERENCE_FIRMWARE_H

#include <cstddef>
#include <cstdint>

#include "reference/choices.h"
#include "reference/status.h"

namespace hurray::firmware {

// Result codes of ra8_err.h, 16 bits wide.   [RA8-Q-031]
inline constexpr std::uint16_t kOk = 0;
inline constexpr std::uint16_t kInvalidArg = 0x103;
inline constexpr std::uint16_t kNullPtr = 0x504;

// The code by which the firmware reports a status: kOk, kNullPtr for Status::kNullPointer, and
// kInvalidArg for anything else.
std::uint16_t code_of(Status status);

// Judge the arguments. A null pointer wins over a bad scale and counts even if nothing would be
// converted (rulings R11 to R13: what the firmware was seen to do).
//   Status::kOk, kNullPointer, and for quantize kScaleNotPositive: the scale is NaN, a zero of
//   either sign, or below zero. +infinity passes (ruling R03), and so does every positive subnormal
//   (R04).
[[nodiscard]] Status check_quantize(const void* in, const void* out, float scale);
[[nodiscard]] Status check_dequantize(const void* in, const void* out);

// out[i] = clamp(round(in[i] / scale) + zero_point, min, max); int8 or uint8.
//   in, out      `count` elements each, not overlapping; null gives kNullPtr
//   count        0 converts nothing
//   zero_point   any int32
// kOk, or a code with `out` untouched. choices.quotient and .subnormals apply.   [RA8-Q-001..018]
[[nodiscard]] std::uint16_t quantize_i8(const float* in, std::int8_t* out, std::size_t count,
                                        float scale, std::int32_t zero_point,
                                        const Choices& choices = {});
[[nodiscard]] std::uint16_t quantize_u8(const float* in, std::uint8_t* out, std::size_t count,
                                        float scale, std::int32_t zero_point,
                                        const Choices& choices = {});

// out[i] = scale * float(in[i] - zero_point), the difference exact for every zero point (ruling
// R10; choices.difference_width does not apply). Any scale is computed with (R09). kOk or kNullPtr.
// choices.subnormals applies.   [RA8-Q-012..022]
[[nodiscard]] std::uint16_t dequantize_i8(const std::int8_t* in, float* out, std::size_t count,
                                          float scale, std::int32_t zero_point,
                                          const Choices& choices = {});
[[nodiscard]] std::uint16_t dequantize_u8(const std::uint8_t* in, float* out, std::size_t count,
                                          float scale, std::int32_t zero_point,
                                          const Choices& choices = {});

}  // namespace hurray::firmware

#endif  // HURRAY_REFERENCE_FIRMWARE_H
