// SPDX-License-Identifier: Apache-2.0
//
// Do shards and parts cover every input once, and does a proof in parts say what one sweep says?

#include "conformance/runner/prove.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "conformance/runner/planted_target.h"

namespace hurray::conformance {
namespace {

SweepFunction codes_of(StorageType type, float scale, std::int32_t zero_point) {
  return {"", static_cast<std::uint8_t>(type), scale, zero_point, SweepOperation::kDequantize};
}

SweepResult proved(const std::vector<std::string>& faults, const SweepFunction& function,
                   const SweepRange& range, unsigned jobs) {
  const Attachment target = with_planted(faults);
  const Introduction introduction = introduce(target, kPatient);
  EXPECT_TRUE(introduction.claims);
  if (!introduction.claims) return {};
  ProveOptions options;
  options.limits = kPatient;
  options.jobs = jobs;
  options.least_part = 1000;
  return prove(target, *introduction.claims, function, range, options);
}

void expect_equal(const SweepResult& result, const SweepResult& other) {
  EXPECT_EQ(result.inputs, other.inputs);
  EXPECT_EQ(result.readings, other.readings);
  EXPECT_EQ(result.finding, other.finding);
  EXPECT_FALSE(result.broken);
}

// The result of one sweep, which one process and several have to repeat.
SweepResult result_of(const std::vector<std::string>& faults, const SweepFunction& function,
                      const SweepRange& range) {
  const SweepResult one = sweep(with_planted(faults), kPatient, function, range);
  expect_equal(proved(faults, function, range, 1), one);
  expect_equal(proved(faults, function, range, 3), one);
  return one;
}

// --- Shards and parts

TEST(Shards, CoverEveryInputOnceAndEvenly) {
  for (const SweepFunction& function :
       {kInt8, codes_of(StorageType::kInt2, 1, 0), codes_of(StorageType::kUint16, 1, 0),
        codes_of(StorageType::kInt32, 1, 0)}) {
    for (const std::uint32_t of : {1u, 2u, 3u, 7u, 64u, 1000u, 65536u}) {
      std::uint64_t next = 0, least = UINT64_MAX, most = 0;
      for (std::uint32_t i = 1; i <= of; ++i) {
        const SweepRange range = shard_of(function, {i, of});
        ASSERT_TRUE(range.count == 0 || range.first == next) << i << "/" << of;
        next += range.count;
        const std::uint64_t inputs = inputs_of(function, range);
        least = std::min(least, inputs);
        most = std::max(most, inputs);
      }
      EXPECT_EQ(next, patterns_of(function)) << of;
      EXPECT_LE(most - least, 1u) << of;
    }
  }
}

TEST(Parts, CoverTheRangeOnceAndNoneIsEmpty) {
  for (const std::uint64_t count : {1u, 2u, 7u, 1000u}) {
    for (const SweepRange& range : {SweepRange{0, 0x1'0000'0000}, SweepRange{5, 3}}) {
      const std::vector<SweepRange> parts = parts_of(range, count);
      EXPECT_EQ(parts.size(), std::min(count, range.count));
      std::uint64_t next = range.first;
      for (const SweepRange& each : parts) {
        EXPECT_EQ(each.first, next);
        EXPECT_GT(each.count, 0u);
        next += each.count;
      }
      EXPECT_EQ(next, range.first + range.count);
    }
  }
  EXPECT_TRUE(parts_of({0, 0}, 3).empty());
}

// --- In parts as in one

TEST(Prove, WhatIsRightIsAsTheReference) {
  const SweepResult result = result_of({}, kInt8, kFromOne);
  EXPECT_EQ(result.inputs, 150'000u);
  EXPECT_FALSE(result.finding);
  const SweepRange across{0x7f7fff00, 0x801000};
  EXPECT_EQ(result_of({}, kInt8, across).inputs, 0x101u + 0xf00u);
}

TEST(Prove, WideCodesAreComparedToo) {
  for (const StorageType type :
       {StorageType::kInt16, StorageType::kUint16, StorageType::kInt32, StorageType::kUint32}) {
    const SweepFunction function = quantizer_of(type, 1e-4f, 1);
    EXPECT_FALSE(result_of({}, function, kFromOne).finding);
    const SweepResult result = result_of({"3f80abcd:+1"}, function, kFromOne);
    ASSERT_TRUE(result.finding);
    EXPECT_EQ(result.finding->where, (SweepRange{0x3f80abcd, 1}));
    ASSERT_EQ(result.finding->inputs.size(), 3u);
    EXPECT_EQ(*result.finding->inputs[1].got, result.finding->inputs[1].expected[0] + 1);
  }
}

TEST(Prove, OfTwoWrongInputsTheFirstIsNamedWhoeverFindsItsOwn) {
  const SweepResult result = result_of({"3f821234:+1", "3f800007:+1"}, kInt8, kFromOne);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where.first, 0x3f800007u);
}

TEST(Prove, AChangeOfReadingBetweenPartsIsFoundWhereItShows) {
  const std::vector<std::uint32_t> apart = where_quotients_part(kInt8);
  const SweepRange range{0x40000000, apart[1] - 0x40000000 + 1000};
  const SweepResult result = result_of({fmt::format("exact:{:08x}", apart[0] + 1)}, kInt8, range);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where, (SweepRange{apart[1], 1}));
  EXPECT_EQ(result.finding->failure_class, "inconsistent");
  // Another fault behind it does not hide it, one before it does.
  EXPECT_EQ(result_of({fmt::format("exact:{:08x}", apart[0] + 1),
                       fmt::format("{:08x}:+1", apart[1] + 500)},
                      kInt8, range)
                .finding->where.first,
            apart[1]);
}

TEST(Prove, SaysHowFarItIs) {
  const Attachment target = with_planted({});
  const Introduction introduction = introduce(target, kPatient);
  ProveOptions options;
  options.limits = kPatient;
  options.jobs = 2;
  options.least_part = 1000;
  std::uint64_t last = 0;
  options.on_progress = [&](std::uint64_t done) {
    EXPECT_GT(done, last);
    last = done;
  };
  prove(target, *introduction.claims, kInt8, kFromOne, options);
  EXPECT_EQ(last, 150'000u);
}

TEST(Joined, AsksAgainOnlyWhereTheReadingsMatter) {
  SweepResult any, exact, binary32, finding;
  any.inputs = exact.inputs = binary32.inputs = 5;
  any.readings = {"quotient=binary32", "quotient=exact"};
  exact.readings = {"quotient=exact"};
  binary32.readings = {"quotient=binary32"};
  finding = any;
  finding.finding.emplace();
  std::vector<std::size_t> asked;
  const auto again = [&](std::size_t i, const std::vector<std::string>& readings) {
    EXPECT_EQ(readings.size(), 1u);
    asked.push_back(i);
    return finding;
  };
  EXPECT_EQ(joined(kInt8, {any, exact, any, exact}, again).readings, exact.readings);
  EXPECT_EQ(joined(kInt8, {any, finding, exact}, again).inputs, 10u);
  EXPECT_TRUE(asked.empty());
  EXPECT_TRUE(joined(kInt8, {any, exact, binary32}, again).finding);
  EXPECT_EQ(asked, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(joined(kInt8, {exact, finding, any}, again).finding);
  EXPECT_EQ(asked, (std::vector<std::size_t>{2, 1}));
}

TEST(Joined, AnEndThatDoesNotComeAgainStays) {
  SweepResult exact, finding, broken, right;
  exact.inputs = finding.inputs = broken.inputs = right.inputs = 5;
  exact.readings = right.readings = {"quotient=exact"};
  finding.readings = {"quotient=binary32", "quotient=exact"};
  finding.finding.emplace();
  broken.readings = {"quotient=binary32"};
  broken.broken.emplace();
  const auto again = [&](std::size_t, const std::vector<std::string>&) { return right; };
  EXPECT_TRUE(joined(kInt8, {exact, finding, SweepResult()}, again).finding);
  EXPECT_TRUE(joined(kInt8, {exact, broken, SweepResult()}, again).broken);
}

// --- Codes

TEST(ProveCodes, EveryTypeIsComparedAndAWrongFloatNamed) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    const SweepFunction function = codes_of(info.type, 0.1f, 1);
    const SweepRange range{0, std::min<std::uint64_t>(patterns_of(function), 100'000)};
    const SweepResult right = result_of({}, function, range);
    EXPECT_EQ(right.inputs, range.count) << info.name;
    EXPECT_FALSE(right.finding) << info.name;
    const SweepResult wrong = result_of({"00000002:+1"}, function, range);
    ASSERT_TRUE(wrong.finding) << info.name;
    EXPECT_EQ(wrong.finding->where, (SweepRange{2, 1}));
    ASSERT_EQ(wrong.finding->inputs.size(), 3u);
    EXPECT_EQ(*wrong.finding->inputs[1].got, wrong.finding->inputs[1].expected[0] + 1);
    EXPECT_EQ(wrong.finding->inputs[2].got, wrong.finding->inputs[2].expected[0]);
    EXPECT_EQ(wrong.inputs, 2u);
  }
}

TEST(ProveCodes, TheLastCodeHasOneNeighbour) {
  const SweepResult result =
      result_of({"000000ff:+1"}, codes_of(StorageType::kUint8, 0.5f, 7), {0, 256});
  ASSERT_TRUE(result.finding);
  ASSERT_EQ(result.finding->inputs.size(), 2u);
  EXPECT_EQ(result.finding->inputs[0].bits, 0xfeu);
  EXPECT_EQ(result.finding->inputs[1].got, std::bit_cast<std::uint32_t>(124.0f) + 1);
}

TEST(ProveCodes, CrashesAndRefusalsBelongToTheirCode) {
  const SweepFunction function = codes_of(StorageType::kInt16, 0.1f, 1);
  const SweepResult crash = result_of({"00008001:crash"}, function, {0, 65'536});
  ASSERT_TRUE(crash.finding);
  EXPECT_EQ(crash.finding->outcome, Outcome::kCrashed);
  EXPECT_EQ(crash.finding->where, (SweepRange{0x8001, 1}));
  const SweepResult refusal = result_of({"00008001:reject"}, function, {0, 65'536});
  ASSERT_TRUE(refusal.finding);
  EXPECT_EQ(refusal.finding->failure_class, "rejects-valid");
}

TEST(ProveCodes, AnyOneReadingOfADifferenceIsRightAndAChangeIsNot) {
  const SweepFunction function = codes_of(StorageType::kInt32, 1.0f, -5);
  // The difference leaves int32 from 7ffffffb on.
  const SweepRange range{0x7fffff00, 0x200};
  using Names = std::vector<std::string>;
  EXPECT_EQ(result_of({}, function, range).readings, (Names{"int32-difference=widen"}));
  EXPECT_EQ(result_of({"wrap:00000000"}, function, range).readings,
            (Names{"int32-difference=wrap"}));
  const SweepResult changed = result_of({"wrap:7ffffffd"}, function, range);
  ASSERT_TRUE(changed.finding);
  EXPECT_EQ(changed.finding->where, (SweepRange{0x7ffffffd, 1}));
  EXPECT_EQ(changed.finding->failure_class, "inconsistent");
  EXPECT_EQ(changed.finding->readings_here, (Names{"int32-difference=wrap"}));
}

TEST(ProveCodes, AnyOneReadingOfAUint32IsRight) {
  const SweepFunction function = codes_of(StorageType::kUint32, 1.0f, 5);
  const SweepRange range{0x7fffff00, 0x200};
  using Names = std::vector<std::string>;
  EXPECT_EQ(result_of({}, function, range).readings,
            (Names{"int32-difference=widen, uint32-codes=unsigned"}));
  EXPECT_EQ(result_of({"reinterpret:00000000"}, function, range).readings,
            (Names{"int32-difference=widen, uint32-codes=reinterpret"}));
  EXPECT_EQ(result_of({"wrap:00000000"}, function, range).readings,
            (Names{"int32-difference=wrap"}));
  EXPECT_TRUE(result_of({"reinterpret:80000001"}, function, range).finding);
}

TEST(ProveCodes, ANegativeScaleLeavesTheSignOfZeroOpen) {
  const SweepFunction function = codes_of(StorageType::kInt8, -0.5f, 3);
  using Names = std::vector<std::string>;
  EXPECT_EQ(result_of({}, function, {0, 256}).readings, (Names{"zeros=ieee"}));
  EXPECT_EQ(result_of({"positive-zeros"}, function, {0, 256}).readings, (Names{"zeros=positive"}));
}

}  // namespace
}  // namespace hurray::conformance
