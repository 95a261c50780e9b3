// SPDX-License-Identifier: Apache-2.0
//
// Is a case of several requests judged as a whole: by its first failure, by choices that have to
// agree, and by what the calls between changed?

#include <initializer_list>

#include "conformance/runner/judge_test.h"

namespace hurray::conformance {
namespace {

Case steps(std::initializer_list<std::string> requests) {
  Case item{"a/case", "why", {}, {}};
  for (const std::string& each : requests) item.steps.push_back(case_of(each).steps[0]);
  return item;
}

TEST(Judge, TheFirstFailingStepDecides) {
  const Case item = steps({kDecode, kDequantize});
  EXPECT_EQ(judge(item, {said("ok scheme=1 scale=3f000000 zero_point=3"),
                         said("ok out=0000c0bf000000c0")})
                .verdict,
            CaseVerdict::kPass);
  const CaseResult second = judge(
      item, {said("ok scheme=1 scale=3f000000 zero_point=3"), said("ok out=0000c0bf000000c1")});
  EXPECT_EQ(second.verdict, CaseVerdict::kFail);
  EXPECT_EQ(second.failure->step, 1u);
  EXPECT_EQ(second.failure->request, kDequantize);
  const CaseResult first = judge(item, {said("reject"), said("ok out=0000c0bf000000c1")});
  EXPECT_EQ(first.failure->step, 0u);
}

TEST(Judge, WhatIsRightElsewhereDependsOnTheCallsBetween) {
  const std::string other = "dequantize type=10 scale=3f000000 zero_point=0 count=1 q=02";
  const Case item = steps({kDequantize, other, kDequantize});
  const Reply right = said("ok out=0000c0bf000000c0");
  const CaseResult later =
      judge(item, {right, said("ok out=0000803f"), said("ok out=0000c0bf00000000")});
  EXPECT_EQ(later.failure->step, 2u);
  EXPECT_EQ(later.failure->failure_class, "depends-on-earlier-calls");
  const CaseResult at_first =
      judge(item, {said("ok out=0000c0bf00000000"), said("ok out=0000803f"), right});
  EXPECT_EQ(at_first.failure->step, 0u);
  EXPECT_EQ(at_first.failure->failure_class, "depends-on-earlier-calls");
  // Always wrong: the calls between have no part in it.
  const Reply wrong = said("ok out=0000c0bf00000000");
  EXPECT_NE(judge(item, {wrong, said("ok out=0000803f"), wrong}).failure->failure_class,
            "depends-on-earlier-calls");
  // Another request was never right.
  const CaseResult between = judge(item, {right, said("ok out=00000040")});
  EXPECT_NE(between.failure->failure_class, "depends-on-earlier-calls");
  // What the output held counts as before, a crash as a crash.
  const std::string request(kDequantize);
  const Case filled = steps({request + " fill=00", request + " fill=ff"});
  const CaseResult left =
      judge(filled, {said("ok out=0000c0bf000000c0 under=0 over=0 in_changed=0"),
                     said("ok out=0000c0bfffffffff under=0 over=0 in_changed=0")});
  EXPECT_EQ(left.failure->failure_class, "depends-on-earlier-calls");
  EXPECT_EQ(judge(item, {right, said("ok out=0000803f"), {Outcome::kCrashed, {}, ""}})
                .failure->failure_class,
            "crash");
}

TEST(Judge, SilenceAfterAGoodBeginningIsNoGoodEnd) {
  const Case item = steps({kDecode, kDequantize});
  EXPECT_THROW(judge(item, {said("ok scheme=1 scale=3f000000 zero_point=3")}), SuiteError);
  EXPECT_EQ(judge(item, {said("reject")}).verdict, CaseVerdict::kFail);
}

TEST(Judge, StepsThatChooseDifferentlyAreInconsistent) {
  // Two legal answers that no single choice gives.
  const std::string request =
      "dequantize type=14 scale=3f800000 zero_point=-2147483648 count=1 q=ffffff7f";
  const Case item = steps({request, request});
  const std::string a = item.steps[0].expect[0].answer;
  const std::string b = item.steps[0].expect[1].answer;
  EXPECT_EQ(judge(item, {said(a), said(a)}).verdict, CaseVerdict::kPass);
  EXPECT_EQ(judge(item, {said(b), said(b)}).verdict, CaseVerdict::kPass);
  const CaseResult mixed = judge(item, {said(a), said(b)});
  EXPECT_EQ(mixed.verdict, CaseVerdict::kFail);
  EXPECT_EQ(mixed.failure->failure_class, "inconsistent");
  EXPECT_EQ(mixed.failure->step, 1u);
  EXPECT_NE(mixed.failure->expected.find("int32-difference"), std::string::npos);
}

TEST(Judge, NansThatBecomeDifferentCodesInTwoStepsAreInconsistent) {
  // R01 holds from call to call as it does inside one array.
  const std::string request = "quantize type=10 scale=3f800000 zero_point=3 count=1 in=0000c07f";
  const Case item = steps({request, request});
  EXPECT_EQ(judge(item, {said("ok q=03"), said("ok q=03")}).verdict, CaseVerdict::kPass);
  EXPECT_EQ(judge(item, {said("ok q=03"), said("ok q=7f")}).verdict, CaseVerdict::kFail);
  EXPECT_EQ(judge(item, {said("ok q=03"), said("reject")}).verdict, CaseVerdict::kFail);
}

TEST(Judge, AWarningInOneStepWarnsTheCase) {
  const CaseResult result =
      judge(steps({kNegativeScale, kDequantize}),
            {said("ok out=00000000000000bf"), said("ok out=0000c0bf000000c0")});
  EXPECT_EQ(result.verdict, CaseVerdict::kWarn);
  EXPECT_EQ(result.failure->failure_class, "zero-sign");
}

}  // namespace
}  // namespace hurray::conformance
