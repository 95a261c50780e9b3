// SPDX-License-Identifier: Apache-2.0
//
// Is a failure shown by the smallest request that still fails, and left alone where none does? The
// scripted target of conformance/tests/ answers wrongly on cue.

#include <gtest/gtest.h>

#include "conformance/runner/oracle.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {
namespace {

// 1.0, -1.0, 2.0, 3.0 by steps of one half.
constexpr const char* kQuantize =
    "quantize type=10 scale=3f000000 zero_point=3 count=4 in=0000803f000080bf0000004000004040";

class Minimize : public testing::Test {
 protected:
  // A failing case of one requirement: the answer that the target gave to it.
  std::size_t add(const std::string& request, const std::string& answer) {
    const std::size_t index = suite_.cases.size();
    suite_.cases.push_back({"a/" + std::to_string(index),
                            "why",
                            {{request, expected_answers(read_request(request))}},
                            {}});
    target_.cases.push_back(judge(suite_.cases.back(), {Reply{Outcome::kValue, answer, {}}}));
    target_.requirements.push_back({nullptr, RequirementVerdict::kViolated, 1, {index}});
    EXPECT_TRUE(target_.cases.back().failure) << request << " -> " << answer;
    return index;
  }

  // Pairs of a request's text and what is then answered; everything else is answered rightly.
  void minimize(const std::vector<std::pair<std::string, std::string>>& script) {
    std::vector<std::string> command = {HURRAY_PYTHON, HURRAY_SCRIPTED_TARGET};
    for (const auto& [text, answer] : script) {
      command.insert(command.end(), {"--when", "has:" + text, "--do", "say:" + answer});
    }
    command.insert(command.end(), {"--", HURRAY_SCALAR_PROGRAM});
    minimize_by(command);
  }

