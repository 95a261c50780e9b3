// SPDX-License-Identifier: Apache-2.0
//
// hurray-conform: the command line. With options.cpp the only file that includes CLI11.

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "conformance/cli/certificate_options.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/options.h"
#include "conformance/cli/version.h"
#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/guardian.h"
#include "conformance/runner/lint.h"
#include "conformance/runner/report.h"

namespace {

using namespace hurray::conformance;

std::string lint_footer() {
  return fmt::format(
      "Above all: do the zero points look un-normalized, each one too small, as they do when a\n"
      "toolchain stored zero_point - 1 and the converter did not add the 1? Also: zero points\n"
      "outside of the storage type, equal, subnormal or huge scales, scale 0 in NF4, a shared\n"
      "parameter buffer, unused bits, filler that is not zero, saturated codes, constant blocks.\n"
      "What is found is a guess with its evidence; the first values are corrected where "
      "possible.\n\n"
      "A tensor file is a tensor descriptor and the buffers of its table, each padded with zeros\n"
      "to a multiple of 64 bytes. Ten lines of Python that write one, of per-block affine "
      "uint4:\n\n"
      "{}\n"
      "Example: hurray-conform lint weights.hrry\n\n"
      "Exit codes: 0 nothing suspicious, 1 something suspicious, 2 usage or an unreadable file.",
      kLintFileInPython);
}

int dispatch(int argc, char** argv) {
  CLI::App app{
      "Judges implementations of Hurray's quantized tensors (descriptors, kernels, conversion) "
      "and\n"
      "of the firmware quantization API, requirement by requirement.",
      "hurray-conform"};
  app.footer(kFooter);
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  int exit_code = kExitUsage;

  RunArguments run;
  std::uint64_t shuffle_seed = 0;
  run.command_line.assign(argv, argv + argc);
  CLI::App* run_app = app.add_subcommand("run", "Judge one or more targets");
  run_app->footer("Example: hurray-conform run --target mine=exec:\"python3 adapter.py\"\n\n" +
                  std::string(kFooter));
  run_app->add_option("--target", run.targets, "[NAME=]ATTACHMENT; may be given several times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  run_app->add_option(
      "--select", run.options.select,
      "Only what matches this glob: requirement ids (HQ-PTA-*) or case names (decode/*)");
  run_app->add_flag("--strict", run.options.strict, "Warnings are violations");
  run_app->add_option("--jobs", run.options.jobs, "Processes at a time; 0: one per processor")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  CLI::Option* shuffle = run_app->add_option("--shuffle", shuffle_seed,
                                             "Ask the cases in an order drawn from this seed");
  run_app->add_flag("--fail-fast", run.options.fail_fast, "Stop at the first failing case");
  run_app->add_option(
      "--expect", run.expect,
      "A list of targets with the verdict that each is meant to have; runs them all unless\n"
      "--target is given, and exits 0 if and only if every verdict is the one meant");
  run_app->add_flag("--table-only", run.table_only,
                    "Print no counter-examples, only the table, and what is broken");
  add_reports(run_app, run);
  bool one_at_a_time = false;
  run_app->add_flag("--one-at-a-time", one_at_a_time,
                    "Wait for each answer before the next request");
  add_limits(run_app, run.limits);
  run_app->callback([&] {
    if (!shuffle->empty()) run.options.shuffle = shuffle_seed;
    run.options.pipelined = !one_at_a_time;
    exit_code = run_command(run);
  });

  std::string what;
  bool json = false;
  CLI::App* list_app =
      app.add_subcommand("list", "List requirements, profiles, cases, builtin targets or faults");
  list_app->footer("Example: hurray-conform list requirements");
  list_app
      ->add_option("what", what,
                   "requirements, profiles, cases, targets or faults (with the odd and legal)")
      ->required()
      ->check(CLI::IsMember({"requirements", "profiles", "cases", "targets", "faults"}));
  list_app->add_flag("--json", json, "As JSON, with everything that is known");
  list_app->callback([&] { exit_code = list_command(what, json); });

  std::string id;
  CLI::App* explain_app =
      app.add_subcommand("explain", "Explain a requirement, a case or a ruling");
  explain_app->footer("Example: hurray-conform explain HQ-PTA-011");
  explain_app->add_option("id", id, "A requirement id (HQ-PTA-011), a case name or a ruling (A07)")
      ->required();
  explain_app->callback([&] { exit_code = explain_command(id); });

  ReplayArguments replay;
  CLI::App* replay_app =
      app.add_subcommand("replay", "Put one case to a target and show the lines");
  replay_app->footer(
      "Example: hurray-conform replay --target builtin:scalar decode/header/golden\n\n" +
      std::string(kFooter));
  replay_app->add_option("--target", replay.target, "[NAME=]ATTACHMENT")->required();
  CLI::Option* replay_case = replay_app->add_option(
      "case", replay.cases, "Name of the case; several if they contradict each other");
  replay_app
      ->add_option("--vector", replay.vector,
                   "A file with one vector instead, as `fuzz --out` writes them; what may be "
                   "answered is computed again")
      ->excludes(replay_case);
  replay_app->add_flag("--strict", replay.strict, "Warnings are violations");
  add_limits(replay_app, replay.limits);
  replay_app->callback([&] { exit_code = replay_command(replay); });

  InspectArguments inspect;
  CLI::App* inspect_app = app.add_subcommand(
      "inspect", "Show a descriptor byte by byte, with all rules that it breaks");
  inspect_app->footer(
      "A tensor descriptor begins with 48525259 and says itself what it contains; a quantization\n"
      "descriptor of any scheme needs --type. Every finding says how grave it is: readers must\n"
      "refuse, should refuse, or may (a ruling leaves it open).\n\n"
      "Examples: hurray-conform inspect --type int8 010100000000003f0300000000000000\n"
      "          hurray-conform inspect --file weights.hrry --html weights.html\n\n"
      "Exit codes: 0 nothing that must or should be refused, 1 something, 2 usage.");
  inspect_app->add_option("hex", inspect.hex, "The bytes of the descriptor in hexadecimal");
  inspect_app->add_option("--file", inspect.file, "Read them, as they are, from this file instead");
  CLI::Option* inspect_type =
      inspect_app->add_option("--type", inspect.type,
                              "Storage type of the tensor that a quantization descriptor is for: a "
                              "name (int8) or a two-digit tag (10)");
  inspect_app
      ->add_flag("--tensor", inspect.is_tensor,
                 "It is a tensor descriptor, even if the magic is wrong")
      ->excludes(inspect_type);
  inspect_app->add_option("--html", inspect.html,
                          "Write a page with the bytes to this file as well");
  inspect_app->callback([&] { exit_code = inspect_command(inspect); });

  LintArguments lint;
  CLI::App* lint_app =
      app.add_subcommand("lint", "Say what about a quantized tensor is valid and yet suspicious");
  lint_app->footer(lint_footer());
  lint_app->add_option("FILE", lint.files, "Tensor files")->required();
  lint_app->add_flag("--json", lint.json, "As JSON, with all evidence");
  lint_app->callback([&] { exit_code = lint_command(lint); });

  SweepArguments sweep;
  sweep.limits.timeout_ms = 60'000;
  CLI::App* sweep_app = app.add_subcommand(
      "sweep", "Compare a quantizer with the reference on every binary32 of a range");
  sweep_app->footer(
      "Example: hurray-conform sweep --target builtin:scalar --fn quantize_i8 --scale 0.05 "
      "--zero-point 3");
  sweep_app->add_option("--target", sweep.target, "[NAME=]ATTACHMENT")->required();
  CLI::Option* fn = sweep_app->add_option("--fn", sweep.function, "Firmware function")
                        ->check(CLI::IsMember({"quantize_i8", "quantize_u8"}));
  sweep_app
      ->add_option("--type", sweep.type,
                   "Storage type for the format's quantize, such as int8 or uint32")
      ->excludes(fn);
  sweep_app->add_option("--scale", sweep.scale, "A number above zero, or eight hexadecimal digits")
      ->required();
  sweep_app->add_option("--zero-point", sweep.zero_point, "Zero point")->required();
  sweep_app->add_option("--first", sweep.first, "First input, eight hexadecimal digits")
      ->default_val(sweep.first);
  sweep_app->add_option("--count", sweep.count,
                        "Number of inputs, to ffffffff unless given; NaN patterns are left out");
  add_limits(sweep_app, sweep.limits);
  sweep_app->callback([&] { exit_code = sweep_command(sweep); });

  ProveArguments prove;
  prove.limits.timeout_ms = 60'000;
  CLI::App* prove_app = app.add_subcommand(
      "prove", "Compare a kernel with the reference on all inputs: every binary32, or every code");
  prove_app->footer(
      "Examples: hurray-conform prove --target builtin:scalar --op quantize --type int8 --scale "
      "0.05 --zero-point 3\n"
      "          hurray-conform prove --target mine=lib:./libmine.so --set default\n"
      "          hurray-conform prove --target mine=lib:./libmine.so --set default --shard 3/16 "
      "--out 3.json\n"
      "          hurray-conform prove --merge 1.json 2.json 3.json\n\n"
      "Inputs are compared in long calls with aligned buffers. Tails, short calls and unaligned\n"
      "buffers are judged by `run`: do both.\n\n"
      "NaN patterns are left out. All floats take 2 s in vector code and 15 s in scalar code,\n"
      "int32 and uint32 10 s more, with --jobs accordingly less. Up to 16 bits all codes take no\n"
      "time, the 2^32 codes of 32 bits about a minute of two processors.\n\n"
      "Exit codes: 0 all as the reference, 1 a difference (the first input is shown), 2 usage, "
      "and\n"
      "files that do not fit together, 3 the target is broken or does not claim what is asked.");
  prove_app->add_option("--target", prove.target, "[NAME=]ATTACHMENT");
  CLI::Option* prove_fn = prove_app->add_option("--fn", prove.function, "Firmware function")
                              ->check(CLI::IsMember({"quantize_i8", "quantize_u8"}));
  prove_app->add_option("--op", prove.op, "quantize or dequantize")
      ->check(CLI::IsMember({"quantize", "dequantize"}))
      ->excludes(prove_fn);
  prove_app->add_option("--type", prove.type, "Storage type, such as int8")->excludes(prove_fn);
  CLI::Option* prove_scale =
      prove_app->add_option("--scale", prove.scale,
                            "A number above zero, or eight hexadecimal digits; to dequantize "
                            "also below zero");
  CLI::Option* prove_zero_point =
      prove_app->add_option("--zero-point", prove.zero_point, "Zero point");
  CLI::Option* prove_set =
      prove_app
          ->add_option("--set", prove.set,
                       "`default`: about thirty hard parameters, those that the target claims; "
                       "--op and --type select")
          ->check(CLI::IsMember({"default"}))
          ->excludes(prove_fn)
          ->excludes(prove_scale)
          ->excludes(prove_zero_point);
  prove_app->add_flag("--list", prove.list, "Only print the set, with the reason of each row")
      ->needs(prove_set);
  prove_app->add_option("--jobs", prove.jobs, "Processes of the target; 0: one per processor")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  prove_app->add_option("--shard", prove.shard, "I/N: only the I-th of N parts of the inputs");
  prove_app->add_option("--out", prove.out, "Write what was proved to this file, after each row");
  CLI::Option* prove_merge =
      prove_app->add_option("--merge", prove.merge, "Files of --out: what do they show together?");
  for (CLI::Option* each : prove_app->get_options()) {
    if (each != prove_merge && each != prove_app->get_help_ptr()) prove_merge->excludes(each);
  }
  add_limits(prove_app, prove.limits);
  prove_app->callback([&] { exit_code = prove_command(prove); });

  FaultsArguments faults;
  CLI::App* faults_app = app.add_subcommand(
      "faults",
      "Judge what is wrong on purpose, which must be caught, and what is odd, which must pass");
  faults_app->footer(
      "Example: hurray-conform faults --html faults.html\n"
      "         hurray-conform faults --select 'pba-*'\n\n"
      "All of them take about three minutes on two processors. A fault counts as caught if the\n"
      "requirement that its row names first comes out violated.\n\n"
      "Exit codes: 0 every fault is caught by the requirement that it violates, and what is odd "
      "but\n"
      "legal passes; 1 not so (each line says what is missing), 2 usage, 3 the suite is broken.");
  faults_app->add_option("--matrix", faults.matrix,
                         "Write what catches what to this file, as JSON");
  faults_app->add_option(
      "--score", faults.score,
      "Write how many are caught to this file, as conformance/kill_score.json has it");
  faults_app->add_option("--html", faults.html, "The same as a page to look at");
  faults_app->add_option("--select", faults.select,
                         "Only faults and variants whose ids match this glob");
  faults_app->add_option("--jobs", faults.jobs, "Implementations at a time; 0: one per processor")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  add_limits(faults_app, faults.limits);
  faults_app->callback([&] { exit_code = faults_command(faults); });

  add_compare(app, exit_code);
  add_fuzz(app, exit_code);
  add_certificates(app, exit_code);
  add_vectors(app, exit_code);

  CLI::App* doctor_app =
      app.add_subcommand("doctor", "Say what works on this machine and what is missing");
  doctor_app->callback([&] { exit_code = doctor_command(); });

  // An empty value is an unset variable of a script, never what is meant.
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(not_empty());
    }
  }
  app.failure_message([](const CLI::App* asked, const CLI::Error& error) {
    std::string command = "hurray-conform";
    for (const CLI::App* each : asked->get_subcommands()) command += " " + each->get_name();
    const std::vector<std::string> unexpected = asked->remaining(true);
    const std::string problem =
        error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)
            ? fmt::format("not expected: {}", fmt::join(unexpected, " "))
            : error.what();
    return fmt::format("{}: {}\nTry `{} --help`.\n", command, problem, command);
  });
  // CLI11 would only say that a subcommand is missing.
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(names, argv[1]) == names.end()) {
    throw UsageError(fmt::format("no subcommand {}; there are: {}\nTry `hurray-conform --help`.",
                                 cleaned(argv[1]), fmt::join(names, " ")));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kExitAsExpected : kExitUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  guard_if_asked(argc, argv);
  // Started with closed standard streams, the first pipe would take their place.
  int descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= 2) descriptor = open("/dev/null", O_RDWR);
  if (descriptor >= 0) close(descriptor);
  // A target that dies while it is written to is an outcome, not the end of the runner.
  std::signal(SIGPIPE, SIG_IGN);
  // A report that does not fit is an error that can be told; children are waited for even if our
  // parent would not have.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  // The child's side of builtin: and lib:, not meant for people.
  if (argc == 3 && std::string_view(argv[1]) == "serve") return serve_attachment(argv[2]);
  try {
    const int code = dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    if (errno == EPIPE) return code;
    throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
  } catch (const UsageError& error) {
    fmt::print(stderr, "hurray-conform: {}\n", error.what());
    return kExitUsage;
  } catch (const SuiteError& error) {
    fmt::print(stderr, "hurray-conform: the suite itself is broken: {}\n", error.what());
    return kExitBroken;
  } catch (const std::system_error& error) {
    // Whoever reads our output has had enough (`list cases | head`).
    if (error.code() == std::errc::broken_pipe) return kExitAsExpected;
    fmt::print(stderr, "hurray-conform: {}\n", error.what());
    return kExitBroken;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-conform: {}\n", error.what());
    return kExitBroken;
  }
}
