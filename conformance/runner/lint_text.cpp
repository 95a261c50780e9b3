// SPDX-License-Identifier: Apache-2.0
//
// What `lint` found, for the terminal.

#include <fmt/format.h>

#include "conformance/runner/lint.h"

namespace hurray::conformance {
namespace {

std::string painted(std::string text, const TextStyle& style) {
  return style.color ? fmt::format("\x1b[33m{}\x1b[0m", text) : std::move(text);
}

std::string correction_words(const Correction& correction) {
  const char* const more = correction.count > correction.from.size() ? " …" : "";
  return fmt::format("likely values: {}{} -> {}{} ({} 1 {} each of {})",
                     fmt::join(correction.from, " "), more, fmt::join(correction.to, " "), more,
                     correction.add > 0 ? "add" : "subtract", correction.add > 0 ? "to" : "from",
                     correction.count);
}

}  // namespace

std::string lint_text(const std::string& name, const LintReport& report, const TextStyle& style) {
  if (!report.problem.empty()) return fmt::format("{}: cannot be read: {}\n", name, report.problem);
  std::string text = fmt::format("{}: {}\n", name, report.summary);
  for (const LintFinding& each : report.findings) {
    text += fmt::format("  {}  {}\n", painted(each.id, style), each.looks_like);
    for (const std::string& line : each.evidence) text += fmt::format("    {}\n", line);
    if (each.correction) text += fmt::format("    {}\n", correction_words(*each.correction));
    if (!each.see.empty()) text += fmt::format("    see {}\n", each.see);
  }
  for (const std::string& note : report.notes) text += fmt::format("  note  {}\n", note);
  if (report.findings.empty()) text += "  nothing suspicious\n";
  return text;
}

}  // namespace hurray::conformance
