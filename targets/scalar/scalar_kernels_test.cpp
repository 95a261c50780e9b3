// SPDX-License-Identifier: Apache-2.0
//
// Do scalar's kernels compute the formula to the bit? Golden values by hand from the requirements,
// then every code or count that is cheap to try, against a naive restatement here.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;
const struct hurray_target& scalar = hurray_target_scalar;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Type {
  uint8_t tag;
  unsigned bits;
  int64_t min, max;
};
constexpr Type kTypes[] = {{0x10, 8, -128, 127},
                           {0x11, 8, 0, 255},
                           {0x12, 16, -32768, 32767},
                           {0x13, 16, 0, 65535},
                           {0x14, 32, INT32_MIN, INT32_MAX},
                           {0x15, 32, 0, UINT32_MAX},
                           {0x48, 4, -8, 7},
                           {0x49, 4, 0, 15},
                           {0x4a, 2, -2, 1},
                           {0x4b, 2, 0, 3}};

size_t bytes_of(const Type& t, size_t count) { return (count * t.bits + 7) / 8; }

Floats dequantize(uint8_t tag, float scale, int32_t zp, const Bytes& q, size_t count) {
  Floats out(count);
  const Bytes exact(q);
  EXPECT_EQ(scalar.dequantize(tag, scale, zp, exact.data(), out.data(), count), HURRAY_OK);
  return out;
}

Bytes quantize(uint8_t tag, float scale, int32_t zp, const Floats& in) {
  size_t bytes = 0;
  for (const Type& t : kTypes) bytes = t.tag == tag ? bytes_of(t, in.size()) : bytes;
  Bytes q(bytes, 0xff);
  EXPECT_EQ(scalar.quantize(tag, scale, zp, in.data(), q.data(), in.size()), HURRAY_OK);
  return q;
}

// One code, sign-extended, from packed bytes: bit by bit, unlike the kernels.
int64_t code_at(const Type& t, const Bytes& q, size_t i) {
  uint64_t code = 0;
  for (size_t b = 0; b < t.bits; ++b) {
    const size_t at = i * t.bits + b;
    code |= static_cast<uint64_t>(q[at / 8] >> at % 8 & 1) << b;
  }
  const bool negative = t.min < 0 && code >> (t.bits - 1) != 0;
  return static_cast<int64_t>(code) - (negative ? int64_t{1} << t.bits : 0);
}

// The rule of the quantizers: binary32 quotient, ties away, zero point, saturation.
int64_t expected_code(const Type& t, float in, float scale, int64_t zp) {
  const volatile float quotient = in / scale;
  if (std::isnan(quotient)) return zp;
  const double rounded = std::round(static_cast<double>(quotient)) + static_cast<double>(zp);
  if (rounded <= static_cast<double>(t.min)) return t.min;
  if (rounded >= static_cast<double>(t.max)) return t.max;
  return static_cast<int64_t>(rounded);
}

uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }

TEST(ScalarDequantize, UnpacksFromTheLowEndAndExtendsSigns) {  // HQ-PACK-004, 005, 007, 008
  EXPECT_EQ(dequantize(0x49, 1, 0, {0xc5, 0x03}, 3), (Floats{5, 12, 3}));
  EXPECT_EQ(dequantize(0x4b, 1, 0, {0x27}, 3), (Floats{3, 1, 2}));
  EXPECT_EQ(dequantize(0x48, 1, 0, {0x98}, 2), (Floats{-8, -7}));
  EXPECT_EQ(dequantize(0x4a, 1, 0, {0xe4}, 4), (Floats{0, 1, -2, -1}));
  EXPECT_EQ(dequantize(0x4b, 1, 0, {0x63, 0x03}, 5), (Floats{3, 0, 2, 1, 3}));
  EXPECT_EQ(dequantize(0x48, 1, 0, {0x1a, 0x12, 0x13, 0x1e}, 8),
            (Floats{-6, 1, 2, 1, 3, 1, -2, 1}));
  EXPECT_EQ(dequantize(0x12, 1, 0, {0x00, 0x80, 0xff, 0x7f}, 2), (Floats{-32768, 32767}));
}

TEST(ScalarDequantize, IgnoresTheUnusedBitsOfTheLastByte) {  // ruling A43
  EXPECT_EQ(dequantize(0x49, 1, 0, {0xc5, 0xf3}, 3), (Floats{5, 12, 3}));
  EXPECT_EQ(dequantize(0x4a, 1, 0, {0xff}, 1), (Floats{-1}));
}

