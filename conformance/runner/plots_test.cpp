// SPDX-License-Identifier: Apache-2.0
//
// Do the pictures show what is wrong, say it in words, and stay away where nothing is?

#include "conformance/runner/plots.h"

#include <gtest/gtest.h>

#include "conformance/runner/oracle.h"

namespace hurray::conformance {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Staircase, MarksWhatDiffersAndSaysIt) {
  const std::string figure = staircase({{-0.5, -1, 0}, {0, 0, 0}, {0.5, 1, 0}, {1, 1, 1}}, 1);
  EXPECT_EQ(count(figure, "<circle class=\"expected\""), 2u);
  EXPECT_EQ(count(figure, "<circle class=\"got\""), 2u);
  EXPECT_EQ(count(figure,
                  "2 of 4 inputs get another code; the first: -0.5 becomes 0 instead of "
                  "-1."),
            2u)
      << "in the label and in the caption: " << figure;
  EXPECT_EQ(figure.find("nan"), std::string::npos);
}

TEST(Staircase, IsNotDrawnWhereNothingDiffers) {
  EXPECT_EQ(staircase({{0, 0, 0}, {1, 1, 1}}, 1), "");
}

TEST(ErrorPlot, HasABarForEachCodeThatDiffers) {
  const std::string figure =
      error_plot({{-1, 0, true}, {0, 3, true}, {1, -70000, true}, {2, 0, false}});
  EXPECT_EQ(count(figure, "<rect class=\"got\""), 2u);
  EXPECT_EQ(count(figure, "×"), 1u);
  EXPECT_NE(figure.find("2 of 4 codes differ; the most: code 1 by -70000 ulp; 1 are not a number"),
            std::string::npos)
      << figure;
  EXPECT_EQ(error_plot({{0, 0, true}, {1, 0, true}}), "");
}

Picture picture_of(const std::string& request, const std::string& got) {
  return {request, expected_answers(read_request(request)), got};
}

TEST(FigureOf, DrawsWhatAQuantizerAnswered) {
  // 0.5 and 1.5 by a scale of 1: 1 and 2; ties to even give 0 and 2.
  const std::string request =
      "quantize type=10 scale=3f800000 zero_point=0 count=2 in=0000003f0000c03f";
  EXPECT_EQ(figure_of(picture_of(request, "ok q=0102")), "");
  const std::string figure = figure_of(picture_of(request, "ok q=0002"));
  EXPECT_NE(figure.find("1 of 2 inputs get another code; the first: 0.5 becomes 0 instead of 1"),
            std::string::npos)
      << figure;
}

TEST(FigureOf, DrawsWhatADequantizerAnswered) {
  const std::string request = "dequantize type=10 scale=3f800000 zero_point=0 count=2 q=0102";
  EXPECT_EQ(figure_of(picture_of(request, "ok out=0000803f00000040")), "");
  const std::string figure = figure_of(picture_of(request, "ok out=0000803f01000040"));
  EXPECT_NE(figure.find("1 of 2 codes differ; the most: code 2 by +1 ulp"), std::string::npos)
      << figure;
}

TEST(FigureOf, AnAnswerThatCannotBeDrawnIsNone) {
  const std::string request = "dequantize type=10 scale=3f800000 zero_point=0 count=2 q=0102";
  for (const char* got : {"reject", "ok", "ok out=00", "", "unsupported"}) {
    EXPECT_EQ(figure_of(picture_of(request, got)), "") << got;
  }
}

}  // namespace
}  // namespace hurray::conformance
