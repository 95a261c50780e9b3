// SPDX-License-Identifier: Apache-2.0
//
// What do the descriptors of all schemes begin with? Tag, version and flags, judged alike; only the
// rows differ that say so. Source: quantization.md §Descriptor Header, rows HQ-HDR.

#ifndef HURRAY_REFERENCE_SCHEME_HEADER_H
#define HURRAY_REFERENCE_SCHEME_HEADER_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/findings.h"

namespace hurray {

struct SchemeHeader {
  std::uint8_t scheme_tag;
  std::size_t bytes;  // of the whole descriptor
  // The rows that speak.
  std::string_view version_row;
  std::string_view flags_row;
  std::string_view length_row;
};

inline constexpr std::uint8_t kSchemeVersion = 0x01;

// Judges tag, length and version. Whether the fields can be read: the tag is the scheme's and there
// are as many bytes as it has.
bool parse_scheme_header(const SchemeHeader& header, std::span<const std::uint8_t> bytes,
                         Findings& findings);

// Judges the flags word, of which the scheme defines the bits of `known`.
void judge_scheme_flags(const SchemeHeader& header, std::uint16_t flags, std::uint16_t known,
                        Findings& findings);

// Writes the four bytes of the header, and zeros for the fields.
//   out   at least header.bytes bytes
void write_scheme_header(const SchemeHeader& header, std::uint16_t flags,
                         std::span<std::uint8_t> out);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_SCHEME_HEADER_H
