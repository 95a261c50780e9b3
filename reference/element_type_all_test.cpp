// SPDX-License-Identifier: Apache-2.0
//
// Do all element types pack as the format says, and does each element stand for the right number?

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "reference/binary32.h"
#include "reference/element_type.h"
#include "reference/test_bytes.h"

namespace hurray {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Bytes packed(std::uint8_t tag, const std::vector<std::int64_t>& values) {
  Bytes out(static_cast<std::size_t>(element_bytes(tag, values.size()).value_or(0)), 0xee);
  EXPECT_EQ(pack_elements(tag, values, out), Status::kOk);
  return out;
}

std::vector<float> widened(std::uint8_t tag, const Bytes& bytes, std::size_t count) {
  std::vector<float> out(count);
  EXPECT_EQ(widen_elements(tag, bytes, count, out.data()), Status::kOk);
  return out;
}

TEST(ElementTypes, TheTableAgreesWithTheNamesAndTheStorageTypes) {
  std::size_t tier_1 = 0;
  for (const ElementTypeInfo& info : kElementTypes) {
    EXPECT_EQ(element_type_name(info.tag), info.name);
    EXPECT_EQ(find_element_type(info.tag), &info);
    tier_1 += info.tier == 1 ? 1 : 0;
  }
  EXPECT_EQ(tier_1, 13u);
  for (const StorageTypeInfo& storage : kStorageTypes) {
    const ElementTypeInfo* info = find_element_type(static_cast<std::uint8_t>(storage.type));
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->bits, storage.bits);
    EXPECT_EQ(info->kind == ElementKind::kSigned, storage.is_signed);
    EXPECT_TRUE(info->is_storage_type);
  }
}

// HQ-PACK-028, -029.
TEST(ElementTypes, OtherTagsHaveNoEntry) {
  std::size_t found = 0;
  for (unsigned tag = 0; tag < 256; ++tag) {
    found += find_element_type(static_cast<std::uint8_t>(tag)) != nullptr ? 1 : 0;
  }
  EXPECT_EQ(found, kElementTypes.size());
  for (const std::uint8_t tag : hex("00 05 18 21 47 4c 52 80 ef f0 ff")) {
    EXPECT_EQ(find_element_type(tag), nullptr);
    EXPECT_EQ(element_bytes(tag, 1), std::nullopt);
  }
}

// HQ-PACK-012, -013, -014, -016.
TEST(ElementTypes, BytesAreCountedInWholeGroups) {
  for (std::uint64_t count = 0; count < 18; ++count) {
    EXPECT_EQ(element_bytes(0x20, count), (count + 7) / 8);
    EXPECT_EQ(element_bytes(0x4a, count), (count + 3) / 4);
    EXPECT_EQ(element_bytes(0x43, count), (count + 1) / 2);
    EXPECT_EQ(element_bytes(0x44, count), (count + 3) / 4 * 3);
    EXPECT_EQ(element_bytes(0x40, count), count);
    EXPECT_EQ(element_bytes(0x04, count), count * 8);
    EXPECT_EQ(element_bytes(0x51, count), count * 16);
  }
}

TEST(ElementTypes, BytesThatDoNotFitAreNotCounted) {
  EXPECT_EQ(element_bytes(0x10, kMost), kMost);
  EXPECT_EQ(element_bytes(0x12, kMost / 2), kMost - 1);
  EXPECT_EQ(element_bytes(0x12, kMost / 2 + 1), std::nullopt);
  EXPECT_EQ(element_bytes(0x46, kMost / 16 + 1), std::nullopt);
  EXPECT_EQ(element_bytes(0x44, kMost), kMost / 4 * 3 + 3);
  EXPECT_EQ(element_bytes(0x20, kMost), std::uint64_t{1} << 61);
}

