// SPDX-License-Identifier: Apache-2.0
//
// Is this answer one of those that may be given? Compares what a target replied to each step of a
// case with the alternatives, by bits, with the exceptions that the rulings name.

#ifndef HURRAY_CONFORMANCE_JUDGE_H
#define HURRAY_CONFORMANCE_JUDGE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

// What a target did with a request.
enum class Outcome { kValue, kRejected, kCode, kUnsupported, kCrashed, kTimedOut, kGarbled };
std::string_view name_of(Outcome outcome);

struct Reply {
  Outcome outcome = Outcome::kValue;
  std::string body;    // the answer without its id, if there is one
  std::string detail;  // how it crashed, what was garbled
};

// The first thing that differs, for people.
struct Failure {
  std::size_t step = 0;       // index of the step in the case
  std::string request;        // the request line that shows it
  std::string expected, got;  // the element, or the whole answer if no single element differs
  std::optional<std::size_t> element;
  std::string input;     // what the element was made from
  std::string distance;  // in ulps, codes or bytes
  std::size_t differing = 0, total = 0;
  std::string contradicts;    // the name of the case that shows the other choice, if one does
  std::string failure_class;  // the likely cause, see classify.h
};
// How `expected` ends where a case contradicts itself; in front of it stands the behaviour.
inline constexpr std::string_view kAsEarlier = " as in the earlier request of the case";

struct CaseResult {
  CaseVerdict verdict = CaseVerdict::kNotRun;
  Outcome outcome = Outcome::kValue;  // of the step that decided
  Shows shows;                        // what the case tells about open behaviours
  std::optional<Failure> failure;     // for fail and warn
  std::string skip_reason;
  std::uint64_t fingerprint = 0;  // of what was got; only of a case that may count against a target
};

// `replies` has one entry per step, or ends at the first step that crashed, timed out or was
// garbled. Throws SuiteError if it ends without such a reason.
CaseResult judge(const Case& item, const std::vector<Reply>& replies);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_JUDGE_H
