// SPDX-License-Identifier: Apache-2.0
//
// Does the first byte lead to the right scheme, and nowhere if there is none?

#include "reference/quantization.h"

#include <gtest/gtest.h>

#include "reference/test_schemes.h"

namespace hurray {
namespace {

constexpr std::uint8_t kInt8 = 0x10;

const Bytes kPerTensor = hex("010100000000003f0300000000000000");

Findings found_permissively(const Bytes& bytes) {
  Quantization out;
  Findings findings;
  parse_quantization(bytes, kInt8, out, findings, Mode::kPermissive);
  return findings;
}

// HQ-HDR-004, -005, -011 to -014: one byte is enough to know that a scheme is unknown.
TEST(Quantization, EveryUnknownTagIsRefusedInStrictMode) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag >= 1 && tag <= 5) continue;
    expect_must(Status::kUnknownScheme, {static_cast<std::uint8_t>(tag)}, kInt8);
    expect_must(Status::kUnknownScheme, with(kPerTensor, 0, 1, tag), kInt8);
  }
  expect_must(Status::kTruncated, {}, kInt8);
}

// Ruling A52.
TEST(Quantization, APermissiveReaderMayStepOverUnknownSchemes) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag >= 1 && tag <= 5) continue;
    const Findings findings = found_permissively(with(kPerTensor, 0, 1, tag));
    if (tag == 0x00 || tag == 0xff) {
      EXPECT_TRUE(is_only(findings, Severity::kMust, Status::kUnknownScheme)) << findings;
    } else {
      EXPECT_TRUE(is_only(findings, Behaviour::kUnknownScheme)) << findings;
    }
  }
  EXPECT_TRUE(found_permissively(hex("06 01 00")).has_must());  // not even a header
  EXPECT_TRUE(found_permissively(hex("06 01 00 00")).has(Behaviour::kUnknownScheme));
  EXPECT_TRUE(found_permissively(with(kPerTensor, 1, 1, 2)).has_must());
}

TEST(Quantization, ThePerTensorSchemeIsJudgedLikeTheOthers) {
  expect_header_rules(kPerTensor, kInt8, 0);
  expect_round_trip(kPerTensor, kInt8);
  for (unsigned bit = 0; bit < 32; ++bit) {
    expect_must(Status::kReservedByte, with(kPerTensor, 12, 4, 1u << bit), kInt8);
  }
  expect_must(Status::kScaleNan, with(kPerTensor, 4, 4, 0x7f800001), kInt8);
  expect_must(Status::kScaleNotFinite, with(kPerTensor, 4, 4, 0xff800000), kInt8);
  expect_must(Status::kScaleZero, with(kPerTensor, 4, 4, 0x80000000), kInt8);
  expect_must(Status::kZeroPointOutOfRange, with(kPerTensor, 8, 4, 128), kInt8);
  expect_storage_types(with(kPerTensor, 8, 4, 0), hex("10 11 12 13 14 15 48 49 4a 4b"));
}

TEST(Quantization, LengthsAreThoseOfTheSchemes) {
  const std::size_t lengths[] = {0, 16, 20, 24, 16, 16, 0};
  for (std::uint8_t tag = 0; tag < 7; ++tag) {
    EXPECT_EQ(scheme_bytes(tag), lengths[tag]);
    EXPECT_EQ(is_known_scheme(tag), lengths[tag] != 0);
  }
  EXPECT_EQ(scheme_bytes(0xff), 0u);
}

TEST(Quantization, FieldsHaveOneNameWhateverTheScheme) {
  Quantization q;
  q.scheme_tag = kSchemePerTensorAffine;
  EXPECT_EQ(fields_of(q).axis, std::nullopt);
  q.scheme_tag = kSchemePerChannelAffine;
  q.per_channel_affine = {0, 7, 1, 2, 3};
  EXPECT_EQ(fields_of(q).axis, 7u);
  EXPECT_EQ(fields_of(q).block_size, std::nullopt);
  EXPECT_EQ(fields_of(q).zero_point_buffer_index, 2u);
  q.per_channel_affine.flags = kSymmetric;
  EXPECT_EQ(fields_of(q).zero_point_buffer_index, std::nullopt);
  q.scheme_tag = kSchemePerBlockAffine;
  q.per_block_affine = {0, 1, 8, 3, 4, 1};
  EXPECT_EQ(fields_of(q).block_size, 8u);
  EXPECT_EQ(fields_of(q).scale_type_tag, 1);
  q.scheme_tag = kSchemeMxfp;
  q.mxfp = {0, 1, 32, 5};
  EXPECT_EQ(fields_of(q).scale_buffer_index, 5u);
  EXPECT_EQ(fields_of(q).scale_type_tag, 0x42);
}

TEST(Quantization, NobodyWritesUnknownSchemes) {  // HQ-HDR-012, -013
  Quantization q;
  Bytes out(24, 0xee);
  std::size_t written = 7;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag >= 1 && tag <= 5) continue;
    q.scheme_tag = static_cast<std::uint8_t>(tag);
    EXPECT_EQ(encode_quantization(q, kInt8, out, written), Status::kUnknownScheme);
  }
  EXPECT_EQ(written, 7u);
  EXPECT_EQ(out, Bytes(24, 0xee));
}

}  // namespace
}  // namespace hurray
