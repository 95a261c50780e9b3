// SPDX-License-Identifier: Apache-2.0
//
// What `run` writes beside its text, and `compare`: their options, see options.h.

#include <memory>

#include "conformance/cli/commands.h"
#include "conformance/cli/options.h"

namespace hurray::conformance {

void add_reports(CLI::App* command, RunArguments& run) {
  command->add_option("--report-dir", run.report_dir,
                      "Write report.json, run.json, junit.xml, report.sarif, summary.md and\n"
                      "report.html there");
  command->add_option(
      "--summary", run.summary,
      "Append a summary in Markdown to this file; on GitHub \"$GITHUB_STEP_SUMMARY\"");
  command->add_option("--source", run.source,
                      "File of your repository at which code scanning shows what is wrong (in\n"
                      "report.sarif); else the last file that an attachment names");
  CLI::Option* known = command->add_option(
      "--known", run.known,
      "A list of known deviations: exits 0 if and only if what fails is listed, and what is\n"
      "listed fails as it says; verdicts stay as they are");
  known->excludes(command->get_option("--expect"));
  known->excludes(command->get_option("--fail-fast"));
  command
      ->add_flag("--update-known", run.update_known,
                 "Rewrite that list to what fails now; reasons, notes, links and dates stay")
      ->needs(known);
}

void add_compare(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Put the reports of several runs side by side");
  command->footer(
      "Reads report.json of `run --report-dir`, several targets each or one, of one suite or of\n"
      "several; says where they are of different suites.\n\n"
      "Example: hurray-conform compare a/report.json b/report.json --html compare.html\n\n"
      "Exit codes: 0 compared, 2 usage, and files that are no report.");
  command->add_option("FILE", arguments->files, "report.json of a run; NAME=FILE names its target")
      ->required()
      ->check(not_empty());
  command->add_option("--html", arguments->html, "Write a page to this file as well");
  command->callback([arguments, &exit_code] { exit_code = compare_command(*arguments); });
}

}  // namespace hurray::conformance
