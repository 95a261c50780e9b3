// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform fuzz`: a campaign against one target, its findings as text and as files.

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/campaign.h"
#include "conformance/runner/shell.h"
#include "conformance/runner/vectors.h"

namespace hurray::conformance {
namespace {

std::string limits_words(const FuzzArguments& arguments) {
  std::string text;
  if (arguments.limits.timeout_ms != Limits{}.timeout_ms) {
    text += fmt::format(" --timeout {}", arguments.limits.timeout_ms / 1000.0);
  }
  if (arguments.limits.memory_mib != Limits{}.memory_mib) {
    text += fmt::format(" --memory {}", arguments.limits.memory_mib);
  }
  if (arguments.options.strict) text += " --strict";
  return text;
}

// Shows the finding again: from its file if there is one, else by drawing it once more.
std::string replay_words(const FuzzArguments& arguments, const CampaignFinding& finding) {
  const std::string target = shell_word(arguments.target);
  if (!arguments.out.empty()) {
    const std::string file =
        (std::filesystem::path(arguments.out) / (finding.id() + ".json")).string();
    return fmt::format("hurray-conform replay --target {}{} --vector {}", target,
                       limits_words(arguments), shell_word(file));
  }
  return fmt::format("hurray-conform fuzz --target {}{} --seed {} --runs {} --out DIR", target,
                     limits_words(arguments), arguments.options.seed, finding.number + 1);
}

void write_finding(const std::filesystem::path& folder, const CampaignFinding& finding) {
  const std::string id = finding.id();
  const std::vector<std::string> requirements = {finding.requirement};
  Case item = finding.item;
  item.name = "fuzz/" + id;
  write_file(folder / (id + ".json"), vector_of(item, requirements) + "\n");
  write_file(folder / (id + ".toml"), finding_toml(finding));
  write_file(folder / (id + ".txt"), finding_lines(finding));
  write_file(folder / (id + ".c"), finding_c(finding));
}

}  // namespace

int fuzz_command(const FuzzArguments& arguments) {
  const Candidate candidate{parse_attachment(arguments.target), arguments.limits};
  if (!arguments.out.empty()) prepare_folder(arguments.out);
  const Suite seeds = load_seeds();

  CampaignOptions options = arguments.options;
  Progress progress;
  const auto start = std::chrono::steady_clock::now();
  options.on_progress = [&](std::uint64_t done, std::size_t kinds) {
    if (options.runs) {
      progress.show(done, *options.runs, fmt::format("cases, {} kinds of findings", kinds));
    } else {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      progress.show(static_cast<std::uint64_t>(seconds.count()),
                    static_cast<std::uint64_t>(options.seconds),
                    fmt::format("seconds, {} cases, {} kinds of findings", done, kinds));
    }
  };
  const CampaignResult result = run_campaign(seeds, candidate, options);
  progress.clear();

  const std::string& name = candidate.attachment.name;
  std::string text;
  for (const CampaignFinding& each : result.findings) {
    if (!arguments.out.empty()) write_finding(arguments.out, each);
    text +=
        fmt::format("{}: {}\n", name, describe_finding(seeds, each, replay_words(arguments, each)));
  }
  if (result.not_kept > 0) {
    text +=
        fmt::format("{}: {} more findings of other kinds are not shown\n", name, result.not_kept);
  }
  text += fmt::format("{}: {} cases, {} requests, seed {}: {} kinds of findings\n", name,
                      result.asked, result.requests, options.seed, result.findings.size());
  const bool is_broken =
      result.any_garbled ||
      (result.broken && (!result.broken->after_answers || result.findings.empty()));
  if (result.broken) {
    text += fmt::format("{}: broken: {}\n", name, cleaned(result.broken->reason));
    if (!result.broken->errors.empty()) {
      text += fmt::format("its standard error: {}\n", cleaned(result.broken->errors));
    }
  } else if (result.any_garbled) {
    text += fmt::format("{}: broken: some answers do not follow the protocol\n", name);
  }
  fmt::print("{}", text);
  if (!arguments.out.empty()) {
    write_file(std::filesystem::path(arguments.out) / "findings.txt", text);
    fmt::print("findings in {}\n", arguments.out);
  }
  if (is_broken) return kExitBroken;
  return result.findings.empty() ? kExitAsExpected : kExitNonConformant;
}

}  // namespace hurray::conformance
