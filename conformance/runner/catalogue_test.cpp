// SPDX-License-Identifier: Apache-2.0
//
// Is the catalogue that ships complete, and is every case of it one that can be named, sent and
// looked up? Holds the files in conformance/requirements/ to the rules that no single file can
// check.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/toml_files.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

const Suite& suite() {
  static const Suite kSuite = load_suite();
  return kSuite;
}

// The requirement files block by block, before families and shares are put together.
const std::vector<RequirementBlock>& blocks() {
  static const std::vector<RequirementBlock> kBlocks = [] {
    std::vector<RequirementBlock> all;
    for (const EmbeddedFile& file : embedded_requirement_files()) {
      for (RequirementBlock& each : read_requirement_file(file.name, file.content))
        all.push_back(std::move(each));
    }
    return all;
  }();
  return kBlocks;
}

// --- Requirements

TEST(Catalogue, HoldsExactlyTheRowsOfTheTexts) {
  // A row that is lost is a rule that nobody checks; one that is added needs a range here.
  const std::pair<const char*, int> kGroups[] = {
      {"HQ-PTA", 26}, {"HQ-HDR", 32},  {"HQ-PACK", 33}, {"HQ-ZP", 15},  {"RA8-Q", 33},
      {"RA8-Z", 4},   {"HC-CALL", 11}, {"HC-QNT", 12},  {"HQ-PCA", 29}, {"HQ-PBA", 34},
      {"HQ-NF4", 17}, {"HQ-MX", 18},   {"HQ-MD", 43}};
  std::set<std::string> wanted;
  for (const auto& [group, last] : kGroups) {
    for (int number = 1; number <= last; ++number)
      wanted.insert(fmt::format("{}-{:03}", group, number));
  }
  std::set<std::string> found;
  for (const Requirement& each : suite().requirements) {
    EXPECT_TRUE(found.insert(each.id).second) << each.id << " stands twice";
  }
  EXPECT_EQ(found, wanted);
}

TEST(Catalogue, EveryRowHasCasesOrExactlyOneReason) {
  for (const Requirement& each : suite().requirements) {
    const int reasons =
        !each.not_testable.empty() + !each.compile_test.empty() + each.one_implementation;
    EXPECT_EQ(reasons, each.cases.empty() ? 1 : 0) << each.id;
    EXPECT_EQ(each.reason().empty(), !each.cases.empty()) << each.id;
  }
}

TEST(Catalogue, EveryLevelIsOneOfTheVocabulary) {
  // An unknown level would silently gate nothing.
  const std::set<std::string> kLevels = {"MUST",      "MUST NOT", "SHOULD",    "MAY",
                                         "(implied)", "(recipe)", "(derived)", "(example)",
                                         "(silent)",  "(note)",   "impl"};
  for (const Requirement& each : suite().requirements)
    EXPECT_TRUE(kLevels.contains(each.level)) << each.id << each.level;
}

TEST(Catalogue, EveryRowHasAHandWrittenCaseOrAReason) {
  // A family alone computes its expectations: nobody would have worked out one from the clause.
  for (const RequirementBlock& each : blocks()) {
    const Requirement* row = suite().find_requirement(each.requirement.id);
    ASSERT_NE(row, nullptr);
    if (!row->reason().empty()) continue;
    // A request to encode, for a size, or for no elements, has no bytes to annotate.
    const bool written = std::any_of(each.cases.begin(), each.cases.end(), [](const Case& item) {
      const std::string& request = item.steps.front().request;
      return !item.notes.empty() || request.starts_with("encode") ||
             request.starts_with("packed_bytes ") || request.find(" count=0 ") != std::string::npos;
    });
    EXPECT_TRUE(written) << each.where;
  }
}

TEST(Catalogue, TheContractOfARowIsThatOfItsName) {
  for (const Requirement& each : suite().requirements) {
    EXPECT_EQ(each.contract == Contract::kRa8, each.id.starts_with("RA8-")) << each.id;
  }
}

TEST(Catalogue, TextsAreOneSentenceEach) {
  // Reports print them in a line.
  std::map<std::pair<Contract, std::string>, std::string> seen;
  for (const Requirement& each : suite().requirements) {
    EXPECT_TRUE(each.text.ends_with('.')) << each.id;
    EXPECT_EQ(each.text.find(". "), std::string::npos) << each.id << ": " << each.text;
    EXPECT_EQ(each.text.find('\n'), std::string::npos) << each.id;
    EXPECT_LE(each.text.size(), 240u) << each.id;
    const auto [place, is_new] = seen.emplace(std::pair(each.contract, each.text), each.id);
    EXPECT_TRUE(is_new) << each.id << " says what " << place->second << " says";
  }
}

TEST(Catalogue, RulingsAreIdsWithoutRepetition) {
  for (const Requirement& each : suite().requirements) {
    EXPECT_EQ(std::set<std::string>(each.rulings.begin(), each.rulings.end()).size(),
              each.rulings.size())
        << each.id;
    for (const std::string& ruling : each.rulings) {
      const bool good = ruling.size() == 3 && (ruling[0] == 'A' || ruling[0] == 'R') &&
                        std::isdigit(static_cast<unsigned char>(ruling[1])) &&
                        std::isdigit(static_cast<unsigned char>(ruling[2]));
      EXPECT_TRUE(good) << each.id << ": " << ruling;
    }
  }
}

// --- Cases

