// SPDX-License-Identifier: Apache-2.0
//
// Does every question get the replies that are its own, whatever the process at the other end does?
// Small shell commands stand for a target where lines and ends matter, the scripted target of
// conformance/tests/ where answers do.

#include "conformance/runner/interview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>

#include <fmt/format.h>

#include "conformance/runner/connection.h"

namespace hurray::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

// No limit of memory: the sanitizers reserve more than any.
constexpr Limits kPatient{20'000, 0};

// As the program does: a target that no longer reads is an outcome, not a signal.
class WithoutPipeSignal : public testing::Environment {
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }
};
[[maybe_unused]] const testing::Environment* const kWithoutPipeSignal =
    testing::AddGlobalTestEnvironment(new WithoutPipeSignal);

Attachment shell(const std::string& script) {
  return {"shell", "exec:shell", "exec:shell", {{"/bin/sh", "-c", script}}};
}

Attachment scripted(std::vector<std::string> options) {
  std::vector<std::string> command = {HURRAY_PYTHON, HURRAY_SCRIPTED_TARGET};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", HURRAY_SCALAR_PROGRAM});
  return {"scripted", "exec:scripted", "exec:scripted", {command}};
}

Attachment doing(const std::string& what, const std::string& when) {
  return scripted({"--do", what, "--when", when});
}

Clock::time_point in(milliseconds time) { return Clock::now() + time; }

// --- Connection

TEST(Connection, HandsOutLinesWithoutTheirEnds) {
  // Windows programs end lines in two characters.
  Connection connection(shell("printf 'one\\r\\ntwo\\n\\nfour\\n'"), kPatient);
  std::string line;
  for (const char* expected : {"one", "two", "", "four"}) {
    ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
    EXPECT_EQ(line, expected);
  }
  EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kEnd);
}

TEST(Connection, ALineWithoutItsEndIsNone) {
  // A program that died in the middle of an answer has not given it.
  Connection connection(shell("printf '5 ok out=00'"), kPatient);
  std::string line;
  EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kEnd);
}

TEST(Connection, GivesUpAtTheDeadlineWhateverTrickles) {
  Connection connection(shell("while true; do printf x; sleep 0.05; done"), kPatient);
  std::string line;
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(connection.next_line(in(milliseconds(300)), line), Connection::Event::kTimeout);
  EXPECT_GE(Clock::now() - start, milliseconds(300));
  EXPECT_LT(Clock::now() - start, seconds(10));
}

TEST(Connection, ALineThatDoesNotEndIsCutOff) {
  // Else a target could fill the memory of the runner.
  Connection connection(shell("cat /dev/zero"), kPatient);
  std::string line;
  EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kEndlessLine);
}

TEST(Connection, WritesMoreThanAPipeHoldsWhileReading) {
  // A target that answers before it has read everything must not block both sides.
  Connection connection(shell("cat"), kPatient);
  const std::string long_line(300'000, 'x');
  for (int i = 0; i < 10; ++i) connection.send(long_line);
  std::string line;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
    EXPECT_EQ(line.size(), long_line.size());
  }
  EXPECT_EQ(connection.queued_bytes(), 0u);
}

TEST(Connection, StandardErrorIsDrainedAndItsEndKept) {
  Connection connection(shell("i=0; while [ $i -lt 20000 ]; do echo \"line $i for people\" >&2; "
                              "i=$((i+1)); done; echo done"),
                        kPatient);
  std::string line;
  ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_EQ(line, "done");
  EXPECT_EQ(connection.how_it_ended(), "exited with status 0");
  EXPECT_LE(connection.last_errors().size(), 2048u);
  EXPECT_NE(connection.last_errors().find("line 19999 for people"), std::string::npos);
}

TEST(Connection, TheLastWordsOfATargetAreKeptWhateverItSaidBefore) {
  // More than is kept, and more than one read takes: still it is the end that tells why.
  Connection connection(
      shell("echo answer; i=0; while [ $i -lt 600 ]; do echo 'a line for people' >&2; "
            "i=$((i+1)); done; echo 'last words' >&2; exit 9"),
      kPatient);
  std::string line;
  ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_EQ(connection.how_it_ended(), "exited with status 9");
  EXPECT_NE(connection.last_errors().find("last words"), std::string::npos);
}

TEST(Connection, ReportsWhatCameBehindTheLastAnswer) {
  Connection connection(shell("echo answer; read line; echo more"), kPatient);
  std::string line;
  ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_EQ(connection.finish(), "more");
}

TEST(Connection, NothingBehindTheLastAnswerIsNothing) {
  Connection connection(shell("echo answer; cat >/dev/null"), kPatient);
  std::string line;
  ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_EQ(connection.finish(), "");
}

