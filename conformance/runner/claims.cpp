// SPDX-License-Identifier: Apache-2.0
//
// Claims, see claims.h.

#include "conformance/runner/claims.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/tensor_bytes.h"
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

// Storage types of some scheme: the ten integers, and the small floats of MXFP.
bool is_storage_type(std::uint8_t type) {
  const ElementTypeInfo* info = find_element_type(type);
  return info != nullptr && info->is_storage_type;
}
// A reader has to know Tier 1; A61 makes the rest optional.
bool is_optional(std::uint8_t type) {
  const ElementTypeInfo* info = find_element_type(type);
  return info != nullptr && info->tier > 1;
}

bool is_about_elements(std::string_view verb) {
  return verb == "pack" || verb == "unpack" || verb == "packed_bytes" || verb == "widen";
}

// What a request about a tensor needs of its target. 0 where the tensor names nothing of the kind
// that a target could claim.
struct TensorNeeds {
  std::uint8_t scheme = 0;
  std::uint8_t type = 0;
  bool is_optional_type = false;
  std::uint8_t layout = 0;
};

std::optional<TensorNeeds> tensor_needs(const Request& request) {
  if (!request.verb.ends_with("_tensor")) return std::nullopt;
  TensorNeeds needs;
  const auto known = [](std::int64_t scheme) {
    return static_cast<std::uint8_t>(scheme >= 1 && scheme <= 5 ? scheme : 0);
  };
  if (request.verb == "encode_tensor") {
    needs.type =
        static_cast<std::uint8_t>(parse_hex_number(*request.fields.find("type"), 2).value_or(0));
    needs.layout =
        static_cast<std::uint8_t>(parse_decimal(*request.fields.find("layout")).value_or(0));
    if (const std::string* scheme = request.fields.find("scheme")) {
      needs.scheme = known(parse_decimal(*scheme).value_or(0));
    }
  } else {
    const Bytes bytes = parse_hex(*request.fields.find("bytes")).value_or(Bytes{});
    if (bytes.size() < 16) return needs;
    needs.type = bytes[14];
    needs.layout = bytes[15];
    const std::optional<TensorBytes> parts = find_parts(bytes);
    if (parts && parts->quantization_bytes > 0) needs.scheme = known(bytes[parts->quantization]);
  }
  needs.is_optional_type = is_optional(needs.type);
  return needs;
}

constexpr std::uint8_t kPerTensorAffine = 1;
constexpr std::uint8_t kRowMajor = 1;

bool is_of_firmware(const Request& request) { return request.fields.find("fn") != nullptr; }

// Arrays that come to more bytes than `repeat` alone promises memory for.
constexpr std::string_view kLargeRepeat = "repeat.large";
bool repeats_largely(const Request& request) {
  const std::string *count = request.fields.find("count"), *times = request.fields.find("repeat");
  if (count == nullptr || times == nullptr) return false;
  constexpr std::int64_t kMostBytes = std::int64_t{5} << 20;
  const std::int64_t width = request.verb == "pack" || request.verb == "unpack" ? 8 : 4;
  const std::int64_t most =
      kMostBytes / (width * std::max<std::int64_t>(*parse_decimal(*times), 1));
  return parse_decimal(*count).value_or(0) > most;
}

// What is asked of operations on tensors, and read-only inputs, are words of their own: who claims
// the key for kernels alone is asked as before.
constexpr std::string_view kTensorOffset = "offset.tensor", kTensorThreads = "threads.tensor",
                           kGuardInput = "guard.input";

// Call-discipline words; those without a point but the first and the last are keys of requests.
constexpr std::array<std::string_view, 13> kCalls = {
    "offset", "fill",       "guard", "null",      "fenv",        "threads",     "capacity",
    "repeat", kLargeRepeat, "none",  kGuardInput, kTensorOffset, kTensorThreads};
constexpr std::array<std::string_view, 15> kHelloKeys = {
    "version",        "name",          "contract",     "schemes",      "modes",
    "layouts",        "ops",           "types.decode", "types.encode", "types.dequantize",
    "types.quantize", "types.element", "types.tensor", "calls",        "max_line"};

