// SPDX-License-Identifier: Apache-2.0
//
// Are draws the same whenever they are drawn, are they beside the cases and not the cases, and does
// a finding become small? The scripted target of conformance/tests/ answers wrongly on cue.

#include <gtest/gtest.h>

#include <set>

#include "conformance/runner/campaign.h"
#include "conformance/runner/oracle.h"

namespace hurray::conformance {
namespace {

const Suite& seeds() {
  static const Suite kSeeds = load_seeds();
  return kSeeds;
}

Candidate scalar(const std::vector<std::pair<std::string, std::string>>& script = {}) {
  Candidate candidate;
  candidate.limits = {60'000, 0};
  std::vector<std::string>& command = candidate.attachment.command.argv;
  command = {HURRAY_PYTHON, HURRAY_SCRIPTED_TARGET};
  for (const auto& [text, answer] : script) {
    command.insert(command.end(), {"--when", "has:" + text, "--do", "say:" + answer});
  }
  command.insert(command.end(), {"--", HURRAY_SCALAR_PROGRAM});
  return candidate;
}

Claims claims() {
  const Introduction introduction = introduce(scalar().attachment, scalar().limits);
  return introduction.claims.value();
}

TEST(Draws, AreDecidedBySeedAndNumberAlone) {
  const Claims all = claims();
  const Draws a(seeds(), all, 7), again(seeds(), all, 7), other(seeds(), all, 8);
  std::size_t same = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Case one = a.at(i).item, two = again.at(299 - i).item;
    EXPECT_EQ(one.name, "fuzz/7/" + std::to_string(i));
    EXPECT_EQ(again.at(i).item.steps.front().request, one.steps.front().request);
    same += other.at(i).item.steps.front().request == one.steps.front().request;
    EXPECT_EQ(two.name, "fuzz/7/" + std::to_string(299 - i));
  }
  EXPECT_LT(same, 30u);
}

TEST(Draws, AreOfEveryVerbAndMostlyNoCasesOfTheSuite) {
  const Claims all = claims();
  const Draws draws(seeds(), all, 1);
  std::set<std::string> of_suite, verbs;
  for (const Case& each : seeds().cases) {
    for (const Step& step : each.steps) of_suite.insert(step.request);
  }
  std::size_t known = 0, sequences = 0;
  constexpr std::uint64_t kDraws = 3000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const Case item = draws.at(i).item;
    sequences += item.steps.size() > 1;
    bool is_known = true;
    for (const Step& step : item.steps) {
      verbs.insert(step.request.substr(0, step.request.find(' ')));
      is_known = is_known && of_suite.contains(step.request);
    }
    known += is_known;
  }
  EXPECT_EQ(verbs,
            (std::set<std::string>{"convert", "decode", "decode_tensor", "dequantize",
                                   "dequantize_tensor", "encode", "encode_tensor", "normalize",
                                   "pack", "packed_bytes", "quantize", "ra8", "unpack", "widen"}));
  EXPECT_LT(known, kDraws / 4);
  EXPECT_GT(sequences, kDraws / 50);
}

TEST(Draws, AskOnlyWhatIsClaimed) {
  Claims few = claims();
  few.types = {{"decode", {0x10}}};
  few.operations = {};
  few.contracts = {Contract::kHurray};
  few.schemes = {1};
  few.calls = {};
  const Draws draws(seeds(), few, 1);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string request = draws.at(i).item.steps.front().request;
    EXPECT_TRUE(request.starts_with("decode type=")) << request;
    EXPECT_EQ(request.find("fill="), std::string::npos);
  }
}

// A failing case is made smaller; what is left is its last request.
std::string smallest(const std::string& request, const std::string& origin, const std::string& cue,
                     const std::string& wrong) {
  const Candidate candidate = scalar({{cue, wrong}});
  Case item{"fuzz/1/1", "why", {{request, expected_answers(read_request(request))}}, {}};
  const Case seed{"a/b", "why", {{origin, {}}}, {}};
  CaseResult result = judge(item, {Reply{Outcome::kValue, wrong, {}}});
  EXPECT_TRUE(result.failure) << request;
  EXPECT_TRUE(minimize_finding(candidate, false, seed, item, result));
  return item.steps.back().request;
}

