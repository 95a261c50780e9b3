// SPDX-License-Identifier: Apache-2.0
//
// More of the command line, see options.h.

#include "conformance/cli/options.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

const char* const kFooter =
    "Exit codes: 0 as expected, 1 a conformance failure, 2 usage, 3 the adapter or the suite is "
    "broken.\n"
    "An attachment is builtin:NAME (`list targets`), lib:PATH (a shared object that exports "
    "hurray_target)\n"
    "or exec:COMMAND (a program that speaks the line protocol)\n"
    "or qemu:IMAGE[,machine=NAME][,cpu=NAME] (a firmware image; its machine, if not named, is the "
    "one that the\n"
    "image names, else mps3-an547; ./ci/firmware.sh builds one around your source)\n"
    "or serial:DEVICE[,BAUD] (a board that answers lines on a serial port, else at 115200 baud).\n"
    "See conformance/PORTING.md.";

namespace {

CLI::Validator a_number() {
  return CLI::Validator(
      [](std::string& value) {
        return std::isfinite(std::strtod(value.c_str(), nullptr)) ? ""
                                                                  : std::string("not a number");
      },
      "");
}

// Digits and nothing else: CLI11 takes -1 as 2^64 - 1, and 010 as 8.
CLI::Validator decimal() {
  return CLI::Validator(
      [](std::string& value) {
        std::uint64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [stopped, error] = std::from_chars(value.data(), end, number);
        const bool is_plain = value == "0" || !value.starts_with('0');
        if (error == std::errc() && stopped == end && is_plain) return std::string();
        return fmt::format("{}: expected a decimal number from 0 to {}, for example 7",
                           cleaned(value), UINT64_MAX);
      },
      "");
}

}  // namespace

void add_limits(CLI::App* command, Limits& limits) {
  command
      ->add_option_function<double>(
          "--timeout",
          [&limits](double seconds) { limits.timeout_ms = static_cast<int>(seconds * 1000); },
          "Seconds that a target has for one request")
      ->default_str(fmt::format("{}", limits.timeout_ms / 1000.0))
      ->check(CLI::Range(0.01, 3600.0))
      ->check(a_number());
  command
      ->add_option(
          "--memory", limits.memory_mib,
          "Writable memory of a target in MiB; 0 sets no limit (needed by AddressSanitizer)")
      ->default_val(limits.memory_mib)
      ->check(CLI::Range(0, 1 << 24));
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& value) { return value.empty() ? std::string("an empty value") : ""; }, "");
}

void add_vectors(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string folder;
    bool small = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* vectors = app.add_subcommand(
      "vectors",
      "Write all cases as JSON for people who do not run the suite, or check such files");
  vectors->require_subcommand(1);
  vectors->footer(
      "Examples: hurray-conform vectors export vectors\n"
      "          hurray-conform vectors check corpus/vectors");
  CLI::App* to = vectors->add_subcommand("export", "Write the files of all vectors");
  to->add_option("folder", arguments->folder, "Folder to write to; made if it is not there")
      ->required()
      ->check(not_empty());
  to->add_flag("--small", arguments->small,
               "Only short cases, and the shortest of each family: what corpus/vectors has");
  to->callback([arguments, &exit_code] {
    exit_code = vectors_export_command(arguments->folder, arguments->small);
  });
  CLI::App* check = vectors->add_subcommand(
      "check", "Compare such files with this program, and name what differs");
  check->footer(
      "Exit codes: 0 whole and as this program exports them, 1 whole and of another suite, 2 "
      "usage,\n"
      "3 damaged: a digest is wrong, a file is missing or not shaped as the schema says.");
  check->add_option("folder", arguments->folder, "Folder that `vectors export` has written")
      ->required()
      ->check(not_empty());
  check->callback(
      [arguments, &exit_code] { exit_code = vectors_check_command(arguments->folder); });
}

void add_fuzz(CLI::App& app, int& exit_code) {
  struct Arguments {
    FuzzArguments fuzz;
    std::uint64_t runs = 0;
  };
  const auto arguments = std::make_shared<Arguments>();
  FuzzArguments& fuzz = arguments->fuzz;
  CLI::App* command = app.add_subcommand(
      "fuzz", "Ask a target what no case of the suite asks, and judge it as the suite does");
  command->footer(
      "Draws requests beside the cases of the suite: other scales, zero points, elements, "
      "lengths,\n"
      "bytes of descriptors, whole tensors, short sequences; only what the target claims. Findings "
      "are\n"
      "made small, and one of each kind is shown. The same --seed and --runs give the same "
      "findings.\n\n"
      "Examples: hurray-conform fuzz --target mine=exec:\"python3 adapter.py\" --seconds 60 --out "
      "findings\n"
      "          hurray-conform fuzz --target builtin:scalar --runs 100000 --seed 7\n"
      "          hurray-conform replay --target mine=exec:\"python3 adapter.py\" --vector "
      "findings/ID.json\n\n"
      "--seconds is the time for asking. The request under way is waited for, and making small\n"
      "has as long again, 10 seconds at least; what it does not come to says so. With --runs it\n"
      "has no limit. Findings are written when they are first seen, and replaced when they are\n"
      "small. Interrupted (SIGINT, SIGTERM) it stops asking, writes and prints what it has; a\n"
      "second signal ends it at once.\n\n"
      "--out has of each finding a case for a requirement file (ID.toml), a vector (ID.json), the "
      "lines\n"
      "to give to an adapter (ID.txt) and a program in C (ID.c).\n\n"
      "Exit codes: 0 no finding, 1 findings, 2 usage, 3 the target is broken: it does not start, "
      "does\n"
      "not follow the protocol, fails again and again, or was asked nothing in that time; 4 "
      "findings were\n"
      "shown, and could not be written into --out.");
  command->add_option("--target", fuzz.target, "[NAME=]ATTACHMENT")->required()->check(not_empty());
  CLI::Option* seconds = command
                             ->add_option("--seconds", fuzz.options.seconds,
                                          "How long to ask; findings are made small afterwards")
                             ->default_val(60)
                             ->check(CLI::Range(0.1, 1e6))
                             ->check(a_number());
  command->add_option("--runs", arguments->runs, "How many cases to ask, instead of --seconds")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->check(decimal())
      ->excludes(seconds);
  command->add_option("--seed", fuzz.options.seed, "Other requests")
      ->default_val(1)
      ->check(decimal());
  command->add_option("--out", fuzz.out, "Write findings into this folder, a new or empty one")
      ->check(not_empty());
  command->add_flag("--strict", fuzz.options.strict, "Warnings are findings");
  command->add_flag("--fail-fast", fuzz.options.fail_fast, "Stop at the first finding");
  command->add_option("--jobs", fuzz.options.jobs, "Processes at a time; 0: one per processor")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  add_limits(command, fuzz.limits);
  command->callback([arguments, &exit_code] {
    FuzzArguments& chosen = arguments->fuzz;
    if (arguments->runs > 0) chosen.options.runs = arguments->runs;
    exit_code = fuzz_command(chosen);
  });
}

}  // namespace hurray::conformance
