// SPDX-License-Identifier: Apache-2.0
//
// What somebody sends as a transcript, or as answers: is it read as it was meant, and does every
// other text lead to its line? And are drawn cases always the same, and new with each nonce?

#include "conformance/certificate/transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "conformance/certificate/certificate_test.h"
#include "conformance/certificate/errata.h"
#include "conformance/certificate/witness.h"

namespace hurray::conformance {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  return lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string transcript_problem(const std::string& text) {
  const Suite suite = small_suite();
  try {
    read_transcript(suite, claims_in(text), text);
  } catch (const Invalid& error) {
    return error.what();
  }
  return {};
}

// --- Transcripts

TEST(Transcript, IsReadAsItWasWritten) {
  const Suite suite = small_suite();
  const Claims claims = small_claims();
  Session session = right_session(suite, claims);
  session.replies[0] = {{Outcome::kCrashed, {}, "killed by signal 11\nat once"}};
  session.replies[4][1] = {Outcome::kTimedOut, {}, "no answer within 10 ms"};
  session.replies[5].clear();  // encode is not claimed
  const std::string text = transcript_of(suite, claims, session);
  const Session again = read_transcript(suite, claims, text);
  EXPECT_EQ(transcript_of(suite, claims, again), text);
  EXPECT_EQ(again.replies[0][0].outcome, Outcome::kCrashed);
  EXPECT_EQ(again.replies[0][0].detail, "killed by signal 11 at once");
  EXPECT_EQ(again.replies[4][1].outcome, Outcome::kTimedOut);
  EXPECT_EQ(again.replies[5].size(), 0u);
  const TargetResult judged = judge_session(suite, claims, again);
  EXPECT_EQ(judged.cases[0].verdict, CaseVerdict::kFail);
  EXPECT_EQ(judged.cases[3].verdict, CaseVerdict::kPass);
  EXPECT_EQ(judged.cases[5].verdict, CaseVerdict::kSkip);
}

TEST(Transcript, HoldsTheRequestsThatAreEmitted) {
  const std::vector<std::string> lines = lines_of(small_judged().transcript);
  std::vector<std::string> requests;
  for (std::size_t i = 0; i < lines.size(); i += 2) requests.push_back(lines[i]);
  EXPECT_EQ(joined(requests), request_lines(small_suite(), small_claims()));
}

TEST(Transcript, EachLineIsNeededOnceAndInItsPlace) {
  const std::vector<std::string> lines = lines_of(small_judged().transcript);
  ASSERT_GT(lines.size(), 12u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> without = lines, twice = lines, cut = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    cut.resize(i);
    // Hello may stand without its request where answers are all there is.
    EXPECT_NE(transcript_problem(joined(without)), "") << "without line " << i + 1;
    EXPECT_NE(transcript_problem(joined(twice)), "") << "line twice: " << i + 1;
    EXPECT_NE(transcript_problem(joined(cut)), "") << "cut before line " << i + 1;
    if (i + 1 < lines.size()) {
      std::vector<std::string> swapped = lines;
      std::swap(swapped[i], swapped[i + 1]);
      EXPECT_NE(transcript_problem(joined(swapped)), "") << "lines swapped: " << i + 1;
    }
  }
}

TEST(Transcript, WhatIsWrongIsNamed) {
  const std::string good = small_judged().transcript;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return transcript_problem(text.replace(at, from.size(), to));
  };
  expect_in("line 7: expected the request `10 decode type=10",
            changed("10 decode type=10", "10 decode type=11"));
  expect_in("no answer to `10 decode", changed("\n10 ok", "\n11 ok"));
  expect_in("expected ok, reject or unsupported", changed("\n10 ok", "\n10 fine"));
  expect_in("`never-defined` was not answered `unsupported`", changed("2 unsupported", "2 ok"));
  expect_in("not answered with version=1", changed("version=1 name", "version=9 name"));
  expect_in("nothing is expected here", transcript_problem(good + "99 ok\n"));
  expect_in("nothing is expected here", transcript_problem(good + "99 ok"));
  expect_in("the transcript ends before",
            transcript_problem(good.substr(0, good.find("11 decode"))));
  expect_in("no answer to hello", [] {
    try {
      claims_in("");
    } catch (const Invalid& error) {
      return std::string(error.what());
    }
    return std::string();
  }());
}

