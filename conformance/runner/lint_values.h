// SPDX-License-Identifier: Apache-2.0
//
// What stands in the buffers of a quantized tensor? The file that `lint` reads, and from its
// buffers scales, zero points, and sums over the codes of each block.
//
// The file: a tensor descriptor, then the buffers of its table in their order. Each of these parts
// starts at a multiple of 64 bytes; what lies between is zero. The last part need not be padded.

#ifndef HURRAY_CONFORMANCE_LINT_VALUES_H
#define HURRAY_CONFORMANCE_LINT_VALUES_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/lint_statistics.h"
#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray::conformance {

inline constexpr std::size_t kPartAlignment = 64;  // bytes

struct TensorFile {
  std::string problem;  // why nothing else can be said; empty if the file can be read
  Tensor tensor;
  Findings findings;                                   // of the descriptor
  std::vector<std::span<const std::uint8_t>> buffers;  // into the bytes of the file
  std::optional<std::size_t> dirt;  // offset of the first byte between parts that is not zero
  std::size_t behind = 0;           // bytes behind the last part and its padding
};
// `bytes` has to outlive the result. Any bytes can be read.
TensorFile read_tensor_file(std::span<const std::uint8_t> bytes);

// Scales, zero points and codes of a quantized tensor.
struct QuantizedValues {
  // One for each block, or channel; of scheme 01 a single one. Scales as the numbers that they
  // stand for.
  std::vector<float> scales;
  std::vector<std::int32_t> zero_points;  // empty where all are 0 without being stored
  std::vector<BlockSums> blocks;
  std::uint64_t elements = 0;
  // By bit pattern, for types of at most 8 bits; else zeros.
  std::array<std::uint64_t, 256> code_counts{};
  std::int64_t smallest = INT64_MAX, largest = INT64_MIN;  // code
  std::uint64_t at_type_ends = 0;                          // codes at the ends of the type's range
};
// nullopt where elements lie outside of the buffers, or where there are too many of them to look
// at.
//   file   without a problem, quantized by a known scheme
std::optional<QuantizedValues> read_values(const TensorFile& file);

// Whether codes are integers that a zero point is subtracted from: schemes 01 to 03.
bool is_affine(const Tensor& tensor);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_LINT_VALUES_H