TEST(Catalogue, CaseNamesAreUniqueSortedAndOfAStableForm) {
  // Names stand in known-deviation lists of other people; a position or a blank in one would not
  // last.
  for (std::size_t i = 0; i < suite().cases.size(); ++i) {
    const std::string& name = suite().cases[i].name;
    if (i > 0) {
      EXPECT_LT(suite().cases[i - 1].name, name);
    }
    const bool good = std::all_of(name.begin(), name.end(), [](char c) {
      return std::islower(static_cast<unsigned char>(c)) ||
             std::isdigit(static_cast<unsigned char>(c)) || c == '/' || c == '-' || c == '_';
    });
    EXPECT_TRUE(good && name.find("//") == std::string::npos && name.back() != '/' &&
                name.front() != '/')
        << name;
    EXPECT_NE(name.find('/'), std::string::npos) << name;
    EXPECT_LE(name.size(), 100u) << name;
  }
}

TEST(Catalogue, EveryCaseSaysWhy) {
  for (const Case& item : suite().cases) {
    EXPECT_FALSE(item.why.empty()) << item.name;
    EXPECT_EQ(item.why.find('\n'), std::string::npos) << item.name;
    EXPECT_FALSE(item.steps.empty()) << item.name;
  }
}

TEST(Catalogue, RequestLinesFitIntoTheShortestBuffers) {
  // Targets may leave max_line away, and take 65536 bytes then; ids come on top.
  for (const Case& item : suite().cases) {
    // Those are for whoever can take them.
    if (item.name.find("beyond-16-bits/") != std::string::npos) continue;
    for (const Step& step : item.steps) EXPECT_LE(step.request.size(), 60000u) << item.name;
  }
}

TEST(Catalogue, EveryCaseIsJudgedBySomeRequirement) {
  std::vector<bool> judged(suite().cases.size(), false);
  for (const Requirement& each : suite().requirements) {
    EXPECT_TRUE(std::is_sorted(each.cases.begin(), each.cases.end())) << each.id;
    for (const std::size_t i : each.cases) {
      ASSERT_LT(i, judged.size());
      judged[i] = true;
    }
  }
  for (std::size_t i = 0; i < judged.size(); ++i) EXPECT_TRUE(judged[i]) << suite().cases[i].name;
}

TEST(Catalogue, ACaseOfOneContractJudgesNoRowOfTheOther) {
  // A firmware target must not be held to rows of the format, nor the reverse.
  for (const Requirement& each : suite().requirements) {
    for (const std::size_t i : each.cases) {
      for (const Step& step : suite().cases[i].steps) {
        EXPECT_EQ(step.request.starts_with("ra8 "), each.contract == Contract::kRa8)
            << each.id << ": " << suite().cases[i].name;
      }
    }
  }
}

TEST(Catalogue, EveryStepHasSomethingThatPasses) {
  // A case that nobody can pass condemns everybody.
  for (const Case& item : suite().cases) {
    for (const Step& step : item.steps) {
      EXPECT_TRUE(std::any_of(step.expect.begin(), step.expect.end(), [](const Alternative& each) {
        return each.verdict == CaseVerdict::kPass;
      })) << item.name;
    }
  }
}

TEST(Catalogue, EveryExpectationIsAnAnswerLine) {
  for (const Case& item : suite().cases) {
    for (const Step& step : item.steps) {
      for (const Alternative& each : step.expect) {
        std::string error;
        EXPECT_TRUE(parse_answer_body(each.answer, error)) << item.name << ": " << error;
        EXPECT_TRUE(std::is_sorted(each.free.begin(), each.free.end())) << item.name;
      }
    }
  }
}

TEST(Catalogue, NoTwoCasesOfAFamilyAskTheSame) {
  // The same question twice costs time and shows nothing; rows share a case instead. A hand-written
  // case may ask what a family asks too: it is there for its notes.
  std::map<std::string, std::string> seen;
  for (const Case& item : suite().cases) {
    std::string all = item.name.substr(0, item.name.find('/', item.name.find('/') + 1)) + "\n";
    for (const Step& step : item.steps) all += step.request + "\n";
    const auto [place, is_new] = seen.emplace(all, item.name);
    EXPECT_TRUE(is_new) << item.name << " asks what " << place->second << " asks";
  }
}

// --- Look-ups

TEST(Suite, FindsWhatIsThereAndNothingElse) {
  for (const std::size_t i : {std::size_t{0}, suite().cases.size() / 2, suite().cases.size() - 1}) {
    EXPECT_EQ(suite().find_case(suite().cases[i].name), &suite().cases[i]);
  }
  for (const char* name :
       {"", "decode", "decode/", "zzz", "decode/header/golde", "decode/header/golden "}) {
    EXPECT_EQ(suite().find_case(name), nullptr) << name;
  }
  EXPECT_EQ(suite().find_requirement("HQ-PTA-011")->id, "HQ-PTA-011");
  EXPECT_EQ(suite().find_requirement("HQ-PTA-11"), nullptr);
}

TEST(Suite, RequirementsOfACaseAreThoseThatListIt) {
  for (const Requirement& each : suite().requirements) {
    if (each.cases.empty()) continue;
    const std::vector<std::string> ids = suite().requirements_of(suite().cases[each.cases.front()]);
    EXPECT_NE(std::find(ids.begin(), ids.end(), each.id), ids.end()) << each.id;
  }
}

TEST(Suite, ItsDigestIsASha256AndTheSameEachTime) {
  const Suite again = load_suite();
  EXPECT_EQ(again.digest, suite().digest);
  EXPECT_EQ(again.digest.size(), 64u);
  EXPECT_EQ(again.digest.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace hurray::conformance
