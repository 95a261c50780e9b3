// SPDX-License-Identifier: Apache-2.0
//
// Is an answer judged by what it says: one of the alternatives, by bits, with the exceptions of the
// rulings and no others?

#include "conformance/runner/judge.h"

#include <gtest/gtest.h>

namespace hurray::conformance {
namespace {

Reply said(std::string body) { return {Outcome::kValue, std::move(body), {}}; }

// A case of one request, with what the oracle allows.
Case case_of(const std::string& request) {
  return {"a/case", "why", {{request, expected_answers(read_request(request))}}, {}};
}

CaseResult judge_one(const std::string& request, const std::string& body) {
  return judge(case_of(request), {said(body)});
}

void expect(const std::string& request, const std::string& body, CaseVerdict verdict,
            std::string_view failure_class = {}) {
  const CaseResult result = judge_one(request, body);
  EXPECT_EQ(name_of(result.verdict), name_of(verdict)) << request << " -> " << body;
  EXPECT_EQ(result.failure ? result.failure->failure_class : "", failure_class)
      << request << " -> " << body;
}

void expect_garbled(const std::string& request, const std::string& body, std::string_view says) {
  const CaseResult result = judge_one(request, body);
  EXPECT_EQ(result.verdict, CaseVerdict::kFail) << body;
  EXPECT_EQ(result.outcome, Outcome::kGarbled) << body;
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->failure_class, "garbled-answer") << body;
  EXPECT_NE(result.failure->got.find(says), std::string::npos)
      << body << ": " << result.failure->got;
}

// A request with an alternative of the test's own making.
CaseResult judge_against(const std::string& request, std::vector<Alternative> expected,
                         const std::string& body) {
  return judge({"a/case", "why", {{request, std::move(expected)}}, {}}, {said(body)});
}

constexpr const char* kDecode = "decode type=10 bytes=010100000000003f0300000000000000";
constexpr const char* kDequantize = "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff";
constexpr const char* kNegativeScale =
    "dequantize type=10 scale=bf000000 zero_point=3 count=2 q=0304";
constexpr const char* kQuantize =
    "quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0";
constexpr const char* kQuantizeNans =
    "quantize type=10 scale=3f800000 zero_point=3 count=4 in=0000c07f0000803f0000c0ff0000c07f";

// --- Equal and not equal

TEST(Judge, TheExpectedLinePasses) {
  expect(kDecode, "ok scheme=1 scale=3f000000 zero_point=3", CaseVerdict::kPass);
  expect(kDequantize, "ok out=0000c0bf000000c0", CaseVerdict::kPass);
  expect(kQuantize, "ok q=00ff", CaseVerdict::kPass);
}

TEST(Judge, TheOrderOfKeysAndFurtherKeysDoNotMatter) {
  // A newer program may say more than this suite knows.
  expect(kDecode, "ok zero_point=3 scale=3f000000 comment=hello scheme=1", CaseVerdict::kPass);
}

TEST(Judge, ATensorHasNoPartThatIsNotExpected) {
  const std::string tensor =
      "ok length=53 version=1.0 type=03 layout=1 shape= byte_offset=0 "
      "buffers=04000000000000004000000000000000";
  const std::vector<Alternative> expected = {{tensor, CaseVerdict::kPass, {}, {}}};
  const std::string request = "decode_tensor bytes=00";
  EXPECT_EQ(judge_against(request, expected, tensor + " comment=hello").verdict,
            CaseVerdict::kPass);
  for (const char* part : {" scheme=0", " strides=", " statistics=00", " member_role=00"}) {
    EXPECT_EQ(judge_against(request, expected, tensor + part).verdict, CaseVerdict::kFail) << part;
  }
}

// Where a failure is said to be, what was expected there, and what was got.
std::string difference_in(const std::string& request, const std::string& body) {
  const CaseResult result = judge_one(request, body);
  if (!result.failure) return "none";
  return result.failure->input + " | " + result.failure->expected + " | " + result.failure->got;
}

TEST(Judge, AnAnswerIsComparedWhereItParts) {
  EXPECT_EQ(difference_in(kDecode, "ok scheme=1 scale=3f000001 zero_point=3"),
            "scale | scale=3f000000 | scale=3f000001");
  EXPECT_EQ(difference_in("encode type=10 scheme=1 scale=3f000000 zero_point=10",
                          "ok bytes=010100000000003f0b00000000000000"),
            "byte 8: zero_point | 10 | 11");
  const std::string tensor =
      "decode_tensor bytes=4852525901003d00000000000000100102000000020000000000000003000000000000"
      "000000000000000000010600000000000000400000000000"
      "0000";
  const std::string right = expected_answers(read_request(tensor)).front().answer;
  ASSERT_TRUE(right.starts_with("ok ")) << right;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = right;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_EQ(difference_in(tensor, with("layout=1", "layout=2")), "layout | layout=1 | layout=2");
  EXPECT_EQ(difference_in(tensor, right + " comment=hello member_role=00"),
            "member_role | no member_role= | member_role=00");
  EXPECT_EQ(difference_in(tensor, with(" byte_offset=0", "")),
            "byte_offset | byte_offset=0 | no byte_offset=");
}

TEST(Judge, OfAConverterEachArrayIsNamed) {
  const std::string request =
      "convert type=10 shape=1000000000000000 axis=0 group_size=4 bits=4 bias=1 order=low-first "
      "group_major=0 word_bytes=1 scale_type_tag=03 weights=000102030405060708090a0b0c0d0e0f "
      "scales=0000803f0000803f0000803f0000803f plane=6f78";
  const std::string right = expected_answers(read_request(request)).front().answer;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = right;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_EQ(difference_in(request, with("b0=000102", "b0=000103")), "b0: byte 2 | 02 | 03");
  EXPECT_EQ(difference_in(request, with("b1=0000803f0000803f", "b1=0000803f00000040")),
            "b1: scale of block 1 | 3f800000 (1) | 40000000 (2)");
  EXPECT_EQ(difference_in(request, with("b2=10000000", "b2=0f000000")),
            "b2: zero point of block 0, stored as 15 with bias 1 | 16 | 15");
  EXPECT_EQ(difference_in(request, with("bytes=48525259", "bytes=48525258")),
            "byte 3: magic | 59 | 58");
}

TEST(Judge, UpperCaseHexadecimalIsTheSame) {
  // The protocol allows both.
  expect(kDecode, "ok scheme=1 scale=3F000000 zero_point=3", CaseVerdict::kPass);
  expect(kDequantize, "ok out=0000C0BF000000C0", CaseVerdict::kPass);
  expect(kQuantize, "ok q=00FF", CaseVerdict::kPass);
  expect("encode type=10 scheme=1 scale=3f000000 zero_point=10",
         "ok bytes=010100000000003F0A00000000000000", CaseVerdict::kPass);
}

TEST(Judge, DecimalFieldsAreComparedAsNumbers) {
  expect(kDecode, "ok scheme=01 scale=3f000000 zero_point=003", CaseVerdict::kPass);
  expect(kDecode, "ok scheme=1 scale=3f000000 zero_point=4", CaseVerdict::kFail, "unknown");
}

TEST(Judge, ADifferenceOfOneBitFails) {
  const CaseResult result = judge_one(kDequantize, "ok out=0000c0bf010000c0");
  EXPECT_EQ(result.verdict, CaseVerdict::kFail);
  EXPECT_EQ(result.outcome, Outcome::kValue);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->element, 1u);
  EXPECT_EQ(result.failure->differing, 1u);
  EXPECT_EQ(result.failure->total, 2u);
  EXPECT_EQ(result.failure->distance, "-1 ulp");
  EXPECT_NE(result.failure->input.find("q = -1"), std::string::npos) << result.failure->input;
  EXPECT_NE(result.failure->expected.find("c0000000"), std::string::npos)
      << result.failure->expected;
  EXPECT_NE(result.failure->got.find("c0000001"), std::string::npos) << result.failure->got;
}

