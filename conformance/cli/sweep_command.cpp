// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform sweep`: a quantizer against the reference on every binary32 of a range.

#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/terminal.h"
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
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.name != arguments.type) continue;
    function.type = static_cast<std::uint8_t>(info.type);
    if (info.bits > 8) throw UsageError("--type: sweeps are for types of 8 bits and fewer");
    if (arguments.zero_point < info.min || arguments.zero_point > info.max) {
      throw UsageError(fmt::format("--zero-point {}: outside {}", arguments.zero_point, info.name));
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
    throw UsageError(fmt::format("--first {}: expected the eight hexadecimal digits of a binary32",
                                 arguments.first));
  }
  if (arguments.count == 0) throw UsageError("--count 0: expected at least one input");
  return {*first, std::min(arguments.count, kAllPatterns - *first)};
}

std::string one_input_request(const SweepFunction& function, std::uint32_t bits) {
  const std::string what = function.function.empty()
                               ? fmt::format("quantize type={:02x}", function.type)
                               : fmt::format("ra8 fn={}", function.function);
  return fmt::format("{} scale={:08x} zero_point={} count=1 in={:08x}", what,
                     std::bit_cast<std::uint32_t>(function.scale), function.zero_point,
                     __builtin_bswap32(bits));
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
  if (result.broken) {
    fmt::print("broken: {}\n", result.broken->reason);
    return kExitBroken;
  }
  if (!result.differing) {
    fmt::print("{} inputs, all as the reference ({})\n", result.inputs,
               fmt::join(result.readings, "; or "));
    return kExitAsExpected;
  }
  const std::string request = one_input_request(function, *result.differing);
  fmt::print("differs at input {:08x} ({:.9g}), expected {}\n  ask it alone: {}\n",
             *result.differing, std::bit_cast<float>(*result.differing), result.expected, request);
  fmt::print("  in C\n{}", c_snippet(request));
  return kExitNonConformant;
}

}  // namespace hurray::conformance
