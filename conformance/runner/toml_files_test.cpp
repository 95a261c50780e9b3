// SPDX-License-Identifier: Apache-2.0
//
// Does every way to break a requirement file or a list of targets get a message that leads to the
// place and says what was expected?

#include "conformance/runner/toml_files.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kRow = R"(
[[requirement]]
id = "XX-AAA-001"
level = "MUST"
contract = "hurray"
clause = "a clause"
text = "A sentence."
)";

std::string with(std::string_view more) { return std::string(kRow) + std::string(more) + "\n"; }

std::vector<RequirementBlock> read(const std::string& content) {
  return read_requirement_file("file.toml", content);
}

// The message of the SuiteError that the content has to raise, and that it names the file.
std::string message_of(const std::string& content) {
  try {
    read(content);
  } catch (const SuiteError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("file.toml"), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no error from:\n" << content;
  return {};
}

void expect_message(const std::string& content, std::initializer_list<std::string_view> parts) {
  const std::string message = message_of(content);
  for (const std::string_view part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "`" << part << "` is not in: " << message;
  }
}

// As expect_message, for errors inside a case, whose name says where.
void expect_case_message(const std::string& content,
                         std::initializer_list<std::string_view> parts) {
  try {
    read(content);
    ADD_FAILURE() << "no error from:\n" << content;
  } catch (const SuiteError& error) {
    for (const std::string_view part : parts) {
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
          << "`" << part << "` is not in: " << error.what();
    }
  }
}

// --- Requirement files

TEST(RequirementFile, EveryKeyIsRead) {
  const auto blocks = read(with(R"(
rulings = ["A01", "R02"]
shares = ["decode/*"]
families = ["decode/flags"]
[[requirement.case]]
name = "decode/a"
why = "Because."
request = "decode type=10"
bytes = ["01  tag", "0203  more"]
expect = "reject"
[[requirement.case]]
name = "decode/b"
why = "Because."
[[requirement.case.step]]
request = "decode type=10 bytes="
expect = [{ answer = "ok q=00", free = [0], shows = { nan-input = ["refuse"] } }, { answer = "reject", verdict = "warn" }]
[[requirement.case.step]]
request = "dequantize type=10"
q = ["00"]
expect = { answer = "ok", verdict = "record" }
)"));
  ASSERT_EQ(blocks.size(), 1u);
  const RequirementBlock& block = blocks[0];
  EXPECT_NE(block.where.find("XX-AAA-001"), std::string::npos);
  EXPECT_EQ(block.requirement.id, "XX-AAA-001");
  EXPECT_EQ(block.requirement.contract, Contract::kHurray);
  EXPECT_EQ(block.requirement.rulings, (std::vector<std::string>{"A01", "R02"}));
  EXPECT_EQ(block.shares, std::vector<std::string>{"decode/*"});
  EXPECT_EQ(block.families, std::vector<std::string>{"decode/flags"});
  ASSERT_EQ(block.cases.size(), 2u);
  EXPECT_EQ(block.cases[0].steps[0].request, "decode type=10 bytes=010203");
  EXPECT_EQ(block.cases[0].notes, (std::vector<std::string>{"01  tag", "0203  more"}));
  ASSERT_EQ(block.cases[1].steps.size(), 2u);
  const Alternative& first = block.cases[1].steps[0].expect[0];
  EXPECT_EQ(first.free, std::vector<std::size_t>{0});
  EXPECT_EQ(first.shows.at("nan-input"), std::vector<std::string>{"refuse"});
  EXPECT_EQ(block.cases[1].steps[0].expect[1].verdict, CaseVerdict::kWarn);
  EXPECT_EQ(block.cases[1].steps[1].request, "dequantize type=10 q=00");
  EXPECT_EQ(block.cases[1].steps[1].expect[0].verdict, CaseVerdict::kRecord);
}

TEST(RequirementFile, SyntaxErrorsNameTheLine) {
  expect_message("[[requirement]]\nid = \"a\nlevel = 1", {"line 2"});
  expect_message(with("shares = ["), {"line "});
  expect_message("[[requirement]]\nid = \"a\"\nid = \"b\"", {"line 3"});
}

TEST(RequirementFile, AFileWithoutRequirementsSaysWhatWasExpected) {
  expect_message("", {"no [[requirement]]"});
  expect_message("# nothing but a comment", {"no [[requirement]]"});
  expect_message("requirement = 3", {"no [[requirement]]"});
  expect_message("[requirement]\nid = \"a\"", {"no [[requirement]]"});
}

TEST(RequirementFile, UnknownKeysAreNamed) {
  // A misspelt key would silently do nothing.
  expect_message(with("famlies = []"), {"XX-AAA-001", "unknown key `famlies`"});
  expect_message("[[requirements]]\nid = \"a\"", {"unknown key `requirements`"});
  expect_case_message(with("[[requirement.case]]\nname = \"a/b\"\nwhy = \"w\"\nrequset = "
                           "\"x\"\nexpect = \"reject\""),
                      {"unknown key `requset`"});
  expect_case_message(with("[[requirement.case]]\nname = \"a/b\"\nwhy = \"w\"\nrequest = \"x\"\n"
                           "expect = { answr = \"reject\" }"),
                      {"a/b", "unknown key `answr`"});
}

TEST(RequirementFile, UnknownKeysOfAStepAreNamed) {
  expect_case_message(
      with("[[requirement.case]]\nname = \"a/b\"\nwhy = \"w\"\n[[requirement.case.step]]\n"
           "request = \"x\"\nbyts = [\"00\"]\nexpect = \"reject\""),
      {"a/b", "unknown key `byts`"});
}

TEST(RequirementFile, ACaseHasARequestOrSteps) {
  // With both, one of them would never be sent, and its expectation never judged.
  for (const std::string_view key : {"request", "bytes", "q", "in", "packed", "expect"}) {
    const bool is_text = key == "request" || key == "expect";
    expect_case_message(with("[[requirement.case]]\nname = \"a/b\"\nwhy = \"w\"\n" +
                             std::string(key) + (is_text ? " = \"x\"\n" : " = [\"00\"]\n") +
                             "[[requirement.case.step]]\nrequest = \"x\"\nexpect = \"reject\""),
                        {"a/b", "either `" + std::string(key) + "` or [["});
  }
}

TEST(RequirementFile, WhatIsMissingIsListed) {
  for (const std::string_view key : {"id", "level", "clause", "text"}) {
    std::string content(kRow);
    const std::size_t start = content.find("\n" + std::string(key) + " =") + 1;
    content.erase(start, content.find('\n', start) - start);
    expect_message(content, {"id, level, clause and text are all needed"});
  }
  expect_message("[[requirement]]\nid = \"XX-AAA-001\"",
                 {"XX-AAA-001", "`contract` is hurray or ra8"});
}

TEST(RequirementFile, AContractIsOneOfTwo) {
  std::string content(kRow);
  content.replace(content.find("hurray"), 6, "acme");
  expect_message(content, {"XX-AAA-001", "`contract` is hurray or ra8"});
}

TEST(RequirementFile, ValuesOfTheWrongTypeAreNamed) {
  expect_message("[[requirement]]\nid = 5", {"`id` is not a string"});
  expect_message(with("rulings = \"A01\""), {"XX-AAA-001", "`rulings` is not an array of strings"});
  expect_message(with("shares = [1]"), {"XX-AAA-001", "`shares` is not an array of strings"});
  expect_message(with("families = [[\"a\"]]"),
                 {"XX-AAA-001", "`families` is not an array of strings"});
  expect_message(with("not_testable = []"), {"XX-AAA-001", "`not_testable` is not a string"});
  expect_message(with("compile_test = true"), {"XX-AAA-001", "`compile_test` is not a string"});
  expect_message(with("case = 1"), {"XX-AAA-001", "`case` is not an array of tables"});
}

TEST(RequirementFile, OneImplementationIsABoolean) {
  // As a text it would be taken for false, and the row would judge everybody.
  expect_message(with("one_implementation = \"yes\""), {"XX-AAA-001", "one_implementation"});
}

std::string with_case(std::string_view fields) {
  return with("[[requirement.case]]\n" + std::string(fields));
}

TEST(RequirementFile, CasesNeedNameWhyAndExpectation) {
  expect_message(with_case("why = \"w\"\nrequest = \"x\"\nexpect = \"reject\""),
                 {"a case without `name`"});
  expect_case_message(with_case("name = \"a/b\"\nrequest = \"x\"\nexpect = \"reject\""),
                      {"a/b", "a case without `why`"});
  expect_case_message(with_case("name = \"a/b\"\nwhy = \"w\"\nrequest = \"x\""),
                      {"a/b", "no `expect`"});
  expect_case_message(with_case("name = \"a/b\"\nwhy = \"w\"\nstep = 3"),
                      {"a/b", "`step` is not an array of tables"});
}

TEST(RequirementFile, AnEmptyExpectationIsNone) {
  // It would be filled in by the oracle, and the hand-written check would be gone.
  expect_case_message(with_case("name = \"a/b\"\nwhy = \"w\"\nrequest = \"x\"\nexpect = []"),
                      {"a/b", "expect"});
}

TEST(RequirementFile, ExpectationsHaveTheirForm) {
  const std::string start = "name = \"a/b\"\nwhy = \"w\"\nrequest = \"x\"\nexpect = ";
  expect_case_message(with_case(start + "5"), {"a/b", "an expectation is a string or a table"});
  expect_case_message(with_case(start + "[[\"reject\"]]"),
                      {"a/b", "an expectation is a string or a table"});
  expect_case_message(with_case(start + "{ answer = \"ok\", verdict = \"fine\" }"),
                      {"a/b", "pass, warn or record", "fine"});
  expect_case_message(with_case(start + "{ answer = \"ok\", shows = \"a\" }"),
                      {"a/b", "`shows` is not a table"});
  expect_case_message(with_case(start + "{ answer = \"ok\", shows = { a = \"b\" } }"),
                      {"a/b", "not an array of strings"});
  expect_case_message(with_case(start + "{ answer = \"ok\", free = 3 }"), {"a/b", "`free`"});
  expect_case_message(with_case(start + "{ answer = \"ok\", free = [\"first\"] }"),
                      {"a/b", "`free`"});
  expect_case_message(with_case(start + "{ answer = \"ok\", free = [-1] }"), {"a/b", "`free`"});
}

TEST(RequirementFile, AnnotatedArraysAreArraysOfLines) {
  expect_case_message(
      with_case(
          "name = \"a/b\"\nwhy = \"w\"\nrequest = \"x\"\nbytes = \"00\"\nexpect = \"reject\""),
      {"a/b", "`bytes` is not an array of strings"});
}

// --- Lists of targets

class ExpectationFile : public testing::Test {
 protected:
  ExpectationFile()
      : path_(std::filesystem::temp_directory_path() /
              ("expectation-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml")) {}
  ~ExpectationFile() override { std::filesystem::remove(path_); }

  std::vector<MeantTarget> read(const std::string& content) {
    std::ofstream(path_) << content;
    return read_expectation_file(path_.string());
  }

  void expect_message(const std::string& content, std::initializer_list<std::string_view> parts) {
    try {
      read(content);
      ADD_FAILURE() << "no error from:\n" << content;
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("--expect"), std::string::npos) << message;
      EXPECT_NE(message.find(path_.string()), std::string::npos) << message;
      for (const std::string_view part : parts) {
        EXPECT_NE(message.find(part), std::string::npos)
            << "`" << part << "` is not in: " << message;
      }
    }
  }

  std::filesystem::path path_;
};

constexpr std::string_view kTarget =
    "[[target]]\nname = \"mine\"\nattachment = \"builtin:scalar\"\nverdict = \"conformant\"\n";

TEST_F(ExpectationFile, EveryKeyIsRead) {
  const auto targets =
      read(std::string(kTarget) +
           "[[target]]\nname = \"b\"\nattachment = \"exec:{bin}/b\"\nverdict = \"broken\"\n"
           "violates = [\"HQ-PTA-011\"]\nreason = \"part\"\ntimeout = 0.25\n");
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].name, "mine");
  EXPECT_FALSE(targets[0].timeout_ms);
  EXPECT_EQ(targets[1].attachment, "exec:{bin}/b");
  EXPECT_EQ(targets[1].violates, std::vector<std::string>{"HQ-PTA-011"});
  EXPECT_EQ(targets[1].reason, "part");
  EXPECT_EQ(targets[1].timeout_ms, 250);
}

