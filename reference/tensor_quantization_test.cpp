// SPDX-License-Identifier: Apache-2.0
//
// Is everything found that section, shape and buffer table can hold against each other? Each defect
// is a valid tensor with one edit, in each scheme that has the rule.

#include "reference/tensor_quantization.h"

#include <limits>

#include "reference/test_tensors.h"

namespace hurray {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;

// One valid tensor of each scheme with an axis, all of shape [4, 32] or the like.
Tensor valid_per_channel() { return per_channel(0x10, {4, 32}, {128, 16, 16}, 0); }
Tensor valid_per_block() { return per_block(0x10, {4, 32}, {128, 64, 64}, 1, 8); }
Tensor valid_nf4() { return nf4({4, 32}, {64, 32}, 1, 16); }
Tensor valid_mxfp() { return mxfp(0x40, {4, 32}, {128, 4}, 1, 32); }

Tensor edited(Tensor tensor, auto edit) {
  edit(tensor);
  return tensor;
}

void set_axis(Tensor& tensor, std::uint32_t axis) {
  tensor.quantization.per_channel_affine.axis = axis;
  tensor.quantization.per_block_affine.axis = axis;
  tensor.quantization.nf4.axis = axis;
  tensor.quantization.mxfp.axis = axis;
}
void set_scale_index(Tensor& tensor, std::uint32_t index) {
  tensor.quantization.per_channel_affine.scale_buffer_index = index;
  tensor.quantization.per_block_affine.scale_buffer_index = index;
  tensor.quantization.nf4.scale_buffer_index = index;
  tensor.quantization.mxfp.scale_buffer_index = index;
}
void set_zero_point_index(Tensor& tensor, std::uint32_t index) {
  tensor.quantization.per_channel_affine.zero_point_buffer_index = index;
  tensor.quantization.per_block_affine.zero_point_buffer_index = index;
}
void make_symmetric(Tensor& tensor) {
  tensor.quantization.per_channel_affine.flags = kSymmetric;
  tensor.quantization.per_block_affine.flags = kSymmetric;
  set_zero_point_index(tensor, kNoBufferIndex);
  tensor.buffer_count = 2;
}

TEST(TensorQuantization, ValidTensorsAreValid) {
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    expect_valid(tensor);
  }
  expect_valid(edited(valid_per_channel(), make_symmetric));
  expect_valid(edited(valid_per_block(), make_symmetric));
}

// HQ-PCA-004, HQ-PBA-004, HQ-NF4-003, HQ-MX-003, ruling A57.
TEST(TensorQuantization, AxisIsBelowRank) {
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    for (std::uint32_t axis : {2u, 3u, 64u, 0xffffffffu}) {
      expect_must(Status::kAxisOutOfRange, edited(tensor, [&](Tensor& t) { set_axis(t, axis); }));
    }
    const Tensor scalar = edited(tensor, [](Tensor& t) { t.rank = 0; });
    expect_must(Status::kAxisOutOfRange, edited(scalar, [](Tensor& t) { set_axis(t, 0); }));
  }
}

// HQ-PCA-018, HQ-PBA-010, HQ-NF4-013, HQ-MX-006; ruling A32.
TEST(TensorQuantization, TheAxisIsStaticAndTheOthersMayBe) {
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    const std::uint32_t axis = *fields_of(tensor.quantization).axis;
    const Findings on_axis = judged(edited(tensor, [&](Tensor& t) { t.shape[axis] = kDynamic; }));
    EXPECT_TRUE(on_axis.has(Status::kDynamicAxis)) << on_axis;
    EXPECT_TRUE(on_axis.has_must());
    expect_open(Behaviour::kDynamicDimension,
                edited(tensor, [&](Tensor& t) { t.shape[1 - axis] = kDynamic; }));
    // Sizes that depend on it are nobody's business then; channels are counted on the axis alone.
    const Tensor without_scales = edited(tensor, [&](Tensor& t) {
      t.shape[1 - axis] = kDynamic;
      t.buffers[0].byte_size = t.buffers[1].byte_size = 0;
    });
    if (tensor.quantization.scheme_tag == kSchemePerChannelAffine) {
      EXPECT_TRUE(judged(without_scales).has(Status::kParameterBufferTooShort));
    } else {
      expect_open(Behaviour::kDynamicDimension, without_scales);
    }
  }
  Tensor per_tensor;
  found_in(kPerTensorTensor, per_tensor);
  per_tensor.shape[1] = kDynamic;
  expect_open(Behaviour::kDynamicDimension, per_tensor);
}

