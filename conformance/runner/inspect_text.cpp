// SPDX-License-Identifier: Apache-2.0
//
// An inspection for the terminal: the bytes section by section, then what is broken. A mark stands
// before each field that a finding is about, and the finding's number behind it, so that nothing is
// said by color alone.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/inspect.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kMostBytesShown = 16;  // of one field

std::string painted(std::string text, int code, const TextStyle& style) {
  return style.color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::move(text);
}

int color_of(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kMust:
      return 31;
    case Severity::kSoft:
      return 33;
    default:
      return 36;
  }
}

std::string hex_of(const Inspection& inspection, const MapField& field) {
  const std::span<const std::uint8_t> bytes =
      std::span(inspection.bytes).subspan(field.offset, field.present);
  if (bytes.size() <= kMostBytesShown) return to_hex(bytes);
  return to_hex(bytes.first(kMostBytesShown)) + "…";
}

std::string value_of(const MapField& field) {
  if (field.present == 0 && field.bytes > 0) return "missing";
  if (!field.is_whole()) return fmt::format("cut off, {} bytes of {}", field.present, field.bytes);
  if (field.bytes > kMostBytesShown) {
    return fmt::format("{} bytes{}{}", field.bytes, field.value.empty() ? "" : ", ", field.value);
  }
  return field.value;
}

// Numbers of the findings that are about a field, and the gravest of them.
struct Marks {
  std::string numbers;
  const Finding* gravest = nullptr;
};
Marks marks_of(const Inspection& inspection, std::size_t field) {
  Marks marks;
  for (std::size_t n = 0; n < inspection.findings.size(); ++n) {
    const PlacedFinding& each = inspection.findings[n];
    if (std::ranges::find(each.fields, field) == each.fields.end()) continue;
    if (marks.gravest == nullptr) marks.gravest = &each.finding;
    marks.numbers += fmt::format("({})", n + 1);
  }
  return marks;
}

// The field names are short in a quantization descriptor, long in a buffer table.
struct Widths {
  std::size_t name = 15, hex = 10;
};
Widths widths_of(const Inspection& inspection) {
  Widths widths;
  for (const MapField& field : inspection.map.fields) {
    widths.name = std::max(widths.name, field.name.size());
    const std::size_t digits = 2 * std::min(field.present, std::size_t{8});
    widths.hex = std::max(widths.hex, digits);
  }
  return widths;
}

std::string field_line(const Inspection& inspection, std::size_t index, const Widths& widths,
                       const TextStyle& style) {
  const MapField& field = inspection.map.fields[index];
  const Marks marks = marks_of(inspection, index);
  std::string line =
      fmt::format("{} @{:<4} {:<{}} {:<{}} {}", marks.gravest != nullptr ? '!' : ' ', field.offset,
                  field.name, widths.name, hex_of(inspection, field), widths.hex, value_of(field));
  if (!marks.numbers.empty()) line += fmt::format("  <- {}", marks.numbers);
  while (line.back() == ' ') line.pop_back();
  return marks.gravest == nullptr ? line : painted(line, color_of(*marks.gravest), style);
}

std::string place_words(const Inspection& inspection, const PlacedFinding& placed) {
  constexpr std::size_t kMostPlaces = 6;
  std::string words;
  for (std::size_t i = 0; i < std::min(kMostPlaces, placed.fields.size()); ++i) {
    const MapField& field = inspection.map.fields[placed.fields[i]];
    const std::string value = value_of(field);
    words += fmt::format("{}@{} {}{}", i == 0 ? "" : "; ", field.offset, field.name,
                         value.empty() ? "" : " = " + value);
  }
  if (placed.fields.size() > kMostPlaces) {
    words += fmt::format("; and {} more", placed.fields.size() - kMostPlaces);
  }
  return words;
}

std::string finding_lines(const Inspection& inspection, std::size_t index,
                          std::span<const Requirement> requirements, const TextStyle& style) {
  const PlacedFinding& placed = inspection.findings[index];
  const Finding& finding = placed.finding;
  std::string text = fmt::format("({}) {}: {}\n", index + 1,
                                 painted(severity_words(finding), color_of(finding), style),
                                 text_of(finding.status));
  const auto rule = std::ranges::find(requirements, finding.requirement, &Requirement::id);
  if (rule != requirements.end()) {
    text += fmt::format("    {} {}: {}\n", relation_words(finding), rule->id, rule->text);
    if (!rule->rulings.empty()) {
      text += fmt::format("    rulings {}\n", fmt::join(rule->rulings, ", "));
    }
  }
  if (!placed.detail.empty()) text += fmt::format("    {}\n", placed.detail);
  if (!placed.fields.empty()) text += fmt::format("    at {}\n", place_words(inspection, placed));
  return text;
}

}  // namespace

std::string inspection_text(const Inspection& inspection, std::span<const Requirement> requirements,
                            const TextStyle& style) {
  std::string text = inspection.title;
  if (!inspection.summary.empty()) text += ": " + inspection.summary;
  text += "\n";
  const Widths widths = widths_of(inspection);
  std::optional<Section> section;
  for (std::size_t i = 0; i < inspection.map.fields.size(); ++i) {
    if (section != inspection.map.fields[i].section) {
      section = inspection.map.fields[i].section;
      text += fmt::format("{}\n", name_of(*section));
    }
    text += field_line(inspection, i, widths, style) + "\n";
  }
  if (inspection.is_valid()) {
    text += fmt::format("valid{}{}\n", inspection.meaning.empty() ? "" : ": ", inspection.meaning);
  } else {
    text += fmt::format("invalid: {}\n", text_of(inspection.findings.front().finding.status));
  }
  for (std::size_t i = 0; i < inspection.findings.size(); ++i) {
    text += finding_lines(inspection, i, requirements, style);
  }
  return text;
}

}  // namespace hurray::conformance
