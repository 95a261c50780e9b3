// SPDX-License-Identifier: Apache-2.0
//
// Does the report name the mistake that was made in dequantizing? Every class is shown to the
// classifier by a small wrong kernel of its own, written as people write it and not as
// hypotheses.cpp has it.

#include "conformance/runner/classify_test.h"

#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

struct Dequantize {
  StorageType type = StorageType::kInt8;
  float scale = 0.5f;
  std::int32_t zero_point = 3;
  Codes codes = {-128, -5, 0, 3, 7, 100, 127};

  std::string request() const {
    return fmt::format("dequantize type={:02x} scale={} zero_point={} count={} q={}",
                       static_cast<unsigned>(type), bits_to_hex(scale), zero_point, codes.size(),
                       packed(type, codes));
  }
  std::string class_of_outputs(const Floats& out) const {
    return class_of(request(), "ok out=" + floats_to_hex(out));
  }
  std::string class_of_kernel(const std::function<float(std::int64_t)>& kernel) const {
    Floats out;
    for (const std::int64_t q : codes) out.push_back(kernel(q));
    return class_of_outputs(out);
  }
};

TEST(ClassifyDequantize, FlushToZero) {
  // A unit without subnormals: some products vanish, the others are right.
  const Dequantize call{.scale = 0x1p-127f, .codes = {2, 3, 4, 5, 100}};
  EXPECT_EQ(call.class_of_kernel([&](std::int64_t q) {
    const float product = call.scale * float(q - call.zero_point);
    return std::abs(product) < 0x1p-126f ? std::copysign(0.0f, product) : product;
  }),
            "flush-to-zero");
}

TEST(ClassifyDequantize, OffByOneStep) {
  const Dequantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](std::int64_t q) { return call.scale * float(q - call.zero_point + 1); }),
            "off-by-one-step");
  EXPECT_EQ(call.class_of_kernel(
                [&](std::int64_t q) { return call.scale * float(q - call.zero_point - 1); }),
            "off-by-one-step");
}

TEST(ClassifyDequantize, ZeroPointDropped) {
  const Dequantize call;
  EXPECT_EQ(call.class_of_kernel([&](std::int64_t q) { return call.scale * float(q); }),
            "zero-point-dropped");
}

TEST(ClassifyDequantize, ZeroPointAdded) {
  const Dequantize call;
  EXPECT_EQ(
      call.class_of_kernel([&](std::int64_t q) { return call.scale * float(q + call.zero_point); }),
      "zero-point-added");
}

TEST(ClassifyDequantize, ZeroPointWidth) {
  // The parameter was declared int8_t, or uint8_t.
  const Dequantize call{.type = StorageType::kInt16, .zero_point = 300};
  EXPECT_EQ(call.class_of_kernel([&](std::int64_t q) {
    return call.scale * float(q - static_cast<std::int8_t>(call.zero_point));
  }),
            "zero-point-width");
  const Dequantize negative{.type = StorageType::kInt16, .zero_point = -300};
  EXPECT_EQ(negative.class_of_kernel([&](std::int64_t q) {
    return negative.scale * float(q - static_cast<std::uint8_t>(negative.zero_point));
  }),
            "zero-point-width");
}

TEST(ClassifyDequantize, SignExtension) {
  // int4 read as a plain nibble, and uint8 read through a char.
  const Dequantize call{.type = StorageType::kInt4, .codes = {-8, -3, 0, 7}};
  EXPECT_EQ(call.class_of_kernel(
                [&](std::int64_t q) { return call.scale * float((q & 15) - call.zero_point); }),
            "sign-extension");
  const Dequantize unsigned_call{.type = StorageType::kUint8, .codes = {0, 3, 128, 255}};
  EXPECT_EQ(unsigned_call.class_of_kernel([&](std::int64_t q) {
    return unsigned_call.scale * float(static_cast<std::int8_t>(q) - unsigned_call.zero_point);
  }),
            "sign-extension");
}

TEST(ClassifyDequantize, NibbleOrder) {
  const Dequantize call{.type = StorageType::kUint4, .codes = {1, 14, 3, 8, 9, 2}};
  const Codes& c = call.codes;
  Floats out;
  for (const std::int64_t q : {c[1], c[0], c[3], c[2], c[5], c[4]})
    out.push_back(call.scale * float(q - 3));
  EXPECT_EQ(call.class_of_outputs(out), "nibble-order");
}

TEST(ClassifyDequantize, ByteOrder) {
  const Dequantize call{.type = StorageType::kInt16, .codes = {258, -2, 4096, 3}};
  EXPECT_EQ(call.class_of_kernel([&](std::int64_t q) {
    const std::uint16_t bits = static_cast<std::uint16_t>(q);
    return call.scale * float(static_cast<std::int16_t>(bits << 8 | bits >> 8) - call.zero_point);
  }),
            "byte-order");
}

