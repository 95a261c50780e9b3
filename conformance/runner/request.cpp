// SPDX-License-Identifier: Apache-2.0
//
// Reads the values of a request line (oracle.h). Strict: a request of the suite that does not
// follow PROTOCOL.md is an error of the suite.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "conformance/runner/oracle.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

[[noreturn]] void bad(std::string_view request, std::string_view what) {
  throw SuiteError("request `" + std::string(request.substr(0, 80)) + "`: " + std::string(what));
}

template <typename Integer>
Integer decimal(std::string_view line, std::string_view key, std::string_view text) {
  const std::optional<std::int64_t> value = parse_decimal(text);
  if (!value || *value < static_cast<std::int64_t>(std::numeric_limits<Integer>::min()) ||
      (sizeof(Integer) < 8 &&
       *value > static_cast<std::int64_t>(std::numeric_limits<Integer>::max()))) {
    bad(line, std::string(key) + " is not a decimal number in range");
  }
  return static_cast<Integer>(*value);
}

std::uint32_t hexadecimal(std::string_view line, std::string_view key, std::string_view text,
                          std::size_t digits) {
  const std::optional<std::uint32_t> value = parse_hex_number(text, digits);
  if (!value) bad(line, std::string(key) + " does not have its hexadecimal digits");
  return *value;
}

constexpr std::array<std::string_view, 6> kOfAllVerbs = {"fn",    "in_off",  "out_off",
                                                         "guard", "threads", "repeat"};
// Keys of schemes other than per-tensor affine, of elements, tensors and conversion: whoever needs
// them reads them from `fields`.
constexpr std::array<std::string_view, 37> kReadLater = {"flags",
                                                         "axis",
                                                         "block_size",
                                                         "scale_buffer_index",
                                                         "zero_point_buffer_index",
                                                         "scale_type_tag",
                                                         "values",
                                                         "count",
                                                         "mode",
                                                         "layout",
                                                         "shape",
                                                         "byte_offset",
                                                         "strides",
                                                         "buffers",
                                                         "parent_shape",
                                                         "shard_offset",
                                                         "statistics",
                                                         "member_role",
                                                         "extension_type",
                                                         "group_size",
                                                         "group_major",
                                                         "word_bytes",
                                                         "weights",
                                                         "scales",
                                                         "plane",
                                                         "group_index",
                                                         "super_scales",
                                                         "b0",
                                                         "b1",
                                                         "b2",
                                                         "b3",
                                                         "b4",
                                                         "b5",
                                                         "b6",
                                                         "b7",
                                                         "b8",
                                                         "b9"};

template <std::size_t count>
bool is_known(const std::array<std::string_view, count>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

bool ReadRequest::is_about_elements() const {
  return verb == "pack" || verb == "unpack" || verb == "packed_bytes" || verb == "widen";
}

const std::string& ReadRequest::text_of(std::string_view key) const {
  const std::string* text = fields.find(key);
  if (!text) bad(verb, "the key " + std::string(key) + " is missing");
  return *text;
}

Bytes ReadRequest::array_of(std::string_view key) const {
  const std::string* text = fields.find(key);
  if (!text) return {};
  std::optional<Bytes> array = parse_hex(*text);
  if (!array) bad(verb, std::string(key) + " is not hexadecimal bytes");
  return std::move(*array);
}

std::uint64_t ReadRequest::number_of(std::string_view key) const {
  const std::string& text = text_of(key);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    bad(verb, std::string(key) + " is not a decimal number below 2^64");
  }
  return value;
}

std::uint32_t ReadRequest::pattern_of(std::string_view key, std::size_t digits) const {
  return hexadecimal(verb, key, text_of(key), digits);
}

bool ReadRequest::quantizes() const {
  return verb == "quantize" || (is_ra8() && function.starts_with("quantize"));
}

bool ReadRequest::dequantizes() const {
  return verb == "dequantize" || (is_ra8() && function.starts_with("dequantize"));
}

ReadRequest read_request(std::string_view text) {
  const std::optional<Request> request = parse_request(text);
  if (!request) bad(text, "not a verb followed by distinct key=value pairs");

  ReadRequest read;
  read.verb = request->verb;
  read.fields = request->fields;
  if (const std::string* function = request->fields.find("fn")) read.function = *function;
  for (const auto& [key, value] : request->fields.all()) {
    if (key == "type") {
      read.type = static_cast<std::uint8_t>(hexadecimal(text, key, value, 2));
    } else if (key == "scheme") {
      read.scheme = decimal<std::uint32_t>(text, key, value);
    } else if (key == "scale") {
      read.scale = std::bit_cast<float>(hexadecimal(text, key, value, 8));
    } else if (key == "zero_point") {
      read.zero_point = decimal<std::int32_t>(text, key, value);
    } else if (key == "count" && read.verb != "packed_bytes") {
      read.count = decimal<std::size_t>(text, key, value);
    } else if (key == "bits") {
      read.bits = decimal<unsigned>(text, key, value);
    } else if (key == "bias") {
      read.bias = decimal<std::int32_t>(text, key, value);
    } else if (key == "order") {
      if (value != "low-first" && value != "high-first")
        bad(text, "order is low-first or high-first");
      read.high_field_first = value == "high-first";
    } else if (key == "bytes" || key == "q" || key == "packed" ||
               (key == "in" && !read.quantizes())) {
      std::optional<Bytes> bytes = parse_hex(value);
      if (!bytes) bad(text, key + " is not hexadecimal bytes");
      read.bytes = std::move(*bytes);
    } else if (key == "in") {
      std::optional<Floats> floats = parse_floats(value);
      if (!floats) bad(text, "in is not a whole number of binary32");
      read.floats = std::move(*floats);
    } else if (key == "fill") {
      read.has_fill = true;
      read.fill = static_cast<std::uint8_t>(hexadecimal(text, key, value, 2));
    } else if (key == "null") {
      read.null_in = value.find("in") != std::string::npos;
      read.null_out = value.find("out") != std::string::npos;
    } else if (key == "capacity") {
      read.capacity = decimal<std::size_t>(text, key, value);
    } else if (key == "fenv") {
      read.fenv = value;
    } else if (!is_known(kOfAllVerbs, key) && !is_known(kReadLater, key)) {
      bad(text, "unknown key " + key);
    }
  }

  // Lengths that a target may rely on.
  if (read.quantizes() && read.floats.size() != read.count) bad(text, "count and in disagree");
  if (read.dequantizes()) {
    const StorageTypeInfo* info =
        read.is_ra8() ? &info_of(StorageType::kInt8) : find_storage_type(read.type);
    const std::uint64_t bytes =
        info ? packed_bytes(info->type, read.count).value_or(0) : read.bytes.size();
    if (read.bytes.size() != bytes) bad(text, "count and q or in disagree");
  }
  return read;
}

}  // namespace hurray::conformance
