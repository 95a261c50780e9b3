// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a descriptor on a page, see byte_rows.h.

#include "conformance/runner/byte_rows.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "conformance/runner/html.h"

namespace hurray::conformance {

const std::string kByteRowsStyle = R"(
.map { font-family: ui-monospace, monospace; }
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
)";

namespace {

constexpr std::size_t kMostBehind = 64;  // bytes behind the descriptor that are shown

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

std::string row_start(std::size_t at) {
  return fmt::format("<div class=\"row\"><span class=\"at\">{}</span>", at);
}
std::string left_out(std::size_t bytes) {
  return fmt::format("<p class=\"quiet\">and {} bytes more</p>\n", bytes);
}

}  // namespace

std::string css_class(Section section) {
  return fmt::format("s{}", static_cast<unsigned>(section));
}

std::string section_colors() {
  std::string css;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    css += fmt::format(".s{} {{ background-color: var(--s{}); }}\n", i, i);
  }
  return css;
}

std::vector<std::size_t> findings_of(const Inspection& inspection, std::size_t field) {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < inspection.findings.size(); ++n) {
    const std::vector<std::size_t>& fields = inspection.findings[n].fields;
    if (std::ranges::find(fields, field) != fields.end()) numbers.push_back(n);
  }
  return numbers;
}

std::size_t drawn_bytes(const MapField& field) {
  return field.section == Section::kBehind || field.section == Section::kUnread
             ? std::min(field.present, kMostBehind)
             : field.present;
}

std::string byte_rows(const Inspection& inspection, const ByteRows& options) {
  std::string rows;
  std::string side;
  std::size_t at = 0;
  const auto close = [&] {
    rows += fmt::format("<span class=\"side\" title=\"{0}\">{0}</span></div>\n", side);
    side.clear();
  };
  std::optional<Section> section;
  for (std::size_t i = 0; i < inspection.map.fields.size() && at < options.most_bytes; ++i) {
    const MapField& field = inspection.map.fields[i];
    const bool is_broken = !findings_of(inspection, i).empty();
    const std::size_t end = std::min(field.offset + drawn_bytes(field), options.most_bytes);
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
      rows += fmt::format(
          "<{} class=\"f {}{}{}\"{} title=\"{}\">", options.linked ? "a" : "span",
          css_class(field.section), at == field.offset ? " first" : "", is_broken ? " broken" : "",
          options.linked ? fmt::format(" href=\"#f{}\"", i) : "", hint(inspection, i));
      do {
        rows += fmt::format("<b>{:02x}</b>", inspection.bytes[at++]);
      } while (at < end && at % kRowBytes != 0);
      rows += options.linked ? "</a>" : "</span>";
      if (at % kRowBytes == 0) close();
    }
  }
  if (at % kRowBytes != 0) close();
  if (at < inspection.bytes.size()) rows += left_out(inspection.bytes.size() - at);
  return fmt::format("<div class=\"map\"{}>\n{}</div>\n",
                     options.linked ? "" : " tabindex=\"0\" role=\"group\" aria-label=\"Bytes\"",
                     rows);
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

}  // namespace hurray::conformance
