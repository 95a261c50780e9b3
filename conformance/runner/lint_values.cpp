// SPDX-License-Identifier: Apache-2.0
//
// Reading for `lint`, see lint_values.h. Addresses and sizes are the reference's.

#include "conformance/runner/lint_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/small_float.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

void note_dirt(std::span<const std::uint8_t> bytes, std::size_t from, TensorFile& file) {
  const std::size_t to = std::min(padded(from), bytes.size());
  for (std::size_t i = from; i < to && !file.dirt; ++i) {
    if (bytes[i] != 0) file.dirt = i;
  }
}

std::span<const std::uint8_t> bytes_of(const TensorFile& file,
                                       const std::optional<ParameterArray>& array) {
  if (!array || array->bytes == 0 || array->buffer_index >= file.buffers.size()) return {};
  const auto buffer = file.buffers[array->buffer_index];
  const auto end = checked_sum(array->offset_bytes, array->bytes);
  if (!end || *end > buffer.size()) return {};
  return buffer.subspan(array->offset_bytes, array->bytes);
}

void read_parameters(const TensorFile& file, QuantizedValues& values) {
  const Quantization& quantization = file.tensor.quantization;
  if (quantization.scheme_tag == kSchemePerTensorAffine) {
    values.scales = {quantization.per_tensor_affine.scale};
    values.zero_points = {quantization.per_tensor_affine.zero_point};
    return;
  }
  const std::uint8_t type = fields_of(quantization).scale_type_tag;
  const auto scales = bytes_of(file, scale_array(file.tensor));
  const std::size_t count = scales.empty() ? 0 : scales.size() / scale_bytes(type);
  for (std::size_t i = 0; i < count; ++i) {
    values.scales.push_back(widen_element(type, scales.data(), i));
  }
  const auto zero_points = bytes_of(file, zero_point_array(file.tensor));
  for (std::size_t i = 0; i + 4 <= zero_points.size(); i += 4) {
    values.zero_points.push_back(static_cast<std::int32_t>(load_le32(&zero_points[i])));
  }
}

// Which entry of the parameter arrays an element has.
std::size_t entry_of(const Tensor& tensor, const SchemeFields& fields, const Index& index) {
  if (fields.block_size) return block_index(tensor, index, *fields.axis, *fields.block_size);
  return fields.axis ? index[*fields.axis] : 0;
}

}  // namespace

bool is_affine(const Tensor& tensor) {
  return tensor.quantization.scheme_tag >= kSchemePerTensorAffine &&
         tensor.quantization.scheme_tag <= kSchemePerBlockAffine;
}

TensorFile read_tensor_file(std::span<const std::uint8_t> bytes) {
  TensorFile file;
  parse_tensor(bytes, file.tensor, file.findings);
  if (file.findings.has_must() || file.findings.has(Status::kDescriptorCut)) {
    const Finding& gravest = *file.findings.gravest();
    constexpr std::size_t kFewestBytes = 20;  // of a descriptor
    file.problem =
        bytes.size() < kFewestBytes
            ? fmt::format("{}; expected a tensor descriptor, of at least {}, and its buffers",
                          byte_count_words(bytes.size()), kFewestBytes)
            : fmt::format(
                  "its descriptor is invalid: {} ({}); `hurray-conform inspect --tensor "
                  "--file` shows where",
                  text_of(gravest.status), gravest.requirement);
    return file;
  }
  std::size_t end = file.tensor.descriptor_length;
  note_dirt(bytes, end, file);
  for (std::uint32_t i = 0; i < file.tensor.buffer_count; ++i) {
    const std::uint64_t size = file.tensor.buffers[i].byte_size;
    const std::size_t start = padded(end);
    if (size != 0 && (start > bytes.size() || size > bytes.size() - start)) {
      file.problem = fmt::format(
          "buffer {} of {} starts at byte {}, and the file has {}; expected the descriptor and its "
          "buffers, each padded to a multiple of {} bytes",
          i, byte_count_words(size), start, byte_count_words(bytes.size()), kPartAlignment);
      return file;
    }
    file.buffers.push_back(size == 0 ? std::span<const std::uint8_t>{}
                                     : bytes.subspan(start, size));
    if (size != 0) end = start + size;
    note_dirt(bytes, end, file);
  }
  if (bytes.size() > padded(end)) file.behind = bytes.size() - padded(end);
  return file;
}

std::optional<QuantizedValues> read_values(const TensorFile& file) {
  const Tensor& tensor = file.tensor;
  QuantizedValues values;
  read_parameters(file, values);
  const SchemeFields fields = fields_of(tensor.quantization);
  const bool is_symmetric = values.zero_points.empty();
  if (has_dynamic_dimension(tensor)) return std::nullopt;
  const std::optional<std::uint64_t> count = element_count(tensor);
  const std::optional<std::uint64_t> needed = needed_data_bytes(tensor);
  const std::span<const std::uint8_t> data = file.buffers.front();
  const std::optional<Extent> extent = extent_of(tensor);
  if (count == std::uint64_t{0}) return values;
  if (!count || !needed || !extent || *needed > data.size() || values.scales.empty()) {
    return std::nullopt;
  }
  // Negative strides lead to before byte_offset, and strides of 0 to more elements than bits.
  if (extent->below > 0 || *count > 8 * std::uint64_t{data.size()}) return std::nullopt;

  values.elements = *count;
  values.blocks.resize(values.scales.size());
  const std::uint8_t* const origin = data.data() + tensor.byte_offset;
  const ElementTypeInfo& type = *find_element_type(tensor.type_tag);
  const StorageTypeInfo* const storage = find_storage_type(tensor.type_tag);
  const bool affine = is_affine(tensor);
  Index index{};
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto linear = static_cast<std::size_t>(linear_index(tensor, index));
    const std::size_t entry = entry_of(tensor, fields, index);
    const std::int64_t code = read_element_value(tensor.type_tag, origin, linear);
    const std::int64_t zero_point = is_symmetric || !affine ? 0 : values.zero_points[entry];
    values.blocks[entry].add(code, zero_point);
    if (tensor.quantization.scheme_tag == kSchemeMxfp) {
      const double value = widen_element(tensor.type_tag, origin, linear);
      double& largest = values.blocks[entry].largest_magnitude;
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    if (type.bits <= 8) {
      ++values.code_counts[static_cast<std::uint64_t>(code) & ((1u << type.bits) - 1)];
    }
    values.smallest = std::min(values.smallest, code);
    values.largest = std::max(values.largest, code);
    if (storage != nullptr && (code == storage->min || code == storage->max)) {
      ++values.at_type_ends;
    }
    next_index(tensor, index);
  }
  return values;
}

}  // namespace hurray::conformance
