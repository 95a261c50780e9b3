// SPDX-License-Identifier: Apache-2.0
//
// Can everybody read the pages? Contrasts by the formula of the Web Content Accessibility
// Guidelines 2.1 ("relative luminance", "contrast ratio"), for every pair that occurs.

#include "conformance/runner/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace hurray::conformance {
namespace {

double channel(std::string_view color, std::size_t at) {
  const long byte = std::strtol(std::string(color.substr(at, 2)).c_str(), nullptr, 16);
  const double value = static_cast<double>(byte) / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(std::string_view color) {
  return 0.2126 * channel(color, 1) + 0.7152 * channel(color, 3) + 0.0722 * channel(color, 5);
}

double contrast(std::string_view a, std::string_view b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

TEST(Contrast, IsThatOfTheGuidelines) {
  EXPECT_DOUBLE_EQ(contrast("#000000", "#ffffff"), 21.0);
  EXPECT_DOUBLE_EQ(contrast("#777777", "#777777"), 1.0);
  // The best known gray: the lightest that may be text on white.
  EXPECT_GE(contrast("#767676", "#ffffff"), 4.5);
  EXPECT_LT(contrast("#777777", "#ffffff"), 4.5);
}

class Palette : public testing::TestWithParam<std::string_view Color::*> {
 protected:
  static std::string_view ink() {
    return (*std::ranges::find(palette(), "ink", &Color::name)).*GetParam();
  }
  // The least contrast of a color with what it stands on.
  static double least(const Color& color) {
    double least = 21;
    for (const Color& paper : palette()) {
      if (paper.use != ColorUse::kPaper) continue;
      least = std::min(least, contrast(color.*GetParam(), paper.*GetParam()));
    }
    return least;
  }
};

TEST_P(Palette, TextIsReadable) {
  for (const Color& each : palette()) {
    if (each.use == ColorUse::kText) {
      EXPECT_GE(least(each), 4.5) << each.name;
    }
    if (each.use == ColorUse::kFill) {
      EXPECT_GE(contrast(ink(), each.*GetParam()), 4.5) << each.name;
    }
  }
}

TEST_P(Palette, GraphicsAreSeen) {
  for (const Color& each : palette()) {
    if (each.use == ColorUse::kGraphic) {
      EXPECT_GE(least(each), 3.0) << each.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, Palette, testing::Values(&Color::light, &Color::dark));

TEST(PaletteCss, HasEveryColorOnceLightAndOnceDark) {
  const std::string css = palette_css();
  std::set<std::string_view> names;
  for (const Color& each : palette()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    for (const std::string_view color : {each.light, each.dark}) {
      ASSERT_EQ(color.size(), 7u) << each.name;
      const std::string rule = "--" + std::string(each.name) + ": " + std::string(color) + ";";
      EXPECT_NE(css.find(rule), std::string::npos) << rule;
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
