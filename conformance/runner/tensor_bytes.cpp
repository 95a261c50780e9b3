// SPDX-License-Identifier: Apache-2.0
//
// Parts of a tensor descriptor, see tensor_bytes.h.

#include "conformance/runner/tensor_bytes.h"

#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kHeaderBytes = 20;
constexpr std::size_t kHandleBytes = 16;
constexpr std::uint32_t kMostRank = 64;
constexpr std::uint8_t kStrided = 3;
constexpr std::uint32_t kHasQuantization = 1;

}  // namespace

std::optional<TensorBytes> find_parts(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  TensorBytes parts;
  parts.flags = load_le32(&bytes[10]);
  parts.type_tag = bytes[14];
  parts.layout_tag = bytes[15];
  parts.rank = load_le32(&bytes[16]);
  if (parts.rank > kMostRank || parts.layout_tag < 1 || parts.layout_tag > kStrided) {
    return std::nullopt;
  }
  parts.shape = kHeaderBytes;
  parts.byte_offset = parts.shape + std::size_t{8} * parts.rank;
  parts.layout = parts.byte_offset + 8;
  parts.buffer_count = parts.layout + (parts.layout_tag == kStrided ? 8 * parts.rank : 0);
  if (parts.buffer_count >= bytes.size()) return std::nullopt;
  parts.handle_count = bytes[parts.buffer_count];
  parts.handles = parts.buffer_count + 1;
  parts.behind_quantization = parts.handles + kHandleBytes * parts.handle_count;
  if (parts.behind_quantization > bytes.size()) return std::nullopt;
  if ((parts.flags & kHasQuantization) == 0) return parts;

  parts.quantization_length = parts.behind_quantization;
  if (bytes.size() - parts.quantization_length < 4) return std::nullopt;
  parts.quantization_bytes = load_le32(&bytes[parts.quantization_length]);
  parts.quantization = parts.quantization_length + 4;
  if (bytes.size() - parts.quantization < parts.quantization_bytes) return std::nullopt;
  parts.behind_quantization = parts.quantization + parts.quantization_bytes;
  return parts;
}

}  // namespace hurray::conformance
