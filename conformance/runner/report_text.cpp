// SPDX-License-Identifier: Apache-2.0
//
// The report on the terminal, see report.h.

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "conformance/runner/classify.h"
#include "conformance/runner/profiles.h"
#include "conformance/runner/report.h"
#include "conformance/runner/shell.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

std::string painted(std::string_view text, std::string_view code, const TextStyle& style) {
  return style.color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string_view color_of(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::kConformant:
      return "32";
    case TargetVerdict::kNonConformant:
      return "31";
    case TargetVerdict::kBroken:
      return "35";
    case TargetVerdict::kNotJudged:
      return "33";
  }
  return "0";
}

std::string indented(const std::string& text, std::string_view indent) {
  std::string result;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    result += fmt::format("{}{}\n", indent, std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
  return result;
}

// A request with its arrays cut, so that what stands behind them is seen.
std::string shortened(std::string_view request) {
  constexpr std::size_t kWhole = 64, kShown = 16;
  std::string line;
  while (!request.empty()) {
    const std::size_t end = std::min(request.find(' '), request.size());
    const std::string_view word = request.substr(0, end);
    const std::size_t value = word.find('=') + 1;
    const std::size_t length = word.size() - value;
    if (!line.empty()) line += ' ';
    line += value == 0 || length <= kWhole
                ? std::string(word)
                : fmt::format("{}…({} bytes)", word.substr(0, value + kShown), length / 2);
    request.remove_prefix(std::min(end + 1, request.size()));
  }
  return cleaned(line);
}

// Columns of the table: groups that have cases at all, in the order of the suite.
std::vector<std::string> groups_of(const TargetResult& target) {
  std::vector<std::string> groups;
  for (const RequirementResult& each : target.requirements) {
    if (each.requirement->cases.empty()) continue;
    const std::string group = each.requirement->group();
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
  return groups;
}

std::string cell(const TargetResult& target, const std::string& group) {
  const Counts counts = counts_of(target, group);
  if (counts.judged == 0) return "–";
  return fmt::format("{}/{}{}", counts.held, counts.judged, counts.warned > 0 ? "!" : "");
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

Counts counts_of(const TargetResult& target, std::string_view group) {
  Counts counts;
  for (const RequirementResult& each : target.requirements) {
    if (!group.empty() && each.requirement->group() != group) continue;
    const bool is_warned = each.verdict == RequirementVerdict::kWarned;
    const bool is_held = is_warned || each.verdict == RequirementVerdict::kConforms ||
                         each.verdict == RequirementVerdict::kRecorded;
    counts.held += is_held;
    counts.judged += is_held || each.verdict == RequirementVerdict::kViolated;
    counts.warned += is_warned;
  }
  return counts;
}

std::string replay_line(const std::string& attachment, const TargetResult& target, const Case& item,
                        const Failure& failure) {
  std::string line = fmt::format("hurray-conform replay --target {}{} {}", shell_word(attachment),
                                 target.replay_options, shell_word(item.name));
  if (!failure.contradicts.empty()) line += " " + shell_word(failure.contradicts);
  return line;
}

std::string describe_failure(const Suite& suite, const TargetResult& target, std::size_t case_index,
                             const TextStyle& style) {
  const Case& item = suite.cases[case_index];
  const CaseResult& result = target.cases[case_index];
  std::string text = fmt::format("  case      {}\n", item.name);
  text += fmt::format("  looks for {}\n", item.why);
  if (!result.failure) return text;
  const Failure& failure = *result.failure;
  if (item.steps.size() > 1) {
    text += fmt::format("  step      {} of {}\n", failure.step + 1, item.steps.size());
  }
  text += fmt::format("  request   {}\n", shortened(failure.request));
  if (!failure.input.empty()) text += fmt::format("  input     {}\n", failure.input);
  text += fmt::format("  expected  {}\n", painted(cleaned(failure.expected), "32", style));
  text += fmt::format("  got       {}", painted(cleaned(failure.got), "31", style));
  if (!failure.distance.empty()) text += fmt::format("   ({})", failure.distance);
  text += '\n';
  if (failure.total > 1) {
    text += fmt::format("  differing {} of {} elements of the case\n", failure.differing,
                        failure.total);
  }
  const std::string_view meaning = meaning_of_class(failure.failure_class);
  text += fmt::format("  class     {}{}{}\n", failure.failure_class, meaning.empty() ? "" : ": ",
                      meaning);
  text += fmt::format("  replay    {}\n",
                      replay_line(target.attachment.runnable, target, item, failure));
  text += "  in C\n" + indented(c_snippet(failure.request), "    ");
  return text;
}

namespace {

// Of a target whose answers cannot be read nothing is said but the first of them.
std::string describe_garbled(const Suite& suite, const TargetResult& target) {
  for (std::size_t i = 0; i < target.cases.size(); ++i) {
    const CaseResult& result = target.cases[i];
    if (result.outcome != Outcome::kGarbled || !result.failure) continue;
    return fmt::format(
        "  case      {}\n  request   {}\n  got       {}\n  replay    {}\n\n", suite.cases[i].name,
        shortened(result.failure->request), cleaned(result.failure->got),
        replay_line(target.attachment.runnable, target, suite.cases[i], *result.failure));
  }
  return {};
}

// Silence about a requirement must not look like conformance: says how many were not asked for.
std::string describe_what_was_not_asked(const TargetResult& target) {
  std::string text;
  if (target.claims && !target.claims->unknown.empty()) {
    text += fmt::format("{}: its answer to hello has what this runner does not know: {}\n\n",
                        target.attachment.name,
                        cleaned(fmt::format("{}", fmt::join(target.claims->unknown, " "))));
  }
  std::size_t requirements = 0;
  for (const RequirementResult& each : target.requirements) {
    requirements += each.verdict == RequirementVerdict::kNotClaimed;
  }
  std::map<std::string, std::size_t> cases_by_reason;
  for (const CaseResult& each : target.cases) {
    if (each.verdict == CaseVerdict::kSkip) ++cases_by_reason[each.skip_reason];
  }
  if (requirements > 0 || !cases_by_reason.empty()) {
    text += fmt::format("{}: not judged: {} requirements that it does not claim\n",
                        target.attachment.name, requirements);
    for (const auto& [reason, count] : cases_by_reason) {
      text += fmt::format("  {} cases: {}\n", count, reason);
    }
    text += '\n';
  }
  return text;
}

// `9 rejects-valid, 3 ties-to-even`: most of them first.
std::string listed(const std::map<std::string, std::size_t>& classes) {
  std::vector<std::pair<std::string, std::size_t>> by_count(classes.begin(), classes.end());
  std::ranges::sort(by_count, {}, [](const auto& each) {
    return std::pair(std::numeric_limits<std::size_t>::max() - each.second, each.first);
  });
  std::string list;
  for (const auto& [name, count] : by_count) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, name);
  }
  return list;
}

// Many requirements are violated by one mistake: which, stands in front of all of them.
std::string count_classes(const TargetResult& target) {
  std::map<std::string, std::size_t> classes;
  std::size_t violated = 0;
  for (const RequirementResult& each : target.requirements) {
    if (each.verdict != RequirementVerdict::kViolated) continue;
    ++violated;
    const CaseResult& example = target.cases[each.failed.front()];
    if (example.failure) ++classes[example.failure->failure_class];
  }
  if (violated < 2) return {};
  return fmt::format("{}: {} requirements are violated; by class of their examples: {}\n\n",
                     target.attachment.name, violated, listed(classes));
}

// One requirement may be violated by several mistakes, of which the example shows one.
std::string count_classes(const TargetResult& target, const RequirementResult& requirement) {
  std::map<std::string, std::size_t> classes;
  for (const std::size_t i : requirement.failed) {
    if (const auto& failure = target.cases[i].failure) ++classes[failure->failure_class];
  }
  if (classes.size() < 2) return {};
  return fmt::format("  of cases  {}\n", listed(classes));
}

}  // namespace

std::string describe_findings(const Suite& suite, const TargetResult& target,
                              const TextStyle& style,
                              const std::map<std::string, std::string>& known) {
  std::string text;
  if (target.broken) {
    text += fmt::format("{}: {}\n  {}\n", target.attachment.name,
                        painted(name_of(target.verdict), color_of(target.verdict), style),
                        cleaned(target.broken->reason));
    if (!target.broken->errors.empty()) {
      text +=
          "  it wrote to standard error:\n" + indented(cleaned(target.broken->errors), "    | ");
    }
    text += '\n';
  }
  if (target.verdict == TargetVerdict::kBroken) return text + describe_garbled(suite, target);
  text += describe_what_was_not_asked(target);
  if (const std::string profiles = describe_profiles(target.profiles); !profiles.empty())
    text += fmt::format("{}: profiles: {}\n\n", target.attachment.name, profiles);
  text += count_classes(target);
  for (const RequirementResult& each : target.requirements) {
    const bool violated = each.verdict == RequirementVerdict::kViolated;
    if (!violated && each.verdict != RequirementVerdict::kWarned) continue;
    if (const auto reason = known.find(each.requirement->id); reason != known.end()) {
      text += fmt::format("{}: {} violated, as known ({} of {} cases): {}\n\n",
                          target.attachment.name, each.requirement->id, each.failed.size(),
                          each.asked, cleaned(reason->second));
      continue;
    }
    text += fmt::format(
        "{}: {} {} ({} of {} cases)\n  {}\n", target.attachment.name, each.requirement->id,
        violated ? painted("violated", "31", style) : painted("warned", "33", style),
        each.failed.size(), each.asked, each.requirement->text);
    if (!each.requirement->rulings.empty()) {
      text += fmt::format("  rulings   {}\n", fmt::join(each.requirement->rulings, " "));
    }
    text += count_classes(target, each);
    text += describe_failure(suite, target, each.failed.front(), style) + '\n';
  }
  return text;
}

std::string profiles_text(const Suite& suite) {
  std::string text;
  for (const Profile& each : suite.profiles) {
    text += fmt::format("{:<18} {:>3} needed, {:>3} more  {}\n", each.name, each.needs.size(),
                        each.extras.size(), each.text);
  }
  return text;
}

std::string verdict_table(const std::vector<TargetResult>& targets, const TextStyle& style) {
  if (targets.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  const std::vector<std::string> groups = groups_of(targets.front());
  rows.push_back({"target"});
  rows.back().insert(rows.back().end(), groups.begin(), groups.end());
  rows.back().push_back("verdict");
  for (const TargetResult& target : targets) {
    rows.push_back({target.attachment.name});
    for (const std::string& group : groups) rows.back().push_back(cell(target, group));
    rows.back().emplace_back(name_of(target.verdict));
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const bool last = i + 1 == rows[r].size();
      const std::string& value = rows[r][i];
      if (last && r > 0) {
        text += painted(value, color_of(targets[r - 1].verdict), style);
      } else {
        text += value;
      }
      if (!last) text += std::string(widths[i] - width_of(value) + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

}  // namespace hurray::conformance
