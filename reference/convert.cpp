// SPDX-License-Identifier: Apache-2.0
//
// The recipe, step by step: is it a matrix that per-block affine can express, are its arrays as
// long as the shape asks for, does the result pass every rule? Only then anything is written.

#include "reference/convert.h"

#include <algorithm>
#include <bit>

#include "reference/binary32.h"
#include "reference/element_type.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray {
namespace {

constexpr std::uint32_t kScaleBuffer = 1;
constexpr std::uint32_t kZeroPointBuffer = 2;
constexpr std::uint8_t kFloat32Tag = 0x03;
constexpr std::uint64_t kScaleBytes = 4;
constexpr std::uint64_t kZeroPointBytes = 4;
constexpr std::uint64_t kWordBytes = 4;

// The tensor that comes out, but for the sizes of its buffers: row-major, on the CPU, aligned to 64
// bytes, asymmetric, with float32 scales.   [HQ-ZP-009]
Tensor described(const ForeignTensor& foreign) {
  Tensor tensor;
  tensor.type_tag = foreign.type_tag;
  tensor.flags = kHasQuantization;
  tensor.rank = static_cast<std::uint32_t>(foreign.shape.size());
  std::ranges::copy(foreign.shape, tensor.shape.begin());
  tensor.buffer_count = 3;
  tensor.quantization.scheme_tag = kSchemePerBlockAffine;
  tensor.quantization.per_block_affine = {
      0, foreign.axis, foreign.group_size, kScaleBuffer, kZeroPointBuffer, kFloat32Tag};
  return tensor;
}

// What has no place in per-block affine, from the shape alone.
Status judge_shape(const ForeignTensor& foreign) {
  if (foreign.shape.size() > kMostRank) return Status::kRankTooLarge;
  if (foreign.axis >= foreign.shape.size()) return Status::kAxisOutOfRange;
  if (std::ranges::find(foreign.shape, kDynamic) != foreign.shape.end()) {
    return Status::kDynamicDimension;  // there are as many weights as there are
  }
  if (foreign.group_size == 0) return Status::kBlockSizeZero;
  return Status::kOk;
}

// Groups have to be runs: an activation order that mixes them cannot be said in a descriptor.
// [HQ-ZP-011]
Status judge_groups(const ForeignTensor& foreign) {
  if (!foreign.super_scales.empty()) return Status::kTwoLevelScales;  // [HQ-ZP-012]
  if (foreign.group_index.data() == nullptr) return Status::kOk;
  if (foreign.group_index.size() != foreign.shape[foreign.axis]) return Status::kGroupOrder;
  for (std::size_t i = 0; i < foreign.group_index.size(); ++i) {
    if (foreign.group_index[i] != i / foreign.group_size) return Status::kGroupOrder;
  }
  return Status::kOk;
}

// How scales and fields follow each other: `runs` times `length`.
struct Runs {
  std::uint64_t count;
  std::uint64_t length;
};

Runs runs_of(const ForeignTensor& foreign, std::uint64_t blocks) {
  const std::uint64_t length = foreign.shape[foreign.axis];
  const std::uint64_t groups =
      length / foreign.group_size + (length % foreign.group_size != 0 ? 1 : 0);
  const std::uint64_t rows = groups == 0 ? 0 : blocks / groups;
  return foreign.group_major ? Runs{groups, rows} : Runs{rows, groups};
}

// Bytes of the plane from one run to the next, if each starts in a word of its own.
std::uint64_t run_bytes(const ForeignTensor& foreign, const Runs& runs) {
  const std::uint64_t per_word = 32 / foreign.zero_point_format.bits;
  return (runs.length / per_word + (runs.length % per_word != 0 ? 1 : 0)) * kWordBytes;
}

std::optional<std::uint64_t> plane_bytes(const ForeignTensor& foreign, const Runs& runs,
                                         std::uint64_t blocks) {
  if (foreign.word_bytes == kWordBytes)
    return checked_product(runs.count, run_bytes(foreign, runs));
  const std::uint64_t per_byte = 8 / foreign.zero_point_format.bits;
  return blocks / per_byte + (blocks % per_byte != 0 ? 1 : 0);  // [HQ-ZP-015]
}

// Where the parameters of a Hurray block stand in the source. Blocks go row by row.   [HQ-ZP-013]
struct Source {
  std::uint64_t run;
  std::uint64_t place;
};

Source source_of(const ForeignTensor& foreign, const Runs& runs, std::uint64_t block) {
  if (!foreign.group_major) return {block / runs.length, block % runs.length};
  return {block % runs.count, block / runs.count};  // row = block / groups, group = the rest
}

float scale_at(const ForeignTensor& foreign, const Runs& runs, std::uint64_t block) {
  const Source source = source_of(foreign, runs, block);
  const std::uint64_t index = source.run * runs.length + source.place;
  return widen_element(foreign.scale_type_tag, foreign.scales.data(),
                       static_cast<std::size_t>(index));  // [HQ-ZP-004: exactly]
}

std::int32_t zero_point_at(const ForeignTensor& foreign, const Runs& runs, std::uint64_t block) {
  const Source source = source_of(foreign, runs, block);
  if (foreign.word_bytes == kWordBytes) {
    // The fields of a little-endian word lie in its bytes as they would without words.
    const std::uint64_t start = source.run * run_bytes(foreign, runs);
    return normalized_zero_point(foreign.zero_point_format, foreign.zero_points.data() + start,
                                 static_cast<std::size_t>(source.place));
  }
  const std::uint64_t index = source.run * runs.length + source.place;
  return normalized_zero_point(foreign.zero_point_format, foreign.zero_points.data(),
                               static_cast<std::size_t>(index));
}

Status judge_scale(float scale) {
  if (is_nan(scale)) return Status::kScaleNan;
  if (is_infinite(scale)) return Status::kScaleNotFinite;
  if (is_zero(scale)) return Status::kScaleZero;
  return Status::kOk;
}

}  // namespace

