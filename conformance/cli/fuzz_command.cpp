// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform fuzz`: a campaign against one target, its findings as text and as files.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/interrupt.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/campaign.h"
#include "conformance/runner/shell.h"
#include "conformance/runner/vectors.h"

namespace hurray::conformance {
namespace {

// Shows the finding again: from its file if there is one, else by drawing it once more.
std::string replay_words(const FuzzArguments& arguments, const CampaignFinding& finding) {
  const std::string target =
      shell_word(arguments.target) + replay_options(arguments.limits, arguments.options.strict);
  if (!arguments.out.empty()) {
    const std::string file =
        (std::filesystem::path(arguments.out) / (finding.id() + ".json")).string();
    return fmt::format("hurray-conform replay --target {} --vector {}", target, shell_word(file));
  }
  return fmt::format("hurray-conform fuzz --target {} --seed {} --runs {} --out DIR", target,
                     arguments.options.seed, finding.number + 1);
}

// The folder of --out. What cannot be written is remembered and not thrown: the findings are worth
// more than their files.
class Folder {
 public:
  explicit Folder(const std::string& path) : path_(path) {
    if (path.empty()) return;
    prepare_folder(path, "findings");
    if (!std::filesystem::is_empty(path)) {
      throw UsageError(fmt::format(
          "--out {}: not empty: its findings and those of this run could not be told apart; "
          "expected a new or empty folder, for example --out {}-2",
          path, path));
    }
  }

  void write(const CampaignFinding& finding) {
    if (path_.empty()) return;
    const std::string id = finding.id();
    Case item = finding.item;
    item.name = "fuzz/" + id;
    item.why = why_of(finding);
    ids_.insert(id);
    write(id + ".json", vector_of(item, std::vector<std::string>{finding.requirement}) + "\n");
    write(id + ".toml", finding_toml(finding));
    write(id + ".txt", finding_lines(finding));
    write(id + ".c", finding_c(finding));
  }

  void replace(const std::string& id, const CampaignFinding& finding) {
    write(finding);
    if (id != finding.id()) remove(id);
  }

  // All that are left, and what was said of them.
  void end(const std::vector<CampaignFinding>& findings, const std::string& text) {
    if (path_.empty()) return;
    // Once more, as what failed meanwhile may go now.
    problems_.clear();
    std::set<std::string> gone = ids_;
    for (const CampaignFinding& each : findings) {
      write(each);
      gone.erase(each.id());
    }
    for (const std::string& each : gone) remove(each);
    write("findings.txt", text);
  }

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void write(const std::string& name, const std::string& content) {
    try {
      write_file(std::filesystem::path(path_) / name, content);
    } catch (const UsageError& error) {
      problems_.push_back(error.what());
    }
  }

  void remove(const std::string& id) {
    std::error_code ignored;
    for (const char* kind : {".json", ".toml", ".txt", ".c"}) {
      std::filesystem::remove(std::filesystem::path(path_) / (id + kind), ignored);
    }
    ids_.erase(id);
  }

  std::string path_;
  std::set<std::string> ids_;
  std::vector<std::string> problems_;
};

bool is_broken(const CampaignResult& result) {
  return result.any_garbled ||
         (result.broken && (!result.broken->after_answers || result.findings.empty()));
}

std::string text_of(const FuzzArguments& arguments, const Suite& seeds, const std::string& name,
                    const CampaignResult& result) {
  std::string text;
  for (const CampaignFinding& each : result.findings) {
    text +=
        fmt::format("{}: {}\n", name, describe_finding(seeds, each, replay_words(arguments, each)));
  }
  if (result.not_kept > 0) {
    text +=
        fmt::format("{}: {} more findings of other kinds are not shown\n", name, result.not_kept);
  }
  text += fmt::format("{}: {}{} cases, {} requests, seed {}: {} kinds of findings\n", name,
                      result.is_interrupted ? "interrupted: " : "", result.asked, result.requests,
                      arguments.options.seed, result.findings.size());
  if (result.broken) {
    text += fmt::format("{}: broken: {}\n", name, cleaned(result.broken->reason));
    if (!result.broken->errors.empty()) {
      text += fmt::format("its standard error: {}\n", cleaned(result.broken->errors));
    }
  } else if (result.any_garbled) {
    text += fmt::format("{}: broken: some answers do not follow the protocol\n", name);
  } else if (result.asked == 0) {
    text += fmt::format("{}: nothing was asked in this time: more --seconds, or --runs\n", name);
  }
  return text;
}

int exit_code_of(const CampaignResult& result) {
  // A target that was asked nothing must not look as if it agreed.
  if (is_broken(result) || result.asked == 0) return kExitBroken;
  return result.findings.empty() ? kExitAsExpected : kExitNonConformant;
}

}  // namespace

int fuzz_command(const FuzzArguments& arguments) {
  const Candidate candidate{parse_attachment(arguments.target), arguments.limits};
  Folder folder(arguments.out);
  note_interrupts();
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
  options.is_interrupted = is_interrupted;
  if (!arguments.out.empty()) {
    options.on_finding = [&](const CampaignFinding& finding) { folder.write(finding); };
    options.on_small = [&](const std::string& id, const CampaignFinding& finding) {
      folder.replace(id, finding);
    };
  }
  const CampaignResult result = run_campaign(seeds, candidate, options);
  progress.clear();

  const std::string text = text_of(arguments, seeds, candidate.attachment.name, result);
  fmt::print("{}", text);
  std::fflush(stdout);
  folder.end(result.findings, text);
  if (!folder.problems().empty()) {
    for (const std::string& each : folder.problems()) fmt::print(stderr, "{}\n", each);
    fmt::print(stderr, "fuzz: findings are above; {} of their files could not be written\n",
               folder.problems().size());
    return kExitUnwritten;
  }
  if (!arguments.out.empty()) fmt::print("findings in {}\n", arguments.out);
  return exit_code_of(result);
}

}  // namespace hurray::conformance
