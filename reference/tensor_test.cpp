// SPDX-License-Identifier: Apache-2.0
//
// Is a tensor descriptor read as it was written, and is everything found that is wrong with its
// header, shape and sections? Every defect is a valid descriptor with one edit.

#include "reference/tensor.h"

#include "reference/test_tensors.h"

namespace hurray {
namespace {

// HQ-MD-038.
TEST(Tensor, ThePlainExampleMeansWhatItMeans) {
  ASSERT_EQ(kPlainTensor.size(), 61u);
  Tensor out;
  EXPECT_TRUE(found_in(kPlainTensor, out).empty()) << found_in(kPlainTensor);
  EXPECT_EQ(out.descriptor_length, 61u);
  EXPECT_EQ(out.version_major, 1);
  EXPECT_EQ(out.version_minor, 0);
  EXPECT_EQ(out.type_tag, 0x03);
  EXPECT_EQ(out.layout_tag, kLayoutRowMajor);
  EXPECT_EQ(out.flags, 0u);
  EXPECT_EQ(out.rank, 2u);
  EXPECT_EQ(out.shape[0], 3u);
  EXPECT_EQ(out.shape[1], 4u);
  EXPECT_EQ(out.byte_offset, 0u);
  EXPECT_EQ(out.buffer_count, 1u);
  EXPECT_EQ(out.buffers[0], (BufferHandle{192, 64, 0, 0, 0}));
}

TEST(Tensor, ThePerTensorExampleIsRefusedForInt8Only) {
  expect_valid(kPerTensorTensor);
  expect_must(Status::kZeroPointOutOfRange, with(kPerTensorTensor, kTypeAt, 1, 0x10));
}

// HQ-ZP-009.
TEST(Tensor, TheRecipesExampleMeansWhatItMeans) {
  ASSERT_EQ(kPerBlockTensor.size(), 121u);
  Tensor out;
  EXPECT_TRUE(found_in(kPerBlockTensor, out).empty()) << found_in(kPerBlockTensor);
  EXPECT_EQ(out.buffer_count, 3u);
  EXPECT_EQ(out.buffers[0].byte_size, 32u);
  EXPECT_EQ(out.buffers[2].byte_size, 16u);
  EXPECT_EQ(out.quantization.per_block_affine, (PerBlockAffine{0, 1, 8, 1, 2, 3}));
}

// HQ-MD-004, -005, -006, -007.
TEST(Tensor, TheHeaderIsJudged) {
  for (std::size_t i = 0; i < 4; ++i) {
    expect_must(Status::kMagic, with(kPlainTensor, i, 1, kPlainTensor[i] ^ 0x20u));
  }
  expect_must(Status::kMajorVersion, with(kPlainTensor, 4, 1, 2));
  expect_must(Status::kMajorVersion, with(kPlainTensor, 4, 1, 0xff));
  expect_soft(Status::kMajorVersion, with(kPlainTensor, 4, 1, 0));
  expect_lenient(Status::kNewerMinorVersion, with(kPlainTensor, 5, 1, 7));
  for (std::uint32_t length = 0; length < 20; ++length) {
    expect_must(Status::kDescriptorLength, with(kPlainTensor, 6, 4, length));
  }
}

// HQ-MD-008: each prefix is a buffer of its own.
TEST(Tensor, NoPrefixIsRead) {
  for (const Bytes& whole : {kPlainTensor, kPerTensorTensor, kPerBlockTensor}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const Findings findings = found_in(first_of(whole, length));
      EXPECT_TRUE(findings.has_must());
      EXPECT_EQ(findings.has(Status::kTruncated), length < 20);
      EXPECT_EQ(findings.has(Status::kDescriptorCut), length >= 20) << findings;
    }
    for (std::uint32_t length = 20; length < whole.size(); ++length) {
      expect_must(Status::kSectionCut, with(whole, 6, 4, length));
    }
  }
}

// Ruling A51.
TEST(Tensor, ALengthBeyondTheBytesShouldBeRefused) {
  expect_soft(Status::kDescriptorCut, with(kPlainTensor, 6, 4, 62));
  expect_soft(Status::kDescriptorCut, with(kPlainTensor, 6, 4, 0xffffffff));
}

// HQ-MD-009.
TEST(Tensor, WhatIsBehindTheDescriptorIsNotLookedAt) {
  expect_valid(kPlainTensor + hex("ff ff ff"));
  expect_valid(kPerBlockTensor + kPlainTensor);
}

// HQ-MD-001, ruling A50.
TEST(Tensor, TrailingBytesAreFreeNowAndSteppedOverLater) {
  const Bytes longer = with_section(kPlainTensor, 0, hex("dead"));
  expect_open(Behaviour::kTrailingBytes, longer);
  const Findings later = found_in(with(longer, 5, 1, 1));
  EXPECT_EQ(later.worst(), Severity::kLenient) << later;
  EXPECT_TRUE(later.has(Status::kTrailingBytes));
}

TEST(Tensor, EveryReservedFlagIsRefused) {  // HQ-MD-010
  for (unsigned bit = 5; bit < 32; ++bit) {
    expect_must(Status::kTensorFlag, with(kPlainTensor, kFlagsAt, 4, 1u << bit));
  }
}

// HQ-PACK-028, -029, -031; HQ-MD-030; ruling A62.
TEST(Tensor, OnlyElementTypesAreElementTypes) {
  const Bytes roomy = with(kPlainTensor, kShapeAt, 8, 1);
  for (unsigned tag = 0; tag < 256; ++tag) {
    const bool known = (tag >= 1 && tag <= 4) || (tag >= 0x10 && tag <= 0x17) || tag == 0x20 ||
                       (tag >= 0x40 && tag <= 0x4b && tag != 0x47) || tag == 0x50 || tag == 0x51;
    const Bytes bytes = with(roomy, kTypeAt, 1, tag);
    const Bytes extended = with_section(bytes, kHasExtensionType, Bytes(20, 0xab));
    if (known) {
      expect_valid(bytes);
      expect_soft(Status::kExtensionTypeMismatch, extended);
    } else if (tag >= 0xf0 && tag <= 0xfe) {
      expect_soft(Status::kExtensionTypeMismatch, bytes);
      expect_open(Behaviour::kPrivateType, extended);
    } else {
      expect_must(Status::kElementTypeUnknown, bytes);
    }
  }
}

TEST(Tensor, PrivateElementsAreNeverQuantized) {  // ruling A62
  const Bytes bytes = with(kPerTensorTensor, kTypeAt, 1, 0xf3);
  EXPECT_TRUE(found_in(bytes).has_must());
  EXPECT_TRUE(found_in(with_section(bytes, kHasExtensionType, Bytes(20, 1))).has_must());
  const Bytes unknown_scheme = with(bytes, 65, 1, 0x06);
  EXPECT_TRUE(found_in(unknown_scheme, Mode::kPermissive).has_must());
}

TEST(Tensor, OnlyDenseLayoutsAreRead) {  // HQ-MD-032
  for (unsigned tag = 0; tag < 256; ++tag) {
    const Bytes bytes = with(kPlainTensor, kLayoutAt, 1, tag);
    if (tag == 1 || tag == 2) {
      expect_valid(bytes);
    } else if (tag == 3) {
      EXPECT_TRUE(found_in(bytes).has_must());  // without its strides
    } else {
      expect_must(Status::kLayoutUnknown, bytes);
    }
  }
}

TEST(Tensor, RankGoesUpTo64) {  // HQ-MD-027
  for (std::uint32_t rank : {0u, 1u, 63u, 64u}) {
    Tensor tensor = unquantized(0x10, {}, {1});
    tensor.rank = rank;
    std::fill_n(tensor.shape.begin(), rank, 1);
    Bytes bytes(2048);
    std::size_t written = 0;
    ASSERT_EQ(encode_tensor(tensor, bytes, written), Status::kOk);
    EXPECT_EQ(written, 45u + 8 * rank);
    expect_valid(first_of(bytes, written));
    tensor.layout_tag = kLayoutStrided;
    if (rank != 0) expect_valid(tensor);
  }
  Bytes wide(4096, 0);
  std::copy(kPlainTensor.begin(), kPlainTensor.end(), wide.begin());
  store_le32(&wide[6], 4096);
  for (std::uint32_t rank : {65u, 255u, 256u, 0x20000000u, 0x20000002u, 0xffffffffu}) {
    store_le32(&wide[kRankAt], rank);
    expect_must(Status::kRankTooLarge, wide);
  }
}

TEST(Tensor, AScalarIsRowMajor) {  // HQ-MD-028, ruling A60
  Tensor tensor = unquantized(0x10, {}, {1});
  expect_valid(tensor);
  tensor.layout_tag = kLayoutColumnMajor;
  expect_soft(Status::kScalarLayout, tensor);
  tensor.layout_tag = kLayoutStrided;
  expect_soft(Status::kScalarLayout, tensor);
}

// HQ-MD-002. The section of this example starts at 65, its length at 61.
TEST(Tensor, TheQuantizationSectionIsAsLongAsItSays) {
  for (std::uint32_t length : {0u, 1u, 15u}) {
    EXPECT_TRUE(found_in(with(kPerTensorTensor, 61, 4, length)).has(Status::kTruncated));
    EXPECT_TRUE(found_in(with(kPerTensorTensor, 61, 4, length)).has_must());
  }
  for (std::uint32_t length : {17u, 255u, 0x80000000u, 0xfffffff0u, 0xffffffffu}) {
    expect_must(Status::kSectionCut, with(kPerTensorTensor, 61, 4, length) + hex("00000000"));
  }
  const Bytes longer = with_section(kPerTensorTensor, 0, hex("00"));
  expect_open(Behaviour::kLongerSection, with(longer, 61, 4, 17));
}

// HQ-HDR-030, HQ-MD-011: the shard is found behind a section of any length.
TEST(Tensor, TheLengthPrefixLeadsToTheNextSection) {
  const Bytes shard = hex("0a000000000000000b000000000000000800000000000000 0700000000000000");
  for (std::size_t tail = 0; tail < 40; ++tail) {
    const Bytes section = kPerTensorTensor + Bytes(tail, 0xde);
    const Bytes bytes = with_section(with(section, 61, 4, 16 + tail), kHasShard, shard);
    Tensor out;
    const Findings findings = found_in(bytes, out);
    EXPECT_FALSE(findings.has_at_least(Severity::kSoft)) << findings;
    EXPECT_EQ(findings.has(Behaviour::kLongerSection), tail != 0);
    EXPECT_EQ(out.parent_shape[0], 10u);
    EXPECT_EQ(out.parent_shape[1], 11u);
    EXPECT_EQ(out.shard_offset[0], 8u);
    EXPECT_EQ(out.shard_offset[1], 7u);
  }
}

// HQ-MD-011: every combination, read as it was written.
TEST(Tensor, SectionsStandInTheOrderOfTheirFlags) {
  for (std::uint32_t flags = 0; flags < 32; ++flags) {
    if ((flags & kHasExtensionType) != 0) continue;  // only for private types
    Tensor tensor;
    found_in((flags & kHasQuantization) != 0 ? kPerTensorTensor : kPlainTensor, tensor);
    tensor.flags = flags;
    for (std::uint32_t d = 0; d < 2; ++d) {
      tensor.parent_shape[d] = 100 + d;
      tensor.shard_offset[d] = 20 + d;
    }
    for (std::size_t i = 4; i < 72; ++i) tensor.statistics[i] = static_cast<std::uint8_t>(i);
    tensor.member_role = 1;

    Bytes bytes(encoded_tensor_bytes(tensor));
    std::size_t written = 0;
    ASSERT_EQ(encode_tensor(tensor, bytes, written), Status::kOk);
    Tensor again;
    EXPECT_TRUE(found_in(bytes, again).empty()) << found_in(bytes);
    EXPECT_EQ(again.flags, flags);
    EXPECT_EQ(again.parent_shape[1], tensor.has(kHasShard) ? 101u : 0u);
    EXPECT_EQ(again.shard_offset[1], tensor.has(kHasShard) ? 21u : 0u);
    EXPECT_EQ(again.statistics[71], tensor.has(kHasStatistics) ? 71 : 0);
    EXPECT_EQ(again.member_role, tensor.has(kHasCompositeMember) ? 1 : 0);
  }
}

// HQ-MD-041.
TEST(Tensor, AShardLiesInsideItsParent) {
  const auto shard = [](std::uint64_t parent, std::uint64_t offset) {
    Bytes section(32, 0);
    store_le64(&section[0], parent);
    store_le64(&section[8], 4);
    store_le64(&section[16], offset);
    return with_section(kPlainTensor, kHasShard, section);
  };
  expect_valid(shard(3, 0));
  expect_valid(shard(10, 7));
  expect_must(Status::kShardOutsideParent, shard(10, 8));
  expect_must(Status::kShardOutsideParent, shard(2, 0));
  expect_must(Status::kShardOutsideParent, shard(10, UINT64_MAX));
  expect_must(Status::kShardOutsideParent, shard(10, UINT64_MAX - 2));
  expect_must(Status::kShardOutsideParent, shard(UINT64_MAX - 1, UINT64_MAX - 3));
  expect_valid(shard(UINT64_MAX - 1, UINT64_MAX - 4));
}

TEST(Tensor, StatisticsHaveSixBits) {  // HQ-MD-042
  expect_valid(with_section(kPlainTensor, kHasStatistics, Bytes(72, 0)));
  expect_valid(with_section(kPlainTensor, kHasStatistics, with(Bytes(72, 0xff), 0, 4, 0x3f)));
  for (unsigned bit = 6; bit < 32; ++bit) {
    expect_must(Status::kStatisticsMask,
                with_section(kPlainTensor, kHasStatistics, with(Bytes(72, 0), 0, 4, 1u << bit)));
  }
}

TEST(Tensor, ACompositeMemberHasARole) {  // HQ-MD-043
  const auto member = [](std::size_t at, unsigned value) {
    return with_section(kPlainTensor, kHasCompositeMember, with(Bytes(16, 0), at, 1, value));
  };
  expect_valid(member(0, 0));
  expect_valid(member(0, 1));
  expect_must(Status::kMemberRole, member(0, 2));
  expect_must(Status::kMemberRole, member(0, 0xff));
  for (std::size_t i = 1; i < 16; ++i) expect_must(Status::kMemberReserved, member(i, 1));
}

// Ruling A52.
TEST(Tensor, APermissiveReaderMayStepOverAnUnknownScheme) {
  const Bytes unknown = with(kPerTensorTensor, 65, 1, 0x77);
  expect_must(Status::kUnknownScheme, unknown);
  Tensor out;
  EXPECT_TRUE(is_only(found_in(unknown, out, Mode::kPermissive), Behaviour::kUnknownScheme));
  EXPECT_EQ(out.quantization.scheme_tag, 0x77);
  EXPECT_EQ(out.buffers[0].byte_size, 8u);
  EXPECT_TRUE(found_in(with(unknown, 65, 1, 0xff), Mode::kPermissive).has_must());
}

// HQ-MD-012: unquantized, nothing is known of sizes, and nothing is wrong.
TEST(Tensor, DynamicDimensionsAreNotCountedWith) {
  expect_valid(with(kPlainTensor, kShapeAt, 8, kDynamic));
  expect_valid(with(with(kPlainTensor, kShapeAt, 8, kDynamic), kHandleAt, 8, 0));
}

}  // namespace
}  // namespace hurray
