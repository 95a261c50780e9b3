// SPDX-License-Identifier: Apache-2.0
//
// How is a sweep said on the wire? The request for a range and the digest that answers it; and
// single inputs by themselves, so that a finding can be shown and explained without a sweep.

#ifndef HURRAY_CONFORMANCE_SWEEP_REQUESTS_H
#define HURRAY_CONFORMANCE_SWEEP_REQUESTS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/judge.h"
#include "conformance/runner/sweep_reference.h"

namespace hurray::conformance {

// The request for a range, without its id.
std::string sweep_request(const SweepFunction& function, const SweepRange& range);

// What a target has to say in hello to be asked it.
std::string claims_for(const SweepFunction& function);
// The same for whoever fills the table of hurray_target.h, which the kit says it for.
std::string table_claims_for(const SweepFunction& function);

// The request about these inputs by themselves: verb `quantize`, `dequantize` or `ra8`.
std::string request_for(const SweepFunction& function, std::span<const std::uint32_t> inputs);
// The answer with these outputs, as expected_output has them.
std::string answer_with(const SweepFunction& function, std::span<const std::int64_t> outputs);

// The outputs in such an answer, as expected_output has them. Nothing if it is a refusal or does
// not have exactly as many as the request asks for.
std::optional<std::vector<std::int64_t>> outputs_in(const std::string& request, const Reply& reply);

// What a target gave for one range.
struct SweepAnswer {
  Outcome outcome = Outcome::kValue;
  std::uint64_t digest = 0;
  std::string detail;  // if the outcome is another
};
SweepAnswer read_sweep_reply(const Reply& reply);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_REQUESTS_H
