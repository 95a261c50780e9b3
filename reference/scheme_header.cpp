// SPDX-License-Identifier: Apache-2.0
//
// Tag, length, version, in this order.

#include "reference/scheme_header.h"

#include <algorithm>

#include "reference/byte_order.h"

namespace hurray {

bool parse_scheme_header(const SchemeHeader& header, std::span<const std::uint8_t> bytes,
                         Findings& findings) {
  // The first byte decides who reads the rest, so it is judged before the length.   [HQ-HDR-004]
  if (bytes.empty()) {
    findings.must(Status::kTruncated, header.length_row);
    return false;
  }
  if (bytes[0] != header.scheme_tag) {
    findings.must(Status::kUnknownScheme, "HQ-HDR-005");
    return false;
  }
  if (bytes.size() < header.bytes) {
    findings.must(Status::kTruncated, header.length_row);  // [A14]
    return false;
  }

  // Newer versions are refused by the text; 0 was never defined, and only ruling A11 says so.
  const std::uint8_t version = bytes[1];
  if (version > kSchemeVersion) {
    findings.must(Status::kUnsupportedVersion, header.version_row);  // [HQ-HDR-008, -027]
  } else if (version < kSchemeVersion) {
    findings.soft(Status::kUnsupportedVersion, header.version_row);
  }

  // Bytes behind the fields are skipped or refused, and in no case read.   [A12, A13]
  if (bytes.size() > header.bytes) {
    findings.open(Behaviour::kLongerSection, Status::kLongerThanScheme, "HQ-HDR-030");
  }
  return true;
}

void judge_scheme_flags(const SchemeHeader& header, std::uint16_t flags, std::uint16_t known,
                        Findings& findings) {
  if ((flags & ~unsigned{known}) != 0) {
    findings.must(Status::kReservedFlag, header.flags_row);  // [HQ-HDR-009]
  }
}

void write_scheme_header(const SchemeHeader& header, std::uint16_t flags,
                         std::span<std::uint8_t> out) {
  std::fill_n(out.begin(), header.bytes, std::uint8_t{0});
  out[0] = header.scheme_tag;
  out[1] = kSchemeVersion;  // [HQ-HDR-028]
  store_le16(&out[2], flags);
}

}  // namespace hurray
