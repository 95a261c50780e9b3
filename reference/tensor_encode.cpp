// SPDX-License-Identifier: Apache-2.0
//
// Writing, in the order of the wire, after everything has been judged and counted: a descriptor
// that cannot be finished is not begun.

#include <algorithm>

#include "reference/byte_order.h"
#include "reference/tensor.h"

namespace hurray {
namespace {

constexpr std::uint8_t kMagic[] = {0x48, 0x52, 0x52, 0x59};  // HRRY

class Writer {
 public:
  explicit Writer(std::span<std::uint8_t> out) : rest_(out) {}

  // Room for the next `count` bytes, which the caller fills.
  std::span<std::uint8_t> next(std::size_t count) {
    const auto room = rest_.first(count);
    rest_ = rest_.subspan(count);
    return room;
  }
  void number(unsigned bytes, std::uint64_t value) { store_le(next(bytes).data(), bytes, value); }
  void copy(std::span<const std::uint8_t> bytes) {
    std::ranges::copy(bytes, next(bytes.size()).begin());
  }

 private:
  std::span<std::uint8_t> rest_;
};

void write_header(const Tensor& tensor, std::size_t length, Writer& writer) {
  writer.copy(kMagic);
  writer.number(1, 1);  // the lowest version that has all of this   [HQ-MD-039]
  writer.number(1, 0);
  writer.number(4, length);
  writer.number(4, tensor.flags);
  writer.number(1, tensor.type_tag);
  writer.number(1, tensor.layout_tag);
  writer.number(4, tensor.rank);
}

void write_buffer_table(const Tensor& tensor, Writer& writer) {
  writer.number(1, tensor.buffer_count);
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
    const BufferHandle& handle = tensor.buffers[i];
    writer.number(8, handle.byte_size);
    writer.number(4, handle.alignment);
    writer.number(1, handle.device_tag);
    writer.number(1, handle.sync_mode);
    writer.number(1, handle.memory_class);
    writer.number(1, 0);  // reserved   [HQ-MD-021]
  }
}

}  // namespace

std::size_t encoded_tensor_bytes(const Tensor& tensor) {
  // At most 7 kilobytes: rank and table are bounded.
  constexpr std::size_t kPerDimension = 8;
  std::size_t bytes = kTensorHeaderBytes + tensor.rank * kPerDimension + 8;
  if (tensor.layout_tag == kLayoutStrided) bytes += tensor.rank * kPerDimension;
  bytes += 1 + tensor.buffer_count * kBufferHandleBytes;
  if (tensor.has(kHasQuantization)) bytes += 4 + scheme_bytes(tensor.quantization.scheme_tag);
  if (tensor.has(kHasShard)) bytes += 2 * tensor.rank * kPerDimension;
  if (tensor.has(kHasStatistics)) bytes += kStatisticsBytes;
  if (tensor.has(kHasExtensionType)) bytes += kExtensionTypeBytes;
  if (tensor.has(kHasCompositeMember)) bytes += kCompositeMemberBytes;
  return bytes;
}

Status encode_tensor(const Tensor& tensor, std::span<std::uint8_t> out, std::size_t& written) {
  // A writer is bound by what its readers would refuse.   [HQ-HDR-032]
  Findings findings;
  judge_tensor(tensor, findings);
  if (findings.for_writer() != Status::kOk) return findings.for_writer();

  // The scheme is written aside, so that a refusal leaves `out` alone.
  std::array<std::uint8_t, kLongestSchemeBytes> scheme{};
  std::size_t scheme_length = 0;
  if (tensor.has(kHasQuantization)) {
    const Status status =
        encode_quantization(tensor.quantization, tensor.type_tag, scheme, scheme_length);
    if (status != Status::kOk) return status;
  }
  const std::size_t length = encoded_tensor_bytes(tensor);
  if (out.size() < length) return Status::kBufferTooSmall;

  Writer writer(out);
  write_header(tensor, length, writer);
  for (std::uint32_t d = 0; d < tensor.rank; ++d) writer.number(8, tensor.shape[d]);
  writer.number(8, tensor.byte_offset);
  if (tensor.layout_tag == kLayoutStrided) {
    for (std::uint32_t d = 0; d < tensor.rank; ++d) {
      writer.number(8, static_cast<std::uint64_t>(tensor.strides[d]));
    }
  }
  write_buffer_table(tensor, writer);

  // In this order, and exactly as long as its fields.   [HQ-MD-002, -011, A12]
  if (tensor.has(kHasQuantization)) {
    writer.number(4, scheme_length);
    writer.copy(std::span(scheme).first(scheme_length));
  }
  if (tensor.has(kHasShard)) {
    for (std::uint32_t d = 0; d < tensor.rank; ++d) writer.number(8, tensor.parent_shape[d]);
    for (std::uint32_t d = 0; d < tensor.rank; ++d) writer.number(8, tensor.shard_offset[d]);
  }
  if (tensor.has(kHasStatistics)) writer.copy(tensor.statistics);
  if (tensor.has(kHasExtensionType)) writer.copy(tensor.extension_type);
  if (tensor.has(kHasCompositeMember)) {
    writer.number(1, tensor.member_role);
    std::ranges::fill(writer.next(kCompositeMemberBytes - 1), std::uint8_t{0});
  }
  written = length;
  return Status::kOk;
}

}  // namespace hurray
