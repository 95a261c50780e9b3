// SPDX-License-Identifier: Apache-2.0
//
// Results of sweeps, see sweep_text.h.

#include "conformance/cli/sweep_text.h"

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/snippet.h"
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
  for (const SweepInput& each : finding.inputs) {
    if (each.bits != finding.where.first) continue;
    fmt::print("  expected  {}\n  got       {}", shown_expected(function, each),
               shown_got(function, each));
    if (!function.dequantizes() && each.expected.size() == 1 && each.got && !is_right(each)) {
      fmt::print("   ({:+})", *each.got - each.expected.front());
    }
    fmt::print("\n");
  }
  for (const SweepInput& each : finding.inputs) {
    if (each.bits == finding.where.first) continue;
    fmt::print("  {:<9} {}: {}, {}\n", each.bits < finding.where.first ? "before" : "after",
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
  fmt::print("{} {}\n", happened(finding.outcome), shown(function, finding.where));
  print_outputs(function, finding);
  if (!finding.detail.empty()) fmt::print("  got       {}\n", cleaned(finding.detail));
  const std::string_view meaning = meaning_of_class(finding.failure_class);
  fmt::print("  class     {}{}{}\n", finding.failure_class, meaning.empty() ? "" : ": ", meaning);
  if (finding.outcome == Outcome::kTimedOut) {
    fmt::print("  note      a target that is only slow needs a longer --timeout\n");
  } else if (finding.failure_class == "inconsistent" && !is_one_input) {
    fmt::print(
        "  note      `sweep` with --first and --count finds the first one that is read "
        "otherwise\n");
  } else if (!is_one_input) {
    fmt::print("  note      asked again in parts, each part is as the reference\n");
  }
  print_readings(function, result);
  if (!is_one_input) {
    fmt::print("  request   {}\n", sweep_request(function, finding.where));
    return;
  }
  const std::string request = request_for(function, std::span(&finding.where.first, 1));
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
    fmt::print("not judged: {}\n  its answer to hello has to name {}\n", *result.not_claimed,
               claims_for(function));
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
