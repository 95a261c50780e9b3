// SPDX-License-Identifier: Apache-2.0
//
// Does a list of meant verdicts notice every way in which a target can turn out otherwise? Results
// made by hand.

#include "conformance/runner/expectation.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace hurray::conformance {
namespace {

class Expectations : public testing::Test {
 protected:
  // A target with a row of each verdict that matters.
  TargetResult result(const std::string& name, TargetVerdict verdict,
                      std::optional<std::string> reason = {}) const {
    TargetResult target;
    target.attachment.name = name;
    target.verdict = verdict;
    target.requirements = {{&violated_, RequirementVerdict::kViolated, 1, {}},
                           {&held_, RequirementVerdict::kConforms, 1, {}},
                           {&warned_, RequirementVerdict::kWarned, 1, {}},
                           {&unasked_, RequirementVerdict::kNotRun, 0, {}}};
    if (reason) target.broken = Broken{*reason, "its last words"};
    return target;
  }

  static MeantTarget meant(const std::string& name, const std::string& verdict,
                           std::vector<std::string> violates = {}, const std::string& reason = {}) {
    return {name, "builtin:" + name, verdict, std::move(violates), reason, {}};
  }

  // The lines, one after another.
  static std::string unmet(const std::vector<MeantTarget>& meant,
                           const std::vector<TargetResult>& results) {
    std::string lines;
    for (const std::string& each : unmet_expectations(meant, results)) lines += each + "\n";
    return lines;
  }

