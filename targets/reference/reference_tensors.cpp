// SPDX-License-Identifier: Apache-2.0
//
// Whole tensors: the struct of the table and that of the reference have the same members.

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "reference/dequantize_tensor.h"
#include "reference/tensor.h"
#include "reference_target.h"

namespace hurray::as_target {
namespace {

void tensor_to_table(const Tensor& from, hurray_tensor& to) {
  to = {};
  to.descriptor_length = from.descriptor_length;
  to.version_major = from.version_major;
  to.version_minor = from.version_minor;
  to.type_tag = from.type_tag;
  to.layout_tag = from.layout_tag;
  to.flags = from.flags;
  to.rank = from.rank;
  std::ranges::copy(from.shape, to.shape);
  std::ranges::copy(from.strides, to.strides);
  to.byte_offset = from.byte_offset;
  to.buffer_count = from.buffer_count;
  std::ranges::transform(from.buffers, to.buffers, [](const BufferHandle& handle) {
    return hurray_buffer_handle{handle.byte_size, handle.alignment, handle.device_tag,
                                handle.sync_mode, handle.memory_class};
  });
  to.quantization = to_table(from.quantization);
  std::ranges::copy(from.parent_shape, to.parent_shape);
  std::ranges::copy(from.shard_offset, to.shard_offset);
  std::ranges::copy(from.statistics, to.statistics);
  std::ranges::copy(from.extension_type, to.extension_type);
  to.member_role = from.member_role;
}

// What a descriptor does not have need not be set in the table, so it stays zero. Counts that are
// too large are for the reference to refuse: no member beyond the arrays is carried over for them.
std::unique_ptr<Tensor> tensor_from_table(const hurray_tensor& from) {
  auto to = std::make_unique<Tensor>();
  const std::size_t rank = std::min<std::size_t>(from.rank, kMostRank);
  const std::size_t buffers = std::min<std::size_t>(from.buffer_count, kMostBuffers);
  to->descriptor_length = from.descriptor_length;
  to->version_major = from.version_major;
  to->version_minor = from.version_minor;
  to->type_tag = from.type_tag;
  to->layout_tag = from.layout_tag;
  to->flags = from.flags;
  to->rank = from.rank;
  std::copy_n(from.shape, rank, to->shape.begin());
  if (from.layout_tag == kLayoutStrided) std::copy_n(from.strides, rank, to->strides.begin());
  to->byte_offset = from.byte_offset;
  to->buffer_count = from.buffer_count;
  std::transform(from.buffers, from.buffers + buffers, to->buffers.begin(),
                 [](const hurray_buffer_handle& handle) {
                   return BufferHandle{handle.byte_size, handle.alignment, handle.device_tag,
                                       handle.sync_mode, handle.memory_class};
                 });
  if (to->has(kHasQuantization)) to->quantization = from_table(from.quantization);
  if (to->has(kHasShard)) {
    std::copy_n(from.parent_shape, rank, to->parent_shape.begin());
    std::copy_n(from.shard_offset, rank, to->shard_offset.begin());
  }
  if (to->has(kHasStatistics)) std::ranges::copy(from.statistics, to->statistics.begin());
  if (to->has(kHasExtensionType)) {
    std::ranges::copy(from.extension_type, to->extension_type.begin());
  }
  if (to->has(kHasCompositeMember)) to->member_role = from.member_role;
  return to;
}

}  // namespace

hurray_status decode_tensor(std::uint32_t mode, const std::uint8_t* bytes, std::size_t length,
                            hurray_tensor* out) {
  const auto tensor = std::make_unique<Tensor>();
  Findings findings;
  parse_tensor({bytes, length}, *tensor, findings, mode_of(mode));
  const hurray_status status = status_of(findings);
  if (status == HURRAY_OK) tensor_to_table(*tensor, *out);
  return status;
}

hurray_status encode_tensor(const hurray_tensor* tensor, std::uint8_t* out, std::size_t capacity,
                            std::size_t* written) {
  const bool is_quantized = (tensor->flags & HURRAY_HAS_QUANTIZATION) != 0;
  if (is_quantized && !has_own_fields_only(tensor->quantization)) return HURRAY_REJECTED;
  return status_of(encode_tensor(*tensor_from_table(*tensor), {out, capacity}, *written));
}

hurray_status dequantize_tensor(std::uint32_t mode, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* out,
                                std::size_t count) {
  const auto described = tensor_from_table(*tensor);
  Findings findings;
  judge_tensor(*described, findings, mode_of(mode));
  if (status_of(findings) != HURRAY_OK) return HURRAY_REJECTED;

  std::array<std::span<const std::uint8_t>, kMostBuffers> spans;
  const std::size_t given = std::min<std::size_t>(buffers->count, spans.size());
  for (std::size_t i = 0; i < given; ++i) {
    spans[i] = {buffers->bytes[i], static_cast<std::size_t>(buffers->byte_sizes[i])};
  }
  const TensorBuffers all(spans.data(), given);
  // Before anything is written: the reference computes with what is found softly.
  judge_contents(*described, all, findings);
  if (status_of(findings) != HURRAY_OK) return HURRAY_REJECTED;
  return dequantize_tensor(*described, all, out, count, findings) ? HURRAY_OK : HURRAY_REJECTED;
}

}  // namespace hurray::as_target
