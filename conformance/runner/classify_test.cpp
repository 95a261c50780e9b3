// SPDX-License-Identifier: Apache-2.0
//
// Does the report name the mistake that was made? Every class is shown to the classifier by a small
// wrong kernel of its own, written as people write it and not as hypotheses.cpp has it.

#include "conformance/runner/classify.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "conformance/runner/hypotheses.h"
#include "conformance/runner/judge.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

using Codes = std::vector<std::int64_t>;

std::string class_of(const std::string& request, const std::string& body) {
  const Case item{"a/case", "why", {{request, expected_answers(read_request(request))}}, {}};
  const CaseResult result = judge(item, {{Outcome::kValue, body, {}}});
  EXPECT_TRUE(result.failure) << "the answer is right: " << request << " -> " << body;
  const std::string found = result.failure ? result.failure->failure_class : "none";
  if (found != "unknown") {
    EXPECT_FALSE(meaning_of_class(found).empty()) << found;
  }
  return found;
}

std::string packed(StorageType type, const Codes& codes) {
  Bytes bytes(packed_bytes(type, codes.size()).value());
  pack(type, codes, bytes.data());
  return to_hex(bytes);
}

// --- Dequantizing: kernels from code and parameters to a float

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

// --- Quantizing: kernels from a float to a code before it is cut to the type

struct Quantize {
  StorageType type = StorageType::kInt8;
  float scale = 0.5f;
  std::int32_t zero_point = 3;
  Floats in = {-200.0f, -3.3f, -0.25f, 0.0f, 0.25f, 0.6f, 1.3f, 9.1f, 200.0f};

  std::string class_of_kernel(const std::function<std::int64_t(float)>& kernel) const {
    Codes codes;
    for (const float x : in) codes.push_back(kernel(x));
    const std::string request = fmt::format(
        "quantize type={:02x} scale={} zero_point={} count={} in={}", static_cast<unsigned>(type),
        bits_to_hex(scale), zero_point, in.size(), floats_to_hex(in));
    return class_of(request, "ok q=" + packed(type, codes));
  }
};

std::int64_t clamp8(double value) {
  return static_cast<std::int64_t>(std::min(127.0, std::max(-128.0, value)));
}
float divided(float x, float scale) {
  const volatile float quotient = x / scale;
  return quotient;
}

TEST(ClassifyQuantize, TiesToEven) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel([&](float x) {
    return clamp8(std::nearbyint(double{divided(x, call.scale)}) + 3);
  }),
            "ties-to-even");
}

TEST(ClassifyQuantize, TiesTowardZero) {
  // 1.5 steps: the even one is further from zero.
  const Quantize call{.in = {-0.75f, -0.25f, 0.6f, 0.75f, 1.3f, 9.1f}};
  EXPECT_EQ(call.class_of_kernel([&](float x) {
    const double quotient = divided(x, call.scale);
    return clamp8(std::copysign(std::ceil(std::abs(quotient) - 0.5), quotient) + 3);
  }),
            "ties-toward-zero");
}

TEST(ClassifyQuantize, TiesUpward) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel([&](float x) {
    return clamp8(std::floor(double{divided(x, call.scale)} + 0.5) + 3);
  }),
            "ties-upward");
}

TEST(ClassifyQuantize, HalfAdded) {
  // 0.49999997 + 0.5 rounds to 1 in binary32.
  const Quantize call{.scale = 1.0f, .in = {0.49999997f, -0.49999997f, 1.5f, -1.5f, 5.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    const volatile float moved = x + (x < 0 ? -0.5f : 0.5f);
    return clamp8(std::trunc(double{moved}) + 3);
  }),
            "half-added");
}

TEST(ClassifyQuantize, Truncation) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](float x) { return clamp8(std::trunc(double{divided(x, call.scale)}) + 3); }),
            "truncation");
}

TEST(ClassifyQuantize, RoundsDown) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](float x) { return clamp8(std::floor(double{divided(x, call.scale)}) + 3); }),
            "rounds-down");
}

TEST(ClassifyQuantize, ZeroPointBeforeRounding) {
  // 2.5 - 3 = -0.5 rounds to -1, where round(2.5) - 3 is 0.
  const Quantize call{.scale = 1.0f, .zero_point = -3, .in = {-2.5f, -1.5f, 0.25f, 0.75f, 2.5f}};
  EXPECT_EQ(call.class_of_kernel([](float x) { return clamp8(std::round(double{x} - 3)); }),
            "zero-point-before-rounding");
}

