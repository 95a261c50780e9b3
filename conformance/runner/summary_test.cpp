// SPDX-License-Identifier: Apache-2.0
//
// What follows from the verdicts of cases for requirements and for the target? A suite of a few
// rows and cases, with results made by hand.

#include <gtest/gtest.h>

#include "conformance/runner/run.h"

namespace hurray::conformance {
namespace {

class Summary : public testing::Test {
 protected:
  // Adds a case and returns its index.
  std::size_t add_case(const std::string& name) {
    suite_.cases.push_back({name, "why", {{"decode type=10 bytes=", {}}}, {}});
    return suite_.cases.size() - 1;
  }
  void add_row(const std::string& id, const std::string& level, std::vector<std::size_t> cases) {
    Requirement row;
    row.id = id;
    row.level = level;
    row.cases = std::move(cases);
    suite_.requirements.push_back(std::move(row));
  }

  static CaseResult result(CaseVerdict verdict, Shows shows = {},
                           Outcome outcome = Outcome::kValue) {
    CaseResult each;
    each.verdict = verdict;
    each.outcome = outcome;
    each.shows = std::move(shows);
    return each;
  }

  TargetResult sum(std::vector<CaseResult> cases, bool strict = false) {
    TargetResult target;
    target.claims = Claims{};
    target.cases = std::move(cases);
    sum_up(suite_, strict, target);
    EXPECT_EQ(target.requirements.size(), suite_.requirements.size());
    return target;
  }

  // Verdict of the only row, of one case, at a level.
  std::string_view verdict(const std::string& level, CaseVerdict of_case, bool strict = false) {
    suite_ = {};
    add_row("XX-A-001", level, {add_case("a/0")});
    return name_of(sum({result(of_case)}, strict).requirements[0].verdict);
  }

