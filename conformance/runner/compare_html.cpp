// SPDX-License-Identifier: Apache-2.0
//
// Reports side by side as one page, see compare.h: who holds what at a glance, where they do not
// agree, and which choices they made. No script, nothing to load.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/compare.h"
#include "conformance/runner/heat_map.h"
#include "conformance/runner/html.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kMostValue = 48;  // bytes of what was expected or got
constexpr std::size_t kMostRows = 400;

constexpr std::string_view kStyle = R"(
.conformant { color: var(--good); font-weight: 600; } .non-conformant { color: var(--bad);
  font-weight: 600; } .broken, .other { color: var(--warn); font-weight: 600; }
.notice { border-left: 4px solid var(--warned); background: var(--panel); padding: .4rem .8rem; }
.side-by-side td, .side-by-side thead th { min-width: 9.5rem; }
.side-by-side tbody th { position: sticky; left: 0; background: var(--paper); white-space: nowrap; }
.problem { color: var(--bad); } .warning { color: var(--warn); }
.small { font-size: 12px; display: block; overflow-wrap: anywhere; }
)";

std::string marked(const std::string& verdict) {
  if (verdict == "conformant") return "<span class=\"conformant\">✓ conformant</span>";
  if (verdict == "non-conformant") return "<span class=\"non-conformant\">✗ non-conformant</span>";
  return fmt::format("<span class=\"other\">! {}</span>", escaped(verdict));
}

std::string head(std::string_view first, const std::vector<ComparedTarget>& targets) {
  std::string row = fmt::format("<thead><tr><th scope=\"col\">{}</th>", first);
  for (const ComparedTarget& each : targets) {
    row += fmt::format("<th scope=\"col\">{}</th>", escaped(each.name));
  }
  return row + "</tr></thead><tbody>\n";
}

std::string joined(const std::vector<std::string>& words) {
  return escaped(fmt::format("{}", fmt::join(words, ", ")));
}

std::string overview(const std::vector<ComparedTarget>& targets) {
  std::string table =
      "<table><thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">verdict</th>"
      "<th scope=\"col\">contracts</th><th scope=\"col\">holds</th><th scope=\"col\">warned</th>"
      "<th scope=\"col\">violated</th><th scope=\"col\">not claimed</th>"
      "<th scope=\"col\">report</th></tr></thead><tbody>\n";
  for (const ComparedTarget& each : targets) {
    table += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}{}</td><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td><code>{}</code></td></tr>\n",
        escaped(each.name), marked(each.verdict),
        each.reason.empty() ? ""
                            : fmt::format("<span class=\"small\">{}</span>", escaped(each.reason)),
        joined(each.contracts), each.count("conforms") + each.count("recorded"),
        each.count("warned"), each.count("violated"), each.count("not claimed"),
        escaped(each.file));
  }
  return scrolled("Overview", table + "</tbody></table>\n");
}

const ComparedRequirement* find(const ComparedTarget& target, const std::string& id) {
  const auto found = target.requirements.find(id);
  return found == target.requirements.end() ? nullptr : &found->second;
}

std::string picture(const std::vector<ComparedTarget>& targets,
                    const std::vector<std::string>& ids) {
  std::vector<std::string> columns;
  for (const std::string& id : ids) {
    const bool is_judged = std::ranges::any_of(targets, [&](const ComparedTarget& each) {
      const ComparedRequirement* row = find(each, id);
      return row && heat_cell_of(row->verdict) != HeatCell::kEmpty;
    });
    if (is_judged) columns.push_back(id);
  }
  std::vector<HeatRow> rows;
  for (const ComparedTarget& each : targets) {
    HeatRow row{each.name, each.verdict == "broken" ? "broken" : "", {}};
    for (const std::string& id : columns) {
      const ComparedRequirement* of = find(each, id);
      row.cells.push_back(of && row.remark.empty() ? heat_cell_of(of->verdict) : HeatCell::kEmpty);
    }
    rows.push_back(std::move(row));
  }
  return heat_map(rows, columns);
}

std::string cell(const ComparedRequirement* row) {
  if (!row) return "<td>– <span class=\"small quiet\">not in this suite</span></td>";
  const HeatCell verdict = heat_cell_of(row->verdict);
  if (verdict == HeatCell::kHeld) return "<td>✓</td>";
  if (verdict == HeatCell::kEmpty) {
    return fmt::format("<td class=\"quiet\">{}</td>", escaped(row->verdict));
  }
  // What is recorded is a choice, and holds.
  const auto [css, mark] = verdict == HeatCell::kViolated ? std::pair("problem", "✗")
                           : verdict == HeatCell::kWarned ? std::pair("warning", "!")
                                                          : std::pair("quiet", "✓");
  std::string text = fmt::format("<td><span class=\"{}\">{} {}</span> {} of {}", css, mark,
                                 escaped(row->verdict), row->failed, row->asked);
  if (!row->failure_class.empty()) text += ", " + escaped(row->failure_class);
  if (!row->got.empty()) {
    text += fmt::format(
        "<span class=\"small\">{} instead of {}</span><span class=\"small quiet\">{}</span>",
        escaped(excerpt(row->got, kMostValue)), escaped(excerpt(row->expected, kMostValue)),
        escaped(row->case_name));
  }
  return text + "</td>";
}

