// SPDX-License-Identifier: Apache-2.0
//
// Does scalar pack, unpack and widen every element type as the format says (HQ-PACK)? Values come
// from the definitions of the types, computed in binary64.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Bytes = std::vector<uint8_t>;
using Values = std::vector<int64_t>;
const struct hurray_target& scalar = hurray_target_scalar;

struct Type {
  uint8_t tag;
  unsigned bits;
  bool is_signed;  // an integer in two's complement
};
const Type kTypes[] = {
    {0x01, 16, false}, {0x02, 16, false}, {0x03, 32, false}, {0x04, 64, false}, {0x10, 8, true},
    {0x11, 8, false},  {0x12, 16, true},  {0x13, 16, false}, {0x14, 32, true},  {0x15, 32, false},
    {0x16, 64, true},  {0x17, 64, false}, {0x20, 1, false},  {0x40, 8, false},  {0x41, 8, false},
    {0x43, 4, false},  {0x44, 6, false},  {0x45, 6, false},  {0x48, 4, true},   {0x49, 4, false},
    {0x4a, 2, true},   {0x4b, 2, false},
};

Bytes pack(uint8_t tag, const Values& values) {
  uint64_t bytes;
  EXPECT_EQ(scalar.packed_bytes(tag, values.size(), &bytes), HURRAY_OK);
  Bytes out(bytes, 0xa5);
  EXPECT_EQ(scalar.pack(tag, values.data(), values.size(), out.data()), HURRAY_OK);
  return out;
}

Values unpack(uint8_t tag, const Bytes& packed, size_t count) {
  const Bytes exact(packed);
  Values values(count);
  EXPECT_EQ(scalar.unpack(tag, exact.data(), count, values.data()), HURRAY_OK);
  return values;
}

float widen(uint8_t tag, const Bytes& packed) {
  float out = -1;
  EXPECT_EQ(scalar.widen(tag, packed.data(), 1, &out), HURRAY_OK);
  return out;
}

TEST(ScalarElements, PackAsTheExamplesSay) {
  EXPECT_EQ(pack(0x49, {5, 12, 3}), (Bytes{0xc5, 0x03}));          // HQ-PACK-004, 006
  EXPECT_EQ(pack(0x4b, {3, 1, 2}), Bytes{0x27});                   // HQ-PACK-007, 009
  EXPECT_EQ(pack(0x44, {1, 2, 4, 8}), (Bytes{0x81, 0x40, 0x20}));  // HQ-PACK-010
  EXPECT_EQ(pack(0x20, {1, 0, 1, 1, 0}), Bytes{0x0d});             // HQ-PACK-033
  EXPECT_EQ(pack(0x44, {63}), (Bytes{0x3f, 0, 0}));                // HQ-PACK-011
  EXPECT_EQ(pack(0x44, {63, 63}), (Bytes{0xff, 0x0f, 0}));
  EXPECT_EQ(pack(0x44, {63, 63, 63}), (Bytes{0xff, 0xff, 0x03}));
  EXPECT_EQ(pack(0x44, {0, 0, 0, 0, 63}), (Bytes{0, 0, 0, 0x3f, 0, 0}));
  EXPECT_EQ(pack(0x12, {-2, 0x1234}), (Bytes{0xfe, 0xff, 0x34, 0x12}));
}

TEST(ScalarElements, UnpackWhatWasPackedAtEveryCount) {
  for (const Type& type : kTypes) {
    Values values;
    for (uint64_t i = 0; i < 20; ++i) {
      const uint64_t pattern = (i * 0x9e3779b97f4a7c15u + 0x8000000000000001u) >> (64 - type.bits);
      int64_t value = static_cast<int64_t>(pattern);
      if (type.is_signed && type.bits < 64 && pattern >> (type.bits - 1) != 0) {
        value -= int64_t{1} << type.bits;
      }
      values.push_back(value);
      EXPECT_EQ(unpack(type.tag, pack(type.tag, values), values.size()), values) << int{type.tag};
    }
  }
}

