// SPDX-License-Identifier: Apache-2.0
//
// Files of proofs as JSON, see prove_file.h.

#include "conformance/runner/prove_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "hurray-conform proof 1";

constexpr std::string_view kAsReference = "as-reference";
constexpr std::string_view kDiffers = "differs";
constexpr std::string_view kNotClaimed = "not-claimed";
constexpr std::string_view kBroken = "broken";

constexpr Outcome kOutcomes[] = {Outcome::kValue, Outcome::kRejected, Outcome::kUnsupported,
                                 Outcome::kCrashed, Outcome::kTimedOut};

std::string hex(std::uint32_t bits) { return fmt::format("{:08x}", bits); }

// --- Writing

std::string_view verdict_of(const SweepResult& result) {
  if (result.broken) return kBroken;
  if (result.not_claimed) return kNotClaimed;
  return result.finding ? kDiffers : kAsReference;
}

Json json_of(const SweepFinding& finding) {
  Json inputs = Json::array();
  for (const SweepInput& each : finding.inputs) {
    inputs.push_back({{"input", hex(each.bits)},
                      {"expected", each.expected},
                      {"got", each.got ? Json(*each.got) : Json()}});
  }
  Json json = {{"outcome", name_of(finding.outcome)}, {"first", hex(finding.where.first)},
               {"count", finding.where.count},        {"class", finding.failure_class},
               {"detail", cleaned(finding.detail)},   {"readings", finding.readings_here},
               {"inputs", std::move(inputs)}};
  if (finding.in_one_call) json["in_one_call"] = hex(*finding.in_one_call);
  return json;
}

Json json_of(const Proof& proof) {
  const SweepFunction& function = proof.function;
  Json json;
  if (function.function.empty()) {
    json["op"] = function.dequantizes() ? "dequantize" : "quantize";
    json["type"] = storage_of(function).name;
  } else {
    json["fn"] = function.function;
  }
  json["scale"] = bits_to_hex(function.scale);
  json["zero_point"] = function.zero_point;
  json["first"] = hex(proof.range.first);
  json["count"] = proof.range.count;
  json["verdict"] = verdict_of(proof.result);
  json["inputs"] = proof.result.inputs;
  json["readings"] = proof.result.readings;
  if (proof.result.finding) json["finding"] = json_of(*proof.result.finding);
  if (proof.result.not_claimed) json["reason"] = cleaned(*proof.result.not_claimed);
  if (proof.result.broken) json["reason"] = cleaned(proof.result.broken->reason);
  return json;
}

// --- Reading: every value is wanted, and in its range

// What is wrong with a file, in words; becomes a UsageError with its name.
class Unexpected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void expect(bool holds, std::string_view what) {
  if (!holds) throw Unexpected(std::string(what));
}

std::string text_in(const Json& json, const char* key) {
  return json.at(key).get_ref<const std::string&>();
}

std::uint32_t pattern_in(const Json& json, const char* key) {
  const auto bits = parse_hex_number(text_in(json, key), 8);
  expect(bits.has_value(), fmt::format("`{}` has not eight hexadecimal digits", key));
  return *bits;
}

// nlohmann-json would make any number of any other.
std::int64_t integer_in(const Json& json, const char* key, std::int64_t least, std::int64_t most) {
  const Json& value = json.at(key);
  expect(value.is_number_integer() &&
             !(value.is_number_unsigned() && value.get<std::uint64_t>() > 1ull << 62),
         fmt::format("`{}` is no integer", key));
  const auto number = value.get<std::int64_t>();
  expect(number >= least && number <= most, fmt::format("`{}` is out of range", key));
  return number;
}

SweepFunction function_in(const Json& json) {
  SweepFunction function;
  if (json.contains("fn")) {
    function.function = text_in(json, "fn");
    expect(function.function == "quantize_i8" || function.function == "quantize_u8",
           "`fn` is none that can be swept");
  } else {
    const std::string op = text_in(json, "op");
    expect(op == "quantize" || op == "dequantize", "`op` is neither quantize nor dequantize");
    if (op == "dequantize") function.operation = SweepOperation::kDequantize;
    const std::string type = text_in(json, "type");
    const auto info = std::ranges::find(kStorageTypes, type, &StorageTypeInfo::name);
    expect(info != kStorageTypes.end(), "`type` is no storage type");
    function.type = static_cast<std::uint8_t>(info->type);
  }
  function.scale = std::bit_cast<float>(pattern_in(json, "scale"));
  expect(std::isfinite(function.scale) &&
             (function.dequantizes() ? function.scale != 0 : function.scale > 0),
         "`scale` is none that can be proved for");
  std::int64_t least = std::numeric_limits<std::int32_t>::min();
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (function.function.empty()) {
    least = std::max(least, storage_of(function).min);
    most = std::min(most, storage_of(function).max);
  }
  function.zero_point = static_cast<std::int32_t>(integer_in(json, "zero_point", least, most));
  return function;
}

SweepRange range_in(const Json& json, const SweepFunction& function) {
  const std::uint64_t first = pattern_in(json, "first");
  const auto patterns = static_cast<std::int64_t>(patterns_of(function));
  const auto count = static_cast<std::uint64_t>(integer_in(json, "count", 0, patterns));
  expect(first + count <= patterns_of(function), "`first` and `count` go beyond the last input");
  return {static_cast<std::uint32_t>(first), count};
}

