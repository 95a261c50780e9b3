// SPDX-License-Identifier: Apache-2.0
//
// Does every element of every scheme and layout get its value, and is everything found that must
// not stand in a buffer? Expected values are written by hand, or come from nested loops over the
// indices.

#include "reference/dequantize_tensor.h"

#include <cmath>
#include <limits>

#include "reference/binary32.h"
#include "reference/test_tensors.h"

namespace hurray {
namespace {

using Arrays = std::vector<Bytes>;

std::vector<std::span<const std::uint8_t>> spans(const Arrays& arrays) {
  return {arrays.begin(), arrays.end()};
}

// Sizes of the table set to those of the arrays.
Tensor sized(Tensor tensor, const Arrays& arrays) {
  tensor.buffer_count = static_cast<std::uint32_t>(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) tensor.buffers[i].byte_size = arrays[i].size();
  return tensor;
}

std::vector<float> values(const Tensor& tensor, const Arrays& arrays, std::size_t count,
                          const Choices& choices = {}) {
  std::vector<float> out(count, 99.0f);
  Findings findings;
  EXPECT_TRUE(
      dequantize_tensor(sized(tensor, arrays), spans(arrays), out.data(), count, findings, choices))
      << findings;
  return out;
}

std::vector<float> floats_of(float first, std::size_t first_count, float second,
                             std::size_t second_count) {
  std::vector<float> all(first_count, first);
  all.insert(all.end(), second_count, second);
  return all;
}

Findings contents(const Tensor& tensor, const Arrays& arrays) {
  Findings findings;
  judge_contents(sized(tensor, arrays), spans(arrays), findings);
  return findings;
}

void expect_nothing_written(Status status, const Tensor& tensor, const Arrays& arrays,
                            std::size_t count) {
  std::vector<float> out(count, 99.0f);
  Findings findings;
  EXPECT_FALSE(dequantize_tensor(tensor, spans(arrays), out.data(), count, findings));
  EXPECT_TRUE(findings.has(status)) << findings;
  EXPECT_EQ(out, std::vector<float>(count, 99.0f));
}

// The recipe: q - z with scales 0.02 0.015 0.025 0.01 and zero points 8 7 9 8.   [HQ-ZP-009, -013]
TEST(DequantizeTensor, TheRecipesTensor) {
  Tensor tensor;
  found_in(kPerBlockTensor, tensor);
  Bytes weights(32);
  for (std::size_t i = 0; i < 32; ++i) weights[i] = static_cast<std::uint8_t>(i * 7 - 100);
  const Arrays arrays = {weights, hex("0ad7a33c8fc2753ccdcccc3c0ad7233c"),
                         hex("08000000070000000900000008000000")};
  const float scales[] = {0.02f, 0.015f, 0.025f, 0.01f};
  const int zero_points[] = {8, 7, 9, 8};
  const std::vector<float> out = values(tensor, arrays, 32);
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t col = 0; col < 16; ++col) {
      const std::size_t b = row * 2 + col / 8;
      const int q = static_cast<std::int8_t>(weights[row * 16 + col]);
      EXPECT_EQ(out[row * 16 + col], scales[b] * static_cast<float>(q - zero_points[b]));
    }
  }
}

TEST(DequantizeTensor, ThePerTensorExample) {
  Tensor tensor;
  found_in(kPerTensorTensor, tensor);
  const std::vector<float> out = values(tensor, {hex("80817f00ff800102")}, 8);
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_EQ(out[1], 0.02f);
  EXPECT_EQ(out[2], -0.02f);
  EXPECT_EQ(out[3], 0.02f * -128.0f);
  EXPECT_EQ(out[4], 0.02f * 127.0f);
}

