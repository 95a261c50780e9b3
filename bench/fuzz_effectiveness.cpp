// SPDX-License-Identifier: Apache-2.0
//
// After how many executions does a fuzzer find a fault? For each fault of the zoo that a claim is
// about: with random changes alone, with seeds, and with seeds and the mutator of the claim. The
// loop is not guided by coverage, which a libFuzzer program is: its figures are bounds from above
// for seeds and mutator, and plain random changes are what guidance would help most.

#include <CLI/CLI.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "fuzz/claims.h"
#include "fuzz/mutator.h"
#include "fuzz/seed_inputs.h"
#include "targets/faults/faults.h"

namespace {

using namespace hurray::fuzz;
using hurray::conformance::Bytes;

constexpr std::size_t kMostBytes = 522;
constexpr std::size_t kMostInPool = 4000;
constexpr unsigned kMostSeconds = 60;  // of one search

enum Mode { kPlain, kSeeds, kSeedsAndMutator };
constexpr const char* kModes[] = {"plain", "seeds", "seeds and mutator"};

// Members of hurray_target.h and the claim that is about them.
std::string_view claim_of(std::string_view replaced) {
  const std::string_view first = replaced.substr(0, replaced.find(' '));
  constexpr std::pair<std::string_view, std::string_view> kClaimOf[] = {
      {"decode", "decoders_agree"},
      {"encode", "encoders_agree"},
      {"dequantize", "dequantize_agrees"},
      {"ra8.dequantize_i8", "dequantize_agrees"},
      {"ra8.dequantize_u8", "dequantize_agrees"},
      {"quantize", "quantize_agrees"},
      {"ra8.quantize_i8", "quantize_agrees"},
      {"ra8.quantize_u8", "quantize_agrees"},
      {"normalize_zero_points", "zero_points_agree"},
      {"pack", "elements_agree"},
      {"unpack", "elements_agree"},
      {"widen", "elements_agree"},
      {"packed_bytes", "elements_agree"},
      {"decode_tensor", "tensors_agree"},
      {"encode_tensor", "tensors_agree"},
      {"dequantize_tensor", "tensors_agree"},
      {"convert", "conversions_agree"}};
  for (const auto& [member, claim] : kClaimOf) {
    if (first == member) return claim;
  }
  return {};
}

// --- A fault may die or hang: that is found as well.

sigjmp_buf g_escape;
void escape(int signal) { siglongjmp(g_escape, signal); }

void catch_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action = {};
    action.sa_handler = escape;
    action.sa_flags = SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
}

enum class Outcome { kHolds, kMismatch, kDies };

Outcome outcome_of(Claim claim, const Bytes& input, const hurray_registry_row& row) {
  if (sigsetjmp(g_escape, 1) != 0) return Outcome::kDies;
  return claim(input, {&row, 1}) ? Outcome::kMismatch : Outcome::kHolds;
}

struct Subject {
  const hurray_fault* fault;
  NamedClaim claim;
  hurray_registry_row row;
};

const std::vector<NamedInput>& seeds_of(std::string_view claim) {
  static std::map<std::string_view, std::vector<NamedInput>> all;
  auto& seeds = all[claim];
  if (seeds.empty()) {
    seeds = seed_inputs(claim);
    std::erase_if(seeds, [](const NamedInput& each) { return each.bytes.size() > kMostBytes; });
  }
  return seeds;
}

