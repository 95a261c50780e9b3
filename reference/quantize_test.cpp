// SPDX-License-Identifier: Apache-2.0
//
// Is every quantized code the one that the formula gives? Expected values are written by hand, were
// computed with exact rational numbers, or come from double arithmetic and std::round.

#include "reference/quantize.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace hurray {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

Choices with(Quotient quotient, Subnormals subnormals = Subnormals::kGradual) {
  Choices choices;
  choices.quotient = quotient;
  choices.subnormals = subnormals;
  return choices;
}

const Choices kBoth[] = {with(Quotient::kBinary32), with(Quotient::kExact)};

std::int64_t int8_code(float x, float scale, std::int32_t zero_point, const Choices& c = {}) {
  return quantize_value(x, scale, zero_point, -128, 127, c);
}

std::int64_t uint8_code(float x, float scale, std::int32_t zero_point, const Choices& c = {}) {
  return quantize_value(x, scale, zero_point, 0, 255, c);
}

// Wide enough that nothing is clamped: shows the rounded quotient itself.
std::int64_t rounded(float x, float scale, const Choices& c = {}) {
  return quantize_value(x, scale, 0, -4294967296LL, 4294967296LL, c);
}

// RA8-Q-003.
TEST(Quantize, TiesGoAwayFromZero) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(rounded(0.5f, 1.0f, c), 1);
    EXPECT_EQ(rounded(-0.5f, 1.0f, c), -1);
    EXPECT_EQ(rounded(1.5f, 1.0f, c), 2);
    EXPECT_EQ(rounded(-1.5f, 1.0f, c), -2);
    EXPECT_EQ(rounded(2.5f, 1.0f, c), 3);
    EXPECT_EQ(rounded(-2.5f, 1.0f, c), -3);
    EXPECT_EQ(rounded(1.7f, 1.0f, c), 2);
    EXPECT_EQ(rounded(-1.7f, 1.0f, c), -2);
    EXPECT_EQ(rounded(-0.0f, 1.0f, c), 0);
  }
}

// Ruling R05: 0.49999997, below which adding 0.5 in binary32 is harmless.
TEST(Quantize, TheLargestFloatBelowOneHalfIsZero) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(rounded(0.49999997f, 1.0f, c), 0);
    EXPECT_EQ(rounded(-0.49999997f, 1.0f, c), 0);
    EXPECT_EQ(rounded(0.25f, 1.0f, c), 0);
    EXPECT_EQ(uint8_code(0.49999997f, 1.0f, 200, c), 200);
  }
}

// From 2^23 on every binary32 is an integer; adding one half there would round again.
TEST(Quantize, LargeQuotientsAreExactIntegers) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(rounded(8388607.5f, 1.0f, c), 8388608);
    EXPECT_EQ(rounded(8388606.5f, 1.0f, c), 8388607);
    EXPECT_EQ(rounded(8388609.0f, 1.0f, c), 8388609);
    EXPECT_EQ(rounded(-8388609.0f, 1.0f, c), -8388609);
    EXPECT_EQ(rounded(16777215.0f, 1.0f, c), 16777215);
    EXPECT_EQ(rounded(4294967040.0f, 1.0f, c), 4294967040);
    EXPECT_EQ(rounded(4294967296.0f, 1.0f, c), 4294967296);
    EXPECT_EQ(rounded(-4294967296.0f, 1.0f, c), -4294967296);
  }
}

// RA8-Q-001, -002: every tie and every integer of the range, with the floats next to them. The
// expectation is std::round of the double, which is exact.
TEST(Quantize, EveryBoundaryOfEightBitsAtScaleOne) {
  for (const Choices& c : kBoth) {
    for (int halves = -1200; halves <= 1200; ++halves) {
      const auto middle = static_cast<float>(halves) / 2;
      const float below = std::nextafter(middle, -kInfinity);
      const float above = std::nextafter(middle, kInfinity);
      for (float x : {below, middle, above}) {
        for (std::int32_t zero_point : {-300, -128, -1, 0, 3, 127, 128, 300}) {
          const double sum = std::round(static_cast<double>(x)) + zero_point;
          ASSERT_EQ(static_cast<double>(int8_code(x, 1.0f, zero_point, c)),
                    std::fmin(std::fmax(sum, -128), 127));
          ASSERT_EQ(static_cast<double>(uint8_code(x, 1.0f, zero_point, c)),
                    std::fmin(std::fmax(sum, 0), 255));
        }
      }
    }
  }
}