  void minimize_by(const std::vector<std::string>& command) {
    Candidate candidate;
    candidate.attachment.command.argv = command;
    candidate.limits = {60'000, 0};
    minimize_failures(suite_, candidate, target_);
  }

  const Failure& failure(std::size_t i = 0) const { return *target_.cases[i].failure; }

  Suite suite_;
  TargetResult target_;
};

TEST_F(Minimize, AnElementThatFailsAloneIsShownAlone) {
  add(kQuantize, "ok q=05010609");
  EXPECT_EQ(failure().element, 2u);
  minimize({{"in=00000040", "ok q=06"}});
  EXPECT_EQ(failure().request, "quantize type=10 scale=3f000000 zero_point=3 count=1 in=00000040");
  EXPECT_EQ(failure().expected, "7");
  EXPECT_EQ(failure().got, "6");
  EXPECT_EQ(failure().element, 0u);
  // How much of the case was wrong is still told.
  EXPECT_EQ(failure().differing, 1u);
  EXPECT_EQ(failure().total, 4u);
  EXPECT_EQ(target_.cases[0].verdict, CaseVerdict::kFail);
}

TEST_F(Minimize, AnElementThatFailsBehindOthersIsShownWithThem) {
  add(kQuantize, "ok q=05010609");
  minimize({{"count=3", "ok q=050106"}});
  EXPECT_EQ(failure().request,
            "quantize type=10 scale=3f000000 zero_point=3 count=3 in=0000803f000080bf00000040");
  EXPECT_EQ(failure().element, 2u);
}

TEST_F(Minimize, TheSmallerOfTwoCountsAndTheFirstElementHasOne) {
  add(kQuantize, "ok q=05010609");
  const std::size_t first = add(kQuantize, "ok q=06010709");
  minimize({{"in=00000040", "ok q=06"}, {"count=3", "ok q=050106"}, {"in=0000803f", "ok q=06"}});
  EXPECT_EQ(failure().request, "quantize type=10 scale=3f000000 zero_point=3 count=1 in=00000040");
  EXPECT_EQ(failure(first).request,
            "quantize type=10 scale=3f000000 zero_point=3 count=1 in=0000803f");
}

TEST_F(Minimize, AFailureThatNeedsTheWholeArrayStays) {
  add(kQuantize, "ok q=05010609");
  minimize({});
  EXPECT_EQ(failure().request, kQuantize);
  EXPECT_EQ(failure().element, 2u);
  EXPECT_EQ(failure().got, "6");
}

TEST_F(Minimize, TheClassOfTheWholeArrayIsKeptUnlessItIsUnknown) {
  // Every element wraps; of one element alone several mistakes could be guessed.
  const std::string request =
      "quantize type=10 scale=3f800000 zero_point=0 count=3 in=0000003f000020400000c03f";
  add(request, "ok q=000202");  // 0.5, 2.5 and 1.5 to even
  ASSERT_EQ(failure().failure_class, "ties-to-even");
  target_.cases[0].failure->failure_class = "tail";
  const std::size_t unknown = add(request, "ok q=000202");
  target_.cases[unknown].failure->failure_class = "unknown";
  minimize({{"in=0000003f", "ok q=00"}});
  EXPECT_EQ(failure().failure_class, "tail");
  EXPECT_EQ(failure().got, "0");
  EXPECT_EQ(failure(unknown).failure_class, "ties-to-even");
}

TEST_F(Minimize, NarrowCodesArePackedAnew) {
  // The third of three 4-bit codes moves from the low half of the second byte to that of the first.
  const std::string request = "dequantize type=48 scale=3f800000 zero_point=0 count=3 q=2103";
  const std::size_t third = add(request, "ok out=0000803f00000040000080c0");
  EXPECT_EQ(failure(third).element, 2u);
  const std::size_t second = add(request, "ok out=0000803f0000804000004040");
  EXPECT_EQ(failure(second).element, 1u);
  minimize({{"q=03", "ok out=000080c0"}, {"q=02", "ok out=00008040"}});
  EXPECT_EQ(failure(third).request, "dequantize type=48 scale=3f800000 zero_point=0 count=1 q=03");
  EXPECT_EQ(failure(second).request, "dequantize type=48 scale=3f800000 zero_point=0 count=1 q=02");
}

TEST_F(Minimize, FirmwareFunctionsAndCallDisciplineKeepTheirKeys) {
  const std::size_t ra8 = add("ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=3 in=0003ff",
                              "ok code=0000 out=0000c0bf0000803f0000fc42");
  EXPECT_EQ(failure(ra8).element, 1u);
  const std::size_t filled =
      add("quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000803f000080bf fill=a5",
          "ok q=0502 under=0 over=0 in_changed=0");
  minimize({{"in=03", "ok code=0000 out=0000803f"},
            {"in=000080bf fill=a5", "ok q=02 under=0 over=0 in_changed=0"}});
  EXPECT_EQ(failure(ra8).request, "ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=1 in=03");
  EXPECT_EQ(failure(filled).request,
            "quantize type=10 scale=3f000000 zero_point=3 count=1 in=000080bf fill=a5");
}

TEST_F(Minimize, OnlyTheFirstFailingCaseOfARequirementIsMade) {
  // The others are counted, not shown.
  add(kQuantize, "ok q=05010609");
  const std::size_t second = add(kQuantize, "ok q=05010609");
  target_.requirements.pop_back();
  target_.requirements[0].failed = {0, second};
  minimize({{"in=00000040", "ok q=06"}});
  EXPECT_NE(failure().request, kQuantize);
  EXPECT_EQ(failure(second).request, kQuantize);
}

TEST_F(Minimize, ASmallerRequestHasToFailInTheSameWay) {
  // A warning does not stand for a violation: alone, only the sign of a zero is off.
  add("dequantize type=10 scale=3f000000 zero_point=3 count=2 q=0003", "ok out=0000c0bf0000803f");
  EXPECT_EQ(failure().element, 1u);
  minimize({{"q=03", "ok out=00000080"}});
  EXPECT_EQ(failure().request, "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=0003");
}

TEST_F(Minimize, WhatIsInconsistentNeedsItsNeighbours) {
  add(kQuantize, "ok q=05010609");
  target_.cases[0].failure->failure_class = "inconsistent";
  minimize({{"in=00000040", "ok q=06"}});
  EXPECT_EQ(failure().request, kQuantize);
}

TEST_F(Minimize, WhatHasNoElementsOrSeveralStepsStays) {
  const std::string decode = "decode type=10 bytes=010100000000003f0300000000000000";
  add(decode, "ok scheme=1 scale=3f000000 zero_point=4");
  const std::size_t single =
      add("quantize type=10 scale=3f000000 zero_point=3 count=1 in=00000040", "ok q=06");
  const std::size_t steps = add(kQuantize, "ok q=05010609");
  suite_.cases[steps].steps.push_back({kQuantize, {}});
  const std::size_t refused = add(kQuantize, "reject");
  minimize({{"in=00000040", "ok q=08"}, {"decode", "reject"}});
  EXPECT_EQ(failure().got, "zero_point=4");
  EXPECT_EQ(failure(single).got, "6");
  EXPECT_EQ(failure(steps).request, kQuantize);
  EXPECT_EQ(failure(refused).request, kQuantize);
}

TEST_F(Minimize, ATargetThatIsBrokenIsNotAskedAgain) {
  add(kQuantize, "ok q=05010609");
  target_.broken = Broken{"it died", {}};
  minimize({{"in=00000040", "ok q=06"}});
  EXPECT_EQ(failure().request, kQuantize);
}

TEST_F(Minimize, TheCaseIsNotTouchedByATargetThatDiesMeanwhile) {
  add(kQuantize, "ok q=05010609");
  minimize_by({"/bin/false"});
  EXPECT_EQ(failure().request, kQuantize);
  EXPECT_EQ(target_.cases[0].verdict, CaseVerdict::kFail);
}

}  // namespace
}  // namespace hurray::conformance
