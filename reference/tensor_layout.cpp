// SPDX-License-Identifier: Apache-2.0
//
// Counting and addressing. Every product and sum that a descriptor can make too large is checked;
// what is not checked follows from one that was.

#include "reference/tensor_layout.h"

#include <algorithm>
#include <limits>

#include "reference/element_type.h"

namespace hurray {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::span<const std::uint64_t> dimensions(const Tensor& tensor) {
  return {tensor.shape.data(), tensor.rank};
}

// |stride| as an unsigned number, 2^63 included.
std::uint64_t magnitude(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? ~bits + 1 : bits;
}

std::optional<Extent> strided_extent(const Tensor& tensor) {
  // The last index of a dimension adds (dimension - 1) * stride: to the highest index if the stride
  // is positive, to the lowest if it is negative.
  std::uint64_t above = 0;
  std::uint64_t below = 0;
  for (std::uint32_t d = 0; d < tensor.rank; ++d) {
    const auto span = checked_product(tensor.shape[d] - 1, magnitude(tensor.strides[d]));
    if (!span.has_value()) return std::nullopt;
    std::uint64_t& side = tensor.strides[d] < 0 ? below : above;
    const auto sum = checked_sum(side, *span);
    if (!sum.has_value()) return std::nullopt;
    side = *sum;
  }
  return Extent{below, above};
}

}  // namespace

std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > kMost / b) return std::nullopt;
  return a * b;
}

std::optional<std::uint64_t> checked_sum(std::uint64_t a, std::uint64_t b) {
  if (a > kMost - b) return std::nullopt;
  return a + b;
}

bool has_dynamic_dimension(const Tensor& tensor) {
  return std::ranges::find(dimensions(tensor), kDynamic) != dimensions(tensor).end();
}

std::optional<std::uint64_t> element_count(const Tensor& tensor) {
  // A zero makes the product zero, however large the others are, in whatever order.
  const auto shape = dimensions(tensor);
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) return 0;
  std::optional<std::uint64_t> count = 1;
  for (const std::uint64_t dimension : shape) {
    count = checked_product(*count, dimension);
    if (!count.has_value()) break;
  }
  return count;
}

std::optional<std::uint64_t> outer_count(const Tensor& tensor, std::uint32_t axis) {
  Tensor others = tensor;
  others.shape[axis] = 1;
  return element_count(others);
}

std::optional<Extent> extent_of(const Tensor& tensor) {
  const std::optional<std::uint64_t> count = element_count(tensor);
  if (count == std::uint64_t{0}) return std::nullopt;
  // Strides of 0 can address more elements than 64 bits can count, in one place.
  if (tensor.layout_tag == kLayoutStrided) return strided_extent(tensor);
  if (!count.has_value()) return std::nullopt;
  return Extent{0, *count - 1};
}

void next_index(const Tensor& tensor, Index& index) {
  for (std::uint32_t d = tensor.rank; d-- > 0;) {
    if (++index[d] < tensor.shape[d]) return;
    index[d] = 0;
  }
}

std::int64_t linear_index(const Tensor& tensor, const Index& index) {
  std::int64_t linear = 0;
  switch (tensor.layout_tag) {
    case kLayoutStrided:
      for (std::uint32_t d = 0; d < tensor.rank; ++d) {
        // A stride of 0 goes nowhere, also where the index itself does not fit a signed number.
        if (tensor.strides[d] == 0) continue;
        linear += static_cast<std::int64_t>(index[d]) * tensor.strides[d];
      }
      break;
    case kLayoutColumnMajor:  // the first dimension varies fastest
      for (std::uint32_t d = tensor.rank; d-- > 0;) {
        linear = linear * static_cast<std::int64_t>(tensor.shape[d]) +
                 static_cast<std::int64_t>(index[d]);
      }
      break;
    default:  // row-major: the last one does
      for (std::uint32_t d = 0; d < tensor.rank; ++d) {
        linear = linear * static_cast<std::int64_t>(tensor.shape[d]) +
                 static_cast<std::int64_t>(index[d]);
      }
      break;
  }
  return linear;
}

std::uint64_t block_index(const Tensor& tensor, const Index& index, std::uint32_t axis,
                          std::uint32_t block_size) {
  // Row-major over the shape, whatever the layout of the data.   [HQ-PBA-020, -034]
  std::uint64_t outer = 0;
  for (std::uint32_t d = 0; d < tensor.rank; ++d) {
    if (d != axis) outer = outer * tensor.shape[d] + index[d];
  }
  const std::uint64_t length = tensor.shape[axis];
  const std::uint64_t blocks_per_axis = length / block_size + (length % block_size != 0 ? 1 : 0);
  return outer * blocks_per_axis + index[axis] / block_size;  // [HQ-PBA-019, A30: the ceiling]
}

std::optional<std::uint64_t> needed_data_bytes(const Tensor& tensor) {
  if (element_count(tensor) == std::uint64_t{0}) return 0;  // [HQ-PACK-016]
  const std::optional<Extent> extent = extent_of(tensor);
  if (!extent.has_value()) return std::nullopt;

  // Elements from 0 to the highest lie behind byte_offset, in whole groups; those below 0 before
  // it, in whole groups too.   [HQ-MD-015, -033, -034]
  const auto last = checked_sum(extent->above, 1);
  if (!last.has_value()) return std::nullopt;
  const auto behind = element_bytes(tensor.type_tag, *last);
  const auto before = element_bytes(tensor.type_tag, extent->below);
  if (!behind.has_value() || !before.has_value()) return std::nullopt;
  if (*before > tensor.byte_offset) return std::nullopt;
  return checked_sum(tensor.byte_offset, *behind);
}

void judge_data_buffer(const Tensor& tensor, Findings& findings) {
  if (tensor.buffer_count == 0) return;
  const std::uint64_t byte_size = tensor.buffers[0].byte_size;
  if (tensor.byte_offset > byte_size) findings.soft(Status::kByteOffset, "HQ-MD-014");  // [A48]

  // No arithmetic on what is not known: dimensions, the width of private types, and how a scheme
  // stores its elements that was stepped over.   [HQ-MD-012, A52]
  if (has_dynamic_dimension(tensor) || find_element_type(tensor.type_tag) == nullptr) return;
  if (tensor.has(kHasQuantization) && !is_known_scheme(tensor.quantization.scheme_tag)) return;
  const std::optional<std::uint64_t> needed = needed_data_bytes(tensor);
  if (!needed.has_value() || *needed > byte_size) {
    findings.soft(Status::kDataBufferTooSmall, "HQ-PACK-012");  // [A47, A42]
  }
}

}  // namespace hurray