// Judged of two at least, with verdicts that differ; or violated, or warned of, by somebody.
bool is_of_interest(const std::vector<ComparedTarget>& targets, const std::string& id) {
  std::set<HeatCell> verdicts;
  for (const ComparedTarget& each : targets) {
    const ComparedRequirement* row = find(each, id);
    const HeatCell cell = row ? heat_cell_of(row->verdict) : HeatCell::kEmpty;
    if (each.verdict != "broken" && cell != HeatCell::kEmpty) verdicts.insert(cell);
  }
  return verdicts.size() > 1 || verdicts.contains(HeatCell::kViolated) ||
         verdicts.contains(HeatCell::kWarned);
}

std::string differences(const std::vector<ComparedTarget>& targets,
                        const std::vector<std::string>& ids) {
  std::string rows;
  std::size_t count = 0;
  for (const std::string& id : ids) {
    if (!is_of_interest(targets, id) || ++count > kMostRows) continue;
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(id));
    for (const ComparedTarget& each : targets) {
      rows += each.verdict == "broken" ? "<td class=\"quiet\">broken</td>" : cell(find(each, id));
    }
    rows += "</tr>\n";
  }
  if (count == 0) return "<p>Nobody violates anything.</p>\n";
  std::string table = scrolled("Requirements that somebody violates",
                               "<table class=\"side-by-side\">" + head("requirement", targets) +
                                   rows + "</tbody></table>\n");
  if (count > kMostRows) {
    table += fmt::format("<p class=\"quiet\">{} rows more are left out.</p>\n", count - kMostRows);
  }
  return table;
}

// Rows of names and values, of which every target has some: choices, of which those that differ,
// or verdicts. Empty if there is none.
using Values = std::map<std::string, std::string> ComparedTarget::*;
std::string values(std::string_view name, const std::vector<ComparedTarget>& targets, Values member,
                   bool only_differing) {
  std::set<std::string> names;
  for (const ComparedTarget& target : targets) {
    for (const auto& [each, value] : target.*member) names.insert(each);
  }
  std::string rows;
  for (const std::string& each : names) {
    std::set<std::string> different;
    std::string row = fmt::format("<tr><th scope=\"row\">{}</th>", escaped(each));
    for (const ComparedTarget& target : targets) {
      const auto found = (target.*member).find(each);
      const bool is_there = found != (target.*member).end();
      if (is_there) different.insert(found->second);
      row += fmt::format("<td>{}</td>", !is_there        ? "–"
                                        : only_differing ? escaped(found->second)
                                                         : marked(found->second));
    }
    if (!only_differing || different.size() > 1) rows += row + "</tr>\n";
  }
  if (rows.empty()) return {};
  return scrolled(
      name, "<table class=\"side-by-side\">" + head(name, targets) + rows + "</tbody></table>\n");
}

}  // namespace

std::string comparison_html(const std::vector<ComparedTarget>& targets) {
  const std::vector<std::string> ids = all_requirements(targets);
  std::string body = fmt::format(
      "<main><h1>{} implementations side by side</h1>\n<p class=\"quiet\">Judged by "
      "hurray-conformance {}, digest <code>{}</code></p>\n",
      targets.size(), escaped(targets.front().suite_version),
      escaped(excerpt(targets.front().suite_digest, 16)));
  for (const std::string& each : differing_suites(targets)) {
    body += fmt::format("<p class=\"notice\">{}.</p>\n", escaped(each));
  }
  body += "<h2>Overview</h2>\n" + overview(targets);
  if (const std::string table = values("profile", targets, &ComparedTarget::profiles, false);
      !table.empty()) {
    body += "<h2>Profiles</h2>\n" + table;
  }
  body += "<h2>Requirements</h2>\n" + picture(targets, ids);
  body += "<h2>What somebody violates</h2>\n" + differences(targets, ids);
  const std::string choices = values("behaviour", targets, &ComparedTarget::behaviours, true);
  body +=
      "<h2>Choices that differ</h2>\n<p class=\"quiet\">The texts leave them open: none is "
      "wrong.</p>\n" +
      (choices.empty() ? std::string("<p>None.</p>\n") : choices);
  return html_page("Implementations side by side", fmt::format("{}{}", kHeatMapStyle, kStyle),
                   body + fmt::format("<p class=\"quiet\">hurray-conform {} compare</p></main>\n",
                                      kSuiteVersion));
}

}  // namespace hurray::conformance