// --- Answers alone

std::vector<std::string> right_answers() {
  const std::vector<std::string> lines = lines_of(small_judged().transcript);
  std::vector<std::string> answers;
  for (std::size_t i = 1; i < lines.size(); i += 2) answers.push_back(lines[i]);
  return answers;
}

// The verdict, or what is wrong with the answers.
std::string judged(const std::vector<std::string>& answers) {
  try {
    return std::string(name_of(judge_answers(small_suite(), joined(answers), {}).target.verdict));
  } catch (const Invalid& error) {
    return error.what();
  }
}

TEST(Answers, AreJudgedAsInARun) {
  EXPECT_EQ(judged(right_answers()), "conformant");
  std::vector<std::string> wrong = right_answers();
  wrong[3] = "10 reject";
  EXPECT_EQ(judged(wrong), "non-conformant");
  std::vector<std::string> of_windows = right_answers();
  for (std::string& each : of_windows) each += '\r';
  EXPECT_EQ(judged(of_windows), "conformant");
  std::vector<std::string> backwards = right_answers();
  std::reverse(backwards.begin() + 1, backwards.end());
  EXPECT_EQ(judged(backwards), "conformant");
}

TEST(Answers, OneThatIsMissingInTheMiddleIsACrash) {
  for (std::size_t i = 3; i + 1 < right_answers().size(); ++i) {
    std::vector<std::string> answers = right_answers();
    answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(judged(answers), "non-conformant") << i;
  }
}

TEST(Answers, WhatIsNoSessionIsTold) {
  const auto with = [](std::size_t place, const std::string& line) {
    std::vector<std::string> answers = right_answers();
    answers.insert(answers.begin() + static_cast<std::ptrdiff_t>(place), line);
    return judged(answers);
  };
  expect_in("line 6: request 10 is answered twice", with(5, "10 ok"));
  expect_in("request 77 was not asked", with(5, "77 ok"));
  expect_in("line 5: expected ok, reject or unsupported", with(4, "11 fine"));
  expect_in("line 5: line does not begin with an id", with(4, "hello there"));
  expect_in("line 5: line does not begin with an id", with(4, ""));
  std::vector<std::string> early = right_answers();
  early.pop_back();
  expect_in("the answers end with request", judged(early));
  expect_in("no answer to hello", judged({}));
  std::vector<std::string> no_probe = right_answers();
  no_probe.erase(no_probe.begin() + 1);
  expect_in("request 2, `never-defined`, is not answered", judged(no_probe));
  std::string cut = joined(right_answers());
  cut.pop_back();
  try {
    judge_answers(small_suite(), cut, {});
    ADD_FAILURE();
  } catch (const Invalid& error) {
    expect_in("has no end: is it cut?", error.what());
  }
}

// --- Drawn cases

constexpr std::string_view kNonce = "00112233445566778899aabbccddeeff";
constexpr std::string_view kOtherNonce = "00112233445566778899aabbccddeefe";

std::vector<std::string> drawn_requests(std::string_view nonce) {
  const Suite suite = with_witness(small_suite(), small_claims(), nonce);
  std::vector<std::string> requests;
  for (const std::size_t i : suite.requirements.back().cases) {
    for (const Step& each : suite.cases[i].steps) requests.push_back(each.request);
  }
  return requests;
}

