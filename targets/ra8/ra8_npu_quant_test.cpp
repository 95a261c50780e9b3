// SPDX-License-Identifier: Apache-2.0
//
// Do the firmware functions keep their contract (RA8-Q)? Every test runs on two implementations
// that share no code, this one and scalar's; where no value is known by hand, they have to agree.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_ra8;
extern "C" const struct hurray_target hurray_target_scalar;

namespace {

constexpr uint16_t kOk = 0, kInvalidArg = 0x103, kNullPtr = 0x504;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
const hurray_ra8_functions& ra8 = *hurray_target_ra8.ra8;
const hurray_ra8_functions& other = *hurray_target_scalar.ra8;

uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
float from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }

class Ra8 : public testing::TestWithParam<const struct hurray_target*> {
 protected:
  const hurray_ra8_functions& f = *GetParam()->ra8;
  int i8(float in, float scale = 1, int32_t zp = 0) {
    int8_t out = 0x55;
    EXPECT_EQ(f.quantize_i8(&in, &out, 1, scale, zp), kOk);
    return out;
  }
  int u8(float in, float scale = 1, int32_t zp = 0) {
    uint8_t out = 0x55;
    EXPECT_EQ(f.quantize_u8(&in, &out, 1, scale, zp), kOk);
    return out;
  }
  float from_i8(int8_t in, float scale, int32_t zp) {
    float out = -77;
    EXPECT_EQ(f.dequantize_i8(&in, &out, 1, scale, zp), kOk);
    return out;
  }
  float from_u8(uint8_t in, float scale, int32_t zp) {
    float out = -77;
    EXPECT_EQ(f.dequantize_u8(&in, &out, 1, scale, zp), kOk);
    return out;
  }
};

INSTANTIATE_TEST_SUITE_P(, Ra8, testing::Values(&hurray_target_ra8, &hurray_target_scalar),
                         [](const auto& test) { return test.index == 0 ? "ra8" : "scalar"; });

TEST_P(Ra8, TiesGoAwayFromZero) {  // RA8-Q-003
  EXPECT_EQ(i8(0.5f), 1);
  EXPECT_EQ(i8(-0.5f), -1);
  EXPECT_EQ(i8(1.5f), 2);
  EXPECT_EQ(i8(-1.5f), -2);
  EXPECT_EQ(i8(2.5f), 3);
  EXPECT_EQ(i8(-2.5f), -3);
  EXPECT_EQ(u8(254.5f), 255);
  EXPECT_EQ(i8(0.49999997f), 0);
  EXPECT_EQ(i8(-0.49999997f), 0);
  EXPECT_EQ(i8(from_bits(0x3d4ccccc), 0.1f), 0);
}

TEST_P(Ra8, ZeroPointIsAddedAfterRounding) {  // RA8-Q-004
  EXPECT_EQ(i8(0.5f, 1, -1), 0);
  EXPECT_EQ(i8(-0.5f, 1, 1), 0);
  EXPECT_EQ(u8(0.49999997f, 1, 200), 200);
}

TEST_P(Ra8, OutOfRangeSaturatesBySign) {  // RA8-Q-005
  for (float x : {1000.0f, 3e9f, 5e6f, 1e30f, kMax, kInf}) {
    EXPECT_EQ(i8(x), 127) << x;
    EXPECT_EQ(i8(-x), -128) << x;
    EXPECT_EQ(u8(x), 255) << x;
    EXPECT_EQ(u8(-x), 0) << x;
  }
  EXPECT_EQ(i8(1, from_bits(1)), 127);  // the quotient is infinite
  EXPECT_EQ(i8(0, from_bits(1), 5), 5);
  EXPECT_EQ(i8(3e38f, 1e-5f), 127);
}

