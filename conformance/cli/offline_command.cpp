// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform emit` and `judge`: asking and judging as separate programs, joined by lines that
// anyone can type or send.

#include <filesystem>

#include <fmt/format.h>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/envelope.h"
#include "conformance/certificate/witness.h"
#include "conformance/cli/certificate_commands.h"
#include "conformance/cli/certificate_files.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/report.h"

namespace hurray::conformance {

int emit_command(const OfflineArguments& arguments) {
  if (!arguments.out.empty()) {
    prepare_folder_of(arguments.out);
    expect_other_file(arguments.out, arguments.hello);
  }
  const std::string hello = read_lines(arguments.hello);
  Claims claims;
  try {
    claims = claims_in(hello);
  } catch (const Invalid& error) {
    fmt::print(stderr, "hurray-conform: {}: {}\n", arguments.hello, error.what());
    return kExitBroken;
  }
  Suite suite = load_suite();
  if (!arguments.nonce.empty()) suite = with_witness(std::move(suite), claims, arguments.nonce);
  const std::string requests = request_lines(suite, claims);
  if (arguments.out.empty())
    fmt::print("{}", requests);
  else
    write_file(arguments.out, requests);
  return kExitAsExpected;
}

int judge_command(const OfflineArguments& arguments) {
  if (!arguments.report_dir.empty()) prepare_folder(arguments.report_dir);
  const std::string answers = read_lines(arguments.answers);
  Judged judged;
  try {
    claims_in(answers);  // before the work
    judged = judge_answers(load_suite(), answers, arguments.nonce);
  } catch (const Invalid& error) {
    fmt::print("{}: not judged: {}\n", arguments.answers, error.what());
    return kExitBroken;
  }
  judged.target.attachment.name = std::filesystem::path(arguments.answers).filename().string();
  judged.target.attachment.text = "answers:" + arguments.answers;
  judged.target.attachment.runnable = "ATTACHMENT";
  fmt::print("{}", describe_judged(judged));
  fmt::print("{}", verdict_table({judged.target}, style_for(STDOUT_FILENO)));
  if (!arguments.report_dir.empty()) {
    const std::filesystem::path folder = arguments.report_dir;
    write_file(folder / "report.json", report_json(judged.suite, {judged.target}, false));
    write_file(folder / "junit.xml", junit_xml(judged.suite, {judged.target}));
    fmt::print("report in {}\n", arguments.report_dir);
  }
  switch (judged.target.verdict) {
    case TargetVerdict::kConformant:
      return kExitAsExpected;
    case TargetVerdict::kNonConformant:
      return kExitNonConformant;
    default:
      return kExitBroken;
  }
}

}  // namespace hurray::conformance
