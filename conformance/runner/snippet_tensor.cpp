// SPDX-License-Identifier: Apache-2.0
//
// C reproductions of calls about elements, tensors and conversion, see snippet.h.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/snippet_parts.h"
#include "reference/byte_order.h"
#include "reference/convert.h"
#include "reference/element_type.h"
#include "reference/tensor.h"

namespace hurray::conformance {
namespace {

std::string call(const std::string& function, const std::string& arguments) {
  return fmt::format("hurray_status status = hurray_target.{}({});\n", function, arguments);
}

// `{0x1, 0x2}` of an array of words.
std::string words(const Bytes& bytes) {
  std::string text;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    text += fmt::format("{}0x{:x}", i == 0 ? "{" : ", ", load_le64(&bytes[i]));
  }
  return text.empty() ? "{0}" : text + "}";
}
// The same of signed ones.
std::string signed_words(const Bytes& bytes) {
  std::string text;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    const std::uint64_t word = load_le64(&bytes[i]);
    const bool is_negative = word >> 63 != 0;
    text += fmt::format("{}{}0x{:x}", i == 0 ? "{" : ", ", is_negative ? "-1 - (int64_t)" : "",
                        is_negative ? ~word : word);
  }
  return text.empty() ? "{0}" : text + "}";
}

std::string octets(const Bytes& bytes) {
  return fmt::format("{{0x{:02x}}}", fmt::join(bytes, ", 0x"));
}

std::string handles(const Bytes& bytes) {
  std::string text;
  for (std::size_t at = 0; at + kBufferHandleBytes <= bytes.size(); at += kBufferHandleBytes) {
    const std::uint8_t* from = &bytes[at];
    text += fmt::format("{}{{0x{:x}, 0x{:x}, 0x{:02x}, 0x{:02x}, 0x{:02x}}}", at == 0 ? "{" : ", ",
                        load_le64(from), load_le32(from + 8), from[12], from[13], from[14]);
  }
  return text.empty() ? "{{0}}" : text + "}";
}

std::string encode_snippet(const ReadRequest& request) {
  std::string flags = "0", fields;
  const auto section = [&](std::string_view key, const std::string& flag,
                           const std::string& field) {
    if (!request.fields.find(key)) return;
    flags += " | HURRAY_HAS_" + flag;
    fields += ", " + field;
  };
  std::string text;
  if (request.fields.find("scheme")) {
    if (request.scheme == 1) text += scale_of(request);
    section("scheme", "QUANTIZATION", ".quantization = " + descriptor_of(request));
  }
  section("parent_shape", "SHARD",
          ".parent_shape = " + words(request.array_of("parent_shape")) +
              ", .shard_offset = " + words(request.array_of("shard_offset")));
  section("statistics", "STATISTICS", ".statistics = " + octets(request.array_of("statistics")));
  section("extension_type", "EXTENSION_TYPE",
          ".extension_type = " + octets(request.array_of("extension_type")));
  if (const std::string* role = request.fields.find("member_role")) {
    section("member_role", "COMPOSITE_MEMBER", ".member_role = 0x" + *role);
  }
  if (request.fields.find("strides")) {
    fields += ", .strides = " + signed_words(request.array_of("strides"));
  }
  const Bytes shape = request.array_of("shape"), table = request.array_of("buffers");
  text += fmt::format(
      "struct hurray_tensor tensor = {{.type_tag = 0x{:02x}, .layout_tag = {}, .flags = {}, "
      ".rank = {}, .shape = {}, .byte_offset = {}u, .buffer_count = {}, .buffers = {}{}}};\n"
      "uint8_t out[8192];\nsize_t written;\n",
      request.type, request.number_of("layout"), flags, shape.size() / 8, words(shape),
      request.number_of("byte_offset"), table.size() / kBufferHandleBytes, handles(table), fields);
  return text + call("encode_tensor", "&tensor, out, sizeof out, &written");
}

// The buffers of a dequantize_tensor request. Memory that cannot be touched is a null pointer.
std::string buffers_of(const ReadRequest& request, Arrays whole_or_cut) {
  std::string arrays, pointers, sizes;
  unsigned count = 0;
  for (; count < kMostBuffersSent; ++count) {
    const std::string name = fmt::format("b{}", count);
    const std::string* text = request.fields.find(name);
    if (!text) break;
    const bool is_hidden = text->starts_with("none:");
    const bool is_null = is_hidden || *text == "null";
    const Bytes bytes = is_null ? Bytes{} : request.array_of(name);
    if (!is_null) arrays += byte_array(name, bytes, whole_or_cut);
    pointers += (count == 0 ? "" : ", ") + (is_null ? "NULL" : name);
    sizes +=
        (count == 0 ? "" : ", ") + (is_hidden ? text->substr(5) : fmt::format("{}", bytes.size()));
  }
  if (count == 0) return "struct hurray_tensor_buffers buffers = {0, NULL, NULL};\n";
  return arrays + fmt::format(
                      "const uint8_t* bytes_of[] = {{{}}};\nconst uint64_t sizes[] = {{{}}};\n"
                      "struct hurray_tensor_buffers buffers = {{{}, bytes_of, sizes}};\n",
                      pointers, sizes, count);
}

}  // namespace

