// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform sweep`: a quantizer against the reference on every binary32 of a range.

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/sweep_arguments.h"
#include "conformance/cli/sweep_text.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/sweep.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

SweepFunction function_from(const SweepArguments& arguments) {
  if (arguments.function.empty() && arguments.type.empty()) {
    throw UsageError(
        "sweep: neither --type nor --fn; expected --type int8 for the format's quantize or --fn "
        "quantize_i8\nfor the firmware function, for example\n"
        "  hurray-conform sweep --target builtin:scalar --type int8 --scale 0.05 --zero-point 3");
  }
  return swept_function(SweepOperation::kQuantize, arguments.function, arguments.type,
                        arguments.scale, arguments.zero_point);
}

SweepRange range_from(const SweepArguments& arguments, const SweepFunction& function) {
  const auto first = parse_hex_number(arguments.first, 8);
  if (!first) {
    throw UsageError(
        fmt::format("--first {}: expected the eight hexadecimal digits of a binary32, for example "
                    "3f800000",
                    arguments.first));
  }
  const std::uint64_t most = patterns_of(function) - *first;
  const std::uint64_t count = arguments.count.value_or(most);
  if (count == 0) throw UsageError("--count 0: expected at least one input, for example 65536");
  if (count > most) {
    throw UsageError(fmt::format(
        "--count {}: from --first {} there are {} inputs to ffffffff, the last; leave --count out "
        "for all of them",
        count, arguments.first, most));
  }
  const SweepRange range{*first, count};
  if (blocks_of(function, range).empty()) {
    throw UsageError(
        fmt::format("--first {} --count {}: only NaN patterns, which are left out; all else lies "
                    "in 00000000 to 7f800000 and 80000000 to ff800000",
                    arguments.first, count));
  }
  return range;
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  const SweepFunction function = function_from(arguments);
  const SweepRange range = range_from(arguments, function);
  const Attachment attachment = parse_attachment(arguments.target);
  Progress progress;
  SweepOptions options;
  options.on_progress = [&](std::uint64_t done) { progress.show(done, range.count, "inputs"); };
  const SweepResult result = sweep(attachment, arguments.limits, function, range, options);
  progress.clear();
  return print_sweep(attachment.name, function, result);
}

}  // namespace hurray::conformance
