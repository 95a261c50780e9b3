// SPDX-License-Identifier: Apache-2.0
//
// How does a matrix that another toolchain quantized become a Hurray tensor? Per-block affine,
// row-major, asymmetric, with float32 scales; weights copied, scales carried value for value, zero
// points normalized. Source: the recipe "Converting an Externally Quantized Tensor", rows
// HQ-ZP-002 to -015. What per-block affine cannot express is refused.

#ifndef HURRAY_REFERENCE_CONVERT_H
#define HURRAY_REFERENCE_CONVERT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/status.h"
#include "reference/tensor.h"
#include "reference/zero_point.h"

namespace hurray {

// Groups of `group_size` elements along `axis`, each with a scale and a zero point. The members are
// those of struct hurray_foreign_tensor in targets/hurray_target.h.
struct ForeignTensor {
  std::uint8_t type_tag = 0;        // of the weights
  std::uint8_t scale_type_tag = 3;  // 01 float16, 02 bfloat16, 03 float32
  std::span<const std::uint64_t> shape;
  std::uint32_t axis = 0;
  std::uint32_t group_size = 0;
  ZeroPointFormat zero_point_format;
  bool group_major = false;  // scales and fields go group by group, each with all rows
  // 1: fields follow each other. 4: each run (the groups of a row, or the rows of a group if
  // group_major) starts in a new little-endian 32-bit word.
  std::uint32_t word_bytes = 1;
  std::span<const std::uint8_t> weights;      // packed, row-major
  std::span<const std::uint8_t> scales;       // little-endian
  std::span<const std::uint8_t> zero_points;  // the plane
  // The group of each index along the axis; data() is null if it is index / group_size.
  std::span<const std::uint32_t> group_index;
  std::span<const std::uint8_t> super_scales;  // a second level of scales; empty if there is none
};

// Number of blocks, which is the length of both parameter arrays; nullopt where convert() refuses
// shape, axis or group size.
std::optional<std::uint64_t> converted_block_count(const ForeignTensor& foreign);

struct ConvertedTensor {
  std::span<std::uint8_t> descriptor;
  std::size_t descriptor_bytes = 0;     // written, set only on kOk
  std::uint8_t* weights = nullptr;      // foreign.weights.size() bytes
  float* scales = nullptr;              // one for each block
  std::int32_t* zero_points = nullptr;  // one for each block
};

// Converts. Outputs are written only on kOk and must not overlap the inputs.
// kArrayLength: weights or scales have another length than the shape asks for. kTooFewBytes: the
// plane is too short; longer is fine. kInvalidFormat: no such plane. kGroupOrder: groups are not
// runs. kTwoLevelScales. kPartialGroup: a last group that is shorter, unless the rank is 1 and the
// weights are padded to whole blocks. kScaleNan, kScaleNotFinite, kScaleZero. kBufferTooSmall. And
// what encode_tensor() says about the tensor.
[[nodiscard]] Status convert(const ForeignTensor& foreign, ConvertedTensor& out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_CONVERT_H
