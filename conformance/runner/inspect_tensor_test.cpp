// SPDX-License-Identifier: Apache-2.0
//
// Is every byte of a tensor descriptor explained, and does each finding point at the guilty ones?
// Every defect is one edit of a descriptor that has all sections.

#include <fmt/format.h>

#include "conformance/runner/inspect_test.h"
#include "reference/byte_order.h"
#include "reference/tensor.h"

namespace hurray::conformance {
namespace {

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Bytes with(Bytes bytes, std::size_t at, unsigned count, std::uint64_t value) {
  store_le(&bytes[at], count, value);
  return bytes;
}

// uint4 [4, 32], strided, scheme 03 along axis 1 in blocks of 16, with shard, statistics and
// composite member: 257 bytes.
Bytes complete() {
  Tensor tensor;
  tensor.type_tag = 0x49;
  tensor.layout_tag = kLayoutStrided;
  tensor.flags = kHasQuantization | kHasShard | kHasStatistics | kHasCompositeMember;
  tensor.rank = 2;
  tensor.shape = {4, 32};
  tensor.strides = {32, 1};
  tensor.buffer_count = 3;
  tensor.buffers[0].byte_size = 64;
  tensor.buffers[1].byte_size = 32;
  tensor.buffers[2].byte_size = 32;
  tensor.quantization.scheme_tag = kSchemePerBlockAffine;
  tensor.quantization.per_block_affine = {0, 1, 16, 1, 2, 3};
  tensor.parent_shape = {8, 32};
  tensor.shard_offset = {4, 0};
  Bytes bytes(512);
  std::size_t written = 0;
  EXPECT_EQ(encode_tensor(tensor, bytes, written), Status::kOk);
  bytes.resize(written);
  return bytes;
}

std::size_t offset_of(const ByteMap& map, Section section, std::string_view name) {
  const auto field = map.find(section, name);
  EXPECT_TRUE(field.has_value()) << name;
  return field ? map.fields[*field].offset : 0;
}

TEST(InspectTensor, EveryFieldOfACompleteOneIsNamed) {
  const Inspection inspection = inspect_tensor(complete());
  EXPECT_TRUE(inspection.is_valid());
  EXPECT_TRUE(inspection.findings.empty());
  expect_complete(inspection);
  const std::string text = text_of(inspection);
  for (const char* part :
       {"tensor descriptor of 257 bytes: uint4 [4, 32], strided, 3 buffers, quantized by per-block "
        "affine along axis 1 in blocks of 16",
        "header",
        "HRRY",
        "shape[1]",
        "byte_offset",
        "layout",
        "strides[0]",
        "32 elements",
        "buffer table",
        "buffers[2].alignment",
        "CPU",
        "32 bytes, scales",
        "quantization_length",
        "block_size",
        "shard",
        "parent_shape[0]",
        "shard_offset[1]",
        "statistics",
        "mask",
        "composite member",
        "correction",
        "\nvalid\n"}) {
    expect_in(text, part);
  }
}

TEST(InspectTensor, EachFindingPointsAtItsBytes) {
  const Bytes valid = complete();
  const ByteMap map = map_tensor(valid);
  const auto at = [&](Section section, std::string_view name) {
    return offset_of(map, section, name);
  };
  const auto header = [&](std::string_view name) { return at(Section::kHeader, name); };
  const auto buffer = [&](std::string_view name) { return at(Section::kBufferTable, name); };
  const auto scheme = [&](std::string_view name) { return at(Section::kQuantization, name); };
  const struct {
    Bytes bytes;
    const char* id;
    const char* places;
  } kRows[] = {
      {with(valid, 0, 1, 0x49), "HQ-MD-004", "magic"},
      {with(valid, header("version_major"), 1, 2), "HQ-MD-005", "version_major"},
      {with(valid, header("version_minor"), 1, 3), "HQ-MD-006", "version_minor"},
      {with(valid, header("descriptor_length"), 4, 3), "HQ-MD-007", "descriptor_length"},
      {with(valid, header("flags"), 4, 0x8000001b), "HQ-MD-010", "flags"},
      {with(valid, header("type_tag"), 1, 0x47), "HQ-PACK-029", "type_tag"},
      {with(valid, header("layout_tag"), 1, 9), "HQ-MD-032", "layout_tag"},
      {with(valid, header("rank"), 4, 65), "HQ-MD-027", "rank"},
      {with(valid, at(Section::kShape, "byte_offset"), 8, 65), "HQ-MD-014",
       "byte_offset buffers[0].byte_size"},
      {with(valid, buffer("buffers[0].byte_size"), 8, 63), "HQ-PACK-012", "buffers[0].byte_size"},
      {with(valid, buffer("buffers[1].byte_size"), 8, 31), "HQ-PBA-017", "buffers[1].byte_size"},
      {with(valid, buffer("buffers[2].byte_size"), 8, 33), "HQ-PBA-018", "buffers[2].byte_size"},
      {with(valid, buffer("buffers[1].alignment"), 4, 96), "HQ-MD-020", "buffers[1].alignment"},
      {with(valid, buffer("buffers[2].device_tag"), 1, 1), "HQ-MD-023",
       "buffers[0].device_tag buffers[2].device_tag"},
      {with(valid, buffer("buffers[2].device_tag"), 1, 9), "HQ-MD-022", "buffers[2].device_tag"},
      {with(valid, buffer("buffers[1].sync_mode"), 1, 1), "HQ-MD-024", "buffers[1].sync_mode"},
      {with(valid, buffer("buffers[1].memory_class"), 1, 4), "HQ-MD-025",
       "buffers[1].memory_class"},
      {with(valid, buffer("buffers[0]._reserved"), 1, 1), "HQ-MD-021", "buffers[0]._reserved"},
      {with(valid, scheme("scheme_tag"), 1, 9), "HQ-HDR-005", "scheme_tag"},
      {with(valid, scheme("scheme_version"), 1, 0), "HQ-PBA-002", "scheme_version"},
      {with(valid, scheme("flags"), 2, 2), "HQ-PBA-003", "flags"},
      {with(valid, scheme("axis"), 4, 2), "HQ-PBA-004", "rank axis"},
      {with(valid, scheme("block_size"), 4, 64), "HQ-PBA-007", "shape[1] block_size"},
      {with(valid, scheme("scale_buffer_index"), 4, 0), "HQ-HDR-020", "scale_buffer_index"},
      {with(valid, scheme("zero_point_buffer_index"), 4, 0), "HQ-HDR-020",
       "zero_point_buffer_index"},
      {with(valid, scheme("scale_buffer_index"), 4, 3), "HQ-PBA-015",
       "buffer_count scale_buffer_index"},
      {with(valid, scheme("zero_point_buffer_index"), 4, 0xffffffff), "HQ-PBA-016",
       "flags zero_point_buffer_index"},
      {with(valid, scheme("zero_point_buffer_index"), 4, 1), "HQ-HDR-021",
       "scale_buffer_index zero_point_buffer_index"},
      {with(valid, scheme("scale_type_tag"), 1, 4), "HQ-PBA-011", "scale_type_tag"},
      {with(valid, scheme("_reserved"), 3, 1), "HQ-PBA-012", "_reserved"},
      {with(valid, at(Section::kShard, "shard_offset[0]"), 8, 5), "HQ-MD-041",
       "shape[0] parent_shape[0] shard_offset[0]"},
      {with(valid, at(Section::kStatistics, "mask"), 4, 0x40), "HQ-MD-042", "mask"},
      {with(valid, at(Section::kCompositeMember, "member_role"), 1, 2), "HQ-MD-043", "member_role"},
      {with(valid, at(Section::kCompositeMember, "_reserved"), 15, 1), "HQ-MD-043", "_reserved"},
      {with(valid, header("descriptor_length"), 4, valid.size() + 1), "HQ-MD-008",
       "descriptor_length"},
      {with(valid + Bytes(3, 0xaa), header("descriptor_length"), 4, valid.size() + 3), "HQ-MD-001",
       "trailing bytes"},
  };
  for (const auto& row : kRows) {
    const Inspection inspection = inspect_tensor(row.bytes);
    EXPECT_EQ(places(inspection, row.id), row.places) << text_of(inspection);
    expect_complete(inspection);
  }
}

TEST(InspectTensor, OfManyHandlesTheGuiltyOnesAreNamed) {
  const Bytes valid = complete();
  const ByteMap map = map_tensor(valid);
  // 48 must be refused, 32 should be: one rule, two severities.
  Bytes bytes = with(valid, offset_of(map, Section::kBufferTable, "buffers[0].alignment"), 4, 48);
  bytes = with(bytes, offset_of(map, Section::kBufferTable, "buffers[2].alignment"), 4, 32);
  const Inspection inspection = inspect_tensor(bytes);
  ASSERT_EQ(inspection.findings.size(), 2u);
  EXPECT_EQ(inspection.findings[0].finding.severity, Severity::kMust);
  EXPECT_EQ(inspection.findings[1].finding.severity, Severity::kSoft);
  EXPECT_EQ(places(inspection, "HQ-MD-020"), "buffers[0].alignment buffers[2].alignment");
}

TEST(InspectTensor, SizesAreExplained) {
  const Bytes valid = complete();
  const ByteMap map = map_tensor(valid);
  const auto with_size = [&](const char* name, std::uint64_t size) {
    return text_of(
        inspect_tensor(with(valid, offset_of(map, Section::kBufferTable, name), 8, size)));
  };
  expect_in(with_size("buffers[0].byte_size", 1), "the elements need 64 bytes, the buffer has 1");
  expect_in(with_size("buffers[1].byte_size", 99), "scales need 32 bytes, buffer 1 has 99");
  expect_in(with_size("buffers[2].byte_size", 7), "zero points need 32 bytes, buffer 2 has 7");
}

TEST(InspectTensor, WhatIsWrongBehindAWrongMagicOrLengthIsFoundToo) {
  const Bytes valid = complete();
  const std::size_t role = offset_of(map_tensor(valid), Section::kCompositeMember, "member_role");
  const Bytes bytes = with(with(valid, 0, 4, 0), role, 1, 7);
  EXPECT_EQ(ids_of(inspect_tensor(bytes)), "HQ-MD-004 HQ-MD-043");
  // Where the descriptor ends is not known then, so nothing is trailing.
  EXPECT_EQ(ids_of(inspect_tensor(with(bytes, 6, 4, 0) + Bytes(5, 0xaa))),
            "HQ-MD-004 HQ-MD-007 HQ-MD-043");
}

TEST(InspectTensor, WhatIsThereOfACutOneIsJudged) {
  // The last byte is missing; a reserved flag is set and a handle has a bad alignment.
  Bytes bytes = complete();
  const ByteMap map = map_tensor(bytes);
  bytes = with(bytes, offset_of(map, Section::kHeader, "flags"), 4, 0x3b);
  bytes = with(bytes, offset_of(map, Section::kBufferTable, "buffers[1].alignment"), 4, 3);
  bytes.pop_back();
  const Inspection inspection = inspect_tensor(bytes);
  EXPECT_EQ(ids_of(inspection), "HQ-MD-008 HQ-MD-008 HQ-MD-010 HQ-MD-020");
  EXPECT_EQ(places(inspection, "HQ-MD-008"), "_reserved descriptor_length");
  expect_in(text_of(inspection), "cut off, 14 bytes of 15");
}

TEST(InspectTensor, AShortSectionIsFollowedByTheNextOne) {
  Bytes bytes = complete();
  const std::size_t length =
      offset_of(map_tensor(bytes), Section::kQuantization, "quantization_length");
  bytes = with(bytes, length, 4, 23);
  bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(length) + 4 + 23);
  bytes = with(bytes, 6, 4, bytes.size());
  const Inspection inspection = inspect_tensor(bytes);
  EXPECT_EQ(ids_of(inspection), "HQ-PBA-032");
  EXPECT_EQ(places(inspection, "HQ-PBA-032"), "quantization_length _reserved");
  expect_in(text_of(inspection), "shard_offset[1]");
  expect_complete(inspection);
}

TEST(InspectTensor, BytesBehindTheDescriptorAreNotJudged) {
  const Inspection inspection = inspect_tensor(complete() + Bytes(1000, 0xff));
  EXPECT_TRUE(inspection.is_valid());
  expect_in(text_of(inspection), "1000 bytes, not looked at");
  expect_complete(inspection);
}

TEST(InspectTensor, AnyBytesAreInspected) {
  const Bytes valid = complete();
  for (std::size_t length = 0; length < valid.size(); ++length) {
    const Inspection inspection =
        inspect_tensor(Bytes(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(length)));
    EXPECT_FALSE(inspection.is_valid());
    expect_complete(inspection);
  }
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
      const Bytes bytes = with(valid, at, 1, value);
      const Inspection inspection = inspect_tensor(bytes);
      expect_complete(inspection);
      Tensor tensor;
      Findings findings;
      parse_tensor(bytes, tensor, findings);
      EXPECT_EQ(inspection.is_valid(), !findings.has_at_least(Severity::kSoft));
      for (const Finding& each : findings.all()) {
        EXPECT_NE(std::ranges::find(inspection.findings, each, &PlacedFinding::finding),
                  inspection.findings.end());
      }
    }
  }
}

