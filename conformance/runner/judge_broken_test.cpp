// SPDX-License-Identifier: Apache-2.0
//
// Is what is no answer told from a wrong one: garbled lines, and none at all?

#include <tuple>

#include "conformance/runner/judge_test.h"

namespace hurray::conformance {
namespace {

void expect_garbled(const std::string& request, const std::string& body, std::string_view says) {
  const CaseResult result = judge_one(request, body);
  EXPECT_EQ(result.verdict, CaseVerdict::kFail) << body;
  EXPECT_EQ(result.outcome, Outcome::kGarbled) << body;
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->failure_class, "garbled-answer") << body;
  EXPECT_NE(result.failure->got.find(says), std::string::npos)
      << body << ": " << result.failure->got;
}

TEST(Judge, AnOkWithoutItsKeysIsGarbled) {
  // The adapter is at fault, not the implementation.
  expect_garbled(kDecode, "ok scheme=1 scale=3f000000", "zero_point");
  expect_garbled(kDecode, "ok scheme=1 zero_point=3", "scale");
  expect_garbled(kDecode, "ok scale=3f000000 zero_point=3", "scheme");
  expect_garbled(kDequantize, "ok", "out=");
  expect_garbled(kDequantize, "ok q=00", "out=");
  expect_garbled(kQuantize, "ok out=00ff", "q=");
  expect_garbled("encode type=10 scheme=1 scale=3f000000 zero_point=3", "ok", "bytes=");
  expect_garbled("normalize bits=4 bias=1 order=low-first count=2 packed=67", "ok", "zero_points=");
  expect_garbled("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=00000000", "ok out=03",
                 "code=");
  expect_garbled("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=00000000",
                 "ok code=0000", "out=");
}

TEST(Judge, AnArrayOfAnotherLengthIsGarbled) {
  expect_garbled(kDequantize, "ok out=0000c0bf", "length");
  expect_garbled(kDequantize, "ok out=0000c0bf000000c000000000", "length");
  expect_garbled(kDequantize, "ok out=", "length");
  expect_garbled(kQuantize, "ok q=00", "length");
  expect_garbled(kQuantize, "ok q=00ff00", "length");
  expect_garbled("quantize type=48 scale=3f000000 zero_point=3 count=3 in=000000000000000000000000",
                 "ok q=33", "length");
  expect_garbled("normalize bits=4 bias=1 order=low-first count=2 packed=67",
                 "ok zero_points=08000000", "length");
  expect_garbled("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=00000000",
                 "ok code=0000 out=0303", "length");
}

TEST(Judge, ValuesThatAreNoNumbersAreGarbled) {
  expect_garbled(kDequantize, "ok out=0000c0bf000000cg", "hexadecimal");
  expect_garbled(kDequantize, "ok out=0000c0bf000000c", "hexadecimal");
  expect_garbled(kDecode, "ok scheme=1 scale=0.5 zero_point=3", "scale=");
  expect_garbled(kDecode, "ok scheme=1 scale=3f00000 zero_point=3", "scale=");
  expect_garbled(kDecode, "ok scheme=1 scale=3f000000 zero_point=three", "zero_point=");
  expect_garbled("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=00000000",
                 "ok code=0 out=03", "code=");
  expect_garbled("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=00000000",
                 "ok code=ok out=03", "code=");
}

TEST(Judge, BodiesThatAreNoAnswersAreGarbled) {
  expect_garbled(kDequantize, "", "expected ok");
  expect_garbled(kDequantize, "yes", "expected ok");
  expect_garbled(kDequantize, "ok out=00 out=01", "twice");
  expect_garbled(kDequantize, "ok out", "key=value");
}

TEST(Judge, AMissingCallKeyIsNoMatch) {
  // Who was sent `fill` has to report on it.
  const std::string request = std::string(kDequantize) + " fill=a5";
  expect(request, "ok out=0000c0bf000000c0 under=0 over=0 in_changed=0", CaseVerdict::kPass);
  EXPECT_EQ(judge_one(request, "ok out=0000c0bf000000c0").verdict, CaseVerdict::kFail);
}

TEST(Judge, CallDisciplineIsPartOfTheAnswer) {
  const std::string request = std::string(kDequantize) + " fill=a5";
  expect(request, "ok out=0000c0bf000000c0 under=0 over=1 in_changed=0", CaseVerdict::kFail,
         "writes-outside");
  expect(request, "ok out=0000c0bf000000c0 under=3 over=0 in_changed=0", CaseVerdict::kFail,
         "writes-outside");
  expect(request, "ok out=0000c0bf000000c0 under=0 over=0 in_changed=1", CaseVerdict::kFail,
         "changes-input");
  expect("decode type=10 bytes= fill=a5", "reject under=0 over=0 in_changed=0 changed=8",
         CaseVerdict::kFail, "writes-on-error");
  expect(std::string(kDequantize) + " fenv=nearest", "ok out=0000c0bf000000c0 fenv=changed",
         CaseVerdict::kFail, "float-environment");
}

TEST(Judge, UnusedBitsOfTheLastByteAreCompared) {
  // HQ-PACK-006: the high half behind an odd number of elements is zero.
  const std::string request = "quantize type=48 scale=3f800000 zero_point=1 count=1 in=00000000";
  expect(request, "ok q=01", CaseVerdict::kPass);
  expect(request, "ok q=11", CaseVerdict::kFail, "padding-bits");
}

TEST(Judge, CrashHangAndGarbageFailWithTheirClass) {
  const Case item = case_of(kDecode);
  const std::tuple<Outcome, const char*, const char*> kWithout[] = {
      {Outcome::kCrashed, "killed by signal 11 (Segmentation fault)", "crash"},
      {Outcome::kTimedOut, "no answer within 10000 ms", "hang"},
      {Outcome::kGarbled, "answered twice", "garbled-answer"}};
  for (const auto& [outcome, detail, failure_class] : kWithout) {
    const CaseResult result = judge(item, {{outcome, {}, detail}});
    EXPECT_EQ(result.verdict, CaseVerdict::kFail);
    EXPECT_EQ(result.outcome, outcome);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->failure_class, failure_class);
    EXPECT_EQ(result.failure->got, detail);
    EXPECT_EQ(result.failure->request, kDecode);
  }
}

}  // namespace
}  // namespace hurray::conformance
