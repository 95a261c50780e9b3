// SPDX-License-Identifier: Apache-2.0
//
// Colors, see palette.h.

#include "conformance/runner/palette.h"

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

constexpr Color kPalette[] = {
    {"paper", ColorUse::kPaper, "#ffffff", "#141414"},
    {"panel", ColorUse::kPaper, "#f5f6f7", "#1f2022"},
    {"line", ColorUse::kLine, "#d8d8d8", "#3a3a3a"},
    {"ink", ColorUse::kText, "#1a1a1a", "#ececec"},
    {"quiet", ColorUse::kText, "#5c5c5c", "#a8a8a8"},
    {"link", ColorUse::kText, "#0a4fb4", "#8ab8ff"},
    // Verdicts and findings in words.
    {"good", ColorUse::kText, "#0a6b43", "#4fd09b"},
    {"bad", ColorUse::kText, "#b00020", "#ff8a93"},
    {"warn", ColorUse::kText, "#7d4c00", "#f0b35a"},
    {"free", ColorUse::kText, "#0b5c8a", "#7cc4f0"},
    // Cells of the matrix of faults, and of the heat map.
    {"meant", ColorUse::kGraphic, "#0a7d4f", "#35c48a"},
    {"also", ColorUse::kGraphic, "#54937a", "#3f8a6b"},
    {"missed", ColorUse::kGraphic, "#c62828", "#ff6b6b"},
    {"held", ColorUse::kGraphic, "#54937a", "#3f8a6b"},
    {"violated", ColorUse::kGraphic, "#b3001b", "#ff6b78"},
    {"warned", ColorUse::kGraphic, "#b36b00", "#e0a030"},
    {"recorded", ColorUse::kGraphic, "#2f7fb5", "#5aa9dd"},
    // Curves.
    {"expected", ColorUse::kGraphic, "#1f6fbf", "#6ab0ff"},
    {"got", ColorUse::kGraphic, "#c2410c", "#ff9a5c"},
    {"axis", ColorUse::kGraphic, "#767676", "#8a8a8a"},
    // Sections of a descriptor: hues lie apart from their neighbours'. And what is wrong in it.
    {"s0", ColorUse::kFill, "#cfe3ff", "#1d3a63"},
    {"s1", ColorUse::kFill, "#d9f2d0", "#23482a"},
    {"s2", ColorUse::kFill, "#fff0b8", "#554508"},
    {"s3", ColorUse::kFill, "#f6d9ef", "#53284b"},
    {"s4", ColorUse::kFill, "#ffd9c2", "#5e3217"},
    {"s5", ColorUse::kFill, "#cdeeee", "#17494b"},
    {"s6", ColorUse::kFill, "#e2dcff", "#3a3072"},
    {"s7", ColorUse::kFill, "#ecebc8", "#46451d"},
    {"s8", ColorUse::kFill, "#d6e6dd", "#2c443a"},
    {"s9", ColorUse::kFill, "#e0e0e0", "#3d3d3d"},
    {"s10", ColorUse::kFill, "#e8e8e8", "#333333"},
    {"s11", ColorUse::kFill, "#f2f2f2", "#262626"},
    {"hatch", ColorUse::kFill, "#f2a3ad", "#7d2230"},
    {"unlike", ColorUse::kFill, "#ffe2c4", "#5a3410"},
};

}  // namespace

std::span<const Color> palette() { return kPalette; }

std::string palette_css() {
  std::string light, dark;
  for (const Color& each : kPalette) {
    light += fmt::format(" --{}: {};", each.name, each.light);
    dark += fmt::format(" --{}: {};", each.name, each.dark);
  }
  return fmt::format(
      ":root {{ color-scheme: light dark;{} }}\n"
      "@media (prefers-color-scheme: dark) {{ :root {{{} }} }}\n",
      light, dark);
}

}  // namespace hurray::conformance