TEST(ScalarDequantize, RoundsTheDifferenceThenTheProduct) {  // HQ-PTA-019, HQ-PTA-020
  EXPECT_EQ(dequantize(0x14, 3, 0, {0x01, 0x00, 0x00, 0x01}, 1)[0], 50331648.0f);
  EXPECT_EQ(bits_of(dequantize(0x14, 0.1f, 0, {0x01, 0x00, 0x00, 0x01}, 1)[0]), 0x49cccccdu);
  EXPECT_EQ(bits_of(dequantize(0x11, 0.1f, 3, {1}, 1)[0]), 0xbe4ccccdu);
  EXPECT_EQ(bits_of(dequantize(0x11, 0.1f, 163, {164}, 1)[0]), 0x3dcccccdu);
  EXPECT_EQ(dequantize(0x12, 1, -32768, {0xff, 0x7f}, 1)[0], 65535.0f);
  EXPECT_EQ(dequantize(0x13, 1, 65535, {0x00, 0x00}, 1)[0], -65535.0f);
  EXPECT_EQ(dequantize(0x11, 0.5f, 5, {2}, 1)[0], -1.5f);
}

TEST(ScalarDequantize, WidensThirtyTwoBitDifferences) {  // rulings A01, A02
  EXPECT_EQ(dequantize(0x14, 1, INT32_MIN, {0xff, 0xff, 0xff, 0x7f}, 1)[0], 4294967296.0f);
  EXPECT_EQ(dequantize(0x14, 1, -1, {0xff, 0xff, 0xff, 0x7f}, 1)[0], 2147483648.0f);
  EXPECT_EQ(dequantize(0x15, 1, 0, {0x00, 0x00, 0x00, 0x80}, 1)[0], 2147483648.0f);
  EXPECT_EQ(dequantize(0x15, 1, INT32_MAX, {0x00, 0x00, 0x00, 0x00}, 1)[0], -2147483648.0f);
}

TEST(ScalarDequantize, KeepsSubnormalsSignsOfZeroAndOverflow) {  // rulings A05, A06
  EXPECT_EQ(bits_of(dequantize(0x10, std::bit_cast<float>(1u), 0, {3}, 1)[0]), 3u);
  EXPECT_EQ(bits_of(dequantize(0x10, std::bit_cast<float>(0x00400000u), 0, {4}, 1)[0]),
            0x01000000u);
  EXPECT_EQ(bits_of(dequantize(0x10, -0.5f, 3, {3}, 1)[0]), 0x80000000u);
  EXPECT_EQ(dequantize(0x10, std::bit_cast<float>(0x7f7fffffu), 0, {2}, 1)[0], kInf);
}

TEST(ScalarDequantize, EveryCodeOfEveryNarrowType) {  // HQ-PTA-018
  for (const Type& t : kTypes) {
    if (t.bits > 16) continue;
    const size_t codes = size_t{1} << t.bits;
    Bytes q(bytes_of(t, codes));
    for (size_t code = 0; code < codes; ++code) {
      for (size_t b = 0; b < t.bits; ++b) {
        const size_t at = code * t.bits + b;
        q[at / 8] = static_cast<uint8_t>(q[at / 8] | (code >> b & 1) << at % 8);
      }
    }
    const int64_t step = t.bits == 16 ? 8191 : 1;
    for (int64_t zp = t.min; zp <= t.max; zp += step) {
      for (float scale : {0.1f, -3.0f, 1e-42f}) {
        const Floats out = dequantize(t.tag, scale, static_cast<int32_t>(zp), q, codes);
        for (size_t i = 0; i < codes; ++i) {
          const volatile float difference = static_cast<float>(code_at(t, q, i) - zp);
          const volatile float product = scale * difference;
          ASSERT_EQ(bits_of(out[i]), bits_of(product)) << int{t.tag} << " " << zp << " " << i;
        }
      }
    }
  }
}

TEST(ScalarQuantize, RoundsTiesAwayFromZeroBeforeAddingTheZeroPoint) {
  EXPECT_EQ(quantize(0x10, 1, 0, {0.5f, -0.5f, 1.5f, -1.5f, 2.5f, -2.5f}),
            (Bytes{1, 0xff, 2, 0xfe, 3, 0xfd}));
  EXPECT_EQ(quantize(0x10, 1, 0, {0.49999997f, -0.49999997f}), (Bytes{0, 0}));
  EXPECT_EQ(quantize(0x10, 1, 1, {-0.5f}), (Bytes{0}));
  EXPECT_EQ(quantize(0x11, 1, 200, {0.49999997f, -0.5f}), (Bytes{200, 199}));
  EXPECT_EQ(quantize(0x11, 0.1f, 1, {std::bit_cast<float>(0x3d4cccccu)}), (Bytes{1}));
  EXPECT_EQ(quantize(0x11, 1, 0, {1.7f}), (Bytes{2}));
  EXPECT_EQ(quantize(0x10, 694.314087f, 0, {7984}), (Bytes{11}));
  EXPECT_EQ(quantize(0x10, -0.5f, 0, {1.25f}), (Bytes{0xfd})) << "negative scale divides";
}

