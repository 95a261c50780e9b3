// SPDX-License-Identifier: Apache-2.0
//
// What comes out of a run? A text for the terminal, report.json (the same bytes for the same
// inputs), run.json (when, where, how long) and junit.xml.

#ifndef HURRAY_CONFORMANCE_REPORT_H
#define HURRAY_CONFORMANCE_REPORT_H

#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/run.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {

inline constexpr std::string_view kSuiteVersion = HURRAY_SUITE_VERSION;

// --- report_text.cpp

struct TextStyle {
  bool color = false;
};
// Every violated or warned requirement of a target with its first counter-example.
std::string describe_findings(const Suite& suite, const TargetResult& target,
                              const TextStyle& style);
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

// --- report_json.cpp: with prove_file.cpp, vectors.cpp and vectors_check.cpp the only file of the
// library that includes nlohmann-json

std::string report_json(const Suite& suite, const std::vector<TargetResult>& targets, bool strict);

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
// anything but conformant, a single test case: is it as meant?
std::string junit_xml(const Suite& suite, const std::vector<TargetResult>& targets,
                      const std::vector<MeantTarget>& meant = {});

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_REPORT_H