// HQ-PCA-022: every axis of rank 3, in all layouts.
TEST(DequantizeTensor, PerChannelFollowsTheAxisWhateverTheLayout) {
  const std::uint64_t shape[] = {2, 3, 4};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    std::vector<float> scales;
    std::vector<std::int32_t> zero_points;
    for (std::uint64_t c = 0; c < shape[axis]; ++c) {
      scales.push_back(static_cast<float>(c + 1) * -0.5f);
      zero_points.push_back(static_cast<std::int32_t>(c) - 1);
    }
    for (std::uint8_t layout = 1; layout <= 3; ++layout) {
      Tensor tensor = per_channel(0x10, {2, 3, 4}, {}, axis);
      tensor.layout_tag = layout;
      tensor.strides = {1, -2, 6};  // for layout 3: element (0, 0, 0) at 4
      tensor.byte_offset = layout == 3 ? 5 : 1;
      Bytes data(25, 0xee);
      for (std::size_t i = 0; i < 24; ++i) data[i + 1] = static_cast<std::uint8_t>(i * 11);
      const std::vector<float> out =
          values(tensor, {data, floats(scales), int32s(zero_points)}, 24);
      for (std::size_t i = 0; i < 24; ++i) {
        const std::size_t at[] = {i / 12, i / 4 % 3, i % 4};
        const std::size_t linear[] = {0, i, at[0] + 2 * at[1] + 6 * at[2],
                                      4 + at[0] - 2 * at[1] + 6 * at[2]};
        const int q = static_cast<std::int8_t>(data[1 + linear[layout]]);
        const std::size_t c = at[axis];
        EXPECT_EQ(out[i], scales[c] * static_cast<float>(q - zero_points[c]));
      }
    }
  }
}

// HQ-PBA-020, -024: rank 3, each axis, also with blocks that do not divide it on rank 1.
TEST(DequantizeTensor, PerBlockFollowsTheBlockIndex) {
  const std::size_t shape[] = {4, 2, 6};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::size_t blocks = 24;
    std::vector<float> scales(blocks);
    std::vector<std::int32_t> zero_points(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
      scales[b] = 0.25f * static_cast<float>(b + 1);
      zero_points[b] = static_cast<std::int32_t>(b) * 3 - 20;
    }
    Bytes data(48);
    for (std::size_t i = 0; i < 48; ++i) data[i] = static_cast<std::uint8_t>(i * 5);
    const std::vector<float> out = values(per_block(0x11, {4, 2, 6}, {}, axis, 2),
                                          {data, floats(scales), int32s(zero_points)}, 48);
    for (std::size_t i = 0; i < 48; ++i) {
      const std::size_t at[] = {i / 12, i / 6 % 2, i % 6};
      std::size_t outer = 0;
      for (std::uint32_t d = 0; d < 3; ++d) {
        if (d != axis) outer = outer * shape[d] + at[d];
      }
      const std::size_t b = outer * (shape[axis] / 2) + at[axis] / 2;
      EXPECT_EQ(out[i], scales[b] * static_cast<float>(data[i] - zero_points[b]));
    }
  }
}

TEST(DequantizeTensor, PaddingOfAPartialBlockIsIgnored) {  // HQ-PBA-024, ruling A28
  const Tensor tensor = per_block(0x48, {5}, {}, 0, 4);
  const Bytes scales = floats({1.0f, 2.0f});
  const Bytes zero_points = int32s({0, 1});
  const std::vector<float> expected = {1, 2, 3, -8, 2 * (7 - 1)};
  EXPECT_EQ(values(tensor, {hex("21830700"), scales, zero_points}, 5), expected);
  EXPECT_EQ(values(tensor, {hex("2183f7ff"), scales, zero_points}, 5), expected);
  EXPECT_EQ(values(tensor, {hex("218307"), scales, zero_points}, 5), expected);
  EXPECT_TRUE(contents(tensor, {hex("2183f7ff"), scales, zero_points}).empty());
  EXPECT_TRUE(
      is_only(contents(tensor, {hex("2183f7"), scales, zero_points}), Behaviour::kUnusedBits));
}

// HQ-PBA-027: every scale of both narrow types, against a formula of its own.
TEST(DequantizeTensor, EveryNarrowScaleIsWidenedExactly) {
  for (const std::uint8_t type : {std::uint8_t{1}, std::uint8_t{2}}) {
    Bytes scales(2 * 65536);
    for (std::size_t i = 0; i < 65536; ++i) {
      store_le16(&scales[2 * i], static_cast<std::uint16_t>(i));
    }
    Tensor tensor = per_block(0x10, {65536 * 2}, {}, 0, 2, type);
    tensor.quantization.per_block_affine.flags = kSymmetric;
    tensor.quantization.per_block_affine.zero_point_buffer_index = kNoBufferIndex;
    const std::vector<float> out = values(tensor, {Bytes(131072, 1), scales}, 131072);
    const unsigned significand_bits = type == 1 ? 10 : 7;
    const int bias = type == 1 ? 15 : 127;
    for (unsigned i = 0; i < 65536; ++i) {
      const unsigned exponent = (i & 0x7fff) >> significand_bits;
      if (exponent == (type == 1 ? 31u : 255u)) continue;
      const double m = i & ((1u << significand_bits) - 1);
      const double fraction = std::ldexp(m, -static_cast<int>(significand_bits));
      const double magnitude = exponent == 0
                                   ? std::ldexp(fraction, 1 - bias)
                                   : std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
      const double expected = i < 0x8000 ? magnitude : -magnitude;
      EXPECT_EQ(bits_of(out[2 * i]), bits_of(static_cast<float>(expected))) << i;
      EXPECT_EQ(bits_of(out[2 * i + 1]), bits_of(out[2 * i]));
    }
  }
}

