// SPDX-License-Identifier: Apache-2.0
//
// Cases as blocks of a requirement file, see case_toml.h.

#include "conformance/runner/case_toml.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// Inside the quotes of a TOML string.
std::string quotable(std::string_view text) {
  std::string safe = cleaned(text);
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  std::replace(safe.begin(), safe.end(), '\n', ' ');
  return safe;
}

struct Part {
  std::size_t bytes;
  std::string note;
};

// The array of a request, divided into what a person sees as one thing.
std::vector<Part> parts_of(const ReadRequest& request) {
  std::vector<Part> parts;
  if (request.verb == "decode") {
    constexpr std::array<std::pair<std::size_t, const char*>, 6> kFields = {{{1, "scheme_tag"},
                                                                             {1, "scheme_version"},
                                                                             {2, "flags"},
                                                                             {4, "scale"},
                                                                             {4, "zero_point"},
                                                                             {4, "reserved"}}};
    std::size_t left = request.bytes.size();
    for (const auto& [bytes, name] : kFields) {
      if (left == 0) break;
      parts.push_back({std::min(bytes, left), name});
      left -= parts.back().bytes;
    }
    if (left > 0) parts.push_back({left, "behind the scheme's fields"});
    return parts;
  }
  if (request.quantizes()) {
    for (const float x : request.floats) parts.push_back({4, fmt::format("{:.9g}", x)});
    return parts;
  }
  if (request.verb == "normalize") {
    for (const std::uint8_t byte : request.bytes) {
      parts.push_back({1, fmt::format("fields {}, {}", byte % 16, byte / 16)});
    }
    return parts;
  }
  const StorageTypeInfo* type = storage_type_of(request);
  if (!type || !request.dequantizes()) return {{request.bytes.size(), "as it lies in memory"}};
  const StorageTypeInfo& info = *type;
  const std::size_t per_part = std::max(8 / info.bits, 1u);
  for (std::size_t first = 0; first < request.count; first += per_part) {
    std::vector<std::int64_t> codes;
    for (std::size_t i = first; i < std::min(first + per_part, request.count); ++i) {
      codes.push_back(read_element(info.type, request.bytes.data(), i));
    }
    parts.push_back(
        {std::max(info.bits / 8, 1u),
         fmt::format("code{} {}", codes.size() > 1 ? "s" : "", fmt::join(codes, ", "))});
  }
  return parts;
}

std::string text_of(const Alternative& alternative) {
  if (alternative.verdict == CaseVerdict::kPass && alternative.shows.empty() &&
      alternative.free.empty()) {
    return fmt::format("\"{}\"", alternative.answer);
  }
  std::string text = fmt::format("{{ answer = \"{}\"", alternative.answer);
  if (alternative.verdict != CaseVerdict::kPass) {
    text += fmt::format(", verdict = \"{}\"", name_of(alternative.verdict));
  }
  std::string shows;
  for (const auto& [behaviour, options] : alternative.shows) {
    shows += fmt::format("{}\"{}\" = [\"{}\"]", shows.empty() ? "" : ", ", behaviour,
                         fmt::join(options, "\", \""));
  }
  if (!shows.empty()) text += fmt::format(", shows = {{ {} }}", shows);
  if (!alternative.free.empty()) {
    text += fmt::format(", free = [{}]", fmt::join(alternative.free, ", "));
  }
  return text + " }";
}

// `request`, its array and `expect`.
std::string step_of(const std::string& line) {
  const ReadRequest read = read_request(line);
  const std::optional<Request> request = parse_request(line);
  std::string head = request->verb;
  std::string array;
  for (const auto& [key, value] : request->fields.all()) {
    const bool is_one = key == "q" || key == "in" || key == "packed" ||
                        (key == "bytes" && request->verb == "decode");
    // A second array would stand at another place of the line; an empty one has no line.
    const bool is_array = is_one && array.empty() && !value.empty();
    if (!is_array) {
      head += fmt::format(" {}={}", key, value);
      continue;
    }
    array = fmt::format("{} = [\n", key);
    std::size_t digit = 0;
    for (const Part& part : parts_of(read)) {
      array += fmt::format("  \"{}  {}\",\n", value.substr(digit, 2 * part.bytes), part.note);
      digit += 2 * part.bytes;
    }
    array += "]\n";
  }

  const std::vector<Alternative> answers = expected_answers(read);
  std::string expect = text_of(answers.front());
  if (answers.size() > 1) {
    expect = "[\n";
    for (const Alternative& each : answers) expect += fmt::format("  {},\n", text_of(each));
    expect += "]";
  }
  return fmt::format("request = \"{}\"\n{}expect = {}\n", head, array, expect);
}

}  // namespace

std::string case_block(std::string_view name, std::string_view why,
                       const std::vector<std::string>& requests) {
  std::string text =
      fmt::format("[[requirement.case]]\nname = \"{}\"\nwhy = \"{}\"\n", name, quotable(why));
  for (const std::string& request : requests) {
    if (requests.size() > 1) text += "[[requirement.case.step]]\n";
    text += step_of(request);
  }
  return text;
}

}  // namespace hurray::conformance
