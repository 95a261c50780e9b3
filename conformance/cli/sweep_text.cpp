// SPDX-License-Identifier: Apache-2.0
//
// Results of sweeps, see sweep_text.h.

#include "conformance/cli/sweep_text.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/snippet_parts.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

std::string shown_float(std::uint32_t bits) {
  return fmt::format("{:08x} ({:.9g})", bits, std::bit_cast<float>(bits));
}

std::string shown(const SweepFunction& function, std::uint32_t input) {
  if (!function.dequantizes()) return shown_float(input);
  const unsigned digits = std::max(storage_of(function).bits / 4, 1u);
  return fmt::format("{:0{}x} ({})", input, digits, code_of_pattern(function, input));
}

std::string shown(const SweepFunction& function, const SweepRange& range) {
  if (range.count == 1) {
    return fmt::format("{} {}", words_of(function).one, shown(function, range.first));
  }
  return fmt::format("the {} {} from {} to {}", range.count, words_of(function).many,
                     shown(function, range.first), shown(function, range.last()));
}

std::string shown_output(const SweepFunction& function, std::int64_t output) {
  return function.dequantizes() ? shown_float(static_cast<std::uint32_t>(output))
                                : fmt::format("{}", output);
}

std::string shown_expected(const SweepFunction& function, const SweepInput& input) {
  std::vector<std::string> texts;
  for (const std::int64_t each : input.expected) texts.push_back(shown_output(function, each));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string_view happened(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRejected:
    case Outcome::kUnsupported:
      return "refuses";
    case Outcome::kCrashed:
      return "crashes at";
    case Outcome::kTimedOut:
      return "does not answer for";
    default:
      return "differs at";
  }
}

bool is_right(const SweepInput& input) {
  return input.got && std::find(input.expected.begin(), input.expected.end(), *input.got) !=
                          input.expected.end();
}

std::string shown_got(const SweepFunction& function, const SweepInput& input) {
  if (input.got) return shown_output(function, *input.got);
  return function.dequantizes() ? "no value" : "no code";
}

void print_outputs(const SweepFunction& function, const SweepFinding& finding) {
  const std::uint32_t found = finding.in_one_call.value_or(finding.where.first);
  for (const SweepInput& each : finding.inputs) {
    if (each.bits != found) continue;
    fmt::print("  expected  {}\n  got       {}", shown_expected(function, each),
               shown_got(function, each));
    if (!function.dequantizes() && each.expected.size() == 1 && each.got && !is_right(each)) {
      fmt::print("   ({:+})", *each.got - each.expected.front());
    }
    fmt::print("\n");
  }
  for (const SweepInput& each : finding.inputs) {
    if (each.bits == found) continue;
    fmt::print("  {:<9} {}: {}, {}\n", each.bits < found ? "before" : "after",
               shown(function, each.bits), shown_got(function, each),
               is_right(each) ? "as expected"
                              : fmt::format("expected {}", shown_expected(function, each)));
  }
}

void print_readings(const SweepFunction& function, const SweepResult& result) {
  const SweepFinding& finding = *result.finding;
  if (readings_of(function).size() < 2) return;
  if (!finding.readings_here.empty()) {
    fmt::print("  reading   {} here\n", fmt::join(finding.readings_here, "; or "));
  }
  if (result.inputs > 0) {
    fmt::print("  reading   {} on the {} {} before\n", fmt::join(result.readings, "; or "),
               result.inputs, words_of(function).many);
  }
}

void print_finding(const SweepFunction& function, const SweepResult& result) {
  const SweepFinding& finding = *result.finding;
  const bool is_one_input = finding.where.count == 1;
  if (finding.in_one_call) {
    fmt::print("differs at {} {}, only in calls of {} {}\n", words_of(function).one,
               shown(function, *finding.in_one_call), finding.where.count, words_of(function).many);
  } else {
    fmt::print("{} {}\n", happened(finding.outcome), shown(function, finding.where));
  }
  print_outputs(function, finding);
  if (!finding.detail.empty()) fmt::print("  got       {}\n", cleaned(finding.detail));
  const std::string_view meaning = meaning_of_class(finding.failure_class);
  fmt::print("  class     {}{}{}\n", finding.failure_class, meaning.empty() ? "" : ": ", meaning);
  if (finding.outcome == Outcome::kTimedOut) {
    fmt::print("  note      a target that is only slow needs a longer --timeout\n");
  } else if (finding.failure_class == "inconsistent" && !is_one_input && !finding.in_one_call) {
    fmt::print(
        "  note      `sweep` with --first and --count finds the first one that is read "
        "otherwise\n");
  } else if (!is_one_input && !finding.in_one_call) {
    fmt::print("  note      asked again in parts, each part is as the reference\n");
  }
  print_readings(function, result);
  // What a person can paste, and what fails: no part of a long call.
  if (!is_one_input && (!finding.in_one_call || finding.where.count > kMostElements)) {
    fmt::print("  request   {}\n", sweep_request(function, finding.where));
    return;
  }
  std::vector<std::uint32_t> inputs(finding.where.count);
  std::iota(inputs.begin(), inputs.end(), finding.where.first);
  const std::string request = request_for(function, inputs);
  fmt::print("  request   {}\n  in C\n", request);
  const std::string snippet = c_snippet(request);
  for (std::size_t start = 0; start < snippet.size();) {
    const std::size_t end = std::min(snippet.find('\n', start), snippet.size());
    fmt::print("    {}\n", std::string_view(snippet).substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

InputWords words_of(const SweepFunction& function) {
  if (function.dequantizes()) return {"code", "codes"};
  return {"input", "inputs"};
}

std::string readings_in_brackets(const SweepFunction& function, const SweepResult& result) {
  if (readings_of(function).size() < 2) return "";
  return fmt::format(" ({})", fmt::join(result.readings, "; or "));
}

int print_sweep(std::string_view name, const SweepFunction& function, const SweepResult& result) {
  fmt::print("{}: ", name);
  if (result.broken) {
    fmt::print("broken\n  {}\n", cleaned(result.broken->reason));
    if (!result.broken->errors.empty()) {
      fmt::print("  it wrote to standard error:\n{}\n", cleaned(result.broken->errors));
    }
    return kExitBroken;
  }
  // As with `run`: a target that was asked nothing must not look as if it agreed.
  if (result.not_claimed) {
    fmt::print(
        "not judged: {}\n  its answer to hello has to name {}\n  a table in C gets that from the "
        "kit "
        "with {}\n",
        *result.not_claimed, claims_for(function), table_claims_for(function));
    return kExitBroken;
  }
  if (result.finding) {
    print_finding(function, result);
    return kExitNonConformant;
  }
  fmt::print("{} {}, all as the reference{}\n", result.inputs, words_of(function).many,
             readings_in_brackets(function, result));
  return kExitAsExpected;
}

}  // namespace hurray::conformance