TEST(ClassifyQuantize, Reciprocal) {
  // With the scale 0.05 the two ways differ on few inputs, which are looked for.
  Quantize call{.scale = 0.05f, .zero_point = 0, .in = {}};
  const volatile float reciprocal = 1.0f / call.scale;
  const auto multiplied = [&](float x) {
    const volatile float quotient = x * reciprocal;
    return clamp8(std::round(double{quotient}));
  };
  for (int k = -100; k < 100 && call.in.size() < 4; ++k) {
    const float near = (static_cast<float>(k) + 0.5f) * call.scale;
    for (float x : {near, std::nextafter(near, 9.0f), std::nextafter(near, -9.0f)}) {
      if (multiplied(x) != clamp8(std::round(double{divided(x, call.scale)}))) call.in.push_back(x);
    }
  }
  ASSERT_FALSE(call.in.empty());
  for (const float x : {1.0f, -3.125f, 0.04f, -0.04f}) call.in.push_back(x);
  EXPECT_EQ(call.class_of_kernel(multiplied), "reciprocal");
}

TEST(ClassifyQuantize, ZeroPointDropped) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](float x) { return clamp8(std::round(double{divided(x, call.scale)})); }),
            "zero-point-dropped");
}

TEST(ClassifyQuantize, ZeroPointSubtracted) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](float x) { return clamp8(std::round(double{divided(x, call.scale)}) - 3); }),
            "zero-point-subtracted");
}

TEST(ClassifyQuantize, OffByOneStep) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel(
                [&](float x) { return clamp8(std::round(double{divided(x, call.scale)}) + 4); }),
            "off-by-one-step");
}

TEST(ClassifyQuantize, NarrowRange) {
  // Symmetric kernels that stop at -127.
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel([&](float x) {
    return std::max<std::int64_t>(-127, clamp8(std::round(double{divided(x, call.scale)}) + 3));
  }),
            "narrow-range");
}

// Calls of the firmware, whose zero point may be any int32.
struct Firmware {
  float scale = 1.0f;
  std::int32_t zero_point = 0;
  Floats in;

  std::string class_of_kernel(const std::function<std::int64_t(float)>& kernel) const {
    Codes codes;
    for (const float x : in) codes.push_back(kernel(x));
    const std::string request =
        fmt::format("ra8 fn=quantize_i8 scale={} zero_point={} count={} in={}", bits_to_hex(scale),
                    zero_point, in.size(), floats_to_hex(in));
    return class_of(request, "ok code=0000 out=" + packed(StorageType::kInt8, codes));
  }
};

TEST(ClassifyQuantize, ZeroPointClamped) {
  const Firmware call{.zero_point = 300, .in = {-200.0f, -250.0f, -310.0f, 0.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) { return clamp8(std::round(double{x}) + 127); }),
            "zero-point-clamped");
}

TEST(ClassifyQuantize, ZeroPointWidth) {
  const Firmware call{.zero_point = 300, .in = {-200.0f, -250.0f, 10.0f, 0.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) { return clamp8(std::round(double{x}) + 44); }),
            "zero-point-width");
}

TEST(ClassifyQuantize, ClampBeforeZeroPoint) {
  const Firmware call{.zero_point = 100, .in = {-200.0f, -228.0f, 10.0f, 0.0f}};
  EXPECT_EQ(call.class_of_kernel(
                [](float x) { return clamp8(double(clamp8(std::round(double{x}))) + 100); }),
            "clamp-before-zero-point");
}

TEST(ClassifyQuantize, Wrap) {
  const Firmware call{.zero_point = 0, .in = {128.0f, 200.0f, -129.0f, 5.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    return static_cast<std::int64_t>(
        static_cast<std::int8_t>(static_cast<std::uint8_t>(static_cast<int>(x))));
  }),
            "wrap");
}

TEST(ClassifyQuantize, UndefinedCast) {
  // cvttss2si makes INT32_MIN of everything out of range, so large positive inputs come out lowest.
  const Firmware call{.zero_point = 0, .in = {3e9f, 1e20f, -3e9f, 5.0f, 300.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    return x >= 0x1p31f ? std::int64_t{-128} : clamp8(std::round(double{x}));
  }),
            "undefined-cast");
}

