// SPDX-License-Identifier: Apache-2.0
//
// Do the readers of answers, requests and TOML files survive any text, and is what they make of it
// the same when it is written and read once more?

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/known_file.h"
#include "conformance/runner/toml_files.h"
#include "conformance/runner/wire.h"
#include "fuzz/text_readers.h"

namespace hurray::fuzz {
namespace {

using namespace conformance;

constexpr std::size_t kMostText = 1 << 16;

bool same_pairs(const Fields& a, const Fields& b) { return a.all() == b.all(); }

std::string joined(std::string head, const Fields& fields) {
  for (const auto& [key, value] : fields.all()) head += fmt::format(" {}={}", key, value);
  return head;
}

std::string_view read_answer_body(std::string_view text, const TextParsers& parsers) {
  std::string error;
  const std::optional<Answer> answer = parsers.answer_body(text, error);
  if (!answer) return error.empty() ? "no-reason" : "";
  if (answer->kind != AnswerKind::kOk) return {};
  const std::optional<Answer> again = parsers.answer_body(joined("ok", answer->fields), error);
  if (!again || !same_pairs(again->fields, answer->fields)) return "another-answer";
  return {};
}

std::string_view read_answer_line(std::string_view text, const TextParsers& parsers) {
  std::string error;
  const auto answer = parsers.answer(text, error);
  if (!answer) return error.empty() ? "no-reason" : "";
  if (answer->second.kind != AnswerKind::kOk) return {};
  const auto again =
      parsers.answer(joined(fmt::format("{} ok", answer->first), answer->second.fields), error);
  if (!again || again->first != answer->first) return "another-answer";
  return same_pairs(again->second.fields, answer->second.fields) ? "" : "another-answer";
}

std::string_view read_request_line(std::string_view text, const TextParsers& parsers) {
  const std::optional<Request> request = parsers.request(text);
  if (!request) return {};
  const std::optional<Request> again = parsers.request(joined(request->verb, request->fields));
  if (!again || again->verb != request->verb) return "another-request";
  return same_pairs(again->fields, request->fields) ? "" : "another-request";
}

std::string_view read_values(std::string_view text, const TextParsers& parsers) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  });
  if (const auto bytes = parsers.bytes(text); bytes && to_hex(*bytes) != lower)
    return "other-bytes";
  if (const auto floats = parsers.floats(text); floats && floats_to_hex(*floats) != lower) {
    return "other-floats";
  }
  const auto number = parsers.pattern(text, 8);
  if (number && fmt::format("{:08x}", *number) != lower) return "another-number";
  const auto decimal = parsers.decimal(text);
  if (decimal && parsers.decimal(fmt::format("{}", *decimal)) != decimal) return "another-number";
  return {};
}

std::string_view read_for_people(std::string_view text, const TextParsers& parsers) {
  const std::string clean = parsers.clean(text);
  if (parsers.clean(clean) != clean) return "not-clean";
  for (const char c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "not-clean";
  }
  // An ellipsis has at most three bytes.
  if (parsers.excerpt(text, 40).size() > 43) return "too-long";
  return {};
}

std::string_view read_requirements(std::string_view text, const TextParsers& parsers) {
  for (const RequirementBlock& block : parsers.requirements("fuzzed.toml", text)) {
    if (block.requirement.id.empty()) return "no-id";
  }
  return {};
}

std::string_view read_expectations(std::string_view text, const TextParsers& parsers) {
  for (const MeantTarget& target : parsers.expectations("fuzzed.toml", text)) {
    if (target.name.empty() || target.attachment.empty()) return "no-name";
  }
  return {};
}

// A list that is written again says the same: nothing that people wrote is lost.
std::string_view read_known_deviations(std::string_view text, const TextParsers&) {
  const KnownFile file = read_known_text("fuzzed.toml", text);
  const std::string written = known_toml(file);
  const KnownFile again = read_known_text("written.toml", written);
  if (again.entries.size() != file.entries.size() || again.header != file.header) {
    return "another-list";
  }
  return known_toml(again) == written ? "" : "another-list";
}

template <int index>
std::string_view read_faults(std::string_view text, const TextParsers&) {
  constexpr std::array kNames = {"separate.toml", "retired.toml", "without_fault.toml"};
  const EmbeddedFile file = {kNames[index], text};
  read_fault_files({&file, 1});
  return {};
}

// Behind what is there already: the first byte of an input that is kept chooses by number.
constexpr std::array<TextReader, 11> kReaders = {{{"answer", read_answer_line},
                                                  {"answer-body", read_answer_body},
                                                  {"request", read_request_line},
                                                  {"values", read_values},
                                                  {"for-people", read_for_people},
                                                  {"requirements", read_requirements},
                                                  {"expectations", read_expectations},
                                                  {"separate-faults", read_faults<0>},
                                                  {"retired-faults", read_faults<1>},
                                                  {"without-fault", read_faults<2>},
                                                  {"known-deviations", read_known_deviations}}};

}  // namespace

std::span<const TextReader> text_readers() { return kReaders; }

std::optional<Mismatch> survives(Input input, std::span<const TextReader> readers,
                                 const TextParsers& parsers) {
  if (input.empty() || input.size() > kMostText) return std::nullopt;
  const TextReader& reader = readers[input[0] % readers.size()];
  // Of exactly this length, so that reading behind it shows.
  const std::string text(reinterpret_cast<const char*>(input.data()) + 1, input.size() - 1);
  try {
    const std::string_view wrong = reader.read(text, parsers);
    if (!wrong.empty()) return Mismatch{wrong, std::string(reader.name), {}};
  } catch (const SuiteError& error) {
    if (*error.what() == '\0') return Mismatch{"no-reason", std::string(reader.name), {}};
  } catch (const UsageError& error) {
    if (*error.what() == '\0') return Mismatch{"no-reason", std::string(reader.name), {}};
  } catch (const std::exception& error) {
    return Mismatch{"throws-something-else", std::string(reader.name), error.what()};
  }
  return std::nullopt;
}

std::optional<Mismatch> text_survives(Input input, Targets) { return survives(input, kReaders); }

}  // namespace hurray::fuzz