TEST(Judge, AcceptAgainstRejectIsADifference) {
  expect(kDecode, "reject scale is odd", CaseVerdict::kFail, "rejects-valid");
  expect("decode type=10 bytes=", "ok scheme=1 scale=3f000000 zero_point=3", CaseVerdict::kFail,
         "accepts-invalid");
  expect("decode type=10 bytes=", "reject any words at all", CaseVerdict::kPass);
}

TEST(Judge, UnsupportedIsNeitherUnlessARulingSaysSo) {
  expect(kDecode, "unsupported", CaseVerdict::kFail, "claims-what-it-lacks");
  expect("decode type=10 bytes=", "unsupported", CaseVerdict::kFail, "claims-what-it-lacks");
  // A27: the other order of fields need not be known.
  const std::string high_first = "normalize bits=4 bias=1 order=high-first count=1 packed=10";
  expect(high_first, "unsupported", CaseVerdict::kPass);
  expect(high_first, "ok zero_points=02000000", CaseVerdict::kPass);
}

TEST(Judge, OutcomesAreNamed) {
  EXPECT_EQ(judge_one("decode type=10 bytes=", "reject").outcome, Outcome::kRejected);
  EXPECT_EQ(judge_one(kDecode, "unsupported").outcome, Outcome::kUnsupported);
  EXPECT_EQ(judge_one(kDecode, "reject").outcome, Outcome::kRejected);
  EXPECT_EQ(judge_one("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000",
                      "ok code=0104")
                .outcome,
            Outcome::kCode);
}

