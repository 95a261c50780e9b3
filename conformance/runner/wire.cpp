// SPDX-License-Identifier: Apache-2.0
//
// Lines of the protocol, see wire.h.

#include "conformance/runner/wire.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// The value of a hexadecimal digit of either case, -1 for any other character. A table, as cases
// are made of millions of digits.
int hex_digit(char c) {
  static constexpr std::array<std::int8_t, 256> kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kHexDigits.size(); ++i) {
      const auto digit = static_cast<unsigned char>(kHexDigits[i]);
      values[digit] = static_cast<std::int8_t>(i);
      if (digit >= 'a') values[digit - 'a' + 'A'] = static_cast<std::int8_t>(i);
    }
    return values;
  }();
  return kValues[static_cast<unsigned char>(c)];
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t start = rest.find_first_not_of(' ');
  if (start == std::string_view::npos) {
    rest = {};
    return {};
  }
  const std::size_t end = rest.find(' ', start);
  const std::string_view word =
      rest.substr(start, end == std::string_view::npos ? end : end - start);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
  return word;
}

// Splits `key=value`; an empty key, or no '=', is not a pair.
std::optional<std::pair<std::string_view, std::string_view>> split_pair(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  return std::pair{word.substr(0, equals), word.substr(equals + 1)};
}

// What an answer may say besides its hint after `reject`.
bool is_call_answer_key(std::string_view key) {
  return key == "under" || key == "over" || key == "in_changed" || key == "changed" ||
         key == "fenv";
}

// As much of a line as an error message quotes.
std::string quoted(std::string_view text) { return cleaned(excerpt(text, 60)); }

template <typename Element, typename ToBits>
std::string words_to_hex(std::span<const Element> values, ToBits to_bits) {
  Bytes bytes(values.size() * 4);
  for (std::size_t i = 0; i < values.size(); ++i) store_le32(&bytes[4 * i], to_bits(values[i]));
  return to_hex(bytes);
}

}  // namespace

const std::string* Fields::find(std::string_view key) const {
  for (const auto& [name, value] : fields_) {
    if (name == key) return &value;
  }
  return nullptr;
}

void Fields::add(std::string_view key, std::string_view value) { fields_.emplace_back(key, value); }

std::optional<Request> parse_request(std::string_view text) {
  Request request;
  request.verb = next_word(text);
  if (request.verb.empty() || request.verb.find('=') != std::string::npos) return std::nullopt;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const auto pair = split_pair(word);
    if (!pair || request.fields.find(pair->first)) return std::nullopt;
    request.fields.add(pair->first, pair->second);
  }
  return request;
}

std::optional<Answer> parse_answer_body(std::string_view text, std::string& error) {
  Answer answer;
  const std::string_view whole = text;
  const std::string_view word = next_word(text);
  if (word == "unsupported") {
    answer.kind = AnswerKind::kUnsupported;
    answer.hint = text;
    return answer;
  }
  if (word == "ok") {
    answer.kind = AnswerKind::kOk;
  } else if (word == "reject") {
    answer.kind = AnswerKind::kReject;
  } else {
    error = "expected ok, reject or unsupported after the id, got: " + quoted(whole);
    return std::nullopt;
  }
  for (std::string_view rest = text, field = next_word(rest); !field.empty();
       field = next_word(rest)) {
    const auto pair = split_pair(field);
    if (answer.kind == AnswerKind::kReject && (!pair || !is_call_answer_key(pair->first))) break;
    if (!pair) {
      error = "expected key=value after ok, got: " + quoted(field);
      return std::nullopt;
    }
    if (answer.fields.find(pair->first)) {
      error = "key given twice: " + quoted(pair->first);
      return std::nullopt;
    }
    answer.fields.add(pair->first, pair->second);
    text = rest;
  }
  if (answer.kind == AnswerKind::kReject) answer.hint = text;
  return answer;
}

std::optional<std::pair<std::uint32_t, Answer>> parse_answer(std::string_view line,
                                                             std::string& error) {
  const std::string_view whole = line;
  const std::size_t space = line.find(' ');
  const std::string_view id_text = line.substr(0, space);
  line = space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
  std::uint32_t id = 0;
  const auto [end, failure] = std::from_chars(id_text.data(), id_text.data() + id_text.size(), id);
  const bool is_padded = id_text.size() > 1 && id_text.front() == '0';
  if (id_text.empty() || is_padded || failure != std::errc{} ||
      end != id_text.data() + id_text.size()) {
    error = "line does not begin with an id: " + quoted(whole);
    return std::nullopt;
  }
  std::optional<Answer> answer = parse_answer_body(line, error);
  if (!answer) return std::nullopt;
  return std::pair{id, std::move(*answer)};
}

std::optional<Bytes> parse_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return bytes;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  static constexpr std::array<std::array<char, 2>, 256> kPairs = [] {
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {kHexDigits[i >> 4], kHexDigits[i & 15]};
    return pairs;
  }();
  std::string text(bytes.size() * 2, '0');
  char* at = text.data();
  for (const std::uint8_t byte : bytes) {
    std::memcpy(at, kPairs[byte].data(), 2);
    at += 2;
  }
  return text;
}

std::optional<std::uint32_t> parse_hex_number(std::string_view text, std::size_t digits) {
  if (text.size() != digits) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

std::optional<std::int64_t> parse_decimal(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failure != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::string floats_to_hex(std::span<const float> values) {
  return words_to_hex(values, [](float value) { return std::bit_cast<std::uint32_t>(value); });
}

std::string int32s_to_hex(std::span<const std::int32_t> values) {
  return words_to_hex(values, [](std::int32_t value) { return static_cast<std::uint32_t>(value); });
}

std::optional<Floats> parse_floats(std::string_view hex) {
  const std::optional<Bytes> bytes = parse_hex(hex);
  if (!bytes || bytes->size() % 4 != 0) return std::nullopt;
  Floats values(bytes->size() / 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = load_binary32(&(*bytes)[4 * i]);
  return values;
}

std::string excerpt(std::string_view text, std::size_t most) {
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}

std::string cleaned(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xc2 && lead <= 0xdf ? 2
                               : lead >= 0xe0 && lead <= 0xef ? 3
                               : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                              : 0;
    bool valid = length != 0 && i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k) {
      valid = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
    }
    if (valid && length > 1) {
      const unsigned char second = static_cast<unsigned char>(text[i + 1]);
      // C1 controls, overlong forms, surrogates, beyond the last code point, and the two
      // non-characters that XML forbids.
      valid = !(lead == 0xc2 && second < 0xa0) && !(lead == 0xe0 && second < 0xa0) &&
              !(lead == 0xed && second > 0x9f) && !(lead == 0xf0 && second < 0x90) &&
              !(lead == 0xf4 && second > 0x8f) &&
              !(lead == 0xef && second == 0xbf && static_cast<unsigned char>(text[i + 2]) >= 0xbe);
    } else if (valid) {
      valid = lead == '\n' || (lead >= 0x20 && lead != 0x7f);
    }
    if (valid)
      result += text.substr(i, length);
    else
      result += '?';
    i += valid ? length : 1;
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string line = cleaned(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

std::string bits_to_hex(float value) {
  return fmt::format("{:08x}", std::bit_cast<std::uint32_t>(value));
}

}  // namespace hurray::conformance
