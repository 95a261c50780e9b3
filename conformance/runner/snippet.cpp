// SPDX-License-Identifier: Apache-2.0
//
// C reproductions, see snippet.h. Floats are written as bit patterns: a decimal literal may not
// survive.

#include "conformance/runner/snippet.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/runner/oracle.h"
#include "conformance/runner/snippet_parts.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"

namespace hurray::conformance {

namespace {

std::size_t shown_of(std::size_t count, Arrays arrays) {
  return arrays == Arrays::kWhole ? count : std::min(count, kMostElements);
}

}  // namespace

std::string byte_array(const std::string& name, std::span<const std::uint8_t> bytes, Arrays arrays,
                       std::size_t most) {
  const std::span<const std::uint8_t> shown =
      bytes.first(arrays == Arrays::kWhole ? bytes.size() : std::min(bytes.size(), most));
  std::string text = fmt::format("static const unsigned char {}[{}] = {{0x{:02x}", name,
                                 bytes.size(), fmt::join(shown, ", 0x"));
  if (shown.empty()) text = fmt::format("static const unsigned char {}[1] = {{0", name);
  if (shown.size() < bytes.size())
    text += fmt::format("{}{} more */", kCutMark, bytes.size() - shown.size());
  return text + "};\n";
}

std::string number_array(const std::string& name, const std::string& type, std::size_t width,
                         std::span<const std::uint8_t> bytes, Arrays arrays) {
  const std::size_t count = bytes.size() / width, shown = shown_of(count, arrays);
  std::string text =
      fmt::format("static const {} {}[{}] = {{", type, name, std::max<std::size_t>(count, 1));
  for (std::size_t i = 0; i < shown; ++i) {
    // By their bits: what the compiler makes of a number that is too large is what is meant.
    text += fmt::format("{}({})0x{:x}", i == 0 ? "" : ", ", type,
                        load_le(&bytes[i * width], static_cast<unsigned>(width)));
  }
  if (shown == 0) text += "0";
  if (shown < count) text += fmt::format("{}{} more */", kCutMark, count - shown);
  return text + "};\n";
}

std::string scale_of(const ReadRequest& request) {
  return fmt::format(
      "static const union {{ unsigned bits; float value; }} scale = {{0x{:08x}}};  // {:.9g}\n",
      std::bit_cast<std::uint32_t>(request.scale), request.scale);
}

std::string zero_point_of(const ReadRequest& request) {
  return request.zero_point == INT32_MIN ? "INT32_MIN" : fmt::format("{}", request.zero_point);
}

std::string descriptor_of(const ReadRequest& request) {
  if (!request.fields.find("axis")) {
    return fmt::format("{{.scheme_tag = {}, .scale = scale.value, .zero_point = {}}}",
                       request.scheme, zero_point_of(request));
  }
  std::string text = fmt::format("{{.scheme_tag = {}", request.scheme);
  for (const char* key : {"axis", "block_size", "scale_buffer_index", "zero_point_buffer_index"}) {
    if (request.fields.find(key)) text += fmt::format(", .{} = {}u", key, request.number_of(key));
  }
  for (const char* key : {"flags", "scale_type_tag"}) {
    if (const std::string* digits = request.fields.find(key)) {
      text += fmt::format(", .{} = 0x{}", key, *digits);
    }
  }
  return text + "}";
}

namespace {

std::string float_array(const char* name, const Floats& values, Arrays arrays) {
  const std::size_t shown = shown_of(values.size(), arrays);
  std::string text = fmt::format(
      "static const union {{ unsigned bits[{}]; float values[{}]; }} {} = {{{{",
      std::max<std::size_t>(values.size(), 1), std::max<std::size_t>(values.size(), 1), name);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}0x{:08x}", i == 0 ? "" : ", ", std::bit_cast<std::uint32_t>(values[i]));
  }
  if (shown == 0) text += "0";
  if (shown < values.size()) text += fmt::format("{}{} more */", kCutMark, values.size() - shown);
  return text + "}};\n";
}

