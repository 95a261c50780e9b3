// SPDX-License-Identifier: Apache-2.0
//
// Where in the bytes of a tensor descriptor does what lie? Offsets of its parts, by the lengths
// that it states itself, as far as they can be followed. Judges nothing; the reference does that.

#ifndef HURRAY_CONFORMANCE_TENSOR_BYTES_H
#define HURRAY_CONFORMANCE_TENSOR_BYTES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hurray::conformance {

struct TensorBytes {
  std::uint8_t type_tag = 0;
  std::uint8_t layout_tag = 0;
  std::uint32_t flags = 0;
  std::uint32_t rank = 0;
  std::size_t shape = 0;        // offset of the first dimension
  std::size_t byte_offset = 0;  // of the field of that name
  std::size_t layout = 0;       // of the fields of the layout
  std::size_t buffer_count = 0;
  std::size_t handles = 0;
  unsigned handle_count = 0;
  // Of the quantization descriptor and its length; 0 if there is none.
  std::size_t quantization_length = 0;
  std::size_t quantization = 0;
  std::size_t quantization_bytes = 0;
  std::size_t behind_quantization = 0;  // offset of the next section
};

// Nothing where a part lies outside `bytes`, or the layout is none of the dense ones.
std::optional<TensorBytes> find_parts(std::span<const std::uint8_t> bytes);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_TENSOR_BYTES_H