TEST(Connection, SurvivesATargetThatNoLongerReads) {
  // A pipe that nobody reads fails under the writing hand; what the target says still counts.
  Connection connection(shell("exec 0<&-; sleep 0.2; echo still here; sleep 30"), kPatient);
  for (int i = 0; i < 100; ++i) connection.send(std::string(10'000, 'x'));
  std::string line;
  EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_EQ(line, "still here");
}

// --- How processes end

TEST(Process, SaysHowItEnded) {
  const std::pair<const char*, const char*> kEnds[] = {
      {"exit 0", "exited with status 0"},
      {"exit 7", "exited with status 7"},
      {"kill -SEGV $$", "killed by signal 11 (Segmentation fault)"},
      {"kill -KILL $$", "killed by signal 9 (Killed)"},
  };
  for (const auto& [script, ending] : kEnds) {
    Connection connection(shell(script), kPatient);
    std::string line;
    EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kEnd);
    EXPECT_EQ(connection.how_it_ended(), ending) << script;
  }
}

TEST(Process, AProgramThatIsNotThereShowsAsAnEnd) {
  Connection connection(Attachment{"gone", "exec:gone", "exec:gone", {{"/nonexistent/program"}}},
                        kPatient);
  std::string line;
  EXPECT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kEnd);
  EXPECT_EQ(connection.how_it_ended(), "exited with status 127");
  EXPECT_NE(connection.last_errors().find("cannot start /nonexistent/program: No such file"),
            std::string::npos)
      << connection.last_errors();
}

TEST(Process, OneThatStaysIsEndedByTheRunner) {
  Connection connection(shell("sleep 600"), kPatient);
  connection.end();
  EXPECT_EQ(connection.how_it_ended(), "ended by the runner");
}

TEST(Process, InheritsNoDescriptorsOfTheRunner) {
  // A target that holds the pipes of another one keeps it from ending.
  Connection other(shell("cat"), kPatient);
  Connection connection(shell("ls /proc/self/fd | wc -l"), kPatient);
  std::string line;
  ASSERT_EQ(connection.next_line(in(seconds(20)), line), Connection::Event::kLine);
  EXPECT_LE(std::stoi(line), 4) << "three streams, and the one with which ls reads the folder";
}

// --- Introductions

TEST(Introduce, AnHonestTargetIsClaimedNotBroken) {
  const Introduction introduction = introduce(scripted({}), kPatient);
  ASSERT_TRUE(introduction.claims) << (introduction.broken ? introduction.broken->reason : "");
  EXPECT_FALSE(introduction.broken);
  EXPECT_TRUE(introduction.claims->types.contains("decode"));
}

TEST(Introduce, EitherProbeThatIsAnsweredBreaks) {
  // Whoever ignores what it does not know could pass without an answer.
  const Introduction verb = introduce(doing("say:ok", "unknown-verb"), kPatient);
  ASSERT_TRUE(verb.broken);
  EXPECT_NE(verb.broken->reason.find("an unknown verb"), std::string::npos);
  const Introduction key = introduce(doing("forget-unknown-key", "unknown-key"), kPatient);
  ASSERT_TRUE(key.broken);
  EXPECT_NE(key.broken->reason.find("an unknown key"), std::string::npos);
  EXPECT_FALSE(key.claims);
}

TEST(Introduce, WhatATargetSaidBeforeItDiedIsKept) {
  // The one thing that tells its author what is wrong.
  const Introduction introduction =
      introduce(shell("echo first >&2; echo last >&2; exit 4"), kPatient);
  ASSERT_TRUE(introduction.broken);
  EXPECT_NE(introduction.broken->reason.find("exited with status 4"), std::string::npos);
  EXPECT_EQ(introduction.broken->errors, "first\nlast\n");
}

// --- Interviews

// Decodes whose zero points tell them apart: question i expects zero_point=i.
class InterviewTest : public testing::Test {
 protected:
  static constexpr std::size_t kCount = 32;

