// SPDX-License-Identifier: Apache-2.0
//
// Does a foreign tensor become the Hurray tensor of the recipe, and is everything refused that
// per-block affine cannot express? Each refusal is the recipe's input with one edit.

#include "reference/convert.h"

#include <cmath>
#include <limits>

#include "reference/dequantize_tensor.h"
#include "reference/test_tensors.h"

namespace hurray {
namespace {

// A foreign tensor with its arrays, so that tests can change them.
struct Input {
  std::uint8_t type_tag = 0x10;
  std::uint8_t scale_type_tag = 3;
  std::vector<std::uint64_t> shape = {2, 16};
  std::uint32_t axis = 1;
  std::uint32_t group_size = 8;
  ZeroPointFormat format;
  bool group_major = false;
  std::uint32_t word_bytes = 1;
  Bytes weights = Bytes(32, 0x5a);
  Bytes scales = hex("0ad7a33c8fc2753ccdcccc3c0ad7233c");
  Bytes plane = hex("6778");
  std::vector<std::uint32_t> group_index;
  Bytes super_scales;
};

struct Output {
  Status status;
  Bytes descriptor;
  Bytes weights;
  std::vector<float> scales;
  std::vector<std::int32_t> zero_points;
};

Output converted(const Input& in, std::size_t room = 256) {
  ForeignTensor foreign;
  foreign.type_tag = in.type_tag;
  foreign.scale_type_tag = in.scale_type_tag;
  foreign.shape = in.shape;
  foreign.axis = in.axis;
  foreign.group_size = in.group_size;
  foreign.zero_point_format = in.format;
  foreign.group_major = in.group_major;
  foreign.word_bytes = in.word_bytes;
  foreign.weights = in.weights;
  foreign.scales = in.scales;
  foreign.zero_points = in.plane;
  if (!in.group_index.empty()) foreign.group_index = in.group_index;
  foreign.super_scales = in.super_scales;

  const std::uint64_t blocks = converted_block_count(foreign).value_or(0);
  const std::size_t slots = blocks < 1000 ? static_cast<std::size_t>(blocks) : 0;
  Output out{Status::kOk, Bytes(room, 0xee), Bytes(in.weights.size(), 0xee),
             std::vector<float>(slots, 99), std::vector<std::int32_t>(slots, 99)};
  ConvertedTensor tensor{out.descriptor, 0, out.weights.data(), out.scales.data(),
                         out.zero_points.data()};
  out.status = convert(foreign, tensor);
  if (out.status == Status::kOk) {
    out.descriptor.resize(tensor.descriptor_bytes);
  } else {
    // Nothing is touched.
    EXPECT_EQ(tensor.descriptor_bytes, 0u);
    EXPECT_EQ(out.descriptor, Bytes(room, 0xee));
    EXPECT_EQ(out.weights, Bytes(in.weights.size(), 0xee));
    EXPECT_EQ(out.scales, std::vector<float>(slots, 99));
    EXPECT_EQ(out.zero_points, std::vector<std::int32_t>(slots, 99));
  }
  return out;
}

void expect_refused(Status status, auto edit) {
  Input in;
  edit(in);
  EXPECT_EQ(converted(in).status, status) << text_of(converted(in).status);
}

// HQ-ZP-003 to -009.
TEST(Convert, TheRecipe) {
  const Output out = converted({});
  ASSERT_EQ(out.status, Status::kOk) << text_of(out.status);
  EXPECT_EQ(out.descriptor, kPerBlockTensor);
  EXPECT_EQ(out.weights, Bytes(32, 0x5a));
  EXPECT_EQ(floats(out.scales), hex("0ad7a33c8fc2753ccdcccc3c0ad7233c"));
  EXPECT_EQ(out.zero_points, (std::vector<std::int32_t>{8, 7, 9, 8}));
}

TEST(Convert, ADescriptorNeedsItsRoom) {
  EXPECT_EQ(converted({}, 121).status, Status::kOk);
  EXPECT_EQ(converted({}, 120).status, Status::kBufferTooSmall);
  EXPECT_EQ(converted({}, 0).status, Status::kBufferTooSmall);
}

// HQ-ZP-007, -008; rulings A24, A25, A26.
TEST(Convert, TheBiasIsAddedInAWiderInteger) {
  Input in;
  in.type_tag = 0x49;
  in.weights = Bytes(16, 0x5a);
  in.plane = hex("ffff");
  EXPECT_EQ(converted(in).zero_points, std::vector<std::int32_t>(4, 16));
  in.format.bias = 0;
  EXPECT_EQ(converted(in).zero_points, std::vector<std::int32_t>(4, 15));
  in.format.bias = -100;
  EXPECT_EQ(converted(in).zero_points, std::vector<std::int32_t>(4, -85));
}

TEST(Convert, ScalesAreWidenedExactly) {  // HQ-ZP-004
  Input in;
  in.scale_type_tag = 1;
  in.scales = hex("003c 0100 ff7b 00c0");
  EXPECT_EQ(converted(in).scales, (std::vector<float>{1, 0x1p-24f, 65504, -2}));
  in.scale_type_tag = 2;
  in.scales = hex("803f 0100 7f7f 00c0");
  EXPECT_EQ(converted(in).scales, (std::vector<float>{1, 0x1p-133f, 0x1.fep127f, -2}));
}

// Three rows of two groups, as rows and as groups, with and without words.
TEST(Convert, GroupMajorArraysAreTransposed) {
  Input in;
  in.shape = {3, 16};
  in.weights = Bytes(48);
  in.scales = floats({1, 2, 3, 4, 5, 6});
  in.plane = hex("214365");
  in.format.bias = 0;
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
  in.group_major = true;
  EXPECT_EQ(converted(in).scales, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 4, 2, 5, 3, 6}));
  in.word_bytes = 4;
  in.plane = hex("21030000 54060000");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 4, 2, 5, 3, 6}));
  in.group_major = false;
  in.plane = hex("21000000 43000000 65000000");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
  in.plane.pop_back();
  EXPECT_EQ(converted(in).status, Status::kTooFewBytes);
}

