// SPDX-License-Identifier: Apache-2.0
//
// Do all kernels of all instruction sets give what the reference gives, at every count and
// alignment, and touch nothing else? Sets that this machine lacks are skipped, by name.

#include <bit>
#include <cmath>
#include <iterator>
#include <random>

#include "simd_test.h"

namespace simd_test {
namespace {

using hurray::simd::Quotient;
using hurray::simd::Store;

constexpr std::size_t kMost = 200;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// Those for which the reciprocal is used, the outermost two among them, and those for which it is
// not; subnormal, and so large that every product but that of 0 overflows.
constexpr float kScales[] = {1.0f,
                             0.1f,
                             -0.1f,
                             0x1.fffffep-1f,
                             0x1.8p-60f,
                             0x1p-60f,
                             0x1p60f,
                             0x1.fffffep-61f,
                             0x1.000002p60f,
                             0x1p-149f,
                             0x1.8p-127f,
                             -0x1p-126f,
                             0x1.fffffep127f,
                             3.0f};

// Codes of all bit patterns, the extreme ones more often than not.
Bytes hard_codes(std::mt19937& random) {
  Bytes q(kMost * 4 + 8);
  for (std::uint8_t& byte : q) byte = static_cast<std::uint8_t>(random());
  for (std::size_t i = 0; i < q.size(); i += 11) q[i] = random() % 2 ? 0xff : 0x80;
  return q;
}

// Quotients at the edges of rounding, by one unit in the last place; and what is no quotient.
Floats hard_inputs(float scale, const StorageTypeInfo& type, std::mt19937& random) {
  const float special[] = {0.0f,     -0.0f,     kInfinity,       -kInfinity,
                           kNan,     -kNan,     0x1p-149f,       0x1p-126f,
                           0x1p127f, -0x1p127f, 0x1.fffffep127f, -0x1.fffffep127f};
  Floats in(kMost);
  for (float& x : in) {
    const auto k = static_cast<float>(static_cast<std::int32_t>(random() % 600) - 300);
    switch (random() % 6) {
      case 0:
        x = special[random() % std::size(special)];
        break;
      case 1:
        x = static_cast<float>(static_cast<double>(random()) / 0x1p32 *
                                   static_cast<double>(type.max) * 2.5 -
                               static_cast<double>(type.max)) *
            scale;
        break;
      case 2:
        x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        break;
      default:
        x = (k + 0.5f) * scale;
        if (random() % 3 == 0) x = std::nextafter(x, kInfinity);
        if (random() % 3 == 0) x = std::nextafter(x, -kInfinity);
    }
  }
  return in;
}

class Kernels : public EveryKernel {};

TEST_P(Kernels, DequantizeEveryCountAtEveryAlignment) {
  std::mt19937 random(1);
  const Guarded from(4096), to(4096);
  for (const float scale : kScales) {
    for (const std::int32_t zero_point : zero_points(type())) {
      const Bytes codes = hard_codes(random);
      const Floats all = expected_values(type(), scale, zero_point, codes.data(), kMost);
      for (std::size_t count = 0; count <= kMost; ++count) {
        const std::size_t bytes = packed_bytes(type(), count);
        // At the end of readable memory, and at its start at all offsets.
        const std::size_t offset = count % 9;
        for (std::uint8_t* const q : {from.last(bytes), from.start() + offset}) {
          std::copy_n(codes.begin(), bytes, q);
          for (const Store store : kStores) {
            const std::size_t shift = sizeof(float) * (count % 17);
            auto* const out = reinterpret_cast<float*>(
                q == from.last(bytes) ? to.last(count * sizeof(float)) : to.start() + shift);
            to.fill();
            dequantize()(scale, zero_point, q, out, count, store);
            const std::size_t wrong = first_difference(out, all.data(), count);
            ASSERT_EQ(wrong, count) << "scale " << scale << " zero point " << zero_point
                                    << " gives " << out[wrong] << " for " << all[wrong];
            ASSERT_TRUE(to.is_untouched_but(out, count * sizeof(float)));
          }
        }
      }
    }
  }
}

TEST_P(Kernels, QuantizeEveryCountAtEveryAlignment) {
  std::mt19937 random(2);
  const Guarded from(4096), to(4096);
  for (const float scale : kScales) {
    for (const std::int32_t zero_point : zero_points(type())) {
      const Floats inputs = hard_inputs(scale, type(), random);
      for (std::size_t count = 0; count <= kMost; ++count) {
        const Bytes expected = expected_codes(
            type(), scale, zero_point,
            Floats(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(count)));
        for (const bool at_end : {true, false}) {
          auto* const in = reinterpret_cast<float*>(at_end ? from.last(count * sizeof(float))
                                                           : from.start() + 4 * (count % 17));
          std::copy_n(inputs.begin(), count, in);
          std::uint8_t* const q = at_end ? to.last(expected.size()) : to.start() + count % 9;
          for (const Quotient quotient : {Quotient::kReciprocal, Quotient::kDivided}) {
            for (const Store store : kStores) {
              to.fill();
              quantize()(scale, zero_point, in, q, count, quotient, store);
              const auto wrong =
                  std::mismatch(expected.begin(), expected.end(), q).first - expected.begin();
              ASSERT_EQ(wrong, static_cast<std::ptrdiff_t>(expected.size()))
                  << "count " << count << " scale " << scale << " zero point " << zero_point
                  << " input " << in[static_cast<std::size_t>(wrong) * 8 / type().bits];
              ASSERT_TRUE(to.is_untouched_but(q, expected.size()));
            }
          }
        }
      }
    }
  }
}

// Many vectors, and more than one block of the types that are packed.
TEST_P(Kernels, LongRunsOfManyLengths) {
  constexpr std::size_t kLong = 4096;
  std::mt19937 random(3);
  Bytes codes(kLong * 4);
  for (std::uint8_t& byte : codes) byte = static_cast<std::uint8_t>(random());
  const std::int32_t zero_point = zero_points(type())[2];
  const Floats all = expected_values(type(), 0.1f, zero_point, codes.data(), kLong);
  const Bytes back = expected_codes(type(), 0.1f, zero_point, all);
  const Guarded to(kLong * 4 + 16 * sizeof(float));
  for (std::size_t count = kMost; count <= kLong; count += 1 + random() % 40) {
    const std::size_t shift = random() % 16;
    const Bytes expected = first_codes(type(), back, count);
    auto* const out = reinterpret_cast<float*>(to.start()) + shift;
    std::uint8_t* const q = to.start() + shift;
    for (const Store store : kStores) {
      to.fill();
      dequantize()(0.1f, zero_point, codes.data(), out, count, store);
      ASSERT_EQ(first_difference(out, all.data(), count), count) << count;
      ASSERT_TRUE(to.is_untouched_but(out, count * sizeof(float))) << count;
      to.fill();
      quantize()(0.1f, zero_point, all.data(), q, count, Quotient::kReciprocal, store);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), q)) << count;
      ASSERT_TRUE(to.is_untouched_but(q, expected.size())) << count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, every_kernel_here(), name_of_case);

// --- The tables

class Tables : public testing::TestWithParam<InstructionSet> {};

TEST_P(Tables, WhatIsInvalidIsRejectedAndNothingTouched) {
  const struct hurray_target& target = *GetParam().target;
  float values[4] = {-77, -77, -77, -77};
  std::uint8_t codes[4] = {0xa5, 0xa5, 0xa5, 0xa5};
  for (const float scale : {0.0f, -0.0f, kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(target.dequantize(0x10, scale, 0, codes, values, 4), HURRAY_REJECTED);
    EXPECT_EQ(target.quantize(0x10, scale, 0, values, codes, 4), HURRAY_REJECTED);
  }
  EXPECT_EQ(target.quantize(0x10, 1.0f, 128, values, codes, 4), HURRAY_REJECTED);
  EXPECT_EQ(target.quantize(0x49, 1.0f, -1, values, codes, 4), HURRAY_REJECTED);
  EXPECT_EQ(target.quantize(0x40, 1.0f, 0, values, codes, 4), HURRAY_UNSUPPORTED);
  EXPECT_EQ(target.dequantize(0x40, 1.0f, 0, codes, values, 4), HURRAY_UNSUPPORTED);
  EXPECT_EQ(target.dequantize(0x10, 1.0f, 0, nullptr, nullptr, 0), HURRAY_OK);
  for (const float value : values) EXPECT_EQ(value, -77);
  for (const std::uint8_t code : codes) EXPECT_EQ(code, 0xa5);
}

// Both sides of the size from which results go past the caches and inputs are fetched ahead.
TEST_P(Tables, SizesBeyondTheCaches) {
  const struct hurray_target& target = *GetParam().target;
  constexpr std::size_t kThreshold = hurray::simd::kBeyondCaches / sizeof(float);
  std::mt19937 random(4);
  Bytes codes(kThreshold + 100), q(kThreshold + 120);
  for (std::uint8_t& byte : codes) byte = static_cast<std::uint8_t>(random());
  for (const hurray::StorageTypeInfo* type :
       {&kStorageTypes[0], &kStorageTypes[1], &kStorageTypes[6]}) {
    const auto tag = static_cast<std::uint8_t>(type->type);
    const Floats expected = expected_values(*type, 0.5f, 1, codes.data(), kThreshold + 99);
    Floats out(kThreshold + 100);
    for (const std::size_t count : {kThreshold - 1, kThreshold, kThreshold + 99}) {
      for (const std::size_t shift : {0u, 1u}) {
        std::fill(out.begin(), out.end(), -77.0f);
        ASSERT_EQ(target.dequantize(tag, 0.5f, 1, codes.data(), out.data() + shift, count),
                  HURRAY_OK);
        ASSERT_EQ(first_difference(out.data() + shift, expected.data(), count), count);
        if (shift == 1) {
          ASSERT_EQ(out[0], -77.0f);
        }
        if (shift + count < out.size()) {
          ASSERT_EQ(out[shift + count], -77.0f);
        }
      }
      for (const std::ptrdiff_t shift : {0, 1, 17}) {
        std::fill(q.begin(), q.end(), std::uint8_t{0xa5});
        const Bytes first = first_codes(*type, codes, count);
        ASSERT_EQ(target.quantize(tag, 0.5f, 1, expected.data(), q.data() + shift, count),
                  HURRAY_OK);
        ASSERT_TRUE(std::equal(first.begin(), first.end(), q.begin() + shift));
        ASSERT_EQ(std::count(q.begin(), q.begin() + shift, 0xa5), shift);
        const auto end = q.begin() + shift + static_cast<std::ptrdiff_t>(first.size());
        ASSERT_EQ(std::count(end, q.end(), 0xa5), q.end() - end);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Tables, testing::ValuesIn(sets_here()),
                         [](const auto& each) { return std::string(each.param.name); });

// What is skipped is named, once for each set.
class Machine : public testing::TestWithParam<InstructionSet> {};

TEST_P(Machine, HasTheInstructionSet) {
  if (!hurray::simd::is_here(GetParam())) {
    GTEST_SKIP() << "not tested, for this machine or this compiler has no " << GetParam().name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Machine, testing::ValuesIn(hurray::simd::instruction_sets()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace simd_test
