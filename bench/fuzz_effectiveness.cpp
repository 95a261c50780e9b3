// SPDX-License-Identifier: Apache-2.0
//
// After how many executions does a fuzzer find a fault, and how many are there in a second? For
// each fault of the zoo that a claim is about: with random changes alone, with seeds, and with
// seeds and the mutator of the claim.

#include <CLI/CLI.hpp>

#include <unistd.h>
#include <cstdio>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/fuzz_search.h"
#include "fuzz/given_inputs.h"
#include "fuzz/targets.h"

namespace {

using namespace hurray::bench;
using namespace hurray::fuzz;
using hurray::conformance::Bytes;

constexpr std::size_t kSoon = 5000;  // what a median should stay under

// Why a differential fuzzer need not find it.
std::string_view reason_of(const hurray_fault& fault) {
  const std::string_view file = fault.file;
  if (fault.strict) return "a ruling only warns of it, so no claim is contradicted";
  if (file == "state") return "shows between calls or threads; an input is one call";
  if (file == "calls") return "shows by how a call is made (null, environment, alignment, length)";
  return "not found in so many executions";
}

std::size_t median_of(const std::vector<std::size_t>& sorted) {
  return sorted[(sorted.size() - 1) / 2];
}

// Median of those that found it, and how many of how many did.
std::string cell(const Found& found, Mode mode) {
  const std::vector<std::size_t>& all = found.counts[mode];
  if (!found.died.empty()) return "died";
  if (found.tried[mode] == 0) return "";
  if (all.empty()) return fmt::format("– (0 of {})", found.tried[mode]);
  return fmt::format("{} ({} of {})", median_of(all), all.size(), found.tried[mode]);
}

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", text);
}

// What people have put there, which stays.
std::vector<NamedInput> found_by_people(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  std::vector<NamedInput> inputs = inputs_of(path);
  std::erase_if(inputs, [](const NamedInput& each) { return !each.name.starts_with(kFound); });
  return inputs;
}

// The shortest input of each fault, by claim. Files of claims that are searched for no fault stay.
void write_regressions(const std::vector<Subject>& all, const std::map<std::string, Bytes>& found,
                       const std::string& folder) {
  for (const NamedClaim& claim : kClaims) {
    const auto is_about = [&](const Subject& each) { return each.claim.name == claim.name; };
    if (std::ranges::none_of(all, is_about)) continue;
    const std::string path = fmt::format("{}/{}.txt", folder, claim.name);
    std::vector<NamedInput> inputs = found_by_people(path);
    for (const Subject& subject : all) {
      if (subject.claim.name != claim.name) continue;
      const auto at = found.find(subject.fault->id);
      if (at != found.end() && shows_alone(subject, at->second))
        inputs.push_back({at->first, at->second});
    }
    std::ranges::sort(inputs, {}, &NamedInput::name);
    std::ofstream file(path);
    file << archive_text(fmt::format("Inputs of {}, each by the fault that it shows.", claim.name),
                         inputs);
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }
}

struct Options {
  Search how;
  std::string select = "*", regressions;
  bool only_mutator = false;
  std::size_t every = 1;  // fault for plain changes and seeds alone
};

// Of one mode, over all faults.
std::string summary(const std::vector<Found>& all, Mode mode, std::size_t seeds) {
  std::size_t tried = 0, always = 0, tries = 0, successes = 0;
  std::vector<std::size_t> medians;
  for (const Found& each : all) {
    const std::vector<std::size_t>& counts = each.counts[mode];
    if (each.tried[mode] == 0) continue;
    ++tried;
    tries += each.tried[mode];
    successes += counts.size();
    always += counts.size() == seeds;
    if (!counts.empty()) medians.push_back(median_of(counts));
  }
  if (tried == 0) return {};
  std::ranges::sort(medians);
  return fmt::format("| {} | {} | {} | {} | {:.0f} % | {} | {} |\n", kModes[mode], tried,
                     medians.size(), always,
                     100.0 * static_cast<double>(successes) / static_cast<double>(tries),
                     medians.empty() ? "–" : fmt::to_string(median_of(medians)),
                     std::ranges::count_if(medians, [](std::size_t m) { return m >= kSoon; }));
}

