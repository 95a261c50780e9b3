// SPDX-License-Identifier: Apache-2.0
//
// Claims, see claims.h.

#include "conformance/runner/claims.h"

#include <fmt/format.h>

#include "conformance/runner/oracle.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

std::set<std::string, std::less<>> split_list(std::string_view text) {
  std::set<std::string, std::less<>> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (!word.empty()) words.emplace(word);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return words;
}

// Tier 1 of the format: a reader has to know them (A61 makes the rest optional).
bool is_tier_1(std::uint8_t type) { return type >= 0x10 && type <= 0x15; }

bool is_optional_storage_type(std::uint8_t type) {
  return find_storage_type(type) != nullptr && !is_tier_1(type);
}

constexpr std::uint8_t kPerTensorAffine = 1;

bool is_of_firmware(const Request& request) { return request.fields.find("fn") != nullptr; }

// The call-discipline words that a request needs.
std::set<std::string> calls_needed(const Request& request) {
  std::set<std::string> needed;
  for (const auto& [key, value] : request.fields.all()) {
    if (key == "in_off" || key == "out_off") needed.insert("offset");
    if (key == "fill" || key == "guard" || key == "null" || key == "fenv" || key == "threads" ||
        key == "capacity" || key == "repeat") {
      needed.insert(key);
    }
  }
  return needed;
}

std::optional<std::string> reason_for_step(const Claims& claims, const Step& step,
                                           bool even_if_type_unclaimed) {
  const Request request = *parse_request(step.request);
  if (request.verb == "normalize" || request.verb == "sweep") {
    if (!claims.operations.contains(request.verb)) {
      return fmt::format("{} is not claimed", request.verb);
    }
  }
  if (is_of_firmware(request)) {
    if (!claims.contracts.contains(Contract::kRa8)) return "contract ra8 is not claimed";
  } else if (request.verb != "normalize") {
    // A sweep quantizes.
    const std::string& verb = request.verb == "sweep" ? *request.fields.find("op") : request.verb;
    const auto types = claims.types.find(verb);
    if (types == claims.types.end() || types->second.empty()) {
      return fmt::format("{} is not claimed", verb);
    }
    const bool is_about_descriptors = request.verb == "decode" || request.verb == "encode";
    if (is_about_descriptors && !claims.schemes.contains(kPerTensorAffine)) {
      return "scheme 1, per-tensor affine, is not claimed";
    }
    const std::uint8_t type =
        static_cast<std::uint8_t>(parse_hex_number(*request.fields.find("type"), 2).value());
    // Other tags are no storage types: refusing them is everybody's duty.
    const StorageTypeInfo* info = find_storage_type(type);
    if (info && !types->second.contains(type) &&
        !(even_if_type_unclaimed && request.verb == "decode")) {
      return fmt::format("{} of {} is not claimed", verb, info->name);
    }
  }
  for (const std::string& call : calls_needed(request)) {
    if (!claims.calls.contains(call)) {
      return fmt::format("not observable through this attachment: calls={} is not claimed", call);
    }
  }
  if (step.request.size() + 16 > claims.max_line) return "the request is longer than max_line";
  return std::nullopt;
}

}  // namespace

