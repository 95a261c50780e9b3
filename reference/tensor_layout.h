// SPDX-License-Identifier: Apache-2.0
//
// How many elements has a tensor, and where does each of them lie? Row-major, column-major and
// strided layouts. Source: memory-layout.md, rows HQ-MD-012, -014, -033, -034. Sizes that do not
// fit 64 bits are nullopt, never a wrapped number.

#ifndef HURRAY_REFERENCE_TENSOR_LAYOUT_H
#define HURRAY_REFERENCE_TENSOR_LAYOUT_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray {

// The product, or nullopt if it does not fit 64 bits. The sum likewise.
std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b);
std::optional<std::uint64_t> checked_sum(std::uint64_t a, std::uint64_t b);

// Whether one of the dimensions is dynamic. Nothing below may be asked then.   [HQ-MD-012]
bool has_dynamic_dimension(const Tensor& tensor);

// Number of elements: 1 for a scalar, 0 as soon as one dimension is 0. nullopt if it does not fit.
std::optional<std::uint64_t> element_count(const Tensor& tensor);

// Product of all dimensions but one, in the same way.
std::optional<std::uint64_t> outer_count(const Tensor& tensor, std::uint32_t axis);

// How far the linear indices reach that the layout can give an element, which address the data from
// byte_offset: an element of B bits has bits B * i ... behind it. Strides can be negative, so that
// elements lie before byte_offset as well.
struct Extent {
  std::uint64_t below;  // how far the lowest index is below 0
  std::uint64_t above;  // the highest index
};
// nullopt for a tensor without elements, and where one of the two does not fit 64 bits.
std::optional<Extent> extent_of(const Tensor& tensor);

// The index of one element along each dimension.
using Index = std::array<std::uint64_t, kMostRank>;

// Steps to the next element in row-major order, from the last one to the first.
void next_index(const Tensor& tensor, Index& index);

// The linear index of an element. No overflow if the data lies in memory: its indices are in
// extent_of(), and no buffer has 2^63 elements.
std::int64_t linear_index(const Tensor& tensor, const Index& index);

// The block, of a scheme with blocks, in which an element lies: outer * ceil(S / K) + floor(i / K),
// where outer is the row-major index over all other dimensions.   [HQ-PBA-020, ruling A31]
std::uint64_t block_index(const Tensor& tensor, const Index& index, std::uint32_t axis,
                          std::uint32_t block_size);

// Bytes of buffer 0 that the tensor needs, byte_offset included. nullopt if the number does not
// fit 64 bits, or a negative stride leads to before the buffer. 0 for a tensor without elements.
//   tensor   without dynamic dimensions, with an element type that element_type.h knows
std::optional<std::uint64_t> needed_data_bytes(const Tensor& tensor);

// byte_offset and the size of buffer 0, against shape and layout.   [HQ-MD-014; rulings A47, A48]
void judge_data_buffer(const Tensor& tensor, Findings& findings);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TENSOR_LAYOUT_H
