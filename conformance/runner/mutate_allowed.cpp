// SPDX-License-Identifier: Apache-2.0
//
// What may a target be asked? Changed requests that break what PROTOCOL.md and hurray_target.h
// promise to a target, or ask what the rulings leave unasked, are not sent (mutate.h).

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "conformance/runner/mutate.h"
#include "conformance/runner/oracle.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/tensor.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostElements = 4096;
constexpr std::uint64_t kMostPadding = std::uint64_t{1} << 16;

std::uint64_t number(const EditableRequest& request, std::string_view key) {
  const std::string* text = request.find(key);
  return text ? static_cast<std::uint64_t>(parse_decimal(*text).value_or(0)) : 0;
}

bool offsets_are_allowed(const EditableRequest& request) {
  const std::uint64_t in = number(request, "in_off"), out = number(request, "out_off");
  if (request.has("guard") && (in != 0 || out != 0)) return false;
  // Floats, int32 and structures are never misaligned.
  const bool in_is_bytes = !request.quantizes() && request.verb != "encode";
  const bool out_is_bytes = request.quantizes() || request.verb.starts_with("encode") ||
                            request.verb == "pack" || request.verb == "convert";
  return in < 64 && out < 64 && (in_is_bytes || in % 4 == 0) && (out_is_bytes || out % 4 == 0);
}

// What a valid descriptor has established before anything is dequantized by it.
bool kernel_is_allowed(const EditableRequest& request) {
  if (request.is_ra8()) return true;
  const StorageTypeInfo* info = find_storage_type(
      static_cast<std::uint8_t>(parse_hex_number(*request.find("type"), 2).value_or(0)));
  if (!info) return false;
  if (request.quantizes()) return true;
  const float scale = std::bit_cast<float>(parse_hex_number(*request.find("scale"), 8).value_or(0));
  const std::int64_t zero_point = parse_decimal(*request.find("zero_point")).value_or(0);
  return std::isfinite(scale) && scale != 0 && zero_point >= info->min && zero_point <= info->max;
}

// Whether a bias is refused that only some fields would carry beyond int32, and not those that are
// there, is not said anywhere.
bool normalizing_is_allowed(const EditableRequest& request) {
  const std::uint64_t bits = std::min<std::uint64_t>(number(request, "bits"), 31);
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  return parse_decimal(*request.find("bias")).value_or(0) + most <= INT32_MAX;
}

// Partial last blocks of a tensor with several dimensions: nobody knows where elements lie (A28).
bool has_unasked_blocks(const Tensor& tensor) {
  return tensor.has(kHasQuantization) && tensor.rank != 1 && !has_dynamic_dimension(tensor) &&
         has_partial_block(tensor);
}

// Packed data of at least 2^61 bytes can hold elements whose places 64 bits cannot count, and no
// clause says that a reader has to count further.
bool has_uncountable_elements(const Tensor& tensor) {
  const ElementTypeInfo* const info = find_element_type(tensor.type_tag);
  return tensor.buffer_count > 0 && tensor.buffers[0].byte_size >= std::uint64_t{1} << 61 &&
         info != nullptr && info->bits < 8 && !has_dynamic_dimension(tensor) &&
         !needed_data_bytes(tensor).has_value();
}

bool tensor_is_allowed(const EditableRequest& request) {
  const auto tensor = std::make_unique<Tensor>();
  Findings findings;
  parse_tensor(request.bytes("bytes"), *tensor, findings,
               request.has("mode") ? Mode::kPermissive : Mode::kStrict);
  // Refused, whatever stands in the buffers.
  if (findings.has_must()) return true;
  if (has_unasked_blocks(*tensor) || has_uncountable_elements(*tensor)) return false;
  if (request.verb == "decode_tensor") return true;
  for (std::uint32_t i = 0; i <= tensor->buffer_count; ++i) {
    const std::string* text = request.find(fmt::format("b{}", i));
    if ((text == nullptr) != (i == tensor->buffer_count)) return false;
    if (!text) break;
    // What cannot be touched is sent where nobody has business with it.
    if (text->starts_with("none:") && *text != "none:0") return false;
    const std::uint64_t bytes =
        text->starts_with("none:")
            ? static_cast<std::uint64_t>(parse_decimal(text->substr(5)).value_or(-1))
        : *text == "null" ? 0
                          : text->size() / 2;
    if (bytes != tensor->buffers[i].byte_size) return false;
  }
  const std::uint64_t count = number(request, "count");
  if (has_dynamic_dimension(*tensor)) return count <= kMostElements;
  return count <= kMostElements && element_count(*tensor) == count;
}