  InterviewTest() {
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::string request =
          fmt::format("decode type=10 bytes=010100000000003f{:02x}00000000000000", i);
      cases_.push_back({fmt::format("decode/{:02}", i), "why", {{request, {}}}, {}});
    }
  }

  std::string text_of(std::size_t i) const { return "has:" + cases_[i].steps[0].request; }

  // Asks all cases; each has to be booked exactly once, except those that are booked again later.
  std::optional<Broken> ask(const Attachment& attachment, bool pipelined = true,
                            Limits limits = kPatient) {
    std::vector<Question> questions;
    std::uint32_t id = 100;
    for (const Case& item : cases_) {
      questions.push_back({&item, id});
      id += static_cast<std::uint32_t>(item.steps.size());
    }
    replies_.clear();
    return interview(
        attachment, questions, {limits, pipelined, {}},
        [&](std::size_t i, std::vector<Reply> replies) { replies_[i] = std::move(replies); });
  }

  // One that was never booked reads as no answer.
  Reply last_reply(std::size_t i) const {
    const auto found = replies_.find(i);
    return found == replies_.end() || found->second.empty() ? Reply{} : found->second.back();
  }

  // Every question outside `culprits` has its own answer, and those have the outcome.
  void expect_outcome(const std::vector<std::size_t>& culprits, Outcome outcome) {
    ASSERT_EQ(replies_.size(), kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Reply reply = last_reply(i);
      if (std::find(culprits.begin(), culprits.end(), i) != culprits.end()) {
        EXPECT_EQ(name_of(reply.outcome), name_of(outcome)) << i << ": " << reply.detail;
      } else {
        EXPECT_EQ(name_of(reply.outcome), "value") << i << ": " << reply.detail;
        EXPECT_EQ(reply.body, fmt::format("ok scheme=1 scale=3f000000 zero_point={}", i));
      }
    }
  }

  std::vector<Case> cases_;
  std::map<std::size_t, std::vector<Reply>> replies_;
};

TEST_F(InterviewTest, EveryQuestionGetsItsOwnAnswer) {
  for (const bool pipelined : {true, false}) {
    EXPECT_FALSE(ask(scripted({}), pipelined));
    expect_outcome({}, Outcome::kValue);
  }
}

TEST_F(InterviewTest, ACrashIsBookedOnTheQuestionThatCausesIt) {
  for (const std::size_t culprit : {std::size_t{0}, std::size_t{17}, kCount - 1}) {
    for (const bool pipelined : {true, false}) {
      EXPECT_FALSE(ask(doing("crash", text_of(culprit)), pipelined));
      expect_outcome({culprit}, Outcome::kCrashed);
      EXPECT_NE(last_reply(culprit).detail.find("signal 11"), std::string::npos);
    }
  }
}

TEST_F(InterviewTest, CrashesOfNeighboursAreBookedOnEach) {
  EXPECT_FALSE(ask(
      scripted({"--do", "crash", "--when", text_of(5), "--do", "crash", "--when", text_of(6)})));
  expect_outcome({5, 6}, Outcome::kCrashed);
}

TEST_F(InterviewTest, ASilenceIsBookedOnTheQuestionThatCausesIt) {
  EXPECT_FALSE(ask(doing("hang", text_of(9)), true, {3000, 0}));
  expect_outcome({9}, Outcome::kTimedOut);
}

TEST_F(InterviewTest, ASecondAnswerIsBookedOnWhoeverGaveIt) {
  EXPECT_FALSE(ask(doing("twice", text_of(9))));
  expect_outcome({9}, Outcome::kGarbled);
  EXPECT_FALSE(ask(doing("twice", text_of(kCount - 1))));
  expect_outcome({kCount - 1}, Outcome::kGarbled);
}

TEST_F(InterviewTest, ALineTooManyIsBookedOnWhoeverWroteIt) {
  // The reader notices it only in front of the next answer.
  EXPECT_FALSE(ask(doing("chatter-behind", text_of(9))));
  expect_outcome({9}, Outcome::kGarbled);
  EXPECT_FALSE(ask(doing("chatter-before", text_of(9))));
  expect_outcome({9}, Outcome::kGarbled);
}

TEST_F(InterviewTest, ALineTooManyIsBookedRightlyAfterACrashToo) {
  // After a crash questions are asked one at a time, and the same has to hold there.
  EXPECT_FALSE(ask(scripted(
      {"--do", "crash", "--when", text_of(20), "--do", "chatter-behind", "--when", text_of(9)})));
  for (std::size_t i = 0; i < kCount; ++i) {
    const Outcome expected = i == 20  ? Outcome::kCrashed
                             : i == 9 ? Outcome::kGarbled
                                      : Outcome::kValue;
    EXPECT_EQ(name_of(last_reply(i).outcome), name_of(expected))
        << i << ": " << last_reply(i).detail;
  }
}

TEST_F(InterviewTest, AnotherIdIsGarbled) {
  EXPECT_FALSE(ask(doing("swap", text_of(9))));
  expect_outcome({9}, Outcome::kGarbled);
  EXPECT_NE(last_reply(9).detail.find("id 110 instead of 109"), std::string::npos)
      << last_reply(9).detail;
}

TEST_F(InterviewTest, AFailureByCountingIsBookedOnceAndSaysSo) {
  // No question does it alone, so the report must not send its reader after one.
  EXPECT_FALSE(ask(doing("crash", "every:30")));
  int crashed = 0;
  for (const auto& [i, replies] : replies_) {
    if (replies.back().outcome != Outcome::kCrashed) continue;
    ++crashed;
    EXPECT_NE(replies.back().detail.find("but not when asked alone"), std::string::npos);
  }
  EXPECT_EQ(replies_.size(), kCount);
  EXPECT_EQ(crashed, 1);
}