TEST(ScalarElements, IgnoreUnusedBits) {  // ruling A43
  EXPECT_EQ(unpack(0x49, {0xc5, 0xf3}, 3), (Values{5, 12, 3}));
  EXPECT_EQ(unpack(0x48, {0xf8}, 1), Values{-8});
  EXPECT_EQ(unpack(0x4a, {0xfe}, 1), Values{-2});
  EXPECT_EQ(unpack(0x44, {0x3f, 0xf0, 0xff}, 2), (Values{63, 0}));
  EXPECT_EQ(unpack(0x20, {0xfe}, 1), Values{0});
}

TEST(ScalarElements, RefuseValuesOutsideTheirRange) {
  for (const Type& type : kTypes) {
    if (type.bits == 64) continue;
    const int64_t limit = int64_t{1} << (type.is_signed ? type.bits - 1 : type.bits);
    const int64_t least = type.is_signed ? -limit : 0;
    Bytes out(16, 0xa5);
    for (const int64_t value : {least, limit - 1}) {
      EXPECT_EQ(scalar.pack(type.tag, &value, 1, out.data()), HURRAY_OK) << int{type.tag};
    }
    out.assign(16, 0xa5);
    for (const int64_t value : {least - 1, limit, INT64_MIN, INT64_MAX}) {
      const Values values = {0, value};
      EXPECT_EQ(scalar.pack(type.tag, values.data(), 2, out.data()), HURRAY_REJECTED);
    }
    EXPECT_EQ(out, Bytes(16, 0xa5));
  }
}