// --- Alternatives

TEST(Judge, AnyOfTheAlternativesPasses) {
  // A01: int32 storage may wrap or widen; anything else, such as saturation, may not.
  const std::string request =
      "dequantize type=14 scale=3f800000 zero_point=-2147483648 count=1 q=ffffff7f";
  const Case item = case_of(request);
  ASSERT_EQ(item.steps[0].expect.size(), 2u);
  for (const Alternative& each : item.steps[0].expect) {
    const CaseResult result = judge(item, {said(each.answer)});
    EXPECT_EQ(result.verdict, CaseVerdict::kPass) << each.answer;
    EXPECT_EQ(result.shows.at("int32-difference").size(), 1u);
  }
  expect(request, "ok out=0000004e", CaseVerdict::kFail, "unknown");
}

TEST(Judge, AlternativesMixedInOneArrayAreInconsistent) {
  // Each element is legal by itself, but the choice changes from element to element.
  const std::string request =
      "dequantize type=14 scale=3f800000 zero_point=-2147483648 count=2 q=ffffff7fffffff7f";
  const Case item = case_of(request);
  ASSERT_EQ(item.steps[0].expect.size(), 2u);
  const std::string first = item.steps[0].expect[0].answer.substr(7, 8);
  const std::string second = item.steps[0].expect[1].answer.substr(7, 8);
  expect(request, "ok out=" + first + second, CaseVerdict::kFail, "inconsistent");
  expect(request, "ok out=" + first + first, CaseVerdict::kPass);
}

TEST(Judge, TheMildestMatchingAlternativeCounts) {
  const std::vector<Alternative> expected = {
      {"ok scheme=any scale=any zero_point=any", CaseVerdict::kRecord, {}, {}},
      {"ok scheme=1 scale=3f000000 zero_point=3", CaseVerdict::kPass, {}, {}}};
  EXPECT_EQ(judge_against(kDecode, expected, "ok scheme=01 scale=3f000000 zero_point=3").verdict,
            CaseVerdict::kPass);
  EXPECT_EQ(judge_against(kDecode, expected, "ok scheme=1 scale=3f000000 zero_point=4").verdict,
            CaseVerdict::kRecord);
}

