// SPDX-License-Identifier: Apache-2.0
//
// First everything is established that makes reading safe, then the values are computed, each by
// the same few steps: where the element lies, which parameters it has, what its scheme does with
// them.

#include "reference/dequantize_tensor.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/mxfp.h"
#include "reference/nf4.h"
#include "reference/small_float.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray {
namespace {

// Both arrays of a scheme, as bytes; empty where the scheme has none.
struct Parameters {
  std::uint8_t scale_type_tag = 0;
  std::span<const std::uint8_t> scales;
  std::span<const std::uint8_t> zero_points;

  std::size_t scale_count() const {
    return scales.empty() ? 0 : scales.size() / scale_bytes(scale_type_tag);
  }
  float scale(std::size_t i) const { return widen_element(scale_type_tag, scales.data(), i); }
  std::size_t zero_point_count() const { return zero_points.size() / 4; }
  std::int32_t zero_point(std::size_t i) const {
    return static_cast<std::int32_t>(load_le32(zero_points.data() + 4 * i));
  }
};

// The bytes of an array, or nullopt if they were not handed over.
std::optional<std::span<const std::uint8_t>> bytes_of(const Tensor& tensor,
                                                      const std::optional<ParameterArray>& array,
                                                      TensorBuffers buffers) {
  if (!array.has_value() || array->bytes == 0) return std::span<const std::uint8_t>{};
  if (array->buffer_index >= buffers.size()) return std::nullopt;
  const auto buffer = buffers[array->buffer_index];
  const std::optional<std::uint64_t> end = checked_sum(array->offset_bytes, array->bytes);
  if (buffer.size() < tensor.buffers[array->buffer_index].byte_size) return std::nullopt;
  if (!end.has_value() || *end > buffer.size()) return std::nullopt;
  return buffer.subspan(static_cast<std::size_t>(array->offset_bytes),
                        static_cast<std::size_t>(array->bytes));
}

std::optional<Parameters> parameters_of(const Tensor& tensor, TensorBuffers buffers) {
  if (!tensor.has(kHasQuantization)) return Parameters{};
  const auto scales = bytes_of(tensor, scale_array(tensor), buffers);
  const auto zero_points = bytes_of(tensor, zero_point_array(tensor), buffers);
  if (!scales.has_value() || !zero_points.has_value()) return std::nullopt;
  return Parameters{fields_of(tensor.quantization).scale_type_tag, *scales, *zero_points};
}

// The affine schemes: finite and not zero, once with and once without a sentence that lets readers
// go on.   [HQ-PCA-019, HQ-PBA-028; A07, A54]
void judge_affine_scale(float scale, Severity severity, std::string_view row, Findings& findings) {
  const auto add = [&](Status status) { findings.add({status, severity, Behaviour::kNone, row}); };
  if (is_nan(scale)) add(Status::kScaleNan);
  if (is_infinite(scale)) add(Status::kScaleNotFinite);
  if (is_zero(scale)) add(Status::kScaleZero);
}

void judge_nf4_scale(float scale, Findings& findings) {
  // -0 is a zero, which is legal, and a number with a sign, which may be refused.   [A35]
  if (is_nan(scale)) {
    findings.soft(Status::kScaleNan, "HQ-NF4-011");
  } else if (is_infinite(scale)) {
    findings.soft(Status::kScaleNotFinite, "HQ-NF4-011");
  } else if (is_negative(scale) && is_zero(scale)) {
    findings.open(Behaviour::kNf4NegativeZeroScale, Status::kScaleNegativeZero, "HQ-NF4-011");
  } else if (is_negative(scale)) {
    findings.soft(Status::kScaleNegative, "HQ-NF4-011");
  }
}

void judge_scales(const Tensor& tensor, const Parameters& parameters, Findings& findings) {
  for (std::size_t i = 0; i < parameters.scale_count(); ++i) {
    switch (tensor.quantization.scheme_tag) {
      case kSchemePerChannelAffine:
        judge_affine_scale(parameters.scale(i), Severity::kMust, "HQ-PCA-019", findings);
        break;
      case kSchemePerBlockAffine:
        judge_affine_scale(parameters.scale(i), Severity::kSoft, "HQ-PBA-028", findings);
        break;
      case kSchemeNf4:
        judge_nf4_scale(parameters.scale(i), findings);
        break;
      case kSchemeMxfp:
        if (!is_float8_e8m0_legal(parameters.scales[i])) {
          findings.must(Status::kScaleExponent, "HQ-MX-010");  // [A37]
        }
        break;
      default:
        break;
    }
  }
}

// A zero point is a value of the storage type, except in the per-block scheme, where 16 with uint4
// is as legal as anything.   [HQ-PCA-020, A24]
void judge_zero_points(const Tensor& tensor, const Parameters& parameters, Findings& findings) {
  const StorageTypeInfo* const storage = find_storage_type(tensor.type_tag);
  if (storage == nullptr) return;
  for (std::size_t i = 0; i < parameters.zero_point_count(); ++i) {
    const std::int64_t zero_point = parameters.zero_point(i);
    if (zero_point >= storage->min && zero_point <= storage->max) continue;
    if (tensor.quantization.scheme_tag == kSchemePerChannelAffine) {
      findings.must(Status::kZeroPointOutOfRange, "HQ-PCA-020");
    } else {
      findings.lenient(Status::kZeroPointUnusual, "HQ-PBA-025");
    }
  }
}

// Whether all elements lie inside buffer 0, both as its handle and as its bytes have it.
bool is_data_readable(const Tensor& tensor, TensorBuffers buffers) {
  const std::optional<std::uint64_t> needed = needed_data_bytes(tensor);
  return needed.has_value() && !buffers.empty() && *needed <= tensor.buffers[0].byte_size &&
         *needed <= buffers[0].size();
}

// Bits behind the last element of a dense tensor. Strides leave no last element, and behind a
// shorter last block lie the elements that fill it, which are nobody's business.   [A43,
// HQ-PBA-024]
void judge_unused_bits(const Tensor& tensor, TensorBuffers buffers, Findings& findings) {
  const std::optional<std::uint64_t> count = element_count(tensor);
  if (tensor.layout_tag == kLayoutStrided || !count.has_value() || *count == 0) return;
  if (find_element_type(tensor.type_tag) == nullptr || !is_data_readable(tensor, buffers)) return;
  if (has_partial_block(tensor)) {
    const std::optional<std::uint64_t> padded = padded_data_bytes(tensor);
    if (padded.has_value() && *padded <= buffers[0].size()) return;
  }
  const std::uint8_t* const data = buffers[0].data() + tensor.byte_offset;
  if (!unused_bits_are_zero(tensor.type_tag, data, static_cast<std::size_t>(*count))) {
    findings.open(Behaviour::kUnusedBits, Status::kUnusedBits, "HQ-PACK-006");
  }
}

// An element as bits, found from the buffer's start: with a negative index it lies before
// byte_offset, in whole groups of the type.
struct Place {
  const std::uint8_t* group;
  std::size_t slot;
};

Place place_of(const Tensor& tensor, std::span<const std::uint8_t> data, std::int64_t linear) {
  const std::uint8_t* const origin = data.data() + tensor.byte_offset;
  if (linear >= 0) return {origin, static_cast<std::size_t>(linear)};
  // As many whole groups back as hold the elements between.   [HQ-MD-034: floor(i / P), i mod P]
  const ElementGroup group = group_of(*find_element_type(tensor.type_tag));
  const auto between = static_cast<std::uint64_t>(-linear);
  const std::uint64_t back = between / group.elements + (between % group.elements != 0 ? 1 : 0);
  return {origin - back * group.bytes, static_cast<std::size_t>(back * group.elements - between)};
}

float value_at(const Tensor& tensor, const Parameters& parameters,
               std::span<const std::uint8_t> data, const Index& index, const Choices& choices) {
  const Place place = place_of(tensor, data, linear_index(tensor, index));
  const std::uint8_t type = tensor.type_tag;
  if (!tensor.has(kHasQuantization)) return widen_element(type, place.group, place.slot);

  const Quantization& q = tensor.quantization;
  const SchemeFields fields = fields_of(q);
  // Which entry of the parameter arrays: the index along the axis, or the block.   [HQ-PCA-022,
  // HQ-PBA-020]
  std::size_t entry = 0;
  if (fields.block_size.has_value()) {
    entry = static_cast<std::size_t>(block_index(tensor, index, *fields.axis, *fields.block_size));
  } else if (fields.axis.has_value()) {
    entry = static_cast<std::size_t>(index[*fields.axis]);
  }

  switch (q.scheme_tag) {
    case kSchemePerTensorAffine:
      return dequantize_value(static_cast<StorageType>(type), q.per_tensor_affine.scale,
                              q.per_tensor_affine.zero_point,
                              read_element_value(type, place.group, place.slot), choices);
    case kSchemePerChannelAffine:
    case kSchemePerBlockAffine: {
      // Symmetric means zero points of 0, without looking anywhere.   [HQ-PCA-023, HQ-PBA-025]
      const bool symmetric = !fields.zero_point_buffer_index.has_value();
      return dequantize_value(static_cast<StorageType>(type), parameters.scale(entry),
                              symmetric ? 0 : parameters.zero_point(entry),
                              read_element_value(type, place.group, place.slot), choices);
    }
    case kSchemeNf4:
      return nf4_value(parameters.scale(entry),
                       static_cast<unsigned>(read_element_bits(type, place.group, place.slot)),
                       choices);
    case kSchemeMxfp:  // int8 and int4 stand for their integers   [HQ-MX-013, A38]
      return mxfp_value(parameters.scales[entry], widen_element(type, place.group, place.slot));
    default:
      return 0.0f;
  }
}

}  // namespace

