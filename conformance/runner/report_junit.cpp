// SPDX-License-Identifier: Apache-2.0
//
// JUnit XML for CI systems, see report.h. No times in it: they live in run.json.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/classify.h"
#include "conformance/runner/expectation.h"
#include "conformance/runner/known.h"
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
                            const RequirementResult& result, const KnownDeviation* known) {
  switch (result.verdict) {
    case RequirementVerdict::kViolated: {
      if (known) {
        return fmt::format("      <skipped message=\"known deviation: {}\"/>\n",
                           escaped(known->reason));
      }
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

struct Counted {
  std::string cases;  // test cases in XML
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string test_case(std::string_view class_name, std::string_view name,
                      const std::string& element) {
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\"{}", escaped(class_name), escaped(name),
      element.empty() ? std::string("/>\n") : fmt::format(">\n{}    </testcase>\n", element));
}

Counted requirement_by_requirement(const Suite& suite, const TargetResult& target,
                                   const KnownGate* known, std::size_t number) {
  Counted counted;
  if (target.broken) {
    ++counted.errors;
    counted.cases += test_case(target.attachment.name, "target",
                               fmt::format("      <error message=\"{}\" type=\"broken\"/>\n",
                                           escaped(target.broken->reason)));
  }
  for (const RequirementResult& each : target.requirements) {
    const KnownDeviation* entry = known ? known->entry_of(number, each) : nullptr;
    const std::string element = outcome_element(suite, target, each, entry);
    counted.failures += element.starts_with("      <failure");
    counted.skipped += element.starts_with("      <skipped");
    counted.cases += test_case(target.attachment.name, each.requirement->id, element);
  }
  counted.tests = target.requirements.size() + counted.errors;
  return counted;
}

Counted as_meant(const MeantTarget& meant, const TargetResult& target) {
  const std::vector<std::string> unmet = unmet_expectations({meant}, {target});
  Counted counted;
  counted.tests = 1;
  counted.failures = unmet.empty() ? 0 : 1;
  counted.cases = test_case(
      target.attachment.name, "is " + meant.verdict + " as meant",
      unmet.empty() ? ""
                    : fmt::format("      <failure message=\"{}\" type=\"not as meant\"/>\n",
                                  escaped(fmt::format("{}", fmt::join(unmet, "; ")))));
  return counted;
}

// A test case for each thing that is not as the list says; one that passes if there is none.
Counted as_known(const KnownGate& known) {
  constexpr std::string_view kClass = "known deviations";
  Counted counted;
  for (const std::string& each : known.problems) {
    counted.cases += test_case(
        kClass, each,
        fmt::format("      <failure message=\"{}\" type=\"not as known\"/>\n", escaped(each)));
  }
  counted.failures = counted.tests = known.problems.size();
  if (counted.tests == 0) {
    counted.tests = 1;
    counted.cases = test_case(kClass, "all is as " + known.file + " says", {});
  }
  return counted;
}

}  // namespace

std::string junit_xml(const Suite& suite, const std::vector<TargetResult>& targets,
                      const std::vector<MeantTarget>& meant, const KnownGate* known) {
  std::string suites;
  Counted all;
  const auto add = [&](std::string_view name, const Counted& counted) {
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escaped(name), counted.tests, counted.failures, counted.errors, counted.skipped,
        counted.cases);
    all.tests += counted.tests;
    all.failures += counted.failures;
    all.errors += counted.errors;
    all.skipped += counted.skipped;
  };
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const TargetResult& target = targets[t];
    const auto wanted = std::find_if(meant.begin(), meant.end(), [&](const MeantTarget& each) {
      return each.name == target.attachment.name;
    });
    const Counted counted =
        wanted != meant.end() && wanted->verdict != name_of(TargetVerdict::kConformant)
            ? as_meant(*wanted, target)
            : requirement_by_requirement(suite, target, known, t);
    add(target.attachment.name, counted);
  }
  if (known) add("known deviations", as_known(*known));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"hurray-conformance\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\">\n{}</testsuites>\n",
      all.tests, all.failures, all.errors, all.skipped, suites);
}

}  // namespace hurray::conformance