// HQ-PCA-014, HQ-PBA-015, HQ-NF4-012, HQ-MX-015; HQ-PCA-015, HQ-PBA-016; HQ-HDR-019, -020.
TEST(TensorQuantization, IndicesNameParameterBuffers) {
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    for (std::uint32_t index : {tensor.buffer_count, 255u, 0x80000000u, 0xffffffffu}) {
      EXPECT_TRUE(judged(edited(tensor, [&](Tensor& t) {
                    set_scale_index(t, index);
                  })).has(Status::kIndexOutOfRange));
    }
    EXPECT_TRUE(judged(edited(tensor, [](Tensor& t) {
                  set_scale_index(t, 0);
                })).has(Status::kIndexOfDataBuffer));
  }
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block()}) {
    expect_must(Status::kIndexOutOfRange,
                edited(tensor, [](Tensor& t) { set_zero_point_index(t, 3); }));
    expect_must(Status::kIndexOfDataBuffer,
                edited(tensor, [](Tensor& t) { set_zero_point_index(t, 0); }));
    expect_must(Status::kAsymmetricWithoutIndex, edited(tensor, [](Tensor& t) {
                  set_zero_point_index(t, kNoBufferIndex);
                  t.buffer_count = 2;
                }));
  }
}

TEST(TensorQuantization, TheArraysMayStandInAnyOrder) {
  expect_valid(edited(per_block(0x10, {4, 32}, {128, 64, 32}, 1, 8, 1), [](Tensor& t) {
    set_scale_index(t, 2);
    set_zero_point_index(t, 1);
  }));
}

// HQ-MD-018, rulings A21, A59.
TEST(TensorQuantization, ThereAreNoMoreBuffersThanNeeded) {
  for (Tensor tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    ++tensor.buffer_count;
    expect_soft(Status::kTooManyBuffers, tensor);
  }
  Tensor per_tensor;
  found_in(kPerTensorTensor, per_tensor);
  per_tensor.buffer_count = 2;
  expect_soft(Status::kTooManyBuffers, per_tensor);
}

// HQ-PCA-011, -013, HQ-PBA-017, -018, HQ-NF4-009, HQ-MX-007; ruling A60.
TEST(TensorQuantization, ParameterBuffersHaveTheSizeOfTheirArrays) {
  for (const Tensor& tensor : {valid_per_channel(), valid_per_block(), valid_nf4(), valid_mxfp()}) {
    for (std::uint32_t i = 1; i < tensor.buffer_count; ++i) {
      const std::uint64_t exact = tensor.buffers[i].byte_size;
      const auto sized = [&](std::uint64_t size) {
        return edited(tensor, [&](Tensor& t) { t.buffers[i].byte_size = size; });
      };
      expect_must(Status::kParameterBufferTooShort, sized(exact - 1));
      expect_must(Status::kParameterBufferTooShort, sized(0));
      expect_soft(Status::kParameterBufferTooLong, sized(exact + 1));
      expect_soft(Status::kParameterBufferTooLong, sized(kMost));
    }
  }
  for (std::uint8_t type : {std::uint8_t{1}, std::uint8_t{2}}) {  // two bytes for each scale
    expect_valid(per_block(0x10, {4, 32}, {128, 32, 64}, 1, 8, type));
    expect_must(Status::kParameterBufferTooShort,
                per_block(0x10, {4, 32}, {128, 31, 64}, 1, 8, type));
  }
}

