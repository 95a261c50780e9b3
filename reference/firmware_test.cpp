// SPDX-License-Identifier: Apache-2.0
//
// Do the four firmware functions answer with the right codes, and convert by the formula?

#include "reference/firmware.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace hurray::firmware {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// RA8-Q-031.
TEST(Firmware, ResultCodesAreThoseOfTheHeader) {
  EXPECT_EQ(kOk, 0);
  EXPECT_EQ(kInvalidArg, 0x103);
  EXPECT_EQ(kNullPtr, 0x504);
  EXPECT_EQ(code_of(Status::kOk), 0);
  EXPECT_EQ(code_of(Status::kNullPointer), 0x504);
  EXPECT_EQ(code_of(Status::kScaleNotPositive), 0x103);
}

// RA8-Q-001, -002, -014 and -016.
TEST(Firmware, QuantizesEveryElementAndNothingMore) {
  const float in[] = {-1.5f, -2.0f, 2.25f, 1e30f, -kInfinity};
  for (std::size_t count = 0; count <= 5; ++count) {
    std::int8_t i8[6] = {99, 99, 99, 99, 99, 99};
    std::uint8_t u8[6] = {99, 99, 99, 99, 99, 99};
    EXPECT_EQ(quantize_i8(in, i8, count, 0.5f, 3), kOk);
    EXPECT_EQ(quantize_u8(in, u8, count, 0.5f, 3), kOk);
    const int i8_expected[] = {0, -1, 8, 127, -128};
    const int u8_expected[] = {0, 0, 8, 255, 0};
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(i8[i], i < count ? i8_expected[i] : 99);
      EXPECT_EQ(u8[i], i < count ? u8_expected[i] : 99);
    }
  }
}

// RA8-Q-019 and -020, over all codes. The product of 24 and 9 bits is exact in double.
TEST(Firmware, DequantizesEveryCode) {
  for (float scale : {0.5f, 0.1f, -0.02f, from_bits(0x00000001), 3e38f}) {
    for (std::int32_t zero_point : {-128, -1, 0, 3, 255}) {
      for (int byte = 0; byte < 256; ++byte) {
        const auto u8 = static_cast<std::uint8_t>(byte);
        const auto i8 = static_cast<std::int8_t>(byte - 128);
        float from_u8 = 9.0f;
        float from_i8 = 9.0f;
        ASSERT_EQ(dequantize_u8(&u8, &from_u8, 1, scale, zero_point), kOk);
        ASSERT_EQ(dequantize_i8(&i8, &from_i8, 1, scale, zero_point), kOk);
        const double exact = scale;
        ASSERT_EQ(from_u8, static_cast<float>(exact * (byte - zero_point)));
        ASSERT_EQ(from_i8, static_cast<float>(exact * (byte - 128 - zero_point)));
      }
    }
  }
}

// RA8-Q-021 and ruling R10: no choice narrows this difference.
TEST(Firmware, TheDifferenceIsExactForEveryZeroPoint) {
  Choices wrap;
  wrap.difference_width = DifferenceWidth::kWrap;
  for (const Choices& choices : {Choices{}, wrap}) {
    const std::int8_t i8[] = {127, -128};
    const std::uint8_t u8[] = {255, 0};
    float out[2];
    EXPECT_EQ(dequantize_i8(i8, out, 2, 1.0f, kLowest, choices), kOk);
    EXPECT_EQ(out[0], 2147483648.0f);
    EXPECT_EQ(out[1], 2147483520.0f);
    EXPECT_EQ(dequantize_u8(u8, out, 2, 1.0f, kLowest, choices), kOk);
    EXPECT_EQ(out[0], 2147483904.0f);
    EXPECT_EQ(out[1], 2147483648.0f);
    EXPECT_EQ(dequantize_i8(i8, out, 2, 1.0f, kHighest, choices), kOk);
    EXPECT_EQ(out[0], -2147483520.0f);
    EXPECT_EQ(out[1], -2147483776.0f);
  }
}

// RA8-Q-007 and -008.
TEST(Firmware, QuantizesWithAnyZeroPoint) {
  const auto i8_code = [](float x, std::int32_t zero_point) {
    std::int8_t out = 99;
    EXPECT_EQ(quantize_i8(&x, &out, 1, 1.0f, zero_point), kOk);
    return int{out};
  };
  EXPECT_EQ(i8_code(1.0f, kHighest), 127);
  EXPECT_EQ(i8_code(-1.0f, kLowest), -128);
  EXPECT_EQ(i8_code(2e6f, -1999900), 100);
  EXPECT_EQ(i8_code(std::nanf(""), 7), 7);
}

