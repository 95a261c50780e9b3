// SPDX-License-Identifier: Apache-2.0
//
// Which real numbers does a whole tensor hold? Every element in logical row-major order, whatever
// its layout and scheme, and the rules for what stands in the buffers: scales, zero points, unused
// bits. Source: the schemes' documents, §Dequantization and §Validity; rulings A28, A35, A36, A43,
// A54.

#ifndef HURRAY_REFERENCE_DEQUANTIZE_TENSOR_H
#define HURRAY_REFERENCE_DEQUANTIZE_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray {

// The buffers of a tensor in the order of its table. One of 0 bytes may have a null pointer.
using TensorBuffers = std::span<const std::span<const std::uint8_t>>;

// Judges the contents of the parameter buffers and the unused bits of the data.
//   tensor   one for which judge_tensor() found nothing of Severity::kMust
// kBufferMissing (must): fewer buffers than the table has, or one that is needed has fewer bytes
// than its handle says; nothing is read then. Buffers that no array lies in are not touched; of
// buffer 0 only the last byte, or group, of the elements is.
void judge_contents(const Tensor& tensor, TensorBuffers buffers, Findings& findings);

// judge_contents, then the values of all elements.
//   out     `count` binary32, must not overlap the buffers
//   count   the number of elements, else kCountMismatch (must)
// Writes `out`, all of it, if and only if nothing of Severity::kMust was found and the data can be
// read; returns whether it did. What is found softly is computed with by IEEE 754 (ruling A54).
//   kDataBufferTooSmall (soft): an element lies outside buffer 0, and nothing is written
//   kNoValues (must): an element type that has no binary32 values, or a scheme stepped over
// choices.difference_width, .uint32_codes and .nf4_zeros apply, and .subnormals to the affine
// schemes. A tensor without quantization gives
// its elements, widened as widen_element does.
bool dequantize_tensor(const Tensor& tensor, TensorBuffers buffers, float* out, std::size_t count,
                       Findings& findings, const Choices& choices = {});

// The value of the element at `index` of a tensor that dequantize_tensor() accepts.
//   index   tensor.rank numbers, each below its dimension
float dequantize_element(const Tensor& tensor, TensorBuffers buffers,
                         std::span<const std::uint64_t> index, const Choices& choices = {});

}  // namespace hurray

#endif  // HURRAY_REFERENCE_DEQUANTIZE_TENSOR_H
