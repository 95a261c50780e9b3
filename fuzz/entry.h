// SPDX-License-Identifier: Apache-2.0
//
// What is between a fuzzing engine and a claim? Only that claim is linked, not the table of all.
// HURRAY_FUZZ(claim, request) defines the entry points: inputs come from the mutator of the claim,
// and a claim that does not hold is reported and ends the process.

#ifndef HURRAY_FUZZ_ENTRY_H
#define HURRAY_FUZZ_ENTRY_H

#include <cstddef>
#include <cstdint>

#include "fuzz/claims.h"
#include "fuzz/mutator.h"
#include "fuzz/report.h"

namespace hurray::fuzz {

// Those that HURRAY_FUZZ_TARGETS names, or all. Prints what is wrong with a name, and ends the
// process with 2.
Targets chosen_targets();

// Executions of this process.
extern std::size_t executions;

// From here on they are counted against CPU time: when the process ends, standard error gets how
// many there were in a second, the engine's part included. What other processes do hardly changes
// that. To be called once; true, for a static variable.
bool begin_rate();

// Whether inputs are changed by the mutator of the claim; HURRAY_FUZZ_PLAIN=1 in the environment
// leaves them to the engine, for comparisons.
bool has_mutator();

}  // namespace hurray::fuzz

#define HURRAY_FUZZ(CLAIM, REQUEST)                                                         \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length);     \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {    \
    static const hurray::fuzz::Targets targets = hurray::fuzz::chosen_targets();            \
    [[maybe_unused]] static const bool is_rated = hurray::fuzz::begin_rate();               \
    const std::span<const std::uint8_t> input(bytes, length);                               \
    ++hurray::fuzz::executions;                                                             \
    if (const auto mismatch = hurray::fuzz::CLAIM(input, targets)) {                        \
      hurray::fuzz::report({#CLAIM, hurray::fuzz::CLAIM, REQUEST}, *mismatch, input);       \
    }                                                                                       \
    return 0;                                                                               \
  }                                                                                         \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t length,   \
                                                 std::size_t most, unsigned seed);          \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t length,   \
                                                 std::size_t most, unsigned seed) {         \
    if (!hurray::fuzz::has_mutator())                                                       \
      return hurray::fuzz::engine_mutate(bytes, length, most, seed);                        \
    return hurray::fuzz::mutate(#CLAIM, bytes, length, most, seed);                         \
  }                                                                                         \
  extern "C" std::size_t LLVMFuzzerCustomCrossOver(                                         \
      const std::uint8_t* first, std::size_t first_length, const std::uint8_t* second,      \
      std::size_t second_length, std::uint8_t* out, std::size_t most, unsigned seed);       \
  extern "C" std::size_t LLVMFuzzerCustomCrossOver(                                         \
      const std::uint8_t* first, std::size_t first_length, const std::uint8_t* second,      \
      std::size_t second_length, std::uint8_t* out, std::size_t most, unsigned seed) {      \
    if (!hurray::fuzz::has_mutator()) return 0;                                             \
    return hurray::fuzz::cross_over(#CLAIM, {first, first_length}, {second, second_length}, \
                                    {out, most}, seed);                                     \
  }

#endif  // HURRAY_FUZZ_ENTRY_H