bool knows(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// The call-discipline words that a request needs.
std::set<std::string> calls_needed(const Request& request) {
  std::set<std::string> needed;
  const bool of_tensors = request.verb.ends_with("_tensor") || request.verb == "convert";
  for (const auto& [key, value] : request.fields.all()) {
    if (key == "in_off" || key == "out_off") {
      needed.emplace(of_tensors ? kTensorOffset : "offset");
    }
    if (key == "threads" && of_tensors) {
      needed.emplace(kTensorThreads);
      continue;
    }
    if (key == "guard" && value == "input") {
      needed.emplace(kGuardInput);
      continue;
    }
    if (key == "repeat" && repeats_largely(request)) needed.emplace(kLargeRepeat);
    if (knows(kCalls, key)) needed.insert(key);
    if (key.size() == 2 && key[0] == 'b' && (value.starts_with("none") || value == "null")) {
      needed.insert("none");
    }
  }
  return needed;
}

// Verbs, and what of `sweep` is claimed by itself: whoever says `sweep` alone quantizes.
constexpr std::string_view kSweepDequantize = "sweep.dequantize";
constexpr std::array<std::string_view, 11> kNamedOperations = {
    "normalize", "sweep",   kSweepDequantize, "pack",          "unpack",           "packed_bytes",
    "widen",     "convert", "decode_tensor",  "encode_tensor", "dequantize_tensor"};

// The word of `ops` that a request needs, if its verb is one of those.
std::string_view operation_of(const Request& request) {
  const std::string* op = request.fields.find("op");
  return request.verb == "sweep" && op && *op == "dequantize" ? kSweepDequantize
                                                              : std::string_view(request.verb);
}

// Words that are misspelt, or of a later version: nothing follows from them.
void note_unknown(const Answer& answer, Claims& claims) {
  for (const auto& [key, value] : answer.fields.all()) {
    if (!knows(kHelloKeys, key)) claims.unknown.push_back(key);
  }
  const auto note = [&](std::string_view key, const auto& words, auto& known) {
    for (const std::string& word : words) {
      if (!knows(known, word)) claims.unknown.push_back(fmt::format("{}={}", key, word));
    }
  };
  note("ops", claims.operations, kNamedOperations);
  note("calls", claims.calls, kCalls);
}

std::uint8_t type_of(const Request& request) {
  return static_cast<std::uint8_t>(parse_hex_number(*request.fields.find("type"), 2).value());
}

bool claims_type(const Claims& claims, std::string_view operation, std::uint8_t type) {
  const auto types = claims.types.find(operation);
  return types != claims.types.end() && types->second.contains(type);
}

// The scheme that a descriptor or a request for one names; 0 if it names none of the format.
std::uint8_t scheme_of(const Request& request) {
  const auto known = [](std::int64_t tag) {
    return static_cast<std::uint8_t>(tag >= 1 && tag <= 5 ? tag : 0);
  };
  if (const std::string* scheme = request.fields.find("scheme")) {
    return known(parse_decimal(*scheme).value_or(0));
  }
  const std::string* bytes = request.fields.find("bytes");
  if (request.verb != "decode" || !bytes || bytes->size() < 2) return 0;
  return known(parse_hex_number(bytes->substr(0, 2), 2).value_or(0));
}

// Of kernels and of the descriptors of schemes.
std::optional<std::string> reason_by_type(const Claims& claims, const Request& request,
                                          AlwaysAsked always) {
  // A sweep quantizes or dequantizes.
  const std::string& verb = request.verb == "sweep" ? *request.fields.find("op") : request.verb;
  const auto types = claims.types.find(verb);
  if (types == claims.types.end() || types->second.empty()) {
    return fmt::format("{} is not claimed", verb);
  }
  const bool is_decode = request.verb == "decode";
  if (is_decode || request.verb == "encode") {
    // What names no scheme of the format is a broken descriptor of the one that everybody has.
    const std::uint8_t scheme = scheme_of(request) == 0 ? kPerTensorAffine : scheme_of(request);
    if (!claims.schemes.contains(scheme) &&
        !(always.schemes && is_decode && scheme != kPerTensorAffine)) {
      return fmt::format("scheme {}, {}, is not claimed", scheme, scheme_name(scheme));
    }
  }
  // Tags of no storage type: refusing them is everybody's duty.
  const std::uint8_t type = type_of(request);
  if (is_storage_type(type) && !types->second.contains(type) && !(always.types && is_decode)) {
    return fmt::format("{} of {} is not claimed", verb, element_type_name(type));
  }
  return std::nullopt;
}

std::optional<std::string> reason_by_tensor(const Claims& claims, const TensorNeeds& needs) {
  if (needs.scheme != 0 && !claims.schemes.contains(needs.scheme)) {
    return fmt::format("scheme {}, {}, is not claimed", needs.scheme, scheme_name(needs.scheme));
  }
  if (needs.is_optional_type && !claims_type(claims, "tensor", needs.type)) {
    return fmt::format("tensors of {} are not claimed", element_type_name(needs.type));
  }
  if (needs.layout >= 1 && needs.layout <= 3 && !claims.layouts.contains(needs.layout)) {
    return fmt::format("layout {} is not claimed", needs.layout);
  }
  return std::nullopt;
}

std::optional<std::string> reason_for_step(const Claims& claims, const Step& step,
                                           AlwaysAsked always) {
  const Request request = *parse_request(step.request);
  const std::string_view operation = operation_of(request);
  if (knows(kNamedOperations, operation) && !claims.operations.contains(operation)) {
    return fmt::format("{} is not claimed", operation);
  }
  if (request.fields.find("mode") && !claims.is_permissive)
    return "modes=permissive is not claimed";
  if (is_of_firmware(request)) {
    if (!claims.contracts.contains(Contract::kRa8)) return "contract ra8 is not claimed";
  } else if (const std::optional<TensorNeeds> needs = tensor_needs(request)) {
    if (const auto reason = reason_by_tensor(claims, *needs)) return reason;
  } else if (is_about_elements(request.verb)) {
    const std::uint8_t type = type_of(request);
    if (find_element_type(type) != nullptr && !claims_type(claims, "element", type)) {
      return fmt::format("{} of {} is not claimed", request.verb, element_type_name(type));
    }
  } else if (request.verb != "normalize" && request.verb != "convert") {
    if (const auto reason = reason_by_type(claims, request, always)) return reason;
  }
  for (const std::string& call : calls_needed(request)) {
    if (!claims.calls.contains(call)) {
      return fmt::format("not observable through this attachment: calls={} is not claimed", call);
    }
  }
  constexpr std::size_t kId = 16;  // with what parts it from the request
  if (step.request.size() + kId > claims.max_line) return std::string(kLongerThanMaxLine);
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
  if (!answer.fields.find("layouts")) claims.layouts = {kRowMajor};
  for (const auto& [key, tags] :
       {std::pair{"schemes", &claims.schemes}, std::pair{"layouts", &claims.layouts}}) {
    for (const std::string& each : list(key)) {
      const std::optional<std::int64_t> tag = parse_decimal(each);
      if (!tag || *tag < 0 || *tag > 255) {
        error = fmt::format("{}= is not a list of decimal tags", key);
        return std::nullopt;
      }
      tags->insert(static_cast<std::uint8_t>(*tag));
    }
  }
  claims.is_permissive = list("modes").contains("permissive");
  for (const std::string_view verb :
       {"decode", "encode", "dequantize", "quantize", "element", "tensor"}) {
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
  note_unknown(answer, claims);
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

bool claims_operation(const Claims& claims, std::string_view verb) {
  if (verb == "ra8") return claims.contracts.contains(Contract::kRa8);
  if (!claims.contracts.contains(Contract::kHurray)) return false;
  if (knows(kNamedOperations, verb)) return claims.operations.contains(verb);
  const auto types = claims.types.find(verb);
  return types != claims.types.end() && !types->second.empty();
}

std::string unknown_key_probe(const Claims& claims) {
  // The shortest request of each verb that is right in every key; `{}` is a type that is claimed.
  struct Probe {
    std::string_view verb, claim, keys;
  };
  constexpr std::array<Probe, 13> kProbes = {{
      {"decode", "decode", "type={} bytes=010100000000003f0000000000000000"},
      {"encode", "encode", "type={} scheme=1 scale=3f000000 zero_point=0"},
      {"dequantize", "dequantize", "type={} scale=3f000000 zero_point=0 count=0 q="},
      {"quantize", "quantize", "type={} scale=3f000000 zero_point=0 count=0 in="},
      {"decode_tensor", "", "bytes=00"},
      {"dequantize_tensor", "", "bytes=00 count=0"},
      {"encode_tensor", "",
       "type=03 layout=1 shape= byte_offset=0 buffers=04000000000000004000000000000000"},
      {"packed_bytes", "element", "type={} count=1"},
      {"pack", "element", "type={} count=0 values="},
      {"unpack", "element", "type={} count=0 packed="},
      {"widen", "element", "type={} count=0 packed="},
      {"normalize", "", "bits=4 bias=1 order=low-first count=0 packed="},
      {"convert", "",
       "type=10 shape=0200000000000000 axis=0 group_size=2 bits=4 bias=1 order=low-first "
       "group_major=0 "
       "word_bytes=1 scale_type_tag=03 weights=0102 scales=0000803f plane=07"},
  }};
  for (const Probe& probe : kProbes) {
    const bool is_kernel = probe.claim == probe.verb;
    if (!is_kernel && !claims.operations.contains(probe.verb)) continue;
    std::string keys(probe.keys);
    if (!probe.claim.empty()) {
      const auto types = claims.types.find(probe.claim);
      if (types == claims.types.end() || types->second.empty()) continue;
      keys.replace(keys.find("{}"), 2, fmt::format("{:02x}", *types->second.begin()));
    }
    return fmt::format("{} {} never_defined=1", probe.verb, keys);
  }
  return "ra8 fn=quantize_i8 scale=3f000000 zero_point=0 count=0 in= never_defined=1";
}

std::optional<std::string> reason_to_skip(const Claims& claims, const Case& item,
                                          AlwaysAsked always) {
  const bool of_ra8 = is_of_firmware(*parse_request(item.steps.front().request));
  if (!of_ra8 && !claims.contracts.contains(Contract::kHurray))
    return "contract hurray is not claimed";
  for (const Step& step : item.steps) {
    if (const auto reason = reason_for_step(claims, step, always)) return reason;
  }
  return std::nullopt;
}

bool must_refuse(const Claims& claims, const Case& item) {
  const Request request = *parse_request(item.steps.front().request);
  if (request.verb != "decode") return false;
  const std::uint8_t scheme = scheme_of(request);
  if (scheme != 0 && !claims.schemes.contains(scheme)) return true;
  const std::uint8_t type = type_of(request);
  return is_storage_type(type) && is_optional(type) && !claims_type(claims, "decode", type);
}

}  // namespace hurray::conformance