// How many searches died: figures are missing then.
std::size_t print_table(const Options& options) {
  const std::vector<Subject> all = subjects(options.select);
  if (all.empty()) {
    throw std::runtime_error(
        fmt::format("--select {}: no fault that a claim is about; ids are "
                    "those of hurray-conform faults, for example 'ties-*'",
                    options.select));
  }
  std::vector<Found> found;
  std::string rows, missed;
  std::size_t searches_died = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Subject& subject = all[i];
    progress(fmt::format("{} of {}: {}", i + 1, all.size(), subject.fault->id));
    Search how = options.how;
    how.modes[kPlain] = how.modes[kSeeds] = !options.only_mutator && i % options.every == 0;
    found.push_back(search_apart(subject, how));
    rows += fmt::format("| `{}` | {} |", subject.fault->id, subject.claim.name);
    for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
      rows += fmt::format(" {} |", cell(found.back(), mode));
    }
    rows += "\n";
    const std::vector<std::size_t>& counts = found.back().counts[kSeedsAndMutator];
    if (const std::string& died = found.back().died; !died.empty()) {
      ++searches_died;
      missed += fmt::format("| `{}` | died | the search ended by {} |\n", subject.fault->id, died);
    } else if (counts.size() < how.seeds || median_of(counts) >= kSoon) {
      missed += fmt::format("| `{}` | {} | {} |\n", subject.fault->id,
                            cell(found.back(), kSeedsAndMutator), reason_of(*subject.fault));
    }
  }
  progress("");
  fmt::print(
      "# Executions until a fault is found\n\n"
      "Made by `fuzz_effectiveness`: each fault of `targets/faults/` that a claim of "
      "[fuzz/](../fuzz/README.md)\nis about, with {} seeds of chance and up to {} executions each; "
      "median of those that found it,\nand how many did. Who was not found with the first three "
      "is not tried further. Changes are not guided by coverage.\nSeeds are those of "
      "[corpus/](../corpus/README.md).",
      options.how.seeds, options.how.most);
  if (options.every > 1) {
    fmt::print(" Plain changes and seeds alone: every {}th fault.", options.every);
  }
  fmt::print(
      "\n\n| inputs | faults | found | by every seed | successes | median of medians | of {} or "
      "more |\n"
      "|---|---|---|---|---|---|---|\n",
      kSoon);
  for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
    fmt::print("{}", summary(found, mode, options.how.seeds));
  }
  if (!missed.empty()) {
    fmt::print(
        "\nWith seeds and mutator not by every seed, or in the median not within {}:\n\n"
        "| fault | executions | why |\n|---|---|---|\n{}",
        kSoon, missed);
  }
  fmt::print("\n| fault | claim | {} |\n|---|---|---|---|---|\n{}", fmt::join(kModes, " | "), rows);
  if (options.regressions.empty()) return searches_died;
  std::map<std::string, Bytes> shortest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!found[i].shortest.empty()) shortest[all[i].fault->id] = found[i].shortest;
  }
  if (searches_died > 0) {
    throw std::runtime_error(
        fmt::format("{} of {} searches died, so {} is left as it is: their inputs would be lost",
                    searches_died, all.size(), options.regressions));
  }
  write_regressions(all, shortest, options.regressions);
  return 0;
}

// Claims as a fuzzer of this build runs them, without its engine.
void print_speed(const std::string& only, std::size_t executions) {
  fmt::print(
      "Executions per second of CPU time, of claim alone; kernels with 64 floats or bytes.\n\n"
      "| claim | reference, scalar | and the last vector target | all here |\n|---|---|---|---|\n");
  for (const NamedClaim& claim : kClaims) {
    if (only != "all" && only != claim.name) continue;
    std::vector<hurray_registry_row> two = targets_named("reference,scalar"), three = two;
    for (const hurray_registry_row& row : builtin_targets()) {
      if (std::string_view(row.name).starts_with("simd")) {
        three.resize(2);
        three.push_back(row);
      }
    }
    const std::size_t data = claim.name == "quantize_agrees" ? 256 : 64;
    fmt::print("| {} |", claim.name);
    for (const Targets targets : {Targets(two), Targets(three), builtin_targets()}) {
      fmt::print(" {:.0f} |", executions_per_cpu_second(claim.name, targets, data, executions));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Executions until each fault of the zoo is found, as a table in Markdown.",
               "fuzz_effectiveness"};
  Options options;
  std::string speed;
  app.add_option("--most", options.how.most, "Executions before giving up; with --speed: how many")
      ->check(CLI::PositiveNumber);
  app.add_option("--seeds", options.how.seeds, "Seeds of chance for each")
      ->check(CLI::Range(1, 1000));
  app.add_option("--select", options.select, "Glob of ids of faults");
  app.add_flag("--only-mutator", options.only_mutator, "Only with seeds and mutator");
  app.add_option("--every", options.every,
                 "Plain changes and seeds alone: only of one fault in so many")
      ->check(CLI::PositiveNumber);
  app.add_option("--regressions", options.regressions,
                 "Write the shortest input of each fault into this folder, the files of all claims")
      ->check(CLI::ExistingDirectory)
      ->excludes("--select");  // the faults left out would be lost
  std::vector<std::string> claims = {"all"};
  for (const NamedClaim& each : kClaims) claims.emplace_back(each.name);
  app.add_option("--speed", speed,
                 "Search nothing: executions per CPU second of this claim, or of all")
      ->check(CLI::IsMember(claims));
  app.footer("Exit codes: 0 done, 1 a search died and its figures are missing, 2 usage.");
  try {
    app.parse(argc, argv);
    if (speed.empty()) {
      const std::size_t died = print_table(options);
      if (died > 0)
        fmt::print(stderr, "fuzz_effectiveness: {} searches died, see the table\n", died);
      return died == 0 ? 0 : 1;
    }
    print_speed(speed, options.how.most);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fuzz_effectiveness: {}\n", error.what());
  }
  return 2;
}
