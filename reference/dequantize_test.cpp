// SPDX-License-Identifier: Apache-2.0
//
// Is every dequantized value the one binary32 that the formula gives? Expected bits were computed
// with exact rational numbers, or follow from double arithmetic that cannot round.

#include "reference/dequantize.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace hurray {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kOne = 0x3f800000;

std::uint32_t value_bits(StorageType type, std::uint32_t scale_bits, std::int32_t zero_point,
                         std::int64_t q, const Choices& choices = {}) {
  const float scale = std::bit_cast<float>(scale_bits);
  return std::bit_cast<std::uint32_t>(dequantize_value(type, scale, zero_point, q, choices));
}

Choices with(DifferenceWidth width, Uint32Codes codes = Uint32Codes::kUnsigned) {
  Choices choices;
  choices.difference_width = width;
  choices.uint32_codes = codes;
  return choices;
}

Choices with(Subnormals subnormals) {
  Choices choices;
  choices.subnormals = subnormals;
  return choices;
}

// HQ-PTA-018 and -025. A 24-bit scale times a difference of at most 9 bits fits double exactly, so
// the conversion to float is the only rounding, as it is in one binary32 product.
TEST(Dequantize, EveryCodeOfTheNarrowTypesHasItsExactValueRoundedOnce) {
  const std::uint32_t scales[] = {0x3f000000, 0x3dcccccd, 0x3ca3d70a, 0xbf000000,
                                  0x3baaaaab, 0x7f7fffff, 0x00800000, 0x00000001,
                                  0x007fffff, 0x80000001, 0x3f800001, 0x40400000};
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits > 8) continue;
    for (std::uint32_t scale_bits : scales) {
      const double scale = std::bit_cast<float>(scale_bits);
      for (std::int64_t zero_point = info.min; zero_point <= info.max; ++zero_point) {
        for (std::int64_t q = info.min; q <= info.max; ++q) {
          const auto expected = static_cast<float>(scale * static_cast<double>(q - zero_point));
          ASSERT_EQ(value_bits(info.type, scale_bits, static_cast<std::int32_t>(zero_point), q),
                    std::bit_cast<std::uint32_t>(expected))
              << info.name << " q " << q << " zero_point " << zero_point;
        }
      }
    }
  }
}

// HQ-PTA-019.
TEST(Dequantize, TheDifferenceIsSigned) {
  EXPECT_EQ(dequantize_value(StorageType::kInt16, 1.0f, -32768, 32767), 65535.0f);
  EXPECT_EQ(dequantize_value(StorageType::kUint16, 1.0f, 65535, 0), -65535.0f);
  EXPECT_EQ(dequantize_value(StorageType::kUint8, 0.5f, 5, 2), -1.5f);
  EXPECT_EQ(dequantize_value(StorageType::kInt8, 0.5f, 3, 5), 1.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt8, -0.5f, 3, 5), -1.0f);
  EXPECT_EQ(value_bits(StorageType::kInt8, 0x3ca3d70a, 7, 9), 0x3d23d70au);  // 0.02 -> 0.04
}

// HQ-PTA-020: the difference is rounded before the product is.
TEST(Dequantize, TwoRoundingsInThisOrder) {
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 3.0f, 0, 16777217), 50331648.0f);
  EXPECT_EQ(value_bits(StorageType::kInt32, 0x3dcccccd, 0, 16777217), 0x49cccccdu);
  EXPECT_EQ(value_bits(StorageType::kInt32, 0x3dcccccd, 0, -16777217), 0xc9cccccdu);
  EXPECT_EQ(value_bits(StorageType::kInt32, kOne, 0, 16777219), 0x4b800002u);  // tie, to even
  EXPECT_EQ(value_bits(StorageType::kUint8, 0x3dcccccd, 3, 1), 0xbe4ccccdu);
  EXPECT_EQ(value_bits(StorageType::kUint8, 0x3dcccccd, 3, 3), 0x00000000u);
  EXPECT_EQ(value_bits(StorageType::kUint8, 0x3dcccccd, 163, 164), 0x3dcccccdu);
  EXPECT_EQ(value_bits(StorageType::kUint8, 0x3baaaaab, 0, 1), 0x3baaaaabu);
}

// Rulings A05 and A06.
TEST(Dequantize, OverflowUnderflowAndZerosAreThoseOfIeee) {
  EXPECT_EQ(value_bits(StorageType::kInt8, 0x7f7fffff, 0, 2), 0x7f800000u);
  EXPECT_EQ(value_bits(StorageType::kInt8, 0x7f7fffff, 0, -2), 0xff800000u);
  EXPECT_EQ(value_bits(StorageType::kInt8, 0x00000001, 0, 3), 0x00000003u);
  EXPECT_EQ(value_bits(StorageType::kInt8, 0x00400000, 0, 4), 0x01000000u);
  EXPECT_EQ(value_bits(StorageType::kInt8, 0xbf000000, 3, 3), 0x80000000u);
}

// Ruling A01: both readings, by hand.
TEST(Dequantize, ADifferenceThatLeavesInt32IsWidenedOrWrapped) {
  const Choices widen = with(DifferenceWidth::kWiden);
  const Choices wrap = with(DifferenceWidth::kWrap);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, kLowest, kHighest, widen), 4294967296.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, kLowest, kHighest, wrap), -1.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, -1, kHighest, widen), 2147483648.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, -1, kHighest, wrap), -2147483648.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, 1, kLowest, widen), -2147483648.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, 1, kLowest, wrap), 2147483648.0f);
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, 5, -5, wrap), -10.0f);
}