// RA8-Q-009, -010 and -015; count 0 as well (ruling R12).
TEST(Firmware, AScaleThatIsNotStrictlyPositiveIsInvalidAndNothingIsWritten) {
  const float in[] = {1.0f};
  for (std::uint32_t bits : {0x00000000u, 0x80000000u, 0xbf800000u, 0xff800000u, 0x80000001u,
                             0x7fc00000u, 0xffc00000u, 0x7f800001u}) {
    for (std::size_t count : {0u, 1u}) {
      std::int8_t i8 = 99;
      std::uint8_t u8 = 99;
      EXPECT_EQ(quantize_i8(in, &i8, count, from_bits(bits), 0), kInvalidArg) << bits;
      EXPECT_EQ(quantize_u8(in, &u8, count, from_bits(bits), 0), kInvalidArg) << bits;
      EXPECT_EQ(i8, 99);
      EXPECT_EQ(u8, 99);
    }
    EXPECT_EQ(check_quantize(in, in, from_bits(bits)), Status::kScaleNotPositive);
  }
}

// RA8-Q-009 and -011. A subnormal scale is accepted even by a unit that flushes it (ruling R15).
TEST(Firmware, EveryPositiveScaleIsAcceptedSubnormalAndInfiniteToo) {
  const float in[] = {0.0f, 1.0f, -1.0f};
  for (Subnormals subnormals : {Subnormals::kGradual, Subnormals::kFlush,
                                Subnormals::kFlushOperands, Subnormals::kFlushResults}) {
    Choices choices;
    choices.subnormals = subnormals;
    for (std::uint32_t bits : {0x00000001u, 0x007fffffu}) {
      std::int8_t out[3];
      EXPECT_EQ(quantize_i8(in, out, 3, from_bits(bits), 5, choices), kOk);
      EXPECT_EQ(out[0], 5);
      EXPECT_EQ(out[1], 127);
      EXPECT_EQ(out[2], -128);
    }
    std::uint8_t out[3];
    EXPECT_EQ(quantize_u8(in, out, 3, kInfinity, 5, choices), kOk);
    EXPECT_EQ(out[0], 5);
    EXPECT_EQ(out[1], 5);
    EXPECT_EQ(out[2], 5);
    EXPECT_EQ(quantize_u8(in, out, 3, from_bits(0x7f7fffff), 5, choices), kOk);
    EXPECT_EQ(quantize_u8(in, out, 3, from_bits(0x00800000), 5, choices), kOk);
  }
}

// RA8-Q-012, -013; rulings R11 and R13.
TEST(Firmware, ANullPointerWinsOverEverythingElse) {
  float real = 1.0f;
  std::int8_t i8 = 99;
  std::uint8_t u8 = 99;
  for (std::size_t count : {0u, 1u}) {
    for (float scale : {1.0f, 0.0f, -1.0f, kInfinity}) {
      EXPECT_EQ(quantize_i8(nullptr, &i8, count, scale, 0), kNullPtr);
      EXPECT_EQ(quantize_i8(&real, nullptr, count, scale, 0), kNullPtr);
      EXPECT_EQ(quantize_u8(nullptr, &u8, count, scale, 0), kNullPtr);
      EXPECT_EQ(quantize_u8(&real, nullptr, count, scale, 0), kNullPtr);
      EXPECT_EQ(dequantize_i8(nullptr, &real, count, scale, 0), kNullPtr);
      EXPECT_EQ(dequantize_i8(&i8, nullptr, count, scale, 0), kNullPtr);
      EXPECT_EQ(dequantize_u8(nullptr, &real, count, scale, 0), kNullPtr);
      EXPECT_EQ(dequantize_u8(&u8, nullptr, count, scale, 0), kNullPtr);
    }
  }
  EXPECT_EQ(real, 1.0f);
  EXPECT_EQ(i8, 99);
  EXPECT_EQ(u8, 99);
}

// RA8-Q-022 and ruling R09.
TEST(Firmware, DequantizingComputesWithAnyScale) {
  const std::int8_t i8[] = {3, 5};
  float out[2];
  EXPECT_EQ(dequantize_i8(i8, out, 2, 0.0f, 3), kOk);
  EXPECT_EQ(out[1], 0.0f);
  EXPECT_EQ(dequantize_i8(i8, out, 2, -1.0f, 3), kOk);
  EXPECT_EQ(out[1], -2.0f);
  EXPECT_EQ(dequantize_i8(i8, out, 2, kInfinity, 3), kOk);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], kInfinity);
  EXPECT_EQ(dequantize_i8(i8, out, 2, std::nanf(""), 3), kOk);
  EXPECT_TRUE(std::isnan(out[1]));
}

TEST(Firmware, ChoicesReachTheArithmetic) {
  Choices flush;
  flush.subnormals = Subnormals::kFlush;
  const std::uint8_t code = 3;
  float real = 9.0f;
  EXPECT_EQ(dequantize_u8(&code, &real, 1, from_bits(1), 0, flush), kOk);
  EXPECT_EQ(real, 0.0f);
  Choices exact;
  exact.quotient = Quotient::kExact;
  const float x = from_bits(0x3f12435f);
  std::int8_t out = 99;
  EXPECT_EQ(quantize_i8(&x, &out, 1, from_bits(0x3ec3047f), 0, exact), kOk);
  EXPECT_EQ(out, 1);
  EXPECT_EQ(quantize_i8(&x, &out, 1, from_bits(0x3ec3047f), 0), kOk);
  EXPECT_EQ(out, 2);
}

}  // namespace
}  // namespace hurray::firmware
