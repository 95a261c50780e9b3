// SPDX-License-Identifier: Apache-2.0
//
// What the tests of schemes 02 to 05 do alike: read bytes with all that is found, and start each
// refusal from a valid descriptor.

#ifndef HURRAY_REFERENCE_TEST_SCHEMES_H
#define HURRAY_REFERENCE_TEST_SCHEMES_H

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/quantization.h"
#include "reference/test_bytes.h"

namespace hurray {

inline Findings found_in(const Bytes& bytes, std::uint8_t type, Quantization& out) {
  Findings findings;
  parse_quantization(bytes, type, out, findings);
  return findings;
}
inline Findings found_in(const Bytes& bytes, std::uint8_t type) {
  Quantization out;
  return found_in(bytes, type, out);
}

inline void expect_valid(const Bytes& bytes, std::uint8_t type) {
  EXPECT_TRUE(found_in(bytes, type).empty()) << found_in(bytes, type);
}
inline void expect_must(Status status, const Bytes& bytes, std::uint8_t type) {
  EXPECT_TRUE(is_only(found_in(bytes, type), Severity::kMust, status)) << found_in(bytes, type);
}
inline void expect_soft(Status status, const Bytes& bytes, std::uint8_t type) {
  EXPECT_TRUE(is_only(found_in(bytes, type), Severity::kSoft, status)) << found_in(bytes, type);
}
inline void expect_open(Behaviour behaviour, const Bytes& bytes, std::uint8_t type) {
  EXPECT_TRUE(is_only(found_in(bytes, type), behaviour)) << found_in(bytes, type);
}

// Length, version and flags, which are the same in every scheme.
//   known_flags   bits that the scheme defines
inline void expect_header_rules(const Bytes& valid, std::uint8_t type, unsigned known_flags) {
  expect_valid(valid, type);
  // Each prefix is a buffer of its own, so that a sanitizer sees the first byte too many.
  for (std::size_t length = 0; length < valid.size(); ++length) {
    expect_must(Status::kTruncated, first_of(valid, length), type);
  }
  for (std::size_t tail = 1; tail <= 64; ++tail) {  // ruling A12
    expect_open(Behaviour::kLongerSection, valid + Bytes(tail, 0xde), type);
  }
  for (unsigned version = 2; version < 256; ++version) {
    expect_must(Status::kUnsupportedVersion, with(valid, 1, 1, version), type);
  }
  expect_soft(Status::kUnsupportedVersion, with(valid, 1, 1, 0), type);  // ruling A11
  for (unsigned bit = 0; bit < 16; ++bit) {
    const unsigned flag = 1u << bit;
    if ((known_flags & flag) != 0) continue;
    expect_must(Status::kReservedFlag, with(valid, 2, 2, flag), type);
  }
}

// Every tag but those listed is refused as a storage type.
inline void expect_storage_types(const Bytes& valid, const Bytes& tags) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    const auto type = static_cast<std::uint8_t>(tag);
    if (std::find(tags.begin(), tags.end(), type) != tags.end()) {
      expect_valid(valid, type);
    } else {
      expect_must(Status::kStorageTypeNotAllowed, valid, type);
    }
  }
}

// The bytes come back from an encoder that has room, and nothing is written without.
inline void expect_round_trip(const Bytes& valid, std::uint8_t type) {
  Quantization out;
  ASSERT_TRUE(found_in(valid, type, out).empty());
  Bytes again(valid.size() + 3, 0xee);
  std::size_t written = 0;
  EXPECT_EQ(encode_quantization(out, type, again, written), Status::kOk);
  EXPECT_EQ(written, valid.size());
  EXPECT_EQ(again, valid + Bytes(3, 0xee));
  for (std::size_t room = 0; room < valid.size(); ++room) {
    Bytes small(room, 0xee);
    EXPECT_EQ(encode_quantization(out, type, small, written), Status::kBufferTooSmall);
    EXPECT_EQ(small, Bytes(room, 0xee));
  }
}

// An encoder refuses these fields and touches nothing.
template <typename Descriptor>
void expect_unwritten(Status expected, const Descriptor& descriptor, std::uint8_t type) {
  Bytes out(32, 0xee);
  EXPECT_EQ(encode(descriptor, type, out), expected);
  EXPECT_EQ(out, Bytes(32, 0xee));
}

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TEST_SCHEMES_H
