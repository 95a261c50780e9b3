// SPDX-License-Identifier: Apache-2.0
//
// Does scalar convert the recipe's tensor, planes in every order, and nothing that per-block affine
// cannot express? Rows HQ-ZP-002 to 015.

#include <bit>

#include "scalar_test_tensor.h"

namespace scalar_test {
namespace {

struct Foreign {
  uint8_t type = 0x10, scale_type = 3;
  Words shape = {2, 16};
  uint32_t axis = 1, group_size = 8;
  hurray_zero_point_format format = {4, 1, 0};
  uint32_t group_major = 0, word_bytes = 1;
  Bytes weights, scales, plane = {0x67, 0x78}, super_scales = {};
  std::vector<uint32_t> group_index = {};

  Foreign() {
    for (uint8_t i = 0; i < 32; ++i) weights.push_back(i);
    scales = from_hex("0ad7a33c8fc2753ccdcccc3c0ad7233c");
  }
};

struct Converted {
  Bytes descriptor, weights;
  std::vector<uint32_t> scales;
  std::vector<int32_t> zero_points;
};

hurray_status convert(const Foreign& from, Converted* result, size_t capacity = 1024) {
  const Foreign f = from;
  const auto optional = [](const auto& array) { return array.empty() ? nullptr : array.data(); };
  const hurray_foreign_tensor foreign = {f.type,
                                         f.scale_type,
                                         static_cast<uint32_t>(f.shape.size()),
                                         f.shape.data(),
                                         f.axis,
                                         f.group_size,
                                         f.format,
                                         f.group_major,
                                         f.word_bytes,
                                         f.weights.data(),
                                         f.weights.size(),
                                         f.scales.data(),
                                         f.scales.size(),
                                         f.plane.data(),
                                         f.plane.size(),
                                         optional(f.group_index),
                                         optional(f.super_scales),
                                         f.super_scales.size()};
  const size_t most_blocks = 64;
  Bytes descriptor(capacity, 0xa5), weights(f.weights.size(), 0xa5);
  std::vector<float> scales(most_blocks, -77);
  std::vector<int32_t> zero_points(most_blocks, -77);
  hurray_converted_tensor out = {descriptor.data(), capacity,      0,
                                 weights.data(),    scales.data(), zero_points.data()};
  const hurray_status status = hurray_target_scalar.convert(&foreign, &out);
  if (status != HURRAY_OK) {
    EXPECT_EQ(descriptor, Bytes(capacity, 0xa5));
    EXPECT_EQ(weights, Bytes(f.weights.size(), 0xa5));
    EXPECT_EQ(scales, std::vector<float>(most_blocks, -77));
    EXPECT_EQ(zero_points, std::vector<int32_t>(most_blocks, -77));
    EXPECT_EQ(out.descriptor_bytes, 0u);
    return status;
  }
  descriptor.resize(out.descriptor_bytes);
  auto tensor = std::make_unique<hurray_tensor>();
  EXPECT_EQ(decode(descriptor, tensor.get()), HURRAY_OK);
  const size_t blocks = tensor->buffers[1].byte_size / 4;
  EXPECT_EQ(scales[blocks], -77);
  EXPECT_EQ(zero_points[blocks], -77);
  zero_points.resize(blocks);
  *result = {descriptor, weights, {}, zero_points};
  for (size_t i = 0; i < blocks; ++i) result->scales.push_back(std::bit_cast<uint32_t>(scales[i]));
  return status;
}

Converted converted(const Foreign& foreign) {
  Converted result;
  EXPECT_EQ(convert(foreign, &result), HURRAY_OK);
  return result;
}

hurray_status status_of(const Foreign& foreign) {
  Converted result;
  return convert(foreign, &result);
}

TEST(ScalarConvert, TheRecipe) {  // HQ-ZP-003..009
  const Foreign foreign;
  const Converted out = converted(foreign);
  EXPECT_EQ(
      out.descriptor,
      from_hex("48525259010079000000010000001001020000000200000000000000100000000000000000000"
               "000000000000320000000000000004000000000000000100000000000000040000000000000001"
               "000000000000000400000000000000018000000030100000100000008000000010000000200000"
               "003000000"));
  EXPECT_EQ(out.weights, foreign.weights);
  EXPECT_EQ(out.scales, (std::vector<uint32_t>{0x3ca3d70a, 0x3c75c28f, 0x3ccccccd, 0x3c23d70a}));
  EXPECT_EQ(out.zero_points, (std::vector<int32_t>{8, 7, 9, 8}));
}

TEST(ScalarConvert, ZeroPointsOfEveryFormat) {  // HQ-ZP-005..008, A25, A26
  Foreign foreign;
  foreign.plane = {0xff, 0xff};
  EXPECT_EQ(converted(foreign).zero_points, (std::vector<int32_t>{16, 16, 16, 16}));
  foreign.format.bias = -3;
  EXPECT_EQ(converted(foreign).zero_points, (std::vector<int32_t>{12, 12, 12, 12}));
  foreign.plane = {0x67, 0x78};
  foreign.format = {4, 0, 1};
  EXPECT_EQ(converted(foreign).zero_points, (std::vector<int32_t>{6, 7, 7, 8}));
  foreign.format = {8, 1, 0};
  foreign.plane = {0, 1, 254, 255, 77};  // more is no error
  EXPECT_EQ(converted(foreign).zero_points, (std::vector<int32_t>{1, 2, 255, 256}));
  foreign.format = {2, 1, 0};
  foreign.plane = {0xe4};
  EXPECT_EQ(converted(foreign).zero_points, (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST(ScalarConvert, RunsInTheToolchainsOrder) {  // HQ-ZP-013, A27
  // Three rows of two groups; each scale and zero point says where it stood.
  Foreign foreign;
  foreign.shape = {3, 16};
  foreign.weights.assign(48, 0);
  foreign.scales.clear();
  for (uint32_t i = 1; i <= 6; ++i) put(foreign.scales, std::bit_cast<uint32_t>(float(i)));
  foreign.format.bias = 0;
  const auto scales_are = [](const Converted& out, const std::vector<int32_t>& order) {
    for (size_t b = 0; b < order.size(); ++b) {
      EXPECT_EQ(out.scales[b], std::bit_cast<uint32_t>(static_cast<float>(order[b])));
    }
    EXPECT_EQ(out.zero_points, order);
  };
  foreign.plane = {0x21, 0x43, 0x65};
  scales_are(converted(foreign), {1, 2, 3, 4, 5, 6});
  foreign.word_bytes = 4;
  foreign.plane = {0x21, 0, 0, 0, 0x43, 0, 0, 0, 0x65, 0, 0, 0};
  scales_are(converted(foreign), {1, 2, 3, 4, 5, 6});
  foreign.group_major = 1;
  foreign.plane = {0x21, 0x03, 0, 0, 0x54, 0x06, 0, 0};
  scales_are(converted(foreign), {1, 4, 2, 5, 3, 6});
  foreign.plane.pop_back();
  EXPECT_EQ(status_of(foreign), HURRAY_REJECTED);
  foreign.word_bytes = 1;
  foreign.plane = {0x21, 0x43, 0x65};
  scales_are(converted(foreign), {1, 4, 2, 5, 3, 6});
  // Along the first axis: the groups of a column.
  foreign.shape = {16, 3};
  foreign.axis = 0;
  scales_are(converted(foreign), {1, 4, 2, 5, 3, 6});
  foreign.group_major = 0;
  scales_are(converted(foreign), {1, 2, 3, 4, 5, 6});
}

TEST(ScalarConvert, ScalesAreWidenedAndJudged) {  // HQ-ZP-004, HQ-PBA-028
  Foreign foreign;
  foreign.scale_type = 1;
  foreign.scales = {0x01, 0x00, 0x00, 0x3c, 0xff, 0xfb, 0x00, 0x04};
  EXPECT_EQ(converted(foreign).scales,
            (std::vector<uint32_t>{0x33800000, 0x3f800000, 0xc77fe000, 0x38800000}));
  foreign.scale_type = 2;
  EXPECT_EQ(converted(foreign).scales,
            (std::vector<uint32_t>{0x00010000, 0x3c000000, 0xfbff0000, 0x04000000}));
  for (const uint32_t bad : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u}) {
    foreign = Foreign();
    for (size_t i = 0; i < 4; ++i) foreign.scales[12 + i] = static_cast<uint8_t>(bad >> (8 * i));
    EXPECT_EQ(status_of(foreign), HURRAY_REJECTED);
  }
}

TEST(ScalarConvert, GroupsThatAreNotRunsAreRefused) {  // HQ-ZP-011, 012
  Foreign foreign;
  for (uint32_t i = 0; i < 16; ++i) foreign.group_index.push_back(i / 8);
  EXPECT_EQ(converted(foreign).descriptor, converted(Foreign()).descriptor);
  for (size_t i = 0; i < 16; ++i) {
    Foreign other = foreign;
    other.group_index[i] ^= 1;
    EXPECT_EQ(status_of(other), HURRAY_REJECTED) << i;
  }
  foreign = Foreign();
  foreign.super_scales = {0};
  EXPECT_EQ(status_of(foreign), HURRAY_REJECTED);
}

template <typename Change>
hurray_status after(Change change) {
  Foreign foreign;
  change(foreign);
  return status_of(foreign);
}

TEST(ScalarConvert, WhatItsRulesExcludeIsRefused) {  // HQ-ZP-014, 015
  EXPECT_EQ(after([](Foreign&) {}), HURRAY_OK);
  for (const uint8_t type : Bytes{0x12, 0x14, 0x40, 0x03, 0x47, 0x00}) {
    EXPECT_EQ(after([&](Foreign& f) { f.type = type; }), HURRAY_REJECTED);
  }
  for (const uint32_t size : {0u, 1u, 3u, 12u, 32u, UINT32_MAX}) {
    EXPECT_EQ(after([&](Foreign& f) { f.group_size = size; }), HURRAY_REJECTED) << size;
  }
  for (const uint32_t bits : {0u, 1u, 3u, 5u, 16u, 32u, UINT32_MAX}) {
    EXPECT_EQ(after([&](Foreign& f) { f.format.bits = bits; }), HURRAY_REJECTED) << bits;
  }
  for (const uint32_t word : {0u, 2u, 8u}) {
    EXPECT_EQ(after([&](Foreign& f) { f.word_bytes = word; }), HURRAY_REJECTED);
  }
  for (const uint8_t type : Bytes{0, 4, 0x10}) {
    EXPECT_EQ(after([&](Foreign& f) { f.scale_type = type; }), HURRAY_REJECTED);
  }
  EXPECT_EQ(after([](Foreign& f) { f.axis = 2; }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.shape.clear(); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.shape.assign(65, 1); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.shape[0] = HURRAY_DYNAMIC; }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.shape[0] = UINT64_C(1) << 62; }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.weights.pop_back(); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.weights.push_back(0); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.scales.pop_back(); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.scales.push_back(0); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.plane.pop_back(); }), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) { f.format.bias = INT32_MAX; }), HURRAY_REJECTED);
  Converted out;
  EXPECT_EQ(convert(Foreign(), &out, 121), HURRAY_OK);
  EXPECT_EQ(convert(Foreign(), &out, 120), HURRAY_REJECTED);
  EXPECT_EQ(after([](Foreign& f) {
              f.shape = {0, 16};
              f.weights = f.scales = f.plane = {};
            }),
            HURRAY_OK);
}

}  // namespace
}  // namespace scalar_test
