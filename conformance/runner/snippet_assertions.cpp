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

// Where the answer says what was written, and under which name the call wrote it.
struct Written {
  std::string_view key, array;
  bool is_floats = false, has_length = false;
};

std::optional<Written> written_by(const ReadRequest& request) {
  if (request.dequantizes()) return Written{"out", "out", true};
  if (request.quantizes()) {
    return request.is_ra8() ? Written{"out", "out"} : Written{"q", "q"};
  }
  if (request.verb == "encode" || request.verb == "encode_tensor") {
    return Written{"bytes", "out", false, true};
  }
  if (request.verb == "pack") return Written{"packed", "out"};
  if (request.verb == "unpack") return Written{"values", "out"};
  if (request.verb == "normalize") return Written{"zero_points", "out"};
  if (request.verb == "widen" || request.verb == "dequantize_tensor") {
    return Written{"out", "out", true};
  }
  return std::nullopt;
}

std::optional<Comparison> comparison_of(const ReadRequest& request, const Alternative& alternative,
                                        std::size_t number) {
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(alternative.answer, error);
  if (!answer) return std::nullopt;
  if (request.verb == "decode") return Comparison{{}, condition_of_members(*answer)};
  if (request.verb == "packed_bytes") {
    const std::string* count = answer->fields.find("bytes");
    if (!count) return std::nullopt;
    return Comparison{{}, fmt::format("bytes == UINT64_C({})", *count)};
  }
  const std::optional<Written> written = written_by(request);
  if (!written) return std::nullopt;
  const auto bytes = array_of(alternative, *answer, written->key, written->is_floats);
  if (!bytes) return std::nullopt;
  Comparison comparison =
      bytes->empty() ? Comparison{{}, "1"} : comparison_of_bytes(written->array, *bytes, number);
  if (written->has_length) {
    comparison.condition =
        fmt::format("(written == {} && {})", bytes->size(), comparison.condition);
  }
  return comparison;
}

// What the result of a call that fails has to be; empty if it may be anything.
std::string condition_of_refusal(const ReadRequest& request, std::span<const Alternative> expect) {
  if (!request.is_ra8()) return "status != HURRAY_OK";
  constexpr std::string_view kCode = "ok code=";
  std::vector<std::string> codes;
  for (const Alternative& each : expect) {
    if (!each.answer.starts_with(kCode) || each.answer.starts_with("ok code=0000")) continue;
    const std::string code = each.answer.substr(kCode.size(), 4);
    if (code == "any" || code == "any ") return {};
    if (code == "erro") return "code != 0";
    const std::string condition = "code == 0x" + code;
    if (std::ranges::find(codes, condition) == codes.end()) codes.push_back(condition);
  }
  return codes.empty() ? "code != 0" : fmt::format("{}", fmt::join(codes, " || "));
}

// `is_complete`: the answer is compared, not only whether there is one.
std::string assertions(const std::string& line, std::span<const Alternative> expect, bool is_cut,
                       bool& is_complete) {
  const ReadRequest request = read_request(line);
  const bool is_ra8 = request.is_ra8();
  const std::string good = is_ra8 ? "code == 0" : "status == HURRAY_OK";
  const std::string bad = condition_of_refusal(request, expect);
  const auto is_good = [&](const Alternative& each) {
    return each.answer.starts_with(is_ra8 ? "ok code=0000" : "ok");
  };
  is_complete = !bad.empty();
  if (bad.empty()) return {};
  if (std::ranges::none_of(expect, is_good)) return fmt::format("assert({});\n", bad);
  const bool must_succeed = std::ranges::all_of(expect, is_good);
  const std::string of_status = must_succeed ? fmt::format("assert({});\n", good) : "";
  is_complete = false;
  if (is_cut) return of_status;
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
  is_complete = true;
  // Nothing was to be written.
  if (must_succeed && std::ranges::all_of(conditions, [](const auto& each) { return each == "1"; }))
    return of_status;
  return fmt::format("{}{}assert({});\n", of_status, declarations, fmt::join(conditions, " || "));
}

}  // namespace

std::string c_assertions(const std::string& line, std::span<const Alternative> expect) {
  bool is_complete = false;
  return assertions(line, expect, c_snippet(line).find(kCutMark) != std::string::npos, is_complete);
}

CTest c_test(const std::string& line, std::span<const Alternative> expect) {
  CTest test;
  test.statements = c_snippet(line, Arrays::kWhole);
  test.statements += assertions(line, expect, false, test.is_complete);
  // How a call is made and what lies around its memory is not in those lines.
  const ReadRequest request = read_request(line);
  for (const char* key : {"fill", "guard", "in_off", "out_off", "fenv", "threads", "repeat"}) {
    if (request.fields.find(key)) test.is_complete = false;
  }
  return test;
}

}  // namespace hurray::conformance