// HQ-HDR-021, -022; ruling A20.
TEST(TensorQuantization, ASharedEntryHoldsBothArrays) {
  const auto shared = [](Tensor tensor, std::uint64_t size) {
    tensor.buffer_count = 2;
    tensor.buffers[1].byte_size = size;
    set_zero_point_index(tensor, 1);
    return tensor;
  };
  expect_open(Behaviour::kSharedParameterBuffer, shared(valid_per_channel(), 32));
  expect_open(Behaviour::kSharedParameterBuffer, shared(valid_per_block(), 128));
  const Findings shorter = judged(shared(valid_per_block(), 127));
  EXPECT_TRUE(shorter.has(Status::kParameterBufferTooShort));
  EXPECT_TRUE(shorter.has_must());
  const Findings longer = judged(shared(valid_per_block(), 129));
  EXPECT_EQ(longer.worst(), Severity::kSoft);
  const Tensor tensor = shared(per_block(0x10, {4, 32}, {128, 0, 0}, 1, 8, 1), 32 + 64);
  EXPECT_EQ(scale_array(tensor)->offset_bytes, 0u);
  EXPECT_EQ(zero_point_array(tensor)->offset_bytes, 32u);
  EXPECT_EQ(zero_point_array(tensor)->bytes, 64u);
  const Findings three =
      judged(edited(shared(valid_per_block(), 128), [](Tensor& t) { t.buffer_count = 3; }));
  EXPECT_TRUE(three.has(Status::kTooManyBuffers));
}

// HQ-PBA-007, -008, HQ-NF4-005, HQ-HDR-017, -018; rulings A30, A34.
TEST(TensorQuantization, ABlockIsNoLongerThanTheAxis) {
  expect_valid(per_block(0x10, {32}, {32, 4, 4}, 0, 32));
  expect_must(Status::kBlockLongerThanAxis, per_block(0x10, {31}, {32, 4, 4}, 0, 32));
  expect_must(Status::kBlockLongerThanAxis, nf4({63}, {32, 4}, 0, 64));
  expect_valid(per_block(0x10, {0}, {0, 0, 0}, 0, 32));
  expect_valid(nf4({0}, {0, 0}, 0, 64));
  expect_soft(Status::kBlockSizeNotAllowed, per_block(0x10, {0}, {0, 0, 0}, 0, 3));
  expect_soft(Status::kBlockLongerThanAxis, per_block(0x10, {0, 31}, {0, 0, 0}, 1, 32));
  expect_soft(Status::kBlockLongerThanAxis, nf4({31, 0}, {0, 0}, 0, 32));
  expect_valid(per_block(0x10, {0, 32}, {0, 0, 0}, 1, 32));
}

// HQ-MX-005, ruling A33.
TEST(TensorQuantization, MxfpHasWholeBlocksOnly) {
  for (std::uint64_t length : {32u, 64u, 96u}) {
    expect_valid(mxfp(0x10, {length}, {length, length / 32}, 0, 32));
  }
  for (std::uint64_t length : {1u, 31u, 33u, 40u}) {
    EXPECT_TRUE(judged(mxfp(0x10, {length}, {64, 2}, 0, 32)).has(Status::kAxisNotWholeBlocks));
    EXPECT_TRUE(judged(mxfp(0x10, {length}, {64, 2}, 0, 32)).has_must());
  }
  expect_soft(Status::kAxisNotWholeBlocks, mxfp(0x10, {0}, {0, 0}, 0, 32));
  expect_valid(mxfp(0x10, {0, 32}, {0, 0}, 1, 32));
}

// HQ-PCA-028, HQ-PBA-009, HQ-NF4-016, HQ-MD-029.
TEST(TensorQuantization, EmptyTensorsHaveEmptyArraysOfBlocks) {
  expect_valid(per_channel(0x10, {0}, {0, 0, 0}, 0));
  expect_valid(per_channel(0x10, {3, 0, 5}, {0, 0, 0}, 1));
  expect_valid(per_channel(0x10, {3, 0, 5}, {0, 12, 12}, 0));  // one for each index all the same
  expect_soft(Status::kParameterBufferTooLong, per_channel(0x10, {0}, {0, 4, 0}, 0));
  expect_soft(Status::kParameterBufferTooLong, per_block(0x10, {0}, {0, 4, 0}, 0, 32));
  expect_soft(Status::kParameterBufferTooLong, per_block(0x10, {0}, {0, 0, 4}, 0, 32));
  expect_soft(Status::kParameterBufferTooLong, nf4({0}, {0, 4}, 0, 32));
}