TEST(ClassifyQuantize, ZeroPointOverflow) {
  // A saturating cast to int32, and then an addition in 32 bits.
  const Firmware call{.zero_point = 2147483647,
                      .in = {3e9f, 1e20f, -2147483136.0f, -2147483520.0f, -2147483648.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    return x >= 0x1p31f ? std::int64_t{-2} : clamp8(double{x} + 2147483647.0);
  }),
            "zero-point-overflow");
}

TEST(ClassifyQuantize, OtherTypeRange) {
  // Clamped to 0…255 and stored as int8.
  const Firmware call{.zero_point = 0, .in = {-100.0f, -5.0f, 130.0f, 300.0f, 5.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    const int clamped = std::min(255, std::max(0, static_cast<int>(x)));
    return static_cast<std::int64_t>(static_cast<std::int8_t>(static_cast<std::uint8_t>(clamped)));
  }),
            "other-type-range");
}

TEST(ClassifyQuantize, CappedQuotient) {
  // RA8-Z-003: a cap of a million before the zero point, which then brings the sum back into range.
  const Firmware call{.zero_point = -999900, .in = {1000020.0f, 1000010.0f, 5.0f}};
  EXPECT_EQ(
      call.class_of_kernel([](float x) { return clamp8(std::min(1e6, double{x}) - 999900.0); }),
      "capped-quotient");
}

TEST(ClassifyQuantize, FloatSum) {
  const Firmware call{.zero_point = -16777217, .in = {16777216.0f, 16777220.0f, 16777218.0f}};
  EXPECT_EQ(call.class_of_kernel([](float x) {
    const volatile float sum = x + -16777217.0f;
    return clamp8(double{sum});
  }),
            "float-sum");
}

TEST(ClassifyQuantize, FlushToZeroOfTheScale) {
  // A subnormal input over a subnormal scale is an ordinary quotient; only the hurray contract
  // demands it.
  const Quantize call{.scale = 0x1p-149f, .in = {0x1p-147f, -0x1p-146f, 0.0f}};
  EXPECT_EQ(call.class_of_kernel([](float) { return std::int64_t{3}; }), "flush-to-zero");
}

TEST(ClassifyQuantize, Fused) {
  // With a reciprocal that is not exact, fma keeps what the product would have rounded away.
  Quantize call{.scale = 0.05f, .zero_point = 1, .in = {}};
  const volatile float reciprocal = 1.0f / call.scale;
  const auto fused = [&](float x) {
    return clamp8(std::round(double{std::fma(x, reciprocal, 1.0f)}));
  };
  for (int k = -90; k < 90; ++k) {
    const float near = (static_cast<float>(k) + 0.5f) * call.scale;
    for (const float x : {near, std::nextafter(near, 9.0f), std::nextafter(near, -9.0f)})
      call.in.push_back(x);
  }
  EXPECT_EQ(call.class_of_kernel(fused), "fused");
}

TEST(ClassifyQuantize, NotComputed) {
  const Quantize call;
  EXPECT_EQ(call.class_of_kernel([](float) { return std::int64_t{0}; }), "not-computed");
}

TEST(ClassifyQuantize, PaddingBits) {
  EXPECT_EQ(class_of("quantize type=4a scale=3f800000 zero_point=0 count=1 in=00000000", "ok q=fc"),
            "padding-bits");
}

TEST(ClassifyQuantize, InconsistentAroundANan) {
  // Two NaNs of one call become two codes.
  EXPECT_EQ(class_of("quantize type=10 scale=3f800000 zero_point=3 count=2 in=0000c07f0000c07f",
                     "ok q=037f"),
            "inconsistent");
}

// --- Normalizing

std::string normalize_class(const std::function<std::int32_t(unsigned byte, bool high)>& kernel) {
  const Bytes plane = {0x76, 0xf0, 0x1f, 0x8a};
  std::vector<std::int32_t> out;
  for (const std::uint8_t byte : plane) {
    out.push_back(kernel(byte, false));
    out.push_back(kernel(byte, true));
  }
  return class_of("normalize bits=4 bias=1 order=low-first count=8 packed=" + to_hex(plane),
                  "ok zero_points=" + int32s_to_hex(out));
}

std::int32_t field(unsigned byte, bool high) {
  return static_cast<std::int32_t>(high ? byte >> 4 : byte & 15);
}