TEST(Witness, DrawsTheSameForTheSameNonceAndOthersForAnother) {
  const std::vector<std::string> requests = drawn_requests(kNonce);
  EXPECT_EQ(drawn_requests(kNonce), requests);
  std::set<std::string> known(requests.begin(), requests.end());
  std::size_t others = 0;
  for (const std::string& each : drawn_requests(kOtherNonce)) others += !known.contains(each);
  // There is not much beside five cases; with those that ship nearly all are others.
  EXPECT_GT(others, 500u) << "a recording of another nonce would serve";
}

TEST(Witness, NoDrawnCaseIsKnown) {
  std::set<std::string> known;
  for (const Case& item : small_suite().cases) {
    for (const Step& each : item.steps) known.insert(each.request);
  }
  const Suite suite = with_witness(small_suite(), small_claims(), kNonce);
  std::set<std::string> drawn;
  for (const std::size_t i : suite.requirements.back().cases) {
    const std::vector<Step>& steps = suite.cases[i].steps;
    EXPECT_TRUE(std::ranges::any_of(steps, [&](const Step& each) {
      return !known.contains(each.request) && drawn.insert(each.request).second;
    })) << steps.front().request;
  }
}

TEST(Witness, AskedIsWhatIsClaimedAndStretchesOfKernels) {
  const std::vector<std::string> requests = drawn_requests(kNonce);
  std::size_t stretches = 0;
  for (const std::string& each : requests) {
    EXPECT_TRUE(each.starts_with("decode type=") || each.starts_with("dequantize type=")) << each;
    stretches += each.find(" count=256 ") != std::string::npos;
  }
  EXPECT_GE(stretches, 1u);
}

TEST(Witness, WhoSweepsByItselfIsAskedForDigests) {
  const Claims claims = small_claims(
      "ok version=1 name=x contract=hurray types.decode=10 types.dequantize=10 types.quantize=10 "
      "ops=sweep");
  const Suite suite = with_witness(small_suite(), claims, kNonce);
  std::size_t sweeps = 0;
  for (const Case& item : suite.cases) {
    if (!item.steps.front().request.starts_with("sweep op=quantize ")) continue;
    ++sweeps;
    const auto verdict = [&](const std::string& body) {
      const CaseResult result = judge(item, {{Outcome::kValue, body, {}}});
      return std::pair(result.verdict, result.outcome);
    };
    const std::string& right = item.steps.front().expect.front().answer;
    EXPECT_EQ(verdict(right), std::pair(CaseVerdict::kPass, Outcome::kValue));
    EXPECT_EQ(verdict("ok digest=0000000000000000"),
              std::pair(CaseVerdict::kFail, Outcome::kValue));
    EXPECT_EQ(verdict("reject"), std::pair(CaseVerdict::kFail, Outcome::kRejected));
    EXPECT_EQ(verdict("unsupported"), std::pair(CaseVerdict::kFail, Outcome::kUnsupported));
    EXPECT_EQ(verdict("ok digest=0"), std::pair(CaseVerdict::kFail, Outcome::kGarbled));
  }
  EXPECT_GE(sweeps, 4u);
}

TEST(Witness, WhoAnswersTheKnownCasesAloneFailsItAndItsProfiles) {
  const Suite suite = with_witness(small_suite(), small_claims(), kNonce);
  Session session = right_session(suite, small_claims());
  EXPECT_EQ(judge_session(suite, small_claims(), session).verdict, TargetVerdict::kConformant);
  for (std::size_t i = small_suite().cases.size(); i < suite.cases.size(); ++i) {
    for (Reply& each : session.replies[i]) each.body = "unsupported";
  }
  const TargetResult target = judge_session(suite, small_claims(), session);
  EXPECT_EQ(target.verdict, TargetVerdict::kNonConformant);
  EXPECT_EQ(target.requirements[0].verdict, RequirementVerdict::kConforms);
  EXPECT_EQ(target.requirements.back().verdict, RequirementVerdict::kViolated);
  EXPECT_EQ(target.profiles[0].violated,
            std::vector<std::string>{std::string(kWitnessRequirement)});
  expect_in("cases that the nonce drew are answered wrongly", describe_witness(suite, target));
}

