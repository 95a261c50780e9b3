// SPDX-License-Identifier: Apache-2.0
//
// Does the codec of scheme 04 accept what is valid and find what is wrong in everything else, and
// are its levels the sixteen numbers of the format?

#include "reference/nf4.h"

#include <bit>
#include <cmath>

#include "reference/binary32.h"
#include "reference/test_schemes.h"

namespace hurray {
namespace {

constexpr std::uint8_t kUint4 = 0x49;

const Bytes kValid = hex("04010000 01000000 40000000 01000000");

TEST(Nf4, ADescriptorMeansWhatItMeans) {
  Quantization out;
  EXPECT_TRUE(found_in(kValid, kUint4, out).empty());
  EXPECT_EQ(out.scheme_tag, 4);
  EXPECT_EQ(out.nf4, (Nf4{0, 1, 64, 1}));
  expect_round_trip(kValid, kUint4);
}

// HQ-NF4-001, -002.
TEST(Nf4, TheHeaderIsJudged) { expect_header_rules(kValid, kUint4, 0); }

// HQ-NF4-004; ruling A60.
TEST(Nf4, BlockSizeIsAPowerOfTwoAndAtLeastEight) {
  for (unsigned bit = 3; bit < 32; ++bit) expect_valid(with(kValid, 8, 4, 1u << bit), kUint4);
  expect_must(Status::kBlockSizeZero, with(kValid, 8, 4, 0), kUint4);
  for (std::uint32_t size : {1u, 2u, 4u, 7u, 9u, 12u, 0xffffffffu}) {
    expect_soft(Status::kBlockSizeNotAllowed, with(kValid, 8, 4, size), kUint4);
  }
}

TEST(Nf4, OnlyUint4MayStore) { expect_storage_types(kValid, hex("49")); }  // HQ-NF4-014

// HQ-NF4-007, -010. The decimal values are those that the paper of the format prints.
TEST(Nf4, LevelsAreThoseOfTheFormat) {
  const double printed[] = {-1.0,
                            -0.6961928009986877,
                            -0.5250730514526367,
                            -0.39491748809814453,
                            -0.28444138169288635,
                            -0.18477343022823334,
                            -0.09105003625154495,
                            0.0,
                            0.07958029955625534,
                            0.16093020141124725,
                            0.24611230194568634,
                            0.33791524171829224,
                            0.44070982933044434,
                            0.5626170039176941,
                            0.7229568362236023,
                            1.0};
  for (unsigned code = 0; code < 16; ++code) {
    EXPECT_EQ(nf4_value(1.0f, code), static_cast<float>(printed[code])) << code;
    EXPECT_EQ(nf4_value(0x1p-120f, code), static_cast<float>(printed[code]) * 0x1p-120f);
  }
}

TEST(Nf4, TheProductIsRoundedOnce) {
  // 3 * 0.7229568362236023 in double, rounded to binary32.
  const double level = 0.7229568362236023;
  EXPECT_EQ(nf4_value(3.0f, 14), static_cast<float>(3.0 * level));
  EXPECT_TRUE(is_infinite(nf4_value(INFINITY, 0)));
  EXPECT_EQ(nf4_value(0x1p-149f, 15), 0x1p-149f);
}

// Ruling A36.
TEST(Nf4, ZerosHaveTheSignOfTheProductOrNone) {
  Choices positive;
  positive.nf4_zeros = Nf4Zeros::kPositive;
  EXPECT_EQ(bits_of(nf4_value(0.0f, 0)), 0x80000000u);
  EXPECT_EQ(bits_of(nf4_value(0.0f, 15)), 0u);
  EXPECT_EQ(bits_of(nf4_value(-0.0f, 15)), 0x80000000u);
  EXPECT_EQ(bits_of(nf4_value(0.0f, 0, positive)), 0u);
  EXPECT_EQ(bits_of(nf4_value(-0.0f, 15, positive)), 0u);
  EXPECT_EQ(nf4_value(2.0f, 0, positive), -2.0f);
}

TEST(Nf4, AnEncoderRefusesWhatItsReadersWould) {  // HQ-HDR-032
  expect_unwritten(Status::kReservedFlag, Nf4{1, 1, 64, 1}, kUint4);
  expect_unwritten(Status::kBlockSizeZero, Nf4{0, 1, 0, 1}, kUint4);
  expect_unwritten(Status::kBlockSizeNotAllowed, Nf4{0, 1, 4, 1}, kUint4);
  expect_unwritten(Status::kStorageTypeNotAllowed, Nf4{0, 1, 64, 1}, 0x48);
}

}  // namespace
}  // namespace hurray
