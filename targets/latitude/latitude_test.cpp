// SPDX-License-Identifier: Apache-2.0
//
// Is every row of the table of variants another choice than scalar's, and is a choice that is hard
// to see really made? Whether the suite passes them is for the suite to show.

#include "latitude/latitude.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Target = struct hurray_target;
const Target& scalar = hurray_target_scalar;

TEST(LatitudeTable, IdsAreUniqueWordsAndNameTheTarget) {
  std::set<std::string> seen;
  for (size_t i = 0; i < hurray_latitude_count; ++i) {
    const hurray_latitude& row = hurray_latitudes[i];
    const std::string id = row.id;
    EXPECT_TRUE(seen.insert(id).second) << id;
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
    EXPECT_EQ(row.target.name, "latitude-" + id);
    EXPECT_EQ(hurray_find_latitude(row.id), &row);
    EXPECT_NE(std::string(row.choice), "") << id;
  }
  EXPECT_EQ(hurray_find_latitude("no-such-variant"), nullptr);
}

TEST(LatitudeTable, RowsNameRulingsAndBehaviours) {
  const std::regex rulings("[AR][0-9]{2}( [AR][0-9]{2})*");
  const std::regex choice("([a-z0-9-]+=[a-z0-9_-]+( [a-z0-9-]+=[a-z0-9_-]+)*)?");
  const std::regex mixture("[a-z0-9-]+");
  for (size_t i = 0; i < hurray_latitude_count; ++i) {
    const hurray_latitude& row = hurray_latitudes[i];
    EXPECT_TRUE(std::regex_match(row.rulings, rulings)) << row.id;
    EXPECT_TRUE(std::regex_match(row.behaviours, row.kind == kLatitudeMixture ? mixture : choice))
        << row.id;
  }
}

TEST(LatitudeTable, NoRowIsScalarItself) {
  for (size_t i = 0; i < hurray_latitude_count; ++i) {
    const Target& t = hurray_latitudes[i].target;
    EXPECT_TRUE(t.decode != scalar.decode || t.encode != scalar.encode ||
                t.dequantize != scalar.dequantize || t.quantize != scalar.quantize ||
                t.unpack != scalar.unpack || t.convert != scalar.convert ||
                t.normalize_zero_points != scalar.normalize_zero_points ||
                t.decode_tensor != scalar.decode_tensor ||
                t.encode_tensor != scalar.encode_tensor ||
                t.dequantize_tensor != scalar.dequantize_tensor || t.ra8 == nullptr ||
                std::memcmp(t.ra8, scalar.ra8, sizeof *t.ra8) != 0)
        << hurray_latitudes[i].id;
  }
}

// Inputs at and beside ties: which side of one they lie on is decided by a product that is exact.
TEST(QuotientExact, RoundsTheExactQuotient) {
  const hurray_latitude* row = hurray_find_latitude("quotient-exact");
  ASSERT_NE(row, nullptr);
  std::mt19937 random(3);
  int differing = 0;
  for (int n = 0; n < 20000; ++n) {
    const int64_t b = 0x800000 + static_cast<int64_t>(random() % 0x800000);
    const int64_t k = static_cast<int64_t>(random() % 120);
    // The float closest to (k + 1/2) * scale, or one of its neighbours.
    const double tie = (static_cast<double>(k) + 0.5) * static_cast<double>(b);
    float x = static_cast<float>(tie) * 0x1p-23f;
    x = std::bit_cast<float>(std::bit_cast<uint32_t>(x) + static_cast<uint32_t>(random() % 3) - 1);
    const float scale = static_cast<float>(b) * 0x1p-23f;
    // 2x >= (2k + 1) * scale decides; both sides fit binary64.
    const double left = 2.0 * static_cast<double>(x);
    const double right = static_cast<double>(2 * k + 1) * static_cast<double>(scale);
    const int8_t want = static_cast<int8_t>(left >= right ? k + 1 : k);
    std::array<float, 2> in = {x, -x};
    std::array<int8_t, 2> exact{}, rounded{};
    ASSERT_EQ(row->target.quantize(0x10, scale, 0, in.data(), exact.data(), 2), HURRAY_OK);
    ASSERT_EQ(scalar.quantize(0x10, scale, 0, in.data(), rounded.data(), 2), HURRAY_OK);
    EXPECT_EQ(exact[0], want) << x << " " << scale;
    EXPECT_EQ(exact[1], -want) << x << " " << scale;
    differing += exact[0] != rounded[0];
  }
  EXPECT_GT(differing, 100);
}

}  // namespace
