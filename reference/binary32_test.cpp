// SPDX-License-Identifier: Apache-2.0
//
// Do loads, stores and the questions about a binary32 depend on nothing but the bits?

#include "reference/binary32.h"

#include <gtest/gtest.h>

#include "reference/byte_order.h"

namespace hurray {
namespace {

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

TEST(ByteOrder, LeastSignificantByteComesFirstAtAnyAddress) {
  // Offset 1 makes every load and store unaligned.
  const std::uint8_t bytes[9] = {0xee, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
  EXPECT_EQ(load_le16(bytes + 1), 0x0201);
  EXPECT_EQ(load_le32(bytes + 1), 0x04030201u);
  EXPECT_EQ(load_le64(bytes + 1), 0x0807060504030201u);
}

TEST(ByteOrder, StoresTouchTheirOwnBytesOnly) {
  const auto expect = [](const std::uint8_t* got, std::initializer_list<unsigned> want) {
    for (unsigned byte : want) EXPECT_EQ(*got++, byte);
  };
  std::uint8_t bytes[10];
  std::fill_n(bytes, 10, std::uint8_t{0xee});
  store_le16(bytes + 1, 0x0201);
  expect(bytes, {0xee, 0x01, 0x02, 0xee});
  store_le32(bytes + 1, 0x80000004);
  expect(bytes, {0xee, 0x04, 0x00, 0x00, 0x80, 0xee});
  store_le64(bytes + 1, 0x0807060504030201);
  expect(bytes, {0xee, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0xee});
  store_binary32(bytes + 1, 1.0f);
  expect(bytes, {0xee, 0x00, 0x00, 0x80, 0x3f, 0x05});
}

TEST(ByteOrder, Binary32KeepsEveryBitPattern) {
  for (std::uint32_t bits : {0x3f800000u, 0x80000000u, 0x00000001u, 0x7f800001u, 0xffffffffu}) {
    std::uint8_t bytes[4];
    store_binary32(bytes, from_bits(bits));
    EXPECT_EQ(load_le32(bytes), bits);
    EXPECT_EQ(bits_of(load_binary32(bytes)), bits);
  }
}

TEST(Binary32, EveryBitPatternHasOneKind) {
  struct Row {
    std::uint32_t bits;
    bool zero, subnormal, finite, infinite, nan;
  };
  const Row rows[] = {
      {0x00000000, true, false, true, false, false},
      {0x00000001, false, true, true, false, false},
      {0x007fffff, false, true, true, false, false},
      {0x00800000, false, false, true, false, false},
      {0x7f7fffff, false, false, true, false, false},
      {0x7f800000, false, false, false, true, false},
      {0x7f800001, false, false, false, false, true},
      {0x7fffffff, false, false, false, false, true},
  };
  for (const Row& row : rows) {
    for (std::uint32_t sign : {0u, kSignBit}) {
      const float value = from_bits(row.bits | sign);
      SCOPED_TRACE(row.bits | sign);
      EXPECT_EQ(is_negative(value), sign != 0);
      EXPECT_EQ(is_zero(value), row.zero);
      EXPECT_EQ(is_subnormal(value), row.subnormal);
      EXPECT_EQ(is_finite(value), row.finite);
      EXPECT_EQ(is_infinite(value), row.infinite);
      EXPECT_EQ(is_nan(value), row.nan);
    }
  }
}

TEST(Binary32, FlushingKeepsTheSignAndTouchesSubnormalsOnly) {
  EXPECT_EQ(bits_of(flushed(from_bits(0x007fffff))), 0x00000000u);
  EXPECT_EQ(bits_of(flushed(from_bits(0x80000001))), 0x80000000u);
  EXPECT_EQ(bits_of(flushed(from_bits(0x80800000))), 0x80800000u);
  EXPECT_EQ(bits_of(flushed(from_bits(0x7f800001))), 0x7f800001u);
}

TEST(Binary32, EachChoiceFlushesItsSide) {
  const float tiny = from_bits(0x00000001);
  const auto operand_stays = [&](Subnormals s) { return !is_zero(flush_operand(tiny, s)); };
  const auto result_stays = [&](Subnormals s) { return !is_zero(flush_result(tiny, s)); };
  EXPECT_TRUE(operand_stays(Subnormals::kGradual));
  EXPECT_TRUE(result_stays(Subnormals::kGradual));
  EXPECT_FALSE(operand_stays(Subnormals::kFlush));
  EXPECT_FALSE(result_stays(Subnormals::kFlush));
  EXPECT_FALSE(operand_stays(Subnormals::kFlushOperands));
  EXPECT_TRUE(result_stays(Subnormals::kFlushOperands));
  EXPECT_TRUE(operand_stays(Subnormals::kFlushResults));
  EXPECT_FALSE(result_stays(Subnormals::kFlushResults));
}

}  // namespace
}  // namespace hurray
