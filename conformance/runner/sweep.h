// SPDX-License-Identifier: Apache-2.0
//
// Does a quantizer agree with the reference on every binary32 of a range? Asks the target for
// digests of consecutive inputs (verb `sweep`) and takes apart the first block whose digest is none
// of those that the rulings allow, until one input is left.

#ifndef HURRAY_CONFORMANCE_SWEEP_H
#define HURRAY_CONFORMANCE_SWEEP_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/judge.h"
#include "conformance/runner/sweep_reference.h"

namespace hurray::conformance {

// The request for a range, without its id.
std::string sweep_request(const SweepFunction& function, const SweepRange& range);

// The request that quantizes these inputs by themselves: verb `quantize`, or `ra8`.
std::string quantize_request(const SweepFunction& function, std::span<const std::uint32_t> inputs);

struct SweepInput {
  std::uint32_t bits = 0;
  std::vector<std::int64_t> expected;  // by the readings that explain all inputs before the finding
  std::optional<std::int64_t> got;     // nothing if it gave no single code
};

// The first thing that is not as the reference has it.
struct SweepFinding {
  // kValue: a wrong code. kRejected, kUnsupported, kCrashed, kTimedOut: no digest.
  Outcome outcome = Outcome::kValue;
  // The smallest range that shows it, in general one input. A range is left if its parts do not
  // show it by themselves, or if it is a silence, which would cost a time limit per part.
  SweepRange where;
  std::string detail;         // how it crashed, what it answered
  std::string failure_class;  // the likely cause, see classify.h
  // Of a wrong code: the input between its neighbours, as far as they are no NaN.
  std::vector<SweepInput> inputs;
  // Class `inconsistent`: readings that explain the input, but not those before it.
  std::vector<std::string> readings_here;
};

struct SweepResult {
  std::uint64_t inputs = 0;             // compared, before the finding if there is one
  std::vector<std::string> readings;    // those that explain all of them
  std::optional<SweepFinding> finding;  // nothing: all as the reference
  // What the target would have to claim; nothing was compared.
  std::optional<std::string> not_claimed;
  std::optional<Broken> broken;  // the target does not follow the protocol
};

// Sweeps a range, NaN patterns left out; `on_progress` gets the number of inputs done.
SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const std::function<void(std::uint64_t)>& on_progress);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_H
