// SPDX-License-Identifier: Apache-2.0
//
// Does a quantizer agree with the reference on every binary32 of a range? Asks the target for
// digests of consecutive inputs (verb `sweep`) and halves a range whose digest is none of those
// that the rulings allow, until one input is left.

#ifndef HURRAY_CONFORMANCE_SWEEP_H
#define HURRAY_CONFORMANCE_SWEEP_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/interview.h"

namespace hurray::conformance {

// What is swept: a firmware function (`quantize_i8`), or quantizing to a storage type of the
// format.
struct SweepFunction {
  std::string function;   // of the firmware header; empty for the format's quantize
  std::uint8_t type = 0;  // storage type tag, if `function` is empty
  float scale = 1;        // above zero and finite
  std::int32_t zero_point = 0;
};

// Consecutive bit patterns. NaN patterns are left out: their result is not decided (R01).
struct SweepRange {
  std::uint32_t first = 0;
  std::uint64_t count = 0;
};

// A legal reading of the rulings, and its digest of a range.
struct SweepReading {
  std::string name;  // `quotient=binary32`
  std::uint64_t digest = 0;
};
// FNV-1a-64 of the reference's output bytes over a range without NaN patterns, for each reading.
std::vector<SweepReading> expected_digests(const SweepFunction& function, const SweepRange& range);

struct SweepResult {
  std::uint64_t inputs = 0;           // compared
  std::vector<std::string> readings;  // those that explain every block
  // The first input that none of them explains.
  std::optional<std::uint32_t> differing;
  std::int64_t expected = 0;
  std::optional<Broken> broken;  // the target could not be asked to the end
};

// Sweeps a range; `on_progress` gets the number of inputs done.
SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const std::function<void(std::uint64_t)>& on_progress);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_H