// Executions until found, or nothing. Seeds count, in an order of chance.
std::optional<std::size_t> executions(const Subject& subject, Mode mode, unsigned seed,
                                      std::size_t most, Bytes& shown) {
  Random random(seed);
  static std::vector<Bytes> pool;
  pool.clear();
  if (mode == kPlain) {
    pool.push_back(Bytes(32));
  } else {
    for (const NamedInput& each : seeds_of(subject.claim.name)) pool.push_back(each.bytes);
    for (std::size_t i = pool.size(); i > 1; --i) std::swap(pool[i - 1], pool[random.below(i)]);
  }
  const std::size_t given = mode == kPlain ? 0 : pool.size();
  alarm(kMostSeconds);
  static Bytes input;
  for (std::size_t i = 1; i <= most; ++i) {
    if (i <= given) {
      input = pool[i - 1];
    } else {
      input = pool[random.below(pool.size())];
      std::size_t length = std::min(input.size(), kMostBytes);
      input.resize(kMostBytes);
      for (std::size_t times = 1 + random.below(4); times > 0; --times) {
        const auto chance = static_cast<unsigned>(random.next());
        length = mode == kSeedsAndMutator
                     ? mutate(subject.claim.name, input.data(), length, kMostBytes, chance)
                     : engine_mutate(input.data(), length, kMostBytes, chance);
      }
      input.resize(length);
      // Wandering off: in the place of coverage, one in fifty is built upon.
      if (random.once_in(50)) {
        if (pool.size() < kMostInPool + given) {
          pool.push_back(input);
        } else {
          pool[given + random.below(kMostInPool)] = input;
        }
      }
    }
    const Outcome outcome = outcome_of(subject.claim.claim, input, subject.row);
    if (outcome == Outcome::kHolds) continue;
    alarm(0);
    shown = outcome == Outcome::kMismatch ? input : Bytes{};
    return i;
  }
  alarm(0);
  return std::nullopt;
}

// Why a differential fuzzer need not find it.
std::string_view reason_of(const hurray_fault& fault) {
  const std::string_view file = fault.file;
  if (fault.strict) return "a ruling only warns of it, so no claim is contradicted";
  if (file == "state") return "shows between calls or threads; an input is one call";
  if (file == "calls") return "shows by how a call is made (null, environment, alignment, length)";
  return "not found in so many executions";
}

std::string shown(const std::vector<std::size_t>& all, std::size_t seeds) {
  if (all.empty()) return "–";
  return fmt::format("{} ({} of {})", all[(all.size() - 1) / 2], all.size(), seeds);
}

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", text);
}

std::vector<Subject> subjects(const std::string& select, bool with_tensors) {
  std::vector<Subject> all;
  for (std::size_t i = 0; i < hurray_fault_count; ++i) {
    const hurray_fault& fault = hurray_faults[i];
    const std::string_view name = claim_of(fault.replaced);
    if (fnmatch(select.c_str(), fault.id, 0) != 0) continue;
    const bool is_of_tensors = name == "tensors_agree" || name == "conversions_agree";
    if (is_of_tensors && !with_tensors) continue;
    for (const NamedClaim& claim : kClaims) {
      if (claim.name == name)
        all.push_back({&fault, claim, {fault.target.name, &fault.target, nullptr}});
    }
  }
  return all;
}

// Whether the input shows the fault by itself, with no call before it.
bool shows_alone(const Subject& subject, const Bytes& input) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) _exit(outcome_of(subject.claim.claim, input, subject.row) == Outcome::kMismatch);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

// The shortest input of each fault, by claim.
void write_regressions(const std::vector<Subject>& all, const std::map<std::string, Bytes>& found,
                       const std::string& folder) {
  for (const NamedClaim& claim : kClaims) {
    std::vector<NamedInput> inputs;
    for (const Subject& subject : all) {
      if (subject.claim.name != claim.name) continue;
      const auto at = found.find(subject.fault->id);
      if (at != found.end() && shows_alone(subject, at->second))
        inputs.push_back({at->first, at->second});
    }
    std::ranges::sort(inputs, {}, &NamedInput::name);
    const std::string path = fmt::format("{}/{}.txt", folder, claim.name);
    std::ofstream file(path);
    file << archive_text(fmt::format("Inputs of {}, each by the fault that it shows.", claim.name),
                         inputs);
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }
}

// What came of one fault, in each mode the executions of each seed of chance that found it.
struct Found {
  std::array<std::vector<std::size_t>, 3> counts;
  Bytes shortest;  // that contradicts the claim; empty if there is none
};

struct Search {
  std::size_t most = 200000, seeds = 10;
  bool only_mutator = false;
};

Found search(const Subject& subject, const Search& how) {
  Found found;
  for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
    if (how.only_mutator && mode != kSeedsAndMutator) continue;
    std::vector<std::size_t>& counts = found.counts[mode];
    for (unsigned seed = 0; seed < how.seeds; ++seed) {
      // Who was not found with the first three seeds of chance will hardly be with the next.
      if (seed >= 3 && counts.empty()) break;
      Bytes input;
      const auto count = executions(subject, mode, seed + 1, how.most, input);
      if (!count) continue;
      counts.push_back(*count);
      const bool is_shorter = found.shortest.empty() || input.size() < found.shortest.size();
      if (!input.empty() && is_shorter) found.shortest = input;
    }
    std::ranges::sort(counts);
  }
  return found;
}

