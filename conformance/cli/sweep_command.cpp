// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform sweep`: a quantizer against the reference on every binary32 of a range.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/sweep.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kAllPatterns = 0x1'0000'0000;

float scale_from(const std::string& text) {
  float scale = 0;
  if (const auto bits = parse_hex_number(text, 8)) {
    scale = std::bit_cast<float>(*bits);
  } else {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (failure != std::errc{} || end != text.data() + text.size()) scale = 0;
  }
  if (!(scale > 0 && std::isfinite(scale))) {
    throw UsageError(
        fmt::format("--scale {}: expected a finite number above zero or the eight hexadecimal "
                    "digits of one, for example 0.1 or 3dcccccd",
                    text));
  }
  return scale;
}

SweepFunction function_from(const SweepArguments& arguments) {
  SweepFunction function;
  function.function = arguments.function;
  function.scale = scale_from(arguments.scale);
  function.zero_point = arguments.zero_point;
  if (!arguments.function.empty()) return function;
  if (arguments.type.empty()) {
    throw UsageError(
        "sweep: neither --type nor --fn; expected --type int8 for the format's quantize or --fn "
        "quantize_i8\nfor the firmware function, for example\n"
        "  hurray-conform sweep --target builtin:scalar --type int8 --scale 0.05 --zero-point 3");
  }
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.name != arguments.type) continue;
    function.type = static_cast<std::uint8_t>(info.type);
    if (info.bits > 8) {
      throw UsageError(fmt::format(
          "--type {}: sweeps are for types of 8 bits and fewer, for example int8", info.name));
    }
    if (arguments.zero_point < info.min || arguments.zero_point > info.max) {
      throw UsageError(fmt::format("--zero-point {}: {} holds {} to {}", arguments.zero_point,
                                   info.name, info.min, info.max));
    }
    return function;
  }
  throw UsageError(
      fmt::format("--type {}: expected int8, uint8, int4, uint4, int2 or uint2, or use --fn "
                  "quantize_i8 for the firmware function",
                  arguments.type));
}

SweepRange range_from(const SweepArguments& arguments) {
  const auto first = parse_hex_number(arguments.first, 8);
  if (!first) {
    throw UsageError(
        fmt::format("--first {}: expected the eight hexadecimal digits of a binary32, for example "
                    "3f800000",
                    arguments.first));
  }
  const std::uint64_t most = kAllPatterns - *first;
  const std::uint64_t count = arguments.count.value_or(most);
  if (count == 0) throw UsageError("--count 0: expected at least one input, for example 65536");
  if (count > most) {
    throw UsageError(fmt::format(
        "--count {}: from --first {} there are {} inputs to ffffffff, the last; leave --count out "
        "for all of them",
        count, arguments.first, most));
  }
  const SweepRange range{*first, count};
  if (blocks_of(range).empty()) {
    throw UsageError(
        fmt::format("--first {} --count {}: only NaN patterns, which are left out; all else lies "
                    "in 00000000 to 7f800000 and 80000000 to ff800000",
                    arguments.first, count));
  }
  return range;
}

std::string shown(std::uint32_t input) {
  return fmt::format("{:08x} ({:.9g})", input, std::bit_cast<float>(input));
}

std::string shown(const SweepRange& range) {
  if (range.count == 1) return fmt::format("input {}", shown(range.first));
  return fmt::format("the {} inputs from {} to {}", range.count, shown(range.first),
                     shown(range.last()));
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

std::string code_of(const SweepInput& input) {
  return input.got ? fmt::format("{}", *input.got) : "no code";
}

void print_codes(const SweepFinding& finding) {
  for (const SweepInput& each : finding.inputs) {
    if (each.bits != finding.where.first) continue;
    fmt::print("  expected  {}\n  got       {}", fmt::join(each.expected, " or "), code_of(each));
    if (each.expected.size() == 1 && each.got && !is_right(each)) {
      fmt::print("   ({:+})", *each.got - each.expected.front());
    }
    fmt::print("\n");
  }
  for (const SweepInput& each : finding.inputs) {
    if (each.bits == finding.where.first) continue;
    fmt::print("  {:<9} {}: {}, {}\n", each.bits < finding.where.first ? "before" : "after",
               shown(each.bits), code_of(each),
               is_right(each) ? "as expected"
                              : fmt::format("expected {}", fmt::join(each.expected, " or ")));
  }
}

void print_readings(const SweepFinding& finding, const SweepResult& result) {
  if (!finding.readings_here.empty()) {
    fmt::print("  reading   {} here\n", fmt::join(finding.readings_here, "; or "));
  }
  if (result.inputs > 0) {
    fmt::print("  reading   {} on the {} inputs before\n", fmt::join(result.readings, "; or "),
               result.inputs);
  }
}

void print_finding(const SweepFunction& function, const SweepResult& result) {
  const SweepFinding& finding = *result.finding;
  const bool is_one_input = finding.where.count == 1;
  fmt::print("{} {}\n", happened(finding.outcome), shown(finding.where));
  print_codes(finding);
  if (!finding.detail.empty()) fmt::print("  got       {}\n", cleaned(finding.detail));
  const std::string_view meaning = meaning_of_class(finding.failure_class);
  fmt::print("  class     {}{}{}\n", finding.failure_class, meaning.empty() ? "" : ": ", meaning);
  if (finding.outcome == Outcome::kTimedOut) {
    fmt::print("  note      a target that is only slow needs a longer --timeout\n");
  } else if (!is_one_input) {
    fmt::print("  note      asked again in parts, each part is as the reference\n");
  }
  print_readings(finding, result);
  if (!is_one_input) {
    fmt::print("  request   {}\n", sweep_request(function, finding.where));
    return;
  }
  const std::string request = quantize_request(function, std::span(&finding.where.first, 1));
  fmt::print("  request   {}\n  in C\n", request);
  const std::string snippet = c_snippet(request);
  for (std::size_t start = 0; start < snippet.size();) {
    const std::size_t end = std::min(snippet.find('\n', start), snippet.size());
    fmt::print("    {}\n", std::string_view(snippet).substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  const SweepFunction function = function_from(arguments);
  const SweepRange range = range_from(arguments);
  const Attachment attachment = parse_attachment(arguments.target);
  Progress progress;
  const SweepResult result =
      sweep(attachment, arguments.limits, function, range,
            [&](std::uint64_t done) { progress.show(done, range.count, "inputs"); });
  progress.clear();

  fmt::print("{}: ", attachment.name);
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
               function.function.empty()
                   ? fmt::format("contract=hurray ops=sweep types.quantize={:02x}", function.type)
                   : "contract=ra8 ops=sweep");
    return kExitBroken;
  }
  if (result.finding) {
    print_finding(function, result);
    return kExitNonConformant;
  }
  fmt::print("{} inputs, all as the reference ({})\n", result.inputs,
             fmt::join(result.readings, "; or "));
  return kExitAsExpected;
}

}  // namespace hurray::conformance
