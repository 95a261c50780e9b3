// SPDX-License-Identifier: Apache-2.0
//
// Does the zoo tell apart what is caught, what is not, and what only something else catches?

#include "conformance/runner/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hurray::conformance {
namespace {

const Suite& suite() {
  static const Suite loaded = load_suite();
  return loaded;
}

Fault fault(const std::string& attachment, const std::string& requirement,
            const std::set<std::string>& replaced) {
  return {attachment, {requirement}, "wrong on purpose",
          replaced,   false,         parse_attachment(attachment)};
}

// Sanitizers reserve more memory than any limit, and take their time.
ZooOptions options(const std::string& select) { return {select, 1, {60'000, 0}, {}}; }

Matrix judged(std::vector<Fault> faults, const std::string& select = "*") {
  Zoo zoo;
  zoo.faults = std::move(faults);
  return judge_zoo(suite(), zoo, options(select));
}

const Fault kUnchecked = fault("builtin:fault-zero-point-unchecked", "HQ-PTA-011", {"decode"});

TEST(FamilyOf, IsWhatStandsBeforeTheSecondSlash) {
  EXPECT_EQ(family_of("decode/header/golden"), "decode/header");
  EXPECT_EQ(family_of("quantize/ties/int8/scale-1/part-2"), "quantize/ties");
  EXPECT_EQ(family_of("golden"), "golden");
  EXPECT_EQ(family_of("decode/golden"), "decode/golden");
}

TEST(Zoo, TheTableIsReadWhole) {
  const Zoo zoo = load_zoo();
  EXPECT_GE(zoo.faults.size(), 150u);
  EXPECT_FALSE(zoo.retired.empty());
  for (const Fault& each : zoo.faults) {
    EXPECT_FALSE(each.replaced.empty()) << each.id;
    EXPECT_FALSE(each.requirements.empty()) << each.id;
  }
}

TEST(Zoo, AFaultIsCaughtByTheRequirementThatItViolates) {
  const Matrix matrix = judged({kUnchecked});
  const FaultOutcome& outcome = matrix.faults.front();
  EXPECT_TRUE(outcome.is_caught());
  EXPECT_EQ(outcome.caught_by(), "HQ-PTA-011");
  EXPECT_GT(outcome.cases, 10u);
  EXPECT_TRUE(outcome.families.contains("decode/zero-points-outside"));
  EXPECT_EQ(matrix.caught, 1u);
  EXPECT_TRUE(matrix.problems.empty());
  const FamilyCoverage& family = matrix.families.at("decode/zero-points-outside");
  EXPECT_EQ(family.catches.size(), 1u);
  EXPECT_TRUE(family.alone.empty()) << "other families catch it too";
}

TEST(Zoo, WhatIsNoFaultIsAProblem) {
  const Matrix matrix = judged({fault("builtin:scalar", "HQ-PTA-011", {"decode"})});
  EXPECT_FALSE(matrix.faults.front().is_caught());
  EXPECT_EQ(matrix.faults.front().caught_by(), "");
  EXPECT_EQ(matrix.caught, 0u);
  ASSERT_EQ(matrix.problems.size(), 1u);
  EXPECT_NE(matrix.problems[0].find("is not caught; meant to violate HQ-PTA-011"),
            std::string::npos);
}

TEST(Zoo, ToBeCaughtBySomethingElseIsAProblem) {
  const Matrix matrix =
      judged({fault("builtin:fault-zero-point-unchecked", "HQ-PTA-005", {"decode"})});
  EXPECT_FALSE(matrix.faults.front().is_caught());
  EXPECT_EQ(matrix.faults.front().caught_by(), matrix.faults.front().violated.front());
  ASSERT_EQ(matrix.problems.size(), 1u);
  EXPECT_NE(matrix.problems[0].find("is meant to violate HQ-PTA-005, and is caught by "),
            std::string::npos);
}

TEST(Zoo, WhatCannotBeStartedIsAProblem) {
  const Matrix matrix = judged({fault("exec:/no/such/fault", "HQ-PTA-011", {"all"})});
  ASSERT_EQ(matrix.problems.size(), 1u);
  EXPECT_NE(matrix.problems[0].find("cannot be judged"), std::string::npos);
}

TEST(Zoo, OnlyCasesOfWhatIsReplacedAreAsked) {
  const auto failed_cases = [](const std::string& replaced) {
    return judged({fault("builtin:fault-zero-point-unchecked", "HQ-PTA-011", {replaced})})
        .faults.front()
        .cases;
  };
  EXPECT_EQ(failed_cases("quantize"), 0u);
  EXPECT_GT(failed_cases("encode"), 0u) << "cases that decode what was encoded";
  EXPECT_LT(failed_cases("encode"), failed_cases("decode"));
  EXPECT_EQ(failed_cases("decode"), failed_cases("all"));
}

TEST(Zoo, AGatingRequirementWithoutAFaultNeedsAReason) {
  Zoo zoo;
  zoo.faults = {kUnchecked};
  const auto has = [](const Matrix& matrix, const std::string& text) {
    return std::any_of(
        matrix.problems.begin(), matrix.problems.end(),
        [&](const std::string& each) { return each.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(
      has(judge_zoo(suite(), zoo, options("")), "requirement HQ-PTA-005 gates and has cases"));
  EXPECT_FALSE(has(judge_zoo(suite(), zoo, options("")), "requirement HQ-PTA-011"));
  zoo.without = {{"HQ-PTA-005", "for this test"}, {"HQ-PTA-011", "which is not so"}};
  const Matrix matrix = judge_zoo(suite(), zoo, options(""));
  EXPECT_FALSE(has(matrix, "HQ-PTA-005"));
  EXPECT_TRUE(has(matrix, "requirement HQ-PTA-011 is said to have no fault"));
}

TEST(Zoo, RowsThatNameWhatThereIsNotAreErrorsOfTheSuite) {
  EXPECT_THROW(judged({fault("builtin:scalar", "HQ-PTA-999", {"decode"})}), SuiteError);
  EXPECT_THROW(judged({kUnchecked}, "no-such-*"), UsageError);
}

TEST(Latitude, ALegalChoicePassesWithItsBehaviourAndAMixtureFailsForIt) {
  using enum VariantKind;
  Zoo zoo;
  const auto variant = [&](const std::string& name, const std::string& shows, VariantKind kind) {
    zoo.variants.push_back(
        {name, "R01", "for this test", {shows}, kind, parse_attachment("builtin:" + name)});
  };
  variant("latitude-nan-gives-highest", "nan-input=qmax", kChoice);
  variant("latitude-mixes-longer-by-length", "longer-section", kMixture);
  variant("latitude-nan-gives-highest", "nan-input=qmin", kChoice);
  variant("latitude-nan-gives-highest", "nan-input", kMixture);
  variant("fault-bias-forgotten", "longer-section", kMixture);
  variant("fault-zero-point-unchecked", "nan-input=zero_point", kChoice);
  variant("latitude-version-0-read", "longer-section=skip", kLenient);
  variant("latitude-nan-gives-highest", "nan-input=qmax", kLenient);
  const Matrix matrix = judge_zoo(suite(), zoo, options("*"));
  const auto problem = [&](std::size_t i) { return matrix.variants[i].problem; };
  EXPECT_EQ(problem(0), "");
  EXPECT_EQ(problem(1), "");
  EXPECT_NE(problem(2).find("does not show nan-input=qmin"), std::string::npos);
  EXPECT_NE(problem(3).find("is conformant; meant to fail as inconsistent"), std::string::npos);
  EXPECT_NE(problem(4).find("is non-conformant; meant to fail as inconsistent"), std::string::npos);
  EXPECT_NE(problem(5).find("HQ-PTA-011 comes out violated"), std::string::npos);
  EXPECT_EQ(problem(6), "");
  EXPECT_NE(problem(7).find("comes out without a warning"), std::string::npos);
  EXPECT_EQ(matrix.problems.size(), 5u);
}

TEST(MatrixReports, TellWhatIsMissing) {
  Zoo zoo;
  zoo.faults = {kUnchecked, fault("builtin:scalar", "HQ-PTA-005", {"decode"})};
  const Matrix matrix = judge_zoo(suite(), zoo, options("*"));
  EXPECT_NE(
      matrix_text(matrix, zoo).find("1 of 2 caught by the requirement that they violate: 50 %"),
      std::string::npos);
  const std::string json = matrix_json(suite(), matrix, zoo);
  EXPECT_NE(json.find("\"caught_by\": \"HQ-PTA-011\""), std::string::npos);
  EXPECT_NE(json.find("\"caught\": false"), std::string::npos);
  const std::string html = matrix_html(suite(), matrix, zoo);
  EXPECT_NE(html.find("<rect class=\"meant\""), std::string::npos);
  EXPECT_NE(html.find("<rect class=\"missed\""), std::string::npos);
  EXPECT_NE(html.find("50 %"), std::string::npos);
}

}  // namespace
}  // namespace hurray::conformance