  Suite suite_;
};

// --- Requirements

TEST_F(Summary, GatingRowsAreViolatedByAFailure) {
  for (const char* level :
       {"MUST", "MUST NOT", "(implied)", "(recipe)", "(derived)", "(example)"}) {
    EXPECT_EQ(verdict(level, CaseVerdict::kFail), "violated") << level;
    EXPECT_EQ(verdict(level, CaseVerdict::kPass), "conforms") << level;
  }
}

TEST_F(Summary, AShouldWarnsWhereAMustIsViolated) {
  EXPECT_EQ(verdict("SHOULD", CaseVerdict::kFail), "warned");
  EXPECT_EQ(verdict("SHOULD", CaseVerdict::kPass), "conforms");
}

TEST_F(Summary, OtherLevelsAreRecorded) {
  for (const char* level : {"MAY", "(silent)", "(note)", "impl"}) {
    EXPECT_EQ(verdict(level, CaseVerdict::kFail), "recorded") << level;
  }
}

TEST_F(Summary, AWarningWarnsAndUnderStrictViolates) {
  EXPECT_EQ(verdict("MUST", CaseVerdict::kWarn), "warned");
  EXPECT_EQ(verdict("MUST", CaseVerdict::kWarn, true), "violated");
  // Strictness does not turn advice into law.
  EXPECT_EQ(verdict("SHOULD", CaseVerdict::kWarn, true), "warned");
  EXPECT_EQ(verdict("SHOULD", CaseVerdict::kFail, true), "warned");
}

TEST_F(Summary, ARecordIsNoFault) {
  EXPECT_EQ(verdict("MUST", CaseVerdict::kRecord, true), "conforms");
}

TEST_F(Summary, SkippedRowsAreNotClaimedAndUnaskedOnesNotRun) {
  EXPECT_EQ(verdict("MUST", CaseVerdict::kSkip), "not claimed");
  EXPECT_EQ(verdict("MUST", CaseVerdict::kNotRun), "not run");
}

TEST_F(Summary, OneAskedCaseDecidesAmongSkippedOnes) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1"), add_case("a/2")});
  const TargetResult target =
      sum({result(CaseVerdict::kSkip), result(CaseVerdict::kPass), result(CaseVerdict::kNotRun)});
  EXPECT_EQ(name_of(target.requirements[0].verdict), "conforms");
  EXPECT_EQ(target.requirements[0].asked, 1u);
}

TEST_F(Summary, TheWorstCaseDecidesAndAllFailingOnesAreListedInOrder) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1"), add_case("a/2"), add_case("a/3")});
  const TargetResult target = sum({result(CaseVerdict::kPass), result(CaseVerdict::kWarn),
                                   result(CaseVerdict::kFail), result(CaseVerdict::kSkip)});
  EXPECT_EQ(name_of(target.requirements[0].verdict), "violated");
  EXPECT_EQ(target.requirements[0].failed, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(target.requirements[0].asked, 3u);
}

TEST_F(Summary, ACaseCountsForEveryRowThatListsIt) {
  const std::size_t shared = add_case("a/0");
  add_row("XX-A-001", "MUST", {shared});
  add_row("XX-A-002", "SHOULD", {shared});
  add_row("XX-A-003", "MAY", {shared});
  const TargetResult target = sum({result(CaseVerdict::kFail)});
  EXPECT_EQ(name_of(target.requirements[0].verdict), "violated");
  EXPECT_EQ(name_of(target.requirements[1].verdict), "warned");
  EXPECT_EQ(name_of(target.requirements[2].verdict), "recorded");
}

TEST_F(Summary, RowsWithoutCasesSayWhichReasonTheyHave) {
  add_row("XX-A-000", "MUST", {add_case("a/0")});
  add_row("XX-A-001", "MUST", {});
  add_row("XX-A-002", "impl", {});
  add_row("XX-A-003", "MUST", {});
  suite_.requirements[1].not_testable = "nobody can see it";
  suite_.requirements[2].one_implementation = true;
  suite_.requirements[3].compile_test = "compile_test.py";
  const TargetResult target = sum({result(CaseVerdict::kPass)});
  EXPECT_EQ(name_of(target.requirements[1].verdict), "not testable");
  EXPECT_EQ(name_of(target.requirements[2].verdict), "one implementation");
  EXPECT_EQ(name_of(target.requirements[3].verdict), "compile test");
  EXPECT_EQ(name_of(target.verdict), "conformant");
}

// --- Targets

TEST_F(Summary, ATargetConformsIfNoGatingRowIsViolated) {
  add_row("XX-A-001", "MUST", {add_case("a/0")});
  add_row("XX-A-002", "SHOULD", {add_case("a/1")});
  add_row("XX-A-003", "MAY", {add_case("a/2")});
  EXPECT_EQ(name_of(sum({result(CaseVerdict::kWarn), result(CaseVerdict::kFail),
                         result(CaseVerdict::kFail)})
                        .verdict),
            "conformant");
  EXPECT_EQ(name_of(sum({result(CaseVerdict::kFail), result(CaseVerdict::kPass),
                         result(CaseVerdict::kPass)})
                        .verdict),
            "non-conformant");
  EXPECT_EQ(name_of(sum({result(CaseVerdict::kWarn), result(CaseVerdict::kPass),
                         result(CaseVerdict::kPass)},
                        true)
                        .verdict),
            "non-conformant");
}

TEST_F(Summary, ATargetThatWasAskedNothingIsNotJudged) {
  // Silence must not look like conformance.
  add_row("XX-A-001", "MUST", {add_case("a/0")});
  for (const CaseVerdict each : {CaseVerdict::kSkip, CaseVerdict::kNotRun}) {
    const TargetResult target = sum({result(each)});
    EXPECT_EQ(name_of(target.verdict), "not judged");
  }
}

TEST_F(Summary, ATargetOfAStoppedRunIsNotJudgedUnlessItViolatesSomething) {
  // Neither conformant nor broken: nobody looked.
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const auto verdict = [&](CaseVerdict first) {
    TargetResult target;
    target.claims = Claims{};
    target.cases = {result(first), result(CaseVerdict::kNotRun)};
    target.was_stopped = true;
    sum_up(suite_, false, target);
    return std::string(name_of(target.verdict));
  };
  EXPECT_EQ(verdict(CaseVerdict::kNotRun), "not judged");
  EXPECT_EQ(verdict(CaseVerdict::kPass), "not judged");
  EXPECT_EQ(verdict(CaseVerdict::kFail), "non-conformant");
}

TEST_F(Summary, AFailureSpeaksAgainstTheRequirementsThatAreAboutItsClass) {
  // A wrong code in a case of two rows does not tell that the input was changed.
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  add_row("XX-A-002", "MUST", {0, 1});
  suite_.requirements[1].classes = {"changes-input"};
  const auto failing = [&](const char* failure_class) {
    CaseResult each = result(CaseVerdict::kFail);
    each.failure = Failure{};
    each.failure->failure_class = failure_class;
    return each;
  };
  const TargetResult other = sum({result(CaseVerdict::kPass), failing("truncation")});
  EXPECT_EQ(name_of(other.requirements[0].verdict), "violated");
  EXPECT_EQ(name_of(other.requirements[1].verdict), "conforms");
  const TargetResult its_own = sum({result(CaseVerdict::kPass), failing("changes-input")});
  EXPECT_EQ(name_of(its_own.requirements[0].verdict), "conforms");
  EXPECT_EQ(name_of(its_own.requirements[1].verdict), "violated");
}

TEST_F(Summary, AFailureThatNoGatingRequirementIsAboutSpeaksAgainstAll) {
  // Else it would be lost.
  add_row("XX-A-001", "MUST", {add_case("a/0")});
  suite_.requirements[0].classes = {"changes-input"};
  CaseResult each = result(CaseVerdict::kFail);
  each.failure = Failure{};
  each.failure->failure_class = "truncation";
  EXPECT_EQ(name_of(sum({each}).verdict), "non-conformant");
}

TEST_F(Summary, APlainMistakeStandsBeforeAContradiction) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const auto failing = [&](const char* failure_class) {
    CaseResult each = result(CaseVerdict::kFail);
    each.failure = Failure{};
    each.failure->failure_class = failure_class;
    return each;
  };
  EXPECT_EQ(sum({failing("inconsistent"), failing("truncation")}).requirements[0].failed,
            (std::vector<std::size_t>{1, 0}));
}