// HQ-HDR-022.
TEST(DequantizeTensor, ASharedEntryIsReadAsItsUnsharedTwin) {
  Tensor tensor = per_block(0x10, {4}, {}, 0, 2, 1);
  const Bytes data = hex("01020304");
  const Bytes scales = hex("003c0040");  // 1 and 2
  const Bytes zero_points = int32s({-1, 5});
  const std::vector<float> expected = {2, 3, -4, -2};
  EXPECT_EQ(values(tensor, {data, scales, zero_points}, 4), expected);
  tensor.quantization.per_block_affine.zero_point_buffer_index = 1;
  EXPECT_EQ(values(tensor, {data, scales + zero_points}, 4), expected);
}

// HQ-PCA-023, HQ-PBA-025.
TEST(DequantizeTensor, SymmetricMeansZeroPointsOfZero) {
  Tensor tensor = per_channel(0x10, {2}, {}, 0);
  tensor.quantization.per_channel_affine.flags = kSymmetric;
  tensor.quantization.per_channel_affine.zero_point_buffer_index = kNoBufferIndex;
  EXPECT_EQ(values(tensor, {hex("02fd"), floats({0.5f, 2.0f})}, 2), (std::vector<float>{1, -6}));
}

// Ruling A01 in the per-block scheme, whose zero points are any int32.
TEST(DequantizeTensor, TheDifferenceIsWidenedOrWrapsByChoice) {
  const Tensor tensor = per_block(0x10, {2}, {}, 0, 2);
  const Arrays arrays = {hex("7f80"), floats({1.0f}),
                         int32s({std::numeric_limits<std::int32_t>::min()})};
  EXPECT_EQ(values(tensor, arrays, 2), (std::vector<float>{2147483775.0f, 2147483520.0f}));
  Choices wrapping;
  wrapping.difference_width = DifferenceWidth::kWrap;
  EXPECT_EQ(values(tensor, arrays, 2, wrapping)[0], -2147483521.0f);
}

// HQ-NF4-010, -015, -017.
TEST(DequantizeTensor, Nf4) {
  const Tensor tensor = nf4({16}, {}, 0, 8);
  const Bytes data = hex("1032547698badcfe");
  const std::vector<float> out = values(tensor, {data, floats({2.0f, 0.5f})}, 16);
  EXPECT_EQ(out[0], -2.0f);
  EXPECT_EQ(out[7], 0.0f);
  EXPECT_EQ(out[8], 0.5f * 0.07958029955625534f);
  EXPECT_EQ(out[15], 0.5f);
  Choices positive;
  positive.nf4_zeros = Nf4Zeros::kPositive;
  EXPECT_EQ(bits_of(values(tensor, {data, floats({0, 1})}, 16)[0]), kSignBit);
  EXPECT_EQ(bits_of(values(tensor, {data, floats({0, 1})}, 16, positive)[0]), 0u);
}

// HQ-MX-012, -013, -017.
TEST(DequantizeTensor, Mxfp) {
  Bytes data(32, 0x38);  // 1.0 in e4m3
  EXPECT_EQ(values(mxfp(0x40, {32}, {}, 0, 16), {data, hex("7f80")}, 32),
            floats_of(1.0f, 16, 2.0f, 16));
  EXPECT_EQ(values(mxfp(0x10, {2, 16}, {}, 1, 16), {Bytes(32, 0xff), hex("7f7e")}, 32),
            floats_of(-1.0f, 16, -0.5f, 16));
  EXPECT_EQ(values(mxfp(0x44, {16}, {}, 0, 16), {Bytes(12, 0xff), hex("01")}, 16),
            floats_of(-7.5f * 0x1p-126f, 16, 0, 0));
}

