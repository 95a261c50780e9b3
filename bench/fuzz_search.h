// SPDX-License-Identifier: Apache-2.0
//
// After how many executions does a fuzzer find one fault of the zoo? The loop is not guided by
// coverage, which a libFuzzer program is: its figures are bounds from above for seeds and mutator,
// and plain random changes are what guidance would help most.

#ifndef HURRAY_BENCH_FUZZ_SEARCH_H
#define HURRAY_BENCH_FUZZ_SEARCH_H

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "fuzz/archive.h"
#include "fuzz/claims.h"
#include "targets/faults/faults.h"

namespace hurray::bench {

// How inputs are made.
enum Mode { kPlain, kSeeds, kSeedsAndMutator };
inline constexpr const char* kModes[] = {"plain", "seeds", "seeds and mutator"};
inline constexpr std::size_t kMostBytes = 522;  // of an input

// The claim about a member of hurray_target.h, or several of which the first counts.
std::string_view claim_of(std::string_view replaced);

// A fault and the claim that is about it.
struct Subject {
  const hurray_fault* fault;
  fuzz::NamedClaim claim;
  hurray_registry_row row;
};

// Those of the zoo whose id matches the glob.
std::vector<Subject> subjects(const std::string& select);

// Seeds of corpus/, those that are too long left out. Throws std::runtime_error.
const std::vector<fuzz::NamedInput>& seeds_of(std::string_view claim);

struct Search {
  std::size_t most = 200000, seeds = 10;  // executions, and seeds of chance
  std::array<bool, 3> modes = {true, true, true};
};

// What came of one fault, in each mode the executions of each seed of chance that found it, sorted.
struct Found {
  std::array<std::vector<std::size_t>, 3> counts;
  std::array<std::size_t, 3> tried = {};  // seeds of chance
  conformance::Bytes shortest;            // that contradicts the claim; empty if there is none
  std::string died;                       // how the search ended before its end; then nothing else
};

// Runs in a process of its own: a fault that writes where it must not, or dies, spoils nothing. An
// execution that dies, or lasts 20 seconds, counts as found. Throws std::runtime_error.
Found search_apart(const Subject& subject, const Search& how);

// Whether the input shows the fault by itself, with no call before it.
bool shows_alone(const Subject& subject, const conformance::Bytes& input);

// Executions of a claim in a second of CPU time, over its seeds and what the mutator makes of them,
// with at most `data` bytes behind the parameters of a kernel.
double executions_per_cpu_second(std::string_view claim, fuzz::Targets targets, std::size_t data,
                                 std::size_t executions);

}  // namespace hurray::bench

#endif  // HURRAY_BENCH_FUZZ_SEARCH_H