TEST(ClassifyNormalize, EveryWayToLoseTheBias) {
  using Kernel = std::function<std::int32_t(unsigned, bool)>;
  const std::pair<const char*, Kernel> kKernels[] = {
      {"bias-forgotten", [](unsigned byte, bool high) { return field(byte, high); }},
      {"bias-added-twice", [](unsigned byte, bool high) { return field(byte, high) + 2; }},
      {"bias-subtracted", [](unsigned byte, bool high) { return field(byte, high) - 1; }},
      {"wraps-at-15", [](unsigned byte, bool high) { return (field(byte, high) + 1) % 16; }},
      {"clamps-at-15",
       [](unsigned byte, bool high) { return std::min(15, field(byte, high) + 1); }},
      {"packed-add-carry",
       [](unsigned byte, bool high) { return field((byte + 0x11u) & 0xff, high); }},
      {"nibble-order", [](unsigned byte, bool high) { return field(byte, !high) + 1; }},
      {"sign-extension",
       [](unsigned byte, bool high) {
         return (field(byte, high) > 7 ? field(byte, high) - 16 : field(byte, high)) + 1;
       }},
      {"symmetric-assumed", [](unsigned, bool) { return 8; }},
  };
  for (const auto& [name, kernel] : kKernels) EXPECT_EQ(normalize_class(kernel), name);
}

// --- Descriptors

constexpr const char* kDecode = "decode type=12 bytes=010100000000003f3412000000000000";

TEST(ClassifyDescriptor, ByteOrder) {
  EXPECT_EQ(class_of(kDecode, "ok scheme=1 scale=0000003f zero_point=4660"), "byte-order");
  EXPECT_EQ(class_of(kDecode, "ok scheme=1 scale=3f000000 zero_point=873594880"), "byte-order");
  EXPECT_EQ(class_of("encode type=12 scheme=1 scale=3f000000 zero_point=4660",
                     "ok bytes=01010000"
                     "3f000000"
                     "00001234"
                     "00000000"),
            "byte-order");
}

TEST(ClassifyDescriptor, SignExtension) {
  // A zero point that was read from one byte.
  EXPECT_EQ(class_of("decode type=11 bytes=010100000000003fc800000000000000",
                     "ok scheme=1 scale=3f000000 zero_point=-56"),
            "sign-extension");
}

TEST(ClassifyDescriptor, AcceptAndReject) {
  EXPECT_EQ(class_of(kDecode, "reject"), "rejects-valid");
  EXPECT_EQ(class_of("decode type=10 bytes=", "ok scheme=1 scale=3f000000 zero_point=0"),
            "accepts-invalid");
  EXPECT_EQ(class_of(kDecode, "unsupported"), "claims-what-it-lacks");
}

// --- Firmware codes and call discipline

TEST(ClassifyCall, WrongCode) {
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000",
                     "ok code=0504"),
            "wrong-code");
}

TEST(ClassifyCall, WritesOutside) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fill=a5",
                     "ok out=0000003f under=0 over=4 in_changed=0"),
            "writes-outside");
}

TEST(ClassifyCall, ChangesInput) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fill=a5",
                     "ok out=0000003f under=0 over=0 in_changed=1"),
            "changes-input");
}

TEST(ClassifyCall, WritesOnError) {
  EXPECT_EQ(
      class_of("decode type=10 bytes= fill=a5", "reject under=0 over=0 in_changed=0 changed=1"),
      "writes-on-error");
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000 fill=a5",
                     "ok code=0103 out=00 under=0 over=0 in_changed=0"),
            "writes-on-error");
}

TEST(ClassifyCall, AnotherCodeWithItsOutputUntouchedIsJustAnotherCode) {
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000 fill=a5",
                     "ok code=0504 out=a5 under=0 over=0 in_changed=0"),
            "wrong-code");
}

TEST(ClassifyCall, FloatEnvironment) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fenv=nearest",
                     "ok out=0000003f fenv=changed"),
            "float-environment");
}

// --- The names

TEST(MeaningOfClass, EveryMistakeThatIsTriedHasAMeaning) {
  // A report without the half sentence beside the class helps nobody.
  for (const auto& each : dequantize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
  for (const auto& each : quantize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
  for (const auto& each : normalize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
}

TEST(MeaningOfClass, OtherNamesHaveNone) {
  EXPECT_TRUE(meaning_of_class("").empty());
  EXPECT_TRUE(meaning_of_class("unknown").empty());
  EXPECT_TRUE(meaning_of_class("ties").empty());
}

}  // namespace
}  // namespace hurray::conformance
