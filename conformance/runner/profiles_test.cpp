// SPDX-License-Identifier: Apache-2.0
//
// Are the profiles that ship whole, does a mistake in such a file lead to its place, and which
// verdict follows from which results?

#include "conformance/runner/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/runner/claims.h"

namespace hurray::conformance {
namespace {

// --- The file that ships

TEST(Profiles, EveryGatingRequirementIsPartOfOne) {
  const std::vector<Requirement> requirements = load_requirements();
  std::set<std::string> without;
  for (const Requirement& each : requirements) {
    if (each.gates()) without.insert(each.id);
  }
  EXPECT_GT(without.size(), 250u);
  for (const Profile& profile : load_profiles(requirements)) {
    for (const std::size_t i : profile.needs) without.erase(requirements[i].id);
    for (const std::size_t i : profile.extras) without.erase(requirements[i].id);
  }
  EXPECT_EQ(without, std::set<std::string>{});
}

TEST(Profiles, AreThoseThatAProductCanBe) {
  std::vector<std::string> names;
  for (const Profile& each : load_profiles(load_requirements())) names.push_back(each.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"reader", "writer", "kernel-dequantize", "kernel-quantize",
                                      "firmware-ra8", "converter", "tensor"}));
}

// --- Mistakes

Requirement row(std::string id, std::string level, std::vector<std::size_t> cases) {
  Requirement requirement;
  requirement.id = std::move(id);
  requirement.level = std::move(level);
  requirement.cases = std::move(cases);
  return requirement;
}

std::string problem_of(const std::string& content) {
  std::vector<Requirement> requirements = {
      row("XX-A-001", "MUST", {0}), row("XX-A-002", "MAY", {0}), row("XX-A-003", "MUST", {})};
  requirements[2].not_testable = "nothing shows it";
  try {
    read_profiles("file.toml", content, requirements);
  } catch (const SuiteError& error) {
    return error.what();
  }
  return {};
}

std::string profile(const std::string& more) {
  return "[[profile]]\nname = \"p\"\ntext = \"t\"\nclaims = [\"decode\"]\n" + more + "\n";
}

TEST(Profiles, AFileWithoutMistakeIsRead) {
  EXPECT_EQ(problem_of(profile("needs = [\"XX-A-001\"]\nextras = [\"XX-A-*\"]")), "");
}

TEST(Profiles, MistakesAreNamed) {
  const std::pair<std::string, std::string> kMistakes[] = {
      {profile("needs = [\"XX-A-009\"]"), "file.toml: p: no requirement is named `XX-A-009`"},
      {profile("needs = [\"XX-A-002\"]"), "file.toml: p: XX-A-002 cannot be needed"},
      {profile("needs = [\"XX-A-003\"]"), "file.toml: p: XX-A-003 cannot be needed"},
      {profile("needs = [\"XX-A-001\"]"), "no profile has the requirement XX-A-003"},
      {profile("needs = [\"XX-A-001\"]\nneed = []"), "file.toml: p: unknown key `need`"},
      {profile("extras = [\"XX-A-001\"]"), "file.toml: p: name, text, claims and needs"},
      {profile("needs = [\"XX-A-001\"]\nextras = [\"XX-A-*\"]") + profile("needs = [\"XX-A-001\"]"),
       "file.toml: p: this profile stands twice"},
      {profile("needs = \"XX-A-001\""), "`needs` is not an array of strings"},
      {"[[profile]\n", "file.toml: line 1"},
  };
  for (const auto& [content, message] : kMistakes)
    EXPECT_NE(problem_of(content).find(message), std::string::npos) << message << "\nnot in\n"
                                                                    << problem_of(content);
}

// --- Verdicts

// Two cases that decode, one that encodes; two requirements that need them, one that is extra.
class ProfileVerdicts : public testing::Test {
 protected:
  ProfileVerdicts() {
    for (const char* request : {"decode type=10 bytes=", "decode type=11 bytes=", "encode type=10"})
      suite_.cases.push_back({request, "why", {{request, {}}}, {}});
    suite_.requirements = {row("XX-A-001", "MUST", {0}), row("XX-A-002", "MUST", {1, 2}),
                           row("XX-A-003", "MUST", {1})};
    suite_.profiles = {{"reader", "reads", {"decode"}, {"decode"}, {0, 1}, {2}},
                       {"writer", "writes", {"encode"}, {"encode"}, {1}, {}}};
    claims_.contracts = {Contract::kHurray};
    claims_.types["decode"] = {0x10};
    claims_.types["encode"] = {0x10};
  }