// A quotient of binary32 numbers, taken in double and narrowed, is the binary32 quotient: double
// has more than twice the precision. The exact rounding is checked by its definition instead, (2r -
// 1) * scale <= 2x < (2r + 1) * scale for magnitudes, of which double holds every product.
TEST(Quantize, BothQuotientsAroundTheTiesOfAwkwardScales) {
  const std::uint32_t scales[] = {0x3dcccccd, 0x3ca3d70a, 0x3c74c7e7, 0x3ec3047f, 0x3f5c8437,
                                  0x7effffff, 0x00800001, 0x442d941a, 0x3baaaaab, 0x3eaaaaab};
  for (std::uint32_t scale_bits : scales) {
    const float scale = from_bits(scale_bits);
    for (int k = 0; k < 300; ++k) {
      const double middle = (k + 0.5) * static_cast<double>(scale);
      if (middle > static_cast<double>(kLargest)) break;
      auto x = static_cast<float>(middle);
      for (int i = 0; i < 4; ++i) x = std::nextafter(x, 0.0f);
      for (int i = 0; i < 8; ++i, x = std::nextafter(x, kLargest)) {
        const auto quotient = static_cast<float>(static_cast<double>(x) / scale);
        const std::int64_t binary32 = std::llround(static_cast<double>(quotient));
        ASSERT_EQ(rounded(x, scale, kBoth[0]), binary32) << scale_bits << " " << x;
        ASSERT_EQ(rounded(-x, scale, kBoth[0]), -binary32);
        ASSERT_EQ(rounded(x, -scale, kBoth[0]), -binary32);

        const std::int64_t exact = rounded(x, scale, kBoth[1]);
        const auto twice = static_cast<double>(2 * exact);
        ASSERT_LE((twice - 1) * scale, 2.0 * x) << scale_bits << " " << x;
        ASSERT_GT((twice + 1) * scale, 2.0 * x) << scale_bits << " " << x;
        ASSERT_EQ(rounded(-x, scale, kBoth[1]), -exact);
        ASSERT_EQ(rounded(-x, -scale, kBoth[1]), exact);
      }
    }
  }
}

// Ruling R06: where the two quotients part, binary32 having rounded up to a tie.
TEST(Quantize, TheTwoQuotientsDifferWhereDivisionRoundsOntoATie) {
  struct Row {
    std::uint32_t x, scale;
    std::int64_t binary32, exact;
  };
  const Row rows[] = {
      {0x3f12435f, 0x3ec3047f, 2, 1},     {0x4009d2a2, 0x3f5c8437, 3, 2},
      {0x40548cb5, 0x3f1a94e1, 6, 5},     {0x3fa13c1c, 0x3de053a2, 12, 11},
      {0x42775730, 0x3f7949c4, 64, 63},   {0x407e513c, 0x3cff508d, 128, 127},
      {0x42b968ca, 0x3eecbb6c, 201, 200}, {0x45e3bf41, 0x3e78c1a4, 30001, 30000},
  };
  for (const Row& row : rows) {
    const float x = from_bits(row.x);
    const float scale = from_bits(row.scale);
    EXPECT_EQ(rounded(x, scale, kBoth[0]), row.binary32);
    EXPECT_EQ(rounded(x, scale, kBoth[1]), row.exact);
    EXPECT_EQ(rounded(-x, scale, kBoth[1]), -row.exact);
  }
}