TEST(Judge, AWarningComesWithWhatWouldBeRight) {
  // A11: version 0 may be read, and should be refused.
  const std::string request = "decode type=10 bytes=010000000000003f0300000000000000";
  expect(request, "reject", CaseVerdict::kPass);
  expect(request, "ok scheme=1 scale=3f000000 zero_point=3", CaseVerdict::kWarn, "accepts-invalid");
  const CaseResult result = judge_one(request, "ok scheme=1 scale=3f000000 zero_point=3");
  EXPECT_NE(result.failure->expected.find("reject"), std::string::npos) << result.failure->expected;
}

// --- Patterns

TEST(Judge, AnyMatchesEveryValueOfItsKeyButNotItsAbsence) {
  const std::vector<Alternative> expected = {{"ok code=any", CaseVerdict::kRecord, {}, {}}};
  const std::string request = "ra8 fn=dequantize_i8 scale=7fc00000 zero_point=0 count=1 in=01";
  EXPECT_EQ(judge_against(request, expected, "ok code=0103").verdict, CaseVerdict::kRecord);
  EXPECT_EQ(judge_against(request, expected, "ok code=0000 out=0000c07f").verdict,
            CaseVerdict::kRecord);
  EXPECT_EQ(judge_against(request, expected, "ok").outcome, Outcome::kGarbled);
}

TEST(Judge, CodeErrorMatchesEveryCodeButZero) {
  const std::vector<Alternative> expected = {{"ok code=error", CaseVerdict::kPass, {}, {}}};
  const std::string request = "ra8 fn=quantize_i8 scale=3f800000 zero_point=0 count=1 in=0000c07f";
  EXPECT_EQ(judge_against(request, expected, "ok code=0103").verdict, CaseVerdict::kPass);
  EXPECT_EQ(judge_against(request, expected, "ok code=FFFF").verdict, CaseVerdict::kPass);
  EXPECT_EQ(judge_against(request, expected, "ok code=0000 out=00").verdict, CaseVerdict::kFail);
}

TEST(Judge, FirmwareCodesAreCompared) {
  const std::string request = "ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=0000803f";
  expect(request, "ok code=0103", CaseVerdict::kPass);
  expect(request, "ok code=0104", CaseVerdict::kFail, "wrong-code");
  expect(request, "ok code=0000 out=7f", CaseVerdict::kFail, "accepts-invalid");
}

// --- Floats

TEST(Judge, AnyNanEqualsAnyNan) {
  // No text says which NaN an operation gives, and machines differ.
  const std::string request = "dequantize type=10 scale=7f000000 zero_point=0 count=1 q=01";
  const std::vector<Alternative> expected = {{"ok out=0000c07f", CaseVerdict::kPass, {}, {}}};
  for (const char* nan : {"0000c07f", "0100807f", "ffffffff", "0000c0ff"}) {
    EXPECT_EQ(judge_against(request, expected, std::string("ok out=") + nan).verdict,
              CaseVerdict::kPass)
        << nan;
  }
  for (const char* other : {"0000807f", "000080ff", "00000000", "ffff7f7f"}) {
    EXPECT_EQ(judge_against(request, expected, std::string("ok out=") + other).verdict,
              CaseVerdict::kFail)
        << other;
  }
}

TEST(Judge, TheSignOfAZeroWarnsInDequantizeOfTheHurrayContract) {
  // A06: the clause promises a real number, and as real numbers the zeros are one.
  expect(kNegativeScale, "ok out=00000080000000bf", CaseVerdict::kPass);
  expect(kNegativeScale, "ok out=00000000000000bf", CaseVerdict::kWarn, "zero-sign");
  expect("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=03", "ok out=00000080",
         CaseVerdict::kWarn, "zero-sign");
}

TEST(Judge, TheSignOfAZeroCountsInFirmware) {
  // Its header documents a function and not a real number.
  const Case item = case_of("ra8 fn=dequantize_i8 scale=3f000000 zero_point=3 count=2 in=0304");
  EXPECT_EQ(judge(item, {said("ok code=0000 out=000000000000003f")}).verdict, CaseVerdict::kPass);
  EXPECT_EQ(judge(item, {said("ok code=0000 out=000000800000003f")}).verdict, CaseVerdict::kFail);
}

