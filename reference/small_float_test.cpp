// SPDX-License-Identifier: Apache-2.0
//
// Is every bit pattern of the small floats the number that its format says? All of them, against a
// formula that shares nothing with the code under test: std::ldexp in double precision.

#include "reference/small_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "reference/binary32.h"

namespace hurray {
namespace {

// Value of a pattern whose exponents are all ordinary ones.
double formula(unsigned bits, int exponent_bits, int significand_bits, int bias) {
  const int exponent = static_cast<int>(bits >> significand_bits) & ((1 << exponent_bits) - 1);
  const int significand = static_cast<int>(bits) & ((1 << significand_bits) - 1);
  const bool negative = (bits >> (exponent_bits + significand_bits) & 1) != 0;
  const double fraction = std::ldexp(significand, -significand_bits);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return negative ? -magnitude : magnitude;
}

// As IEEE 754 has the largest exponent.
double ieee_formula(unsigned bits, int exponent_bits, int significand_bits, int bias) {
  const unsigned exponent = bits >> significand_bits & ((1u << exponent_bits) - 1);
  if (exponent != (1u << exponent_bits) - 1) {
    return formula(bits, exponent_bits, significand_bits, bias);
  }
  const bool negative = (bits >> (exponent_bits + significand_bits) & 1) != 0;
  const bool nan = (bits & ((1u << significand_bits) - 1)) != 0;
  return std::copysign(nan ? std::nan("") : INFINITY, negative ? -1.0 : 1.0);
}

// The same number with the same sign; any NaN for a NaN.
void expect_same(float actual, double expected, unsigned bits) {
  EXPECT_EQ(is_negative(actual), std::signbit(expected)) << bits;
  if (std::isnan(expected)) {
    EXPECT_TRUE(is_nan(actual)) << bits;
  } else {
    EXPECT_EQ(static_cast<double>(actual), expected) << bits;
  }
}

// HQ-PACK-017.
TEST(SmallFloat, EveryFloat16IsExact) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    expect_same(widen_float16(static_cast<std::uint16_t>(bits)), ieee_formula(bits, 5, 10, 15),
                bits);
  }
}

TEST(SmallFloat, EveryBfloat16IsExact) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    expect_same(widen_bfloat16(static_cast<std::uint16_t>(bits)), ieee_formula(bits, 8, 7, 127),
                bits);
  }
}

TEST(SmallFloat, NansKeepTheirSignAndPayload) {
  EXPECT_EQ(bits_of(widen_float16(0x7c01)), 0x7f802000u);
  EXPECT_EQ(bits_of(widen_float16(0xfe00)), 0xffc00000u);
  EXPECT_EQ(bits_of(widen_bfloat16(0xff81)), 0xff810000u);
}

// HQ-PACK-018.
TEST(SmallFloat, Float8E4m3HasTwoNansAndNoInfinity) {
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    const bool nan = (bits & 0x7f) == 0x7f;
    const double expected =
        nan ? std::copysign(std::nan(""), bits < 0x80 ? 1.0 : -1.0) : formula(bits, 4, 3, 7);
    expect_same(widen_float8_e4m3(static_cast<std::uint8_t>(bits)), expected, bits);
  }
  EXPECT_EQ(widen_float8_e4m3(0x7e), 448.0f);
  EXPECT_EQ(widen_float8_e4m3(0x01), 0x1p-9f);
}

// HQ-PACK-019.
TEST(SmallFloat, Float8E5m2IsIeeeLike) {
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    expect_same(widen_float8_e5m2(static_cast<std::uint8_t>(bits)), ieee_formula(bits, 5, 2, 15),
                bits);
  }
  EXPECT_EQ(widen_float8_e5m2(0x7b), 57344.0f);
  EXPECT_TRUE(is_infinite(widen_float8_e5m2(0xfc)));
}

// HQ-PACK-020, and ruling A37 for the two that are no data.
TEST(SmallFloat, Float8E8m0IsAPowerOfTwo) {
  for (unsigned bits = 1; bits < 0xff; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    expect_same(widen_float8_e8m0(byte), std::ldexp(1.0, static_cast<int>(bits) - 127), bits);
    EXPECT_TRUE(is_float8_e8m0_legal(byte));
  }
  EXPECT_FALSE(is_float8_e8m0_legal(0x00));
  EXPECT_FALSE(is_float8_e8m0_legal(0xff));
  EXPECT_EQ(widen_float8_e8m0(0x00), 0x1p-127f);
  EXPECT_TRUE(is_nan(widen_float8_e8m0(0xff)));
}

// HQ-PACK-022 and ruling A41: the map itself.
TEST(SmallFloat, Float4E2m1IsTheMap) {
  const float map[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  for (unsigned bits = 0; bits < 16; ++bits) {
    const float magnitude = map[bits % 8];
    expect_same(widen_float4_e2m1(static_cast<std::uint8_t>(bits)),
                bits < 8 ? magnitude : -magnitude, bits);
  }
}

// HQ-PACK-025, ruling A40.
TEST(SmallFloat, Float6E2m3IsExact) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    expect_same(widen_float6_e2m3(static_cast<std::uint8_t>(bits)), formula(bits, 2, 3, 1), bits);
  }
  EXPECT_EQ(widen_float6_e2m3(0x1f), 7.5f);
  EXPECT_EQ(widen_float6_e2m3(0x01), 0.125f);
}

// HQ-PACK-026.
TEST(SmallFloat, Float6E3m2IsExact) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    expect_same(widen_float6_e3m2(static_cast<std::uint8_t>(bits)), formula(bits, 3, 2, 3), bits);
  }
  EXPECT_EQ(widen_float6_e3m2(0x1f), 28.0f);
  EXPECT_EQ(widen_float6_e3m2(0x01), 0.0625f);
}

TEST(SmallFloat, BitsAboveTheWidthAreIgnored) {
  EXPECT_EQ(widen_float4_e2m1(0xf7), 6.0f);
  EXPECT_EQ(widen_float6_e2m3(0xdf), 7.5f);
  EXPECT_EQ(widen_float6_e3m2(0xdf), 28.0f);
}

TEST(SmallFloat, TagsLeadToTheFormats) {
  EXPECT_EQ(widen_small_float(0x01, 0x3c00), 1.0f);
  EXPECT_EQ(widen_small_float(0x02, 0x3f80), 1.0f);
  EXPECT_EQ(widen_small_float(0x03, 0x3f800000), 1.0f);
  EXPECT_EQ(widen_small_float(0x40, 0x38), 1.0f);
  EXPECT_EQ(widen_small_float(0x41, 0x3c), 1.0f);
  EXPECT_EQ(widen_small_float(0x42, 0x7f), 1.0f);
  EXPECT_EQ(widen_small_float(0x43, 0x2), 1.0f);
  EXPECT_EQ(widen_small_float(0x44, 0x08), 1.0f);
  EXPECT_EQ(widen_small_float(0x45, 0x0c), 1.0f);
  EXPECT_EQ(widen_small_float(0x10, 1), 0.0f);
}

}  // namespace
}  // namespace hurray
