// SPDX-License-Identifier: Apache-2.0
//
// The matrix for people: a summary for the terminal, and a page in which every fault is a column
// and every requirement a row (zoo.h).

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/html.h"
#include "conformance/runner/report.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {
namespace {

std::string percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "none chosen";
  // Rounded down: 100 means all.
  const std::size_t tenths = part * 1000 / whole;
  return tenths % 10 == 0 ? fmt::format("{} %", tenths / 10)
                          : fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

constexpr std::string_view kStyle = R"(
body { max-width: 76rem; }
.score { font-size: 2.6rem; font-weight: 600; margin: 0; } .problem { color: var(--bad); }
code { white-space: nowrap; }
svg text { fill: var(--ink); font: 10px ui-monospace, monospace; }
.meant { fill: var(--meant); } .also { fill: var(--also); } .missed { fill: var(--missed); }
.row { fill: var(--line); fill-opacity: .35; }
.swatch { display: inline-block; width: .8em; height: .8em; }
.swatch.meant { background: var(--meant); } .swatch.also { background: var(--also); }
.swatch.missed { background: var(--missed); }
)";

// Columns are the faults, sorted by the requirement that they are meant to violate, so that a suite
// that catches all draws a staircase.
std::string picture(const Matrix& matrix) {
  constexpr int kCell = 11, kColumn = 2, kLabel = 92;
  std::vector<const FaultOutcome*> columns;
  for (const RequirementCoverage& row : matrix.requirements) {
    for (const FaultOutcome& each : matrix.faults) {
      if (each.fault.requirements.front() == row.requirement->id) columns.push_back(&each);
    }
  }
  const std::size_t width = kLabel + columns.size() * kColumn;
  std::string svg = fmt::format(
      "<svg role=\"img\" aria-label=\"requirements by faults\" width=\"{}\" height=\"{}\">\n",
      width, matrix.requirements.size() * kCell);
  for (std::size_t r = 0; r < matrix.requirements.size(); ++r) {
    const std::string& id = matrix.requirements[r].requirement->id;
    const std::size_t y = r * kCell;
    if (r % 2 == 0) {
      svg += fmt::format("<rect class=\"row\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", y, width,
                         kCell);
    }
    svg += fmt::format("<text x=\"2\" y=\"{}\">{}</text>\n", y + kCell - 1, id);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const FaultOutcome& each = *columns[c];
      const bool is_meant = each.fault.requirements.front() == id;
      const bool is_violated =
          std::find(each.violated.begin(), each.violated.end(), id) != each.violated.end();
      if (!is_meant && !is_violated) continue;
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} {}: "
          "{}</title></rect>\n",
          !is_violated ? "missed"
          : is_meant   ? "meant"
                       : "also",
          kLabel + c * kColumn, y, kColumn, kCell, id, each.fault.id, escaped(each.fault.wrong));
    }
  }
  return svg + "</svg>\n";
}

std::string also_violated(const FaultOutcome& fault) {
  std::vector<std::string> others = fault.violated;
  std::erase(others, fault.fault.requirements.front());
  return fmt::format("{}", fmt::join(others, " "));
}

std::string fault_rows(const Matrix& matrix) {
  std::string rows;
  for (const FaultOutcome& each : matrix.faults) {
    rows += fmt::format(
        "<tr><td><code>{}</code>{}</td><td>{}</td><td{}><code>{}</code>{}</td><td>{}</td>"
        "<td class=\"number\">{}</td></tr>\n",
        each.fault.id, each.fault.strict ? " --strict" : "", escaped(each.fault.wrong),
        each.is_caught() ? "" : " class=\"problem\"", each.fault.requirements.front(),
        each.is_caught() ? "" : ", which misses it", also_violated(each), each.cases);
  }
  return rows;
}

std::string requirement_rows(const Matrix& matrix) {
  std::string rows;
  for (const RequirementCoverage& each : matrix.requirements) {
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td>{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td>"
        "<td class=\"quiet\">{}</td></tr>\n",
        each.requirement->id, escaped(each.requirement->text), each.faults.size(),
        each.caught.size(), escaped(each.without));
  }
  return rows;
}

std::string variant_rows(const Matrix& matrix) {
  constexpr std::string_view kMeant[] = {"conformant", "conformant, with warnings",
                                         "non-conformant: inconsistent"};
  std::string rows;
  for (const VariantOutcome& each : matrix.variants) {
    const Variant& variant = each.variant;
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td{}>{}</td></tr>\n",
        variant.id, escaped(variant.choice), variant.rulings,
        escaped(fmt::format("{}", fmt::join(variant.behaviours, " "))),
        each.problem.empty() ? "" : " class=\"problem\"",
        !each.problem.empty() ? escaped(each.problem)
                              : kMeant[static_cast<std::size_t>(variant.kind)]);
  }
  return rows;
}

std::string family_rows(const Matrix& matrix) {
  std::string rows;
  for (const auto& [name, each] : matrix.families) {
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"quiet\">{}</td></tr>\n",
        name, each.cases, each.catches.size(), each.alone.size(), fmt::join(each.alone, " "));
  }
  return rows;
}

}  // namespace

std::string zoo_text(const Zoo& zoo) {
  std::string text;
  for (const Fault& each : zoo.faults) {
    text +=
        fmt::format("{}  {}  {}\n", each.attachment.text, each.requirements.front(), each.wrong);
  }
  for (const Variant& each : zoo.variants) {
    text += fmt::format("{}  {}  {}\n", each.attachment.text, each.rulings, each.choice);
  }
  return text;
}

