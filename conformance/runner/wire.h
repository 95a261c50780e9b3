// SPDX-License-Identifier: Apache-2.0
//
// How do request and answer lines look? Parsing and building of the lines in
// conformance/PROTOCOL.md. Parsers take anything a target may send and never throw; builders are
// used on trusted values.

#ifndef HURRAY_CONFORMANCE_WIRE_H
#define HURRAY_CONFORMANCE_WIRE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hurray::conformance {

using Bytes = std::vector<std::uint8_t>;
using Floats = std::vector<float>;

// `key=value` pairs in the order of the line. Keys are unique.
class Fields {
 public:
  // Null if the key is absent.
  const std::string* find(std::string_view key) const;
  void add(std::string_view key, std::string_view value);
  const std::vector<std::pair<std::string, std::string>>& all() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// A request without its id: `verb key=value …`.
struct Request {
  std::string verb;
  Fields fields;
};

// Nothing if the text is not a verb followed by distinct key=value pairs.
std::optional<Request> parse_request(std::string_view text);

enum class AnswerKind { kOk, kReject, kUnsupported };

// What follows the id in an answer. `hint` is free text for people.
struct Answer {
  AnswerKind kind = AnswerKind::kOk;
  Fields fields;
  std::string hint;
};

// Splits `12 ok out=00` into id and answer. Nothing if it is not an answer line; `error` then says
// why.
std::optional<std::pair<std::uint32_t, Answer>> parse_answer(std::string_view line,
                                                             std::string& error);

// The same for an answer without id, as expectations are written.
std::optional<Answer> parse_answer_body(std::string_view text, std::string& error);

// Hexadecimal digits ↔ bytes in memory order. Nothing on an odd count or another character.
std::optional<Bytes> parse_hex(std::string_view text);
std::string to_hex(std::span<const std::uint8_t> bytes);

// Numbers. Nothing unless the whole text is one in range; hexadecimal needs exactly `digits`
// digits.
std::optional<std::uint32_t> parse_hex_number(std::string_view text, std::size_t digits);
std::optional<std::int64_t> parse_decimal(std::string_view text);

// Arrays of 32-bit elements, little-endian on the wire.
std::string floats_to_hex(std::span<const float> values);
std::string int32s_to_hex(std::span<const std::int32_t> values);
std::optional<Floats> parse_floats(std::string_view hex);

// The first `most` bytes and an ellipsis; a text that is not longer as it is.
std::string excerpt(std::string_view text, std::size_t most);

// Text of a target for people: valid UTF-8 stays, control characters and everything else become
// `?`. Newlines stay as well.
std::string cleaned(std::string_view text);
// The same with spaces for line breaks: what others say, within a line of ours.
std::string one_line(std::string_view text);

std::string bits_to_hex(float value);  // eight digits, most significant first

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_WIRE_H