TEST_F(Summary, ATargetThatFellSilentAfterAnswersIsWrongAndNotBroken) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  for (const bool after_answers : {true, false}) {
    TargetResult target;
    target.claims = Claims{};
    target.broken = Broken{"gave up", {}, after_answers};
    target.cases = {result(CaseVerdict::kFail), result(CaseVerdict::kNotRun)};
    sum_up(suite_, false, target);
    EXPECT_EQ(name_of(target.verdict), after_answers ? "non-conformant" : "broken");
  }
}

TEST_F(Summary, ANanThatBecomesOneAndTheSameCodeIsConsistent) {
  // R01: any value of the type will do, also one that is the zero point by chance.
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const TargetResult constant =
      sum({result(CaseVerdict::kPass, {{"nan-input(int8)", {"code 3", "zero-point"}}}),
           result(CaseVerdict::kPass, {{"nan-input(int8)", {"code 3"}}})});
  EXPECT_EQ(name_of(constant.verdict), "conformant");
  EXPECT_EQ(constant.behaviours.at("nan-input"), "code 3");
  const TargetResult two = sum({result(CaseVerdict::kPass, {{"nan-input(int8)", {"code 3"}}}),
                                result(CaseVerdict::kPass, {{"nan-input(int8)", {"code 4"}}})});
  EXPECT_EQ(name_of(two.verdict), "non-conformant");
}

TEST_F(Summary, ATargetWithAGarbledAnswerIsBroken) {
  // The adapter is at fault, and who knows what else it mangles.
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const TargetResult target =
      sum({result(CaseVerdict::kPass), result(CaseVerdict::kFail, {}, Outcome::kGarbled)});
  EXPECT_EQ(name_of(target.verdict), "broken");
  EXPECT_EQ(name_of(target.requirements[0].verdict), "violated");
}

TEST_F(Summary, AReasonThatIsKnownAlreadyStays) {
  add_row("XX-A-001", "MUST", {add_case("a/0")});
  TargetResult target;
  target.broken = Broken{"never started", {}};
  target.cases = {result(CaseVerdict::kNotRun)};
  sum_up(suite_, false, target);
  EXPECT_EQ(target.broken->reason, "never started");
  EXPECT_EQ(name_of(target.verdict), "broken");
}

// --- Behaviours

TEST_F(Summary, ABehaviourIsNarrowedByEveryCase) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1"), add_case("a/2")});
  const TargetResult target =
      sum({result(CaseVerdict::kPass, {{"subnormals", {"flush", "flush-operands", "gradual"}}}),
           result(CaseVerdict::kPass, {{"subnormals", {"flush", "flush-operands"}}}),
           result(CaseVerdict::kPass, {{"subnormals", {"flush-operands", "gradual"}}})});
  EXPECT_EQ(target.behaviours.at("subnormals"), "flush-operands");
  EXPECT_EQ(name_of(target.verdict), "conformant");
}

