// SPDX-License-Identifier: Apache-2.0
//
// An inspection as a page: bytes in rows of 16, colored by section, what is broken hatched and
// underlined as well; findings; every field with its value. No script and nothing to load: a byte
// is a link to its field, and has its description as hint.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/html.h"
#include "conformance/runner/inspect.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kRowBytes = 16;
constexpr std::size_t kMostBehind = 64;  // bytes behind the descriptor that are shown

// Hues of sections lie apart from their neighbours'; broken bytes have a pattern, a line and bold
// digits beside the color. Both columns scroll in themselves on a narrow screen.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1a1a1a; --quiet: #5f5f5f; --line: #d8d8d8; --paper: #fff;
  --bad: #b00020; --warn: #8a5300; --free: #0b5c8a; --hatch: rgba(176,0,32,.28);
  --s0: #cfe3ff; --s1: #d9f2d0; --s2: #fff0b8; --s3: #f6d9ef; --s4: #ffd9c2; --s5: #cdeeee;
  --s6: #e2dcff; --s7: #ecebc8; --s8: #d6e6dd; --s9: #e0e0e0; --s10: #e8e8e8; --s11: #f2f2f2; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --quiet: #a5a5a5; --line: #3a3a3a;
  --paper: #141414; --bad: #ff7b86; --warn: #f0b35a; --free: #7cc4f0; --hatch: rgba(255,123,134,.34);
  --s0: #1d3a63; --s1: #23482a; --s2: #554508; --s3: #53284b; --s4: #5e3217; --s5: #17494b;
  --s6: #3a3072; --s7: #46451d; --s8: #2c443a; --s9: #3d3d3d; --s10: #333; --s11: #262626; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 100rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 1.8rem 0 .6rem; }
.quiet { color: var(--quiet); } code, .map, td.hex { font-family: ui-monospace, monospace; }
.verdict { font-weight: 600; } .must { color: var(--bad); } .soft { color: var(--warn); }
.open, .lenient { color: var(--free); }
.columns { display: grid; gap: 0 2.5rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 1500px) { .columns { grid-template-columns: 36.5rem minmax(0, 1fr); }
  .left { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem);
    overflow-y: auto; } }
.map { font-size: 13px; overflow-x: auto; overflow-y: hidden; }
.row { display: flex; height: 1.75rem; align-items: stretch; white-space: nowrap; }
.at { width: 2.9rem; flex: none; color: var(--quiet); line-height: 1.75rem; }
.side { padding-left: .6rem; color: var(--quiet); font: 12px/1.75rem system-ui, sans-serif;
  min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.f { display: flex; flex: none; color: inherit; text-decoration: none; margin: 1px 0; }
.first { box-shadow: inset 2px 0 0 var(--paper); }
.f b { width: 1.5rem; flex: none; text-align: center; font-weight: 400; line-height: 1.62rem; }
.f:hover, .f:focus { outline: 2px solid var(--ink); outline-offset: -1px; }
.broken { background-image: repeating-linear-gradient(135deg, var(--hatch) 0 3px,
  transparent 3px 7px); box-shadow: inset 0 -3px 0 var(--bad); }
.first.broken { box-shadow: inset 2px 0 0 var(--paper), inset 0 -3px 0 var(--bad); }
.f.broken b { font-weight: 700; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; margin: .8rem 0; list-style: none;
  font-size: 13px; }
.swatch { display: inline-block; width: 1.1rem; height: .9rem; margin-right: .35rem;
  vertical-align: -1px; border: 1px solid var(--line); }
.findings { padding: 0; margin: 0; list-style: none; }
.findings li { border-left: 4px solid currentColor; padding: .1rem 0 .1rem .8rem; margin: 0 0 1rem; }
.findings p { margin: .1rem 0; color: var(--ink); } .findings .head { color: inherit; font-weight: 600; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 14px; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem .4rem;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; color: var(--quiet); }
td.hex { word-break: break-all; min-width: 8rem; } th.section { padding-top: .8rem; }
td.value { overflow-wrap: break-word; min-width: 13rem; }
@media (max-width: 720px) { td.hex, th.hex { display: none; } }  /* they stand in the map */
tr:target td { outline: 2px solid var(--ink); outline-offset: -2px; }
)";

std::string css_class(Section section) {
  return fmt::format("s{}", static_cast<unsigned>(section));
}
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

std::string section_colors() {
  std::string css;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    css += fmt::format(".s{} {{ background-color: var(--s{}); }}\n", i, i);
  }
  return css;
}

