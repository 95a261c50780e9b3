// SPDX-License-Identifier: Apache-2.0
//
// Requests and answers of sweeps, see sweep_requests.h.

#include "conformance/runner/sweep_requests.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

std::string_view verb_of(const SweepFunction& function) {
  return function.dequantizes() ? "dequantize" : "quantize";
}

std::string packed_hex(const SweepFunction& function, std::span<const std::int64_t> codes) {
  const StorageType type = storage_of(function).type;
  Bytes packed(packed_bytes(type, codes.size()).value());
  pack(type, codes, packed.data());
  return to_hex(packed);
}

std::string floats_hex(std::span<const std::uint32_t> patterns) {
  Floats floats;
  for (const std::uint32_t each : patterns) floats.push_back(std::bit_cast<float>(each));
  return floats_to_hex(floats);
}

}  // namespace

std::string sweep_request(const SweepFunction& function, const SweepRange& range) {
  const std::string what = function.function.empty()
                               ? fmt::format("op={} type={:02x}", verb_of(function), function.type)
                               : fmt::format("fn={}", function.function);
  return fmt::format("sweep {} scale={} zero_point={} first={:08x} count={}", what,
                     bits_to_hex(function.scale), function.zero_point, range.first, range.count);
}

std::string claims_for(const SweepFunction& function) {
  if (!function.function.empty()) return "contract=ra8 ops=sweep";
  return fmt::format("contract=hurray ops={} types.{}={:02x}",
                     function.dequantizes() ? "sweep.dequantize" : "sweep", verb_of(function),
                     function.type);
}

std::string table_claims_for(const SweepFunction& function) {
  if (!function.function.empty()) {
    return fmt::format(".contracts |= HURRAY_CONTRACT_RA8 and .ra8 with {}", function.function);
  }
  std::string type(storage_of(function).name);
  std::ranges::transform(type, type.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".contracts |= HURRAY_CONTRACT_HURRAY, .{0}_types |= HURRAY_TYPE_{1} and .{0}",
                     verb_of(function), type);
}

std::string request_for(const SweepFunction& function, std::span<const std::uint32_t> inputs) {
  const std::string what = function.function.empty()
                               ? fmt::format("{} type={:02x}", verb_of(function), function.type)
                               : fmt::format("ra8 fn={}", function.function);
  std::string array = "in=";
  if (function.dequantizes()) {
    std::vector<std::int64_t> codes;
    for (const std::uint32_t each : inputs) codes.push_back(code_of_pattern(function, each));
    array = "q=" + packed_hex(function, codes);
  } else {
    array += floats_hex(inputs);
  }
  return fmt::format("{} scale={} zero_point={} count={} {}", what, bits_to_hex(function.scale),
                     function.zero_point, inputs.size(), array);
}

std::string answer_with(const SweepFunction& function, std::span<const std::int64_t> outputs) {
  if (function.dequantizes()) {
    std::vector<std::uint32_t> patterns;
    for (const std::int64_t each : outputs) patterns.push_back(static_cast<std::uint32_t>(each));
    return "ok out=" + floats_hex(patterns);
  }
  return (function.function.empty() ? "ok q=" : "ok code=0000 out=") +
         packed_hex(function, outputs);
}

std::optional<std::vector<std::int64_t>> outputs_in(const std::string& line, const Reply& reply) {
  if (reply.outcome != Outcome::kValue) return std::nullopt;
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(reply.body, error);
  if (!answer || answer->kind != AnswerKind::kOk) return std::nullopt;
  const ReadRequest request = read_request(line);
  const std::string* code = answer->fields.find("code");
  if (request.is_ra8() && (!code || *code != "0000")) return std::nullopt;
  const std::optional<Elements> elements = read_elements(request, *answer);
  if (!elements) return std::nullopt;
  if (!elements->are_floats) return elements->integers;
  return std::vector<std::int64_t>(elements->floats.begin(), elements->floats.end());
}

SweepAnswer read_sweep_reply(const Reply& reply) {
  if (reply.outcome != Outcome::kValue) return {reply.outcome, 0, reply.detail};
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(reply.body, error);
  if (answer && answer->kind == AnswerKind::kReject) return {Outcome::kRejected, 0, reply.body};
  if (answer && answer->kind == AnswerKind::kUnsupported) {
    return {Outcome::kUnsupported, 0, reply.body};
  }
  const std::string* digest = answer ? answer->fields.find("digest") : nullptr;
  if (digest && digest->size() == 16) {
    const auto high = parse_hex_number(std::string_view(*digest).substr(0, 8), 8);
    const auto low = parse_hex_number(std::string_view(*digest).substr(8), 8);
    if (high && low) return {Outcome::kValue, std::uint64_t{*high} << 32 | *low, {}};
  }
  return {Outcome::kGarbled, 0,
          fmt::format("answered a sweep with `{}`, which has no digest= of 16 hexadecimal digits",
                      reply.body.substr(0, 60))};
}

}  // namespace hurray::conformance