 private:
  static Requirement row(const std::string& id) {
    Requirement requirement;
    requirement.id = id;
    return requirement;
  }
  Requirement violated_ = row("XX-A-001"), held_ = row("XX-A-002"), warned_ = row("XX-A-003"),
              unasked_ = row("XX-A-004");
};

TEST_F(Expectations, EverythingAsMeantIsNoDifference) {
  EXPECT_EQ(unmet({meant("good", "conformant"), meant("bad", "non-conformant", {"XX-A-001"}),
                   meant("liar", "broken", {}, "does not answer")},
                  {result("liar", TargetVerdict::kBroken, "it does not answer at all"),
                   result("good", TargetVerdict::kConformant),
                   result("bad", TargetVerdict::kNonConformant)}),
            "");
  EXPECT_EQ(unmet({}, {}), "");
}

TEST_F(Expectations, FurtherViolationsAreNone) {
  // PORTING.md: the list names what must be found, not all that may be.
  EXPECT_EQ(unmet({meant("bad", "non-conformant")}, {result("bad", TargetVerdict::kNonConformant)}),
            "");
}

TEST_F(Expectations, WhatWasNotRunOrNotJudgedIsNone) {
  // `--target` and `--select` leave something out of every list.
  EXPECT_EQ(unmet({meant("gone", "conformant"), meant("good", "conformant"),
                   meant("unasked", "non-conformant", {"XX-A-002"}, "does not answer")},
                  {result("unasked", TargetVerdict::kNotJudged),
                   result("good", TargetVerdict::kConformant)}),
            "");
  EXPECT_EQ(unmet({meant("bad", "non-conformant", {"XX-A-001", "XX-A-004"})},
                  {result("bad", TargetVerdict::kNonConformant)}),
            "");
  // Nothing was asked that it is meant to do wrong, so it can only look right.
  EXPECT_EQ(unmet({meant("bad", "non-conformant", {"XX-A-004"})},
                  {result("bad", TargetVerdict::kConformant)}),
            "");
  EXPECT_EQ(unmet({meant("bad", "non-conformant", {"XX-A-001", "XX-A-004"})},
                  {result("bad", TargetVerdict::kConformant)}),
            "bad: meant to be non-conformant, is conformant\n");
}

TEST_F(Expectations, ATargetThatIsNotListedIsOne) {
  EXPECT_EQ(unmet({meant("good", "conformant")}, {result("good", TargetVerdict::kConformant),
                                                  result("new", TargetVerdict::kConformant)}),
            "new: not in the list of --expect\n");
}

TEST_F(Expectations, AnotherVerdictIsOneInEitherDirection) {
  EXPECT_EQ(unmet({meant("it", "conformant")}, {result("it", TargetVerdict::kNonConformant)}),
            "it: meant to be conformant, is non-conformant\n");
  // An unexpected pass is as bad: the fault is no longer seen.
  EXPECT_EQ(unmet({meant("it", "non-conformant")}, {result("it", TargetVerdict::kConformant)}),
            "it: meant to be non-conformant, is conformant\n");
  EXPECT_EQ(unmet({meant("it", "broken")}, {result("it", TargetVerdict::kConformant)}),
            "it: meant to be broken, is conformant\n");
}

TEST_F(Expectations, ABreakageComesWithItsReason) {
  EXPECT_EQ(unmet({meant("it", "conformant")}, {result("it", TargetVerdict::kBroken, "it died")}),
            "it: meant to be conformant, is broken (it died)\n");
}

TEST_F(Expectations, AViolationThatIsMissedIsNamed) {
  // Held and warned of: neither is violated. A typing mistake in a list must not go unnoticed.
  EXPECT_EQ(
      unmet({meant("bad", "non-conformant", {"XX-A-001", "XX-A-002", "XX-A-003", "XX-A-999"})},
            {result("bad", TargetVerdict::kNonConformant)}),
      "bad: meant to violate XX-A-002, does not\n"
      "bad: meant to violate XX-A-003, does not\n"
      "bad: meant to violate XX-A-999, which is no requirement\n");
}

TEST_F(Expectations, AnotherReasonForABreakageIsOne) {
  EXPECT_EQ(unmet({meant("liar", "broken", {}, "does not answer")},
                  {result("liar", TargetVerdict::kBroken, "exited with status 3")}),
            "liar: meant to be broken because of `does not answer`, the reason is `exited with "
            "status 3`\n");
}

TEST_F(Expectations, AReasonIsMissedWhereNothingIsBroken) {
  EXPECT_EQ(unmet({meant("liar", "broken", {}, "does not answer")},
                  {result("liar", TargetVerdict::kConformant)}),
            "liar: meant to be broken, is conformant\n"
            "liar: meant to be broken because of `does not answer`, the reason is `none`\n");
}

TEST_F(Expectations, EveryDifferenceHasItsLine) {
  EXPECT_EQ(unmet({meant("a", "conformant"), meant("b", "non-conformant", {"XX-A-002"})},
                  {result("c", TargetVerdict::kConformant), result("b", TargetVerdict::kBroken)}),
            "b: meant to be non-conformant, is broken\n"
            "b: meant to violate XX-A-002, does not\n"
            "c: not in the list of --expect\n");
}

// --- Candidates

TEST(Candidates, PlaceholdersStandForFoldersAndStayInReports) {
  // Reports must not depend on where the checkout stands, and still be pasted from.
  const std::vector<Candidate> candidates =
      candidates_of({{"it", "exec:{here}/adapter {here}/{bin}/program", "conformant", {}, {}, {}}},
                    "/some/folder/list.toml", {});
  ASSERT_EQ(candidates.size(), 1u);
  const Attachment& attachment = candidates[0].attachment;
  EXPECT_EQ(attachment.name, "it");
  EXPECT_EQ(attachment.text, "exec:{here}/adapter {here}/{bin}/program");
  const std::string bin =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  EXPECT_EQ(attachment.runnable, "exec:/some/folder/adapter /some/folder/" + bin + "/program");
  ASSERT_EQ(attachment.command.argv.size(), 3u);
  EXPECT_EQ(attachment.command.argv[2], "/some/folder/adapter /some/folder/" + bin + "/program");
}

TEST(Candidates, AListMayGiveATargetItsOwnTime) {
  const std::vector<Candidate> candidates = candidates_of(
      {{"slow", "exec:true", "broken", {}, {}, 500}, {"it", "exec:true", "broken", {}, {}, {}}},
      "list.toml", {7000, 64});
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_EQ(candidates[0].limits.timeout_ms, 500);
  EXPECT_EQ(candidates[0].limits.memory_mib, 64u);
  EXPECT_EQ(candidates[1].limits.timeout_ms, 7000);
}

TEST(Candidates, WhatAMachineLacksIsLeftOutIfTheListSaysWhatItNeeds) {
  MeantTarget elsewhere{"vector", "builtin:no-such-target", "conformant", {}, {}, {}};
  EXPECT_THROW(candidates_of({elsewhere}, "list.toml", {}), UsageError);
  elsewhere.needs = "a processor of another kind";
  EXPECT_FALSE(is_here(elsewhere));
  EXPECT_TRUE(candidates_of({elsewhere}, "list.toml", {}).empty());
  elsewhere.attachment = "lib:{bin}/no/such/library.so";
  EXPECT_FALSE(is_here(elsewhere));
  elsewhere.attachment = "builtin:scalar";
  EXPECT_TRUE(is_here(elsewhere));
  EXPECT_EQ(candidates_of({elsewhere}, "list.toml", {}).size(), 1u);
}

TEST(Candidates, AnAttachmentThatCannotBeMeantIsAUsageError) {
  EXPECT_THROW(candidates_of({{"it", "telnet:host", "broken", {}, {}, {}}}, "list.toml", {}),
               UsageError);
}

}  // namespace
}  // namespace hurray::conformance