std::vector<std::string> readings_in(const Json& json, const SweepFunction& function) {
  const std::vector<SweepReading> known = readings_of(function);
  std::vector<std::string> names;
  for (const Json& each : json.at("readings")) {
    names.push_back(each.get_ref<const std::string&>());
    expect(std::ranges::find(known, names.back(), &SweepReading::name) != known.end(),
           fmt::format("`readings` has `{}`, which is none of it", cleaned(names.back())));
  }
  return names;
}

SweepFinding finding_in(const Json& json, const SweepFunction& function) {
  SweepFinding finding;
  const std::string outcome = text_in(json, "outcome");
  const auto found =
      std::ranges::find_if(kOutcomes, [&](Outcome each) { return name_of(each) == outcome; });
  expect(found != std::end(kOutcomes), "`outcome` is none of a sweep");
  finding.outcome = *found;
  finding.where = range_in(json, function);
  finding.failure_class = text_in(json, "class");
  finding.detail = text_in(json, "detail");
  finding.readings_here = readings_in(json, function);
  if (json.contains("in_one_call")) {
    finding.in_one_call = pattern_in(json, "in_one_call");
    const std::uint64_t first = finding.where.first;
    expect(*finding.in_one_call >= first && *finding.in_one_call - first < finding.where.count,
           "`in_one_call` is none of the inputs of the finding");
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  for (const Json& each : json.at("inputs")) {
    SweepInput input{pattern_in(each, "input"), {}, {}};
    for (std::size_t i = 0; i < each.at("expected").size(); ++i) {
      const Json one = {{"expected", each.at("expected").at(i)}};
      input.expected.push_back(integer_in(one, "expected", -kMost, kMost));
    }
    if (!each.at("got").is_null()) input.got = integer_in(each, "got", -kMost, kMost);
    finding.inputs.push_back(std::move(input));
  }
  return finding;
}

FileDigest file_in(const Json& json) {
  FileDigest file{text_in(json, "file"), text_in(json, "sha256")};
  expect(file.sha256.size() == 64 &&
             file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos,
         "`sha256` has not 64 hexadecimal digits");
  return file;
}

Proof proof_in(const Json& json) {
  Proof proof;
  proof.function = function_in(json);
  proof.range = range_in(json, proof.function);
  SweepResult& result = proof.result;
  const std::uint64_t all = inputs_of(proof.function, proof.range);
  result.inputs =
      static_cast<std::uint64_t>(integer_in(json, "inputs", 0, static_cast<std::int64_t>(all)));
  result.readings = readings_in(json, proof.function);
  const std::string verdict = text_in(json, "verdict");
  if (verdict == kAsReference) {
    expect(result.inputs == all,
           "`inputs` are fewer than `first` and `count` say, without a finding");
    expect(!result.readings.empty(), "`readings` has none that explains them");
  } else if (verdict == kDiffers) {
    result.finding = finding_in(json.at("finding"), proof.function);
    expect(!result.readings.empty(),
           "`readings` has none that explains what is before the finding");
    const SweepRange& where = result.finding->where;
    expect(where.count > 0 && where.first >= proof.range.first &&
               where.first + where.count <= proof.range.first + proof.range.count,
           "the finding is not in the range");
    const SweepRange before{proof.range.first, where.first - proof.range.first};
    expect(result.inputs == inputs_of(proof.function, before),
           "`inputs` are not those before the finding");
  } else if (verdict == kNotClaimed) {
    result.not_claimed = text_in(json, "reason");
  } else {
    expect(verdict == kBroken, "`verdict` is none of a proof");
    result.broken = Broken{text_in(json, "reason"), {}};
  }
  return proof;
}

}  // namespace

std::string proof_json(const ProofFile& file) {
  Json proofs = Json::array();
  for (const Proof& each : file.proofs) proofs.push_back(json_of(each));
  Json files = Json::array();
  for (const FileDigest& each : file.files) {
    files.push_back({{"file", cleaned(each.file)}, {"sha256", each.sha256}});
  }
  const Json json = {{"format", kFormat},
                     {"suite_version", file.suite_version},
                     {"target", cleaned(file.target)},
                     {"files", std::move(files)},
                     {"proofs", std::move(proofs)}};
  return json.dump(2) + "\n";
}

ProofFile read_proof_json(const std::string& path, const std::string& text) {
  const auto unexpected = [&](std::string_view what) {
    return UsageError(
        fmt::format("{}: {}; expected a file that `hurray-conform prove --out` wrote", path, what));
  };
  try {
    const Json json = Json::parse(text);
    expect(json.is_object() && json.contains("format"), "not a proof");
    expect(text_in(json, "format") == kFormat, fmt::format("`format` is not `{}`", kFormat));
    ProofFile file{path, text_in(json, "suite_version"), text_in(json, "target"), {}, {}};
    for (const Json& each : json.at("files")) file.files.push_back(file_in(each));
    for (const Json& each : json.at("proofs")) file.proofs.push_back(proof_in(each));
    expect(!file.proofs.empty(), "`proofs` is empty");
    return file;
  } catch (const Json::parse_error&) {
    throw unexpected("not JSON");
  } catch (const Json::exception& error) {
    throw unexpected(cleaned(error.what()));
  } catch (const Unexpected& error) {
    throw unexpected(error.what());
  }
}

std::string name_of(const SweepFunction& function) {
  const std::string what =
      function.function.empty()
          ? fmt::format("{} {}", function.dequantizes() ? "dequantize" : "quantize",
                        storage_of(function).name)
          : function.function;
  return fmt::format("{}, scale {} ({:.9g}), zero point {}", what, bits_to_hex(function.scale),
                     function.scale, function.zero_point);
}

}  // namespace hurray::conformance
