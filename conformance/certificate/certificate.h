// SPDX-License-Identifier: Apache-2.0
//
// From a target to a certificate, and from a certificate back to what it rests on: judging in a way
// that leaves a transcript, deciding whether there is anything to certify, and checking what
// somebody else has issued without the target.

#ifndef HURRAY_CONFORMANCE_CERTIFICATE_H
#define HURRAY_CONFORMANCE_CERTIFICATE_H

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/signing.h"
#include "conformance/certificate/statement.h"
#include "conformance/certificate/transcript.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// A certificate of another suite than this program has: its verdicts cannot be had again here.
class OtherSuite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A target with everything that it was asked and answered.
struct Judged {
  Suite suite;  // with the drawn cases, if there is a nonce
  Claims claims;
  std::string transcript;
  TargetResult target;
};

struct JudgeOptions {
  std::string nonce;  // empty: the public cases alone
  unsigned jobs = 0;
  std::function<void(std::size_t, std::size_t)> on_progress = {};
};

// Asks the target. Of one that is broken, `target` alone says why. Throws SuiteError if what was
// recorded does not lead to the verdicts that were found.
Judged judge_live(Suite suite, const Candidate& candidate, const JudgeOptions& options);

// Judges the answers that a lab has sent, see read_answers(). Throws Invalid.
Judged judge_answers(Suite suite, std::string_view answers, std::string_view nonce);

// The profiles that can be certified: `wanted`, or all that are claimed and complete. `refusal`
// says why there is no certificate, and is empty if there is one.
std::vector<std::string> certified_profiles(const TargetResult& target,
                                            const std::vector<std::string>& wanted,
                                            std::string& refusal);

// The file. Throws SuiteError if the kill score is of other cases.
std::string issue(const Judged& judged, Given given, const Key& key);

// What the owner of `key` has certified. Throws Invalid.
Statement open_certificate(std::string_view file, const Key& key);

// Throws OtherSuite.
void check_suite(const Statement& statement, const Suite& suite);

// Judges what was recorded, and compares. Throws Invalid: another transcript, one that was not made
// by this suite, or one from which something else follows.
void check_transcript(const Statement& statement, Suite suite, std::string_view transcript);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CERTIFICATE_H