TEST_F(InterviewTest, StepsOfACaseAreAnsweredInOrder) {
  cases_[3].steps.push_back(cases_[4].steps[0]);
  EXPECT_FALSE(ask(scripted({})));
  ASSERT_EQ(replies_[3].size(), 2u);
  EXPECT_EQ(replies_[3][1].body, replies_[4][0].body);
}

TEST_F(InterviewTest, ACrashInTheSecondStepKeepsTheFirstReply) {
  cases_[3].steps.push_back({"decode type=11 bytes=01", {}});
  EXPECT_FALSE(ask(doing("crash", "has:type=11")));
  ASSERT_EQ(replies_[3].size(), 2u);
  EXPECT_EQ(replies_[3][0].outcome, Outcome::kValue);
  EXPECT_EQ(replies_[3][1].outcome, Outcome::kCrashed);
}

TEST_F(InterviewTest, NeighboursThatAllCrashAreEachBooked) {
  // A kernel that cannot do one type at all is wrong, not broken.
  EXPECT_FALSE(ask(doing("crash", "has:decode")));
  ASSERT_EQ(replies_.size(), kCount);
  for (const auto& [i, replies] : replies_)
    EXPECT_EQ(replies.back().outcome, Outcome::kCrashed) << i;
}

TEST_F(InterviewTest, EndlessFailureIsGivenUpWithAReason) {
  constexpr std::size_t kMany = 100;
  while (cases_.size() < kMany) cases_.push_back(cases_.front());
  const auto broken = ask(doing("crash", "has:decode"));
  ASSERT_TRUE(broken);
  EXPECT_NE(broken->reason.find("gave up: "), std::string::npos) << broken->reason;
  EXPECT_NE(broken->reason.find("signal 11"), std::string::npos) << broken->reason;
  EXPECT_LT(replies_.size(), kMany);
}

TEST_F(InterviewTest, EndlessSilenceIsGivenUpSooner) {
  const auto broken = ask(doing("hang", "has:decode"), true, {1500, 0});
  ASSERT_TRUE(broken);
  EXPECT_LE(replies_.size(), 4u);
}

TEST_F(InterviewTest, CrashesAmongAnswersAreAskedToTheEnd) {
  // A kernel that cannot do what most cases ask is wrong all the same, and each case says so.
  constexpr std::size_t kBad = 60;
  const Case good = cases_[0];
  cases_.assign(kBad, cases_[1]);
  cases_.insert(cases_.begin(), good);
  EXPECT_FALSE(ask(doing("crash", "has:" + cases_[1].steps[0].request)));
  EXPECT_EQ(replies_.size(), kBad + 1);
  EXPECT_EQ(name_of(last_reply(0).outcome), "value");
  EXPECT_EQ(name_of(last_reply(kBad).outcome), "crashed");
}

TEST_F(InterviewTest, SilenceAfterAnswersSaysThatThereWereSome) {
  const Case bad = cases_[1];
  for (std::size_t i = 1; i < cases_.size(); ++i) cases_[i] = bad;
  const auto broken = ask(doing("hang", "has:" + bad.steps[0].request), true, {1500, 0});
  ASSERT_TRUE(broken);
  EXPECT_TRUE(broken->after_answers);
  cases_[0] = bad;
  const auto silent = ask(doing("hang", "has:" + bad.steps[0].request), true, {1500, 0});
  ASSERT_TRUE(silent);
  EXPECT_FALSE(silent->after_answers);
}

TEST_F(InterviewTest, ATargetThatClaimsOtherThingsThanBeforeIsBroken) {
  const Introduction introduction = introduce(scripted({}), kPatient);
  ASSERT_TRUE(introduction.claims);
  Claims others = *introduction.claims;
  others.operations.insert("never-defined");
  std::vector<Question> questions = {{&cases_[0], 100}};
  InterviewOptions options{kPatient, true, {}};
  options.claims = &*introduction.claims;
  EXPECT_FALSE(interview(scripted({}), questions, options, [](std::size_t, std::vector<Reply>) {}));
  options.claims = &others;
  const auto broken =
      interview(scripted({}), questions, options, [](std::size_t, std::vector<Reply>) {});
  ASSERT_TRUE(broken);
  EXPECT_NE(broken->reason.find("differently"), std::string::npos);
}

TEST_F(InterviewTest, CanBeStopped) {
  std::vector<Question> questions;
  for (std::uint32_t id = 100; const Case& item : cases_) questions.push_back({&item, id++});
  int booked = 0;
  interview(scripted({}), questions, {kPatient, false, [&] { return booked >= 5; }},
            [&](std::size_t, std::vector<Reply>) { ++booked; });
  EXPECT_EQ(booked, 5);
}

}  // namespace
}  // namespace hurray::conformance