TEST(ScalarQuantize, SaturatesBySignAndSendsNaNToTheZeroPoint) {
  const float max = std::numeric_limits<float>::max();
  for (const Type& t : kTypes) {
    const Floats in = {kInf, -kInf, max, -max, 1e30f, -1e30f, 5e9f, -5e9f, kNaN};
    for (int64_t zp : {t.min, t.max}) {
      const int32_t z = static_cast<int32_t>(std::min<int64_t>(zp, INT32_MAX));
      const Bytes q = quantize(t.tag, 1, z, in);
      for (size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(code_at(t, q, i), expected_code(t, in[i], 1, z)) << int{t.tag} << " " << i;
      }
      EXPECT_EQ(code_at(t, q, 8), z);
    }
  }
  EXPECT_EQ(quantize(0x10, 1e-5f, 0, {3e38f, -3e38f}), (Bytes{127, 0x80})) << "infinite quotient";
  EXPECT_EQ(quantize(0x10, std::bit_cast<float>(1u), 7, {0, 1}), (Bytes{7, 127}));
  EXPECT_EQ(quantize(0x11, 0.5f, 1, {4294967296.0f}), (Bytes{255}));
  EXPECT_EQ(quantize(0x10, std::bit_cast<float>(0x3c74c7e7u), -128, {3.4501f}), (Bytes{103}));
}

TEST(ScalarQuantize, PacksFromTheLowEndWithZeroFiller) {  // HQ-PACK-006, HQ-PACK-009
  EXPECT_EQ(quantize(0x49, 1, 0, {5, 12, 3}), (Bytes{0xc5, 0x03}));
  EXPECT_EQ(quantize(0x4b, 1, 0, {3, 1, 2}), (Bytes{0x27}));
  EXPECT_EQ(quantize(0x48, 1, 0, {0, -8}), (Bytes{0x80}));
  EXPECT_EQ(quantize(0x48, 1, 0, {-1, 2}), (Bytes{0x2f}));
  EXPECT_EQ(quantize(0x49, 1, 0, {1, 2, 3}), (Bytes{0x21, 0x03}));
  EXPECT_EQ(quantize(0x48, 1, 0, {-1}), (Bytes{0x0f}));
  EXPECT_EQ(quantize(0x4a, 1, 0, {-1}), (Bytes{0x03}));
}