TEST(Convert, RunsCanBeLongerThanAWord) {
  Input in;
  in.shape = {2, 36};
  in.group_size = 4;
  in.weights = Bytes(72);
  in.scales = floats(std::vector<float>(18, 1));
  in.word_bytes = 4;
  in.format.bias = 0;
  in.plane = hex("10325476 08000000 fedcba98 07000000");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15,
                                                                  12, 13, 10, 11, 8, 9, 7}));
}

TEST(Convert, OtherWidthsAndOrders) {
  Input in;
  in.format = {8, 0, false};
  in.plane = hex("01020304");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 2, 3, 4}));
  in.format = {2, 1, false};
  in.plane = hex("e4");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 2, 3, 4}));
  in.format = {4, 0, true};
  in.plane = hex("1234");
  EXPECT_EQ(converted(in).zero_points, (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST(Convert, AnyAxisOfAnyRank) {  // HQ-ZP-013
  Input in;
  in.shape = {4, 3, 2};
  in.axis = 0;
  in.group_size = 2;
  in.weights = Bytes(24);
  std::vector<float> scales(12);
  for (std::size_t b = 0; b < 12; ++b) scales[b] = static_cast<float>(b + 1);
  in.scales = floats(scales);
  in.plane = Bytes(6);
  EXPECT_EQ(converted(in).scales, scales);
}

// HQ-ZP-011.
TEST(Convert, GroupsAreRuns) {
  Input in;
  for (std::uint32_t i = 0; i < 16; ++i) in.group_index.push_back(i / 8);
  EXPECT_EQ(converted(in).status, Status::kOk);
  for (std::size_t i = 0; i < 16; ++i) {
    Input mixed = in;
    mixed.group_index[i] ^= 1;
    EXPECT_EQ(converted(mixed).status, Status::kGroupOrder);
  }
  in.group_index.pop_back();
  EXPECT_EQ(converted(in).status, Status::kGroupOrder);
}

// HQ-ZP-012, -014, -015.
TEST(Convert, WhatCannotBeExpressedIsRefused) {
  expect_refused(Status::kTwoLevelScales, [](Input& in) { in.super_scales = {1}; });
  expect_refused(Status::kTooFewBytes, [](Input& in) { in.plane = hex("67"); });
  expect_refused(Status::kTooFewBytes, [](Input& in) { in.plane = {}; });
  expect_refused(Status::kOk, [](Input& in) { in.plane = hex("6778ff"); });
  expect_refused(Status::kArrayLength, [](Input& in) { in.weights.pop_back(); });
  expect_refused(Status::kArrayLength, [](Input& in) { in.weights.push_back(0); });
  expect_refused(Status::kArrayLength, [](Input& in) { in.scales.pop_back(); });
  expect_refused(Status::kArrayLength, [](Input& in) { in.scales.push_back(0); });
  expect_refused(Status::kInvalidFormat, [](Input& in) { in.format.bits = 3; });
  expect_refused(Status::kInvalidFormat, [](Input& in) { in.format.bits = 16; });
  expect_refused(Status::kInvalidFormat,
                 [](Input& in) { in.format.bias = std::numeric_limits<std::int32_t>::max(); });
  for (const std::uint32_t bytes : {0u, 2u, 8u}) {
    expect_refused(Status::kInvalidFormat, [&](Input& in) { in.word_bytes = bytes; });
  }
  for (const std::uint8_t tag : hex("00 04 42")) {
    expect_refused(Status::kScaleTypeNotAllowed, [&](Input& in) { in.scale_type_tag = tag; });
  }
  expect_refused(Status::kStorageTypeNotAllowed, [](Input& in) { in.type_tag = 0x12; });
  expect_refused(Status::kStorageTypeNotAllowed, [](Input& in) { in.type_tag = 0x40; });
  expect_refused(Status::kBlockSizeZero, [](Input& in) { in.group_size = 0; });
  expect_refused(Status::kBlockSizeNotAllowed, [](Input& in) { in.group_size = 1; });
  expect_refused(Status::kBlockSizeNotAllowed, [](Input& in) { in.group_size = 12; });
  expect_refused(Status::kAxisOutOfRange, [](Input& in) { in.axis = 2; });
  expect_refused(Status::kAxisOutOfRange, [](Input& in) { in.shape = {}; });
  expect_refused(Status::kRankTooLarge, [](Input& in) { in.shape.assign(65, 1); });
  expect_refused(Status::kDynamicDimension, [](Input& in) { in.shape[0] = kDynamic; });
}

TEST(Convert, ScalesThatAreNoneAreRefused) {  // HQ-PBA-028
  for (std::size_t at = 0; at < 16; at += 4) {
    expect_refused(Status::kScaleZero, [&](Input& in) { store_le32(&in.scales[at], 0x80000000); });
    expect_refused(Status::kScaleNan, [&](Input& in) { store_le32(&in.scales[at], 0x7f800001); });
    expect_refused(Status::kScaleNotFinite,
                   [&](Input& in) { store_le32(&in.scales[at], 0xff800000); });
  }
}

TEST(Convert, HugeShapesAreRefusedNotWrapped) {
  for (const std::vector<std::uint64_t>& shape :
       {std::vector<std::uint64_t>{std::uint64_t{1} << 60, 16},
        std::vector<std::uint64_t>{std::uint64_t{1} << 61, 16},
        std::vector<std::uint64_t>{2, UINT64_MAX - 15}}) {
    expect_refused(Status::kArrayLength, [&](Input& in) {
      in.shape = shape;
      in.weights = {};
      in.scales = {};
    });
  }
}

TEST(Convert, EmptyMatricesAreConverted) {
  Input in;
  in.shape = {0, 16};
  in.weights = in.scales = in.plane = {};
  EXPECT_EQ(converted(in).status, Status::kOk);
  in.shape = {2, 0};
  EXPECT_EQ(converted(in).status, Status::kOk);
  in.shape = {0, 12};
  EXPECT_EQ(converted(in).status, Status::kOk);
  in.shape = {0, 4};  // ruling A34: no writer's
  EXPECT_EQ(converted(in).status, Status::kBlockLongerThanAxis);
}

TEST(Convert, AShorterLastGroupIsAVectorsAndPadded) {  // ruling A28
  Input in;
  in.shape = {12};
  in.axis = 0;
  in.weights = Bytes(16);
  in.scales = floats({1, 2});
  EXPECT_EQ(converted(in).status, Status::kOk);
  in.weights = Bytes(12);
  EXPECT_EQ(converted(in).status, Status::kArrayLength);
  expect_refused(Status::kPartialGroup, [](Input& it) { it.shape = {2, 12}; });
}

// HQ-ZP-014, -010: the result is valid, and the twin with the bias left in is one step away.
TEST(Convert, TheTwinWithItsBiasIsOneStepAway) {
  Input in;
  in.scales = floats({0.5f, 0.25f, 2, 1});
  for (std::size_t i = 0; i < 32; ++i) in.weights[i] = static_cast<std::uint8_t>(i);
  const auto values = [](const Output& out) {
    Tensor tensor;
    EXPECT_TRUE(found_in(out.descriptor, tensor).empty());
    const Bytes scales = floats(out.scales);
    const Bytes zero_points = int32s(out.zero_points);
    const std::span<const std::uint8_t> buffers[] = {out.weights, scales, zero_points};
    std::vector<float> all(32);
    Findings findings;
    EXPECT_TRUE(dequantize_tensor(tensor, buffers, all.data(), 32, findings)) << findings;
    return all;
  };
  const std::vector<float> right = values(converted(in));
  in.format.bias = 0;
  const std::vector<float> twin = values(converted(in));
  const float steps[] = {0.5f, 0.25f, 2, 1};
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(twin[i] - right[i], steps[i / 8]);
}

}  // namespace
}  // namespace hurray
