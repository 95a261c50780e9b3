// SPDX-License-Identifier: Apache-2.0
//
// A run as one page, see report.h: verdicts of targets and profiles, the matrix of requirements,
// and of each target its choices and what it does wrong, with counter-examples. No script, nothing
// to load. Counter-examples are limited, so that a list of bad targets stays a page that opens;
// what is left out is counted.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/byte_rows.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/example_html.h"
#include "conformance/runner/heat_map.h"
#include "conformance/runner/html.h"
#include "conformance/runner/known.h"
#include "conformance/runner/plots.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kMostExamples = 12;  // of a target, shown at length
constexpr std::size_t kMostProblems = 100;

constexpr std::string_view kStyle = R"(
.conformant, .is-conformant { color: var(--good); font-weight: 600; }
.non-conformant { color: var(--bad); font-weight: 600; }
.broken-target, .not-judged, .incomplete { color: var(--warn); font-weight: 600; }
.verdicts td, .verdicts th { white-space: nowrap; }
.problem { color: var(--bad); }
.example { border: 1px solid var(--line); border-left: 4px solid var(--violated); margin: .8rem 0;
  padding: .2rem 1rem .6rem; border-radius: 4px; } .example.warning { border-left-color: var(--warned); }
.example h3 { margin: .5rem 0 .2rem; font-size: 1rem; } .example > p { margin: .2rem 0; }
summary { cursor: pointer; } p { overflow-wrap: anywhere; } section { margin-top: 1.5rem; }
)";

std::string marked(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::kConformant:
      return "<span class=\"conformant\">✓ conformant</span>";
    case TargetVerdict::kNonConformant:
      return "<span class=\"non-conformant\">✗ non-conformant</span>";
    case TargetVerdict::kBroken:
      return "<span class=\"broken-target\">! broken</span>";
    case TargetVerdict::kNotJudged:
      return "<span class=\"not-judged\">? not judged</span>";
  }
  return {};
}

std::string marked(const ProfileResult& profile) {
  switch (profile.verdict) {
    case ProfileVerdict::kConformant:
      return "<span class=\"conformant\">✓ conformant</span>";
    case ProfileVerdict::kNonConformant:
      return fmt::format("<span class=\"non-conformant\">✗ {} violated</span>",
                         profile.violated.size());
    case ProfileVerdict::kIncomplete:
      return fmt::format("<span class=\"incomplete\">{} not judged</span>", profile.missing.size());
    case ProfileVerdict::kNotClaimed:
    case ProfileVerdict::kNotJudged:
      return "–";
  }
  return {};
}

std::string shown(std::string_view text) { return escaped(cleaned(text)); }

bool is_bad(const RequirementResult& result) {
  return (result.verdict == RequirementVerdict::kViolated ||
          result.verdict == RequirementVerdict::kWarned) &&
         !result.failed.empty();
}

// Held and judged requirements of a group: `24/24`.
std::string group_cell(const TargetResult& target, std::string_view group) {
  const Counts counts = counts_of(target, group);
  if (counts.judged == 0) return "<td>–</td>";
  return fmt::format("<td{}>{}/{}{}</td>", counts.held < counts.judged ? " class=\"problem\"" : "",
                     counts.held, counts.judged, counts.warned > 0 ? "!" : "");
}

// Groups that have cases, in the order of the suite.
std::vector<std::string> groups_of(const Suite& suite) {
  std::vector<std::string> groups;
  for (const Requirement& each : suite.requirements) {
    if (each.cases.empty()) continue;
    if (groups.empty() || groups.back() != each.group()) groups.push_back(each.group());
  }
  return groups;
}

std::string verdicts(const Suite& suite, const std::vector<TargetResult>& targets) {
  const std::vector<std::string> groups = groups_of(suite);
  std::string table =
      "<table class=\"verdicts\"><thead><tr><th scope=\"col\">target</th>"
      "<th scope=\"col\">verdict</th>";
  for (const std::string& each : groups) table += fmt::format("<th scope=\"col\">{}</th>", each);
  table += "</tr></thead><tbody>\n";
  for (std::size_t t = 0; t < targets.size(); ++t) {
    table += fmt::format("<tr><th scope=\"row\"><a href=\"#t{}\">{}</a></th><td>{}</td>", t,
                         shown(targets[t].attachment.name), marked(targets[t].verdict));
    for (const std::string& each : groups) table += group_cell(targets[t], each);
    table += "</tr>\n";
  }
  return scrolled("Verdicts", table + "</tbody></table>\n");
}

