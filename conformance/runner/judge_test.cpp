// SPDX-License-Identifier: Apache-2.0
//
// Is an answer judged by what it says: one of the alternatives, by bits, with the exceptions of the
// rulings and no others?

#include "conformance/runner/judge_test.h"

namespace hurray::conformance {
namespace {

// A request with an alternative of the test's own making.
CaseResult judge_against(const std::string& request, std::vector<Alternative> expected,
                         const std::string& body) {
  return judge({"a/case", "why", {{request, std::move(expected)}}, {}}, {said(body)});
}

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

}  // namespace
}  // namespace hurray::conformance
