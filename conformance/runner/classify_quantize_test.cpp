// SPDX-License-Identifier: Apache-2.0
//
// Does the report name the mistake that was made in quantizing? Every class is shown to the
// classifier by a small wrong kernel of its own, written as people write it and not as
// hypotheses.cpp has it.

#include "conformance/runner/classify_test.h"

#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

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

}  // namespace
}  // namespace hurray::conformance
