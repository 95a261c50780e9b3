// SPDX-License-Identifier: Apache-2.0
//
// Is each suspicious thing found, alone, and nothing in a tensor that has none? Every check has a
// good tensor with one edit; and any bytes are survived.

#include "conformance/runner/lint_test.h"

namespace hurray::conformance {
namespace {

const LintFinding& finding_of(const LintReport& report, std::string_view id) {
  static const LintFinding kNone{};
  const auto found = std::ranges::find(report.findings, id, &LintFinding::id);
  EXPECT_NE(found, report.findings.end()) << id << " in " << ids_of(report);
  return found == report.findings.end() ? kNone : *found;
}

void expect_evidence(const LintedTensor& parts, std::string_view id, std::string_view part) {
  const LintReport report = lint(parts.file());
  std::string all = finding_of(report, id).looks_like;
  for (const std::string& line : finding_of(report, id).evidence) all += "\n" + line;
  EXPECT_NE(all.find(part), std::string::npos) << all;
}

// uint4 [1, 64 * 32], scheme 03, symmetric, normalized.
LintedTensor good() { return per_block_parts({}); }

// Gaussian scales, a random code for each element.
LintedTensor nf4() {
  LintedTensor parts = good();
  parts.tensor.quantization = {};
  parts.tensor.quantization.scheme_tag = kSchemeNf4;
  parts.tensor.quantization.nf4 = {0, 1, 32, 1};
  parts.buffers.pop_back();
  return parts;
}
LintedTensor mxfp(std::uint8_t type_tag) {
  Gaussian gaussian(7);
  LintedTensor parts = nf4();
  parts.tensor.type_tag = type_tag;
  parts.tensor.quantization = {};
  parts.tensor.quantization.scheme_tag = kSchemeMxfp;
  parts.tensor.quantization.mxfp = {0, 1, 32, 1};
  std::vector<std::int64_t> codes(64 * 32);
  for (std::int64_t& code : codes) code = static_cast<std::int64_t>(gaussian.below(16));
  parts.buffers[0] = packed(type_tag, codes);
  parts.buffers[1] = Bytes(64, 0x70);
  parts.buffers[1][5] = 0x71;
  return parts;
}
LintedTensor per_channel(std::int32_t stored_offset) {
  LintedTensor parts = per_block_parts({.stored_offset = stored_offset});
  parts.tensor.shape = {64, 32};
  parts.tensor.quantization = {};
  parts.tensor.quantization.scheme_tag = kSchemePerChannelAffine;
  parts.tensor.quantization.per_channel_affine = {0, 0, 1, 2, 3};
  return parts;
}
// int8 [2, 1024] of scheme 01.
LintedTensor per_tensor() {
  Gaussian gaussian(3);
  LintedTensor parts;
  parts.tensor.type_tag = 0x10;
  parts.tensor.rank = 2;
  parts.tensor.shape = {2, 1024};
  parts.tensor.flags = kHasQuantization;
  parts.tensor.quantization.scheme_tag = kSchemePerTensorAffine;
  parts.tensor.quantization.per_tensor_affine = {0.5f, 3};
  std::vector<std::int64_t> codes(2048);
  for (std::int64_t& code : codes) {
    code = std::clamp<std::int64_t>(std::lround(30 * gaussian()) + 3, -128, 127);
  }
  parts.buffers = {packed(0x10, codes)};
  return parts;
}

TEST(Lint, NothingIsSuspiciousAboutGoodTensors) {
  EXPECT_EQ(ids_of(good()), "nothing");
  EXPECT_EQ(ids_of(per_block_parts({.plane = Plane::kAsymmetric})), "nothing");
  EXPECT_EQ(ids_of(nf4()), "nothing");
  EXPECT_EQ(ids_of(mxfp(0x43)), "nothing");
  EXPECT_EQ(ids_of(per_channel(0)), "nothing");
  EXPECT_EQ(ids_of(per_tensor()), "nothing");
}

TEST(Lint, AForgottenBiasIsFoundAndCorrected) {
  for (const Plane plane : {Plane::kSymmetric, Plane::kAsymmetric}) {
    const LintedTensor parts = per_block_parts({.plane = plane, .stored_offset = -1});
    const LintReport report = lint(parts.file());
    EXPECT_EQ(ids_of(report), "zero-point-bias");
    const std::optional<Correction>& correction = report.findings[0].correction;
    ASSERT_TRUE(correction.has_value());
    EXPECT_EQ(correction->add, 1);
    EXPECT_EQ(correction->count, 64u);
    ASSERT_EQ(correction->to.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(correction->to[i], correction->from[i] + 1);
  }
  expect_evidence(per_block_parts({.stored_offset = -1}), "zero-point-bias",
                  "of all 64 blocks are 7, one less than 8");
  EXPECT_EQ(ids_of(per_channel(-1)), "zero-point-bias");
}

TEST(Lint, ABiasTooManyIsFound) {
  const LintReport report = lint(per_block_parts({.stored_offset = 1}).file());
  EXPECT_EQ(ids_of(report), "zero-point-bias");
  EXPECT_EQ(report.findings[0].correction->add, -1);
}

TEST(Lint, TheRecipesTensorWithoutNormalizationIsTooSmallToTell) {
  // Four blocks of eight codes: nothing can be claimed, and the note says so.
  LintedTensor parts = per_block_parts({.blocks = 4, .group = 8, .type_tag = 0x10});
  parts.buffers[2] = int32s({7, 6, 8, 7});
  const LintReport report = lint(parts.file());
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("too few elements"), std::string::npos) << report.notes[0];
}

TEST(Lint, AMissingOffsetIsFound) {
  LintedTensor parts = good();
  parts.tensor.quantization.per_block_affine.flags = 1;
  parts.tensor.quantization.per_block_affine.zero_point_buffer_index = 0xffffffff;
  parts.buffers.pop_back();
  EXPECT_EQ(ids_of(parts), "zero-point-offset");
  LintedTensor zeros = good();
  zeros.buffers[2] = int32s(std::vector<std::int32_t>(64, 0));
  EXPECT_EQ(ids_of(zeros), "zero-point-offset");
}

TEST(Lint, ZeroPointsOutsideOfTheTypeAreFound) {
  LintedTensor parts = good();
  store_le32(&parts.buffers[2][4 * 9], 16);
  EXPECT_EQ(ids_of(parts), "zero-point-range");
  expect_evidence(parts, "zero-point-range", "1 of 64 blocks; the first is 16, of block 9");
  expect_evidence(parts, "zero-point-range", "what a stored 15 with a bias of one gives");
  store_le32(&parts.buffers[2][4 * 9], 15);
  EXPECT_EQ(ids_of(parts), "nothing");
}

TEST(Lint, EqualScalesAreFound) {
  LintedTensor parts = good();
  parts.buffers[1] = floats(std::vector<float>(64, 0.01f));
  EXPECT_EQ(ids_of(parts), "equal-scales");
  LintedTensor powers = mxfp(0x43);
  powers.buffers[1][5] = 0x70;
  EXPECT_EQ(ids_of(powers), "equal-scales");
}

TEST(Lint, ScalesOfAnUnusualSizeAreFound) {
  const auto with_scale = [](float scale) {
    LintedTensor parts = good();
    store_binary32(&parts.buffers[1][4 * 3], scale);
    return ids_of(parts);
  };
  EXPECT_EQ(with_scale(1e-40f), "subnormal-scale scale-outlier");
  EXPECT_EQ(with_scale(1e-30f), "scale-outlier");
  EXPECT_EQ(with_scale(1e5f), "huge-scale scale-outlier");
  EXPECT_EQ(with_scale(-0.01f), "nothing");
  EXPECT_EQ(with_scale(0.0f), "rule");
  EXPECT_EQ(with_scale(std::nanf("")), "rule");
}

TEST(Lint, AScaleThatIsNoneIsPointedAt) {
  LintedTensor parts = good();
  store_binary32(&parts.buffers[1][4 * 41], std::nanf(""));
  expect_evidence(parts, "rule", "1 of 64, the first at index 41");
  store_binary32(&parts.buffers[1][4 * 41], 0.0f);
  expect_evidence(parts, "rule", "1 of 64, the first at index 41");
}

TEST(Lint, ScalesOfSixteenBitsHaveSubnormalsOfTheirOwn) {
  LintedTensor parts = good();
  parts.tensor.quantization.per_block_affine.scale_type_tag = 1;
  parts.buffers[1] = Bytes(128);
  for (unsigned i = 0; i < 64; ++i)
    store_le16(&parts.buffers[1][2 * i], static_cast<std::uint16_t>(0x1000 + 8 * i));
  EXPECT_EQ(ids_of(parts), "nothing");
  store_le16(&parts.buffers[1][2 * 7], 0x0300);
  EXPECT_EQ(ids_of(parts), "subnormal-scale");
}

TEST(Lint, ALargeScaleOfMxfpIsJudgedByItsElements) {
  LintedTensor parts = mxfp(0x43);
  parts.buffers[1][9] = 127 + 14;
  std::fill_n(parts.buffers[0].begin() + 9 * 16, 16, std::uint8_t{0x15});  // 3 * 2^14: a float16
  EXPECT_EQ(ids_of(parts), "scale-outlier");
  parts.buffers[0][9 * 16 + 3] = 0xf1;  // -6 * 2^14: none
  EXPECT_EQ(ids_of(parts), "huge-scale scale-outlier");
}

TEST(Lint, ZeroScalesOfNf4AreFound) {
  LintedTensor parts = nf4();
  store_binary32(&parts.buffers[1][4 * 20], 0.0f);
  EXPECT_EQ(ids_of(parts), "nf4-zero-scale");
  expect_evidence(parts, "nf4-zero-scale", "1 of these blocks have different codes");
  std::fill_n(parts.buffers[0].begin() + 20 * 16, 16, std::uint8_t{0x77});
  EXPECT_EQ(ids_of(parts), "nf4-zero-scale");
  expect_evidence(parts, "nf4-zero-scale", "as those of a block of zeros");
}

TEST(Lint, ASharedBufferIsFound) {
  LintedTensor parts = good();
  parts.tensor.quantization.per_block_affine.zero_point_buffer_index = 1;
  parts.buffers[1].insert(parts.buffers[1].end(), parts.buffers[2].begin(), parts.buffers[2].end());
  parts.buffers.pop_back();
  EXPECT_EQ(ids_of(parts), "shared-buffer");
}

// Scheme 03, 45 elements in blocks of 32, with an odd last byte or with filler.
LintedTensor partial(std::size_t stored_elements) {
  LintedTensor parts = per_block_parts({.blocks = 2});
  parts.tensor.rank = 1;
  parts.tensor.shape = {45};
  parts.tensor.quantization.per_block_affine.axis = 0;
  parts.buffers[0].resize((stored_elements + 1) / 2);
  for (std::size_t i = 22; i < parts.buffers[0].size(); ++i) {
    parts.buffers[0][i] = i == 22 ? parts.buffers[0][i] & 0x0f : 0;
  }
  return parts;
}

TEST(Lint, UnusedBitsAreFound) {
  LintedTensor parts = partial(45);
  EXPECT_EQ(ids_of(parts), "nothing");
  parts.buffers[0].back() |= 0x10;
  EXPECT_EQ(ids_of(parts), "unused-bits");
}

TEST(Lint, FillerIsFound) {
  EXPECT_EQ(ids_of(partial(64)), "nothing");
  for (const std::size_t at : {22u, 31u}) {  // also in the byte in which elements end
    LintedTensor parts = partial(64);
    parts.buffers[0][at] |= 0x80;
    EXPECT_EQ(ids_of(parts), "filler") << at;
  }
}

TEST(Lint, ConstantBlocksAreFound) {
  LintedTensor parts = good();
  std::fill_n(parts.buffers[0].begin() + 3 * 16, 16, std::uint8_t{0x55});
  EXPECT_EQ(ids_of(parts), "constant-block");
  expect_evidence(parts, "constant-block",
                  "1 of 64, the first at index 3: 32 elements with code 5");
  expect_evidence(parts, "constant-block", "0 of them stand for 0");
  std::fill_n(parts.buffers[0].begin() + 3 * 16, 16, std::uint8_t{0x88});
  expect_evidence(parts, "constant-block", "they stand for 0 throughout");
}

TEST(Lint, SaturationIsFound) {
  LintedTensor parts = good();
  for (std::uint8_t& byte : parts.buffers[0]) {
    const unsigned low = byte & 0xf, high = byte >> 4;
    const auto pushed = [](unsigned code) { return code < 7 ? 0u : code > 9 ? 15u : code; };
    byte = static_cast<std::uint8_t>(pushed(low) | pushed(high) << 4);
  }
  EXPECT_EQ(ids_of(parts), "saturation");
  LintedTensor floats8 = mxfp(0x40);
  std::fill_n(floats8.buffers[0].begin(), 1000, std::uint8_t{0xfe});  // -448
  floats8.buffers[0][1000] = 0x01;
  EXPECT_EQ(ids_of(floats8), "constant-block saturation");
}

TEST(Lint, BrokenRulesAreNamed) {
  LintedTensor parts = per_channel(0);
  store_le32(&parts.buffers[2][0], 16);  // per channel it has to be a uint4
  const LintReport report = lint(parts.file());
  EXPECT_EQ(finding_of(report, "rule").see, "HQ-PCA-020");
}

TEST(Lint, TheFileItselfIsLookedAt) {
  Bytes file = good().file();
  file[127] = 1;
  EXPECT_EQ(ids_of(lint(file)), "file-padding");
  Bytes longer = good().file();
  longer.resize((longer.size() + 63) / 64 * 64);
  EXPECT_EQ(ids_of(lint(longer)), "nothing");
  longer.push_back(0);
  EXPECT_EQ(ids_of(lint(longer)), "file-padding");
}

TEST(Lint, WhatIsNotQuantizedOrEmptyIsNotSuspicious) {
  LintedTensor parts = per_tensor();
  parts.tensor.flags = 0;
  EXPECT_EQ(ids_of(parts), "nothing");
  LintedTensor empty = good();
  empty.tensor.shape = {0, 2048};
  for (Bytes& buffer : empty.buffers) buffer.clear();
  EXPECT_EQ(ids_of(empty), "nothing");
}

TEST(Lint, LayoutsAreFollowed) {
  // One block in [2, 32] is constant in column-major order, and another set of bytes in row-major.
  LintedTensor parts = per_block_parts({.blocks = 2});
  parts.tensor.shape = {2, 32};
  for (std::uint8_t& byte : parts.buffers[0]) byte = static_cast<std::uint8_t>((byte & 0xf0) | 5);
  EXPECT_EQ(ids_of(parts).find("constant-block"), std::string::npos);
  parts.tensor.layout_tag = kLayoutColumnMajor;
  expect_evidence(parts, "constant-block", "the first at index 0");
  parts.tensor.layout_tag = kLayoutStrided;
  parts.tensor.strides = {1, 2};
  expect_evidence(parts, "constant-block", "the first at index 0");
}

TEST(Lint, EndlessBroadcastsAreNotWalked) {
  LintedTensor parts = per_tensor();
  parts.tensor.layout_tag = kLayoutStrided;
  parts.tensor.shape = {std::uint64_t{1} << 40, 1024};
  parts.tensor.strides = {0, 1};
  const LintReport report = lint(parts.file());
  EXPECT_EQ(ids_of(report), "nothing");
  EXPECT_FALSE(report.notes.empty());
}

TEST(Lint, AnyBytesAreSurvived) {
  const Bytes valid = per_block_parts({.blocks = 4}).file();
  for (std::size_t length = 0; length < valid.size(); ++length) {
    const Bytes cut(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(lint(cut).problem, "") << length;
  }
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (const unsigned bit : {0u, 3u, 7u}) {
      Bytes bytes = valid;
      bytes[at] ^= static_cast<std::uint8_t>(1u << bit);
      const LintReport report = lint(bytes);
      EXPECT_FALSE(lint_text("it", report, {}).empty());
    }
  }
  for (const LintedTensor& parts : {nf4(), mxfp(0x45), per_channel(0), per_tensor()}) {
    Bytes bytes = parts.file();
    for (std::size_t at = 0; at < 128; ++at) {
      const std::uint8_t before = bytes[at];
      for (const unsigned value : {0x00u, 0x02u, 0xffu}) {
        bytes[at] = static_cast<std::uint8_t>(value);
        EXPECT_FALSE(lint_json({{"it", lint(bytes)}}).empty());
      }
      bytes[at] = before;
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
