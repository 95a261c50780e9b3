// SPDX-License-Identifier: Apache-2.0
//
// Do the statistics say what a person would work out by hand? Small numbers, one at a time; how
// well they work together is measured in lint_measure_test.cpp.

#include "conformance/runner/lint_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hurray::conformance {
namespace {

BlockSums block_of(std::initializer_list<std::int64_t> codes, std::int64_t zero_point) {
  BlockSums block;
  for (const std::int64_t code : codes) block.add(code, zero_point);
  return block;
}

// `count` blocks, each with these codes.
std::vector<BlockSums> blocks_of(std::size_t count, std::initializer_list<std::int64_t> codes,
                                 std::int64_t zero_point) {
  return std::vector<BlockSums>(count, block_of(codes, zero_point));
}

TEST(LintStatistics, ABlockIsSummedInSteps) {
  const BlockSums block = block_of({5, 9, 10}, 8);
  EXPECT_EQ(block.elements, 3u);
  EXPECT_EQ(block.smallest, 5);
  EXPECT_EQ(block.largest, 10);
  EXPECT_EQ(block.sum, 0);              // -3 + 1 + 2
  EXPECT_EQ(block.sum_of_squares, 14);  // 9 + 1 + 4
  EXPECT_FALSE(block.is_constant());
  EXPECT_TRUE(block_of({4, 4}, 9).is_constant());
  EXPECT_FALSE(BlockSums{}.is_constant());
}

TEST(LintStatistics, TheLeanIsTheMeanOverAllElements) {
  // Means 2 and -1 of 2 and 4 elements: (4 - 4) / 6.
  const std::vector<BlockSums> blocks = {block_of({9, 11}, 8), block_of({6, 8, 6, 8}, 8)};
  const Lean lean = lean_of(blocks);
  EXPECT_EQ(lean.blocks, 2u);
  EXPECT_EQ(lean.elements, 6u);
  EXPECT_DOUBLE_EQ(lean.mean, 0.0);
  EXPECT_DOUBLE_EQ(lean.above, 0.5);
  // Around their means: 1 1, 1 1 1 1, with 1 + 3 degrees of freedom.
  EXPECT_DOUBLE_EQ(lean.deviation, std::sqrt(6.0 / 4));
  EXPECT_DOUBLE_EQ(lean.standard_error, std::sqrt(6.0 / 4) / std::sqrt(6.0));
}

TEST(LintStatistics, BlocksThatLeanEachInItsOwnWayAreUncertain) {
  // Eight blocks without spread inside: means of 1 and -1.
  std::vector<BlockSums> blocks = blocks_of(4, {9, 9}, 8);
  for (const BlockSums& each : blocks_of(4, {7, 7}, 8)) blocks.push_back(each);
  const Lean lean = lean_of(blocks);
  EXPECT_DOUBLE_EQ(lean.standard_error, std::sqrt(8.0 / 7 / 8));
  EXPECT_GE(lean.uncertainty, lean.standard_error);
}

TEST(LintStatistics, NothingHasNoLean) {
  EXPECT_EQ(lean_of({}).elements, 0u);
  EXPECT_EQ(lean_of(std::vector<BlockSums>(3)).blocks, 0u);
  const std::vector<std::int32_t> zero_points = {7};
  EXPECT_EQ(judge_bias({}, {4, false}, zero_points).bias, Bias::kNone);
  EXPECT_EQ(judge_bias(lean_of(blocks_of(1, {8}, 7)), {4, false}, {}).bias, Bias::kNone);
}

TEST(LintStatistics, CodesHaveTheRangeThatHoldsThem) {
  const struct {
    std::uint8_t type;
    std::int64_t smallest, largest;
    unsigned bits;
    std::int64_t range_smallest, range_largest, middle;
  } kRows[] = {
      {0x49, 3, 4, 4, 0, 15, 8},  // a type below a byte says it itself
      {0x48, 3, 4, 4, -8, 7, 0},      {0x4b, 0, 1, 2, 0, 3, 2},
      {0x11, 0, 3, 2, 0, 3, 2},       {0x11, 0, 4, 4, 0, 15, 8},
      {0x11, 0, 16, 8, 0, 255, 128},  {0x10, 0, 15, 4, 0, 15, 8},
      {0x10, -1, 7, 4, -8, 7, 0},     {0x10, -9, 7, 8, -128, 127, 0},
      {0x10, 0, 127, 8, 0, 255, 128}, {0x12, -129, 0, 16, -32768, 32767, 0},
  };
  for (const auto& row : kRows) {
    const CodeRange range = code_range_of(row.type, row.smallest, row.largest);
    EXPECT_EQ(range.bits, row.bits);
    EXPECT_EQ(range.smallest(), row.range_smallest);
    EXPECT_EQ(range.largest(), row.range_largest);
    EXPECT_EQ(range.middle(), row.middle);
  }
}

// Blocks of -1, 0, 0, 1 steps around a true zero point of 8, under zero points that were stored.
BiasVerdict judged(std::size_t blocks, std::int32_t stored, std::int32_t first = 0) {
  std::vector<std::int32_t> zero_points(blocks, stored);
  if (first != 0) zero_points[0] = first;
  return judge_bias(lean_of(blocks_of(blocks, {7, 8, 8, 9}, stored)), {4, false}, zero_points);
}

TEST(LintStatistics, OneStepOffIsABiasInEitherDirection) {
  EXPECT_EQ(judged(64, 7).bias, Bias::kMissing);
  EXPECT_EQ(judged(64, 8).bias, Bias::kNone);
  EXPECT_EQ(judged(64, 9).bias, Bias::kTwice);
  EXPECT_TRUE(judged(64, 7).is_constant);
  EXPECT_TRUE(judged(64, 7).codes_can_tell);
}

TEST(LintStatistics, ManyStepsOffAreSomethingElse) {
  EXPECT_EQ(judged(64, 4).bias, Bias::kNone);
  EXPECT_EQ(judged(64, 12).bias, Bias::kNone);
}

TEST(LintStatistics, APlaneThatNeedsNoLowestCodeMayMean7) {
  const std::vector<std::int32_t> zero_points(64, 7);
  const Lean lean = lean_of(blocks_of(64, {6, 7, 7, 8}, 7));
  EXPECT_EQ(judge_bias(lean, {4, false}, zero_points).bias, Bias::kNone);
}

TEST(LintStatistics, A16IsAmongNormalizedZeroPointsOnly) {
  EXPECT_EQ(judged(64, 7, 15).bias, Bias::kMissing);
  EXPECT_EQ(judged(64, 7, 16).bias, Bias::kNone);
}

TEST(LintStatistics, WhatHalfOfTheBlocksContradictIsNoBias) {
  // Half lean by 2.2, half by -0.2: 1 in the mean, and not one step in any block.
  std::vector<BlockSums> blocks;
  for (int i = 0; i < 2000; ++i) {
    BlockSums block;
    for (int k = 0; k < 10; ++k) block.add(i % 2 == 0 ? (k < 2 ? 11 : 10) : (k < 2 ? 7 : 8), 8);
    blocks.push_back(block);
  }
  const std::vector<std::int32_t> zero_points(2000, 8);
  EXPECT_NEAR(lean_of(blocks).mean, 1.0, 1e-9);
  EXPECT_EQ(judge_bias(lean_of(blocks), {8, false}, zero_points).bias, Bias::kNone);
}

TEST(LintStatistics, FineStepsDecideNothingAndTheConstantDoes) {
  // 8-bit codes, 60 steps around the middle: one step is far below what weights lean by themselves.
  const auto judged_8_bits = [](std::int32_t stored) {
    const std::vector<std::int32_t> zero_points(16, stored);
    return judge_bias(lean_of(blocks_of(16, {68, 128, 128, 188}, stored)), {8, false}, zero_points);
  };
  EXPECT_FALSE(judged_8_bits(127).codes_can_tell);
  EXPECT_EQ(judged_8_bits(127).bias, Bias::kMissing);
  EXPECT_EQ(judged_8_bits(128).bias, Bias::kNone);
  EXPECT_EQ(judged_8_bits(126).bias, Bias::kNone);
}

TEST(LintStatistics, HalfARangeOffIsAnOffset) {
  const auto looks_off = [](std::int64_t zero_point) {
    return looks_offset_by_half(lean_of(blocks_of(64, {7, 8, 8, 9}, zero_point)), {4, false});
  };
  EXPECT_TRUE(looks_off(0));
  EXPECT_TRUE(looks_off(1));
  EXPECT_TRUE(looks_off(16));
  EXPECT_FALSE(looks_off(3));
  EXPECT_FALSE(looks_off(8));
}

TEST(LintStatistics, SmallBlocksAreAllEnds) {
  EXPECT_EQ(usual_share_at_ends(4, 2), 1.0);
  EXPECT_EQ(usual_share_at_ends(4, 16), 0.5);
  EXPECT_EQ(usual_share_at_ends(4, 128), 0.25);
  EXPECT_EQ(usual_share_at_ends(8, 1024), 0.1);
  EXPECT_EQ(usual_share_at_ends(2, 128), 0.8);
  EXPECT_EQ(usual_share_at_ends(4, 0), 1.0);
}

TEST(LintStatistics, TheMedianIsOfWhatHasASize) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {0.0f, -3.0f, 1.0f, infinity, std::nanf(""), 2.0f};
  EXPECT_EQ(median_magnitude(values), 2.0);
  EXPECT_EQ(median_magnitude(std::vector<float>{0.0f, infinity}), std::nullopt);
}

}  // namespace
}  // namespace hurray::conformance
