// SPDX-License-Identifier: Apache-2.0
//
// Does a change anywhere in a certificate or its transcript show, with a reason? And does what
// somebody else signed have to follow from the answers?

#include "conformance/certificate/certificate_test.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/certificate/witness.h"

namespace hurray::conformance {
namespace {

// --- As it is

TEST(Certificate, IsValidAndSaysWhatWasJudged) {
  const Judged judged = small_judged();
  const std::string file = issue(judged, small_given(), test_key());
  ASSERT_EQ(problem_of(file), "");
  const Statement statement = open_certificate(file, test_key());
  EXPECT_EQ(problem_of_transcript(statement, small_suite(), judged.transcript), "");
  EXPECT_NO_THROW(check_suite(statement, small_suite()));
  EXPECT_EQ(statement.given, small_given());
  const std::map<std::string, std::string> profiles = {{"kernel", "conformant"},
                                                       {"reader", "conformant"}};
  EXPECT_EQ(statement.followed.profiles, profiles);
  const std::map<std::string, std::string> requirements = {
      {"XX-A-001", "conforms"}, {"XX-A-002", "conforms"}, {"XX-A-003", "not claimed"}};
  EXPECT_EQ(statement.followed.requirements, requirements);
  EXPECT_EQ(statement.followed.rulings, (std::vector<std::string>{"A01", "A02"}));
  EXPECT_EQ(statement.followed.cases, 5u);
  EXPECT_EQ(statement.followed.transcript, sha256_of(judged.transcript));
}

TEST(Certificate, TheSameIsIssuedAgainToTheByte) {
  EXPECT_EQ(issue(small_judged(), small_given(), test_key()),
            issue(small_judged(), small_given(), test_key()));
}

// --- Every byte

TEST(Certificate, NoByteOfItCanBeChangedLeftOutOrRepeated) {
  const std::string file = issue(small_judged(), small_given(), test_key());
  ASSERT_GT(file.size(), 1000u);
  for (std::size_t i = 0; i < file.size(); ++i) {
    std::string changed = file;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_NE(problem_of(changed), "") << "byte " << i;
    changed[i] = static_cast<char>(file[i] ^ 0x20);
    EXPECT_NE(problem_of(changed), "") << "byte " << i;
    EXPECT_NE(problem_of(file.substr(0, i) + file.substr(i + 1)), "") << "without byte " << i;
    EXPECT_NE(problem_of(file.substr(0, i) + file[i] + file.substr(i)), "") << "twice " << i;
    EXPECT_NE(problem_of(file.substr(0, i)), "") << "cut at " << i;
  }
  EXPECT_NE(problem_of(file + "\n"), "");
  EXPECT_NE(problem_of(" " + file), "");
}

TEST(Certificate, NoByteOfTheTranscriptCanBeChangedLeftOutOrRepeated) {
  const Judged judged = small_judged();
  const Statement statement =
      open_certificate(issue(judged, small_given(), test_key()), test_key());
  const Suite suite = small_suite();
  const std::string& text = judged.transcript;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    for (const std::string& each :
         {changed, text.substr(0, i) + text.substr(i + 1),
          text.substr(0, i) + text[i] + text.substr(i), text.substr(0, i)})
      expect_in("not the one that was certified", problem_of_transcript(statement, suite, each));
  }
}

// An issuer who signs a transcript that he has changed: each change either does not matter to any
// verdict, as a hint for people, or is told; and nothing crashes.
TEST(Certificate, AForgedTranscriptIsTold) {
  const Judged judged = small_judged();
  Statement statement = open_certificate(issue(judged, small_given(), test_key()), test_key());
  const Suite suite = small_suite();
  const std::string& text = judged.transcript;
  std::size_t told = 0, tried = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {static_cast<char>(text[i] ^ 1), '\n', ' ', '\0', '\xff', '9', '='}) {
      std::string changed = text;
      changed[i] = c;
      statement.followed.transcript = sha256_of(changed);
      told += !problem_of_transcript(statement, suite, changed).empty();
      ++tried;
    }
  }
  // What may change: names that are not compared, and characters that were these already.
  EXPECT_GT(told, tried * 9 / 10);
}

// --- What somebody signed

// As if the issuer had written something else before signing.
std::string problem_of_claim(void (*change)(Statement&)) {
  const Judged judged = small_judged();
  Statement statement = open_certificate(issue(judged, small_given(), test_key()), test_key());
  change(statement);
  const std::string file = seal(to_text(statement), test_key());
  if (std::string problem = problem_of(file); !problem.empty()) return problem;
  return problem_of_transcript(open_certificate(file, test_key()), small_suite(),
                               judged.transcript);
}

TEST(Certificate, WhatDoesNotFollowFromTheAnswersIsTold) {
  EXPECT_EQ(problem_of_claim([](Statement&) {}), "");
  expect_in("profile writer it says \"conformant\"; the answers show nothing",
            problem_of_claim([](Statement& s) { s.followed.profiles["writer"] = "conformant"; }));
  expect_in(
      "requirement XX-A-003 it says \"conforms\"; the answers show \"not claimed\"",
      problem_of_claim([](Statement& s) { s.followed.requirements["XX-A-003"] = "conforms"; }));
  expect_in("requirement XX-A-001 it says nothing",
            problem_of_claim([](Statement& s) { s.followed.requirements.erase("XX-A-001"); }));
  expect_in("behaviour subnormals it says \"flush\"",
            problem_of_claim([](Statement& s) { s.followed.behaviours["subnormals"] = "flush"; }));
  expect_in("the rulings A01; the requirements",
            problem_of_claim([](Statement& s) { s.followed.rulings = {"A01"}; }));
  expect_in("entry cases it says \"6\"; the answers show \"5\"",
            problem_of_claim([](Statement& s) { ++s.followed.cases; }));
  expect_in("entry drawn cases",
            problem_of_claim([](Statement& s) { s.followed.witnessed = 3000; }));
  expect_in("entry calls itself",
            problem_of_claim([](Statement& s) { s.followed.calls_itself = "large"; }));
  expect_in("certifies writer",
            problem_of_claim([](Statement& s) { s.given.certifies = {"writer"}; }));
  expect_in("certifies no profile",
            problem_of_claim([](Statement& s) { s.given.certifies.clear(); }));
  // A self-run that is said to be witnessed: the drawn cases are missing.
  expect_in("witness/00000", problem_of_claim([](Statement& s) {
              s.given.nonce = "00112233445566778899aabbccddeeff";
            }));
}

