// SPDX-License-Identifier: Apache-2.0
//
// What is the smallest input that still shows a failure? Asks the target again for the failing
// element alone, then for the elements up to it; keeps the first that fails (run.h).

#include <fmt/format.h>

#include "conformance/runner/minimize.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/run.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
std::optional<std::string> with_elements(const std::string& request, std::size_t first,
                                         std::size_t last) {
  const ReadRequest read = read_request(request);
  if (!read.quantizes() && !read.dequantizes()) return std::nullopt;
  std::string array;
  if (read.quantizes()) {
    array = floats_to_hex(std::span(read.floats).subspan(first, last - first + 1));
  } else {
    const StorageType type =
        read.is_ra8() ? StorageType::kInt8 : find_storage_type(read.type)->type;
    std::vector<std::int64_t> codes;
    for (std::size_t i = first; i <= last; ++i) {
      codes.push_back(read_element(type, read.bytes.data(), i));
    }
    Bytes packed(packed_bytes(type, codes.size()).value());
    pack(type, codes, packed.data());
    array = to_hex(packed);
  }
  return with_array(request, last - first + 1, array);
}

std::string with_array(const std::string& request, std::size_t count, const std::string& array) {
  const std::optional<Request> parsed = parse_request(request);
  std::string changed = parsed->verb;
  for (const auto& [key, value] : parsed->fields.all()) {
    const bool is_array = key == "q" || key == "in";
    changed += fmt::format(" {}={}", key,
                           key == "count" ? fmt::format("{}", count)
                           : is_array     ? array
                                          : value);
  }
  return changed;
}

namespace {

// Candidates from small to large.
std::vector<Case> smaller_cases(const Case& item, const Failure& failure) {
  std::vector<Case> candidates;
  if (item.steps.size() != 1 || !failure.element || failure.total <= 1) return candidates;
  const std::size_t element = *failure.element;
  for (const std::size_t first : {element, std::size_t{0}}) {
    if (first == 0 && element == 0 && !candidates.empty()) break;
    std::optional<std::string> request = with_elements(item.steps[0].request, first, element);
    if (!request) continue;
    Case smaller{item.name, item.why, {{*request, expected_answers(read_request(*request))}}, {}};
    candidates.push_back(std::move(smaller));
  }
  return candidates;
}

}  // namespace

void minimize_failures(const Suite& suite, const Candidate& candidate, TargetResult& target) {
  if (target.broken) return;
  std::vector<Case> candidates;
  std::vector<std::size_t> origins;  // case index of each candidate
  std::vector<bool> seen(suite.cases.size(), false);
  for (const RequirementResult& result : target.requirements) {
    if (result.failed.empty() || seen[result.failed.front()]) continue;
    const std::size_t index = result.failed.front();
    seen[index] = true;
    const CaseResult& failed = target.cases[index];
    if (!failed.failure || failed.failure->failure_class == "inconsistent") continue;
    for (Case& each : smaller_cases(suite.cases[index], *failed.failure)) {
      candidates.push_back(std::move(each));
      origins.push_back(index);
    }
  }
  if (candidates.empty()) return;

  std::vector<Question> questions;
  for (const Case& each : candidates) {
    questions.push_back({&each, static_cast<std::uint32_t>(10 + questions.size())});
  }
  std::vector<CaseResult> results(candidates.size());
  interview(candidate.attachment, questions, {candidate.limits, true, {}},
            [&](std::size_t i, std::vector<Reply> replies) {
              results[i] = judge(candidates[i], replies);
            });

  std::vector<bool> done(suite.cases.size(), false);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    CaseResult& original = target.cases[origins[i]];
    if (done[origins[i]] || results[i].verdict != original.verdict || !results[i].failure) continue;
    done[origins[i]] = true;
    // The class found over all elements says more than the one of a single element.
    std::string failure_class = std::move(original.failure->failure_class);
    const std::size_t differing = original.failure->differing;
    const std::size_t total = original.failure->total;
    original.failure = results[i].failure;
    original.failure->differing = differing;
    original.failure->total = total;
    if (failure_class != "unknown") original.failure->failure_class = std::move(failure_class);
  }
}

}  // namespace hurray::conformance
