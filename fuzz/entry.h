// SPDX-License-Identifier: Apache-2.0
//
// What is between a fuzzing engine and a claim? HURRAY_FUZZ(claim) defines the entry point: a claim
// that does not hold is printed and ends the process.

#ifndef HURRAY_FUZZ_ENTRY_H
#define HURRAY_FUZZ_ENTRY_H

#include <cstddef>
#include <cstdint>

#include "fuzz/claims.h"

namespace hurray::fuzz {

// Prints the mismatch with the input, and aborts.
[[noreturn]] void report(std::string_view claim, const Mismatch& mismatch,
                         std::span<const std::uint8_t> input);

}  // namespace hurray::fuzz

#define HURRAY_FUZZ(CLAIM)                                                                   \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length);      \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {     \
    const std::span<const std::uint8_t> input(bytes, length);                                \
    if (const auto mismatch = hurray::fuzz::CLAIM(input, hurray::fuzz::builtin_targets())) { \
      hurray::fuzz::report(#CLAIM, *mismatch, input);                                        \
    }                                                                                        \
    return 0;                                                                                \
  }

#endif  // HURRAY_FUZZ_ENTRY_H
