// SPDX-License-Identifier: Apache-2.0
//
// Does the codec of scheme 03 accept what is valid and find what is wrong in everything else?

#include "reference/per_block_affine.h"

#include <bit>

#include "reference/test_schemes.h"

namespace hurray {
namespace {

constexpr std::uint8_t kInt8 = 0x10;

// That of the recipe.   [HQ-ZP-009]
const Bytes kGolden = hex("030100000100000008000000010000000200000003000000");
const Bytes kSymmetricOne = hex("0301010001000000080000000100 0000ffffffff03000000");

TEST(PerBlockAffine, TheGoldenDescriptorMeansWhatItMeans) {
  Quantization out;
  EXPECT_TRUE(found_in(kGolden, kInt8, out).empty());
  EXPECT_EQ(out.scheme_tag, 3);
  EXPECT_EQ(out.per_block_affine, (PerBlockAffine{0, 1, 8, 1, 2, 3}));
  expect_round_trip(kGolden, kInt8);
  expect_round_trip(kSymmetricOne, kInt8);
}

TEST(PerBlockAffine, FieldsAreLittleEndian) {  // HQ-PBA-033
  Quantization out;
  const Bytes bytes = hex("03010000 04030201 00000080 08070605 0c0b0a09 02000000");
  EXPECT_TRUE(found_in(bytes, kInt8, out).empty());
  EXPECT_EQ(out.per_block_affine,
            (PerBlockAffine{0, 0x01020304, 0x80000000, 0x05060708, 0x090a0b0c, 2}));
}

// HQ-PBA-002, -003, -032.
TEST(PerBlockAffine, TheHeaderIsJudged) { expect_header_rules(kGolden, kInt8, kSymmetric); }

// HQ-PBA-005, -006; ruling A60.
TEST(PerBlockAffine, BlockSizeIsAPowerOfTwoAndAtLeastTwo) {
  for (unsigned bit = 1; bit < 32; ++bit) expect_valid(with(kGolden, 8, 4, 1u << bit), kInt8);
  expect_must(Status::kBlockSizeZero, with(kGolden, 8, 4, 0), kInt8);
  for (std::uint32_t size : {1u, 3u, 5u, 6u, 7u, 12u, 0xffffffffu, 0x80000001u}) {
    expect_soft(Status::kBlockSizeNotAllowed, with(kGolden, 8, 4, size), kInt8);
  }
}

TEST(PerBlockAffine, ScalesAreOfThreeTypes) {  // HQ-PBA-011
  for (unsigned tag = 0; tag < 256; ++tag) {
    const Bytes bytes = with(kGolden, 20, 1, tag);
    if (tag >= 1 && tag <= 3) {
      expect_valid(bytes, kInt8);
      expect_round_trip(bytes, kInt8);
    } else {
      expect_must(Status::kScaleTypeNotAllowed, bytes, kInt8);
    }
  }
}

TEST(PerBlockAffine, ReservedBitsShouldBeRefused) {  // HQ-PBA-012, ruling A60
  for (unsigned bit = 0; bit < 24; ++bit) {
    expect_soft(Status::kReservedByte, with(kGolden, 21, 3, 1u << bit), kInt8);
  }
}

// HQ-PBA-014, -016; rulings A17, A19.
TEST(PerBlockAffine, AnIndexBesideSymmetricMayBeIgnored) {
  expect_valid(kSymmetricOne, kInt8);
  for (std::uint32_t index : {0u, 1u, 2u, 255u, 0xfffffffeu}) {
    expect_open(Behaviour::kSymmetricIndex, with(kSymmetricOne, 16, 4, index), kInt8);
  }
  expect_must(Status::kAsymmetricWithoutIndex, with(kGolden, 16, 4, 0xffffffff), kInt8);
}

// HQ-PBA-030, -031.
TEST(PerBlockAffine, OnlyIntegersOfAtMostEightBitsMayStore) {
  expect_storage_types(kGolden, hex("10 11 48 49 4a 4b"));
}

// HQ-PBA-013: what a reader may ignore, a writer does not write.
TEST(PerBlockAffine, AnEncoderWritesNoIndexBesideSymmetric) {
  Bytes out(24);
  EXPECT_EQ(encode(PerBlockAffine{kSymmetric, 1, 8, 1, 2, 3}, kInt8, out), Status::kOk);
  EXPECT_EQ(out, kSymmetricOne);
}

TEST(PerBlockAffine, AnEncoderRefusesWhatItsReadersWould) {  // HQ-HDR-032
  const PerBlockAffine good = {0, 1, 8, 1, 2, 3};
  const auto edited = [&](auto edit) {
    PerBlockAffine descriptor = good;
    edit(descriptor);
    return descriptor;
  };
  using P = PerBlockAffine;
  expect_unwritten(Status::kReservedFlag, edited([](P& p) { p.flags = 4; }), kInt8);
  expect_unwritten(Status::kBlockSizeZero, edited([](P& p) { p.block_size = 0; }), kInt8);
  expect_unwritten(Status::kBlockSizeNotAllowed, edited([](P& p) { p.block_size = 1; }), kInt8);
  expect_unwritten(Status::kBlockSizeNotAllowed, edited([](P& p) { p.block_size = 12; }), kInt8);
  expect_unwritten(Status::kScaleTypeNotAllowed, edited([](P& p) { p.scale_type_tag = 4; }), kInt8);
  expect_unwritten(Status::kAsymmetricWithoutIndex,
                   edited([](P& p) { p.zero_point_buffer_index = kNoBufferIndex; }), kInt8);
  expect_unwritten(Status::kStorageTypeNotAllowed, good, 0x12);
}

}  // namespace
}  // namespace hurray
