// SPDX-License-Identifier: Apache-2.0
//
// Does a list of known deviations notice everything that a CI has to notice, and nothing else? And
// is the list that --update-known writes one with which the gate opens?

#include "conformance/runner/known.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/runner/fingerprint.h"
#include "conformance/runner/known_match.h"

namespace hurray::conformance {
namespace {

using std::chrono::August;
using std::chrono::day;
using std::chrono::year;

constexpr Day kToday{year{2026}, August, day{15}};
constexpr Day kLater{year{2026}, August, day{16}};

// Cases of two operations, all of one requirement that gates.
class Known : public testing::Test {
 protected:
  Known() {
    for (const char* name : {"encode/a", "quantize/ties/int8", "quantize/ties/uint8",
                             "quantize/widths/int8", "quantize/widths/uint8"}) {
      suite_.cases.push_back({name, "why", {{"decode", {}}}, {}});
    }
    Requirement requirement;
    requirement.id = "XX-A-001";
    requirement.level = "MUST";
    requirement.cases = {0, 1, 2, 3, 4};
    suite_.requirements.push_back(requirement);
  }

  // A target whose cases with these names fail, each with its own wrong answer.
  TargetResult target(const std::vector<std::string>& failing, const std::string& name = "mine",
                      const std::string& answer = "ok out=") const {
    TargetResult result;
    result.attachment.name = name;
    result.claims = Claims{};
    result.cases.resize(suite_.cases.size());
    for (std::size_t i = 0; i < suite_.cases.size(); ++i) {
      CaseResult& each = result.cases[i];
      each.verdict = CaseVerdict::kPass;
      if (std::ranges::find(failing, suite_.cases[i].name) == failing.end()) continue;
      each.verdict = CaseVerdict::kFail;
      each.failure = Failure{};
      each.failure->failure_class = "ties-to-even";
      const Reply reply{Outcome::kValue, answer + std::to_string(10 + i), {}};
      each.fingerprint = fingerprint_of({&reply, 1});
    }
    sum_up(suite_, false, result);
    return result;
  }

  KnownFile list_for(const std::vector<TargetResult>& targets) const {
    return updated_list(suite_, targets, {}, kToday);
  }
  std::vector<std::string> problems(const std::vector<TargetResult>& targets, const KnownFile& list,
                                    const Day& today = kToday) const {
    return check_known(suite_, targets, "list.toml", list.entries, today).problems;
  }
  // The one line, or all of them.
  std::string problem(const std::vector<TargetResult>& targets, const KnownFile& list,
                      const Day& today = kToday) const {
    std::string lines;
    for (const std::string& each : problems(targets, list, today)) lines += each + "\n";
    return lines;
  }