std::string matrix_text(const Matrix& matrix, const Zoo& zoo) {
  const auto reasoned = static_cast<std::size_t>(
      std::count_if(matrix.requirements.begin(), matrix.requirements.end(),
                    [](const RequirementCoverage& each) { return !each.without.empty(); }));
  const auto violated = static_cast<std::size_t>(
      std::count_if(matrix.requirements.begin(), matrix.requirements.end(),
                    [](const RequirementCoverage& each) { return !each.caught.empty(); }));
  const auto alone = std::count_if(matrix.families.begin(), matrix.families.end(),
                                   [](const auto& each) { return !each.second.alone.empty(); });
  std::string text;
  for (const std::string& each : matrix.problems) text += fmt::format("problem: {}\n", each);
  if (!matrix.select.empty()) text += fmt::format("only          --select {}\n", matrix.select);
  text += fmt::format("faults        {} of {} caught by the requirement that they violate: {}\n",
                      matrix.caught, matrix.faults.size(),
                      percent(matrix.caught, matrix.faults.size()));
  if (matrix.select.empty()) {
    text += fmt::format(
        "requirements  {} whose violation fails a target: {} are violated by a fault, {} can be by "
        "none, for a reason that is stated\n",
        matrix.requirements.size(), violated, reasoned);
    text += fmt::format("families      {} of cases, of which {} catch a fault that no other does\n",
                        matrix.families.size(), alone);
  }
  if (!matrix.variants.empty()) {
    const auto as_meant = [&](VariantKind kind) {
      std::ptrdiff_t good = 0, all = 0;
      for (const VariantOutcome& each : matrix.variants) {
        if (each.variant.kind != kind) continue;
        ++all;
        if (each.problem.empty()) ++good;
      }
      return fmt::format("{} of {}", good, all);
    };
    text += fmt::format(
        "latitude      {} legal choices conformant, {} mixtures of two choices inconsistent, {} "
        "lenient readers warned of\n",
        as_meant(VariantKind::kChoice), as_meant(VariantKind::kMixture),
        as_meant(VariantKind::kLenient));
  }
  text += fmt::format("retired       {} faults that change nothing that is judged\n",
                      zoo.retired.size());
  if (!zoo.absent.empty()) {
    text += fmt::format("not here      {} faults that this machine or this installation lacks\n",
                        zoo.absent.size());
  }
  return text;
}

std::string matrix_html(const Suite& suite, const Matrix& matrix, const Zoo& zoo) {
  std::string problems;
  for (const std::string& each : matrix.problems)
    problems += fmt::format("<p class=\"problem\">{}</p>\n", escaped(each));
  std::string absent;
  for (const Fault& each : zoo.absent) {
    absent +=
        fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", each.id, escaped(each.wrong));
  }
  if (!absent.empty()) {
    absent = fmt::format(
        "<h2>Not judged here</h2>\n<p class=\"quiet\">Programs that this machine or"
        " this installation lacks.</p>\n<table>{}</table>\n",
        absent);
  }
  std::string retired;
  for (const RetiredFault& each : zoo.retired) {
    retired += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n", each.id,
                           escaped(each.wrong), escaped(each.evidence));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>What hurray-conformance catches</title>\n<style>{}</style></head><body>\n"
      "<h1>What hurray-conformance {} catches{}</h1>\n"
      "<p class=\"score\">{}</p>\n"
      "<p>{} of {} wrong implementations are caught by the requirement that they violate."
      " <span class=\"quiet\">{} cases, digest <code>{}</code></span></p>\n{}"
      "<h2>Requirements by faults</h2>\n"
      "<p class=\"quiet\">One column per fault. <span class=\"swatch meant\"></span> the "
      "requirement"
      " that it is meant to violate, <span class=\"swatch also\"></span> others that come out "
      "violated"
      " as well, <span class=\"swatch missed\"></span> missed. Point at a cell for its fault; the"
      " tables below say the same in words.</p>\n"
      "<div class=\"scroll\">{}</div>\n"
      "<h2>Faults</h2>\n<div class=\"scroll\"><table><tr><th>fault</th><th>what is wrong</th>"
      "<th>violates</th><th>violates as well</th><th>failing cases</th></tr>\n{}</table></div>\n"
      "<h2>Requirements</h2>\n<div class=\"scroll\"><table><tr><th>requirement</th><th>text</th>"
      "<th>faults</th><th>caught</th><th>why none</th></tr>\n{}</table></div>\n"
      "<h2>Families of cases</h2>\n<div class=\"scroll\"><table><tr><th>family</th><th>cases</th>"
      "<th>catches</th><th>alone</th><th>faults that no other family "
      "catches</th></tr>\n{}</table></div>\n"
      "<h2>Latitude</h2>\n<p class=\"quiet\">Choices that a ruling leaves must not be failed;"
      " an implementation that chooses now this, now that, must.</p>\n"
      "<div class=\"scroll\"><table><tr><th>variant</th><th>what it does</th><th>ruling</th>"
      "<th>shows</th><th>verdict</th></tr>\n{}</table></div>\n"
      "<h2>Retired</h2>\n<div class=\"scroll\"><table><tr><th>fault</th><th>what it does</th>"
      "<th>why it is judged no longer</th></tr>\n{}</table></div>\n{}</body></html>\n",
      kStyle, kSuiteVersion,
      matrix.select.empty()
          ? ""
          : fmt::format(" of what <code>{}</code> chooses", escaped(matrix.select)),
      percent(matrix.caught, matrix.faults.size()), matrix.caught, matrix.faults.size(),
      suite.cases.size(), suite.digest.substr(0, 16), problems, picture(matrix), fault_rows(matrix),
      requirement_rows(matrix), family_rows(matrix), variant_rows(matrix), retired, absent);
}

}  // namespace hurray::conformance
