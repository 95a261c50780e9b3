// SPDX-License-Identifier: Apache-2.0
//
// Does a quantization section fit the tensor that carries it? Axis and block size against the
// shape, indices against the buffer table, parameter arrays against the sizes of their buffers.
// Source: quantization.md §Placement and the schemes' documents, §Validity and §Referenced Buffers.

#ifndef HURRAY_REFERENCE_TENSOR_QUANTIZATION_H
#define HURRAY_REFERENCE_TENSOR_QUANTIZATION_H

#include <cstdint>
#include <optional>

#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray {

// Parameter buffers that the scheme of a tensor needs: 0, 1, or 2; an array of scales and one of
// zero points that share an entry count once (ruling A20).
std::uint32_t parameter_buffer_count(const Quantization& quantization);

// Entries of each parameter array: shape[axis] for scheme 02, the number of blocks for 03 to 05, 0
// for 01. nullopt if it does not fit 64 bits, or the axis is not one of the tensor's, or block_size
// is 0, or a dimension is dynamic.   [HQ-PBA-019, HQ-MX-008; ruling A30]
std::optional<std::uint64_t> parameter_count(const Tensor& tensor);

// Bytes of one scale: 1, 2 or 4; 0 for a scale type that no scheme has.
std::uint32_t scale_bytes(std::uint8_t scale_type_tag);

// Where a parameter array lies. `offset_bytes` is 0, except for the zero points of a shared entry,
// which follow the scales.   [HQ-HDR-022]
struct ParameterArray {
  std::uint32_t buffer_index;
  std::uint64_t offset_bytes;
  std::uint64_t bytes;
};
// nullopt if the scheme has no such array, or its size is not known.
std::optional<ParameterArray> scale_array(const Tensor& tensor);
std::optional<ParameterArray> zero_point_array(const Tensor& tensor);

// Whether the last block along the axis is shorter than the others (schemes 03 and 04). If the rank
// is not 1 then, the texts do not say where elements lie (ruling A28).
bool has_partial_block(const Tensor& tensor);

// Bytes of buffer 0 if every last block is stored at full length, byte_offset included; nullopt if
// they do not fit 64 bits.   [HQ-PBA-022]
//   tensor   with has_partial_block()
std::optional<std::uint64_t> padded_data_bytes(const Tensor& tensor);

// Everything that section, shape and buffer table say about each other. What the section says by
// itself is judge_quantization's.
//   tensor   with kHasQuantization and a known scheme
void judge_tensor_quantization(const Tensor& tensor, Findings& findings);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TENSOR_QUANTIZATION_H