TEST(MinimizeFinding, SetsFieldsBackToThoseOfTheCase) {
  EXPECT_EQ(smallest("decode type=10 bytes=020100000000003f7f00000000000000",
                     "decode type=10 bytes=010100000000003f0300000000000000", "bytes=02",
                     "ok scheme=2 flags=0000"),
            "decode type=10 bytes=020100000000003f0300000000000000");
}

TEST(MinimizeFinding, LeavesOutKeysOfTheCallAndElements) {
  EXPECT_EQ(
      smallest("quantize type=10 scale=3dcccccd zero_point=7 count=2 in=0000803f00000040 fill=a5",
               "quantize type=10 scale=3dcccccd zero_point=7 count=1 in=0000803f", "quantize",
               "reject"),
      "quantize type=10 scale=3f800000 zero_point=0 count=1 in=00000000");
}

TEST(MinimizeFinding, HasFewerElementsOfPackedOnes) {
  EXPECT_EQ(smallest("unpack type=49 count=7 packed=c5a31208", "unpack type=49 count=2 packed=c5",
                     "unpack type=49", "reject"),
            "unpack type=49 count=1 packed=00");
  EXPECT_EQ(smallest("normalize bits=4 bias=3 order=low-first count=4 packed=6778",
                     "normalize bits=4 bias=3 order=low-first count=4 packed=6778", "normalize",
                     "reject"),
            "normalize bits=4 bias=0 order=low-first count=1 packed=00");
}

TEST(MinimizeFinding, StopsWhenItIsTime) {
  const std::string request = "unpack type=49 count=7 packed=c5a31208";
  Case item{"fuzz/1/1", "why", {{request, expected_answers(read_request(request))}}, {}};
  CaseResult result = judge(item, {Reply{Outcome::kValue, "reject", {}}});
  EXPECT_TRUE(minimize_finding(scalar({{"unpack", "reject"}}), false, item, item, result,
                               [] { return true; }));
  EXPECT_EQ(item.steps.front().request, request);
}

TEST(MinimizeFinding, SaysWhereAFailureDoesNotShowAgain) {
  const std::string request = "packed_bytes type=44 count=5";
  Case item{"fuzz/1/1", "why", {{request, expected_answers(read_request(request))}}, {}};
  CaseResult result = judge(item, {Reply{Outcome::kValue, "reject", {}}});
  ASSERT_TRUE(result.failure);
  EXPECT_FALSE(minimize_finding(scalar(), false, item, item, result));
  EXPECT_EQ(item.steps.front().request, request);
}

TEST(Requirement, OfBytesIsTheRuleThatTheyBreak) {
  const std::string request = "decode type=10 bytes=010100000000c07f0300000000000000";
  const Case item{"fuzz/1/1", "why", {{request, expected_answers(read_request(request))}}, {}};
  const CaseResult result =
      judge(item, {Reply{Outcome::kValue, "ok scheme=1 scale=7fc00000 zero_point=3", {}}});
  const Case& origin = *seeds().find_case("decode/header/golden");
  const AboutRequirement about = requirement_of(seeds(), origin, item, result);
  EXPECT_TRUE(about.is_broken_rule);
  EXPECT_FALSE(about.is_guess);
  const std::string& rule = about.id;
  ASSERT_TRUE(seeds().find_requirement(rule)) << rule;
  EXPECT_NE(seeds().find_requirement(rule)->text.find("NaN"), std::string::npos) << rule;
  EXPECT_EQ(operation_of(item, result), "decode int8 scheme 1");
}

}  // namespace
}  // namespace hurray::conformance
