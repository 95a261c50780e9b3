// SPDX-License-Identifier: Apache-2.0
//
// What about a quantized tensor is valid and yet suspicious? Above all zero points whose bias was
// forgotten, a mistake without a symptom: every reader accepts them and every element is one step
// off. A finding is a guess with its evidence, never a verdict.

#ifndef HURRAY_CONFORMANCE_LINT_H
#define HURRAY_CONFORMANCE_LINT_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/lint_values.h"
#include "conformance/runner/report.h"

namespace hurray::conformance {

// Zero points as they would be if the finding is right: `add` to each.
struct Correction {
  std::int32_t add = 0;
  std::size_t count = 0;
  std::vector<std::int32_t> from, to;  // of the first blocks
};

struct LintFinding {
  std::string id;          // stable: `zero-point-bias`
  std::string looks_like;  // one sentence, without certainty
  std::vector<std::string> evidence;
  std::optional<Correction> correction;
  std::string see;  // requirements and rulings, or empty
};

struct LintReport {
  std::string problem;  // the file cannot be read; nothing else is said then
  std::string summary;  // what the tensor is
  std::vector<LintFinding> findings;
  std::vector<std::string> notes;  // what was seen and is as it should be, or cannot be looked at
};

// Any bytes can be linted. The format of the file is in lint_values.h.
LintReport lint(std::span<const std::uint8_t> bytes);

// --- The checks, each adding what it finds. `values` are those of the file.

// lint_zero_points.cpp
void check_bias(const TensorFile& file, const QuantizedValues& values, LintReport& report);
void check_offset(const TensorFile& file, const QuantizedValues& values, LintReport& report);
void check_zero_point_range(const TensorFile& file, const QuantizedValues& values,
                            LintReport& report);

// lint_checks.cpp
// `values` is null where they cannot be looked at.
void check_rules(const TensorFile& file, const QuantizedValues* values, LintReport& report);
void check_file(const TensorFile& file, LintReport& report);
void check_filler(const TensorFile& file, LintReport& report);
void check_scales(const TensorFile& file, const QuantizedValues& values, LintReport& report);
void check_codes(const TensorFile& file, const QuantizedValues& values, LintReport& report);

// lint_text.cpp
std::string lint_text(const std::string& name, const LintReport& report, const TextStyle& style);

// What `lint` says about one file, by name.
struct LintedFile {
  std::string name;
  LintReport report;
};
std::string lint_json(const std::vector<LintedFile>& files);  // report_json.cpp

// Ten lines of Python that write such a file, for --help.
extern const char* const kLintFileInPython;

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_LINT_H
