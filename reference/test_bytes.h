// SPDX-License-Identifier: Apache-2.0
//
// Bytes for tests: written as hexadecimal text, changed one at a time, and what was found in them.

#ifndef HURRAY_REFERENCE_TEST_BYTES_H
#define HURRAY_REFERENCE_TEST_BYTES_H

#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/byte_order.h"
#include "reference/findings.h"

namespace hurray {

using Bytes = std::vector<std::uint8_t>;

// "48 52" or "4852".
inline Bytes hex(std::string_view text) {
  Bytes bytes;
  std::string digits;
  for (const char c : text) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

// A copy with `count` bytes at `offset` set to the little-endian `value`.
inline Bytes with(Bytes bytes, std::size_t offset, unsigned count, std::uint64_t value) {
  store_le(&bytes[offset], count, value);
  return bytes;
}

inline Bytes first_of(const Bytes& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The array as it lies in memory.
inline Bytes floats(const std::vector<float>& values) {
  Bytes bytes(values.size() * 4);
  for (std::size_t i = 0; i < values.size(); ++i) store_binary32(&bytes[4 * i], values[i]);
  return bytes;
}
inline Bytes int32s(const std::vector<std::int32_t>& values) {
  Bytes bytes(values.size() * 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_le32(&bytes[4 * i], static_cast<std::uint32_t>(values[i]));
  }
  return bytes;
}

// What a failing expectation shows.
inline std::ostream& operator<<(std::ostream& stream, const Findings& findings) {
  constexpr std::string_view kNames[] = {"must", "soft", "open", "lenient"};
  if (findings.empty()) return stream << "nothing found";
  for (const Finding& finding : findings.all()) {
    stream << kNames[static_cast<unsigned>(finding.severity)] << " " << finding.requirement << " "
           << text_of(finding.status) << "; ";
  }
  return stream;
}

// Whether exactly this was found: one finding, with this status and severity.
inline bool is_only(const Findings& findings, Severity severity, Status status) {
  return findings.all().size() == 1 && findings.all()[0].severity == severity &&
         findings.all()[0].status == status;
}
inline bool is_only(const Findings& findings, Behaviour behaviour) {
  return findings.all().size() == 1 && findings.all()[0].behaviour == behaviour;
}

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TEST_BYTES_H
