// SPDX-License-Identifier: Apache-2.0
//
// Heat maps, see heat_map.h.

#include "conformance/runner/heat_map.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/html.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

const std::string_view kHeatMapStyle = R"(
svg.heat { display: block; } svg.heat text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.held { fill: var(--held); } .recorded { fill: var(--recorded); }
.warned { fill: var(--warned); } .violated { fill: var(--violated); }
.band { fill: var(--panel); }
.heat-key { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none;
  font-size: 13px; } .heat-key svg { vertical-align: -3px; margin-right: .3rem; }
)";

namespace {

constexpr std::size_t kColumn = 5, kGap = 7, kRow = 18, kTop = 22, kMostName = 24;
constexpr std::size_t kLabel = 170;

struct Mark {
  HeatCell cell;
  std::string_view css, words;
  std::size_t width, height;
};
constexpr std::array<Mark, 4> kMarks = {{{HeatCell::kHeld, "held", "conforms", 3, 6},
                                         {HeatCell::kRecorded, "recorded", "recorded", 3, 12},
                                         {HeatCell::kWarned, "warned", "warned", 5, 12},
                                         {HeatCell::kViolated, "violated", "violated", 5, 16}}};

const Mark* mark_of(HeatCell cell) {
  const auto found = std::ranges::find(kMarks, cell, &Mark::cell);
  return found == kMarks.end() ? nullptr : &*found;
}

std::string_view group_of(std::string_view id) { return id.substr(0, id.rfind('-')); }

// Where each column begins: groups lie apart.
std::vector<std::size_t> places_of(const std::vector<std::string>& columns) {
  std::vector<std::size_t> places;
  std::size_t x = kLabel;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && group_of(columns[i]) != group_of(columns[i - 1])) x += kGap;
    places.push_back(x);
    x += kColumn;
  }
  return places;
}

std::string row_cells(const HeatRow& row, const std::vector<std::string>& columns,
                      const std::vector<std::size_t>& places, std::size_t top) {
  std::string held, others;
  for (std::size_t i = 0; i < columns.size() && i < row.cells.size(); ++i) {
    const Mark* mark = mark_of(row.cells[i]);
    if (!mark) continue;
    const std::size_t y = top + (kRow - mark->height) / 2;
    const std::size_t x = places[i] + (kColumn - mark->width) / 2;
    if (mark->cell == HeatCell::kHeld) {
      held += fmt::format("M{} {}h{}v{}h-{}z", x, y, mark->width, mark->height, mark->width);
    } else {
      others += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} {}: {}</title>"
          "</rect>\n",
          mark->css, x, y, mark->width, mark->height, escaped(row.name), escaped(columns[i]),
          mark->words);
    }
  }
  if (held.empty()) return others;
  return fmt::format("<path class=\"held\" d=\"{}\"/>\n{}", held, others);
}

std::string group_labels(const std::vector<std::string>& columns,
                         const std::vector<std::size_t>& places) {
  std::string svg;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && group_of(columns[i]) == group_of(columns[i - 1])) continue;
    svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", places[i], kTop - 8,
                       escaped(group_of(columns[i])));
  }
  return svg;
}

std::string key() {
  std::string items;
  for (const Mark& each : kMarks) {
    items += fmt::format(
        "<li><svg width=\"8\" height=\"16\" aria-hidden=\"true\"><rect class=\"{}\" x=\"{}\" "
        "y=\"{}\""
        " width=\"{}\" height=\"{}\"/></svg>{}</li>\n",
        each.css, (8 - each.width) / 2, (16 - each.height) / 2, each.width, each.height,
        each.words);
  }
  return "<ul class=\"heat-key\">\n" + items + "<li>empty: not judged</li></ul>\n";
}

}  // namespace

HeatCell heat_cell_of(std::string_view verdict) {
  if (verdict == "conforms") return HeatCell::kHeld;
  if (verdict == "recorded") return HeatCell::kRecorded;
  if (verdict == "warned") return HeatCell::kWarned;
  if (verdict == "violated") return HeatCell::kViolated;
  return HeatCell::kEmpty;
}

std::string heat_map(const std::vector<HeatRow>& rows, const std::vector<std::string>& columns) {
  const std::vector<std::size_t> places = places_of(columns);
  const std::size_t width = (places.empty() ? kLabel : places.back() + kColumn) + 8;
  const std::size_t height = kTop + rows.size() * kRow + 4;
  std::string svg = fmt::format(
      "<svg class=\"heat\" role=\"img\" aria-label=\"{} rows by {} requirements\" width=\"{}\""
      " height=\"{}\">\n",
      rows.size(), columns.size(), width, height);
  svg += group_labels(columns, places);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t top = kTop + r * kRow;
    if (r % 2 == 0) {
      svg += fmt::format("<rect class=\"band\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", top, width,
                         kRow);
    }
    svg += fmt::format("<text x=\"2\" y=\"{}\">{}</text>\n", top + kRow - 5,
                       escaped(excerpt(cleaned(rows[r].name), kMostName)));
    svg += row_cells(rows[r], columns, places, top);
    if (!rows[r].remark.empty()) {
      svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", kLabel, top + kRow - 5,
                         escaped(cleaned(rows[r].remark)));
    }
  }
  return key() + scrolled("Requirements by target", svg + "</svg>\n");
}

}  // namespace hurray::conformance
