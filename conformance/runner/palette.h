// SPDX-License-Identifier: Apache-2.0
//
// The colors of all pages, light and dark, in one place. palette_test computes their contrasts by
// the Web Content Accessibility Guidelines 2.1, 1.4.3 and 1.4.11.

#ifndef HURRAY_CONFORMANCE_PALETTE_H
#define HURRAY_CONFORMANCE_PALETTE_H

#include <span>
#include <string>
#include <string_view>

namespace hurray::conformance {

enum class ColorUse {
  kPaper,    // what everything stands on
  kText,     // 4.5:1 on every paper
  kGraphic,  // 3:1 on every paper
  kFill,     // `ink` on it has 4.5:1; tells nothing by itself
  kLine,     // decoration
};

struct Color {
  std::string_view name;
  ColorUse use;
  std::string_view light, dark;  // #rrggbb
};

std::span<const Color> palette();

// The palette as CSS variables (`--ink`), dark where the reader's setting is.
std::string palette_css();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PALETTE_H
