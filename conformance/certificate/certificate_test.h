// SPDX-License-Identifier: Apache-2.0
//
// A suite of a few cases, a target that answers it, and a certificate of both, made without any
// process: small enough to try every byte.

#ifndef HURRAY_CONFORMANCE_CERTIFICATE_TEST_H
#define HURRAY_CONFORMANCE_CERTIFICATE_TEST_H

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/envelope.h"
#include "conformance/certificate/kill_score.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

inline const Key& test_key() {
  static const Key kKey = Key::make();
  return kKey;
}

inline constexpr std::string_view kTestHello =
    "ok version=1 name=small contract=hurray types.decode=10,11 types.dequantize=10";

inline Case small_case(std::string name, const std::vector<std::string>& requests) {
  Case item{std::move(name), "Is wrong.", {}, {}};
  for (const std::string& each : requests)
    item.steps.push_back({each, expected_answers(read_request(each))});
  return item;
}

// Two profiles, of which both are needed.
inline Suite small_suite() {
  const std::string good = "bytes=010100000000003f0300000000000000";
  Suite suite;
  suite.cases = {
      small_case("decode/good", {"decode type=10 " + good}),
      small_case("decode/infinite", {"decode type=10 bytes=010100000000807f0300000000000000"}),
      small_case("decode/zero", {"decode type=10 bytes=01010000000000000000000000000000"}),
      small_case("dequantize/ends",
                 {"dequantize type=10 scale=3f000000 zero_point=3 count=2 q=80ff"}),
      small_case("dequantize/twice",
                 {"dequantize type=10 scale=3f000000 zero_point=3 count=1 q=05",
                  "dequantize type=10 scale=3f000000 zero_point=3 count=1 q=06"}),
      small_case("encode/good", {"encode type=10 scheme=1 scale=3f000000 zero_point=3"}),
  };
  const auto row = [](std::string id, std::vector<std::size_t> cases) {
    Requirement requirement;
    requirement.id = std::move(id);
    requirement.level = "MUST";
    requirement.rulings = {"A0" + requirement.id.substr(requirement.id.size() - 1)};
    requirement.cases = std::move(cases);
    return requirement;
  };
  suite.requirements = {row("XX-A-001", {0, 1, 2}), row("XX-A-002", {3, 4}), row("XX-A-003", {5})};
  suite.profiles = {{"reader", "Reads.", {"decode"}, {"decode"}, {0}, {}},
                    {"kernel", "Computes.", {"dequantize"}, {"dequantize"}, {1}, {}},
                    {"writer", "Writes.", {"encode"}, {"encode"}, {2}, {}}};
  suite.digest = load_kill_score().cases;
  return suite;
}

inline Claims small_claims(std::string_view hello = kTestHello) {
  std::string error;
  return *read_claims(*parse_answer_body(hello, error), error);
}

// Answers each request of the suite as it is expected.
inline Session right_session(const Suite& suite, const Claims& claims) {
  Session session;
  session.introduction = {{std::string(kHello), std::string(kTestHello)},
                          {std::string(kUnknownVerb), "unsupported"},
                          {unknown_key_probe(claims), "unsupported"}};
  for (const Case& item : suite.cases) {
    session.replies.emplace_back();
    for (const Step& step : item.steps)
      session.replies.back().push_back({Outcome::kValue, step.expect.front().answer, {}});
  }
  return session;
}

inline Judged judged_from(Suite suite, const Session& session) {
  Judged judged;
  judged.suite = std::move(suite);
  judged.claims = small_claims();
  judged.transcript = transcript_of(judged.suite, judged.claims, session);
  judged.target = judge_session(judged.suite, judged.claims, session);
  return judged;
}

inline Judged small_judged() {
  return judged_from(small_suite(), right_session(small_suite(), small_claims()));
}

inline Given small_given() {
  return {{{"libsmall.so", std::string(64, 'a')}},
          "2026-11-30",
          "small",
          "lib:./libsmall.so",
          "native",
          {},
          {},
          {"reader", "kernel"}};
}

// What is wrong with a certificate, or nothing.
inline std::string problem_of(std::string_view file, const Key& key = test_key()) {
  try {
    open_certificate(file, key);
  } catch (const Invalid& error) {
    return error.what();
  }
  return {};
}

inline std::string problem_of_transcript(const Statement& statement, const Suite& suite,
                                         std::string_view transcript) {
  try {
    check_transcript(statement, suite, transcript);
  } catch (const Invalid& error) {
    return error.what();
  }
  return {};
}

inline void expect_in(std::string_view part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "`" << part << "` is not in: " << text;
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CERTIFICATE_TEST_H
