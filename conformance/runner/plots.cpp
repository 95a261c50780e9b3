// SPDX-License-Identifier: Apache-2.0
//
// Pictures as SVG, see plots.h.

#include "conformance/runner/plots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/html.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/ulps.h"

namespace hurray::conformance {

const std::string_view kPlotStyle = R"(
figure { margin: .6rem 0; } figcaption { font-size: 13px; }
svg.plot { display: block; width: 100%; max-width: 44rem; height: auto; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); } .axis { stroke: var(--axis); }
.expected { stroke: var(--expected); fill: none; stroke-width: 2.5; }
.got { stroke: var(--got); fill: none; stroke-width: 2; stroke-dasharray: 6 3; }
circle.expected { fill: var(--paper); stroke-width: 2; }
circle.got, rect.got { fill: var(--got); stroke: none; }
.key { display: inline-block; width: 1.8rem; border-top: 3px solid var(--expected);
  vertical-align: .25rem; margin-right: .3rem; } .key.g { border-top: 3px dashed var(--got); }
)";

namespace {

constexpr double kWidth = 640, kHeight = 250, kLeft = 62, kRight = 8, kTop = 8, kBottom = 40;

// From values to places on the picture.
struct Frame {
  double least_x, most_x, least_y, most_y;

  double x(double value) const {
    return kLeft + (value - least_x) / (most_x - least_x) * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kHeight - kBottom - (value - least_y) / (most_y - least_y) * (kHeight - kTop - kBottom);
  }
};

std::string start_of(std::string_view label) {
  return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     kWidth, kHeight, escaped(label));
}

std::string grid_line(const Frame& frame, double y, std::string_view label) {
  return fmt::format(
      "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
      "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
      kLeft, kWidth - kRight, frame.y(y), kLeft - 6, frame.y(y) + 4, label);
}

enum class Ticks { kReals, kCodes };

std::string x_axis(const Frame& frame, std::string_view name, Ticks ticks) {
  std::string svg =
      fmt::format("<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>\n", kLeft,
                  kWidth - kRight, kHeight - kBottom);
  constexpr int kTicks = 4;
  for (int i = 0; i <= kTicks; ++i) {
    const double real = frame.least_x + (frame.most_x - frame.least_x) * i / kTicks;
    const double value = ticks == Ticks::kCodes ? std::round(real) : real;
    const double x = frame.x(value);
    const std::string_view anchor = i == 0 ? "start" : i == kTicks ? "end" : "middle";
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"{4}\">{5:.5g}</text>\n",
        x, kHeight - kBottom, kHeight - kBottom + 4, kHeight - kBottom + 16, anchor, value);
  }
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                           (kLeft + kWidth) / 2, kHeight - 6, name);
}

// The codes as a line with steps in the middle between two inputs.
std::string steps(const Frame& frame, const std::vector<Stair>& stairs, std::int64_t Stair::*code,
                  std::string_view css) {
  std::string path;
  for (std::size_t i = 0; i < stairs.size(); ++i) {
    const double from = i == 0 ? stairs[i].input : (stairs[i - 1].input + stairs[i].input) / 2;
    const double y = frame.y(static_cast<double>(stairs[i].*code));
    path += i == 0 ? fmt::format("M{:.1f} {:.1f}", frame.x(from), y)
                   : fmt::format("H{:.1f}V{:.1f}", frame.x(from), y);
  }
  path += fmt::format("H{:.1f}", frame.x(stairs.back().input));
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", css, path);
}

std::string captioned(const std::string& svg, const std::string& caption) {
  return "<figure>\n" + svg + "<figcaption>" + caption + "</figcaption></figure>\n";
}

// Small errors as they are, great ones by their binary logarithm.
double on_scale(std::int64_t ulps) {
  const double size = std::log2(1.0 + std::abs(static_cast<double>(ulps)));
  return ulps < 0 ? -size : size;
}

struct Compared {
  Elements expected, got;
};

// The alternative that differs least, element by element; nothing if the answer has none.
std::optional<Compared> compared(const ReadRequest& request, const Picture& picture) {
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(picture.got, error);
  if (!answer || answer->kind != AnswerKind::kOk) return std::nullopt;
  std::optional<Elements> got = read_elements(request, *answer);
  if (!got) return std::nullopt;
  std::optional<Compared> closest;
  std::size_t least = SIZE_MAX;
  for (const Alternative& each : picture.expected) {
    const std::optional<Answer> body = parse_answer_body(each.answer, error);
    std::optional<Elements> expected =
        body && body->kind == AnswerKind::kOk ? read_elements(request, *body) : std::nullopt;
    if (!expected || expected->size() != got->size()) continue;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < got->size(); ++i) {
      differing += match_element(*expected, *got, i, zero_sign_counts(request)) != Match::kYes;
    }
    if (differing >= least) continue;
    least = differing;
    closest = Compared{std::move(*expected), *got};
  }
  return closest;
}

}  // namespace

