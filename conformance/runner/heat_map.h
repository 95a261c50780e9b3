// SPDX-License-Identifier: Apache-2.0
//
// Which requirement does which target violate, at a glance? A row for each target (or image, or
// report that is compared), a column for each requirement. What is wrong is larger, not only of
// another color; the tables around it say the same in words.

#ifndef HURRAY_CONFORMANCE_HEAT_MAP_H
#define HURRAY_CONFORMANCE_HEAT_MAP_H

#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

enum class HeatCell { kEmpty, kHeld, kRecorded, kWarned, kViolated };

// Of the name of a verdict of a requirement, as it stands in report.json.
HeatCell heat_cell_of(std::string_view verdict);

struct HeatRow {
  std::string name;
  std::string remark;           // stands instead of cells, where nothing was judged
  std::vector<HeatCell> cells;  // one for each column
};

// `columns` are ids of requirements, those of a group beside each other.
std::string heat_map(const std::vector<HeatRow>& rows, const std::vector<std::string>& columns);

extern const std::string_view kHeatMapStyle;

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_HEAT_MAP_H
