// SPDX-License-Identifier: Apache-2.0
//
// Are the digests that a sweep expects those of the reference, and do its blocks cover every input
// once?

#include "conformance/runner/sweep_reference.h"

#include <gtest/gtest.h>

#include <bit>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

SweepFunction format(StorageType type, float scale, std::int32_t zero_point) {
  return {"", static_cast<std::uint8_t>(type), scale, zero_point};
}

const SweepFunction kInt8 = format(StorageType::kInt8, 0.1f, 3);

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
      if (info.bits > 8) continue;
      expect_same_digests(format(info.type, 0.1f, 1), range);
    }
    expect_same_digests({"quantize_i8", 0, 0.1f, -500}, range);
    expect_same_digests({"quantize_u8", 0, std::bit_cast<float>(0x00000300u), 128}, range);
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
  EXPECT_EQ(readings_of(format(StorageType::kInt8, 0.1f, 3)).size(), 2u);
  EXPECT_EQ(readings_of({"quantize_u8", 0, 1, 0}).size(), 4u);
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