std::string staircase(const std::vector<Stair>& stairs, double scale) {
  std::int64_t least = stairs.front().expected, most = least;
  std::size_t differing = 0;
  const Stair* first = nullptr;
  for (const Stair& each : stairs) {
    least = std::min({least, each.expected, each.got});
    most = std::max({most, each.expected, each.got});
    if (each.expected == each.got) continue;
    ++differing;
    if (!first) first = &each;
  }
  if (!first) return {};
  const double margin = 0.5 + static_cast<double>(most - least) * 0.05;
  const Frame frame{stairs.front().input, stairs.back().input, static_cast<double>(least) - margin,
                    static_cast<double>(most) + margin};
  const std::string words =
      fmt::format("{} of {} inputs get another code; the first: {:.9g} becomes {} instead of {}.",
                  differing, stairs.size(), first->input, first->got, first->expected);
  std::string svg = start_of("Codes by input, expected and got. " + words);
  const std::int64_t every = std::max<std::int64_t>(1, (most - least) / 7);
  for (std::int64_t code = least; code <= most; code += every) {
    svg += grid_line(frame, static_cast<double>(code), fmt::format("{}", code));
  }
  svg += x_axis(frame, fmt::format("input, scale {:.6g}", scale), Ticks::kReals);
  svg += steps(frame, stairs, &Stair::expected, "expected");
  svg += steps(frame, stairs, &Stair::got, "got");
  for (const Stair& each : stairs) {
    if (each.expected == each.got) continue;
    svg += fmt::format(
        "<circle class=\"expected\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4.5\"/>"
        "<circle class=\"got\" cx=\"{0:.1f}\" cy=\"{2:.1f}\" r=\"4\"/>\n",
        frame.x(each.input), frame.y(static_cast<double>(each.expected)),
        frame.y(static_cast<double>(each.got)));
  }
  return captioned(svg + "</svg>\n",
                   "<span class=\"key\"></span>expected, hollow where it differs; "
                   "<span class=\"key g\"></span>got, filled. " +
                       words);
}

std::string error_plot(const std::vector<CodeError>& errors) {
  std::int64_t most = 1;
  std::size_t differing = 0, no_numbers = 0;
  const CodeError* worst = nullptr;
  for (const CodeError& each : errors) {
    no_numbers += !each.is_number;
    if (!each.is_number || each.ulps == 0) continue;
    ++differing;
    most = std::max(most, std::abs(each.ulps));
    if (!worst || std::abs(each.ulps) > std::abs(worst->ulps)) worst = &each;
  }
  if (differing == 0 && no_numbers == 0) return {};
  const double top = std::max(1.5, on_scale(most) * 1.08);
  const auto last = static_cast<double>(errors.back().code);
  const auto start = static_cast<double>(errors.front().code);
  const Frame frame{start, last > start ? last : start + 1, -top, top};
  std::string words = fmt::format("{} of {} codes differ", differing, errors.size());
  if (worst) words += fmt::format("; the most: code {} by {:+} ulp", worst->code, worst->ulps);
  if (no_numbers > 0) words += fmt::format("; {} are not a number on one side", no_numbers);
  std::string svg = start_of("Error by code, in units in the last place. " + words + ".");
  svg += grid_line(frame, 0, "0");
  const auto every = std::max(1, static_cast<int>(on_scale(most) / 3));
  for (int power = every; power <= on_scale(most) + 0.01; power += every) {
    const std::int64_t ulps = (std::int64_t{1} << power) - 1;
    svg += grid_line(frame, power, fmt::format("+{}", ulps)) +
           grid_line(frame, -power, fmt::format("−{}", ulps));
  }
  svg += x_axis(frame, "code", Ticks::kCodes);
  const double width =
      std::max(1.0, 0.7 * (kWidth - kLeft - kRight) / static_cast<double>(errors.size()));
  for (const CodeError& each : errors) {
    const double x = frame.x(static_cast<double>(each.code)) - width / 2;
    if (!each.is_number) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">×</text>\n", x, kTop + 10);
    } else if (each.ulps != 0) {
      const double y = frame.y(on_scale(each.ulps)), zero = frame.y(0);
      svg += fmt::format(
          "<rect class=\"got\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", x,
          std::min(y, zero), width, std::max(1.0, std::abs(y - zero)));
    }
  }
  return captioned(svg + "</svg>\n",
                   "Error in ulp over the codes, great ones by their "
                   "logarithm. " +
                       words + ".");
}

std::string figure_of(const Picture& picture) {
  const ReadRequest request = read_request(picture.request);
  if (!request.quantizes() && !request.dequantizes()) return {};
  const std::optional<Compared> both = compared(request, picture);
  if (!both || both->got.size() == 0) return {};
  if (request.quantizes()) {
    std::vector<Stair> stairs;
    for (std::size_t i = 0; i < both->got.size(); ++i) {
      stairs.push_back({request.floats[i], both->expected.integers[i], both->got.integers[i]});
    }
    return stairs.size() < 2 ? "" : staircase(stairs, request.scale);
  }
  const StorageTypeInfo& info = *storage_type_of(request);
  std::vector<CodeError> errors;
  for (std::size_t i = 0; i < both->got.size(); ++i) {
    const std::uint32_t expected = both->expected.floats[i], got = both->got.floats[i];
    CodeError error;
    error.code = read_element(info.type, request.bytes.data(), i);
    error.is_number = is_nan_pattern(expected) == is_nan_pattern(got);
    const bool is_same =
        match_element(both->expected, both->got, i, false) != Match::kNo || !error.is_number;
    if (!is_same) error.ulps = ulps_between(expected, got);
    errors.push_back(error);
  }
  return error_plot(errors);
}

}  // namespace hurray::conformance
