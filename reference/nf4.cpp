// SPDX-License-Identifier: Apache-2.0
//
// The codec of scheme 04, in the order of its document, and the value of a code.

#include "reference/nf4.h"

#include <bit>

#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/scheme_header.h"

namespace hurray {
namespace {

constexpr SchemeHeader kHeader = {0x04, kNf4Bytes, "HQ-NF4-001", "HQ-NF4-002", "HQ-NF4-001"};

constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kAxisAt = 4;
constexpr std::size_t kBlockSizeAt = 8;
constexpr std::size_t kScaleIndexAt = 12;

constexpr std::uint32_t kSmallestBlock = 8;

}  // namespace

float nf4_value(float scale, unsigned code, const Choices& choices) {
  // One product, nearest-even; its zeros have a sign by IEEE 754, which is not told apart by the
  // text.   [HQ-NF4-010, A05, A36]
  const float product = scale * std::bit_cast<float>(kNf4LevelBits[code]);
  return is_zero(product) && choices.nf4_zeros == Nf4Zeros::kPositive ? 0.0f : product;
}

void parse(std::span<const std::uint8_t> bytes, Nf4& out, Findings& findings) {
  if (!parse_scheme_header(kHeader, bytes, findings)) return;
  out.flags = load_le16(&bytes[kFlagsAt]);
  out.axis = load_le32(&bytes[kAxisAt]);
  out.block_size = load_le32(&bytes[kBlockSizeAt]);
  out.scale_buffer_index = load_le32(&bytes[kScaleIndexAt]);
}

void judge(const Nf4& descriptor, std::uint8_t storage_type_tag, Findings& findings) {
  judge_scheme_flags(kHeader, descriptor.flags, 0, findings);

  // As in the per-block scheme, only zero leaves nothing to interpret.   [HQ-NF4-004, A60]
  if (descriptor.block_size == 0) {
    findings.must(Status::kBlockSizeZero, "HQ-NF4-004");
  } else if (!std::has_single_bit(descriptor.block_size) ||
             descriptor.block_size < kSmallestBlock) {
    findings.soft(Status::kBlockSizeNotAllowed, "HQ-NF4-004");
  }

  if (storage_type_tag != static_cast<std::uint8_t>(StorageType::kUint4)) {
    findings.must(Status::kStorageTypeNotAllowed, "HQ-NF4-014");
  }
}

Status encode(const Nf4& descriptor, std::uint8_t storage_type_tag, std::span<std::uint8_t> out) {
  Findings findings;
  judge(descriptor, storage_type_tag, findings);
  if (findings.for_writer() != Status::kOk) return findings.for_writer();
  if (out.size() < kNf4Bytes) return Status::kBufferTooSmall;

  write_scheme_header(kHeader, descriptor.flags, out);
  store_le32(&out[kAxisAt], descriptor.axis);
  store_le32(&out[kBlockSizeAt], descriptor.block_size);
  store_le32(&out[kScaleIndexAt], descriptor.scale_buffer_index);
  return Status::kOk;
}

}  // namespace hurray