TEST(InspectTensor, BytesThatThePageLeavesOutAreCounted) {
  // A rank of 65 ends what can be read; the descriptor ends at 200, the bytes at 300.
  const std::size_t rank = offset_of(map_tensor(complete()), Section::kHeader, "rank");
  Bytes bytes = with(with(complete(), 6, 4, 200), rank, 4, 65);
  bytes.resize(300);
  const Inspection inspection = inspect_tensor(bytes);
  expect_complete(inspection);
  const std::string page = inspection_html(inspection, requirements());
  std::size_t drawn = 0;
  for (std::size_t at = 0; (at = page.find("<b>", at)) != std::string::npos; ++at) ++drawn;
  const std::size_t unread = 200 - drawn + 64;
  EXPECT_LT(drawn, 200u);
  expect_in(page, fmt::format("and {} bytes more</p>\n<div class=\"row\"><span class=\"at\">200<",
                              unread));
  expect_in(page, "and 36 bytes more</p>");
}

TEST(InspectTensor, ThePageMarksWhatIsBrokenByMoreThanColor) {
  const Bytes valid = complete();
  const std::string page = inspection_html(inspect_tensor(valid), requirements());
  EXPECT_EQ(page.find("broken\""), std::string::npos);
  const std::string broken = inspection_html(inspect_tensor(with(valid, 0, 1, 0)), requirements());
  for (const char* part :
       {"<a class=\"f s0 first broken\"", "repeating-linear-gradient", "prefers-color-scheme: dark",
        "✗ invalid", "HQ-MD-004", "title=\"@0 header: magic = not HRRY"}) {
    expect_in(broken, part);
  }
  for (const char* outside : {"http:", "https:", "<script", "src="}) {
    EXPECT_EQ(broken.find(outside), std::string::npos) << outside;
  }
}

}  // namespace
}  // namespace hurray::conformance