// Ruling A02, with both readings of A01.
TEST(Dequantize, UpperHalfOfUint32IsUnsignedOrReinterpreted) {
  const auto value = [](std::int32_t zero_point, std::int64_t q, const Choices& choices) {
    return dequantize_value(StorageType::kUint32, 1.0f, zero_point, q, choices);
  };
  const Choices unsigned_widen = with(DifferenceWidth::kWiden, Uint32Codes::kUnsigned);
  const Choices signed_widen = with(DifferenceWidth::kWiden, Uint32Codes::kReinterpret);
  const Choices unsigned_wrap = with(DifferenceWidth::kWrap, Uint32Codes::kUnsigned);
  const Choices signed_wrap = with(DifferenceWidth::kWrap, Uint32Codes::kReinterpret);
  EXPECT_EQ(value(0, 4294967295, unsigned_widen), 4294967296.0f);
  EXPECT_EQ(value(0, 4294967295, signed_widen), -1.0f);
  EXPECT_EQ(value(0, 4294967295, unsigned_wrap), -1.0f);
  EXPECT_EQ(value(0, 4294967295, signed_wrap), -1.0f);
  EXPECT_EQ(value(256, 2147483648, unsigned_widen), 2147483392.0f);
  EXPECT_EQ(value(256, 2147483648, signed_widen), -2147483904.0f);
  EXPECT_EQ(value(256, 2147483648, unsigned_wrap), 2147483392.0f);
  EXPECT_EQ(value(256, 2147483648, signed_wrap), 2147483392.0f);
  EXPECT_EQ(value(kHighest, 5, signed_widen), -2147483648.0f);
  // int32 codes are signed already.
  EXPECT_EQ(dequantize_value(StorageType::kInt32, 1.0f, 0, -7, signed_widen), -7.0f);
}

// Ruling R15: product of the smallest subnormal, and of one whose product is normal again.
TEST(Dequantize, FlushingIsAChoiceOfOperandsAndResults) {
  const auto bits = [](std::uint32_t scale, std::int64_t q, Subnormals subnormals) {
    return value_bits(StorageType::kInt8, scale, 0, q, with(subnormals));
  };
  EXPECT_EQ(bits(0x00000001, 3, Subnormals::kGradual), 0x00000003u);
  EXPECT_EQ(bits(0x00000001, 3, Subnormals::kFlush), 0x00000000u);
  EXPECT_EQ(bits(0x00000001, 3, Subnormals::kFlushOperands), 0x00000000u);
  EXPECT_EQ(bits(0x00000001, -3, Subnormals::kFlushResults), 0x80000000u);
  EXPECT_EQ(bits(0x80000001, 3, Subnormals::kFlushOperands), 0x80000000u);
  EXPECT_EQ(bits(0x00400000, 4, Subnormals::kGradual), 0x01000000u);
  EXPECT_EQ(bits(0x00400000, 4, Subnormals::kFlush), 0x00000000u);
  EXPECT_EQ(bits(0x00400000, 4, Subnormals::kFlushOperands), 0x00000000u);
  EXPECT_EQ(bits(0x00400000, 4, Subnormals::kFlushResults), 0x01000000u);
  EXPECT_EQ(bits(0x00800000, 1, Subnormals::kFlush), 0x00800000u);
}

TEST(Dequantize, ArraysAreReadPackedAtAnyAlignment) {
  struct Row {
    StorageType type;
    std::vector<std::uint8_t> packed;
    std::vector<float> expected;
  };
  const Row rows[] = {
      {StorageType::kInt4, {0x98}, {-8.0f, -7.0f}},
      {StorageType::kInt4, {0x1a, 0x12, 0x13, 0x1e}, {-6, 1, 2, 1, 3, 1, -2, 1}},
      {StorageType::kInt2, {0xe4}, {0.0f, 1.0f, -2.0f, -1.0f}},
      {StorageType::kUint2, {0x63, 0x03}, {3.0f, 0.0f, 2.0f, 1.0f, 3.0f}},
      {StorageType::kUint4, {0xc5, 0x03}, {5.0f, 12.0f, 3.0f}},
      {StorageType::kInt16, {0xfe, 0xff, 0x34, 0x12}, {-2.0f, 4660.0f}},
      {StorageType::kUint32, {0x00, 0x00, 0x00, 0x80}, {2147483648.0f}},
  };
  for (const Row& row : rows) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
      std::vector<std::uint8_t> bytes(offset, 0xee);
      bytes.insert(bytes.end(), row.packed.begin(), row.packed.end());
      std::vector<float> out(row.expected.size() + 1, 99.0f);
      dequantize(row.type, 1.0f, 0, bytes.data() + offset, row.expected.size(), out.data());
      EXPECT_EQ(out.back(), 99.0f);
      out.pop_back();
      EXPECT_EQ(out, row.expected);
    }
  }
  dequantize(StorageType::kInt8, 1.0f, 0, nullptr, 0, nullptr);
}

TEST(Dequantize, ArraysFollowTheChoices) {
  const std::uint8_t q[4] = {0xff, 0xff, 0xff, 0xff};
  float out = 0.0f;
  dequantize(StorageType::kUint32, 2.0f, 0, q, 1, &out, with(DifferenceWidth::kWrap));
  EXPECT_EQ(out, -2.0f);
}

}  // namespace
}  // namespace hurray
