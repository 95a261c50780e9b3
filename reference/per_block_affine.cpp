// SPDX-License-Identifier: Apache-2.0
//
// The codec of scheme 03, in the order of its document.

#include "reference/per_block_affine.h"

#include <bit>

#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/per_channel_affine.h"
#include "reference/scheme_header.h"

namespace hurray {
namespace {

constexpr SchemeHeader kHeader = {0x03, kPerBlockAffineBytes, "HQ-PBA-002", "HQ-PBA-003",
                                  "HQ-PBA-032"};

constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kAxisAt = 4;
constexpr std::size_t kBlockSizeAt = 8;
constexpr std::size_t kScaleIndexAt = 12;
constexpr std::size_t kZeroPointIndexAt = 16;
constexpr std::size_t kScaleTypeAt = 20;
constexpr std::size_t kReservedAt = 21;

constexpr std::uint32_t kSmallestBlock = 2;

// int8 uint8 int4 uint4 int2 uint2: those of the ten with at most 8 bits.   [HQ-PBA-030]
bool is_storage(std::uint8_t type_tag) {
  const StorageTypeInfo* const info = find_storage_type(type_tag);
  return info != nullptr && info->bits <= 8;
}

}  // namespace

void parse(std::span<const std::uint8_t> bytes, PerBlockAffine& out, Findings& findings) {
  if (!parse_scheme_header(kHeader, bytes, findings)) return;
  out.flags = load_le16(&bytes[kFlagsAt]);
  out.axis = load_le32(&bytes[kAxisAt]);
  out.block_size = load_le32(&bytes[kBlockSizeAt]);
  out.scale_buffer_index = load_le32(&bytes[kScaleIndexAt]);
  out.zero_point_buffer_index = load_le32(&bytes[kZeroPointIndexAt]);
  out.scale_type_tag = bytes[kScaleTypeAt];
  // No sentence tells readers of this scheme to look at them, so a warning is all.   [A60]
  if (load_le(&bytes[kReservedAt], 3) != 0) {
    findings.soft(Status::kReservedByte, "HQ-PBA-012");
  }
}

void judge(const PerBlockAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings) {
  judge_scheme_flags(kHeader, descriptor.flags, kSymmetric, findings);

  // Zero leaves no block map at all. Other sizes do leave one, and are only forbidden.   [A60]
  if (descriptor.block_size == 0) {
    findings.must(Status::kBlockSizeZero, "HQ-PBA-005");
  } else if (!std::has_single_bit(descriptor.block_size)) {
    findings.soft(Status::kBlockSizeNotAllowed, "HQ-PBA-005");
  } else if (descriptor.block_size < kSmallestBlock) {
    findings.soft(Status::kBlockSizeNotAllowed, "HQ-PBA-006");
  }

  // float16, bfloat16, float32. Another width cannot be interpreted.   [HQ-PBA-011, A60]
  if (descriptor.scale_type_tag < 0x01 || descriptor.scale_type_tag > 0x03) {
    findings.must(Status::kScaleTypeNotAllowed, "HQ-PBA-011");
  }

  // Here a reader may ignore the index of a symmetric descriptor.   [HQ-PBA-014, A17, A19]
  const bool symmetric = (descriptor.flags & kSymmetric) != 0;
  const bool no_index = descriptor.zero_point_buffer_index == kNoBufferIndex;
  if (symmetric && !no_index) {
    findings.open(Behaviour::kSymmetricIndex, Status::kSymmetricWithIndex, "HQ-PBA-014");
  } else if (!symmetric && no_index) {
    findings.must(Status::kAsymmetricWithoutIndex, "HQ-PBA-016");
  }

  if (!is_storage(storage_type_tag)) {
    findings.must(Status::kStorageTypeNotAllowed, "HQ-PBA-031");
  }
}

Status encode(const PerBlockAffine& descriptor, std::uint8_t storage_type_tag,
              std::span<std::uint8_t> out) {
  Findings findings;
  judge(descriptor, storage_type_tag, findings);
  if (findings.for_writer() != Status::kOk) return findings.for_writer();
  if (out.size() < kPerBlockAffineBytes) return Status::kBufferTooSmall;

  // What readers may ignore, writers must not write.   [HQ-PBA-013, A17]
  const bool symmetric = (descriptor.flags & kSymmetric) != 0;
  write_scheme_header(kHeader, descriptor.flags, out);
  store_le32(&out[kAxisAt], descriptor.axis);
  store_le32(&out[kBlockSizeAt], descriptor.block_size);
  store_le32(&out[kScaleIndexAt], descriptor.scale_buffer_index);
  store_le32(&out[kZeroPointIndexAt],
             symmetric ? kNoBufferIndex : descriptor.zero_point_buffer_index);
  out[kScaleTypeAt] = descriptor.scale_type_tag;
  return Status::kOk;
}

}  // namespace hurray