// RA8-Q-004.
TEST(Quantize, TheZeroPointIsAddedAfterRounding) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(int8_code(0.5f, 1.0f, -1, c), 0);
    EXPECT_EQ(int8_code(-0.5f, 1.0f, 1, c), 0);
    EXPECT_EQ(uint8_code(-0.5f, 1.0f, 200, c), 199);
    EXPECT_EQ(int8_code(from_bits(0x3d4ccccc), 0.1f, 1, c), 1);
    EXPECT_EQ(int8_code(from_bits(0x405cce70), from_bits(0x3c74c7e7), -128, c), 103);
    EXPECT_EQ(uint8_code(-100.0f, 1.0f, 128, c), 28);
    EXPECT_EQ(int8_code(127.0f, 1.0f, 10, c), 127);
    EXPECT_EQ(uint8_code(-3.0f, 1.0f, 2, c), 0);
  }
}

// RA8-Q-005 and -006.
TEST(Quantize, OutOfRangeResultsSaturate) {
  for (const Choices& c : kBoth) {
    for (float x : {128.0f, 1000.0f, 3e9f, 1e30f, kLargest, kInfinity}) {
      EXPECT_EQ(int8_code(x, 1.0f, 0, c), 127);
      EXPECT_EQ(int8_code(-x, 1.0f, 0, c), -128);
      EXPECT_EQ(int8_code(x, -1.0f, 0, c), -128);
      EXPECT_EQ(uint8_code(x * 2, 1.0f, 0, c), 255);
      EXPECT_EQ(uint8_code(-x, 1.0f, 0, c), 0);
    }
    EXPECT_EQ(uint8_code(4294967296.0f, 0.5f, 1, c), 255);
    EXPECT_EQ(int8_code(3e38f, 1e-5f, 0, c), 127);
    EXPECT_EQ(int8_code(5000000.0f, 1.0f, 0, c), 127);
    EXPECT_EQ(int8_code(-128.0f, 1.0f, 0, c), -128);
    EXPECT_EQ(int8_code(100.0f, 1.0f, 0, c), 100);
    EXPECT_EQ(int8_code(from_bits(0x45f98000), from_bits(0x442d941a), 0, c), 11);
    EXPECT_EQ(int8_code(from_bits(0x3e199999), 0.1f, 0, c), 1);
  }
}

// Ruling R04.
TEST(Quantize, SubnormalScalesDivideLikeAnyOther) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(int8_code(1.0f, kTiny, 5, c), 127);
    EXPECT_EQ(int8_code(-1.0f, kTiny, 5, c), -128);
    EXPECT_EQ(int8_code(0.0f, kTiny, 5, c), 5);
    EXPECT_EQ(int8_code(-0.0f, kTiny, 5, c), 5);
    EXPECT_EQ(int8_code(7 * kTiny, 2 * kTiny, 0, c), 4);
    EXPECT_EQ(int8_code(-5 * kTiny, 2 * kTiny, 0, c), -3);
    EXPECT_EQ(int8_code(kTiny, kLargest, 5, c), 5);
    EXPECT_EQ(int8_code(kTiny, 2 * kTiny, 5, c), 6);
    EXPECT_EQ(int8_code(kTiny, 3 * kTiny, 5, c), 5);
    EXPECT_EQ(rounded(from_bits(0x00800000), kTiny, c), 8388608);
  }
}

// Rulings R01 and R03.
TEST(Quantize, WhatIsNoNumberGivesTheClampedZeroPoint) {
  const float nan = std::nanf("");
  for (const Choices& c : kBoth) {
    for (float x : {nan, -nan, from_bits(0x7f800001)}) {
      EXPECT_EQ(int8_code(x, 1.0f, 7, c), 7);
      EXPECT_EQ(int8_code(x, 1.0f, 700, c), 127);
      EXPECT_EQ(uint8_code(x, 1.0f, -7, c), 0);
      EXPECT_EQ(int8_code(x, kInfinity, 7, c), 7);
    }
    EXPECT_EQ(int8_code(kInfinity, kInfinity, 7, c), 7);
    EXPECT_EQ(int8_code(-kInfinity, kInfinity, 7, c), 7);
    EXPECT_EQ(int8_code(kLargest, kInfinity, 7, c), 7);
    EXPECT_EQ(int8_code(-1.0f, -kInfinity, 7, c), 7);
  }
}

