// SPDX-License-Identifier: Apache-2.0
//
// Does the codec of scheme 05 accept what is valid and find what is wrong in everything else, and
// is a value the power of two times the element?

#include "reference/mxfp.h"

#include <cmath>

#include "reference/binary32.h"
#include "reference/element_type.h"
#include "reference/small_float.h"
#include "reference/test_schemes.h"

namespace hurray {
namespace {

constexpr std::uint8_t kE4m3 = 0x40;

const Bytes kValid = hex("05010000 01000000 20000000 01000000");

TEST(Mxfp, ADescriptorMeansWhatItMeans) {
  Quantization out;
  EXPECT_TRUE(found_in(kValid, kE4m3, out).empty());
  EXPECT_EQ(out.scheme_tag, 5);
  EXPECT_EQ(out.mxfp, (Mxfp{0, 1, 32, 1}));
  expect_round_trip(kValid, kE4m3);
}

// HQ-MX-001, -002.
TEST(Mxfp, TheHeaderIsJudged) { expect_header_rules(kValid, kE4m3, 0); }

TEST(Mxfp, BlockSizeIsAPowerOfTwoFromSixteenTo2048) {  // HQ-MX-004
  for (std::uint32_t size : {16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u}) {
    expect_valid(with(kValid, 8, 4, size), kE4m3);
  }
  expect_must(Status::kBlockSizeZero, with(kValid, 8, 4, 0), kE4m3);
  for (std::uint32_t size : {1u, 8u, 15u, 24u, 2047u, 4096u, 0x80000000u, 0xffffffffu}) {
    expect_must(Status::kBlockSizeNotAllowed, with(kValid, 8, 4, size), kE4m3);
  }
}

TEST(Mxfp, OnlySevenTypesMayStore) {  // HQ-MX-016
  expect_storage_types(kValid, hex("10 40 41 43 44 45 48"));
}

// HQ-MX-011, -012, -013: every code under every legal scale, against double precision, where the
// product of two such numbers is exact.
TEST(Mxfp, EveryCodeUnderEveryScaleIsRoundedOnce) {
  for (const std::uint8_t type : hex("10 40 41 43 44 45 48")) {
    const unsigned codes = 1u << find_element_type(type)->bits;
    for (unsigned code = 0; code < codes; ++code) {
      const Bytes packed = {static_cast<std::uint8_t>(code)};
      const float element = widen_element(type, packed.data(), 0);
      for (unsigned e = 1; e < 0xff; ++e) {
        const double exact = std::ldexp(static_cast<double>(element), static_cast<int>(e) - 127);
        const float value = mxfp_value(static_cast<std::uint8_t>(e), element);
        if (std::isnan(exact)) {
          EXPECT_TRUE(is_nan(value));
        } else {
          EXPECT_EQ(bits_of(value), bits_of(static_cast<float>(exact))) << code << " " << e;
        }
      }
    }
  }
}

// Rulings A39, A46.
TEST(Mxfp, InfinitiesAndNansStay) {
  EXPECT_TRUE(is_infinite(mxfp_value(0xfe, 448.0f)));
  EXPECT_TRUE(is_infinite(mxfp_value(0x01, INFINITY)));
  EXPECT_TRUE(is_nan(mxfp_value(0x01, std::nanf(""))));
  EXPECT_EQ(mxfp_value(0xfe, -1.0f), -0x1p127f);
  EXPECT_EQ(mxfp_value(0x01, 0x1p-9f), 0x1p-135f);  // subnormal
}

TEST(Mxfp, AnEncoderRefusesWhatItsReadersWould) {  // HQ-HDR-032
  expect_unwritten(Status::kReservedFlag, Mxfp{1, 1, 32, 1}, kE4m3);
  expect_unwritten(Status::kBlockSizeZero, Mxfp{0, 1, 0, 1}, kE4m3);
  expect_unwritten(Status::kBlockSizeNotAllowed, Mxfp{0, 1, 8, 1}, kE4m3);
  expect_unwritten(Status::kStorageTypeNotAllowed, Mxfp{0, 1, 32, 1}, 0x42);
}

}  // namespace
}  // namespace hurray
