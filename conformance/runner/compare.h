// SPDX-License-Identifier: Apache-2.0
//
// How do implementations differ? Reads reports of runs (report.json) and puts their targets side by
// side: verdicts, requirements, choices, mistakes. Reports may come from anywhere and from other
// versions of the suite; what is no report is refused, and what is of another suite is said.

#ifndef HURRAY_CONFORMANCE_COMPARE_H
#define HURRAY_CONFORMANCE_COMPARE_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// A requirement as a report has it.
struct ComparedRequirement {
  std::string verdict;
  std::size_t asked = 0, failed = 0;
  std::string failure_class, case_name, expected, got;  // of the first that failed, or empty
};

// A target of a report.
struct ComparedTarget {
  std::string name;
  std::string file;  // the report that has it
  std::string verdict, reason;
  std::string suite_version, suite_digest;
  bool strict = false;
  std::vector<std::string> contracts;
  std::map<std::string, std::string> behaviours;
  std::map<std::string, std::string> profiles;  // name → verdict
  std::map<std::string, ComparedRequirement> requirements;
  std::vector<std::string> order;  // ids, as the report has them

  std::size_t count(std::string_view verdict) const;
};

// The targets of a report. Throws UsageError: no JSON, no report, another shape; `file` is for
// messages.
std::vector<ComparedTarget> read_report(std::string_view file, std::string_view content);

// Makes names distinct: two targets of one name get their files behind them.
void tell_apart(std::vector<ComparedTarget>& targets);

// Ids of all requirements, in the order of the reports.
std::vector<std::string> all_requirements(const std::vector<ComparedTarget>& targets);

// A sentence for each way in which the reports are no comparison of like with like.
std::vector<std::string> differing_suites(const std::vector<ComparedTarget>& targets);

std::string comparison_text(const std::vector<ComparedTarget>& targets);
// compare_html.cpp: a page that needs nothing else.
std::string comparison_html(const std::vector<ComparedTarget>& targets);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_COMPARE_H