TEST(DequantizeTensor, UnquantizedElementsAreWidened) {
  EXPECT_EQ(values(unquantized(0x01, {2}, {}), {hex("003c00c0")}, 2), (std::vector<float>{1, -2}));
  EXPECT_EQ(values(unquantized(0x20, {3}, {}), {hex("05")}, 3), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(values(unquantized(0x03, {}, {}), {hex("0000803f")}, 1), std::vector<float>{1});
  expect_nothing_written(Status::kNoValues, unquantized(0x50, {1}, {8}), {Bytes(8)}, 1);
  expect_nothing_written(Status::kNoValues, unquantized(0x46, {1}, {16}), {Bytes(16)}, 1);
}

// HQ-MD-034: nibbles backwards, across the byte at byte_offset.
TEST(DequantizeTensor, NegativeStridesOfSubByteElements) {
  Tensor tensor = unquantized(0x49, {5}, {});
  tensor.layout_tag = kLayoutStrided;
  tensor.strides = {-1};
  tensor.byte_offset = 2;
  EXPECT_EQ(values(tensor, {hex("214365")}, 5), (std::vector<float>{5, 4, 3, 2, 1}));
  tensor.type_tag = 0x44;
  tensor.byte_offset = 6;
  EXPECT_EQ(values(tensor, {hex("000000 814020 080000")}, 5),
            (std::vector<float>{1, 1, 0.5f, 0.25f, 0.125f}));
}

TEST(DequantizeTensor, EmptyTensorsHaveNoValues) {  // HQ-MD-029, -040
  const Tensor tensor = per_block(0x10, {0, 4}, {0, 0, 0}, 1, 2);
  const std::vector<std::span<const std::uint8_t>> none(3);
  Findings findings;
  EXPECT_TRUE(dequantize_tensor(tensor, none, nullptr, 0, findings)) << findings;
  expect_nothing_written(Status::kCountMismatch, tensor, Arrays(3), 1);
}

// HQ-PCA-019, -020, -021.
TEST(DequantizeTensor, PerChannelContentsAreRefused) {
  const Tensor tensor = per_channel(0x48, {3}, {}, 0);
  const Bytes data = hex("2103");
  const auto scaled = [&](std::size_t at, std::uint32_t bits) {
    return Arrays{data, with(floats({1, 1, 1}), 4 * at, 4, bits), int32s({-8, 0, 7})};
  };
  for (std::size_t at = 0; at < 3; ++at) {
    EXPECT_TRUE(
        is_only(contents(tensor, scaled(at, 0x7f800001)), Severity::kMust, Status::kScaleNan));
    EXPECT_TRUE(is_only(contents(tensor, scaled(at, 0xff800000)), Severity::kMust,
                        Status::kScaleNotFinite));
    EXPECT_TRUE(
        is_only(contents(tensor, scaled(at, 0x80000000)), Severity::kMust, Status::kScaleZero));
    EXPECT_TRUE(contents(tensor, scaled(at, 0x80000001)).empty());
    expect_nothing_written(Status::kScaleZero, sized(tensor, scaled(at, 0)), scaled(at, 0), 3);
    for (const std::int32_t zero_point : {-9, 8}) {
      Arrays arrays = scaled(0, 0x3f800000);
      store_le32(&arrays[2][4 * at], static_cast<std::uint32_t>(zero_point));
      EXPECT_TRUE(is_only(contents(tensor, arrays), Severity::kMust, Status::kZeroPointOutOfRange));
    }
  }
}

// HQ-PBA-028; rulings A24, A54: computed with, if not refused.
TEST(DequantizeTensor, PerBlockContentsShouldBeRefused) {
  const Tensor tensor = per_block(0x49, {4}, {}, 0, 2, 1);
  const Bytes data = hex("2143");
  const auto scaled = [&](std::uint16_t bits) {
    return Arrays{data, with(hex("003c003c"), 2, 2, bits), int32s({0, 0})};
  };
  EXPECT_TRUE(is_only(contents(tensor, scaled(0x7e00)), Severity::kSoft, Status::kScaleNan));
  EXPECT_TRUE(is_only(contents(tensor, scaled(0x7c00)), Severity::kSoft, Status::kScaleNotFinite));
  EXPECT_TRUE(is_only(contents(tensor, scaled(0x8000)), Severity::kSoft, Status::kScaleZero));
  EXPECT_TRUE(is_infinite(values(tensor, scaled(0x7c00), 4)[2]));
  const Arrays sixteen = {data, hex("003c003c"), int32s({16, 0})};
  EXPECT_TRUE(is_only(contents(tensor, sixteen), Severity::kLenient, Status::kZeroPointUnusual));
  EXPECT_EQ(values(tensor, sixteen, 4)[0], 1.0f - 16.0f);
}

// HQ-NF4-011; rulings A35, A54.
TEST(DequantizeTensor, Nf4Contents) {
  const Tensor tensor = nf4({16}, {}, 0, 8);
  const auto scaled = [&](std::uint32_t bits) {
    return contents(tensor, {Bytes(8), with(floats({1, 1}), 4, 4, bits)});
  };
  EXPECT_TRUE(scaled(0).empty());
  EXPECT_TRUE(is_only(scaled(0x80000000), Behaviour::kNf4NegativeZeroScale));
  EXPECT_TRUE(is_only(scaled(0xbf800000), Severity::kSoft, Status::kScaleNegative));
  EXPECT_TRUE(is_only(scaled(0xffc00000), Severity::kSoft, Status::kScaleNan));
  EXPECT_TRUE(is_only(scaled(0xff800000), Severity::kSoft, Status::kScaleNotFinite));
}

// HQ-MX-010, ruling A37.
TEST(DequantizeTensor, MxfpContentsAreRefused) {
  for (std::size_t at = 0; at < 3; ++at) {
    for (const unsigned byte : {0x00u, 0xffu}) {
      const Arrays arrays = {Bytes(48), with(hex("7f01fe"), at, 1, byte)};
      const Tensor tensor = sized(mxfp(0x10, {48}, {}, 0, 16), arrays);
      EXPECT_TRUE(is_only(contents(tensor, arrays), Severity::kMust, Status::kScaleExponent));
      expect_nothing_written(Status::kScaleExponent, tensor, arrays, 48);
    }
  }
}

TEST(DequantizeTensor, UnusedBitsAreFree) {  // ruling A43
  const Tensor tensor = unquantized(0x49, {3}, {});
  EXPECT_TRUE(contents(tensor, {hex("c503ff")}).empty());
  EXPECT_TRUE(is_only(contents(tensor, {hex("c513")}), Behaviour::kUnusedBits));
  EXPECT_EQ(values(tensor, {hex("c513")}, 3), (std::vector<float>{5, 12, 3}));
}

TEST(DequantizeTensor, WhatIsNotThereIsNotRead) {
  Tensor tensor;
  found_in(kPerBlockTensor, tensor);
  const Arrays all = {Bytes(32), floats({1, 1, 1, 1}), int32s({0, 0, 0, 0})};
  for (std::size_t i = 0; i < 3; ++i) {
    Arrays arrays = all;
    arrays[i].pop_back();
    arrays[i].shrink_to_fit();
    expect_nothing_written(Status::kBufferMissing, tensor, arrays, 32);
  }
  expect_nothing_written(Status::kBufferMissing, tensor, {all[0], all[1]}, 32);
  for (const std::size_t count : {0u, 31u, 33u}) {
    expect_nothing_written(Status::kCountMismatch, tensor, all, count);
  }
  Tensor small = tensor;  // ruling A47
  small.buffers[0].byte_size = 31;
  expect_nothing_written(Status::kDataBufferTooSmall, small, all, 32);
  Tensor invalid = tensor;
  invalid.quantization.per_block_affine.axis = 2;
  expect_nothing_written(Status::kAxisOutOfRange, invalid, all, 32);
  Tensor dynamic = tensor;
  dynamic.shape[0] = kDynamic;
  expect_nothing_written(Status::kCountMismatch, dynamic, all, 32);
}

// HQ-HDR-007.
TEST(DequantizeTensor, ASchemeThatWasSteppedOverHasNoValues) {
  Tensor tensor;
  found_in(with(kPerTensorTensor, 65, 1, 0x77), tensor, Mode::kPermissive);
  expect_nothing_written(Status::kNoValues, tensor, {Bytes(8)}, 8);
}

TEST(DequantizeTensor, OneElementIsAsInAll) {
  Tensor tensor = per_block(0x10, {2, 4}, {8, 16, 16}, 1, 2);
  const Arrays arrays = {hex("0102030405060708"), floats({1, 2, 3, 4}), int32s({1, 1, 1, 1})};
  const std::vector<float> out = values(tensor, arrays, 8);
  for (std::uint64_t i = 0; i < 8; ++i) {
    const std::uint64_t index[] = {i / 4, i % 4};
    EXPECT_EQ(dequantize_element(tensor, spans(arrays), index), out[i]);
  }
}

}  // namespace
}  // namespace hurray
