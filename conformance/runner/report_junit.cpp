// SPDX-License-Identifier: Apache-2.0
//
// JUnit XML for CI systems, see report.h. No times in it: they live in run.json.

#include <fmt/format.h>

#include "conformance/runner/classify.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// XML 1.0 takes no control characters at all; text from a target may hold any.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : cleaned(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string outcome_element(const Suite& suite, const TargetResult& target,
                            const RequirementResult& result) {
  switch (result.verdict) {
    case RequirementVerdict::kViolated: {
      const CaseResult& first = target.cases[result.failed.front()];
      return fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n",
                         escaped(result.requirement->text),
                         escaped(first.failure ? first.failure->failure_class : "unknown"),
                         escaped(describe_failure(suite, target, result.failed.front(), {})));
    }
    case RequirementVerdict::kConforms:
    case RequirementVerdict::kRecorded:
      return {};
    case RequirementVerdict::kWarned:
      return fmt::format("      <system-out>{}</system-out>\n",
                         escaped(describe_failure(suite, target, result.failed.front(), {})));
    default: {
      const std::string reason = result.requirement->reason();
      return fmt::format("      <skipped message=\"{}\"/>\n",
                         escaped(reason.empty() ? std::string(name_of(result.verdict)) : reason));
    }
  }
}

}  // namespace

std::string junit_xml(const Suite& suite, const std::vector<TargetResult>& targets) {
  std::string suites;
  std::size_t all_tests = 0, all_failures = 0, all_errors = 0;
  for (const TargetResult& target : targets) {
    std::string cases;
    std::size_t failures = 0, skipped = 0, errors = 0;
    if (target.broken) {
      ++errors;
      cases += fmt::format(
          "    <testcase classname=\"{}\" name=\"target\">\n"
          "      <error message=\"{}\" type=\"broken\"/>\n    </testcase>\n",
          escaped(target.attachment.name), escaped(target.broken->reason));
    }
    for (const RequirementResult& each : target.requirements) {
      const std::string element = outcome_element(suite, target, each);
      failures += each.verdict == RequirementVerdict::kViolated;
      skipped += element.find("<skipped") != std::string::npos;
      cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}\n",
                           escaped(target.attachment.name), escaped(each.requirement->id),
                           element.empty() ? "/>" : ">");
      if (!element.empty()) cases += element + "    </testcase>\n";
    }
    const std::size_t tests = target.requirements.size() + errors;
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escaped(target.attachment.name), tests, failures, errors, skipped, cases);
    all_tests += tests;
    all_failures += failures;
    all_errors += errors;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"hurray-conformance\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n"
      "{}</testsuites>\n",
      all_tests, all_failures, all_errors, suites);
}

}  // namespace hurray::conformance
