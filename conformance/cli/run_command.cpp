// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform run`: candidates from options or a list, progress, reports, exit code.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/known_list.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/expectation.h"
#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

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

bool is_meant_to_be_broken(const std::vector<MeantTarget>& meant, const TargetResult& target) {
  return std::any_of(meant.begin(), meant.end(), [&](const MeantTarget& each) {
    return each.name == target.attachment.name && each.verdict == name_of(TargetVerdict::kBroken);
  });
}

void write_reports(const RunArguments& arguments, const RunRecord& record, const Suite& suite,
                   const std::vector<TargetResult>& results, const ReportOptions& options) {
  const std::filesystem::path folder = arguments.report_dir;
  write_file(folder / "report.json", report_json(suite, results, options.strict, options.known));
  write_file(folder / "run.json", run_json(record, suite, results));
  write_file(folder / "junit.xml", junit_xml(suite, results, options.meant, options.known));
  write_file(folder / "report.sarif", sarif(suite, results, options));
  write_file(folder / "summary.md", summary_markdown(suite, results, options));
  write_file(folder / "report.html", report_html(suite, results, options));
}

void print_findings(const Suite& suite, const std::vector<TargetResult>& results, bool table_only,
                    const ReportOptions& options) {
  const TextStyle style = style_for(STDOUT_FILENO);
  for (std::size_t t = 0; t < results.size(); ++t) {
    // Without the reason nobody can do anything about what is broken.
    const bool is_unexpected = results[t].verdict == TargetVerdict::kBroken &&
                               !is_meant_to_be_broken(options.meant, results[t]);
    if (table_only && !is_unexpected) continue;
    std::map<std::string, std::string> known;
    for (const RequirementResult& each : results[t].requirements) {
      const KnownDeviation* entry = options.known ? options.known->entry_of(t, each) : nullptr;
      if (entry) known[each.requirement->id] = entry->reason;
    }
    fmt::print("{}", describe_findings(suite, results[t], style, known));
  }
  fmt::print("{}", verdict_table(results, style));
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
  const std::optional<KnownFile> known = read_known(arguments);
  if (!arguments.report_dir.empty()) prepare_folder(arguments.report_dir);
  if (!arguments.summary.empty()) prepare_folder_of(arguments.summary);
  const Suite suite = load_suite();

  RunOptions options = arguments.options;
  if (options.jobs == 0) options.jobs = processors();
  options.pictures = !arguments.report_dir.empty();
  RunRecord record{fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))), 0, host_name(),
                   options.jobs, arguments.command_line};
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  options.on_progress = [&](std::size_t done, std::size_t all) {
    progress.show(done, all, "cases");
  };
  const std::vector<TargetResult> results = run(suite, candidates, options);
  progress.clear();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  ReportOptions report{arguments.options.strict, meant, nullptr, arguments.source};
  std::optional<KnownGate> gate;
  if (known) {
    gate = judge_known(arguments, *known, suite, results);
    report.known = &*gate;
  }
  print_findings(suite, results, arguments.table_only, report);
  if (!arguments.report_dir.empty()) {
    write_reports(arguments, record, suite, results, report);
    fmt::print("report in {}; for people: {}\n", arguments.report_dir,
               (std::filesystem::path(arguments.report_dir) / "report.html").string());
  }
  if (!arguments.summary.empty()) {
    append_file(arguments.summary, summary_markdown(suite, results, report));
  }

  if (gate) {
    fmt::print("{}", describe_gate(*gate));
    const bool any_broken = std::ranges::any_of(
        results, [](const TargetResult& each) { return each.broken.has_value(); });
    if (any_broken || exit_code_of(results) == kExitBroken) return kExitBroken;
    return gate->problems.empty() ? kExitAsExpected : kExitNonConformant;
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
