// SPDX-License-Identifier: Apache-2.0
//
// A run on a page of Markdown, as it stands under the steps of a CI, see report.h. Short: what is
// left out is counted, and report.html has it.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/known.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kMostRows = 20;      // of a target
constexpr std::size_t kMostTargets = 20;   // with rows of their own
constexpr std::size_t kMostProblems = 40;  // of the list of known deviations
constexpr std::size_t kMostValue = 60;     // bytes of what was expected or got

// Text of any kind in a cell: no markup, no line breaks, no bars.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : cleaned(text)) {
    if (c == '\n') {
      result += ' ';
    } else if (std::string_view("\\`*_{}[]<>()#+-!|~&@").find(c) != std::string_view::npos) {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string_view mark_of(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::kConformant:
      return "✅";
    case TargetVerdict::kNonConformant:
      return "❌";
    case TargetVerdict::kBroken:
      return "💥";
    case TargetVerdict::kNotJudged:
      return "❔";
  }
  return "";
}

std::string target_row(const TargetResult& target) {
  const Counts counts = counts_of(target);
  return fmt::format("| {} | {} {} | {} of {} | {} |\n", cell(target.attachment.name),
                     mark_of(target.verdict), name_of(target.verdict), counts.held, counts.judged,
                     counts.warned);
}

std::string violations(const TargetResult& target, std::size_t t, const KnownGate* known) {
  if (target.broken) {
    return fmt::format("\n### {}: broken\n\n{}\n", cell(target.attachment.name),
                       cell(target.broken->reason));
  }
  std::string rows;
  std::size_t count = 0, listed = 0;
  for (const RequirementResult& each : target.requirements) {
    if (each.verdict != RequirementVerdict::kViolated) continue;
    if (known && known->entry_of(t, each)) {
      ++listed;
      continue;
    }
    if (++count > kMostRows) continue;
    const std::size_t index = each.failed.front();
    const std::optional<Failure>& failure = target.cases[index].failure;
    rows += fmt::format("| {} | {} | {} of {} | {} | {} | {} |\n", each.requirement->id,
                        cell(each.requirement->text), each.failed.size(), each.asked,
                        cell(failure ? failure->failure_class : "unknown"),
                        cell(failure ? excerpt(failure->expected, kMostValue) : ""),
                        cell(failure ? excerpt(failure->got, kMostValue) : ""));
  }
  std::string text;
  if (count > 0) {
    text += fmt::format("\n### {}: {} violated\n\n", cell(target.attachment.name),
                        counted(count, "requirement"));
    text += "| requirement | text | cases | class | expected | got |\n|---|---|---|---|---|---|\n";
    text += rows;
    if (count > kMostRows) {
      text += fmt::format("\n{} more are left out here.\n", count - kMostRows);
    }
  }
  if (listed > 0) {
    text += fmt::format("\n{}: {} violated as listed.\n", cell(target.attachment.name),
                        counted(listed, "requirement"));
  }
  return text;
}

std::string gate_text(const KnownGate& gate) {
  if (gate.problems.empty()) {
    return fmt::format(
        "\n**Known deviations:** all as {} says, {}.\n", cell(gate.file),
        gate.entries.size() == 1 ? "1 entry" : fmt::format("{} entries", gate.entries.size()));
  }
  std::string text = fmt::format("\n### Not as {} says\n\n", cell(gate.file));
  for (std::size_t i = 0; i < std::min(kMostProblems, gate.problems.size()); ++i) {
    text += fmt::format("* {}\n", cell(gate.problems[i]));
  }
  if (gate.problems.size() > kMostProblems) {
    text += fmt::format("* and {} more\n", gate.problems.size() - kMostProblems);
  }
  return text;
}

}  // namespace

std::string summary_markdown(const Suite& suite, const std::vector<TargetResult>& targets,
                             const ReportOptions& options) {
  const auto conformant =
      std::ranges::count(targets, TargetVerdict::kConformant, &TargetResult::verdict);
  std::string text = fmt::format(
      "## Hurray conformance: {} of {} conformant\n\n"
      "| target | verdict | requirements that hold | warned |\n|---|---|---|---|\n",
      conformant, counted(targets.size(), "target"));
  for (const TargetResult& each : targets) text += target_row(each);
  if (options.known) text += gate_text(*options.known);
  std::size_t shown = 0, left_out = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::string part = violations(targets[t], t, options.known);
    if (part.empty()) continue;
    if (shown++ < kMostTargets) {
      text += part;
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) {
    text +=
        fmt::format("\nViolations of {} more are left out here.\n", counted(left_out, "target"));
  }
  return text + fmt::format("\n<sub>hurray-conformance {}, cases {}</sub>\n", kSuiteVersion,
                            suite.digest.substr(0, 16));
}

}  // namespace hurray::conformance