// HQ-PACK-004, -006, -007, -009, -010, -033: the examples of the format.
TEST(ElementTypes, TheGoldenBytes) {
  EXPECT_EQ(packed(0x49, {5, 12, 3}), hex("c503"));
  EXPECT_EQ(packed(0x4b, {3, 1, 2}), hex("27"));
  EXPECT_EQ(packed(0x44, {1, 2, 4, 8}), hex("814020"));
  EXPECT_EQ(packed(0x20, {1, 0, 1, 1, 0}), hex("0d"));
  EXPECT_EQ(packed(0x43, {5, 12, 3}), hex("c503"));
  EXPECT_EQ(packed(0x12, {-2}), hex("feff"));
  EXPECT_EQ(packed(0x17, {-1}), hex("ffffffffffffffff"));
  EXPECT_EQ(packed(0x03, {0x3f800000}), hex("0000803f"));
}

// HQ-PACK-011, -014, -032.
TEST(ElementTypes, SixBitElementsFillTheirGroupAndLeaveZeros) {
  EXPECT_EQ(packed(0x45, {63}), hex("3f0000"));
  EXPECT_EQ(packed(0x45, {0, 63}), hex("c00f00"));
  EXPECT_EQ(packed(0x45, {0, 0, 63}), hex("00f003"));
  EXPECT_EQ(packed(0x45, {0, 0, 0, 63}), hex("0000fc"));
  EXPECT_EQ(packed(0x45, {0, 0, 0, 0, 63}), hex("0000003f0000"));
  const Bytes bytes = packed(0x44, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(read_element_bits(0x44, bytes.data(), i), i + 1);
}

// Each is a buffer of its own, so that a sanitizer sees a byte too many.
TEST(ElementTypes, ReadingAnElementTouchesItsBytesOnly) {
  const Bytes one = hex("3f");
  EXPECT_EQ(read_element_bits(0x44, one.data(), 0), 63u);
  const Bytes two = hex("c00f");
  EXPECT_EQ(read_element_bits(0x44, two.data(), 1), 63u);
}

TEST(ElementTypes, EveryPatternOfATypeSurvives) {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (info.bits > 16) continue;
    std::vector<std::int64_t> values;
    const std::int64_t patterns = std::int64_t{1} << info.bits;
    const std::int64_t lowest = info.kind == ElementKind::kSigned ? -patterns / 2 : 0;
    for (std::int64_t v = 0; v < patterns; ++v) values.push_back(lowest + v);
    std::vector<std::int64_t> again(values.size());
    EXPECT_EQ(unpack_elements(info.tag, packed(info.tag, values), again), Status::kOk);
    EXPECT_EQ(again, values) << info.name;
  }
}

// HQ-PACK-003.
TEST(ElementTypes, ValuesOutsideTheTypeAreRefused) {
  const auto refused = [](std::uint8_t tag, std::int64_t value) {
    Bytes out(8, 0xee);
    const std::array<std::int64_t, 1> values = {value};
    EXPECT_EQ(pack_elements(tag, values, out), Status::kValueOutOfRange) << int{tag} << value;
    EXPECT_EQ(out, Bytes(8, 0xee));
  };
  for (const StorageTypeInfo& info : kStorageTypes) {
    refused(static_cast<std::uint8_t>(info.type), info.min - 1);
    refused(static_cast<std::uint8_t>(info.type), info.max + 1);
  }
  refused(0x20, 2);
  refused(0x20, -1);
  refused(0x44, 64);
  refused(0x43, 16);
  refused(0x40, 256);
  refused(0x03, std::int64_t{1} << 32);
  refused(0x03, -1);
}

TEST(ElementTypes, WhatDoesNotFitIsRefused) {
  Bytes out(2, 0xee);
  const std::vector<std::int64_t> values = {1, 2, 3, 4};
  EXPECT_EQ(pack_elements(0x44, values, out), Status::kBufferTooSmall);
  EXPECT_EQ(pack_elements(0x46, values, out), Status::kElementTypeUnknown);
  EXPECT_EQ(pack_elements(0x47, values, out), Status::kElementTypeUnknown);
  EXPECT_EQ(out, Bytes(2, 0xee));
  std::vector<std::int64_t> in(5);
  EXPECT_EQ(unpack_elements(0x49, out, in), Status::kTooFewBytes);
  float value = 0;
  EXPECT_EQ(widen_elements(0x49, out, 5, &value), Status::kTooFewBytes);
  EXPECT_EQ(widen_elements(0x50, out, 0, &value), Status::kElementTypeUnknown);
  EXPECT_EQ(widen_elements(0x46, out, 0, &value), Status::kElementTypeUnknown);
  EXPECT_EQ(pack_elements(0x10, {}, {}), Status::kOk);
}