std::optional<std::uint64_t> converted_block_count(const ForeignTensor& foreign) {
  if (judge_shape(foreign) != Status::kOk) return std::nullopt;
  return parameter_count(described(foreign));
}

Status convert(const ForeignTensor& foreign, ConvertedTensor& out) {
  Status status = judge_shape(foreign);
  if (status == Status::kOk) status = judge_groups(foreign);
  if (status != Status::kOk) return status;
  if (!is_possible(foreign.zero_point_format)) return Status::kInvalidFormat;
  if (foreign.word_bytes != 1 && foreign.word_bytes != kWordBytes) return Status::kInvalidFormat;
  const std::uint32_t scale_width = scale_bytes(foreign.scale_type_tag);
  if (scale_width < 2) return Status::kScaleTypeNotAllowed;

  Tensor tensor = described(foreign);
  Findings scheme;
  judge_quantization(tensor.quantization, tensor.type_tag, scheme);
  if (scheme.for_writer() != Status::kOk) return scheme.for_writer();

  // Weights are copied, so they have to be as Hurray stores them: with a shorter last group, which
  // only a vector can have without doubt, at full length.   [HQ-ZP-003, HQ-PBA-022, A28]
  const bool partial = has_partial_block(tensor) && element_count(tensor) != std::uint64_t{0};
  if (partial && tensor.rank != 1) return Status::kPartialGroup;
  const std::optional<std::uint64_t> weights =
      partial ? padded_data_bytes(tensor) : needed_data_bytes(tensor);
  if (weights != std::uint64_t{foreign.weights.size()}) return Status::kArrayLength;

  // One scale and one field for each block.   [HQ-ZP-004, -005, -015]
  const std::optional<std::uint64_t> blocks = parameter_count(tensor);
  if (!blocks.has_value()) return Status::kArrayLength;
  if (checked_product(*blocks, scale_width) != std::uint64_t{foreign.scales.size()}) {
    return Status::kArrayLength;
  }
  const Runs runs = runs_of(foreign, *blocks);
  const std::optional<std::uint64_t> plane = plane_bytes(foreign, runs, *blocks);
  if (!plane.has_value() || *plane > foreign.zero_points.size()) return Status::kTooFewBytes;

  for (std::uint64_t b = 0; b < *blocks; ++b) {
    status = judge_scale(scale_at(foreign, runs, b));  // [HQ-PBA-028, HQ-ZP-014]
    if (status != Status::kOk) return status;
  }

  // The descriptor comes first among the outputs, because it can still be refused. [HQ-ZP-014]
  const auto scales_bytes = checked_product(*blocks, kScaleBytes);
  const auto zero_points_bytes = checked_product(*blocks, kZeroPointBytes);
  if (!scales_bytes.has_value() || !zero_points_bytes.has_value()) return Status::kArrayLength;
  tensor.buffers[0].byte_size = foreign.weights.size();
  tensor.buffers[kScaleBuffer].byte_size = *scales_bytes;
  tensor.buffers[kZeroPointBuffer].byte_size = *zero_points_bytes;
  std::size_t written = 0;
  status = encode_tensor(tensor, out.descriptor, written);
  if (status != Status::kOk) return status;

  out.descriptor_bytes = written;
  std::ranges::copy(foreign.weights, out.weights);
  for (std::uint64_t b = 0; b < *blocks; ++b) {
    out.scales[b] = scale_at(foreign, runs, b);
    out.zero_points[b] = zero_point_at(foreign, runs, b);
  }
  return Status::kOk;
}

}  // namespace hurray