std::string profiles(const Suite& suite, const std::vector<TargetResult>& targets) {
  if (suite.profiles.empty()) return {};
  std::string table = "<table class=\"verdicts\"><thead><tr><th scope=\"col\">target</th>";
  for (const Profile& each : suite.profiles) {
    table += fmt::format("<th scope=\"col\">{}</th>", escaped(each.name));
  }
  table += "</tr></thead><tbody>\n";
  for (const TargetResult& target : targets) {
    table += fmt::format("<tr><th scope=\"row\">{}</th>", shown(target.attachment.name));
    for (const ProfileResult& each : target.profiles) {
      table += fmt::format("<td>{}</td>", marked(each));
    }
    table += "</tr>\n";
  }
  return "<h2>Profiles</h2>\n<p class=\"quiet\">What a target claims to be, and whether it is. "
         "– is not claimed.</p>\n" +
         scrolled("Profiles", table + "</tbody></table>\n");
}

std::string matrix(const Suite& suite, const std::vector<TargetResult>& targets) {
  std::vector<std::string> columns;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < suite.requirements.size(); ++i) {
    if (suite.requirements[i].cases.empty()) continue;
    columns.push_back(suite.requirements[i].id);
    places.push_back(i);
  }
  std::vector<HeatRow> rows;
  for (const TargetResult& target : targets) {
    HeatRow row{target.attachment.name, {}, {}};
    if (target.verdict == TargetVerdict::kBroken) row.remark = "broken";
    for (const std::size_t i : places) {
      row.cells.push_back(target.verdict == TargetVerdict::kBroken
                              ? HeatCell::kEmpty
                              : heat_cell_of(name_of(target.requirements[i].verdict)));
    }
    rows.push_back(std::move(row));
  }
  return "<h2>Requirements</h2>\n<p class=\"quiet\">A row for each target, a column for each "
         "requirement that cases judge.</p>\n" +
         heat_map(rows, columns);
}

std::string gate(const KnownGate* known) {
  if (!known) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(kMostProblems, known->problems.size()); ++i) {
    list += fmt::format("<li class=\"problem\">{}</li>\n", shown(known->problems[i]));
  }
  if (known->problems.size() > kMostProblems) {
    list += fmt::format("<li>and {} more</li>\n", known->problems.size() - kMostProblems);
  }
  return fmt::format(
      "<h2>Known deviations</h2>\n<p>{} entries of <code>{}</code>: {}. Verdicts do not depend on "
      "them.</p>\n{}",
      known->entries.size(), shown(known->file),
      known->problems.empty() ? "all is as they say" : "not all is as they say",
      list.empty() ? "" : "<ul>\n" + list + "</ul>\n");
}

std::string behaviours(const TargetResult& target) {
  if (target.behaviours.empty()) return {};
  std::string rows;
  for (const auto& [name, option] : target.behaviours) {
    rows += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(option));
  }
  return fmt::format(
      "<details><summary>{} behaviours, where the texts leave a choice</summary>\n<dl>\n{}</dl>"
      "</details>\n",
      target.behaviours.size(), rows);
}

// Requirements by the case that is the example of each.
using ByExample = std::map<std::size_t, std::vector<const RequirementResult*>>;

ByExample by_example(const TargetResult& target) {
  ByExample examples;
  for (const RequirementResult& each : target.requirements) {
    if (is_bad(each)) examples[each.failed.front()].push_back(&each);
  }
  return examples;
}

// Which are shown at length: of each class and group first one, then further ones.
std::set<std::size_t> chosen(const TargetResult& target, const ByExample& examples) {
  std::set<std::size_t> shown;
  std::set<std::string> seen;
  const auto kind_of = [&](std::size_t index, const RequirementResult& requirement) {
    const auto& failure = target.cases[index].failure;
    return requirement.requirement->group() + (failure ? failure->failure_class : "");
  };
  for (const bool only_new : {true, false}) {
    for (const auto& [index, requirements] : examples) {
      if (shown.size() == kMostExamples) return shown;
      const bool is_new = seen.insert(kind_of(index, *requirements.front())).second;
      if (is_new || !only_new) shown.insert(index);
    }
  }
  return shown;
}

std::string example(const Suite& suite, const TargetResult& target, std::size_t t,
                    std::size_t index, const std::vector<const RequirementResult*>& requirements,
                    const KnownGate* known) {
  bool is_warning = true;
  std::string heads;
  for (const RequirementResult* each : requirements) {
    const bool is_violated = each->verdict == RequirementVerdict::kViolated;
    is_warning &= !is_violated;
    const KnownDeviation* entry = known ? known->entry_of(t, *each) : nullptr;
    heads += fmt::format("<h3>{} {}, {} of {} cases</h3>\n<p>{}{}</p>\n{}", each->requirement->id,
                         is_violated ? "violated" : "warned", each->failed.size(), each->asked,
                         escaped(each->requirement->text),
                         each->requirement->rulings.empty()
                             ? ""
                             : fmt::format(" <span class=\"quiet\">Rulings {}.</span>",
                                           fmt::join(each->requirement->rulings, ", ")),
                         entry ? fmt::format("<p>Known: {}</p>\n", shown(entry->reason)) : "");
  }
  return fmt::format("<article class=\"example{}\">\n{}{}</article>\n",
                     is_warning ? " warning" : "", heads, example_html(suite, target, index));
}