TEST_P(Ra8, EveryZeroPointCountsInFull) {  // RA8-Q-007, RA8-Q-008, RA8-Q-021
  EXPECT_EQ(i8(1, 1, INT32_MAX), 127);
  EXPECT_EQ(u8(1, 1, INT32_MAX), 255);
  EXPECT_EQ(i8(-1, 1, INT32_MIN), -128);
  EXPECT_EQ(u8(-1, 1, INT32_MIN), 0);
  EXPECT_EQ(i8(2e6f, 1, -1999900), 100);
  EXPECT_EQ(u8(2147483648.0f, 1, INT32_MIN), 0);
  EXPECT_EQ(u8(2147483648.0f + 256, 1, INT32_MIN), 255);
  EXPECT_EQ(i8(-2147483648.0f, 1, INT32_MAX), -1);
  EXPECT_EQ(from_i8(127, 1, INT32_MIN), 2147483648.0f);
  EXPECT_EQ(from_u8(255, 1, INT32_MIN), 2147483904.0f);
  EXPECT_EQ(from_i8(-128, 1, INT32_MAX), -2147483776.0f);
}

TEST_P(Ra8, NaNBecomesTheClampedZeroPoint) {  // ruling R01
  for (uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    EXPECT_EQ(i8(from_bits(nan), 1, 7), 7);
    EXPECT_EQ(u8(from_bits(nan), 1, -7), 0);
    EXPECT_EQ(i8(from_bits(nan), 1, INT32_MAX), 127);
  }
}

TEST_P(Ra8, AnInfiniteScaleMapsFiniteInputToTheZeroPoint) {  // ruling R03
  EXPECT_EQ(i8(kMax, kInf, 9), 9);
  EXPECT_EQ(i8(kInf, kInf, 9), 9);
}