std::optional<Claims> read_claims(const Answer& answer, std::string& error) {
  if (answer.kind != AnswerKind::kOk) {
    error = "hello was not answered `ok`";
    return std::nullopt;
  }
  Claims claims;
  const auto list = [&](std::string_view key) {
    const std::string* value = answer.fields.find(key);
    return value ? split_list(*value) : std::set<std::string, std::less<>>{};
  };
  const std::string* version = answer.fields.find("version");
  if (!version || *version != "1") {
    error = "hello was not answered with version=1";
    return std::nullopt;
  }
  const std::string* name = answer.fields.find("name");
  if (!name || name->empty()) {
    error = "the answer to hello has no name=";
    return std::nullopt;
  }
  claims.name = *name;
  for (const std::string& contract : list("contract")) {
    if (contract == "hurray")
      claims.contracts.insert(Contract::kHurray);
    else if (contract == "ra8")
      claims.contracts.insert(Contract::kRa8);
    else {
      error = "contract= names neither hurray nor ra8: " + contract;
      return std::nullopt;
    }
  }
  if (claims.contracts.empty()) {
    error = "the answer to hello claims no contract";
    return std::nullopt;
  }
  if (!answer.fields.find("schemes")) claims.schemes = {kPerTensorAffine};
  for (const std::string& scheme : list("schemes")) {
    const std::optional<std::int64_t> tag = parse_decimal(scheme);
    if (!tag || *tag < 0 || *tag > 255) {
      error = "schemes= is not a list of decimal tags";
      return std::nullopt;
    }
    claims.schemes.insert(static_cast<std::uint8_t>(*tag));
  }
  for (const std::string_view verb : {"decode", "encode", "dequantize", "quantize"}) {
    for (const std::string& type : list(fmt::format("types.{}", verb))) {
      const std::optional<std::uint32_t> tag = parse_hex_number(type, 2);
      if (!tag) {
        error = fmt::format("types.{}= is not a list of two-digit tags", verb);
        return std::nullopt;
      }
      claims.types[std::string(verb)].insert(static_cast<std::uint8_t>(*tag));
    }
  }
  claims.operations = list("ops");
  claims.calls = list("calls");
  if (const std::string* max_line = answer.fields.find("max_line")) {
    const std::optional<std::int64_t> bytes = parse_decimal(*max_line);
    if (!bytes || *bytes < 4096) {
      error = "max_line= is not a number from 4096 up";
      return std::nullopt;
    }
    claims.max_line = static_cast<std::size_t>(*bytes);
  }
  return claims;
}

std::string unknown_key_probe(const Claims& claims) {
  const auto claims_verb = [&](std::string_view verb) {
    const auto types = claims.types.find(verb);
    return types != claims.types.end() && !types->second.empty();
  };
  const auto first_type = [&](std::string_view verb) {
    return fmt::format("{:02x}", *claims.types.find(verb)->second.begin());
  };
  if (claims_verb("decode")) {
    return fmt::format("decode type={} bytes=010100000000003f0000000000000000 never_defined=1",
                       first_type("decode"));
  }
  if (claims_verb("encode")) {
    return fmt::format("encode type={} scheme=1 scale=3f000000 zero_point=0 never_defined=1",
                       first_type("encode"));
  }
  for (const auto& [verb, in] : {std::pair{"dequantize", "q="}, std::pair{"quantize", "in="}}) {
    if (claims_verb(verb)) {
      return fmt::format("{} type={} scale=3f000000 zero_point=0 count=0 {} never_defined=1", verb,
                         first_type(verb), in);
    }
  }
  if (claims.operations.contains("normalize")) {
    return "normalize bits=4 bias=1 order=low-first count=0 packed= never_defined=1";
  }
  return "ra8 fn=quantize_i8 scale=3f000000 zero_point=0 count=0 in= never_defined=1";
}

std::optional<std::string> reason_to_skip(const Claims& claims, const Case& item,
                                          bool even_if_type_unclaimed) {
  const bool of_ra8 = is_of_firmware(*parse_request(item.steps.front().request));
  if (!of_ra8 && !claims.contracts.contains(Contract::kHurray))
    return "contract hurray is not claimed";
  for (const Step& step : item.steps) {
    if (const auto reason = reason_for_step(claims, step, even_if_type_unclaimed)) return reason;
  }
  return std::nullopt;
}

bool must_refuse(const Claims& claims, const Case& item) {
  const ReadRequest request = read_request(item.steps.front().request);
  if (request.verb != "decode" || !is_optional_storage_type(request.type)) return false;
  const auto types = claims.types.find("decode");
  return types != claims.types.end() && !types->second.contains(request.type);
}

}  // namespace hurray::conformance
