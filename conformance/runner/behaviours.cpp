// SPDX-License-Identifier: Apache-2.0
//
// Names of behaviours, see behaviours.h.

#include "conformance/runner/behaviours.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

// Behaviours that rulings only record: showing several of their options is no fault.
constexpr std::array<std::string_view, 10> kOnlyRecorded = {
    "dequantize-bad-scale", "infinite-scale",          "nf4-zero-sign",
    "null-and-bad-scale",   "quantize-negative-scale", "quantize-zero-point-range",
    "rounding-mode",        "trailing-bytes",          "unknown-scheme",
    "writer-choice"};

}  // namespace

bool must_be_consistent(std::string_view behaviour) {
  return std::find(kOnlyRecorded.begin(), kOnlyRecorded.end(), behaviour) == kOnlyRecorded.end();
}

bool can_be_tied(std::string_view behaviour) {
  // The judge finds the options of this one in the answer.
  return must_be_consistent(behaviour) && behaviour != "nan-input";
}

bool is_tie(std::string_view name) { return name.find('+') != std::string_view::npos; }

std::string tied(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "+"));
}

std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = name.find('+', at);
    parts.emplace_back(name.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

}  // namespace hurray::conformance
