// SPDX-License-Identifier: Apache-2.0
//
// What lies around a counter-example? Asks a target once more, for the pictures of report.html: a
// quantizer about the inputs on both sides of the one that failed, a dequantizer about all codes of
// the type, a writer for all bytes that it wrote (run.h). Nothing of it is judged.

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "conformance/runner/elements.h"
#include "conformance/runner/minimize.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/run.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr int kStepsAround = 3;
constexpr int kSamplesPerStep = 8;
constexpr std::int64_t kMostCodes = 256;
// A page has few counter-examples; a target that does everything wrong is asked no more.
constexpr std::size_t kMostPictures = 40;

// Ascending, with the input itself and the ties around it.
Floats inputs_around(float input, float scale) {
  const double step = std::abs(static_cast<double>(scale));
  std::set<float> inputs;
  const auto add = [&](double value) {
    const auto rounded = static_cast<float>(value);
    if (std::isfinite(rounded)) inputs.insert(rounded);
  };
  add(input);
  for (int i = -kStepsAround * kSamplesPerStep; i <= kStepsAround * kSamplesPerStep; ++i) {
    add(input + i * step / kSamplesPerStep);
  }
  const double nearest = std::floor(input / step);
  for (int i = -kStepsAround; i <= kStepsAround; ++i) add((nearest + i + 0.5) * step);
  return {inputs.begin(), inputs.end()};
}

std::optional<std::string> around_input(const ReadRequest& request, const Failure& failure) {
  const std::size_t element = failure.element.value_or(SIZE_MAX);
  if (element >= request.floats.size()) return std::nullopt;
  const float input = request.floats[element];
  const bool can_be_drawn = std::isfinite(input) && std::isfinite(request.scale) &&
                            std::abs(request.scale) >= 1e-30f &&
                            std::abs(input / request.scale) < 1e6f;
  if (!can_be_drawn) return std::nullopt;
  const Floats inputs = inputs_around(input, request.scale);
  return with_array(failure.request, inputs.size(), floats_to_hex(inputs));
}

std::optional<std::string> all_codes(const ReadRequest& request, const Failure& failure) {
  const StorageTypeInfo* info = storage_type_of(request);
  if (!info || !failure.element) return std::nullopt;
  const std::int64_t range = info->max - info->min + 1;
  const std::int64_t count = std::min(range, kMostCodes);
  std::vector<std::int64_t> codes;
  for (std::int64_t i = 0; i < count; ++i) {
    codes.push_back(info->min + i * (range - 1) / std::max<std::int64_t>(count - 1, 1));
  }
  Bytes packed(packed_bytes(info->type, codes.size()).value());
  pack(info->type, codes, packed.data());
  return with_array(failure.request, codes.size(), to_hex(packed));
}

// What to ask beside a counter-example, if anything.
std::optional<std::string> question_beside(const Case& item, const CaseResult& result) {
  const bool is_plain = item.steps.size() == 1 && result.outcome == Outcome::kValue &&
                        result.failure && result.failure->contradicts.empty();
  if (!is_plain) return std::nullopt;
  const ReadRequest request = read_request(result.failure->request);
  if (request.null_in || request.null_out) return std::nullopt;
  if (request.quantizes()) return around_input(request, *result.failure);
  if (request.dequantizes()) return all_codes(request, *result.failure);
  if (request.verb.starts_with("encode")) return result.failure->request;
  return std::nullopt;
}

}  // namespace

void take_pictures(const Suite& suite, const Candidate& candidate, TargetResult& target) {
  if (target.broken) return;
  std::vector<Case> cases;
  std::vector<std::size_t> origins;
  std::set<std::size_t> seen;
  for (const RequirementResult& each : target.requirements) {
    const bool is_shown = each.verdict == RequirementVerdict::kViolated ||
                          each.verdict == RequirementVerdict::kWarned;
    if (!is_shown || each.failed.empty() || cases.size() == kMostPictures) continue;
    const std::size_t index = each.failed.front();
    if (!seen.insert(index).second) continue;
    const Case& item = suite.cases[index];
    const std::optional<std::string> request = question_beside(item, target.cases[index]);
    if (!request) continue;
    cases.push_back(
        {item.name, item.why, {{*request, expected_answers(read_request(*request))}}, {}});
    origins.push_back(index);
  }
  if (cases.empty()) return;
  std::vector<Question> questions;
  for (const Case& each : cases) {
    questions.push_back({&each, static_cast<std::uint32_t>(kFirstCaseId + questions.size())});
  }
  interview(candidate.attachment, questions, {candidate.limits, true, {}},
            [&](std::size_t i, std::vector<Reply> replies) {
              if (replies.empty() || replies.front().outcome != Outcome::kValue) return;
              const Step& step = cases[i].steps.front();
              target.pictures[origins[i]] = {step.request, step.expect, replies.front().body};
            });
}

}  // namespace hurray::conformance
