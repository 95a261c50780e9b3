// SPDX-License-Identifier: Apache-2.0
//
// Pictures of report.html where one tells more than a line of text: the staircase of a quantizer
// around an input that it gets wrong, and the error of a dequantizer over its codes. SVG in the
// colors of the palette; every picture says in words what it shows.

#ifndef HURRAY_CONFORMANCE_PLOTS_H
#define HURRAY_CONFORMANCE_PLOTS_H

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/runner/run.h"

namespace hurray::conformance {

// Of a quantizer; ascending by input.
struct Stair {
  double input = 0;
  std::int64_t expected = 0, got = 0;
};
std::string staircase(const std::vector<Stair>& stairs, double scale);

// Of a dequantizer; ascending by code.
struct CodeError {
  std::int64_t code = 0;
  std::int64_t ulps = 0;  // got minus expected
  bool is_number = true;  // of both
};
std::string error_plot(const std::vector<CodeError>& errors);

// The plot of a picture, as a figure; empty where nothing in it differs, or there is none for it.
std::string figure_of(const Picture& picture);

extern const std::string_view kPlotStyle;

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PLOTS_H
