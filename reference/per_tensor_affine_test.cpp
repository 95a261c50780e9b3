// SPDX-License-Identifier: Apache-2.0
//
// Does the codec of scheme 01 accept what is valid and refuse everything else? Every refusal starts
// from a valid descriptor and changes one thing.

#include "reference/per_tensor_affine.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/element_type.h"

namespace hurray {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint8_t kInt8 = 0x10;
constexpr std::uint8_t kUint8 = 0x11;
constexpr std::uint8_t kInt32 = 0x14;
constexpr std::uint8_t kUint32 = 0x15;

// Scale 0.5, zero point 3.
const Bytes kValid = {0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3f,
                      0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

// What a refused call must leave in place.
constexpr PerTensorAffine kBefore = {9.0f, 9};

void expect_refused(Status expected, const Bytes& bytes, std::uint8_t tag = kInt8,
                    const Choices& choices = {}) {
  PerTensorAffine out = kBefore;
  EXPECT_EQ(decode_for(bytes, tag, out, choices), expected) << text_of(expected);
  EXPECT_EQ(out.scale, kBefore.scale);
  EXPECT_EQ(out.zero_point, kBefore.zero_point);
}

Bytes with_byte(std::size_t offset, std::uint8_t value) {
  Bytes bytes = kValid;
  bytes[offset] = value;
  return bytes;
}

Bytes with_word(std::size_t offset, std::uint32_t value) {
  Bytes bytes = kValid;
  for (std::size_t i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
  return bytes;
}

TEST(PerTensorAffine, TheGoldenDescriptorsMeanWhatTheyMean) {
  PerTensorAffine out = kBefore;
  EXPECT_EQ(decode_for(kValid, kInt8, out), Status::kOk);
  EXPECT_EQ(out.scale, 0.5f);
  EXPECT_EQ(out.zero_point, 3);

  // Scale 0.02 and zero point 128, taken from the int8 tensor that must be refused for it.
  const Bytes golden = {0x01, 0x01, 0x00, 0x00, 0x0a, 0xd7, 0xa3, 0x3c,
                        0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  expect_refused(Status::kZeroPointOutOfRange, golden, kInt8);
  EXPECT_EQ(decode_for(golden, kUint8, out), Status::kOk);
  EXPECT_EQ(out.scale, 0.02f);
  EXPECT_EQ(out.zero_point, 128);
}

// HQ-HDR-004 and -005: the tag is judged before the length.
TEST(PerTensorAffine, EveryOtherSchemeTagIsRefused) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag == 1) continue;
    expect_refused(Status::kUnknownScheme, with_byte(0, static_cast<std::uint8_t>(tag)));
    expect_refused(Status::kUnknownScheme, {static_cast<std::uint8_t>(tag)});
  }
  expect_refused(Status::kTruncated, {0x01});
}

// HQ-PTA-015. Each prefix is a buffer of its own, so that a sanitizer sees the first byte too many.
TEST(PerTensorAffine, EveryPrefixIsRefused) {
  for (std::size_t length = 0; length < kPerTensorAffineBytes; ++length) {
    const Bytes prefix(kValid.begin(), kValid.begin() + static_cast<std::ptrdiff_t>(length));
    expect_refused(Status::kTruncated, prefix);
  }
}

// HQ-PTA-003, and ruling A11 for version 0.
TEST(PerTensorAffine, EveryVersionButOneIsRefused) {
  for (unsigned version = 0; version < 256; ++version) {
    if (version == 1) continue;
    expect_refused(Status::kUnsupportedVersion, with_byte(1, static_cast<std::uint8_t>(version)));
  }
}

// HQ-PTA-004.
TEST(PerTensorAffine, EveryFlagBitIsRefused) {
  for (unsigned bit = 0; bit < 16; ++bit) {
    const auto byte = static_cast<std::uint8_t>(1u << bit % 8);
    expect_refused(Status::kReservedFlag, with_byte(2 + bit / 8, byte));
  }
}

// HQ-PTA-013.
TEST(PerTensorAffine, EveryReservedBitIsRefused) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    expect_refused(Status::kReservedByte, with_word(12, 1u << bit));
  }
}

// HQ-PTA-006, -007, -008.
TEST(PerTensorAffine, ScalesThatAreNoNumberInfiniteOrZeroAreRefused) {
  for (std::uint32_t bits : {0x7fc00000u, 0x7f800001u, 0xffc00000u, 0xff800001u, 0xffffffffu}) {
    expect_refused(Status::kScaleNan, with_word(4, bits));
  }
  expect_refused(Status::kScaleNotFinite, with_word(4, 0x7f800000));
  expect_refused(Status::kScaleNotFinite, with_word(4, 0xff800000));
  expect_refused(Status::kScaleZero, with_word(4, 0x00000000));
  expect_refused(Status::kScaleZero, with_word(4, 0x80000000));
}