// A line for each requirement whose example is not shown.
std::string further(const Suite& suite, const TargetResult& target, const ByExample& examples,
                    const std::set<std::size_t>& shown_ones) {
  std::string rows;
  std::size_t count = 0;
  for (const auto& [index, requirements] : examples) {
    if (shown_ones.contains(index)) continue;
    ++count;
    for (const RequirementResult* each : requirements) {
      const auto& failure = target.cases[index].failure;
      rows += fmt::format(
          "<tr><td>{}</td><td>{}</td><td class=\"number\">{} of {}</td><td>{}</td><td><code>{}"
          "</code></td></tr>\n",
          each->requirement->id, name_of(each->verdict), each->failed.size(), each->asked,
          escaped(failure ? failure->failure_class : "unknown"), escaped(suite.cases[index].name));
    }
  }
  if (count == 0) return {};
  return fmt::format(
             "<h3>{} counter-examples more</h3>\n<p class=\"quiet\">Left out here; "
             "report.json has them, and <code>hurray-conform replay</code> shows each.</p>\n",
             count) +
         scrolled("Further violations",
                  "<table><thead><tr><th scope=\"col\">requirement</th><th scope=\"col\">verdict"
                  "</th><th scope=\"col\">cases</th><th scope=\"col\">class</th><th scope=\"col\">"
                  "first case</th></tr></thead><tbody>\n" +
                      rows + "</tbody></table>\n");
}

std::string classes(const TargetResult& target, const ByExample& examples) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [index, requirements] : examples) {
    const auto& failure = target.cases[index].failure;
    counts[failure ? failure->failure_class : "unknown"] += requirements.size();
  }
  std::string items;
  for (const auto& [name, count] : counts) {
    const std::string_view meaning = meaning_of_class(name);
    items += fmt::format(
        "<li><strong>{}</strong>{}{} <span class=\"quiet\">({} requirements)"
        "</span></li>\n",
        escaped(name), meaning.empty() ? "" : ": ", escaped(meaning), count);
  }
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string target_section(const Suite& suite, const TargetResult& target, std::size_t t,
                           const ReportOptions& options) {
  std::string text = fmt::format(
      "<section id=\"t{}\"><h2>{} <small>{}</small></h2>\n<p class=\"quiet\"><code>{}</code>", t,
      shown(target.attachment.name), marked(target.verdict), shown(target.attachment.text));
  for (const auto& [key, value] : target.attachment.execution) {
    text += fmt::format("<br>{}: {}", shown(key), shown(value));
  }
  text += "</p>\n";
  if (target.broken) {
    text += fmt::format("<p class=\"problem\">{}</p>\n", shown(target.broken->reason));
  }
  if (target.verdict != TargetVerdict::kBroken) {
    const auto unclaimed = std::ranges::count(target.requirements, RequirementVerdict::kNotClaimed,
                                              &RequirementResult::verdict);
    if (unclaimed > 0) {
      text += fmt::format(
          "<p class=\"quiet\">{} requirements that it does not claim are not "
          "judged.</p>\n",
          unclaimed);
    }
    const ByExample examples = by_example(target);
    const std::set<std::size_t> shown_ones = chosen(target, examples);
    text += classes(target, examples) + behaviours(target);
    for (const std::size_t index : shown_ones) {
      text += example(suite, target, t, index, examples.at(index), options.known);
    }
    text += further(suite, target, examples, shown_ones);
  }
  return text + "</section>\n";
}

}  // namespace

std::string report_html(const Suite& suite, const std::vector<TargetResult>& targets,
                        const ReportOptions& options) {
  const auto conformant =
      std::ranges::count(targets, TargetVerdict::kConformant, &TargetResult::verdict);
  std::string body = fmt::format(
      "<main><h1>Hurray conformance: {} of {} targets conformant</h1>\n"
      "<p class=\"quiet\">hurray-conformance {}{}, {} requirements, {} cases with the digest "
      "<code>{}</code></p>\n",
      conformant, targets.size(), kSuiteVersion, options.strict ? ", strict" : "",
      suite.requirements.size(), suite.cases.size(), suite.digest.substr(0, 16));
  body += gate(options.known);
  body += "<h2>Verdicts</h2>\n" + verdicts(suite, targets) + profiles(suite, targets) +
          matrix(suite, targets);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    body += target_section(suite, targets[t], t, options);
  }
  const std::string style =
      kByteRowsStyle + section_colors() +
      fmt::format("{}{}{}{}", kHeatMapStyle, kPlotStyle, kExampleStyle, kStyle);
  return html_page("Hurray conformance", style, body + "</main>\n");
}

}  // namespace hurray::conformance