std::string element_snippet(const ReadRequest& request, Arrays arrays) {
  const std::string type = fmt::format("0x{:02x}", request.type);
  if (request.verb == "packed_bytes") {
    return "uint64_t bytes;\n" +
           call("packed_bytes", fmt::format("{}, {}u, &bytes", type, request.number_of("count")));
  }
  const std::size_t room = std::max<std::size_t>(request.count, 1);
  if (request.verb == "pack") {
    const Bytes values = request.array_of("values");
    const std::size_t count = values.size() / 8;
    return number_array("values", "int64_t", 8, values, arrays) +
           fmt::format("uint8_t out[{}];\n",
                       std::max<std::uint64_t>(element_bytes(request.type, count).value_or(1), 1)) +
           call("pack", fmt::format("{}, values, {}, out", type, count));
  }
  const char* element = request.verb == "unpack" ? "int64_t" : "float";
  return byte_array("packed", request.bytes, arrays) + fmt::format("{} out[{}];\n", element, room) +
         call(request.verb, fmt::format("{}, packed, {}, out", type, request.count));
}

std::string tensor_snippet(const ReadRequest& request, Arrays arrays) {
  if (request.verb == "encode_tensor") return encode_snippet(request);
  const std::string mode =
      request.fields.find("mode") ? "HURRAY_MODE_PERMISSIVE" : "HURRAY_MODE_STRICT";
  const std::string decoded =
      byte_array("bytes", request.bytes, arrays, kMostOfDescriptor) +
      "struct hurray_tensor tensor;\n" +
      call("decode_tensor", fmt::format("{}, bytes, {}, &tensor", mode, request.bytes.size()));
  if (request.verb == "decode_tensor") return decoded;
  return decoded + buffers_of(request, arrays) +
         fmt::format(
             "float out[{}];\n"
             "if (status == HURRAY_OK)\n"
             "  status = hurray_target.dequantize_tensor({}, &tensor, &buffers, out, {});\n",
             std::max<std::size_t>(request.count, 1), mode, request.count);
}

std::string conversion_snippet(const ReadRequest& request, Arrays arrays) {
  const Bytes shape = request.array_of("shape");
  const bool has_index = request.fields.find("group_index") != nullptr;
  const Bytes super_scales = request.array_of("super_scales");
  const Bytes weights = request.array_of("weights"), scales = request.array_of("scales");
  std::vector<std::uint64_t> dimensions;
  for (std::size_t i = 0; i + 8 <= shape.size(); i += 8) dimensions.push_back(load_le64(&shape[i]));
  ForeignTensor foreign;
  foreign.shape = dimensions;
  foreign.axis = static_cast<std::uint32_t>(request.number_of("axis"));
  foreign.group_size = static_cast<std::uint32_t>(request.number_of("group_size"));
  const std::uint64_t blocks =
      std::clamp<std::uint64_t>(converted_block_count(foreign).value_or(0), 1, scales.size() + 1);
  std::string text = fmt::format("const uint64_t shape[] = {};\n", words(shape)) +
                     byte_array("weights", weights, arrays) + byte_array("scales", scales, arrays) +
                     byte_array("plane", request.array_of("plane"), arrays);
  if (has_index) {
    text += number_array("group_index", "uint32_t", 4, request.array_of("group_index"), arrays);
  }
  if (!super_scales.empty()) text += byte_array("super_scales", super_scales, arrays);
  text += fmt::format(
      "struct hurray_foreign_tensor foreign = {{0x{:02x}, 0x{}, {}, shape, {}, {}, {{{}, {}, {}}}, "
      "{}, {}, weights, {}, scales, {}, plane, {}, {}, {}, {}}};\n",
      request.type, request.text_of("scale_type_tag"), dimensions.size(), foreign.axis,
      foreign.group_size, request.bits, request.bias, request.high_field_first ? 1 : 0,
      request.number_of("group_major"), request.number_of("word_bytes"), weights.size(),
      scales.size(), request.array_of("plane").size(), has_index ? "group_index" : "NULL",
      super_scales.empty() ? "NULL" : "super_scales", super_scales.size());
  text += fmt::format(
      "uint8_t descriptor[1024], copied[{}];\nfloat converted[{}];\nint32_t zero_points[{}];\n"
      "struct hurray_converted_tensor out = {{descriptor, 1024, 0, copied, converted, "
      "zero_points}};\n",
      std::max<std::size_t>(weights.size(), 1), blocks, blocks);
  return text + call("convert", "&foreign, &out");
}

}  // namespace hurray::conformance
