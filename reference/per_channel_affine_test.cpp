// SPDX-License-Identifier: Apache-2.0
//
// Does the codec of scheme 02 accept what is valid and find what is wrong in everything else?

#include "reference/per_channel_affine.h"

#include "reference/test_schemes.h"

namespace hurray {
namespace {

constexpr std::uint8_t kInt8 = 0x10;

const Bytes kGolden = hex("0201000000000000010000000200000003000000");  // HQ-PCA-027
const Bytes kSymmetricOne = hex("02010100000000000100 0000ffffffff03000000");

TEST(PerChannelAffine, TheGoldenDescriptorMeansWhatItMeans) {
  Quantization out;
  EXPECT_TRUE(found_in(kGolden, kInt8, out).empty());
  EXPECT_EQ(out.scheme_tag, 2);
  EXPECT_EQ(out.per_channel_affine, (PerChannelAffine{0, 0, 1, 2, 3}));
  expect_round_trip(kGolden, kInt8);
  expect_round_trip(kSymmetricOne, kInt8);
}

TEST(PerChannelAffine, FieldsAreLittleEndian) {  // HQ-PCA-029
  Quantization out;
  const Bytes bytes = hex("02010000 04030201 08070605 0c0b0a09 03000000");
  EXPECT_TRUE(found_in(bytes, kInt8, out).empty());
  EXPECT_EQ(out.per_channel_affine, (PerChannelAffine{0, 0x01020304, 0x05060708, 0x090a0b0c, 3}));
}

// HQ-PCA-002, -003, -026.
TEST(PerChannelAffine, TheHeaderIsJudged) {
  expect_header_rules(kGolden, kInt8, kSymmetric);
  expect_header_rules(kSymmetricOne, kInt8, 0xffff);
}

TEST(PerChannelAffine, ScalesAreFloat32) {  // HQ-PCA-008
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag == 3) continue;
    expect_must(Status::kScaleTypeNotAllowed, with(kGolden, 16, 1, tag), kInt8);
  }
}

TEST(PerChannelAffine, EveryReservedBitIsRefused) {  // HQ-PCA-009
  for (unsigned bit = 0; bit < 24; ++bit) {
    expect_must(Status::kReservedByte, with(kGolden, 17, 3, 1u << bit), kInt8);
  }
}

// HQ-PCA-006, -007; rulings A18, A19.
TEST(PerChannelAffine, SymmetricHasNoIndexAndAsymmetricHasOne) {
  expect_valid(kSymmetricOne, kInt8);
  expect_must(Status::kSymmetricWithIndex, with(kSymmetricOne, 12, 4, 0), kInt8);
  for (std::uint32_t index : {1u, 2u, 255u, 0x7fffffffu, 0xfffffffeu}) {
    expect_soft(Status::kSymmetricWithIndex, with(kSymmetricOne, 12, 4, index), kInt8);
  }
  expect_must(Status::kAsymmetricWithoutIndex, with(kGolden, 12, 4, 0xffffffff), kInt8);
}

// Index values of an asymmetric descriptor need the buffer table, and axis the shape.
TEST(PerChannelAffine, IndicesAndAxisAreNotJudgedHere) {
  for (std::uint32_t value : {0u, 1u, 77u, 0xffffffffu}) {
    expect_valid(with(kGolden, 4, 4, value), kInt8);
    expect_valid(with(kGolden, 8, 4, value), kInt8);
  }
  expect_valid(with(kGolden, 12, 4, 0), kInt8);
}

// HQ-PCA-024, -025.
TEST(PerChannelAffine, OnlyTheTenIntegerTypesMayStore) {
  expect_storage_types(kGolden, hex("10 11 12 13 14 15 48 49 4a 4b"));
}

TEST(PerChannelAffine, EverythingThatIsWrongIsFound) {
  Bytes bytes = with(kGolden, 2, 2, 0x8000);
  bytes = with(with(bytes, 16, 1, 1), 19, 1, 1);
  const Findings findings = found_in(bytes, 0x03);
  EXPECT_TRUE(findings.has(Status::kReservedFlag));
  EXPECT_TRUE(findings.has(Status::kScaleTypeNotAllowed));
  EXPECT_TRUE(findings.has(Status::kReservedByte));
  EXPECT_TRUE(findings.has(Status::kStorageTypeNotAllowed));
  EXPECT_EQ(findings.all().size(), 4u) << findings;
}

TEST(PerChannelAffine, AnEncoderRefusesWhatItsReadersWould) {  // HQ-HDR-032
  expect_unwritten(Status::kReservedFlag, PerChannelAffine{2, 0, 1, 2, 3}, kInt8);
  expect_unwritten(Status::kSymmetricWithIndex, PerChannelAffine{1, 0, 1, 2, 3}, kInt8);
  expect_unwritten(Status::kSymmetricWithIndex, PerChannelAffine{1, 0, 1, 0, 3}, kInt8);
  expect_unwritten(Status::kAsymmetricWithoutIndex, PerChannelAffine{0, 0, 1, kNoBufferIndex, 3},
                   kInt8);
  expect_unwritten(Status::kScaleTypeNotAllowed, PerChannelAffine{0, 0, 1, 2, 1}, kInt8);
  expect_unwritten(Status::kStorageTypeNotAllowed, PerChannelAffine{0, 0, 1, 2, 3}, 0x16);
}

}  // namespace
}  // namespace hurray
