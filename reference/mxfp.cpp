// SPDX-License-Identifier: Apache-2.0
//
// The codec of scheme 05, in the order of its document, and the value of an element.

#include "reference/mxfp.h"

#include <algorithm>
#include <array>
#include <bit>

#include "reference/byte_order.h"
#include "reference/scheme_header.h"
#include "reference/small_float.h"

namespace hurray {
namespace {

constexpr SchemeHeader kHeader = {0x05, kMxfpBytes, "HQ-MX-001", "HQ-MX-002", "HQ-MX-001"};

constexpr std::size_t kFlagsAt = 2;
constexpr std::size_t kAxisAt = 4;
constexpr std::size_t kBlockSizeAt = 8;
constexpr std::size_t kScaleIndexAt = 12;

constexpr std::uint32_t kSmallestBlock = 16;
constexpr std::uint32_t kLargestBlock = 2048;

// float8_e4m3 float8_e5m2 float4_e2m1 float6_e2m3 float6_e3m2 int8 int4.
constexpr std::array<std::uint8_t, 7> kStorageTags = {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48};

}  // namespace

bool is_mxfp_storage(std::uint8_t type_tag) {
  return std::ranges::find(kStorageTags, type_tag) != kStorageTags.end();
}

float mxfp_value(std::uint8_t scale_bits, float element_value) {
  // Both factors are exact, so the product is rounded once and correctly: to infinity beyond the
  // largest float, to a subnormal near zero. NaN and infinite elements stay so.   [HQ-MX-012..014,
  // A05, A39, A46]
  return widen_float8_e8m0(scale_bits) * element_value;
}

void parse(std::span<const std::uint8_t> bytes, Mxfp& out, Findings& findings) {
  if (!parse_scheme_header(kHeader, bytes, findings)) return;
  out.flags = load_le16(&bytes[kFlagsAt]);
  out.axis = load_le32(&bytes[kAxisAt]);
  out.block_size = load_le32(&bytes[kBlockSizeAt]);
  out.scale_buffer_index = load_le32(&bytes[kScaleIndexAt]);
}

void judge(const Mxfp& descriptor, std::uint8_t storage_type_tag, Findings& findings) {
  judge_scheme_flags(kHeader, descriptor.flags, 0, findings);

  // This document does tell its readers to refuse, whatever the size.   [HQ-MX-004]
  const std::uint32_t block_size = descriptor.block_size;
  if (block_size == 0) {
    findings.must(Status::kBlockSizeZero, "HQ-MX-004");
  } else if (!std::has_single_bit(block_size) || block_size < kSmallestBlock ||
             block_size > kLargestBlock) {
    findings.must(Status::kBlockSizeNotAllowed, "HQ-MX-004");
  }

  if (!is_mxfp_storage(storage_type_tag)) {
    findings.must(Status::kStorageTypeNotAllowed, "HQ-MX-016");
  }
}

Status encode(const Mxfp& descriptor, std::uint8_t storage_type_tag, std::span<std::uint8_t> out) {
  Findings findings;
  judge(descriptor, storage_type_tag, findings);
  if (findings.for_writer() != Status::kOk) return findings.for_writer();
  if (out.size() < kMxfpBytes) return Status::kBufferTooSmall;

  write_scheme_header(kHeader, descriptor.flags, out);
  store_le32(&out[kAxisAt], descriptor.axis);
  store_le32(&out[kBlockSizeAt], descriptor.block_size);
  store_le32(&out[kScaleIndexAt], descriptor.scale_buffer_index);
  return Status::kOk;
}

}  // namespace hurray