TEST_P(Ra8, ErrorsComeInOrderAndLeaveTheOutputAlone) {  // RA8-Q-009..015, rulings R11 to R13
  float real = 1;
  int8_t code = 0x55;
  uint8_t ucode = 0x55;
  for (uint32_t bits : {0u, 0x80000000u, 0xbf800000u, 0xff800000u, 0x80000001u, 0x7fc00000u,
                        0xffc00000u, 0x7f800001u}) {
    for (size_t count : {size_t{0}, size_t{1}}) {
      EXPECT_EQ(f.quantize_i8(&real, &code, count, from_bits(bits), 0), kInvalidArg);
      EXPECT_EQ(f.quantize_u8(&real, &ucode, count, from_bits(bits), 0), kInvalidArg);
      EXPECT_EQ(f.quantize_i8(nullptr, &code, count, from_bits(bits), 0), kNullPtr);
    }
  }
  for (size_t count : {size_t{0}, size_t{1}}) {
    EXPECT_EQ(f.quantize_i8(&real, nullptr, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.quantize_u8(nullptr, &ucode, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.quantize_u8(&real, nullptr, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.dequantize_i8(nullptr, &real, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.dequantize_i8(&code, nullptr, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.dequantize_u8(nullptr, &real, count, 1, 0), kNullPtr);
    EXPECT_EQ(f.dequantize_u8(&ucode, nullptr, count, 1, 0), kNullPtr);
  }
  EXPECT_EQ(f.quantize_i8(&real, &code, 0, 1, 0), kOk);
  EXPECT_EQ(f.dequantize_u8(&ucode, &real, 0, 0, 0), kOk);
  EXPECT_EQ(code, 0x55);
  EXPECT_EQ(ucode, 0x55);
  EXPECT_EQ(real, 1.0f);
}

TEST_P(Ra8, DequantizeRoundsDifferenceThenProductWithAnyScale) {  // RA8-Q-019..022
  for (float scale : {0.1f, 3.0f, -1.0f, 0.0f, from_bits(1), kMax, kInf}) {
    for (int32_t zp : {0, 3, -128, 255, 16777217, INT32_MIN, INT32_MAX}) {
      for (int code = -128; code < 256; ++code) {
        const volatile float difference = static_cast<float>(int64_t{code} - zp);
        const volatile float product = scale * difference;
        const float want = product;
        const auto same = [want](float got) {
          return bits_of(got) == bits_of(want) || (std::isnan(got) && std::isnan(want));
        };
        if (code < 128) {
          EXPECT_PRED1(same, from_i8(static_cast<int8_t>(code), scale, zp));
        }
        if (code >= 0) {
          EXPECT_PRED1(same, from_u8(static_cast<uint8_t>(code), scale, zp));
        }
      }
    }
  }
}

TEST_P(Ra8, EveryCountWritesItsElementsAndNothingElse) {  // RA8-Q-016
  for (size_t count = 0; count <= 257; ++count) {
    const std::vector<float> in(count + 1, -2.5f);
    std::vector<int8_t> out(count + 2, 0x55);
    ASSERT_EQ(f.quantize_i8(in.data(), out.data() + 1, count, 1, 0), kOk);
    EXPECT_EQ(out.front(), 0x55);
    EXPECT_EQ(out.back(), 0x55);
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(out[i + 1], -3);
  }
}

// Both implementations on the same inputs, in blocks.
void expect_agreement(const std::vector<float>& in, float scale, int32_t zp) {
  std::vector<int8_t> a(in.size()), b(in.size());
  std::vector<uint8_t> c(in.size()), d(in.size());
  const uint16_t code = ra8.quantize_i8(in.data(), a.data(), in.size(), scale, zp);
  ASSERT_EQ(code, other.quantize_i8(in.data(), b.data(), in.size(), scale, zp)) << bits_of(scale);
  ASSERT_EQ(code, ra8.quantize_u8(in.data(), c.data(), in.size(), scale, zp));
  ASSERT_EQ(code, other.quantize_u8(in.data(), d.data(), in.size(), scale, zp));
  for (size_t i = 0; i < in.size(); ++i) {
    ASSERT_EQ(a[i], b[i]) << std::hex << bits_of(in[i]) << " / " << bits_of(scale) << " + " << zp;
    ASSERT_EQ(c[i], d[i]) << std::hex << bits_of(in[i]) << " / " << bits_of(scale) << " + " << zp;
  }
}

constexpr int32_t kZeroPoints[] = {0,       1,        -1,        127,       -128,         128,
                                   255,     256,      100000,    -1999900,  8388608,      -16777216,
                                   1 << 30, -1 << 30, INT32_MAX, INT32_MIN, INT32_MIN + 1};

TEST(Ra8Agreement, AroundEveryBoundaryOfEveryCode) {
  for (float scale : {1.0f, 0.5f, 0.1f, 0.05f, 1.0f / 3, 694.314087f, 1e-38f, 1e-42f, 1e36f,
                      from_bits(1), kMax}) {
    for (int32_t zp : kZeroPoints) {
      std::vector<float> in;
      for (int code = -130; code <= 258; ++code) {
        for (double half : {-0.5, 0.0, 0.5}) {
          const double steps = static_cast<double>(code) - zp + half;
          const float x = static_cast<float>(steps * static_cast<double>(scale));
          float down = x, up = x;
          in.push_back(x);
          for (int ulp = 0; ulp < 3; ++ulp) {
            in.push_back(down = std::nextafter(down, -kInf));
            in.push_back(up = std::nextafter(up, kInf));
          }
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_agreement(in, scale, zp));
    }
  }
}

TEST(Ra8Agreement, OnRandomBitPatterns) {
  std::mt19937 random(20240229);  // NaN, infinities and subnormals among them, scales too
  std::vector<float> in(64);
  for (int round = 0; round < 20000; ++round) {
    for (float& x : in) x = from_bits(static_cast<uint32_t>(random()));
    const int32_t zp = static_cast<int32_t>(random()) >> (round % 32);
    ASSERT_NO_FATAL_FAILURE(expect_agreement(in, from_bits(static_cast<uint32_t>(random())), zp));
  }
}

TEST(Ra8Agreement, OnEveryFloatThatRoundsToZeroOrOne) {
  std::vector<float> in(1 << 16);
  for (uint32_t sign : {0u, 0x80000000u}) {
    for (uint32_t bits = 0x3e800000; bits < 0x3fc00000; bits += 1 << 16) {
      for (uint32_t i = 0; i < 1 << 16; ++i) in[i] = from_bits(sign | (bits + i));
      ASSERT_NO_FATAL_FAILURE(expect_agreement(in, 1, 1));
    }
  }
}

}  // namespace
