// SPDX-License-Identifier: Apache-2.0
//
// Are the digests that a sweep expects those of the reference in both directions, and do its blocks
// cover every input once?

#include "conformance/runner/sweep_reference.h"

#include <gtest/gtest.h>

#include <bit>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/planted_target.h"
#include "conformance/runner/sweep_digest.h"
#include "reference/dequantize.h"
#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

// FNV-1a, 64 bits, over a buffer.
std::uint64_t fnv(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::uint8_t byte : bytes) {
    hash ^= byte;
    hash *= 1099511628211u;
  }
  return hash;
}

// The same digest input by input, through the reference's own packing.
std::uint64_t slow_digest(const SweepFunction& function, const Choices& choices,
                          const SweepRange& range) {
  std::vector<float> in;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    in.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(range.first + i)));
  }
  const StorageType type = storage_of(function).type;
  std::vector<std::uint8_t> q(packed_bytes(type, range.count).value());
  quantize(type, function.scale, function.zero_point, in.data(), in.size(), q.data(), choices);
  return fnv(q);
}

void expect_same_digests(const SweepFunction& function, const SweepRange& range) {
  const std::vector<SweepReading> readings = readings_of(function);
  const std::vector<std::uint64_t> digests = expected_digests(function, readings, range);
  ASSERT_EQ(digests.size(), readings.size());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    Choices choices;
    choices.quotient = readings[i].quotient;
    choices.subnormals = readings[i].subnormals;
    EXPECT_EQ(digests[i], slow_digest(function, choices, range))
        << readings[i].name << " from " << fmt::format("{:08x}", range.first) << ", " << range.count
        << " inputs, " << storage_of(function).name;
  }
}

TEST(ExpectedDigests, AreThoseOfTheReferencesCodesOneByOne) {
  EXPECT_EQ(fnv({'a'}), 0xaf63dc4c8601ec8cu);  // published for FNV-1a
  const SweepRange kRanges[] = {{0x00000000, 70'000}, {0x3e4ccccd, 1},    {0x3f7fff00, 4099},
                                {0x41480000, 65'536}, {0x7f7ffff0, 17},   {0x80000000, 3},
                                {0xbf800000, 20'001}, {0xff7fff00, 0x101}};
  for (const SweepRange& range : kRanges) {
    for (const StorageTypeInfo& info : kStorageTypes) {
      expect_same_digests(quantizer_of(info.type, 0.1f, 1), range);
    }
    expect_same_digests({"quantize_i8", 0, 0.1f, -500}, range);
    expect_same_digests({"quantize_u8", 0, std::bit_cast<float>(0x00000300u), 128}, range);
  }
}

// Floats of the codes one by one, as the reference reads them from memory.
std::uint64_t slow_float_digest(const SweepFunction& function, const SweepReading& reading,
                                const SweepRange& range) {
  const StorageTypeInfo& info = storage_of(function);
  std::vector<std::uint8_t> q(packed_bytes(info.type, range.count).value());
  for (std::uint64_t i = 0; i < range.count; ++i) {
    write_element(info.type, q.data(), i, static_cast<std::int64_t>(range.first + i));
  }
  Choices choices;
  choices.difference_width = reading.difference_width;
  choices.uint32_codes = reading.uint32_codes;
  std::vector<float> out(range.count);
  dequantize(info.type, function.scale, function.zero_point, q.data(), out.size(), out.data(),
             choices);
  std::vector<std::uint8_t> bytes;
  for (const float each : out) {
    auto bits = std::bit_cast<std::uint32_t>(each);
    if (reading.zeros_are_positive && bits == 0x80000000) bits = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
  }
  return fnv(bytes);
}

void expect_float_digests(const SweepFunction& function, const SweepRange& range) {
  const std::vector<SweepReading> readings = readings_of(function);
  const std::vector<std::uint64_t> digests = expected_digests(function, readings, range);
  ASSERT_EQ(digests.size(), readings.size());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    EXPECT_EQ(digests[i], slow_float_digest(function, readings[i], range))
        << readings[i].name << " from " << fmt::format("{:08x}", range.first) << ", " << range.count
        << " codes, " << storage_of(function).name << " zero point " << function.zero_point;
  }
}

TEST(ExpectedDigests, OfCodesAreThoseOfTheReferencesFloatsOneByOne) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits > 16) continue;
    for (const float scale : {0.1f, -0.1f, 1e-45f, 3e38f}) {
      for (const std::int64_t zero_point : {info.min, info.max, std::int64_t{1}}) {
        const SweepFunction function{"", static_cast<std::uint8_t>(info.type), scale,
                                     static_cast<std::int32_t>(zero_point),
                                     SweepOperation::kDequantize};
        const std::uint64_t codes = patterns_of(function);
        expect_float_digests(function, {0, codes});
        expect_float_digests(function, {static_cast<std::uint32_t>(codes / 2 - 1), 2});
      }
    }
  }
}