std::string ra8_snippet(const ReadRequest& request, Arrays arrays) {
  const std::string element = request.is_ra8_signed() ? "int8_t" : "uint8_t";
  const std::size_t room = std::max<std::size_t>(request.count, 1);
  std::string text = scale_of(request);
  std::string in;
  if (request.quantizes()) {
    text += float_array("in", request.floats, arrays) + fmt::format("{} out[{}];\n", element, room);
    in = "in.values";
  } else {
    text += byte_array("in", request.bytes, arrays) + fmt::format("float out[{}];\n", room);
    in = fmt::format("(const {} *)in", element);
  }
  return text + fmt::format("unsigned code = ra8_npu_{}({}, {}, {}, scale.value, {});\n",
                            request.function, request.null_in ? "NULL" : in,
                            request.null_out ? "NULL" : "out", request.count,
                            zero_point_of(request));
}

std::string call_of(const std::string& line, Arrays arrays) {
  const ReadRequest request = read_request(line);
  if (request.is_ra8()) return ra8_snippet(request, arrays);
  const std::size_t room = std::max<std::size_t>(request.count, 1);
  if (request.verb == "decode") {
    return byte_array("bytes", request.bytes, arrays) +
           fmt::format(
               "struct hurray_descriptor out;\n"
               "hurray_status status = hurray_target.decode(0x{:02x}, bytes, {}, &out);\n",
               request.type, request.bytes.size());
  }
  if (request.verb == "encode") {
    const std::size_t capacity = request.capacity.value_or(64);
    // A scheme that has no scale of its own has an axis.
    return (request.fields.find("axis") ? std::string() : scale_of(request)) +
           fmt::format(
               "struct hurray_descriptor in = {};\nuint8_t out[{}];\nsize_t written;\n"
               "hurray_status status = hurray_target.encode(0x{:02x}, &in, out, {}, &written);\n",
               descriptor_of(request), std::max<std::size_t>(capacity, 1), request.type, capacity);
  }
  if (request.is_about_elements()) return element_snippet(request, arrays);
  if (request.is_about_tensors()) return tensor_snippet(request, arrays);
  if (request.verb == "convert") return conversion_snippet(request, arrays);
  if (request.verb == "normalize") {
    return byte_array("packed", request.bytes, arrays) +
           fmt::format(
               "struct hurray_zero_point_format format = {{{}, {}, {}}};\n"
               "int32_t out[{}];\n"
               "hurray_status status = hurray_target.normalize_zero_points(&format, packed, {}, "
               "{}, out);\n",
               request.bits, request.bias, request.high_field_first ? 1 : 0, room,
               request.bytes.size(), request.count);
  }
  if (request.dequantizes()) {
    return scale_of(request) + byte_array("q", request.bytes, arrays) +
           fmt::format(
               "float out[{}];\n"
               "hurray_status status = hurray_target.dequantize(0x{:02x}, scale.value, {}, q, out, "
               "{});\n",
               room, request.type, zero_point_of(request), request.count);
  }
  const StorageTypeInfo* info = find_storage_type(request.type);
  const std::uint64_t bytes = info ? packed_bytes(info->type, room).value() : room;
  return scale_of(request) + float_array("in", request.floats, arrays) +
         fmt::format(
             "uint8_t q[{}];\n"
             "hurray_status status = hurray_target.quantize(0x{:02x}, scale.value, {}, in.values, "
             "q, "
             "{});\n",
             bytes, request.type, zero_point_of(request), request.count);
}

}  // namespace

std::string c_snippet(const std::string& line, Arrays arrays) {
  const std::string call = call_of(line, arrays);
  // It compiles, and may not fail where the request does.
  if (call.find(kCutMark) == std::string::npos) return call;
  return "// Only a part: arrays are cut, and zero from there on. The request has all.\n" + call;
}

std::string c_body(const std::string& statements) {
  std::string text;
  for (std::size_t start = 0; start < statements.size();) {
    const std::size_t end = std::min(statements.find('\n', start), statements.size());
    text += "  " + statements.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return text;
}

}  // namespace hurray::conformance