TEST(Witness, AWitnessedCertificateNeedsTheDrawnCasesInItsTranscript) {
  const Suite suite = with_witness(small_suite(), small_claims(), kNonce);
  const Judged witnessed = judged_from(suite, right_session(suite, small_claims()));
  Given given = small_given();
  given.nonce = kNonce;
  Statement statement = open_certificate(issue(witnessed, given, test_key()), test_key());
  EXPECT_GT(statement.followed.witnessed, 500u);
  EXPECT_EQ(problem_of_transcript(statement, small_suite(), witnessed.transcript), "");
  statement.given.nonce = kOtherNonce;
  expect_in("expected the request",
            problem_of_transcript(statement, small_suite(), witnessed.transcript));
}

TEST(Witness, ANonceIsLongEnough) {
  EXPECT_TRUE(is_nonce(kNonce));
  for (const std::string_view text :
       {std::string_view(), kNonce.substr(2), std::string_view("00112233445566778899aabbccddeefg"),
        std::string_view("00112233445566778899AABBCCDDEEFF")})
    EXPECT_FALSE(is_nonce(text)) << text;
}

// --- Errata

std::string erratum(const std::string& more) {
  return "[[erratum]]\nid = \"E-001\"\ndate = \"2026-12-01\"\ncases = [\"decode/zero\"]\n"
         "wrong = \"Asked for a wrong scale.\"\n" +
         more;
}

TEST(Errata, ConcernCertificatesOfTheirSuitesAndRequirements) {
  Statement statement;
  statement.suite.cases = std::string(64, 'a');
  statement.followed.requirements = {{"XX-A-001", "conforms"}, {"XX-A-002", "not claimed"}};
  const std::string suites = fmt::format("suites = [\"{}\"]\n", statement.suite.cases);
  const auto concerned = [&](const std::string& more) {
    return errata_of(statement, read_errata("errata.toml", erratum(more)));
  };
  const std::string withdrawn = "treatment = \"withdrawn\"\n",
                    first = "requirements = [\"XX-A-001\"]\n";
  ASSERT_EQ(concerned(suites + withdrawn + first).size(), 1u);
  EXPECT_TRUE(concerned(suites + withdrawn + first)[0].is_withdrawn);
  expect_in("issued under a case since withdrawn: Asked",
            describe(concerned(suites + withdrawn + first)[0]));
  EXPECT_FALSE(concerned(suites + "treatment = \"stands\"\n" + first)[0].is_withdrawn);
  EXPECT_EQ(concerned(suites + withdrawn + "requirements = [\"XX-A-002\"]\n").size(), 0u);
  EXPECT_EQ(concerned("suites = [\"b\"]\n" + withdrawn + first).size(), 0u);
}

TEST(Errata, MistakesAreNamed) {
  const std::string rest = "suites = [\"a\"]\nrequirements = [\"b\"]\n";
  for (const auto& [content, message] : std::vector<std::pair<std::string, std::string>>{
           {erratum(rest), "E-001: `treatment` is withdrawn or stands"},
           {erratum(rest + "treatment = \"void\"\n"), "E-001: `treatment` is withdrawn or stands"},
           {erratum("suites = [\"a\"]\ntreatment = \"stands\"\n"), "are all needed"},
           {erratum(rest + "treatment = \"stands\"\nnote = \"\"\n"), "unknown key `note`"},
           {"", "no [[erratum]]"}}) {
    try {
      read_errata("errata.toml", content);
      ADD_FAILURE() << content;
    } catch (const SuiteError& error) {
      expect_in(message, error.what());
    }
  }
  EXPECT_EQ(read_errata("errata.toml", "erratum = []").size(), 0u);
  EXPECT_NO_THROW(load_errata());
}

}  // namespace
}  // namespace hurray::conformance
