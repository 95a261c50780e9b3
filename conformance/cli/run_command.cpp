// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform run`: candidates from options or a list, progress, reports, exit code.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/expectation.h"
#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::vector<Candidate> candidates_from(const RunArguments& arguments,
                                       std::vector<MeantTarget>& meant) {
  if (!arguments.expect.empty()) {
    meant = read_expectation_file(arguments.expect);
    if (arguments.targets.empty()) return candidates_of(meant, arguments.expect, arguments.limits);
  }
  if (arguments.targets.empty()) {
    throw UsageError(
        "run: no target; expected --target [NAME=]ATTACHMENT, for example\n"
        "  hurray-conform run --target builtin:scalar");
  }
  std::vector<Candidate> candidates;
  std::vector<Candidate> listed;
  if (!meant.empty()) listed = candidates_of(meant, arguments.expect, arguments.limits);
  for (const std::string& each : arguments.targets) {
    const auto in_list = std::find_if(listed.begin(), listed.end(), [&](const Candidate& other) {
      return other.attachment.name == each;
    });
    Candidate candidate =
        in_list != listed.end() ? *in_list : Candidate{parse_attachment(each), arguments.limits};
    const bool is_taken = std::any_of(
        candidates.begin(), candidates.end(),
        [&](const Candidate& other) { return other.attachment.name == candidate.attachment.name; });
    if (is_taken) {
      throw UsageError(fmt::format("two targets are named {}; tell them apart by NAME=ATTACHMENT",
                                   candidate.attachment.name));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

void write_reports(const RunArguments& arguments, const RunRecord& record, const Suite& suite,
                   const std::vector<TargetResult>& results,
                   const std::vector<MeantTarget>& meant) {
  const std::filesystem::path folder = arguments.report_dir;
  write_file(folder / "report.json", report_json(suite, results, arguments.options.strict));
  write_file(folder / "run.json", run_json(record, suite, results));
  write_file(folder / "junit.xml", junit_xml(suite, results, meant));
}

bool is_meant_to_be_broken(const std::vector<MeantTarget>& meant, const TargetResult& target) {
  return std::any_of(meant.begin(), meant.end(), [&](const MeantTarget& each) {
    return each.name == target.attachment.name && each.verdict == name_of(TargetVerdict::kBroken);
  });
}

int exit_code_of(const std::vector<TargetResult>& results) {
  int code = kExitAsExpected;
  for (const TargetResult& each : results) {
    const bool nothing_asked = each.verdict == TargetVerdict::kNotJudged && !each.was_stopped;
    if (each.verdict == TargetVerdict::kBroken || nothing_asked) return kExitBroken;
    if (each.verdict == TargetVerdict::kNonConformant) code = kExitNonConformant;
  }
  return code;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  std::vector<MeantTarget> meant;
  const std::vector<Candidate> candidates = candidates_from(arguments, meant);
  if (!arguments.report_dir.empty()) prepare_folder(arguments.report_dir);
  const Suite suite = load_suite();

  RunOptions options = arguments.options;
  if (options.jobs == 0) options.jobs = processors();
  RunRecord record{now_utc(), 0, host_name(), options.jobs, arguments.command_line};
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  options.on_progress = [&](std::size_t done, std::size_t all) {
    progress.show(done, all, "cases");
  };
  const std::vector<TargetResult> results = run(suite, candidates, options);
  progress.clear();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const TextStyle style = style_for(STDOUT_FILENO);
  for (const TargetResult& each : results) {
    // Without the reason nobody can do anything about what is broken.
    const bool is_unexpected =
        each.verdict == TargetVerdict::kBroken && !is_meant_to_be_broken(meant, each);
    if (!arguments.table_only || is_unexpected) {
      fmt::print("{}", describe_findings(suite, each, style));
    }
  }
  fmt::print("{}", verdict_table(results, style));
  if (!arguments.report_dir.empty()) {
    write_reports(arguments, record, suite, results, meant);
    fmt::print("report in {}\n", arguments.report_dir);
  }

  if (arguments.expect.empty()) return exit_code_of(results);
  for (const MeantTarget& each : meant) {
    const bool was_asked_for =
        arguments.targets.empty() || std::find(arguments.targets.begin(), arguments.targets.end(),
                                               each.name) != arguments.targets.end();
    if (was_asked_for && !is_here(each)) {
      fmt::print("not here: {}, which needs {}\n", each.name, each.needs);
    }
  }
  const std::vector<std::string> unmet = unmet_expectations(meant, results);
  for (const std::string& each : unmet) fmt::print("not as meant: {}\n", each);
  if (unmet.empty())
    fmt::print("all {} targets have the verdict that they are meant to have\n", results.size());
  return unmet.empty() ? kExitAsExpected : kExitNonConformant;
}

}  // namespace hurray::conformance