  // With these verdicts of the three cases.
  TargetResult target(std::vector<CaseVerdict> verdicts, bool strict = false) {
    TargetResult result;
    result.claims = claims_;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      CaseResult each;
      each.verdict = verdicts[i];
      if (verdicts[i] >= CaseVerdict::kWarn) {
        each.failure = Failure{};
        each.failure->request = suite_.cases[i].steps.front().request;
      }
      result.cases.push_back(std::move(each));
    }
    sum_up(suite_, strict, result);
    return result;
  }

  static constexpr CaseVerdict kPass = CaseVerdict::kPass, kFail = CaseVerdict::kFail,
                               kSkip = CaseVerdict::kSkip, kWarn = CaseVerdict::kWarn,
                               kNotRun = CaseVerdict::kNotRun;
  Suite suite_;
  Claims claims_;
};

TEST_F(ProfileVerdicts, AllThatIsNeededHolds) {
  const TargetResult result = target({kPass, kPass, kPass});
  EXPECT_EQ(describe_profiles(result.profiles), "reader conformant, writer conformant");
  EXPECT_EQ(result.profiles[0].judged, 3u);
  EXPECT_EQ(result.profiles[1].judged, 1u);
}

TEST_F(ProfileVerdicts, AMistakeOfAnotherOperationIsAnotherProfiles) {
  EXPECT_EQ(describe_profiles(target({kPass, kPass, kFail}).profiles),
            "reader conformant, writer non-conformant (XX-A-002)");
  EXPECT_EQ(describe_profiles(target({kPass, kFail, kPass}).profiles),
            "reader non-conformant (XX-A-002 and 1 more), writer conformant");
}

TEST_F(ProfileVerdicts, WhatIsNeededAndNotJudgedLeavesItIncomplete) {
  EXPECT_EQ(describe_profiles(target({kSkip, kPass, kPass}).profiles),
            "reader incomplete (XX-A-001 not judged), writer conformant");
  EXPECT_EQ(describe_profiles(target({kNotRun, kNotRun, kPass}).profiles),
            "reader incomplete (XX-A-001 and 1 more not judged), writer conformant");
}

TEST_F(ProfileVerdicts, AnExtraNeedNotBeJudged) {
  suite_.requirements[2].cases = {2};
  EXPECT_EQ(describe_profiles(target({kPass, kPass, kSkip}).profiles),
            "reader conformant, writer incomplete (XX-A-002 not judged)");
}

TEST_F(ProfileVerdicts, WarningsCountUnderStrictOnly) {
  EXPECT_EQ(describe_profiles(target({kWarn, kPass, kPass}).profiles),
            "reader conformant, writer conformant");
  EXPECT_EQ(describe_profiles(target({kWarn, kPass, kPass}, true).profiles),
            "reader non-conformant (XX-A-001), writer conformant");
}

TEST_F(ProfileVerdicts, WhatIsNotClaimedHasNone) {
  claims_.types.erase("encode");
  const TargetResult result = target({kPass, kPass, kSkip});
  EXPECT_EQ(describe_profiles(result.profiles), "reader conformant");
  EXPECT_EQ(result.profiles[1].verdict, ProfileVerdict::kNotClaimed);
  claims_.contracts = {Contract::kRa8};
  EXPECT_EQ(describe_profiles(target({kSkip, kSkip, kSkip}).profiles), "");
}

TEST_F(ProfileVerdicts, OfABrokenTargetNothingIsSaid) {
  TargetResult result;
  result.claims = claims_;
  result.cases.resize(3);
  result.broken = Broken{"does not start", {}};
  sum_up(suite_, false, result);
  EXPECT_EQ(result.profiles[0].verdict, ProfileVerdict::kNotJudged);
  EXPECT_EQ(describe_profiles(result.profiles), "");
}

}  // namespace
}  // namespace hurray::conformance
