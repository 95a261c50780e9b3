// SPDX-License-Identifier: Apache-2.0
//
// Fields of answers, see answer_fields.h.

#include "conformance/runner/answer_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "conformance/runner/byte_map.h"
#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

bool same_hex(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

constexpr std::array<std::string_view, 13> kDecimalKeys = {"zero_point",
                                                           "scheme",
                                                           "under",
                                                           "over",
                                                           "changed",
                                                           "in_changed",
                                                           "axis",
                                                           "layout",
                                                           "length",
                                                           "scale_buffer_index",
                                                           "block_size",
                                                           "byte_offset",
                                                           "zero_point_buffer_index"};

// Numbers from -2^63 to 2^64 - 1, however many zeros they begin with.
bool same_decimal(const std::string& a, const std::string& b) {
  const auto read = [](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? std::optional(value) : std::nullopt;
  };
  if (const auto value = read(a)) return value == read(b);
  const auto value = parse_decimal(a);
  return value && value == parse_decimal(b);
}

}  // namespace

Match match_field(const std::string& verb, const std::string& key, const std::string& expected,
                  const std::string& got) {
  if (expected == "any") return Match::kYes;
  if (key == "code" && expected == "error") {
    const std::optional<std::uint32_t> code = parse_hex_number(got, 4);
    return code && *code != 0 ? Match::kYes : Match::kNo;
  }
  const bool is_decimal =
      std::find(kDecimalKeys.begin(), kDecimalKeys.end(), key) != kDecimalKeys.end() ||
      (key == "bytes" && verb == "packed_bytes");
  if (is_decimal) return same_decimal(expected, got) ? Match::kYes : Match::kNo;
  return same_hex(expected, got) ? Match::kYes : Match::kNo;
}

namespace {

// Each is told exactly if it is there.
constexpr std::array<std::string_view, 7> kPartKeys = {
    "strides",    "scheme",      "parent_shape",  "shard_offset",
    "statistics", "member_role", "extension_type"};

constexpr std::size_t kMostShown = 40;

// `key=value`, or how long the value is.
std::string shown(std::string_view key, const std::string& value) {
  if (value.size() <= kMostShown) return fmt::format("{}={}", key, value);
  return fmt::format("{}={}… ({} bytes)", key, value.substr(0, kMostShown / 2), value.size() / 2);
}

// Where two arrays of the same length part, and what stands there.
FieldDifference difference_of_arrays(const ReadRequest& request, const std::string& key,
                                     const Bytes& expected, const Bytes& got) {
  const auto at =
      static_cast<std::size_t>(std::ranges::mismatch(expected, got).in1 - expected.begin());
  if (request.verb == "convert" && key == "b1" && expected.size() % 4 == 0) {
    const std::size_t block = at / 4;
    return {fmt::format("b1: scale of block {}", block),
            show_float(load_le32(&expected[4 * block])), show_float(load_le32(&got[4 * block]))};
  }
  const bool is_descriptor = key == "bytes" && request.verb != "packed_bytes";
  return {
      is_descriptor ? describe_byte(request, expected, at) : fmt::format("{}: byte {}", key, at),
      fmt::format("{:02x}", expected[at]), fmt::format("{:02x}", got[at])};
}

}  // namespace

std::string describe_byte(const ReadRequest& request, const Bytes& descriptor, std::size_t at) {
  const ByteMap map =
      request.verb == "encode" ? map_quantization(descriptor) : map_tensor(descriptor);
  for (const MapField& field : map.fields) {
    if (at >= field.offset && at < field.offset + field.present) {
      return fmt::format("byte {}: {}", at, field.name);
    }
  }
  return fmt::format("byte {}", at);
}

std::optional<FieldDifference> first_difference(const ReadRequest& request, const Answer& expected,
                                                const Answer& got) {
  for (const auto& [key, value] : expected.fields.all()) {
    const std::string* found = got.fields.find(key);
    if (!found) return FieldDifference{key, shown(key, value), fmt::format("no {}=", key)};
    if (match_field(request.verb, key, value, *found) == Match::kYes) continue;
    const std::optional<Bytes> want = parse_hex(value);
    const std::optional<Bytes> have = parse_hex(*found);
    const bool are_long = value.size() > kMostShown || request.verb == "convert";
    if (are_long && want && have && want->size() == have->size()) {
      return difference_of_arrays(request, key, *want, *have);
    }
    return FieldDifference{key, shown(key, value), shown(key, *found)};
  }
  for (const std::string_view key : kPartKeys) {
    const std::string* found = got.fields.find(key);
    if (found && !expected.fields.find(key)) {
      return FieldDifference{std::string(key), fmt::format("no {}=", key), shown(key, *found)};
    }
  }
  return std::nullopt;
}

bool has_same_parts(const Answer& expected, const Answer& got) {
  return std::ranges::all_of(kPartKeys, [&](std::string_view key) {
    return (expected.fields.find(key) == nullptr) == (got.fields.find(key) == nullptr);
  });
}

std::string show_float(std::uint32_t bits) {
  return fmt::format("{:08x} ({:.9g})", bits, std::bit_cast<float>(bits));
}

}  // namespace hurray::conformance
