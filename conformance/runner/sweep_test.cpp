// SPDX-License-Identifier: Apache-2.0
//
// Does a sweep name the first input at which a quantizer is wrong, and nothing where it is right?

#include "conformance/runner/sweep.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/planted_target.h"

namespace hurray::conformance {
namespace {

Attachment started_by(const std::vector<std::string>& command) {
  Attachment attachment;
  attachment.command.argv = command;
  return attachment;
}

Attachment shell(const std::string& script) { return started_by({"/bin/sh", "-c", script}); }

SweepResult swept(const std::vector<std::string>& faults, const SweepRange& range = kFromOne,
                  const SweepFunction& function = kInt8) {
  return sweep(with_planted(faults), kPatient, function, range, {});
}

void expect_agreement(const SweepResult& result, std::uint64_t inputs) {
  EXPECT_FALSE(result.broken) << result.broken->reason;
  EXPECT_FALSE(result.not_claimed) << *result.not_claimed;
  EXPECT_FALSE(result.finding) << fmt::format("{:08x}", result.finding->where.first);
  EXPECT_EQ(result.inputs, inputs);
  EXPECT_FALSE(result.readings.empty());
}

// A wrong code at this input, whose neighbours are right.
void expect_fault(const SweepResult& result, std::uint32_t input) {
  ASSERT_FALSE(result.broken) << result.broken->reason;
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->outcome, Outcome::kValue);
  EXPECT_EQ(result.finding->where, (SweepRange{input, 1})) << fmt::format("{:08x}", input);
  EXPECT_NE(result.finding->failure_class, "inconsistent");
  for (const SweepInput& each : result.finding->inputs) {
    ASSERT_TRUE(each.got);
    ASSERT_EQ(each.expected.size(), 1u);
    EXPECT_EQ(*each.got == each.expected.front(), each.bits != input)
        << fmt::format("{:08x}", each.bits);
  }
}

// --- Wrong codes
// ----------------------------------------------------------------------------------

TEST(Sweep, ATargetThatIsRightAgrees) {
  expect_agreement(swept({}), 150'000);
  expect_agreement(swept({}, {0x7f7fff00, 0x801000}), 0x101 + 0xf00);
  expect_agreement(swept({}, {0xfffffff0 - 0x800000, 0x800010}), 17);
  for (const StorageType type : {StorageType::kUint4, StorageType::kInt2}) {
    expect_agreement(swept({}, {0x3f800000, 70'001}, quantizer_of(type, 0.5f, 1)), 70'001);
  }
  expect_agreement(swept({}, kFromOne, {"quantize_u8", 0, 0.01f, -7}), 150'000);
}

TEST(Sweep, OneWrongInputIsNamedWhereverItStandsInItsBlock) {
  for (const std::uint32_t input : {0x3f800000u, 0x3f800001u, 0x3f80abcdu, 0x3f80ffffu, 0x3f810000u,
                                    0x3f81ffffu, kFromOne.last()}) {
    const SweepResult result = swept({fmt::format("{:08x}:+1", input)});
    expect_fault(result, input);
    EXPECT_EQ(result.inputs, input - 0x3f800000u);
    ASSERT_EQ(result.finding->inputs.size(), 3u);
    EXPECT_EQ(result.finding->inputs[0].bits, input - 1);
    EXPECT_EQ(result.finding->inputs[1].got, result.finding->inputs[1].expected.front() + 1);
    EXPECT_EQ(result.finding->inputs[2].bits, input + 1);
  }
}

TEST(Sweep, AWrongInputIsNamedInEveryWidthAndFunction) {
  for (const StorageType type : {StorageType::kUint8, StorageType::kInt4, StorageType::kUint4,
                                 StorageType::kInt2, StorageType::kUint2}) {
    expect_fault(swept({"3f80abcd:+1"}, kFromOne, quantizer_of(type, 0.5f, 1)), 0x3f80abcd);
  }
  expect_fault(swept({"3f80abcd:+1"}, kFromOne, {"quantize_i8", 0, 0.1f, 3}), 0x3f80abcd);
  expect_fault(swept({"3f80abcd:+1"}, kFromOne, {"quantize_u8", 0, 0.1f, 3}), 0x3f80abcd);
}

TEST(Sweep, InputsBesideNansHaveOneNeighbour) {
  const std::pair<std::uint32_t, std::uint32_t> kLastAndNeighbour[] = {{0x7f800000, 0x7f7fffff},
                                                                       {0x80000000, 0x80000001},
                                                                       {0xff800000, 0xff7fffff},
                                                                       {0x00000000, 0x00000001}};
  for (const auto& [input, neighbour] : kLastAndNeighbour) {
    const std::uint32_t first = input < 100 ? 0 : input - 100;
    const SweepResult result = swept({fmt::format("{:08x}:+1", input)}, {first, 200});
    expect_fault(result, input);
    ASSERT_EQ(result.finding->inputs.size(), 2u);
    EXPECT_TRUE(result.finding->inputs[0].bits == neighbour ||
                result.finding->inputs[1].bits == neighbour);
  }
}

TEST(Sweep, OfTwoWrongInputsTheFirstIsNamed) {
  expect_fault(swept({"3f80abcd:+1", "3f80abcf:+1"}), 0x3f80abcd);
  expect_fault(swept({"3f80ffff:+1", "3f810003:+1"}), 0x3f80ffff);
  expect_fault(swept({"3f800007:+1", "3f820003:crash"}), 0x3f800007);
  expect_fault(swept({"3f800007:+1", "3f80abcd:crash"}), 0x3f800007);
}

TEST(Sweep, TheLikelyCauseIsGuessedFromTheInputAndItsNeighbours) {
  // 0.5 / 1 to even is 0.
  const SweepFunction function = quantizer_of(StorageType::kInt8, 1.0f, 0);
  const Attachment fault = started_by({HURRAY_FAULT_PROGRAM, "ties-to-even"});
  const SweepResult even = sweep(fault, kPatient, function, {0x3effff00, 512}, {});
  expect_fault(even, 0x3f000000);
  EXPECT_EQ(even.finding->failure_class, "ties-to-even");
}

TEST(Sweep, BitsBehindTheLastCodeCountToo) {
  const SweepFunction function = quantizer_of(StorageType::kUint4, 0.5f, 1);
  expect_agreement(swept({"padding"}, {0x3f800000, 65'536}, function), 65'536);
  const SweepResult result = swept({"padding"}, {0x3f800000, 65'537}, function);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where, (SweepRange{0x3f810000, 1}));
  EXPECT_EQ(result.finding->failure_class, "padding-bits");
}

TEST(Sweep, AMisspeltFaultIsNoTarget) {
  for (const char* const word : {"tails", "positive-zero", "3f80abcd:+2", "3f80abcd:crush",
                                 "exacts:3f800000", "exact:+1", "exact:", ":+1", "3f80abcd:"}) {
    EXPECT_TRUE(swept({word}).broken) << word;
  }
}

TEST(Sweep, WhatPartsShowIsNotSaidOfTheInputsBefore) {
  // Each part shows gradual underflow, but nothing stands before the part that is reported.
  const SweepFunction function{"quantize_i8", 0, std::bit_cast<float>(0x00000300u), 3};
  const SweepResult result = swept({"tail"}, {0, 60'000}, function);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where, (SweepRange{0, 3750}));
  EXPECT_EQ(result.inputs, 0u);
  EXPECT_EQ(result.readings.size(), 4u);
}

// --- Readings
// -------------------------------------------------------------------------------------

TEST(Sweep, AnyOneReadingIsRight) {
  const SweepFunction function{"quantize_i8", 0, std::bit_cast<float>(0x00000300u), 3};
  const SweepResult gradual = swept({}, {0, 100'000}, function);
  expect_agreement(gradual, 100'000);
  EXPECT_EQ(gradual.readings, (std::vector<std::string>{"quotient=binary32", "quotient=exact"}));
  const SweepResult flush = swept({"flush:00000000"}, {0, 100'000}, function);
  expect_agreement(flush, 100'000);
  EXPECT_EQ(flush.readings, (std::vector<std::string>{"quotient=binary32, subnormals=flush",
                                                      "quotient=exact, subnormals=flush"}));
}

// From `change` on the target reads subnormals in the other way.
void expect_inconsistent(std::uint32_t change) {
  const SweepFunction function{"quantize_i8", 0, std::bit_cast<float>(0x00000300u), 3};
  const SweepResult result = swept({fmt::format("flush:{:08x}", change)}, {0, 100'000}, function);
  ASSERT_TRUE(result.finding) << fmt::format("{:08x}", change);
  EXPECT_EQ(result.finding->failure_class, "inconsistent");
  EXPECT_EQ(result.finding->where, (SweepRange{change, 1}))
      << fmt::format("{:08x} named, {:08x} meant", result.finding->where.first, change);
  EXPECT_EQ(result.inputs, change);
  EXPECT_EQ(result.readings, (std::vector<std::string>{"quotient=binary32", "quotient=exact"}));
  EXPECT_EQ(result.finding->readings_here,
            (std::vector<std::string>{"quotient=binary32, subnormals=flush",
                                      "quotient=exact, subnormals=flush"}));
}

TEST(Sweep, AChangeOfReadingIsInconsistentWhereItFirstShows) {
  // Gradual: input / 0x300 steps of the scale; flushed: the zero point, as for input 0.
  expect_inconsistent(0x00000181);  // the input before was the first to round to 1
  expect_inconsistent(0x00000400);
  expect_inconsistent(0x0000ffff);
  expect_inconsistent(0x00010000);
  expect_inconsistent(0x00010001);
}

TEST(Sweep, AChangeThatDoesNotShowIsNone) {
  // Up to 0x17f both readings give the zero point.
  const SweepFunction function{"quantize_i8", 0, std::bit_cast<float>(0x00000300u), 3};
  const SweepResult result = swept({"flush:00000180"}, {0, 100'000}, function);
  expect_agreement(result, 100'000);
  EXPECT_EQ(result.readings, (std::vector<std::string>{"quotient=binary32, subnormals=flush",
                                                       "quotient=exact, subnormals=flush"}));
}

TEST(Sweep, AChangeOfQuotientIsInconsistentToo) {
  const std::vector<std::uint32_t> apart = where_quotients_part(kInt8);
  const SweepRange range{0x40000000, apart[1] - 0x40000000 + 1000};
  expect_agreement(swept({}, range), range.count);
  expect_agreement(swept({"exact:00000000"}, range), range.count);
  const SweepResult result = swept({fmt::format("exact:{:08x}", apart[0] + 1)}, range);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where, (SweepRange{apart[1], 1}));
  EXPECT_EQ(result.finding->failure_class, "inconsistent");
  EXPECT_EQ(result.readings, (std::vector<std::string>{"quotient=binary32"}));
  EXPECT_EQ(result.finding->readings_here, (std::vector<std::string>{"quotient=exact"}));
}

// --- No digest
// ------------------------------------------------------------------------------------

void expect_outcome(const SweepResult& result, std::uint32_t input, Outcome outcome,
                    std::string_view failure_class, std::string_view detail) {
  ASSERT_FALSE(result.broken) << result.broken->reason;
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->outcome, outcome);
  EXPECT_EQ(result.finding->where, (SweepRange{input, 1}))
      << fmt::format("{:08x}", result.finding->where.first);
  EXPECT_EQ(result.finding->failure_class, failure_class);
  EXPECT_NE(result.finding->detail.find(detail), std::string::npos) << result.finding->detail;
  EXPECT_TRUE(result.finding->inputs.empty());
}

TEST(Sweep, ACrashIsACrashOfTheInputThatCausesIt) {
  expect_outcome(swept({"3f80abcd:crash"}), 0x3f80abcd, Outcome::kCrashed, "crash", "signal 11");
  expect_outcome(swept({"3f81ffff:leave", "3f82ffff:+1"}), 0x3f81ffff, Outcome::kCrashed, "crash",
                 "status 0");
}

TEST(Sweep, ARefusalIsARefusalOfTheInputThatGetsIt) {
  expect_outcome(swept({"3f80abcd:reject"}), 0x3f80abcd, Outcome::kRejected, "rejects-valid",
                 "reject");
  expect_outcome(swept({"3f80abcd:reject"}, kFromOne, {"quantize_i8", 0, 0.1f, 3}), 0x3f80abcd,
                 Outcome::kRejected, "rejects-valid", "reject code=0103");
  expect_outcome(swept({"3f80abcd:unsupported"}), 0x3f80abcd, Outcome::kUnsupported,
                 "claims-what-it-lacks", "unsupported by the target");
}

TEST(Sweep, ASilenceIsNamedByItsBlock) {
  const SweepResult result = sweep(with_planted({"3f81abcd:hang"}), {3000, 0}, kInt8, kFromOne, {});
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->outcome, Outcome::kTimedOut);
  EXPECT_EQ(result.finding->where, (SweepRange{0x3f810000, 65'536}));
  EXPECT_EQ(result.finding->failure_class, "hang");
  EXPECT_NE(result.finding->detail.find("3000 ms"), std::string::npos);
  EXPECT_EQ(result.inputs, 65'536u);
}

// --- What is asked at all
// -------------------------------------------------------------------------

// Says this in hello, and `answer` to every sweep.
Attachment saying(const std::string& claims, const std::string& answer) {
  return shell(fmt::format(
      "while read id verb rest; do case $verb in hello) echo $id ok version=1 name=x {};; "
      "sweep) echo \"$id {}\";; *) echo $id unsupported;; esac; done",
      claims, answer));
}

constexpr const char* kClaimsInt8 = "contract=hurray ops=sweep types.quantize=10";

std::string not_claimed(const std::string& claims, const SweepFunction& function) {
  const SweepResult result = sweep(saying(claims, "ok"), kPatient, function, kFromOne, {});
  EXPECT_FALSE(result.finding);
  EXPECT_FALSE(result.broken);
  EXPECT_EQ(result.inputs, 0u);
  return result.not_claimed.value_or("claimed");
}

TEST(Sweep, WhatIsNotClaimedIsNotAsked) {
  const SweepFunction firmware{"quantize_i8", 0, 0.1f, 3};
  EXPECT_EQ(not_claimed("contract=hurray types.quantize=10", kInt8), "sweep is not claimed");
  EXPECT_EQ(not_claimed("contract=ra8", firmware), "sweep is not claimed");
  EXPECT_EQ(not_claimed("contract=ra8 ops=sweep", kInt8), "contract hurray is not claimed");
  EXPECT_EQ(not_claimed("contract=hurray ops=sweep", kInt8), "quantize is not claimed");
  EXPECT_EQ(not_claimed("contract=hurray ops=sweep types.quantize=11", kInt8),
            "quantize of int8 is not claimed");
  EXPECT_EQ(not_claimed("contract=hurray ops=sweep types.quantize=10", firmware),
            "contract ra8 is not claimed");
}

TEST(Sweep, ATargetThatDoesNotSpeakTheProtocolIsBroken) {
  const SweepResult gone = sweep(shell("exit 4"), kPatient, kInt8, kFromOne, {});
  ASSERT_TRUE(gone.broken);
  EXPECT_NE(gone.broken->reason.find("status 4"), std::string::npos);
}

TEST(Sweep, ATargetThatChangesBetweenItsStartsIsBroken) {
  const SweepResult result =
      sweep(saying(std::string(kClaimsInt8) + ",$(printf %02x $(($$ % 250)))", "ok"), kPatient,
            kInt8, kFromOne, {});
  ASSERT_TRUE(result.broken);
  EXPECT_NE(result.broken->reason.find("differently"), std::string::npos) << result.broken->reason;
}

TEST(Sweep, AnAnswerWithoutADigestIsBroken) {
  for (const char* answer : {"ok", "ok digest=", "ok digest=cbf29ce48422232",
                             "ok digest=cbf29ce48422232x", "ok out=00"}) {
    const SweepResult result =
        sweep(saying(kClaimsInt8, answer), kPatient, kInt8, {0x3f800000, 3}, {});
    ASSERT_TRUE(result.broken) << answer;
    EXPECT_FALSE(result.finding);
    EXPECT_NE(result.broken->reason.find("has no digest="), std::string::npos)
        << result.broken->reason;
  }
}

TEST(Sweep, ADigestOfAnotherKindIsBrokenNotAWrongCode) {
  // FNV-1 instead of FNV-1a, say: no input of the quantizer is to blame.
  const SweepResult result = sweep(saying(kClaimsInt8, "ok digest=0123456789abcdef"), kPatient,
                                   kInt8, {0x3f800000, 100}, {});
  ASSERT_TRUE(result.broken);
  EXPECT_FALSE(result.finding);
  EXPECT_NE(result.broken->reason.find("FNV-1a"), std::string::npos) << result.broken->reason;
}

TEST(Sweep, ALineTooManyIsBrokenWhateverComesNext) {
  // The second block is wrong, but whose answers are these?
  const std::uint64_t right =
      expected_digests(kInt8, readings_of(kInt8), blocks_of(kInt8, kFromOne).front()).front();
  const SweepResult result =
      sweep(saying(kClaimsInt8, fmt::format("$(case $rest in *first=3f800000*) echo ok "
                                            "digest={:016x}; echo noise;; *) echo ok "
                                            "digest={:016x};; esac)",
                                            right, 0x0123456789abcdef)),
            kPatient, kInt8, kFromOne, {});
  ASSERT_TRUE(result.broken);
  EXPECT_NE(result.broken->reason.find("more than its answer"), std::string::npos)
      << result.broken->reason;
  EXPECT_FALSE(result.finding);
}

TEST(Sweep, ReportsHowFarItIs) {
  std::uint64_t last = 0;
  int calls = 0;
  SweepOptions options;
  options.on_progress = [&](std::uint64_t done) {
    EXPECT_GT(done, last);
    last = done;
    ++calls;
  };
  sweep(with_planted({}), kPatient, kInt8, kFromOne, options);
  EXPECT_EQ(last, 150'000u);
  EXPECT_EQ(calls, 3);
}

TEST(Sweep, RequestsAreThoseOfTheProtocol) {
  EXPECT_EQ(sweep_request(kInt8, {0x3f800000, 4096}),
            "sweep op=quantize type=10 scale=3dcccccd zero_point=3 first=3f800000 count=4096");
  EXPECT_EQ(sweep_request({"quantize_u8", 0, 0.5f, -1}, {0, 1}),
            "sweep fn=quantize_u8 scale=3f000000 zero_point=-1 first=00000000 count=1");
  const std::uint32_t kInputs[] = {0x3f800000, 0xbf000001};
  EXPECT_EQ(request_for(kInt8, kInputs),
            "quantize type=10 scale=3dcccccd zero_point=3 count=2 in=0000803f010000bf");
  EXPECT_EQ(request_for({"quantize_u8", 0, 0.5f, -1}, kInputs),
            "ra8 fn=quantize_u8 scale=3f000000 zero_point=-1 count=2 in=0000803f010000bf");
}

}  // namespace
}  // namespace hurray::conformance
