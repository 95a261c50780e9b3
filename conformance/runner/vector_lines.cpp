// SPDX-License-Identifier: Apache-2.0
//
// Vectors as lines, see vectors.h: what is true of an answer as far as a program can tell that
// compares characters. Where that is not all of it, the pattern is the stricter one, but at values
// that are free.

#include <bit>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/vectors.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// The digits of codes that may be any. Two 2-bit codes share a digit, and then both are.
void open_free_codes(const ReadRequest& request, const std::vector<std::size_t>& free,
                     std::string& digits) {
  const unsigned bits = storage_type_of(request)->bits;
  for (const std::size_t element : free) {
    const std::size_t first = element * bits;
    for (std::size_t bit = first; bit < first + bits; bit += 4) {
      // The low half of a byte is its second digit.
      const std::size_t digit = bit / 8 * 2 + (bit % 8 < 4 ? 1 : 0);
      digits.at(digit) = '?';
    }
  }
}

// Any NaN is as good as another; the last digit of all of them is an f.
void open_nans(std::string& digits) {
  const std::optional<Floats> values = parse_floats(digits);
  if (!values) return;
  for (std::size_t i = 0; i < values->size(); ++i) {
    if (is_nan_pattern(std::bit_cast<std::uint32_t>((*values)[i]))) {
      digits.replace(8 * i, 7, 7, '?');
    }
  }
}

}  // namespace

std::vector<std::string> patterns_of(const std::string& line, const Alternative& alternative) {
  // What follows a refusal is for people.
  if (!alternative.answer.starts_with("ok")) return {alternative.answer + "*"};
  const ReadRequest request = read_request(line);
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(alternative.answer, error);
  const std::string_view array = array_key(request);
  std::string pattern = "ok";
  for (const auto& [key, value] : answer->fields.all()) {
    if (value == "any") return {fmt::format("{} {}=*", pattern, key)};
    if (key == "code" && value == "error") {
      // Those that ra8_err.h has for these functions; the suite takes any other than 0000.
      return {pattern + " code=0103*", pattern + " code=0504*"};
    }
    std::string digits = value;
    if (key == array && !alternative.free.empty()) {
      open_free_codes(request, alternative.free, digits);
    }
    if (key == array && array == "out" && !request.quantizes()) open_nans(digits);
    pattern += fmt::format(" {}={}", key, digits);
  }
  return {pattern};
}

std::string lines_of(const Case& item, std::uint32_t& id) {
  std::string lines = fmt::format(": {}\n", item.name);
  for (const Step& step : item.steps) {
    lines += fmt::format("> {} {}\n", id++, step.request);
    for (const Alternative& each : step.expect) {
      const char mark = each.verdict == CaseVerdict::kWarn ? '~' : '=';
      for (const std::string& pattern : patterns_of(step.request, each)) {
        lines += fmt::format("{} {}\n", mark, pattern);
      }
    }
  }
  return lines;
}

}  // namespace hurray::conformance