// HQ-PTA-005 and -009, reading and writing.
TEST(PerTensorAffine, EveryOtherScaleSurvivesBitForBit) {
  for (std::uint32_t bits : {0xbf000000u, 0x00000001u, 0x80000001u, 0x007fffffu, 0x00800000u,
                             0x7f7fffffu, 0xff7fffffu, 0x3f800000u, 0x40000000u, 0x12345678u}) {
    const Bytes bytes = with_word(4, bits);
    PerTensorAffine out = kBefore;
    ASSERT_EQ(decode_for(bytes, kInt8, out), Status::kOk) << bits;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(out.scale), bits);
    Bytes again(16, 0xff);
    ASSERT_EQ(encode(out, kInt8, again), Status::kOk);
    EXPECT_EQ(again, bytes);
  }
}

// HQ-PTA-010.
TEST(PerTensorAffine, ZeroPointIsLittleEndianTwosComplement) {
  const auto zero_point = [](std::uint32_t bits) {
    PerTensorAffine out = kBefore;
    EXPECT_EQ(decode_for(with_word(8, bits), kInt32, out), Status::kOk);
    return out.zero_point;
  };
  EXPECT_EQ(zero_point(0xffffffff), -1);
  EXPECT_EQ(zero_point(0x00000080), 128);
  EXPECT_EQ(zero_point(0x80000000), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(zero_point(0x7fffffff), 2147483647);
}

// HQ-PTA-011: one below, the ends, one above.
TEST(PerTensorAffine, ZeroPointHasToBeAValueOfTheStorageType) {
  struct Row {
    std::uint8_t tag;
    std::int32_t zero_point;
    bool legal;
  };
  const std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  const Row rows[] = {
      {0x10, -129, false},      {0x10, -128, true},       {0x10, 127, true},   {0x10, 128, false},
      {0x11, -1, false},        {0x11, 0, true},          {0x11, 255, true},   {0x11, 256, false},
      {0x12, -32769, false},    {0x12, -32768, true},     {0x12, 32767, true}, {0x12, 32768, false},
      {0x13, -1, false},        {0x13, 0, true},          {0x13, 65535, true}, {0x13, 65536, false},
      {0x14, lowest, true},     {0x14, 2147483647, true}, {0x15, -1, false},   {0x15, 0, true},
      {0x15, 2147483647, true}, {0x15, lowest, false},    {0x48, -9, false},   {0x48, -8, true},
      {0x48, 7, true},          {0x48, 8, false},         {0x49, -1, false},   {0x49, 0, true},
      {0x49, 15, true},         {0x49, 16, false},        {0x4a, -3, false},   {0x4a, -2, true},
      {0x4a, 1, true},          {0x4a, 2, false},         {0x4b, -1, false},   {0x4b, 0, true},
      {0x4b, 3, true},          {0x4b, 4, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << unsigned{row.tag} << " " << row.zero_point);
    const Status expected = row.legal ? Status::kOk : Status::kZeroPointOutOfRange;
    EXPECT_EQ(validate({1.0f, row.zero_point}, row.tag), expected);
    const Bytes bytes = with_word(8, static_cast<std::uint32_t>(row.zero_point));
    PerTensorAffine out = kBefore;
    EXPECT_EQ(decode_for(bytes, row.tag, out), expected);
    EXPECT_EQ(out.zero_point, row.legal ? row.zero_point : kBefore.zero_point);
  }
}

// HQ-PTA-016 and -017, over all tags.
TEST(PerTensorAffine, OnlyTheTenIntegerTypesMayStore) {
  Bytes bytes = with_word(8, 0);  // zero point 0 is in every range
  for (unsigned tag = 0; tag < 256; ++tag) {
    const bool allowed = (tag >= 0x10 && tag <= 0x15) || (tag >= 0x48 && tag <= 0x4b);
    PerTensorAffine out = kBefore;
    EXPECT_EQ(decode_for(bytes, static_cast<std::uint8_t>(tag), out),
              allowed ? Status::kOk : Status::kStorageTypeNotAllowed);
  }
}

// Ruling A12. The choice concerns valid descriptors only, and the tail is never read as fields.
TEST(PerTensorAffine, ALongerSectionIsSkippedOrRefusedByChoice) {
  Choices refusing;
  refusing.longer_section = LongerSection::kRefuse;
  for (std::size_t tail = 1; tail <= 64; ++tail) {
    Bytes longer = kValid;
    longer.resize(16 + tail, 0xde);
    PerTensorAffine out = kBefore;
    EXPECT_EQ(decode_for(longer, kInt8, out), Status::kOk);
    EXPECT_EQ(out.scale, 0.5f);
    EXPECT_EQ(out.zero_point, 3);
    expect_refused(Status::kLongerThanScheme, longer, kInt8, refusing);
    longer[12] = 1;
    expect_refused(Status::kReservedByte, longer, kInt8, refusing);
  }
  PerTensorAffine out = kBefore;
  EXPECT_EQ(decode_for(kValid, kInt8, out, refusing), Status::kOk);
}

TEST(PerTensorAffine, AnyAlignmentReadsAndWritesTheSame) {
  for (std::size_t offset = 0; offset < 8; ++offset) {
    Bytes bytes(offset, 0xee);
    bytes.insert(bytes.end(), kValid.begin(), kValid.end());
    PerTensorAffine out = kBefore;
    EXPECT_EQ(decode_for(std::span(bytes).subspan(offset), kInt8, out), Status::kOk);
    EXPECT_EQ(out.scale, 0.5f);
    Bytes again(offset + 16, 0xee);
    EXPECT_EQ(encode(out, kInt8, std::span(again).subspan(offset)), Status::kOk);
    EXPECT_EQ(again, bytes);
  }
}

// HQ-PTA-001, -002, -014, -024.
TEST(PerTensorAffine, AnEncoderWritesExactlySixteenKnownBytes) {
  Bytes out(20, 0xee);
  EXPECT_EQ(encode({0.5f, 3}, kInt8, out), Status::kOk);
  Bytes expected = kValid;
  expected.resize(20, 0xee);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(encode({-1.0f, -2}, kInt32, out), Status::kOk);
  EXPECT_EQ(out, (Bytes{0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x80, 0xbf, 0xfe, 0xff,
                        0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xee, 0xee, 0xee, 0xee}));
}

// HQ-PTA-026.
TEST(PerTensorAffine, AnEncoderRefusesWhatItsReadersWould) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto refused = [](Status expected, PerTensorAffine descriptor, std::uint8_t tag,
                          std::size_t room = 16) {
    Bytes out(room, 0xee);
    EXPECT_EQ(encode(descriptor, tag, out), expected);
    EXPECT_EQ(out, Bytes(room, 0xee));
  };
  refused(Status::kScaleNan, {std::nanf(""), 0}, kInt8);
  refused(Status::kScaleNotFinite, {infinity, 0}, kInt8);
  refused(Status::kScaleNotFinite, {-infinity, 0}, kInt8);
  refused(Status::kScaleZero, {0.0f, 0}, kInt8);
  refused(Status::kScaleZero, {-0.0f, 0}, kInt8);
  refused(Status::kZeroPointOutOfRange, {1.0f, 128}, kInt8);
  refused(Status::kZeroPointOutOfRange, {1.0f, -1}, kUint32);
  refused(Status::kStorageTypeNotAllowed, {1.0f, 0}, 0x03);
  refused(Status::kStorageTypeNotAllowed, {1.0f, 0}, 0x16);
  refused(Status::kBufferTooSmall, {1.0f, 0}, kInt8, 15);
  refused(Status::kBufferTooSmall, {1.0f, 0}, kInt8, 0);
}

TEST(PerTensorAffine, DecodeJudgesTheDescriptorAloneAndLeavesTheRestToValidate) {
  PerTensorAffine out = kBefore;
  EXPECT_EQ(decode(with_word(8, 1000), out), Status::kOk);
  EXPECT_EQ(out.zero_point, 1000);
  EXPECT_EQ(decode(with_word(4, 0), out), Status::kScaleZero);
  EXPECT_EQ(out.zero_point, 1000);
  EXPECT_EQ(validate(out, kInt8), Status::kZeroPointOutOfRange);
  EXPECT_EQ(validate({0.0f, 0}, kInt8), Status::kScaleZero);
}

TEST(PerTensorAffine, JudgingFindsScaleAndZeroPointBoth) {
  Findings findings;
  judge({std::nanf(""), 128}, kInt8, findings);
  EXPECT_EQ(findings.all().size(), 2u);
  EXPECT_TRUE(findings.has(Status::kScaleNan));
  EXPECT_TRUE(findings.has(Status::kZeroPointOutOfRange));
  Findings none;
  judge({1.0f, 127}, kInt8, none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace hurray