TEST(ExpectedDigests, OfWideCodesFollowTheReadingsAcrossEveryJump) {
  constexpr std::int32_t kLeast = INT32_MIN, kMost = INT32_MAX;
  for (const StorageType type : {StorageType::kInt32, StorageType::kUint32}) {
    for (const std::int32_t zero_point : {0, 1, -1, 0x1234567, kLeast, kMost}) {
      if (type == StorageType::kUint32 && zero_point < 0) continue;
      for (const float scale : {0.1f, -3.0f}) {
        const SweepFunction function{"", static_cast<std::uint8_t>(type), scale, zero_point,
                                     SweepOperation::kDequantize};
        // Where the sign bit is set, where the difference is 0, and where it leaves int32.
        const std::uint32_t zero = static_cast<std::uint32_t>(zero_point);
        for (const std::uint32_t place : {0x80000000u, zero, zero + 0x80000000u, 0x40000000u}) {
          const std::uint32_t first = place < 3000         ? 0
                                      : place > 0xffffe000 ? 0xffffe000
                                                           : place - 3000;
          expect_float_digests(function, {first, 0x1fff});
        }
      }
    }
  }
}

TEST(ExpectedDigests, DependOnTheReadingWhereItShows) {
  // With a subnormal scale, flushing makes zero points and extremes of everything.
  const SweepFunction function{"quantize_i8", 0, std::bit_cast<float>(0x00000300u), 3};
  const std::vector<SweepReading> readings = readings_of(function);
  ASSERT_EQ(readings.size(), 4u);
  const auto digests = expected_digests(function, readings, {0x00000000, 65'536});
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[2], digests[3]);
  EXPECT_NE(digests[0], digests[2]);
}

TEST(Readings, OnlyTheFirmwareMayFlush) {
  EXPECT_EQ(readings_of(quantizer_of(StorageType::kInt8, 0.1f, 3)).size(), 2u);
  EXPECT_EQ(readings_of({"quantize_u8", 0, 1, 0}).size(), 4u);
}

TEST(Readings, OfCodesAreWhatTheRulingsLeaveOpen) {
  const auto names = [](StorageType type, float scale) {
    std::vector<std::string_view> result;
    for (const SweepReading& each : readings_of(
             {"", static_cast<std::uint8_t>(type), scale, 0, SweepOperation::kDequantize})) {
      result.push_back(each.name);
    }
    return result;
  };
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(names(StorageType::kUint16, 1.0f), (Names{"zeros=ieee"}));
  EXPECT_EQ(names(StorageType::kUint16, -1.0f), (Names{"zeros=ieee", "zeros=positive"}));
  EXPECT_EQ(names(StorageType::kInt32, 1.0f),
            (Names{"int32-difference=widen", "int32-difference=wrap"}));
  EXPECT_EQ(names(StorageType::kUint32, 1.0f),
            (Names{"int32-difference=widen, uint32-codes=unsigned",
                   "int32-difference=widen, uint32-codes=reinterpret", "int32-difference=wrap"}));
  EXPECT_EQ(names(StorageType::kUint32, -1.0f).size(), 6u);
}

TEST(SweepDigest, OfRunsIsThatOfTheirBytes) {
  for (const unsigned width : {1u, 2u, 4u}) {
    SweepDigest digest;
    std::vector<std::uint8_t> bytes;
    std::uint32_t element = 0x9e3779b9;
    for (const std::uint64_t count : {511u, 1u, 512u, 513u, 100'000u, 3u, 65'536u, 255u, 767u}) {
      element = element * 2654435761u + 12345;
      digest.add(element, width, count);
      for (std::uint64_t i = 0; i < count * width; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(element >> (8 * (i % width))));
      }
      EXPECT_EQ(digest.value(), fnv(bytes)) << width << " bytes, " << count;
    }
  }
}