// RA8-Q-007, -008, rulings R07 and R08.
TEST(Quantize, AnyZeroPointIsAddedWithoutOverflowOrCap) {
  for (const Choices& c : kBoth) {
    EXPECT_EQ(int8_code(1.0f, 1.0f, kHighest, c), 127);
    EXPECT_EQ(uint8_code(1.0f, 1.0f, kHighest, c), 255);
    EXPECT_EQ(int8_code(-1.0f, 1.0f, kLowest, c), -128);
    EXPECT_EQ(uint8_code(-1.0f, 1.0f, kLowest, c), 0);
    EXPECT_EQ(int8_code(2e6f, 1.0f, -1999900, c), 100);
    EXPECT_EQ(uint8_code(2147483648.0f, 1.0f, kLowest, c), 0);
    EXPECT_EQ(int8_code(2147483648.0f, 1.0f, kLowest + 5, c), 5);
    EXPECT_EQ(int8_code(-2147483648.0f, 1.0f, kHighest, c), -1);
    EXPECT_EQ(int8_code(kInfinity, 1.0f, kLowest, c), 127);
    EXPECT_EQ(int8_code(-kInfinity, 1.0f, kHighest, c), -128);
    EXPECT_EQ(uint8_code(0.0f, 1.0f, 300, c), 255);
    EXPECT_EQ(uint8_code(-100.0f, 1.0f, 300, c), 200);
    EXPECT_EQ(uint8_code(100.0f, 1.0f, -50, c), 50);
  }
}

TEST(Quantize, ThirtyTwoBitRangesSaturateAtTheirOwnEnds) {
  for (const Choices& c : kBoth) {
    const auto int32_code = [&](float x, std::int32_t zero_point) {
      return quantize_value(x, 1.0f, zero_point, kLowest, kHighest, c);
    };
    const auto uint32_code = [&](float x, std::int32_t zero_point) {
      return quantize_value(x, 1.0f, zero_point, 0, 4294967295, c);
    };
    EXPECT_EQ(int32_code(2147483520.0f, 0), 2147483520);
    EXPECT_EQ(int32_code(2147483648.0f, 0), kHighest);
    EXPECT_EQ(int32_code(2147483648.0f, -1), kHighest);
    EXPECT_EQ(int32_code(2147483648.0f, -2), kHighest - 1);
    EXPECT_EQ(int32_code(-2147483648.0f, 1), -2147483647);
    EXPECT_EQ(int32_code(4294967296.0f, kLowest), kHighest);
    EXPECT_EQ(uint32_code(4294967040.0f, 0), 4294967040);
    EXPECT_EQ(uint32_code(4294967040.0f, 255), 4294967295);
    EXPECT_EQ(uint32_code(4294967296.0f, kHighest), 4294967295);
    EXPECT_EQ(uint32_code(68719476736.0f, 0), 4294967295);  // 2^36
    EXPECT_EQ(uint32_code(34359738368.0f, 0), 4294967295);  // 2^35
    EXPECT_EQ(uint32_code(-68719476736.0f, kHighest), 0);
  }
}