bool conversion_is_allowed(const EditableRequest& request) {
  if (!normalizing_is_allowed(request)) return false;
  const Bytes shape = request.bytes("shape");
  if (shape.size() % 8 != 0) return false;
  std::uint64_t all = 1;
  for (std::size_t i = 0; i < shape.size(); i += 8) {
    const std::uint64_t size = load_le64(&shape[i]);
    if (size > kMostElements) return false;
    all *= std::max<std::uint64_t>(size, 1);
    if (all > kMostPadding) return false;
  }
  const std::uint64_t axis = number(request, "axis"), group = number(request, "group_size");
  if (axis >= shape.size() / 8) return true;
  const std::uint64_t size = load_le64(&shape[8 * static_cast<std::size_t>(axis)]);
  const std::string* index = request.find("group_index");
  if (index && index->size() != 8 * size) return false;
  // What becomes of a last group that is shorter is not judged (A28).
  return group == 0 || size % group == 0;
}

// The fields that a scheme has, and no others (PROTOCOL.md).
bool scheme_keys_are_allowed(const EditableRequest& request) {
  constexpr std::array<std::string_view, 8> kAll = {"scale",
                                                    "zero_point",
                                                    "flags",
                                                    "axis",
                                                    "block_size",
                                                    "scale_buffer_index",
                                                    "zero_point_buffer_index",
                                                    "scale_type_tag"};
  const std::string* scheme = request.find("scheme");
  const std::uint64_t tag = scheme ? number(request, "scheme") : 0;
  const bool is_blocks = tag >= 3 && tag <= 5;
  for (const std::string_view key : kAll) {
    const bool is_affine = key == "scale" || key == "zero_point";
    const bool has_axis = tag >= 2 && tag <= 5;
    const bool wanted = !scheme                                        ? false
                        : is_affine                                    ? !has_axis
                        : key == "axis" || key == "scale_buffer_index" ? has_axis
                        : key == "block_size"                          ? is_blocks
                                                                       : tag == 2 || tag == 3;
    if (wanted != request.has(key)) return false;
    // The fields of 32 bits; the rest are digits that nothing makes longer.
    if (wanted && !is_affine && key != "flags" && key != "scale_type_tag" &&
        number(request, key) > 0xffffffff) {
      return false;
    }
  }
  return !scheme || tag <= 255;
}

bool written_is_allowed(const EditableRequest& request) {
  const Bytes shape = request.bytes("shape");
  if (request.has("strides") != (number(request, "layout") == 3)) return false;
  for (const char* key : {"strides", "parent_shape", "shard_offset"}) {
    if (request.has(key) && request.bytes(key).size() != shape.size()) return false;
  }
  // The last byte of a handle is none of its fields.
  const Bytes handles = request.bytes("buffers");
  for (std::size_t i = 15; i < handles.size(); i += 16) {
    if (handles[i] != 0) return false;
  }
  // A reader has to be able to say where its elements lie (A28).
  const std::uint64_t axis = number(request, "axis"), block = number(request, "block_size");
  if (shape.size() <= 8 || axis >= shape.size() / 8 || block == 0) return true;
  return load_le64(&shape[8 * static_cast<std::size_t>(axis)]) % block == 0;
}

// As many bytes as the count needs, or fewer.
bool packed_is_allowed(const EditableRequest& request) {
  const auto tag =
      static_cast<std::uint8_t>(parse_hex_number(*request.find("type"), 2).value_or(0));
  const Bytes packed = request.bytes("packed");
  const std::optional<std::uint64_t> bytes = element_bytes(tag, number(request, "count"));
  return !bytes || packed.size() <= *bytes;
}

// What is laid end to end are whole bytes, and not too many of them.
bool repeat_is_allowed(const EditableRequest& request) {
  if (!request.has("repeat")) return true;
  constexpr std::uint64_t kMostBytes = std::uint64_t{5} << 20;
  const std::uint64_t count = number(request, "count");
  return count > 0 && count % 8 == 0 && 4 * count * number(request, "repeat") <= kMostBytes;
}

}  // namespace

bool may_be_asked(const std::string& line) {
  const EditableRequest request(line);
  if (!offsets_are_allowed(request) || !repeat_is_allowed(request)) return false;
  if (request.quantizes() || request.dequantizes()) return kernel_is_allowed(request);
  if (request.verb.starts_with("encode") && !scheme_keys_are_allowed(request)) return false;
  if (request.verb == "encode_tensor") return written_is_allowed(request);
  if (request.verb.ends_with("_tensor")) return tensor_is_allowed(request);
  if (request.verb == "unpack" || request.verb == "widen") return packed_is_allowed(request);
  if (request.verb == "convert") return conversion_is_allowed(request);
  if (request.verb == "normalize") return normalizing_is_allowed(request);
  return true;
}

}  // namespace hurray::conformance
