// SPDX-License-Identifier: Apache-2.0
//
// Which functions read text that somebody else wrote, and what has to hold whatever it is? Apart
// from the claim, so that its test can put a broken reader in their place.

#ifndef HURRAY_FUZZ_TEXT_READERS_H
#define HURRAY_FUZZ_TEXT_READERS_H

#include <span>
#include <string_view>

#include "fuzz/claims.h"

namespace hurray::fuzz {

struct TextReader {
  std::string_view name;
  // Reads the text; one word for what is wrong with the result, or nothing. May throw SuiteError
  // and UsageError, with a message.
  std::string_view (*read)(std::string_view text);
};

std::span<const TextReader> text_readers();

// What text_survives claims, of these readers: the first byte chooses one.
std::optional<Mismatch> survives(Input input, std::span<const TextReader> readers);

// What lines_are_answered claims, of a kit that ended with `result` and gave these answers.
std::optional<Mismatch> answered(std::string_view lines, std::string_view kit, int result,
                                 std::string_view answers);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_TEXT_READERS_H