TEST_F(ExpectationFile, MistakesAreUsageErrorsWithTheirPlace) {
  const std::string target(kTarget);
  expect_message("[[target]\n", {"line 1"});
  expect_message("\n\nname = ", {"line 3"});
  expect_message("", {"no [[target]]"});
  expect_message("[[requirement]]\n", {"unknown key `requirement`"});
  expect_message(target + "verdcit = \"x\"\n", {"unknown key `verdcit`"});
  expect_message("[[target]]\nattachment = \"builtin:scalar\"\nverdict = \"conformant\"\n",
                 {"name and attachment"});
  expect_message("[[target]]\nname = \"a\"\nverdict = \"conformant\"\n",
                 {"a", "name and attachment"});
  expect_message("[[target]]\nname = \"a\"\nattachment = \"builtin:scalar\"\n",
                 {"`verdict` is conformant, non-conformant or broken"});
  expect_message("[[target]]\nname = \"a\"\nattachment = \"builtin:scalar\"\nverdict = \"good\"\n",
                 {"`verdict` is conformant, non-conformant or broken"});
  expect_message(target + "violates = \"HQ-PTA-011\"\n",
                 {"mine", "`violates` is not an array of strings"});
  expect_message(target + "timeout = \"long\"\n", {"mine", "`timeout`"});
  expect_message(target + "timeout = 0\n", {"mine", "`timeout`"});
  expect_message(target + "timeout = -1\n", {"mine", "`timeout`"});
  expect_message(target + "timeout = nan\n", {"mine", "`timeout`"});
  expect_message(target + "timeout = 1e9\n", {"mine", "`timeout`"});
}

TEST_F(ExpectationFile, TwoTargetsOfOneNameAreRefused) {
  // Only the first would be held to anything.
  expect_message(std::string(kTarget) + std::string(kTarget), {"mine"});
}

TEST_F(ExpectationFile, AFileThatIsNotThereIsAUsageError) {
  EXPECT_THROW(read_expectation_file("/nonexistent/list.toml"), UsageError);
}

TEST_F(ExpectationFile, AFolderIsAUsageError) {
  EXPECT_THROW(read_expectation_file(std::filesystem::temp_directory_path().string()), UsageError);
}

}  // namespace
}  // namespace hurray::conformance
