// SPDX-License-Identifier: Apache-2.0
//
// What has to hold after the call of a C reproduction? As much of the expected answers as a few
// lines of C can say, see snippet.h.

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/snippet_parts.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// Under which condition a call has given an answer, and what has to be declared for it.
struct Comparison {
  std::string declaration, condition;
};

Comparison comparison_of_bytes(std::string_view array, const Bytes& bytes, std::size_t number) {
  const std::string name = fmt::format("expected_{}", number);
  return {fmt::format("static const unsigned char {}[] = {{0x{:02x}}};  // little-endian\n", name,
                      fmt::join(bytes, ", 0x")),
          fmt::format("memcmp({}, {}, sizeof {}) == 0", array, name, name)};
}

// The bytes of an array of the answer; none if elements are free, or a NaN: any other is as good.
std::optional<Bytes> array_of(const Alternative& alternative, const Answer& answer,
                              std::string_view key, bool is_floats) {
  const std::string* const digits = answer.fields.find(key);
  if (!digits || !alternative.free.empty()) return std::nullopt;
  if (is_floats) {
    const std::optional<Floats> floats = parse_floats(*digits);
    const auto is_nan = [](float x) { return is_nan_pattern(std::bit_cast<std::uint32_t>(x)); };
    if (!floats || std::ranges::any_of(*floats, is_nan)) return std::nullopt;
  }
  return parse_hex(*digits);
}

// Members of a decoded section, but for those that may be anything. What the answer says of memory
// around it, an assertion cannot see.
std::string condition_of_members(const Answer& answer) {
  constexpr std::string_view kNumbers[] = {"axis", "block_size", "scale_buffer_index",
                                           "zero_point_buffer_index"};
  std::vector<std::string> equal;
  for (const auto& [key, value] : answer.fields.all()) {
    if (value == "any") continue;
    if (key == "scheme") {
      equal.push_back(fmt::format("out.scheme_tag == {}", value));
    } else if (key == "scale") {
      equal.push_back(fmt::format(
          "memcmp(&out.scale, &(const unsigned){{0x{}}}, sizeof out.scale) == 0", value));
    } else if (key == "zero_point") {
      equal.push_back(fmt::format("out.zero_point == {}", value));
    } else if (key == "flags" || key == "scale_type_tag") {
      equal.push_back(fmt::format("out.{} == 0x{}", key, value));
    } else if (std::ranges::find(kNumbers, key) != std::end(kNumbers)) {
      equal.push_back(fmt::format("out.{} == {}u", key, value));
    }
  }
  return fmt::format("({})", fmt::join(equal, " && "));
}

std::optional<Comparison> comparison_of(const ReadRequest& request, const Alternative& alternative,
                                        std::size_t number) {
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(alternative.answer, error);
  if (!answer) return std::nullopt;
  if (request.verb == "decode") return Comparison{{}, condition_of_members(*answer)};
  std::string_view array = "out", key = "out";
  if (request.verb == "encode") key = "bytes";
  if (request.quantizes() && !request.is_ra8()) array = key = "q";
  const bool is_kernel = request.quantizes() || request.dequantizes();
  if ((!is_kernel || request.count == 0) && request.verb != "encode") return std::nullopt;
  const auto bytes = array_of(alternative, *answer, key, request.dequantizes());
  if (!bytes) return std::nullopt;
  Comparison comparison = comparison_of_bytes(array, *bytes, number);
  if (request.verb == "encode") {
    comparison.condition =
        fmt::format("(written == {} && {})", bytes->size(), comparison.condition);
  }
  return comparison;
}

}  // namespace

std::string c_assertions(const std::string& line, std::span<const Alternative> expect) {
  const ReadRequest request = read_request(line);
  const bool is_ra8 = request.is_ra8();
  const std::string good = is_ra8 ? "code == 0" : "status == HURRAY_OK";
  const std::string bad = is_ra8 ? "code != 0" : "status != HURRAY_OK";
  const auto is_good = [&](const Alternative& each) {
    return each.answer.starts_with(is_ra8 ? "ok code=0000" : "ok");
  };
  if (std::ranges::none_of(expect, is_good)) return fmt::format("assert({});\n", bad);
  const bool must_succeed = std::ranges::all_of(expect, is_good);
  const std::string of_status = must_succeed ? fmt::format("assert({});\n", good) : "";
  if (c_snippet(line).find(kCutMark) != std::string::npos) return of_status;
  std::string declarations;
  std::vector<std::string> conditions;
  if (!must_succeed) conditions.push_back(bad);
  for (const Alternative& each : expect) {
    if (!is_good(each)) continue;
    const auto comparison = comparison_of(request, each, conditions.size());
    if (!comparison) return of_status;
    declarations += comparison->declaration;
    conditions.push_back(comparison->condition);
  }
  return fmt::format("{}{}assert({});\n", of_status, declarations, fmt::join(conditions, " || "));
}

}  // namespace hurray::conformance
