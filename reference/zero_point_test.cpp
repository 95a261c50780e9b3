// SPDX-License-Identifier: Apache-2.0
//
// Do foreign zero points arrive as the values that Hurray subtracts?

#include "reference/zero_point.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace hurray {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ZeroPoints = std::vector<std::int32_t>;

ZeroPoints normalized(const ZeroPointFormat& format, const Bytes& packed, std::size_t count) {
  ZeroPoints out(count, -77);
  EXPECT_EQ(normalize_zero_points(format, packed, count, out.data()), Status::kOk);
  return out;
}

// HQ-ZP-006 and -007.
TEST(ZeroPoint, LowNibblesComeFirstAndTheBiasIsRemoved) {
  EXPECT_EQ(normalized({}, {0x67, 0x78}, 4), (ZeroPoints{8, 7, 9, 8}));
  EXPECT_EQ(normalized({}, {0x87}, 2), (ZeroPoints{8, 9}));
  EXPECT_EQ(normalized({}, {0x32}, 2), (ZeroPoints{3, 4}));
  EXPECT_EQ(normalized({4, 0, false}, {0x67, 0x78}, 4), (ZeroPoints{7, 6, 8, 7}));
  EXPECT_EQ(normalized({}, {0x10, 0x32, 0x54, 0x76}, 8), (ZeroPoints{1, 2, 3, 4, 5, 6, 7, 8}));
}

// HQ-ZP-008.
TEST(ZeroPoint, AStoredFifteenBecomesSixteenAndCarriesNothingOver) {
  EXPECT_EQ(normalized({}, {0xff}, 2), (ZeroPoints{16, 16}));
  EXPECT_EQ(normalized({}, {0xf0}, 2), (ZeroPoints{1, 16}));
  EXPECT_EQ(normalized({}, {0x0f}, 2), (ZeroPoints{16, 1}));
}

TEST(ZeroPoint, EveryByteGivesItsTwoNibblesInEitherOrder) {
  for (int byte = 0; byte < 256; ++byte) {
    const Bytes packed = {static_cast<std::uint8_t>(byte)};
    const int low = byte % 16 + 1;
    const int high = byte / 16 + 1;
    EXPECT_EQ(normalized({4, 1, false}, packed, 2), (ZeroPoints{low, high}));
    EXPECT_EQ(normalized({4, 1, true}, packed, 2), (ZeroPoints{high, low}));
  }
}

TEST(ZeroPoint, FieldsOfTwoAndEightBitsFollowTheSameRule) {
  EXPECT_EQ(normalized({2, 1, false}, {0xe4, 0x02}, 5), (ZeroPoints{1, 2, 3, 4, 3}));
  EXPECT_EQ(normalized({2, 0, true}, {0xe4}, 4), (ZeroPoints{3, 2, 1, 0}));
  EXPECT_EQ(normalized({8, 1, false}, {0x00, 0xff}, 2), (ZeroPoints{1, 256}));
  EXPECT_EQ(normalized({8, -128, true}, {0x00, 0xff}, 2), (ZeroPoints{-128, 127}));
}

// HQ-ZP-015.
TEST(ZeroPoint, OnlyTheBytesThatCountAsksForAreNeeded) {
  EXPECT_EQ(normalized({}, {0x67, 0x78}, 3), (ZeroPoints{8, 7, 9}));
  EXPECT_EQ(normalized({}, {0x67, 0x78, 0xff}, 4), (ZeroPoints{8, 7, 9, 8}));
  EXPECT_EQ(normalized({}, {}, 0), ZeroPoints{});
  EXPECT_EQ(normalize_zero_points({}, {}, 0, nullptr), Status::kOk);
}

TEST(ZeroPoint, TooFewBytesAreRefusedAndNothingIsWritten) {
  const Bytes packed = {0x67, 0x78};
  ZeroPoints out(8, -77);
  const auto status = [&](const ZeroPointFormat& format, std::size_t bytes, std::size_t count) {
    return normalize_zero_points(format, std::span(packed).first(bytes), count, out.data());
  };
  EXPECT_EQ(status({}, 1, 3), Status::kTooFewBytes);
  EXPECT_EQ(status({}, 1, 4), Status::kTooFewBytes);
  EXPECT_EQ(status({}, 2, 5), Status::kTooFewBytes);
  EXPECT_EQ(status({2, 1, false}, 1, 5), Status::kTooFewBytes);
  EXPECT_EQ(status({8, 1, false}, 2, 3), Status::kTooFewBytes);
  // Counts whose number of bits is more than size_t holds.
  for (unsigned bits : {2u, 4u, 8u}) {
    EXPECT_EQ(status({bits, 1, false}, 2, std::numeric_limits<std::size_t>::max()),
              Status::kTooFewBytes);
  }
  EXPECT_EQ(out, ZeroPoints(8, -77));
}

TEST(ZeroPoint, ImpossiblePlanesAreRefused) {
  const Bytes packed = {0x67, 0x78};
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  ZeroPoints out(2, -77);
  for (unsigned bits : {0u, 1u, 3u, 5u, 6u, 7u, 9u, 16u, 32u, 0xffffffffu}) {
    EXPECT_EQ(normalize_zero_points({bits, 1, false}, packed, 2, out.data()),
              Status::kInvalidFormat);
  }
  EXPECT_EQ(normalize_zero_points({4, most - 14, false}, packed, 2, out.data()),
            Status::kInvalidFormat);
  EXPECT_EQ(out, ZeroPoints(2, -77));
  EXPECT_EQ(normalized({4, most - 15, false}, {0xf0}, 2), (ZeroPoints{most - 15, most}));
  EXPECT_EQ(normalized({4, std::numeric_limits<std::int32_t>::min(), false}, {0x01}, 1),
            ZeroPoints{-2147483647});
}

}  // namespace
}  // namespace hurray