// In a process of its own: a fault that writes where it must not would spoil what comes after it.
Found search_apart(const Subject& subject, const Search& how) {
  seeds_of(subject.claim.name);  // made once
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    catch_signals();
    const Found found = search(subject, how);
    std::string text;
    for (const auto& counts : found.counts) text += fmt::format("{}\n", fmt::join(counts, " "));
    text += hurray::conformance::to_hex(found.shortest) + "\n";
    const ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  Found found;
  std::istringstream lines(text);
  for (auto& counts : found.counts) {
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    for (std::size_t count; words >> count;) counts.push_back(count);
  }
  std::string hex;
  std::getline(lines, hex);
  found.shortest = hurray::conformance::parse_hex(hex).value_or(Bytes{});
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Executions until each fault of the zoo is found, as a table in Markdown.",
               "fuzz_effectiveness"};
  Search how;
  std::string select = "*", regressions;
  bool with_tensors = false;
  app.add_option("--most", how.most, "Executions before giving up")->check(CLI::PositiveNumber);
  app.add_option("--seeds", how.seeds, "Seeds of chance for each")->check(CLI::Range(1, 1000));
  app.add_option("--select", select, "Glob of ids of faults");
  app.add_flag("--tensors", with_tensors, "Faults of tensors and conversion as well");
  app.add_flag("--only-mutator", how.only_mutator, "Only with seeds and mutator");
  app.add_option("--regressions", regressions,
                 "Write the shortest input of each fault into this folder")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<Subject> all = subjects(select, with_tensors);
    if (all.empty()) throw std::runtime_error("--select " + select + ": no such fault");
    fmt::print(
        "Executions until found: median over {} seeds of chance, of those that found it within "
        "{}.\n"
        "Random changes not guided by coverage.\n\n| fault | claim | {} |\n|---|---|---|---|---|\n",
        how.seeds, how.most, fmt::join(kModes, " | "));
    std::map<std::string, Bytes> found;
    std::vector<std::string> missed;
    std::array<std::vector<std::size_t>, 3> medians;
    std::size_t always = 0, quickly = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Subject& subject = all[i];
      std::string line = fmt::format("| {} | {} |", subject.fault->id, subject.claim.name);
      progress(fmt::format("{} of {}: {}", i + 1, all.size(), subject.fault->id));
      const Found of_fault = search_apart(subject, how);
      for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
        const std::vector<std::size_t>& counts = of_fault.counts[mode];
        line += fmt::format(" {} |", shown(counts, how.seeds));
        if (!counts.empty()) medians[mode].push_back(counts[(counts.size() - 1) / 2]);
      }
      const std::vector<std::size_t>& last = of_fault.counts[kSeedsAndMutator];
      always += last.size() == how.seeds;
      quickly += last.size() == how.seeds && last[(last.size() - 1) / 2] < 5000;
      if (last.size() < how.seeds) {
        missed.push_back(fmt::format("* `{}`, {} of {}: {}", subject.fault->id, last.size(),
                                     how.seeds, reason_of(*subject.fault)));
      }
      if (!of_fault.shortest.empty()) found[subject.fault->id] = of_fault.shortest;
      progress("");
      fmt::print("{}\n", line);
      std::fflush(stdout);
    }
    progress("");
    fmt::print(
        "\n{} faults; with seeds and mutator {} found by every seed, {} of them in the median "
        "within 5000.\n",
        all.size(), always, quickly);
    for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
      std::ranges::sort(medians[mode]);
      if (medians[mode].empty()) continue;
      fmt::print("{}: {} found at all, median of their medians {}\n", kModes[mode],
                 medians[mode].size(), medians[mode][medians[mode].size() / 2]);
    }
    if (!missed.empty()) fmt::print("\nNot found by every seed:\n\n{}\n", fmt::join(missed, "\n"));
    if (!regressions.empty()) write_regressions(all, found, regressions);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fuzz_effectiveness: {}\n", error.what());
  }
  return 2;
}