// HQ-PACK-005, -008.
TEST(ElementTypes, IntegersAreWidenedWithOneRounding) {
  EXPECT_EQ(widened(0x48, hex("78f0"), 4), (std::vector<float>{-8, 7, 0, -1}));
  EXPECT_EQ(widened(0x4a, hex("e4"), 4), (std::vector<float>{0, 1, -2, -1}));
  EXPECT_EQ(widened(0x20, hex("0d"), 5), (std::vector<float>{1, 0, 1, 1, 0}));
  EXPECT_EQ(widened(0x15, hex("ffffffff"), 1), (std::vector<float>{0x1p32f}));
  EXPECT_EQ(widened(0x14, packed(0x14, {16777217, 16777219}), 2),
            (std::vector<float>{16777216.0f, 16777220.0f}));  // ties to even
  // Rounded from 64 bits at once: by way of double the first would be a tie and go down.
  const std::int64_t just_above_tie = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  EXPECT_EQ(widened(0x16, packed(0x16, {just_above_tie}), 1),
            (std::vector<float>{0x1p60f + 0x1p37f}));
  EXPECT_EQ(widened(0x17, packed(0x17, {-1}), 1), (std::vector<float>{0x1p64f}));
}

TEST(ElementTypes, Binary64IsRoundedOnce) {
  const auto narrowed = [](double value) {
    const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value));
    return widened(0x04, packed(0x04, {bits}), 1)[0];
  };
  EXPECT_EQ(narrowed(0.1), 0.1f);
  EXPECT_EQ(narrowed(1 + 0x1p-24), 1.0f);
  EXPECT_EQ(narrowed(0x1p-150), 0.0f);
  EXPECT_EQ(narrowed(0x1.8p-149), 0x1p-148f);
  EXPECT_TRUE(is_infinite(narrowed(-1e300)));
  EXPECT_TRUE(is_nan(narrowed(std::nan(""))));
}

TEST(ElementTypes, FloatsAreWidenedBitForBit) {
  const std::vector<float> out = widened(0x03, hex("010000800000c07f"), 2);
  EXPECT_EQ(bits_of(out[0]), 0x80000001u);
  EXPECT_EQ(bits_of(out[1]), 0x7fc00000u);
  EXPECT_EQ(widened(0x43, hex("7f"), 2), (std::vector<float>{-6.0f, 6.0f}));
}

// Ruling A43.
TEST(ElementTypes, UnusedBitsAreSeen) {
  const auto zero = [](std::uint8_t tag, const Bytes& bytes, std::size_t count) {
    return unused_bits_are_zero(tag, bytes.data(), count);
  };
  EXPECT_TRUE(zero(0x49, hex("c503"), 3));
  EXPECT_FALSE(zero(0x49, hex("c513"), 3));
  EXPECT_TRUE(zero(0x49, hex("c5f3"), 4));
  EXPECT_FALSE(zero(0x4b, hex("40"), 3));
  EXPECT_FALSE(zero(0x20, hex("80"), 7));
  EXPECT_TRUE(zero(0x20, hex("80"), 8));
  EXPECT_FALSE(zero(0x44, hex("000080"), 1));
  EXPECT_FALSE(zero(0x44, hex("400000"), 1));
  EXPECT_TRUE(zero(0x44, hex("3f0000"), 1));
  EXPECT_TRUE(zero(0x10, hex("ff"), 1));
  EXPECT_TRUE(unused_bits_are_zero(0x44, nullptr, 0));
}

}  // namespace
}  // namespace hurray
