// SPDX-License-Identifier: Apache-2.0
//
// What comes out of a run? A text for the terminal, report.json (the same bytes for the same
// inputs), run.json (when, where, how long), junit.xml, report.sarif, summary.md and report.html.
// REPORTS.md says who reads what.

#ifndef HURRAY_CONFORMANCE_REPORT_H
#define HURRAY_CONFORMANCE_REPORT_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/run.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {

inline constexpr std::string_view kSuiteVersion = HURRAY_SUITE_VERSION;

struct KnownGate;

// What a report is made with, beside the results.
struct ReportOptions {
  bool strict = false;
  std::vector<MeantTarget> meant;
  const KnownGate* known = nullptr;  // what a list of known deviations says of the run
  std::string source;  // file of the repository at which code scanning shows what is wrong
};

// --- report_text.cpp

struct TextStyle {
  bool color = false;
};
// Requirements that cases have judged: of a group, or of all.
struct Counts {
  std::size_t held = 0, judged = 0, warned = 0;  // what is warned holds as well
};
Counts counts_of(const TargetResult& target, std::string_view group = {});
// Every violated or warned requirement of a target with its first counter-example. Of those that
// are known, only their reasons (by id).
std::string describe_findings(const Suite& suite, const TargetResult& target,
                              const TextStyle& style,
                              const std::map<std::string, std::string>& known = {});
// Targets down, requirement groups across, the verdict last.
std::string verdict_table(const std::vector<TargetResult>& targets, const TextStyle& style);
// The profiles of the suite, a line each.
std::string profiles_text(const Suite& suite);
// One failure with everything that helps: input, expected, got, class, replay command, C lines.
std::string describe_failure(const Suite& suite, const TargetResult& target, std::size_t case_index,
                             const TextStyle& style);
// A shell command that shows the failure again, with the case that it contradicts if there is one.
std::string replay_line(const std::string& attachment, const TargetResult& target, const Case& item,
                        const Failure& failure);

// --- report_json.cpp

std::string report_json(const Suite& suite, const std::vector<TargetResult>& targets, bool strict,
                        const KnownGate* known = nullptr);

struct RunRecord {
  std::string started;  // ISO 8601, UTC
  double seconds = 0;
  std::string host;
  unsigned jobs = 0;
  std::vector<std::string> command;
};
std::string run_json(const RunRecord& record, const Suite& suite,
                     const std::vector<TargetResult>& targets);

std::string requirements_json(const Suite& suite);
std::string cases_json(const Suite& suite);
std::string profiles_json(const Suite& suite);
// Attachments of the builtin targets.
std::string targets_json(const std::vector<std::string>& builtin_names);

// --- report_junit.cpp

// One test suite per target, one test case per requirement. For a target that is meant to be
// anything but conformant, a single test case: is it as meant? What is known is skipped with its
// reason; whether the list is right is a test suite of its own.
std::string junit_xml(const Suite& suite, const std::vector<TargetResult>& targets,
                      const std::vector<MeantTarget>& meant = {}, const KnownGate* known = nullptr);

// --- report_sarif.cpp

std::string sarif(const Suite& suite, const std::vector<TargetResult>& targets,
                  const ReportOptions& options);

// --- report_markdown.cpp

std::string summary_markdown(const Suite& suite, const std::vector<TargetResult>& targets,
                             const ReportOptions& options);

// --- report_html.cpp

// A page that needs nothing else.
std::string report_html(const Suite& suite, const std::vector<TargetResult>& targets,
                        const ReportOptions& options);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_REPORT_H