// Ruling R15: a subnormal taken as zero. 0 / 0 is the zero point, anything else over 0 saturates.
TEST(Quantize, FlushedOperandsCountAsZeros) {
  for (Quotient quotient : {Quotient::kBinary32, Quotient::kExact}) {
    for (Subnormals subnormals : {Subnormals::kFlush, Subnormals::kFlushOperands}) {
      const Choices c = with(quotient, subnormals);
      EXPECT_EQ(int8_code(7 * kTiny, 2 * kTiny, 3, c), 3);
      EXPECT_EQ(int8_code(0.0f, kTiny, 3, c), 3);
      EXPECT_EQ(int8_code(1.0f, kTiny, 3, c), 127);
      EXPECT_EQ(int8_code(-1.0f, kTiny, 3, c), -128);
      EXPECT_EQ(int8_code(1.0f, -kTiny, 3, c), -128);
      EXPECT_EQ(int8_code(kInfinity, kTiny, 3, c), 127);
      EXPECT_EQ(int8_code(std::nanf(""), kTiny, 3, c), 3);
      EXPECT_EQ(int8_code(from_bits(0x007fffff), from_bits(0x00800000), 3, c), 3);
      EXPECT_EQ(int8_code(from_bits(0x00800000), from_bits(0x007fffff), 3, c), 127);
    }
    const Choices results = with(quotient, Subnormals::kFlushResults);
    EXPECT_EQ(int8_code(7 * kTiny, 2 * kTiny, 3, results), 7);
    EXPECT_EQ(int8_code(kTiny, 16.0f, 3, results), 3);
    EXPECT_EQ(int8_code(from_bits(0x007fffff), from_bits(0x00800000), 3, results), 4);
  }
}

// RA8-Q-029, for every type of at most 16 bits.
TEST(Quantize, ACodeSurvivesTheWayThereAndBack) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits > 16) continue;
    for (float scale : {0.5f, 0.1f, 0.02f, 1.7e-3f, -0.3f, 3.0f}) {
      const auto zero_point = static_cast<std::int32_t>(info.max / 3);
      for (std::int64_t q = info.min; q <= info.max; ++q) {
        const float real = scale * static_cast<float>(q - zero_point);
        for (const Choices& c : kBoth) {
          ASSERT_EQ(quantize_value(real, scale, zero_point, info.min, info.max, c), q);
        }
      }
    }
  }
}

TEST(Quantize, ArraysArePackedWithZeroTailsAndNothingBeyond) {
  struct Row {
    StorageType type;
    std::vector<float> in;
    std::vector<std::uint8_t> expected;
  };
  const Row rows[] = {
      {StorageType::kUint4, {5, 12, 3}, {0xc5, 0x03}},
      {StorageType::kUint4, {-1, 99}, {0xf0}},
      {StorageType::kInt4, {-1, 2, -9}, {0x2f, 0x08}},
      {StorageType::kInt2, {0, 1, -2, -1, 5}, {0xe4, 0x01}},
      {StorageType::kUint2, {3, 1, 2}, {0x27}},
      {StorageType::kInt8, {-1.5f, -0.5f, 200}, {0xfe, 0xff, 0x7f}},
      {StorageType::kUint8, {300, -3, 2.5f}, {0xff, 0x00, 0x03}},
      {StorageType::kInt16, {-2, 40000}, {0xfe, 0xff, 0xff, 0x7f}},
      {StorageType::kUint16, {4660, -1}, {0x34, 0x12, 0x00, 0x00}},
      {StorageType::kInt32, {-3e9f}, {0x00, 0x00, 0x00, 0x80}},
      {StorageType::kUint32, {2147483648.0f, 1e10f}, {0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff}},
      {StorageType::kInt8, {}, {}},
  };
  for (const Row& row : rows) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
      std::vector<std::uint8_t> expected(offset, 0xaa);
      expected.insert(expected.end(), row.expected.begin(), row.expected.end());
      expected.resize(expected.size() + 4, 0xaa);
      std::vector<std::uint8_t> out(expected.size(), 0xaa);
      quantize(row.type, 1.0f, 0, row.in.data(), row.in.size(), out.data() + offset);
      EXPECT_EQ(out, expected) << info_of(row.type).name;
    }
  }
}

TEST(Quantize, ArraysFollowScaleZeroPointAndChoices) {
  const float in[] = {-1.5f, -2.0f, from_bits(0x3f12435f)};
  std::uint8_t q[3];
  quantize(StorageType::kInt8, 0.5f, 3, in, 2, q);
  EXPECT_EQ(q[0], 0x00);
  EXPECT_EQ(q[1], 0xff);
  quantize(StorageType::kInt8, from_bits(0x3ec3047f), 0, in + 2, 1, q, with(Quotient::kExact));
  EXPECT_EQ(q[0], 1);
}

}  // namespace
}  // namespace hurray