// Numbers of the findings that are about a field.
std::vector<std::size_t> findings_of(const Inspection& inspection, std::size_t field) {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < inspection.findings.size(); ++n) {
    const std::vector<std::size_t>& fields = inspection.findings[n].fields;
    if (std::ranges::find(fields, field) != fields.end()) numbers.push_back(n);
  }
  return numbers;
}

std::string hint(const Inspection& inspection, std::size_t index) {
  const MapField& field = inspection.map.fields[index];
  std::string text = fmt::format("@{} {}: {}", field.offset, name_of(field.section), field.name);
  if (!field.value.empty()) text += " = " + field.value;
  for (const std::size_t n : findings_of(inspection, index)) {
    const Finding& finding = inspection.findings[n].finding;
    text += fmt::format("\n({}) {}: {} [{}]", n + 1, severity_words(finding),
                        text_of(finding.status), finding.requirement);
  }
  return escaped(text);
}

// What of a field is drawn: all of it but the endless.
std::size_t drawn_bytes(const MapField& field) {
  return field.section == Section::kBehind || field.section == Section::kUnread
             ? std::min(field.present, kMostBehind)
             : field.present;
}

std::string row_start(std::size_t at) {
  return fmt::format("<div class=\"row\"><span class=\"at\">{}</span>", at);
}
std::string left_out(std::size_t bytes) {
  return fmt::format("<p class=\"quiet\">and {} bytes more</p>\n", bytes);
}

std::string byte_rows(const Inspection& inspection) {
  std::string rows;
  std::string side;
  std::size_t at = 0;
  const auto close = [&] {
    rows += fmt::format("<span class=\"side\" title=\"{0}\">{0}</span></div>\n", side);
    side.clear();
  };
  std::optional<Section> section;
  for (std::size_t i = 0; i < inspection.map.fields.size(); ++i) {
    const MapField& field = inspection.map.fields[i];
    const bool is_broken = !findings_of(inspection, i).empty();
    const std::size_t end = field.offset + drawn_bytes(field);
    if (field.present > 0 && field.offset > at) {  // the field before was not drawn to its end
      if (at % kRowBytes != 0) close();
      rows += left_out(field.offset - at);
      at = field.offset;
      if (at % kRowBytes != 0) rows += row_start(at);
    }
    while (at < end) {
      if (at % kRowBytes == 0) rows += row_start(at);
      if (section != field.section) {
        section = field.section;
        side += fmt::format("{}{}", side.empty() ? "" : ", ", name_of(*section));
      }
      rows += fmt::format("<a class=\"f {}{}{}\" href=\"#f{}\" title=\"{}\">",
                          css_class(field.section), at == field.offset ? " first" : "",
                          is_broken ? " broken" : "", i, hint(inspection, i));
      do {
        rows += fmt::format("<b>{:02x}</b>", inspection.bytes[at++]);
      } while (at < end && at % kRowBytes != 0);
      rows += "</a>";
      if (at % kRowBytes == 0) close();
    }
  }
  if (at % kRowBytes != 0) close();
  if (at < inspection.bytes.size()) rows += left_out(inspection.bytes.size() - at);
  return rows;
}

std::string legend(const Inspection& inspection) {
  std::string items;
  std::optional<Section> section;
  for (const MapField& field : inspection.map.fields) {
    if (section == field.section) continue;
    section = field.section;
    items += fmt::format("<li><span class=\"swatch {}\"></span>{}</li>\n", css_class(field.section),
                         name_of(field.section));
  }
  if (!inspection.findings.empty()) {
    items += "<li><span class=\"swatch broken\"></span>a finding is about it</li>\n";
  }
  return "<ul class=\"legend\">" + items + "</ul>\n";
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
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"quiet\">{3}</p>\n{4}\n"
      "<div class=\"columns\"><div class=\"left\">\n<h2>Bytes</h2>\n{5}<div "
      "class=\"map\">\n{6}</div>\n</div>\n<div>{7}<h2>Fields</h2>\n<div class=\"scroll\"><table>"
      "<tr><th>offset</th><th>field</th><th "
      "class=\"hex\">bytes</th><th>value</th><th>finding</th></tr>\n{8}"
      "</table></div></div></div>\n<p class=\"quiet\">hurray-conform {9} "
      "inspect</p>\n</body></html>\n",
      escaped(inspection.title), kStyle, section_colors(), escaped(inspection.summary), verdict,
      legend(inspection), byte_rows(inspection), list, field_rows(inspection), kSuiteVersion);
}

}  // namespace hurray::conformance
