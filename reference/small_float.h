// SPDX-License-Identifier: Apache-2.0
//
// Which number does the bit pattern of a small float stand for? Every value of these formats is a
// binary32 value, so widening is exact and nothing here rounds. Source: element-types.md, rows
// HQ-PACK-017 to -026. Narrowing is not here: no part of the suite produces small floats.

#ifndef HURRAY_REFERENCE_SMALL_FLOAT_H
#define HURRAY_REFERENCE_SMALL_FLOAT_H

#include <cstdint>

namespace hurray {

// All patterns are legal arguments; bits above the width of the format are ignored. Subnormals and
// signed zeros survive, a NaN stays a NaN of the same sign.
float widen_float16(std::uint16_t bits);   // IEEE binary16
float widen_bfloat16(std::uint16_t bits);  // the upper half of a binary32

float widen_float8_e4m3(std::uint8_t bits);  // bias 7, NaN only 7f and ff, no infinity, max 448
float widen_float8_e5m2(std::uint8_t bits);  // bias 15, infinities and NaNs as IEEE, max 57344

// 2^(bits - 127). 00 and ff are no legal data (ruling A37); here they give 2^-127 and a NaN, which
// is what they mean elsewhere. Whoever has to refuse them asks is_float8_e8m0_legal.
float widen_float8_e8m0(std::uint8_t bits);
constexpr bool is_float8_e8m0_legal(std::uint8_t bits) { return bits != 0x00 && bits != 0xff; }

// No infinities and no NaNs.
float widen_float4_e2m1(std::uint8_t bits);  // bias 1, max 6
float widen_float6_e2m3(std::uint8_t bits);  // bias 1, max 7.5 (ruling A40)
float widen_float6_e3m2(std::uint8_t bits);  // bias 3, max 28

// The value of an element of any float type of at most 32 bits, by its tag; 0 for other tags.
float widen_small_float(std::uint8_t type_tag, std::uint32_t bits);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_SMALL_FLOAT_H