TEST(SweepDigest, OfEveryByteManyTimesIsThatOfTheBytes) {
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    SweepDigest digest;
    digest.add(byte, 1, 1500);
    EXPECT_EQ(digest.value(),
              fnv(std::vector<std::uint8_t>(1500, static_cast<std::uint8_t>(byte))));
  }
}

TEST(SweepDigest, OfOneElementLeadsBackToIt) {
  for (const unsigned width : {1u, 2u, 4u}) {
    for (std::uint32_t element : {0u, 1u, 0x7fu, 0x80u, 0xffu, 0xbeefu, 0x80000000u, 0xdeadbeefu}) {
      if (width < 4) element &= (1u << (8 * width)) - 1;
      SweepDigest digest;
      digest.add(element, width, 1);
      EXPECT_EQ(element_with(digest.value(), width), element) << width;
      EXPECT_EQ(element_with(digest.value() + 1, width), std::nullopt) << width;
    }
  }
  EXPECT_EQ(element_with(0xaf63dc4c8601ec8cu, 1), 'a');  // published for FNV-1a
}

TEST(Blocks, OfCodesAreAllCodes) {
  const SweepFunction function{"", 0x49, 1, 0, SweepOperation::kDequantize};
  EXPECT_EQ(blocks_of(function, {0, 16}), (std::vector<SweepRange>{{0, 16}}));
  EXPECT_EQ(blocks_of(function, {3, 7}, 4), (std::vector<SweepRange>{{3, 4}, {7, 3}}));
  const SweepFunction wide{"", 0x15, 1, 0, SweepOperation::kDequantize};
  EXPECT_EQ(blocks_of(wide, {0x7f800000, 0x10000}).front(), (SweepRange{0x7f800000, 0x10000}));
}

TEST(Blocks, CoverEverythingButNans) {
  std::uint64_t inputs = 0, next = 0;
  for (const SweepRange& each : blocks_of(kInt8, {0, 0x1'0000'0000})) {
    EXPECT_GE(each.first, next);
    EXPECT_FALSE(is_nan_pattern(each.first));
    EXPECT_FALSE(is_nan_pattern(each.last()));
    EXPECT_EQ(each.first >> 31, each.last() >> 31);
    next = each.first + each.count;
    inputs += each.count;
  }
  EXPECT_EQ(next, 0xff800001u);
  EXPECT_EQ(inputs, 2u * 0x7f800001u);
  EXPECT_TRUE(blocks_of(kInt8, {0x7f800001, 0x7fffff}).empty());
  EXPECT_TRUE(blocks_of(kInt8, {0xff800001, 0x7fffff}).empty());
  EXPECT_EQ(blocks_of(kInt8, {0x7f800000, 0x800002}),
            (std::vector<SweepRange>{{0x7f800000, 1}, {0x80000000, 2}}));
}

}  // namespace
}  // namespace hurray::conformance