// Beyond what a message shows of a text, too.
TEST(Certificate, ALongNameIsComparedToItsEnd) {
  Followed said, found;
  said.calls_itself = std::string(70, 'x') + "this";
  found.calls_itself = std::string(70, 'x') + "that";
  expect_in("calls itself", difference(said, found));
  said = found;
  said.claims["max_line"] = "4096";
  expect_in("of the claim max_line it says \"4096\"", difference(said, found));
  said = found;
  said.too_long = 1;
  expect_in("too long", difference(said, found));
  EXPECT_EQ(difference(found, found), "");
}

TEST(Certificate, SaysWhatIsClaimedAndWhatItsLengthAloneKeptFromBeingAsked) {
  Suite suite = small_suite();
  for (const std::size_t i : {3, 5}) suite.cases[i].steps[0].request += std::string(8192, '0');
  TargetResult target;
  target.claims = small_claims(std::string(kTestHello) + " max_line=4096");
  plan_cases(suite, std::vector<bool>(suite.cases.size(), true), target);
  ASSERT_EQ(target.cases[5].skip_reason, "encode is not claimed");
  const Followed followed = followed_from(suite, target, "");
  EXPECT_EQ(followed.too_long, 1u);
  // Scheme and layout are those of who names none (PROTOCOL.md).
  const std::map<std::string, std::string> claims = {
      {"contract", "hurray"}, {"layouts", "1"},          {"max_line", "4096"},
      {"schemes", "1"},       {"types.decode", "10,11"}, {"types.dequantize", "10"}};
  EXPECT_EQ(followed.claims, claims);
}

TEST(Certificate, NoTextCanPassForALineOfTheReader) {
  const auto line_break = [](Statement& it) { it.given.target = "mine\n  witness  3000 cases"; };
  expect_in("line breaks", problem_of_claim(line_break));
  expect_in("line breaks", problem_of_claim([](Statement& it) { it.given.machine["a\nb"] = ""; }));
  expect_in("no day", problem_of_claim([](Statement& it) { it.given.issued = "2026-02-30"; }));
  expect_in("no day", problem_of_claim([](Statement& it) { it.given.issued = "2026-2-3"; }));
}

TEST(Certificate, AProfileIsCertifiedOnceAndIsOneOfTheSuite) {
  expect_in("twice", problem_of_claim([](Statement& it) {
              it.given.certifies.push_back(it.given.certifies.front());
            }));
  Statement statement =
      open_certificate(issue(small_judged(), small_given(), test_key()), test_key());
  statement.followed.profiles["ISO-9001"] = "conformant";
  EXPECT_THROW(check_suite(statement, small_suite()), Invalid);
}

TEST(Certificate, OfAnotherSuiteNothingIsRecomputed) {
  const Statement statement =
      open_certificate(issue(small_judged(), small_given(), test_key()), test_key());
  Suite other = small_suite();
  other.digest = std::string(64, '0');
  try {
    check_suite(statement, other);
    FAIL();
  } catch (const OtherSuite& error) {
    expect_in("with the cases", error.what());
    expect_in(other.digest, error.what());
  }
}

TEST(Certificate, IsNotIssuedWithTheKillScoreOfOtherCases) {
  Judged judged = small_judged();
  judged.suite.digest = std::string(64, '0');
  EXPECT_THROW(issue(judged, small_given(), test_key()), SuiteError);
}

// --- What there is to certify

std::string refusal_for(std::size_t wrong_case, const std::vector<std::string>& wanted) {
  const Suite suite = small_suite();
  Session session = right_session(suite, small_claims());
  if (wrong_case < suite.cases.size()) {
    for (Reply& each : session.replies[wrong_case]) each.body = "reject";
  }
  const Judged judged = judged_from(suite, session);
  std::string refusal;
  const std::vector<std::string> profiles = certified_profiles(judged.target, wanted, refusal);
  EXPECT_EQ(profiles.empty(), !refusal.empty());
  return refusal.empty() ? fmt::format("{}", fmt::join(profiles, " ")) : refusal;
}

TEST(Certificate, CertifiesWhatIsConformant) {
  EXPECT_EQ(refusal_for(99, {}), "reader kernel");
  EXPECT_EQ(refusal_for(99, {"kernel"}), "kernel");
  EXPECT_EQ(refusal_for(99, {"writer"}), "writer is not claimed");
  EXPECT_EQ(refusal_for(99, {"writer", "reader"}), "writer is not claimed");
}

TEST(Certificate, RefusesBesideAViolationUnlessAskedForAnotherProfile) {
  constexpr std::size_t kGoodDescriptor = 0;
  expect_in("reader is non-conformant (violated: XX-A-001)", refusal_for(kGoodDescriptor, {}));
  expect_in("reader is non-conformant", refusal_for(kGoodDescriptor, {"reader", "kernel"}));
  EXPECT_EQ(refusal_for(kGoodDescriptor, {"kernel"}), "kernel");
}

}  // namespace
}  // namespace hurray::conformance