TEST_F(Summary, TwoOptionsOfOneBehaviourFailAndThePairIsNamed) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1"), add_case("a/2")});
  const TargetResult target = sum({result(CaseVerdict::kPass, {{"int32-difference", {"wrap"}}}),
                                   result(CaseVerdict::kPass, {{"int32-difference", {"widen"}}}),
                                   result(CaseVerdict::kPass, {{"int32-difference", {"wrap"}}})});
  EXPECT_EQ(name_of(target.verdict), "non-conformant");
  EXPECT_EQ(target.requirements[0].failed, std::vector<std::size_t>{1});
  const Failure& failure = *target.cases[1].failure;
  EXPECT_EQ(failure.failure_class, "inconsistent");
  EXPECT_EQ(failure.expected, "int32-difference = wrap as in the case a/0");
  EXPECT_EQ(failure.got, "int32-difference = widen");
}

TEST_F(Summary, TheCaseThatNarrowedLastIsTheOneThatIsNamed) {
  // a/0 allows both; it is a/1 that the third contradicts.
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1"), add_case("a/2")});
  const TargetResult target =
      sum({result(CaseVerdict::kPass, {{"quotient", {"binary32", "exact"}}}),
           result(CaseVerdict::kPass, {{"quotient", {"exact"}}}),
           result(CaseVerdict::kPass, {{"quotient", {"binary32"}}})});
  EXPECT_NE(target.cases[2].failure->expected.find("a/1"), std::string::npos);
}

TEST_F(Summary, WhatAFailedCaseShowsDoesNotCount) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const TargetResult target = sum({result(CaseVerdict::kFail, {{"quotient", {"exact"}}}),
                                   result(CaseVerdict::kPass, {{"quotient", {"binary32"}}})});
  EXPECT_EQ(target.requirements[0].failed, std::vector<std::size_t>{0});
  EXPECT_EQ(target.behaviours.at("quotient"), "binary32");
}

TEST_F(Summary, BehavioursThatAreOnlyRecordedMayDiffer) {
  for (const char* behaviour :
       {"dequantize-bad-scale", "infinite-scale", "null-and-bad-scale", "quantize-negative-scale",
        "quantize-zero-point-range", "rounding-mode"}) {
    suite_ = {};
    add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
    const TargetResult target = sum({result(CaseVerdict::kPass, {{behaviour, {"one"}}}),
                                     result(CaseVerdict::kPass, {{behaviour, {"other"}}})});
    EXPECT_EQ(name_of(target.verdict), "conformant") << behaviour;
    EXPECT_EQ(target.behaviours.at(behaviour), "one|other");
  }
}

TEST_F(Summary, EveryOtherBehaviourMustBeConsistent) {
  for (const char* behaviour :
       {"int32-difference", "uint32-codes", "longer-section", "quotient", "nan-input(int8)",
        "subnormals", "null-with-count-0", "bad-scale-with-count-0"}) {
    suite_ = {};
    add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
    const TargetResult target = sum({result(CaseVerdict::kPass, {{behaviour, {"one"}}}),
                                     result(CaseVerdict::kPass, {{behaviour, {"other"}}})});
    EXPECT_EQ(name_of(target.verdict), "non-conformant") << behaviour;
  }
}

TEST_F(Summary, NansOfFunctionsThatAgreeAreOneLine) {
  add_row("XX-A-001", "MUST", {add_case("a/0"), add_case("a/1")});
  const TargetResult same =
      sum({result(CaseVerdict::kPass, {{"nan-input(int8)", {"zero", "zero-point"}}}),
           result(CaseVerdict::kPass, {{"nan-input(uint8)", {"zero"}}})});
  EXPECT_EQ(same.behaviours, (std::map<std::string, std::string>{{"nan-input", "zero"}}));
  // One function need not treat NaN as another does.
  const TargetResult different =
      sum({result(CaseVerdict::kPass, {{"nan-input(int8)", {"qmax"}}}),
           result(CaseVerdict::kPass, {{"nan-input(uint8)", {"zero"}}})});
  EXPECT_EQ(name_of(different.verdict), "conformant");
  EXPECT_EQ(different.behaviours.size(), 2u);
}

}  // namespace
}  // namespace hurray::conformance
