// SPDX-License-Identifier: Apache-2.0
//
// The codec of scheme 02, in the order of its document.

#include "reference/per_channel_affine.h"

#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/scheme_header.h"

namespace hurray {
namespace {

constexpr SchemeHeader kHeader = {0x02, kPerChannelAffineBytes, "HQ-PCA-002", "HQ-PCA-003",
                                  "HQ-PCA-026"};
constexpr std::uint8_t kFloat32Tag = 0x03;

constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kAxisAt = 4;
constexpr std::size_t kScaleIndexAt = 8;
constexpr std::size_t kZeroPointIndexAt = 12;
constexpr std::size_t kScaleTypeAt = 16;
constexpr std::size_t kReservedAt = 17;

}  // namespace

void parse(std::span<const std::uint8_t> bytes, PerChannelAffine& out, Findings& findings) {
  if (!parse_scheme_header(kHeader, bytes, findings)) return;
  out.flags = load_le16(&bytes[kFlagsAt]);
  out.axis = load_le32(&bytes[kAxisAt]);
  out.scale_buffer_index = load_le32(&bytes[kScaleIndexAt]);
  out.zero_point_buffer_index = load_le32(&bytes[kZeroPointIndexAt]);
  out.scale_type_tag = bytes[kScaleTypeAt];
  if (load_le(&bytes[kReservedAt], 3) != 0) {
    findings.must(Status::kReservedByte, "HQ-PCA-009");
  }
}

void judge(const PerChannelAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings) {
  judge_scheme_flags(kHeader, descriptor.flags, kSymmetric, findings);

  // Scales are binary32; the field exists for types that a later version may allow.   [HQ-PCA-008]
  if (descriptor.scale_type_tag != kFloat32Tag) {
    findings.must(Status::kScaleTypeNotAllowed, "HQ-PCA-008");
  }

  // No array, no index; and no index, no array. That index 0 is refused is a sentence of its own;
  // any other index beside SYMMETRIC only breaks what a writer has to do.   [A18, A19]
  const bool symmetric = (descriptor.flags & kSymmetric) != 0;
  const bool no_index = descriptor.zero_point_buffer_index == kNoBufferIndex;
  if (symmetric && descriptor.zero_point_buffer_index == 0) {
    findings.must(Status::kSymmetricWithIndex, "HQ-PCA-017");
  } else if (symmetric && !no_index) {
    findings.soft(Status::kSymmetricWithIndex, "HQ-PCA-006");
  } else if (!symmetric && no_index) {
    findings.must(Status::kAsymmetricWithoutIndex, "HQ-PCA-007");
  }

  // The ten types of the per-tensor scheme, and no other.   [HQ-PCA-024, -025]
  if (find_storage_type(storage_type_tag) == nullptr) {
    findings.must(Status::kStorageTypeNotAllowed, "HQ-PCA-025");
  }
}

Status encode(const PerChannelAffine& descriptor, std::uint8_t storage_type_tag,
              std::span<std::uint8_t> out) {
  // A writer is bound by what its readers would refuse.   [HQ-HDR-032]
  Findings findings;
  judge(descriptor, storage_type_tag, findings);
  if (findings.for_writer() != Status::kOk) return findings.for_writer();
  if (out.size() < kPerChannelAffineBytes) return Status::kBufferTooSmall;

  write_scheme_header(kHeader, descriptor.flags, out);
  store_le32(&out[kAxisAt], descriptor.axis);
  store_le32(&out[kScaleIndexAt], descriptor.scale_buffer_index);
  store_le32(&out[kZeroPointIndexAt], descriptor.zero_point_buffer_index);
  out[kScaleTypeAt] = descriptor.scale_type_tag;
  return Status::kOk;
}

}  // namespace hurray