TEST(Judge, AWrongElementOutweighsAZeroOfTheOtherSign) {
  const CaseResult result = judge_one(kNegativeScale, "ok out=00000000010000bf");
  EXPECT_EQ(result.verdict, CaseVerdict::kFail);
  EXPECT_EQ(result.failure->element, 1u) << "the zero is not the first thing that is wrong";
}

// --- Free positions

TEST(Judge, FreePositionsHoldOneValueWhichever) {
  // R01: what a NaN becomes is open, but the same everywhere. Element 1 is 4 = 1 / 1 + 3.
  for (const char* q : {"03040303", "00040000", "7f047f7f", "80048080", "2a042a2a"}) {
    expect(kQuantizeNans, std::string("ok q=") + q, CaseVerdict::kPass);
  }
  expect(kQuantizeNans, "reject NaN", CaseVerdict::kPass);
  EXPECT_EQ(judge_one(kQuantizeNans, "ok q=03040003").verdict, CaseVerdict::kFail);
  EXPECT_EQ(judge_one(kQuantizeNans, "ok q=03040304").verdict, CaseVerdict::kFail);
}

TEST(Judge, WhatInfinityOverInfinityGivesIsFreeAndNoNansBusiness) {  // R03
  const std::string infinite =
      "quantize type=10 scale=7f800000 zero_point=3 count=4 in=0000803f0000807f000080ff0000c07f";
  for (const char* q : {"03030303", "037f8003", "03808080"}) {
    expect(infinite, std::string("ok q=") + q, CaseVerdict::kPass);
  }
  EXPECT_EQ(judge_one(infinite, "ok q=0503037f").verdict, CaseVerdict::kFail);
  const CaseResult result = judge_one(infinite, "ok q=037f8005");
  EXPECT_EQ(result.shows.at("nan-input(int8)"), (std::vector<std::string>{"code 5"}));
  const std::string without =
      "quantize type=10 scale=7f800000 zero_point=3 count=2 in=0000807f000080ff";
  EXPECT_EQ(judge_one(without, "ok q=7f80").shows.count("nan-input(int8)"), 0u);
}

TEST(Judge, APositionBesideTheFreeOnesIsCompared) {
  const CaseResult result = judge_one(kQuantizeNans, "ok q=00050000");
  EXPECT_EQ(result.verdict, CaseVerdict::kFail);
  EXPECT_EQ(result.failure->element, 1u);
  EXPECT_EQ(result.failure->differing, 1u);
}

TEST(Judge, TheValueAtFreePositionsIsNamedByAllThatFit) {
  const auto kinds = [](const char* body) {
    return judge_one(kQuantizeNans, body).shows.at("nan-input(int8)");
  };
  EXPECT_EQ(kinds("ok q=03040303"), (std::vector<std::string>{"code 3", "zero-point"}));
  EXPECT_EQ(kinds("ok q=7f047f7f"), (std::vector<std::string>{"code 127", "qmax"}));
  EXPECT_EQ(kinds("ok q=80048080"), (std::vector<std::string>{"code -128", "qmin"}));
  EXPECT_EQ(kinds("ok q=00040000"), (std::vector<std::string>{"code 0", "zero"}));
  EXPECT_EQ(kinds("ok q=2a042a2a"), std::vector<std::string>{"code 42"});
  EXPECT_EQ(kinds("reject"), std::vector<std::string>{"refuse"});
  // With zero point 0, two names fit.
  const CaseResult both =
      judge_one("quantize type=10 scale=3f800000 zero_point=0 count=1 in=0000c07f", "ok q=00");
  EXPECT_EQ(both.shows.at("nan-input(int8)"),
            (std::vector<std::string>{"code 0", "zero", "zero-point"}));
}

// --- Garbled

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

// --- Without an answer

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

// --- Several steps

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
