// SPDX-License-Identifier: Apache-2.0
//
// The codec of scheme 01, in the order of its document: header, fields, validity, storage types.

#include "reference/per_tensor_affine.h"

#include <algorithm>

#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/scheme_header.h"

namespace hurray {
namespace {

constexpr std::uint8_t kSchemeTag = 0x01;
constexpr SchemeHeader kHeader = {kSchemeTag, kPerTensorAffineBytes, "HQ-PTA-003", "HQ-PTA-004",
                                  "HQ-PTA-015"};

constexpr std::size_t kTagAt = 0;
constexpr std::size_t kVersionAt = 1;
constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kScaleAt = 4;
constexpr std::size_t kZeroPointAt = 8;
constexpr std::size_t kReservedAt = 12;

// Finite and not zero. Nothing else: a negative or subnormal scale is legal.   [HQ-PTA-009]
Status check_scale(float scale) {
  if (is_nan(scale)) return Status::kScaleNan;             // [HQ-PTA-006]
  if (is_infinite(scale)) return Status::kScaleNotFinite;  // [HQ-PTA-007]
  if (is_zero(scale)) return Status::kScaleZero;           // [HQ-PTA-008, A07: -0 is a zero]
  return Status::kOk;
}

}  // namespace

Status decode(std::span<const std::uint8_t> bytes, PerTensorAffine& out, const Choices& choices) {
  // The first byte decides who reads the rest, so it is judged before the length: one byte 06 is an
  // unknown scheme, one byte 01 is too short.   [HQ-HDR-004, -005, -011..014]
  if (bytes.empty()) return Status::kTruncated;
  if (bytes[kTagAt] != kSchemeTag) return Status::kUnknownScheme;
  if (bytes.size() < kPerTensorAffineBytes) return Status::kTruncated;  // [HQ-PTA-015, A14]

  // Only version 1 has ever been defined. Newer ones are refused by the text, 0 by ruling A11.
  if (bytes[kVersionAt] != kSchemeVersion) return Status::kUnsupportedVersion;  // [HQ-PTA-003]

  // The scheme gives no flag a meaning, so all 16 are reserved.   [HQ-PTA-004, HQ-HDR-009]
  if (load_le16(&bytes[kFlagsAt]) != 0) return Status::kReservedFlag;

  const float scale = load_binary32(&bytes[kScaleAt]);  // [HQ-PTA-005]
  const Status scale_status = check_scale(scale);
  if (scale_status != Status::kOk) return scale_status;

  // Two's complement; what range is legal, only the tensor knows.   [HQ-PTA-010]
  const auto zero_point = static_cast<std::int32_t>(load_le32(&bytes[kZeroPointAt]));

  if (load_le32(&bytes[kReservedAt]) != 0) return Status::kReservedByte;  // [HQ-PTA-013]

  // Last, because a longer section is open to choice only if its first 16 bytes are valid. Skipping
  // means not looking at the rest at all.   [A12, A13]
  const bool longer = bytes.size() > kPerTensorAffineBytes;
  if (longer && choices.longer_section == LongerSection::kRefuse) return Status::kLongerThanScheme;

  out = {scale, zero_point};
  return Status::kOk;
}

Status validate(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag) {
  const Status scale_status = check_scale(descriptor.scale);
  if (scale_status != Status::kOk) return scale_status;

  // The ten integer types of at most 32 bits, and no other element type.   [HQ-PTA-016, -017]
  const StorageTypeInfo* const storage = find_storage_type(storage_type_tag);
  if (storage == nullptr) return Status::kStorageTypeNotAllowed;

  // The zero point is itself a value of the storage type. The comparison is made in 64 bits, where
  // the largest uint32 exists; an int32 field never reaches it.   [HQ-PTA-011, A03]
  const std::int64_t zero_point = descriptor.zero_point;
  if (zero_point < storage->min || zero_point > storage->max) return Status::kZeroPointOutOfRange;

  return Status::kOk;
}

Status decode_for(std::span<const std::uint8_t> bytes, std::uint8_t storage_type_tag,
                  PerTensorAffine& out, const Choices& choices) {
  PerTensorAffine descriptor{};
  const Status structure = decode(bytes, descriptor, choices);
  if (structure != Status::kOk) return structure;

  const Status validity = validate(descriptor, storage_type_tag);
  if (validity != Status::kOk) return validity;

  out = descriptor;
  return Status::kOk;
}

Status encode(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag,
              std::span<std::uint8_t> out) {
  // A writer is bound by what its readers would refuse.   [HQ-PTA-026, HQ-HDR-032]
  const Status validity = validate(descriptor, storage_type_tag);
  if (validity != Status::kOk) return validity;
  if (out.size() < kPerTensorAffineBytes) return Status::kBufferTooSmall;

  // Exactly 16 bytes, of which flags and the reserved four are zero.   [HQ-PTA-004, -013, -014]
  std::fill_n(out.begin(), kPerTensorAffineBytes, std::uint8_t{0});
  out[kTagAt] = kSchemeTag;                          // [HQ-PTA-001]
  out[kVersionAt] = kSchemeVersion;                  // [HQ-PTA-002, HQ-HDR-028]
  store_binary32(&out[kScaleAt], descriptor.scale);  // [HQ-PTA-005]
  store_le32(&out[kZeroPointAt],                     // [HQ-PTA-010]
             static_cast<std::uint32_t>(descriptor.zero_point));
  return Status::kOk;
}

void parse(std::span<const std::uint8_t> bytes, PerTensorAffine& out, Findings& findings) {
  if (!parse_scheme_header(kHeader, bytes, findings)) return;
  // This scheme has no member for its flags: nothing defines one, so they are judged here.
  judge_scheme_flags(kHeader, load_le16(&bytes[kFlagsAt]), 0, findings);
  if (load_le32(&bytes[kReservedAt]) != 0) findings.must(Status::kReservedByte, "HQ-PTA-013");
  out.scale = load_binary32(&bytes[kScaleAt]);
  out.zero_point = static_cast<std::int32_t>(load_le32(&bytes[kZeroPointAt]));
}

void judge(const PerTensorAffine& descriptor, std::uint8_t storage_type_tag, Findings& findings) {
  // All that validate() looks at, but not only the first of it.
  const auto must = [&](Status status) { findings.must(status, requirement_of(status)); };
  const Status scale_status = check_scale(descriptor.scale);
  if (scale_status != Status::kOk) must(scale_status);

  const StorageTypeInfo* const storage = find_storage_type(storage_type_tag);
  if (storage == nullptr) {
    must(Status::kStorageTypeNotAllowed);
  } else if (descriptor.zero_point < storage->min || descriptor.zero_point > storage->max) {
    must(Status::kZeroPointOutOfRange);
  }
}

}  // namespace hurray
