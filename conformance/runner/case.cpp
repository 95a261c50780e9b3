// SPDX-License-Identifier: Apache-2.0
//
// Names and look-ups of case.h.

#include "conformance/runner/case.h"

#include <algorithm>

#include <fmt/format.h>

namespace hurray::conformance {

std::string_view name_of(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::kPass:
      return "pass";
    case CaseVerdict::kRecord:
      return "record";
    case CaseVerdict::kSkip:
      return "skip";
    case CaseVerdict::kNotRun:
      return "not run";
    case CaseVerdict::kWarn:
      return "warn";
    case CaseVerdict::kFail:
      return "fail";
  }
  return "?";
}

std::string_view name_of(Contract contract) {
  return contract == Contract::kHurray ? "hurray" : "ra8";
}

bool Requirement::gates() const {
  return level == "MUST" || level == "MUST NOT" || level == "(implied)" || level == "(recipe)" ||
         level == "(derived)" || level == "(example)";
}

bool Requirement::warns() const { return level == "SHOULD"; }

std::string Requirement::reason() const {
  if (!not_testable.empty()) return "not testable: " + not_testable;
  if (!compile_test.empty())
    return fmt::format("compile test: python3 {} --row {}", compile_test, id);
  if (one_implementation) return "describes one implementation only";
  return {};
}

std::string Requirement::group() const { return id.substr(0, id.rfind('-')); }

const Requirement* Suite::find_requirement(std::string_view id) const {
  const auto found = std::find_if(requirements.begin(), requirements.end(),
                                  [id](const Requirement& each) { return each.id == id; });
  return found == requirements.end() ? nullptr : &*found;
}

const Case* Suite::find_case(std::string_view name) const {
  const auto found = std::lower_bound(
      cases.begin(), cases.end(), name,
      [](const Case& each, std::string_view wanted) { return each.name < wanted; });
  return found == cases.end() || found->name != name ? nullptr : &*found;
}

std::vector<std::string> Suite::requirements_of(const Case& item) const {
  const std::size_t index = static_cast<std::size_t>(&item - cases.data());
  std::vector<std::string> ids;
  for (const Requirement& each : requirements) {
    if (std::binary_search(each.cases.begin(), each.cases.end(), index)) ids.push_back(each.id);
  }
  return ids;
}

}  // namespace hurray::conformance