TEST(ScalarElements, TakeAsManyBytesAsTheFormatSays) {  // HQ-PACK-012..014, -016
  const auto size = [](uint8_t tag, uint64_t count) {
    uint64_t bytes = 77;
    EXPECT_EQ(scalar.packed_bytes(tag, count, &bytes), HURRAY_OK);
    return bytes;
  };
  for (const Type& type : kTypes) {
    EXPECT_EQ(size(type.tag, 0), 0u);
    for (uint64_t n = 1; n <= 17; ++n) {
      const uint64_t expected = type.bits == 6 ? (n + 3) / 4 * 3 : (n * type.bits + 7) / 8;
      EXPECT_EQ(size(type.tag, n), expected);
    }
  }
  EXPECT_EQ(size(0x49, UINT64_MAX), UINT64_C(1) << 63);
  EXPECT_EQ(size(0x20, UINT64_MAX), UINT64_C(1) << 61);
  EXPECT_EQ(size(0x44, UINT64_MAX), UINT64_C(3) << 62);
  EXPECT_EQ(size(0x10, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(size(0x51, 3), 48u);
  EXPECT_EQ(size(0x04, UINT64_MAX / 8), UINT64_MAX - 7);
  uint64_t bytes = 77;
  EXPECT_EQ(scalar.packed_bytes(0x04, UINT64_MAX / 8 + 1, &bytes), HURRAY_REJECTED);
  EXPECT_EQ(scalar.packed_bytes(0x46, UINT64_MAX / 16 + 1, &bytes), HURRAY_REJECTED);
  for (const uint8_t tag : Bytes{0x00, 0x05, 0x18, 0x47, 0x4c, 0x52, 0x80, 0xf0, 0xff}) {
    EXPECT_EQ(scalar.packed_bytes(tag, 1, &bytes), HURRAY_REJECTED);
    const int64_t value = 0;
    EXPECT_EQ(scalar.pack(tag, &value, 0, nullptr), HURRAY_REJECTED);
  }
  EXPECT_EQ(bytes, 77u);
  EXPECT_EQ(scalar.unpack(0x50, nullptr, 0, nullptr), HURRAY_UNSUPPORTED);
}

// The value of a float with these fields, all patterns of the largest exponent being numbers.
double float_value(unsigned pattern, unsigned exponent_bits, unsigned mantissa_bits, int bias) {
  const unsigned mantissa = pattern & ((1u << mantissa_bits) - 1);
  const unsigned exponent = pattern >> mantissa_bits & ((1u << exponent_bits) - 1);
  const double fraction = std::ldexp(mantissa, -static_cast<int>(mantissa_bits));
  const double magnitude = exponent == 0
                               ? std::ldexp(fraction, 1 - bias)
                               : std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
  return pattern >> (exponent_bits + mantissa_bits) != 0 ? -magnitude : magnitude;
}

TEST(ScalarElements, HaveTheValuesOfTheirDefinition) {  // HQ-PACK-018..026
  const struct {
    uint8_t tag;
    unsigned exponent_bits, mantissa_bits;
    int bias;
  } floats[] = {{0x40, 4, 3, 7}, {0x41, 5, 2, 15},  {0x43, 2, 1, 1},  {0x44, 2, 3, 1},
                {0x45, 3, 2, 3}, {0x01, 5, 10, 15}, {0x02, 8, 7, 127}};
  for (const auto& type : floats) {
    for (unsigned pattern = 0; pattern < 2u << (type.exponent_bits + type.mantissa_bits);
         ++pattern) {
      const float value = widen(
          type.tag, {static_cast<uint8_t>(pattern & 0xff), static_cast<uint8_t>(pattern >> 8), 0});
      const unsigned exponent = pattern >> type.mantissa_bits & ((1u << type.exponent_bits) - 1);
      const bool is_top = exponent == (1u << type.exponent_bits) - 1;
      const unsigned mantissa = pattern & ((1u << type.mantissa_bits) - 1);
      const bool is_ieee = type.tag <= 2 || type.tag == 0x41;
      if (is_ieee && is_top) {
        EXPECT_EQ(std::isinf(value), mantissa == 0);
        EXPECT_EQ(std::isnan(value), mantissa != 0);
      } else if (type.tag == 0x40 && (pattern & 0x7f) == 0x7f) {
        EXPECT_TRUE(std::isnan(value));
      } else {
        const double expected =
            float_value(pattern, type.exponent_bits, type.mantissa_bits, type.bias);
        EXPECT_EQ(std::bit_cast<uint32_t>(value),
                  std::bit_cast<uint32_t>(static_cast<float>(expected)))
            << int{type.tag} << " " << pattern;
      }
    }
  }
  for (unsigned e = 1; e < 255; ++e) {
    EXPECT_EQ(widen(0x42, {static_cast<uint8_t>(e)}), std::ldexp(1.0f, static_cast<int>(e) - 127));
  }
  float out;
  for (const uint8_t e : Bytes{0x00, 0xff}) {
    const int64_t value = e;
    uint8_t packed;
    EXPECT_EQ(scalar.widen(0x42, &e, 1, &out), HURRAY_REJECTED);
    EXPECT_EQ(scalar.pack(0x42, &value, 1, &packed), HURRAY_REJECTED);
  }
}

TEST(ScalarElements, RoundIntegersOnce) {
  EXPECT_EQ(widen(0x14, {0x01, 0x00, 0x00, 0x01}), 16777216.0f);
  EXPECT_EQ(widen(0x14, {0x03, 0x00, 0x00, 0x01}), 16777220.0f);
  EXPECT_EQ(widen(0x14, {0, 0, 0, 0x80}), -2147483648.0f);
  EXPECT_EQ(widen(0x15, {0xff, 0xff, 0xff, 0xff}), 4294967296.0f);
  // Just above a tie of binary32, and a tie of binary64 that must not be rounded twice.
  EXPECT_EQ(widen(0x17, {0x01, 0, 0, 0, 0x80, 0, 0, 0x80}), 9223373136366403584.0f);
  EXPECT_EQ(widen(0x16, {0, 0, 0, 0, 0, 0, 0, 0x80}), -9223372036854775808.0f);
  EXPECT_EQ(widen(0x04, pack(0x04, {std::bit_cast<int64_t>(0.1)})), 0.1f);
  EXPECT_EQ(widen(0x48, {0x08}), -8.0f);
  EXPECT_EQ(widen(0x20, {0x03}), 1.0f);
}

}  // namespace