// HQ-PBA-019, -021, -022; ruling A28.
TEST(TensorQuantization, APartialLastBlockHasItsParametersAndTwoSizes) {
  expect_open(Behaviour::kPaddedData, per_block(0x10, {65}, {96, 12, 12}, 0, 32));
  expect_open(Behaviour::kUnpaddedData, per_block(0x10, {65}, {65, 12, 12}, 0, 32));
  expect_open(Behaviour::kUnpaddedData, per_block(0x10, {65}, {95, 12, 12}, 0, 32));
  expect_soft(Status::kDataBufferTooSmall, per_block(0x10, {65}, {64, 12, 12}, 0, 32));
  EXPECT_TRUE(judged(per_block(0x10, {65}, {96, 8, 12}, 0, 32)).has_must());
  expect_open(Behaviour::kPaddedData, nf4({40}, {32, 8}, 0, 32));
  expect_open(Behaviour::kUnpaddedData, nf4({40}, {20, 8}, 0, 32));
  EXPECT_EQ(padded_data_bytes(per_block(0x48, {2, 5}, {0, 0, 0}, 1, 4)), 8u);
  EXPECT_EQ(parameter_count(per_block(0x48, {2, 5}, {0, 0, 0}, 1, 4)), 4u);
  EXPECT_FALSE(has_partial_block(valid_per_block()));
}

// HQ-MX-008 and shapes that no 64 bits can count: refused, not wrapped.
TEST(TensorQuantization, ParametersAreCountedWithoutWrapping) {
  EXPECT_EQ(parameter_count(mxfp(0x40, {3, 64, 5}, {}, 1, 32)), 30u);
  EXPECT_EQ(parameter_count(per_block(0x10, {kHuge, 8}, {}, 1, 2)), std::nullopt);
  EXPECT_EQ(parameter_count(per_block(0x10, {kHuge, 8, 0}, {}, 1, 2)), 0u);
  EXPECT_EQ(parameter_count(per_block(0x10, {kMost - 1}, {}, 0, 2)), kMost / 2);
  // 4 * 2^62 scales' bytes would wrap to 0.
  for (const Tensor& tensor : {per_channel(0x10, {kHuge}, {kMost, 0, 0}, 0),
                               per_block(0x10, {2 * kHuge}, {kMost, 0, 0}, 0, 2),
                               per_block(0x10, {kHuge, 8}, {kMost, 0, 0}, 1, 2)}) {
    const Findings findings = judged(tensor);
    EXPECT_TRUE(findings.has(Status::kParameterBufferTooShort)) << findings;
    EXPECT_TRUE(findings.has_must());
  }
  // And the sum of a shared entry too: 2^61 scales and zero points.
  Tensor shared = per_channel(0x10, {kHuge / 2}, {kMost, kMost}, 0);
  set_zero_point_index(shared, 1);
  EXPECT_TRUE(judged(shared).has(Status::kParameterBufferTooShort));
}

TEST(TensorQuantization, StridedTensorsAreQuantizedLikeOthers) {
  Tensor tensor = valid_per_block();
  tensor.layout_tag = kLayoutStrided;
  tensor.strides = {32, 1};
  expect_valid(tensor);
  tensor.layout_tag = kLayoutColumnMajor;
  expect_valid(tensor);
}

// Rulings A17, A18.
TEST(TensorQuantization, AnIndexBesideSymmetricCountsForNothing) {
  Tensor block = edited(valid_per_block(), make_symmetric);
  set_zero_point_index(block, 7);
  expect_open(Behaviour::kSymmetricIndex, block);
  Tensor channel = edited(valid_per_channel(), make_symmetric);
  set_zero_point_index(channel, 7);
  expect_soft(Status::kSymmetricWithIndex, channel);
}

}  // namespace
}  // namespace hurray
