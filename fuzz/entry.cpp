// SPDX-License-Identifier: Apache-2.0
//
// What a fuzzer reads from its environment, see entry.h.

#include "fuzz/entry.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

#include "fuzz/targets.h"

// Copies of every stack frame, to find pointers into frames that are gone, take a fifth of the
// time. Where memory was allocated says little: the engine does it, once for each input.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_stack_use_after_return=0:malloc_context_size=1";
}

namespace hurray::fuzz {

std::size_t executions = 0;

namespace {

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double g_began = 0;

void print_rate() {
  const double seconds = cpu_seconds() - g_began;
  // In the form of the engine's own final statistics.
  std::fprintf(stderr, "stat::executions_per_cpu_second: %.0f\n",
               static_cast<double>(executions) / seconds);
}

}  // namespace

bool begin_rate() {
  g_began = cpu_seconds();
  return std::atexit(print_rate) == 0;
}

Targets chosen_targets() {
  const char* const names = std::getenv(kTargetsVariable);
  if (names == nullptr || *names == '\0') return builtin_targets();
  try {
    static const std::vector<hurray_registry_row> targets = targets_named(names);
    return targets;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", kTargetsVariable, error.what());
    std::_Exit(2);
  }
}

bool has_mutator() {
  static const bool is_plain = [] {
    const char* const plain = std::getenv("HURRAY_FUZZ_PLAIN");
    return plain != nullptr && plain[0] == '1';
  }();
  return !is_plain;
}

}  // namespace hurray::fuzz
