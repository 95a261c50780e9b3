// SPDX-License-Identifier: Apache-2.0
//
// Does a quantizer agree with the reference on every binary32 of a range, or a dequantizer on every
// code? Asks the target for digests of consecutive inputs (verb `sweep`) and takes apart the first
// block whose digest is none of those that the rulings allow, until one input is left.

#ifndef HURRAY_CONFORMANCE_SWEEP_H
#define HURRAY_CONFORMANCE_SWEEP_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/judge.h"
#include "conformance/runner/sweep_reference.h"
#include "conformance/runner/sweep_requests.h"

namespace hurray::conformance {

struct SweepInput {
  std::uint32_t bits = 0;
  // As expected_output, by the readings that explain all inputs before the finding.
  std::vector<std::int64_t> expected;
  std::optional<std::int64_t> got;  // nothing if it gave no single output

  bool operator==(const SweepInput&) const = default;
};

// Inputs of a plain call that shows what single inputs do not.
inline constexpr std::uint64_t kMostInOneCall = 65536;

// The first thing that is not as the reference has it.
struct SweepFinding {
  // kValue: a wrong output. kRejected, kUnsupported, kCrashed, kTimedOut: no digest.
  Outcome outcome = Outcome::kValue;
  // The smallest range that shows it, in general one input. A range is left if its parts do not
  // show it by themselves, or if it is a silence, which would cost a time limit per part.
  SweepRange where;
  std::string detail;         // how it crashed, what it answered
  std::string failure_class;  // the likely cause, see classify.h
  // `where` has several inputs, each of which is right by itself, and this is the first that is
  // wrong in one plain call with all of them: a fault of the vector body, say. Nothing if no such
  // call was made (not claimed, more inputs than kMostInOneCall), or if it was right.
  std::optional<std::uint32_t> in_one_call;
  // Of a wrong output: the input between its neighbours, as far as they are no NaN; of in_one_call
  // all from the same call.
  std::vector<SweepInput> inputs;
  // Class `inconsistent`: readings that explain the input, but not those before it.
  std::vector<std::string> readings_here;

  bool operator==(const SweepFinding&) const = default;
};

struct SweepResult {
  std::uint64_t inputs = 0;             // compared, before the finding if there is one
  std::vector<std::string> readings;    // those that explain all of them
  std::optional<SweepFinding> finding;  // nothing: all as the reference
  // What the target would have to claim; nothing was compared.
  std::optional<std::string> not_claimed;
  std::optional<Broken> broken;  // the target does not follow the protocol
};

struct SweepOptions {
  std::uint64_t inputs_per_block = kInputsPerBlock;
  // Gets the number of inputs done. May be empty.
  std::function<void(std::uint64_t)> on_progress = {};
  // Asked between blocks; what is not asked then counts as nothing. May be empty.
  std::function<bool()> should_stop = {};
  // Names of the readings that are still possible; empty: all.
  std::vector<std::string> readings = {};
  // Of an earlier introduction of the same target. Null: it is introduced here.
  const Claims* claims = nullptr;
};

// Sweeps a range, NaN patterns left out.
SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const SweepOptions& options = {});

// What a target would have to claim for this, or nothing.
std::optional<std::string> reason_not_to_sweep(const Claims& claims, const SweepFunction& function);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_H
