// SPDX-License-Identifier: Apache-2.0
//
// Causes of findings, see sweep_class.h.

#include "conformance/runner/sweep_class.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "conformance/runner/judge.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/sweep_requests.h"

namespace hurray::conformance {
namespace {

std::string class_of_outputs(const SweepFunction& function, const std::vector<SweepInput>& inputs) {
  std::vector<std::uint32_t> bits;
  std::vector<std::int64_t> outputs;
  for (const SweepInput& each : inputs) {
    if (!each.got) continue;
    bits.push_back(each.bits);
    outputs.push_back(*each.got);
  }
  const std::string request = request_for(function, bits);
  const Case item{"sweep", "", {{request, expected_answers(read_request(request))}}, {}};
  const CaseResult result =
      judge(item, {Reply{Outcome::kValue, answer_with(function, outputs), {}}});
  return result.failure ? result.failure->failure_class : "unknown";
}

}  // namespace

std::vector<std::uint32_t> probes_of(const SweepFunction& function) {
  if (function.dequantizes()) return {};
  constexpr std::int64_t kEachUpTo = 64;
  const StorageTypeInfo& info = storage_of(function);
  std::vector<std::uint32_t> probes;
  for (std::int64_t k = 0; k <= info.max - info.min; k = k < kEachUpTo ? k + 1 : 2 * k) {
    const auto tie =
        static_cast<float>(static_cast<double>(function.scale) * (static_cast<double>(k) + 0.5));
    if (tie == 0 || !std::isfinite(tie)) continue;
    const auto bits = std::bit_cast<std::uint32_t>(tie);
    for (const std::uint32_t each : {bits - 1, bits, bits + 1}) {
      if (std::isnan(std::bit_cast<float>(each))) continue;
      probes.push_back(each);
      probes.push_back(each | 0x80000000);
    }
  }
  // Small scales have one float for several ties.
  std::ranges::sort(probes);
  probes.erase(std::unique(probes.begin(), probes.end()), probes.end());
  return probes;
}

std::string class_of_outputs(const SweepFunction& function, const std::vector<SweepInput>& inputs,
                             std::vector<SweepInput> probes) {
  probes.insert(probes.end(), inputs.begin(), inputs.end());
  const std::string with_probes = class_of_outputs(function, probes);
  // Where probes stand in the array means nothing.
  const bool explains = with_probes != "unknown" && with_probes != "tail";
  return explains ? with_probes : class_of_outputs(function, inputs);
}

std::string class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRejected:
      return "rejects-valid";
    case Outcome::kUnsupported:
      return "claims-what-it-lacks";
    case Outcome::kCrashed:
      return "crash";
    case Outcome::kTimedOut:
      return "hang";
    case Outcome::kGarbled:
      return "garbled-answer";
    case Outcome::kValue:
    case Outcome::kCode:
      break;
  }
  return "unknown";
}

}  // namespace hurray::conformance