void judge_contents(const Tensor& tensor, TensorBuffers buffers, Findings& findings) {
  if (tensor.has(kHasQuantization) && !is_known_scheme(tensor.quantization.scheme_tag)) return;
  if (buffers.size() < tensor.buffer_count) {
    findings.must(Status::kBufferMissing, "HQ-HDR-010");
    return;
  }
  // Arrays of unknown length are read when the length is known.   [HQ-MD-012]
  if (has_dynamic_dimension(tensor)) return;
  const std::optional<Parameters> parameters = parameters_of(tensor, buffers);
  const bool empty = element_count(tensor) == std::uint64_t{0};
  const bool data_missing = !empty && buffers[0].size() < tensor.buffers[0].byte_size;
  if (!parameters.has_value() || data_missing) {
    findings.must(Status::kBufferMissing, "HQ-HDR-010");
    return;
  }
  judge_scales(tensor, *parameters, findings);
  judge_zero_points(tensor, *parameters, findings);
  judge_unused_bits(tensor, buffers, findings);
}

bool dequantize_tensor(const Tensor& tensor, TensorBuffers buffers, float* out, std::size_t count,
                       Findings& findings, const Choices& choices) {
  // Whatever the descriptor got wrong is wrong here too; what follows relies on it.
  Findings descriptor;
  judge_tensor(tensor, descriptor, Mode::kPermissive);
  for (const Finding& finding : descriptor.all()) {
    if (finding.severity == Severity::kMust) findings.add(finding);
  }
  if (descriptor.has_must()) return false;

  // The data of a scheme that was stepped over is not touched.   [HQ-HDR-007, HQ-PACK-030]
  const bool quantized = tensor.has(kHasQuantization);
  if (quantized ? !is_known_scheme(tensor.quantization.scheme_tag)
                : !is_widenable(tensor.type_tag)) {
    findings.must(Status::kNoValues, "HQ-HDR-007");
    return false;
  }
  if (has_dynamic_dimension(tensor) || element_count(tensor) != std::uint64_t{count}) {
    findings.must(Status::kCountMismatch, "");
    return false;
  }

  Findings contents;
  judge_contents(tensor, buffers, contents);
  for (const Finding& finding : contents.all()) findings.add(finding);
  if (contents.has_must()) return false;
  if (count == 0) return true;  // [HQ-MD-040: an empty buffer is not followed]
  if (!is_data_readable(tensor, buffers)) {
    findings.soft(Status::kDataBufferTooSmall, "HQ-PACK-012");  // [A47]
    return false;
  }

  const Parameters parameters = *parameters_of(tensor, buffers);
  Index index{};
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = value_at(tensor, parameters, buffers[0], index, choices);
    next_index(tensor, index);
  }
  return true;
}

float dequantize_element(const Tensor& tensor, TensorBuffers buffers,
                         std::span<const std::uint64_t> index, const Choices& choices) {
  Index at{};
  std::ranges::copy(index, at.begin());
  return value_at(tensor, *parameters_of(tensor, buffers), buffers[0], at, choices);
}

}  // namespace hurray
