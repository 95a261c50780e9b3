// SPDX-License-Identifier: Apache-2.0
//
// Does a sweep name the first input of a fault that shows only in calls of many inputs, such as one
// of the vector body? And does it tell causes apart that agree on the input that it names?

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "conformance/runner/planted_target.h"
#include "conformance/runner/sweep.h"

namespace hurray::conformance {
namespace {

Attachment fault(const std::string& name) {
  Attachment attachment;
  attachment.command.argv = {HURRAY_FAULT_PROGRAM, name};
  return attachment;
}

SweepResult swept(const std::vector<std::string>& faults, const SweepRange& range,
                  const SweepFunction& function = kInt8) {
  return sweep(with_planted(faults), kPatient, function, range, {});
}

// This input between its neighbours, in one call with all of `where`; right where it is alone.
void expect_only_in_calls(const SweepResult& result, std::uint32_t input, const SweepRange& where) {
  ASSERT_FALSE(result.broken) << result.broken->reason;
  ASSERT_TRUE(result.finding);
  const SweepFinding& finding = *result.finding;
  EXPECT_EQ(finding.outcome, Outcome::kValue);
  EXPECT_EQ(finding.where, where) << fmt::format("{:08x}, {}", finding.where.first,
                                                 finding.where.count);
  EXPECT_EQ(finding.in_one_call, input);
  EXPECT_EQ(result.inputs, where.first - 0x3f800000u);
  ASSERT_EQ(finding.inputs.size(), 1u + (input > where.first) + (input < where.last()));
  for (const SweepInput& each : finding.inputs) {
    ASSERT_TRUE(each.got);
    ASSERT_EQ(each.expected.size(), 1u);
    EXPECT_EQ(*each.got == each.expected.front(), each.bits != input)
        << fmt::format("{:08x}", each.bits);
  }
}

TEST(Sweep, AnInputThatIsWrongOnlyInLongCallsIsNamed) {
  // 60000 inputs are taken apart into sixteenths: 3750, 235, 15, and a single one is right.
  for (const std::uint32_t offset : {0u, 7u, 14u, 15u, 30'004u, 59'999u}) {
    const std::uint32_t input = 0x3f800000 + offset;
    const SweepResult result = swept({fmt::format("{:08x}:+1-of-8", input)}, {0x3f800000, 60'000});
    ASSERT_TRUE(result.finding) << offset;
    const SweepRange where = result.finding->where;
    EXPECT_GE(where.count, 8u);
    EXPECT_LE(where.count, 15u);
    EXPECT_TRUE(where.first <= input && input <= where.last());
    expect_only_in_calls(result, input, where);
    EXPECT_EQ(result.finding->failure_class, "off-by-one-step");
  }
}

TEST(Sweep, ACodeThatIsWrongOnlyInLongCallsIsNamed) {
  SweepFunction function = quantizer_of(StorageType::kInt16, 0.1f, 3);
  function.operation = SweepOperation::kDequantize;
  const SweepResult result = swept({"00001234:+1-of-8"}, {0, 65'536}, function);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->in_one_call, 0x1234u);
  EXPECT_EQ(result.finding->where, (SweepRange{0x1230, 16}));
  EXPECT_EQ(result.finding->inputs.size(), 3u);
}

TEST(Sweep, AnInputThatIsWrongOnlyInLongCallsIsNamedForFirmwareToo) {
  const SweepResult result =
      swept({"3f80abcd:+1-of-8"}, {0x3f800000, 65'536}, {"quantize_u8", 0, 0.1f, 3});
  expect_only_in_calls(result, 0x3f80abcd, {0x3f80abc0, 16});
}

TEST(Sweep, AWrongTailIsNamedInACallThatHasIt) {
  const SweepResult result = swept({"tail"}, {0x3f800000, 60'000});
  expect_only_in_calls(result, 0x3f800000 + 3749, {0x3f800000, 3750});
}

TEST(Sweep, OfTwoInputsThatAreWrongInOneCallTheFirstIsNamed) {
  const SweepResult result = swept({"3f80abcd:+1-of-8", "3f80abc7:+1-of-8"}, {0x3f800000, 65'536});
  expect_only_in_calls(result, 0x3f80abc7, {0x3f80abc0, 16});
}

TEST(Sweep, ACauseIsGuessedFromTheWholeCall) {
  const SweepFunction function = quantizer_of(StorageType::kInt8, 0.05f, 3);
  const SweepResult result =
      sweep(fault("reciprocal-in-the-body"), kPatient, function, {0x3ea60000, 0x00800000}, {});
  ASSERT_TRUE(result.finding);
  EXPECT_TRUE(result.finding->in_one_call);
  EXPECT_EQ(result.finding->failure_class, "reciprocal");
}

TEST(Sweep, CausesThatAgreeOnTheFirstInputAreToldApart) {
  const SweepFunction function = quantizer_of(StorageType::kInt8, 0.05f, 3);
  for (const auto& [name, failure_class] :
       {std::pair("reciprocal", "reciprocal"),
        std::pair("zero-point-before-rounding", "zero-point-before-rounding")}) {
    const SweepResult result = sweep(fault(name), kPatient, function, {0x3ea60000, 0x00800000}, {});
    ASSERT_TRUE(result.finding) << name;
    EXPECT_EQ(result.finding->failure_class, failure_class);
  }
}

}  // namespace
}  // namespace hurray::conformance