TEST(ClassifyDequantize, ScaleByteOrder) {
  const Dequantize call{.scale = 1.2345f};
  const float swapped =
      std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(call.scale)));
  EXPECT_EQ(
      call.class_of_kernel([&](std::int64_t q) { return swapped * float(q - call.zero_point); }),
      "scale-byte-order");
}

TEST(ClassifyDequantize, ScaleSignDropped) {
  const Dequantize call{.scale = -0.75f};
  EXPECT_EQ(
      call.class_of_kernel([&](std::int64_t q) { return 0.75f * float(q - call.zero_point); }),
      "scale-sign-dropped");
}

TEST(ClassifyDequantize, Int32Wrap) {
  // uint16 minus a zero point needs no more than 32 bits; firmware's any int32 does, and may not
  // wrap.
  const std::string request =
      "ra8 fn=dequantize_i8 scale=3f800000 zero_point=-2147483640 count=3 in=7f0009";
  Floats out;
  for (const std::int64_t q : {127, 0, 9}) {
    out.push_back(
        static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(q) + 2147483640u)));
  }
  EXPECT_EQ(class_of(request, "ok code=0000 out=" + floats_to_hex(out)), "int32-wrap");
}

TEST(ClassifyDequantize, UnsignedDifference) {
  const Dequantize call{
      .type = StorageType::kUint8, .zero_point = 128, .codes = {0, 100, 128, 200}};
  EXPECT_EQ(call.class_of_kernel([&](std::int64_t q) {
    return call.scale * static_cast<float>(static_cast<std::uint32_t>(q) - 128u);
  }),
            "unsigned-difference");
}

// Scale and zero point at which the ways to compute a product part from each other.
const Dequantize kRounding{.type = StorageType::kInt32,
                           .scale = 0.1f,
                           .zero_point = 12345679,
                           .codes = {987654321, 123456789, 55555557, -33333331, 77}};

TEST(ClassifyDequantize, Fused) {
  EXPECT_EQ(kRounding.class_of_kernel([](std::int64_t q) {
    const float offset = kRounding.scale * float(kRounding.zero_point);
    return std::fma(kRounding.scale, float(q), -offset);
  }),
            "fused");
}

TEST(ClassifyDequantize, Expanded) {
  EXPECT_EQ(kRounding.class_of_kernel([](std::int64_t q) {
    const volatile float a = kRounding.scale * float(q);
    const volatile float b = kRounding.scale * float(kRounding.zero_point);
    return a - b;
  }),
            "expanded");
}

TEST(ClassifyDequantize, FloatDifference) {
  EXPECT_EQ(kRounding.class_of_kernel([](std::int64_t q) {
    return kRounding.scale * (float(q) - float(kRounding.zero_point));
  }),
            "float-difference");
}

TEST(ClassifyDequantize, DoubleProduct) {
  EXPECT_EQ(kRounding.class_of_kernel([](std::int64_t q) {
    return static_cast<float>(double{kRounding.scale} * double(q - kRounding.zero_point));
  }),
            "double-product");
}

TEST(ClassifyDequantize, HalfPrecisionScale) {
  const Dequantize call{.scale = 0.1f};
  EXPECT_EQ(call.class_of_kernel(
                [&](std::int64_t q) { return 0.0999755859375f * float(q - call.zero_point); }),
            "half-precision-scale");
}

TEST(ClassifyDequantize, ShiftedByOneElement) {
  const Dequantize call{.codes = {10, 20, 31, 47, 60}};
  Floats out;
  for (const std::int64_t q : {20, 31, 47, 60, 60})
    out.push_back(call.scale * float(q - call.zero_point));
  EXPECT_EQ(call.class_of_outputs(out), "shifted-by-one-element");
}

TEST(ClassifyDequantize, NotComputed) {
  const Dequantize call;
  EXPECT_EQ(call.class_of_kernel([](std::int64_t) { return 0.0f; }), "not-computed");
}

TEST(ClassifyDequantize, Tail) {
  // A vector loop of 4 whose remainder was forgotten: the last elements hold what was there.
  const Dequantize call{.codes = {10, 20, 30, 40, 50, 60, 70, 80, 90}};
  Floats out;
  for (const std::int64_t q : call.codes) out.push_back(call.scale * float(q - call.zero_point));
  out[8] = 1234.5f;
  EXPECT_EQ(call.class_of_outputs(out), "tail");
}

TEST(ClassifyDequantize, ZeroSign) {
  const Dequantize call{.scale = -0.5f, .codes = {3}};
  EXPECT_EQ(call.class_of_outputs({0.0f}), "zero-sign");
}

TEST(ClassifyDequantize, WhatNoMistakeExplainsIsUnknown) {
  // No guess is better than a wrong one.
  const Dequantize call;
  EXPECT_EQ(
      call.class_of_kernel([](std::int64_t q) { return static_cast<float>(q) * 17.25f + 1.0f; }),
      "unknown");
}

}  // namespace
}  // namespace hurray::conformance
