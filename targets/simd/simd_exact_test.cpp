// SPDX-License-Identifier: Apache-2.0
//
// Do the tricks of the kernels hold for everything that the arguments beside them reduce them to?
// Everything is enumerated, except that of the 2^23 mantissas of a scale one in 31 is taken unless
// HURRAY_EXHAUSTIVE=1 is in the environment: then all, half a minute for each set. The tier
// `exhaustive` of ci/test.sh has it.

#include <bit>
#include <cmath>
#include <cstdlib>

#include "simd_test.h"

namespace simd_test {
namespace {

using hurray::simd::Quotient;
using hurray::simd::Store;

class Tricks : public testing::TestWithParam<InstructionSet> {};

// The product with the reciprocal and the quotient lie on the same side of each k + 1/2 that a code
// of 8 bits and a zero point can ask about, 6 units around the place where x / scale crosses it.
// Further away both are on the side of x / scale, and all scales with one mantissa behave alike:
// see the README.
TEST_P(Tricks, TheReciprocalRoundsAsTheQuotientDoes) {
  if (!GetParam().kernels->has_reciprocal) {
    GTEST_SKIP() << GetParam().name << " has no fused multiplication and always divides";
  }
  constexpr std::uint32_t kThresholds = 255, kAround = 6, kEach = 2 * kAround + 1;
  const char* const asked = std::getenv("HURRAY_EXHAUSTIVE");
  const std::uint32_t stride = asked && *asked == '1' ? 1 : 31;
  const auto quantize = GetParam().kernels->quantize[1];  // uint8
  Floats in(kThresholds * kEach);
  Bytes by_product(in.size()), by_division(in.size());
  for (std::uint32_t mantissa = 0; mantissa < 1u << 23; mantissa += stride) {
    const float scale = std::bit_cast<float>(0x3f800000u | mantissa);
    for (std::uint32_t k = 0; k < kThresholds; ++k) {
      const auto at = std::bit_cast<std::uint32_t>(scale * (static_cast<float>(k) + 0.5f));
      for (std::uint32_t i = 0; i < kEach; ++i) {
        in[k * kEach + i] = std::bit_cast<float>(at + i - kAround);
      }
    }
    quantize(scale, 0, in.data(), by_product.data(), in.size(), Quotient::kReciprocal,
             Store::kCached);
    quantize(scale, 0, in.data(), by_division.data(), in.size(), Quotient::kDivided,
             Store::kCached);
    ASSERT_EQ(by_product, by_division) << std::hexfloat << scale;
  }
}

// And division itself, with the same inputs and the oracle.
TEST_P(Tricks, DivisionIsThatOfTheReference) {
  for (std::uint32_t mantissa = 0; mantissa < 1u << 23; mantissa += 50021) {
    const float scale = std::bit_cast<float>(0x3f800000u | mantissa);
    Floats in;
    for (int k = -256; k <= 256; ++k) {
      const float at = scale * (static_cast<float>(k) + 0.5f);
      for (const float x : {std::nextafter(at, -1e9f), at, std::nextafter(at, 1e9f)}) {
        in.push_back(x);
      }
    }
    Bytes q(in.size());
    for (const std::size_t type : {0u, 1u}) {
      for (const std::int32_t zero_point : zero_points(kStorageTypes[type])) {
        const Bytes expected = expected_codes(kStorageTypes[type], scale, zero_point, in);
        for (const Quotient how : {Quotient::kReciprocal, Quotient::kDivided}) {
          GetParam().kernels->quantize[type](scale, zero_point, in.data(), q.data(), in.size(), how,
                                             Store::kCached);
          ASSERT_EQ(q, expected) << std::hexfloat << scale << " zero point " << zero_point;
        }
      }
    }
  }
}

// Halves and their neighbours, through all 16-bit integers that rounding after packing can meet and
// beyond, for every type: the quotients are exact.
TEST_P(Tricks, EveryHalfIsRoundedAwayFromZero) {
  constexpr int kMost = 1 << 18;  // halves: quotients to 2^17, more than two codes of 16 bits apart
  Floats in;
  for (int half = -kMost; half <= kMost; ++half) {
    const float at = static_cast<float>(half) / 2;
    for (const float x : {std::nextafter(at, -1e9f), at, std::nextafter(at, 1e9f)}) in.push_back(x);
  }
  in.resize(in.size() / 4 * 4);
  for (std::size_t i = 0; i < kStorageTypes.size(); ++i) {
    Bytes q(packed_bytes(kStorageTypes[i], in.size()));
    for (const std::int32_t zero_point : zero_points(kStorageTypes[i])) {
      const Bytes expected = expected_codes(kStorageTypes[i], 1.0f, zero_point, in);
      GetParam().kernels->quantize[i](1.0f, zero_point, in.data(), q.data(), in.size(),
                                      Quotient::kReciprocal, Store::kCached);
      ASSERT_EQ(q, expected) << kStorageTypes[i].name << " zero point " << zero_point;
    }
  }
}

// All codes of up to 8 bits with all zero points of their type: what folding the zero point into
// floating point, and flipping the highest bit, come down to.
TEST_P(Tricks, EveryCodeWithEveryZeroPoint) {
  for (std::size_t i = 0; i < kStorageTypes.size(); ++i) {
    const StorageTypeInfo& type = kStorageTypes[i];
    if (type.bits > 8) continue;
    Bytes codes(256);  // of packed types every byte, so every code at every place
    for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = static_cast<std::uint8_t>(k);
    const std::size_t count = codes.size() * 8 / type.bits;
    Floats out(count);
    for (auto zero_point = static_cast<std::int32_t>(type.min); zero_point <= type.max;
         ++zero_point) {
      for (const float scale : {1.0f, -0.1f, 0x1p-149f}) {
        const Floats expected = expected_values(type, scale, zero_point, codes.data(), count);
        GetParam().kernels->dequantize[i](scale, zero_point, codes.data(), out.data(), count,
                                          Store::kCached);
        ASSERT_EQ(first_difference(out.data(), expected.data(), count), count)
            << type.name << " zero point " << zero_point << " scale " << scale;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Tricks, testing::ValuesIn(sets_here()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace simd_test
