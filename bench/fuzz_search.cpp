// SPDX-License-Identifier: Apache-2.0
//
// Searches for faults, see fuzz_search.h.

#include "bench/fuzz_search.h"

#include <fnmatch.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/files.h"
#include "conformance/runner/wire.h"
#include "fuzz/archive.h"
#include "fuzz/kernel_input.h"
#include "fuzz/mutator.h"

namespace hurray::bench {

using namespace fuzz;
using conformance::Bytes;

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

const std::vector<NamedInput>& seeds_of(std::string_view claim) {
  static std::map<std::string_view, std::vector<NamedInput>> all;
  auto& seeds = all[claim];
  if (seeds.empty()) {
    const std::string path = fmt::format("{}/seeds/{}.txt", HURRAY_CORPUS_FOLDER, claim);
    const Bytes bytes = conformance::read_file(path, std::uint64_t{1} << 24);
    seeds = read_archive({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
    std::erase_if(seeds, [](const NamedInput& each) { return each.bytes.size() > kMostBytes; });
    if (seeds.empty()) throw std::runtime_error(path + ": no seeds");
  }
  return seeds;
}

std::vector<Subject> subjects(const std::string& select) {
  std::vector<Subject> all;
  for (std::size_t i = 0; i < hurray_fault_count; ++i) {
    const hurray_fault& fault = hurray_faults[i];
    const std::string_view name = claim_of(fault.replaced);
    if (fnmatch(select.c_str(), fault.id, 0) != 0) continue;
    for (const NamedClaim& claim : kClaims) {
      if (claim.name == name)
        all.push_back({&fault, claim, {fault.target.name, &fault.target, nullptr}});
    }
  }
  return all;
}

namespace {

constexpr std::size_t kMostInPool = 4000;
constexpr int kTickSeconds = 20;

// --- A fault may die or hang: that is found as well.

sigjmp_buf g_escape;
void escape(int signal) { siglongjmp(g_escape, signal); }

// An execution that is the same at two ticks hangs.
volatile std::size_t g_execution = 0, g_at_tick = 0;
volatile bool g_is_inside = false;
void tick(int signal) {
  if (g_is_inside && g_execution == g_at_tick) escape(signal);
  g_at_tick = g_execution;
}

void catch_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action = {};
    action.sa_handler = signal == SIGALRM ? tick : escape;
    action.sa_flags = SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
  const itimerval ticks = {{kTickSeconds, 0}, {kTickSeconds, 0}};
  setitimer(ITIMER_REAL, &ticks, nullptr);
}

enum class Outcome { kHolds, kMismatch, kDies };

Outcome outcome_of(Claim claim, const Bytes& input, const hurray_registry_row& row) {
  if (sigsetjmp(g_escape, 1) != 0) return Outcome::kDies;
  return claim(input, {&row, 1}) ? Outcome::kMismatch : Outcome::kHolds;
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
    g_execution = g_execution + 1;
    g_is_inside = true;
    const Outcome outcome = outcome_of(subject.claim.claim, input, subject.row);
    g_is_inside = false;
    if (outcome == Outcome::kHolds) continue;
    shown = outcome == Outcome::kMismatch ? input : Bytes{};
    return i;
  }
  return std::nullopt;
}

Found search(const Subject& subject, const Search& how) {
  Found found;
  for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
    if (!how.modes[mode]) continue;
    std::vector<std::size_t>& counts = found.counts[mode];
    for (unsigned seed = 0; seed < how.seeds; ++seed) {
      // Who was not found with the first three seeds of chance will hardly be with the next.
      if (seed >= 3 && counts.empty()) break;
      found.tried[mode] = seed + 1;
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

}  // namespace

namespace {

std::runtime_error system_error(std::string_view what) {
  return std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

pid_t forked() {
  const pid_t child = fork();
  if (child < 0) throw system_error("cannot start a process");
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw system_error("cannot wait for a process");
  }
  return status;
}

// How a process ended that should have ended well; empty if it did.
std::string ending_of(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : fmt::format("exit code {}", code);
}

// --- What a process tells: a line for each mode, and the shortest input.

std::string text_of(const Found& found) {
  std::string text;
  for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
    text += fmt::format("{} {}\n", found.tried[mode], fmt::join(found.counts[mode], " "));
  }
  return text + conformance::to_hex(found.shortest) + "\n";
}

Found read_found(const std::string& text) {
  Found found;
  std::istringstream lines(text);
  for (const Mode mode : {kPlain, kSeeds, kSeedsAndMutator}) {
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    words >> found.tried[mode];
    for (std::size_t count; words >> count;) found.counts[mode].push_back(count);
  }
  std::string hex;
  std::getline(lines, hex);
  found.shortest = conformance::parse_hex(hex).value_or(Bytes{});
  return found;
}

}  // namespace

Found search_apart(const Subject& subject, const Search& how) {
  seeds_of(subject.claim.name);  // made once
  int ends[2];
  if (pipe(ends) != 0) throw system_error("cannot make a pipe");
  std::fflush(stdout);
  const pid_t child = forked();
  if (child == 0) {
    close(ends[0]);
    catch_signals();
    const std::string text = text_of(search(subject, how));
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
  Found found;
  found.died = ending_of(status_of(child));
  return found.died.empty() ? read_found(text) : found;
}

bool shows_alone(const Subject& subject, const Bytes& input) {
  const pid_t child = forked();
  if (child == 0) _exit(outcome_of(subject.claim.claim, input, subject.row) == Outcome::kMismatch);
  const int status = status_of(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

double executions_per_cpu_second(std::string_view claim, Targets targets, std::size_t data,
                                 std::size_t executions) {
  const NamedClaim& named = *std::ranges::find(kClaims, claim, &NamedClaim::name);
  const bool is_kernel = claim == "quantize_agrees" || claim == "dequantize_agrees";
  const std::size_t most = is_kernel ? kKernelDataAt + data : kMostBytes;
  // Made before, so that only executions are measured.
  Random random(1);
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < 4096; ++i) {
    Bytes input = seeds_of(claim)[random.below(seeds_of(claim).size())].bytes;
    std::size_t length = std::min(input.size(), most);
    input.resize(most);
    if (i % 2 == 1) {
      length = mutate(claim, input.data(), length, most, static_cast<unsigned>(random.next()));
    }
    // Kernels with as much as is asked for: zeros are no cheaper than other numbers.
    input.resize(is_kernel ? most : length);
    inputs.push_back(std::move(input));
  }
  const auto now = [] {
    std::timespec at{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
  };
  for (const Bytes& input : inputs) named.claim(input, targets);
  const double began = now();
  for (std::size_t i = 0; i < executions; ++i) {
    if (named.claim(inputs[i % inputs.size()], targets)) {
      throw std::runtime_error(fmt::format("{} is contradicted: replay it", claim));
    }
  }
  return static_cast<double>(executions) / (now() - began);
}

}  // namespace hurray::bench