  Suite suite_;
  const std::vector<std::string> ties_ = {"quantize/ties/int8", "quantize/ties/uint8"};
};

TEST_F(Known, WhatIsWrittenOpensTheGate) {
  for (const auto& failing : std::vector<std::vector<std::string>>{
           {},
           ties_,
           {"encode/a"},
           {"encode/a", "quantize/widths/int8"},
           {"encode/a", "quantize/ties/int8", "quantize/ties/uint8", "quantize/widths/int8",
            "quantize/widths/uint8"}}) {
    const std::vector<TargetResult> targets = {target(failing)};
    const KnownFile list = list_for(targets);
    EXPECT_EQ(problem(targets, list), "");
    // And so does what is read back.
    const KnownFile read = read_known_text("list.toml", known_toml(list));
    EXPECT_EQ(problem(targets, read), "");
    EXPECT_EQ(read.entries.size(), list.entries.size());
  }
}

TEST_F(Known, EntriesNameAsLittleAsTheyCan) {
  const KnownFile list = list_for({target(ties_)});
  ASSERT_EQ(list.entries.size(), 1u);
  EXPECT_EQ(list.entries[0].patterns, std::vector<std::string>{"quantize/ties/*"});
  EXPECT_EQ(list.entries[0].matches, 2u);
  EXPECT_EQ(list.entries[0].target, "mine");
  EXPECT_EQ(day_text(list.entries[0].expires), "2026-11-13");
  const KnownFile two = list_for({target({"quantize/ties/int8", "quantize/widths/int8"})});
  EXPECT_EQ(two.entries.at(0).patterns, std::vector<std::string>{"quantize/*/int8"});
  const KnownFile three =
      list_for({target({"encode/a", ties_[0], ties_[1], "quantize/widths/int8"})});
  ASSERT_EQ(three.entries.size(), 2u);
  EXPECT_EQ(three.entries[0].patterns, std::vector<std::string>{"encode/a"});
  EXPECT_EQ(three.entries[1].patterns,
            (std::vector<std::string>{"quantize/ties/*", "quantize/widths/int8"}));
}

TEST(Patterns, AStarForSeveralPartsNamesNothingElse) {
  // `a/*/z` would name a/b/c/z as well.
  const std::vector<std::string_view> asked = {"a/b/c/z", "a/b/z", "a/c/z"};
  EXPECT_EQ(patterns_for({"a/b/z", "a/c/z"}, asked), (std::vector<std::string>{"a/b/z", "a/c/z"}));
  EXPECT_EQ(patterns_for(asked, asked), std::vector<std::string>{"a/*"});
  EXPECT_EQ(patterns_for({}, asked), std::vector<std::string>{});
}

TEST_F(Known, ATargetThatIsBrokenClosesItThoughAllElseIsListed) {
  const KnownFile list = list_for({target(ties_)});
  TargetResult gave_up = target(ties_);
  gave_up.broken = Broken{"gave up", {}};
  EXPECT_EQ(problem({gave_up}, list), "mine: gave up\n");
}

TEST_F(Known, WhatWasNotRunStaysListed) {
  const KnownFile list = list_for({target(ties_)});
  TargetResult part = target(ties_);
  for (CaseResult& each : part.cases) {
    if (&each != &part.cases[1]) each = {};
  }
  ASSERT_EQ(part.cases[0].verdict, CaseVerdict::kNotRun);
  part.requirements.clear();
  sum_up(suite_, false, part);
  EXPECT_EQ(known_toml(updated_list(suite_, {part}, list, kToday)), known_toml(list));
  // As it was with another choice of cases: these are its own.
  KnownFile own = list;
  own.entries[0].matches = 1;
  const KnownFile renewed = updated_list(suite_, {part}, own, kToday);
  ASSERT_EQ(renewed.entries.size(), 1u);
  EXPECT_EQ(renewed.entries[0].matches, 1u);
  EXPECT_NE(renewed.entries[0].fingerprint, own.entries[0].fingerprint);
}

TEST_F(Known, WhatWasNotRunOfOneTargetStaysListedForAnother) {
  KnownFile list = list_for({target(ties_, "a")});
  list.entries[0].target = "[ab]";
  TargetResult part = target(ties_, "a");
  part.cases[2] = {};
  part.requirements.clear();
  sum_up(suite_, false, part);
  const std::vector<TargetResult> targets = {part, target(ties_, "b")};
  EXPECT_EQ(known_toml(updated_list(suite_, targets, list, kToday)), known_toml(list));
}

TEST_F(Known, AnUnlistedFailureClosesIt) {
  EXPECT_EQ(problem({target(ties_)}, {}),
            "mine: XX-A-001 is violated by 2 cases that are not listed, the first: "
            "quantize/ties/int8\n");
  const KnownFile list = list_for({target(ties_)});
  EXPECT_EQ(problem({target({"encode/a", "quantize/ties/int8", "quantize/ties/uint8"})}, list),
            "mine: XX-A-001 is violated by 1 cases that are not listed, the first: encode/a\n");
}

TEST_F(Known, AListedCaseThatPassesClosesIt) {
  const KnownFile list = list_for({target(ties_)});
  EXPECT_EQ(problem({target({"quantize/ties/int8"})}, list),
            "mine: quantize/ties/*: 1 of 2 cases are right now, the first: quantize/ties/uint8\n");
  EXPECT_EQ(problem({target({})}, list),
            "mine: quantize/ties/*: 2 of 2 cases are right now, the first: quantize/ties/int8\n");
}

TEST_F(Known, AnotherWrongAnswerClosesIt) {
  const KnownFile list = list_for({target(ties_)});
  const std::string lines = problem({target(ties_, "mine", "ok out=7")}, list);
  EXPECT_NE(lines.find("wrong in another way: fingerprint "), std::string::npos) << lines;
  EXPECT_NE(lines.find("the list says " + list.entries[0].fingerprint), std::string::npos);
  KnownFile any = list;
  any.entries[0].fingerprint = "any";
  EXPECT_EQ(problem({target(ties_, "mine", "ok out=7")}, any), "");
}

TEST_F(Known, AWrongCountClosesIt) {
  KnownFile list = list_for({target(ties_)});
  list.entries[0].matches = 3;
  EXPECT_EQ(problem({target(ties_)}, list),
            "mine: quantize/ties/*: matches 2 cases, the list says 3\n");
  // A case that is not asked any more is none.
  list.entries[0].matches = 2;
  TargetResult less = target({"quantize/ties/int8"});
  less.cases[2].verdict = CaseVerdict::kSkip;
  const std::string lines = problem({less}, list);
  EXPECT_NE(lines.find("matches 1 cases, the list says 2"), std::string::npos) << lines;
}

TEST_F(Known, AnExpiredEntryClosesIt) {
  KnownFile list = list_for({target(ties_)});
  list.entries[0].expires = kToday;
  EXPECT_EQ(problem({target(ties_)}, list), "") << "the last day counts";
  EXPECT_EQ(problem({target(ties_)}, list, kLater), "quantize/ties/*: expired after 2026-08-15\n");
}

TEST_F(Known, AnUnmatchedEntryClosesIt) {
  KnownFile list = list_for({target(ties_)});
  list.entries[0].patterns = {"quantize/none/*"};
  EXPECT_EQ(problems({target({})}, list),
            std::vector<std::string>{"mine: quantize/none/*: matches no case that was asked"});
  list.entries[0].target = "other";
  EXPECT_EQ(problem({target({})}, list),
            "quantize/none/*: no target that was run is named other\n");
}

TEST_F(Known, TwoEntriesForOneCaseCloseIt) {
  KnownFile list = list_for({target(ties_)});
  list.entries.push_back(list.entries[0]);
  list.entries[0].line = 3;
  list.entries[1].line = 9;
  const std::string lines = problem({target(ties_)}, list);
  EXPECT_NE(
      lines.find("(line 9): quantize/ties/int8 is listed by quantize/ties/* (line 3) as well"),
      std::string::npos)
      << lines;
}

TEST_F(Known, NoVerdictDependsOnIt) {
  const std::vector<TargetResult> targets = {target(ties_)};
  const KnownGate gate = check_known(suite_, targets, "l", list_for(targets).entries, kToday);
  EXPECT_TRUE(gate.problems.empty());
  EXPECT_EQ(targets[0].verdict, TargetVerdict::kNonConformant);
  ASSERT_NE(gate.entry_of(0, targets[0].requirements[0]), nullptr);
  EXPECT_EQ(gate.entry_of(0, std::size_t{0}), nullptr);
  EXPECT_EQ(gate.entry_of(1, std::size_t{1}), nullptr);
}

// --- Updating

TEST_F(Known, WhatPeopleWroteStays) {
  KnownFile list = list_for({target(ties_)});
  list.header = "# Ours.\n";
  list.entries[0].target = "m*";
  list.entries[0].reason = "they round ties to even";
  list.entries[0].note = "until 3.0";
  list.entries[0].link = "https://tracker.example/1";
  list.entries[0].expires = kLater;
  // The same cases, wrong in another way.
  const std::vector<TargetResult> other = {target(ties_, "mine", "ok out=7")};
  const KnownFile renewed = updated_list(suite_, other, list, kToday);
  ASSERT_EQ(renewed.entries.size(), 1u);
  const KnownDeviation& entry = renewed.entries[0];
  EXPECT_EQ(renewed.header, "# Ours.\n");
  EXPECT_EQ(entry.target, "m*");
  EXPECT_EQ(entry.reason, "they round ties to even");
  EXPECT_EQ(entry.note, "until 3.0");
  EXPECT_EQ(entry.link, "https://tracker.example/1");
  EXPECT_EQ(entry.expires, kLater);
  EXPECT_NE(entry.fingerprint, list.entries[0].fingerprint);
  EXPECT_EQ(problem(other, renewed), "");
}

TEST_F(Known, AnExpiredEntryIsNotRenewedByItself) {
  KnownFile list = list_for({target(ties_)});
  list.entries[0].expires = Day{year{2026}, August, day{1}};
  const KnownFile renewed = updated_list(suite_, {target(ties_)}, list, kToday);
  EXPECT_EQ(problem({target(ties_)}, renewed), "quantize/ties/*: expired after 2026-08-01\n");
}

TEST_F(Known, EntriesShrinkAndGo) {
  const KnownFile list = list_for({target(ties_)});
  const KnownFile less = updated_list(suite_, {target({"quantize/ties/int8"})}, list, kToday);
  ASSERT_EQ(less.entries.size(), 1u);
  EXPECT_EQ(less.entries[0].patterns, std::vector<std::string>{"quantize/ties/int8"});
  EXPECT_EQ(less.entries[0].matches, 1u);
  EXPECT_TRUE(updated_list(suite_, {target({})}, list, kToday).entries.empty());
}

TEST_F(Known, ATargetThatWasNotRunKeepsItsEntries) {
  KnownFile list = list_for({target(ties_, "other")});
  const KnownFile renewed = updated_list(suite_, {target({"encode/a"})}, list, kToday);
  ASSERT_EQ(renewed.entries.size(), 2u);
  EXPECT_EQ(renewed.entries[0].target, "other");
}

TEST_F(Known, OneEntryForTwoTargetsBecomesTwoWhereTheyDiffer) {
  KnownFile list = list_for({target(ties_, "a")});
  list.entries[0].target = "[ab]";
  list.entries[0].reason = "because";
  const std::vector<TargetResult> alike = {target(ties_, "a"), target(ties_, "b")};
  EXPECT_EQ(problem(alike, list), "");
  EXPECT_EQ(updated_list(suite_, alike, list, kToday).entries.size(), 1u);
  const std::vector<TargetResult> unlike = {target(ties_, "a"), target({ties_[0]}, "b")};
  const KnownFile two = updated_list(suite_, unlike, list, kToday);
  ASSERT_EQ(two.entries.size(), 2u);
  EXPECT_EQ(two.entries[1].reason, "because");
  EXPECT_EQ(problem(unlike, two), "");
}

TEST_F(Known, NamesWithMeaningForGlobsAreTakenAsTheyAre) {
  suite_.cases[1].name = "quantize/ties/[8]*";
  suite_.cases[2].name = "quantize/ties/uint8";
  const std::vector<TargetResult> targets = {target({"quantize/ties/[8]*"}, "my[1]*?\\")};
  const KnownFile list = list_for(targets);
  EXPECT_EQ(list.entries.at(0).patterns.at(0), "quantize/ties/\\[8]\\*");
  EXPECT_EQ(problem(targets, read_known_text("l", known_toml(list))), "");
}

// --- Fingerprints

std::uint64_t fingerprint(const std::string& body, Outcome outcome = Outcome::kValue) {
  const Reply reply{outcome, body, "detail"};
  return fingerprint_of({&reply, 1});
}

TEST(Fingerprint, IsOfWhatWasAnsweredAndNotOfHow) {
  EXPECT_EQ(fingerprint("ok out=0A"), fingerprint("ok out=0a"));
  EXPECT_EQ(fingerprint("reject because of this"), fingerprint("reject because of that"));
  EXPECT_NE(fingerprint("ok out=0a"), fingerprint("ok out=0b"));
  EXPECT_NE(fingerprint("ok out=0a"), fingerprint("ok b=1 out=0a"));
  EXPECT_NE(fingerprint("reject"), fingerprint("unsupported"));
  EXPECT_NE(fingerprint("", Outcome::kCrashed), fingerprint("", Outcome::kTimedOut));
  EXPECT_EQ(fingerprint("half an ans", Outcome::kCrashed), fingerprint("", Outcome::kCrashed));
}

TEST(Fingerprint, IsTheSameEverywhere) {
  // Written down once, from `printf` of its parts through sha256sum: 5:value1:03:out2:0a.
  EXPECT_EQ(fingerprint_text(0xabcull), "0000000000000abc");
  EXPECT_EQ(fingerprint_text(fingerprint("ok out=0a")), "bf958a7d749f3fbc");
}

}  // namespace
}  // namespace hurray::conformance
