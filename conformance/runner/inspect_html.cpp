// SPDX-License-Identifier: Apache-2.0
//
// An inspection as a page: bytes in rows of 16, colored by section, what is broken hatched and
// underlined as well; findings; every field with its value. No script and nothing to load: a byte
// is a link to its field, and has its description as hint.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/byte_rows.h"
#include "conformance/runner/html.h"
#include "conformance/runner/inspect.h"

namespace hurray::conformance {
namespace {

// Broken bytes have a pattern, a line and bold digits beside the color. Both columns scroll in
// themselves on a narrow screen.
constexpr std::string_view kStyle = R"(
td.hex { font-family: ui-monospace, monospace; }
.verdict { font-weight: 600; } .must { color: var(--bad); } .soft { color: var(--warn); }
.open, .lenient { color: var(--free); }
.columns { display: grid; gap: 0 2.5rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 1500px) { .columns { grid-template-columns: 36.5rem minmax(0, 1fr); }
  .left { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem);
    overflow-y: auto; } }
.findings { padding: 0; margin: 0; list-style: none; }
.findings li { border-left: 4px solid currentColor; padding: .1rem 0 .1rem .8rem; margin: 0 0 1rem; }
.findings p { margin: .1rem 0; color: var(--ink); } .findings .head { color: inherit; font-weight: 600; }
table { width: 100%; } td.number { color: var(--quiet); }
td.hex { word-break: break-all; min-width: 8rem; } th.section { padding-top: .8rem; }
td.value { overflow-wrap: break-word; min-width: 13rem; }
@media (max-width: 720px) { td.hex, th.hex { display: none; } }  /* they stand in the map */
tr:target td { outline: 2px solid var(--ink); outline-offset: -2px; }
)";

std::string_view css_class(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kMust:
      return "must";
    case Severity::kSoft:
      return "soft";
    case Severity::kOpen:
      return "open";
    case Severity::kLenient:
      return "lenient";
  }
  return {};
}

// `2 must be refused, 1 may be refused`.
std::string finding_counts(const Inspection& inspection) {
  std::string counts;
  for (const auto& [severity, words] : {std::pair(Severity::kMust, "must be refused"),
                                        {Severity::kSoft, "should be refused"},
                                        {Severity::kOpen, "may be refused"},
                                        {Severity::kLenient, "should not be refused"}}) {
    const auto count = std::ranges::count_if(inspection.findings, [&](const PlacedFinding& each) {
      return each.finding.severity == severity;
    });
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, words);
  }
  return counts;
}

std::string finding_items(const Inspection& inspection, std::span<const Requirement> requirements) {
  std::string items;
  for (std::size_t n = 0; n < inspection.findings.size(); ++n) {
    const PlacedFinding& placed = inspection.findings[n];
    const Finding& finding = placed.finding;
    items += fmt::format("<li class=\"{}\" id=\"n{}\"><p class=\"head\">({}) {}: {}</p>\n",
                         css_class(finding), n + 1, n + 1, severity_words(finding),
                         escaped(text_of(finding.status)));
    const auto rule = std::ranges::find(requirements, finding.requirement, &Requirement::id);
    if (rule != requirements.end()) {
      items += fmt::format("<p>{} <code>{}</code>: {}{}</p>\n", relation_words(finding), rule->id,
                           escaped(rule->text),
                           rule->rulings.empty()
                               ? ""
                               : fmt::format(" <span class=\"quiet\">Rulings {}.</span>",
                                             fmt::join(rule->rulings, ", ")));
    }
    if (!placed.detail.empty()) items += fmt::format("<p>{}</p>\n", escaped(placed.detail));
    if (!placed.fields.empty()) {
      items += "<p class=\"quiet\">at";
      for (const std::size_t i : placed.fields) {
        const MapField& field = inspection.map.fields[i];
        items += fmt::format(" <a href=\"#f{}\">@{} {}</a>", i, field.offset, escaped(field.name));
      }
      items += "</p>\n";
    }
    items += "</li>\n";
  }
  return items;
}

std::string field_rows(const Inspection& inspection) {
  std::string rows;
  std::optional<Section> section;
  for (std::size_t i = 0; i < inspection.map.fields.size(); ++i) {
    const MapField& field = inspection.map.fields[i];
    if (section != field.section) {
      section = field.section;
      rows += fmt::format(
          "<tr><th class=\"section\" colspan=\"5\"><span class=\"swatch {}\"></span>{}</th></tr>\n",
          css_class(*section), name_of(*section));
    }
    std::string marks;
    for (const std::size_t n : findings_of(inspection, i)) {
      marks += fmt::format("<a class=\"{}\" href=\"#n{}\">({})</a>",
                           css_class(inspection.findings[n].finding), n + 1, n + 1);
    }
    const std::size_t drawn = std::min(drawn_bytes(field), std::size_t{2 * kRowBytes});
    const auto bytes = std::span(inspection.bytes).subspan(field.offset, drawn);
    const std::string value =
        field.is_whole()     ? field.value
        : field.present == 0 ? "missing"
                             : fmt::format("cut off, {} bytes of {}", field.present, field.bytes);
    rows += fmt::format(
        "<tr id=\"f{}\"><td class=\"number\">{}</td><td>{}</td><td class=\"hex\">{}{}</td>"
        "<td class=\"value\">{}</td><td>{}</td></tr>\n",
        i, field.offset, escaped(field.name), to_hex(bytes), drawn < field.present ? "…" : "",
        escaped(value), marks);
  }
  return rows;
}

}  // namespace

std::string inspection_html(const Inspection& inspection,
                            std::span<const Requirement> requirements) {
  const std::string verdict =
      inspection.is_valid()
          ? fmt::format("<p class=\"verdict\">✓ valid{}{}</p>",
                        inspection.meaning.empty() ? "" : ": ", escaped(inspection.meaning))
          : fmt::format("<p class=\"verdict must\">✗ invalid</p>");
  const std::string list =
      inspection.findings.empty()
          ? ""
          : fmt::format(
                "<h2>Findings</h2>\n<p class=\"quiet\">{}</p><ul class=\"findings\">{}</ul>\n",
                finding_counts(inspection), finding_items(inspection, requirements));
  const std::string fields =
      scrolled("Fields",
               "<table><tr><th>offset</th><th>field</th><th class=\"hex\">bytes</th><th>value</th>"
               "<th>finding</th></tr>\n" +
                   field_rows(inspection) + "</table>");
  return html_page(
      inspection.title, kByteRowsStyle + section_colors() + std::string(kStyle),
      fmt::format("<main><h1>{}</h1>\n<p class=\"quiet\">{}</p>\n{}\n"
                  "<div class=\"columns\"><div class=\"left\">\n<h2>Bytes</h2>\n{}{}</div>\n"
                  "<div>{}<h2>Fields</h2>\n{}</div></div>\n"
                  "<p class=\"quiet\">hurray-conform {} inspect</p></main>\n",
                  escaped(inspection.title), escaped(inspection.summary), verdict,
                  legend(inspection), byte_rows(inspection, {}), list, fields, kSuiteVersion));
}

}  // namespace hurray::conformance
