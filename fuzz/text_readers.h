// SPDX-License-Identifier: Apache-2.0
//
// Which functions read text that somebody else wrote, and what has to hold whatever it is? Apart
// from the claim, so that its test can put broken ones in their place.

#ifndef HURRAY_FUZZ_TEXT_READERS_H
#define HURRAY_FUZZ_TEXT_READERS_H

#include <span>
#include <string_view>

#include "conformance/runner/toml_files.h"
#include "conformance/runner/wire.h"
#include "fuzz/claims.h"

namespace hurray::fuzz {

// The functions of the runner that are under test.
struct TextParsers {
  decltype(&conformance::parse_answer) answer = conformance::parse_answer;
  decltype(&conformance::parse_answer_body) answer_body = conformance::parse_answer_body;
  decltype(&conformance::parse_request) request = conformance::parse_request;
  decltype(&conformance::parse_hex) bytes = conformance::parse_hex;
  decltype(&conformance::parse_floats) floats = conformance::parse_floats;
  decltype(&conformance::parse_hex_number) pattern = conformance::parse_hex_number;
  decltype(&conformance::parse_decimal) decimal = conformance::parse_decimal;
  decltype(&conformance::cleaned) clean = conformance::cleaned;
  decltype(&conformance::excerpt) excerpt = conformance::excerpt;
  decltype(&conformance::read_requirement_file) requirements = conformance::read_requirement_file;
  decltype(&conformance::read_expectation_text) expectations = conformance::read_expectation_text;
};

struct TextReader {
  std::string_view name;
  // Reads the text; one word for what is wrong with the result, or nothing. May throw SuiteError
  // and UsageError, with a message.
  std::string_view (*read)(std::string_view text, const TextParsers& parsers);
};

std::span<const TextReader> text_readers();

// What text_survives claims, of these readers and parsers: the first byte chooses a reader.
std::optional<Mismatch> survives(Input input, std::span<const TextReader> readers,
                                 const TextParsers& parsers = {});

// What lines_are_answered claims, of a kit that ended with `result` and gave these answers.
std::optional<Mismatch> answered(std::string_view lines, std::string_view kit, int result,
                                 std::string_view answers);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_TEXT_READERS_H