TEST(ScalarQuantize, ThirtyTwoBitTypesReachTheirEnds) {
  EXPECT_EQ(quantize(0x14, 1, 1, {2147483520.0f}), (Bytes{0x81, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(quantize(0x14, 1, 0, {2147483648.0f}), (Bytes{0xff, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(quantize(0x14, 1, 0, {-2147483648.0f}), (Bytes{0x00, 0x00, 0x00, 0x80}));
  EXPECT_EQ(quantize(0x14, 1, -1, {2147483648.0f}), (Bytes{0xff, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(quantize(0x15, 1, INT32_MAX, {2147483648.0f}), (Bytes{0xff, 0xff, 0xff, 0xff}));
  EXPECT_EQ(quantize(0x15, 1, 0, {4294967040.0f}), (Bytes{0x00, 0xff, 0xff, 0xff}));
}

TEST(ScalarKernels, EveryCountWritesItsElementsAndNothingElse) {
  for (const Type& t : kTypes) {
    for (size_t count = 0; count <= 133; ++count) {
      Floats in(count);
      const float spread = t.bits == 32 ? 1e8f : static_cast<float>(t.max);
      for (size_t i = 0; i < count; ++i) {
        in[i] = (static_cast<float>(i * 37 % 101) / 50.0f - 1.0f) * spread * 1.1f;
      }
      const size_t bytes = bytes_of(t, count);
      Bytes q(1 + bytes + 8, 0xa5);  // odd address, canaries on both sides
      ASSERT_EQ(scalar.quantize(t.tag, 0.75f, 1, in.data(), q.data() + 1, count), HURRAY_OK);
      EXPECT_EQ(q[0], 0xa5);
      for (size_t i = 0; i < 8; ++i) EXPECT_EQ(q[1 + bytes + i], 0xa5);

      const Bytes packed(q.begin() + 1, q.begin() + 1 + static_cast<std::ptrdiff_t>(bytes));
      Floats out(count + 1, -77.0f);
      ASSERT_EQ(scalar.dequantize(t.tag, 0.75f, 1, packed.data(), out.data(), count), HURRAY_OK);
      EXPECT_EQ(out[count], -77.0f);
      for (size_t i = 0; i < count; ++i) {
        const int64_t code = code_at(t, packed, i);
        ASSERT_EQ(code, expected_code(t, in[i], 0.75f, 1)) << int{t.tag} << " " << count;
        ASSERT_EQ(out[i], 0.75f * static_cast<float>(code - 1)) << int{t.tag} << " " << count;
      }
    }
  }
}

TEST(ScalarKernels, RefuseParametersThatNoDescriptorMayHold) {
  float real = 1;
  uint8_t code = 0xa5;
  for (uint32_t bits : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u}) {
    for (size_t count : {size_t{0}, size_t{1}}) {
      const float scale = std::bit_cast<float>(bits);
      EXPECT_EQ(scalar.quantize(0x10, scale, 0, &real, &code, count), HURRAY_REJECTED);
      EXPECT_EQ(scalar.dequantize(0x10, scale, 0, &code, &real, count), HURRAY_REJECTED);
    }
  }
  EXPECT_EQ(scalar.quantize(0x10, 1, 128, &real, &code, 1), HURRAY_REJECTED);
  EXPECT_EQ(scalar.dequantize(0x15, 1, -1, &code, &real, 1), HURRAY_REJECTED);
  EXPECT_EQ(scalar.quantize(0x03, 1, 0, &real, &code, 1), HURRAY_UNSUPPORTED);
  EXPECT_EQ(scalar.dequantize(0x40, 1, 0, &code, &real, 1), HURRAY_UNSUPPORTED);
  EXPECT_EQ(code, 0xa5);
  EXPECT_EQ(real, 1.0f);
}

using Ints = std::vector<int32_t>;

hurray_status normalize(hurray_zero_point_format format, const Bytes& packed, size_t count,
                        Ints* out) {
  out->assign(count < 1000 ? count : 0, -77);
  const Bytes exact(packed);
  return scalar.normalize_zero_points(&format, exact.data(), exact.size(), count, out->data());
}

TEST(ScalarNormalize, AddsTheBiasToEachNibbleInAWiderInteger) {  // HQ-ZP-006..008
  Ints out;
  ASSERT_EQ(normalize({4, 1, 0}, {0x67, 0x78}, 4, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{8, 7, 9, 8}));
  ASSERT_EQ(normalize({4, 0, 0}, {0x67, 0x78}, 4, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{7, 6, 8, 7}));
  ASSERT_EQ(normalize({4, 1, 1}, {0x67, 0x78}, 4, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{7, 8, 8, 9}));
  ASSERT_EQ(normalize({4, 1, 0}, {0xff}, 2, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{16, 16}));
  ASSERT_EQ(normalize({4, 1, 0}, {0x0f}, 2, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{16, 1}));
  ASSERT_EQ(normalize({2, 1, 0}, {0xe4}, 4, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{1, 2, 3, 4}));
  ASSERT_EQ(normalize({8, 1, 0}, {0xff, 0x00}, 2, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{256, 1}));
}

TEST(ScalarNormalize, RefusesAPlaneThatIsTooShort) {  // HQ-ZP-015
  Ints out;
  ASSERT_EQ(normalize({4, 1, 0}, {0x67, 0x78}, 3, &out), HURRAY_OK);
  EXPECT_EQ(out, (Ints{8, 7, 9}));
  EXPECT_EQ(normalize({4, 1, 0}, {}, 0, &out), HURRAY_OK);
  EXPECT_EQ(normalize({4, 1, 0}, {0x67}, 4, &out), HURRAY_REJECTED);
  EXPECT_EQ(out, (Ints{-77, -77, -77, -77}));
  EXPECT_EQ(normalize({4, 1, 0}, {0x67}, 3, &out), HURRAY_REJECTED);
  EXPECT_EQ(normalize({4, 1, 0}, {0x67}, SIZE_MAX, &out), HURRAY_REJECTED);
  EXPECT_EQ(normalize({3, 1, 0}, {0x67}, 1, &out), HURRAY_UNSUPPORTED);
}

}  // namespace
