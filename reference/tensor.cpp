// SPDX-License-Identifier: Apache-2.0
//
// Reading, in the order of the wire: header, shape, layout, buffer table, sections. One cursor
// moves over the bytes and stops at their end, so that nothing else here has to think of it.

#include "reference/tensor.h"

#include <algorithm>

#include "reference/byte_order.h"
#include "reference/tensor_members.h"

namespace hurray {

namespace {

constexpr std::array<std::uint8_t, 4> kMagic = {0x48, 0x52, 0x52, 0x59};  // HRRY
constexpr std::uint8_t kVersionMajor = 1;
constexpr std::size_t kMemberReservedBytes = 15;

class Cursor {
 public:
  explicit Cursor(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  // The next `count` bytes; empty, and cut() from then on, if there are fewer.
  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > rest_.size()) {
      cut_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  // The next little-endian number, or 0.
  std::uint64_t number(unsigned bytes) {
    const auto taken = take(bytes);
    return taken.empty() ? 0 : load_le(taken.data(), bytes);
  }

  bool cut() const { return cut_; }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::uint8_t> rest_;
  bool cut_ = false;
};

// Whether to go on.
bool parse_header(std::span<const std::uint8_t> bytes, Tensor& out, Findings& findings) {
  if (bytes.size() < kTensorHeaderBytes) {
    findings.must(Status::kTruncated, "HQ-MD-008");
    return false;
  }
  Cursor cursor(bytes);
  const auto magic = cursor.take(kMagic.size());
  if (!std::ranges::equal(magic, kMagic)) {
    findings.must(Status::kMagic, "HQ-MD-004");
    return false;
  }
  out.version_major = static_cast<std::uint8_t>(cursor.number(1));
  out.version_minor = static_cast<std::uint8_t>(cursor.number(1));
  out.descriptor_length = static_cast<std::uint32_t>(cursor.number(4));
  out.flags = static_cast<std::uint32_t>(cursor.number(4));
  out.type_tag = static_cast<std::uint8_t>(cursor.number(1));
  out.layout_tag = static_cast<std::uint8_t>(cursor.number(1));
  out.rank = static_cast<std::uint32_t>(cursor.number(4));

  // A newer major version may mean anything by all that follows; no text speaks of 0 but the one
  // that says that 1 was the first.   [HQ-MD-005, A49]
  if (out.version_major > kVersionMajor) {
    findings.must(Status::kMajorVersion, "HQ-MD-005");
    return false;
  }
  if (out.version_major < kVersionMajor) findings.soft(Status::kMajorVersion, "HQ-MD-005");
  if (out.version_minor != 0) findings.lenient(Status::kNewerMinorVersion, "HQ-MD-006");  // [A50]

  if (out.descriptor_length < kTensorHeaderBytes) {
    findings.must(Status::kDescriptorLength, "HQ-MD-007");
    return false;
  }
  // Softly, because a reader that finds all fields may do without the rest.   [A51]
  if (out.descriptor_length > bytes.size()) findings.soft(Status::kDescriptorCut, "HQ-MD-008");
  return true;
}

void parse_buffer_table(Cursor& cursor, Tensor& out, Findings& findings) {
  out.buffer_count = static_cast<std::uint32_t>(cursor.number(1));
  for (std::uint32_t i = 0; i < out.buffer_count && !cursor.cut(); ++i) {
    BufferHandle& handle = out.buffers[i];
    handle.byte_size = cursor.number(8);
    handle.alignment = static_cast<std::uint32_t>(cursor.number(4));
    handle.device_tag = static_cast<std::uint8_t>(cursor.number(1));
    handle.sync_mode = static_cast<std::uint8_t>(cursor.number(1));
    handle.memory_class = static_cast<std::uint8_t>(cursor.number(1));
    // The one byte that is reserved in both texts.   [HQ-MD-021, A22]
    if (cursor.number(1) != 0) findings.must(Status::kHandleReserved, "HQ-MD-021");
  }
}

// Whether the fields of the scheme were there. The length prefix decides where the next section
// starts, whatever is in this one.   [HQ-MD-002, HQ-HDR-010, -030]
bool parse_quantization_section(Cursor& cursor, Tensor& out, Findings& findings, Mode mode) {
  const auto length = static_cast<std::uint32_t>(cursor.number(4));
  const auto section = cursor.take(length);
  if (cursor.cut()) return false;
  parse_quantization(section, out.type_tag, out.quantization, findings, mode);
  return !section.empty() && section.size() >= scheme_bytes(section[0]);
}

void parse_shard(Cursor& cursor, Tensor& out) {
  for (std::uint32_t d = 0; d < out.rank; ++d) out.parent_shape[d] = cursor.number(8);
  for (std::uint32_t d = 0; d < out.rank; ++d) out.shard_offset[d] = cursor.number(8);
}

void parse_composite_member(Cursor& cursor, Tensor& out, Findings& findings) {
  out.member_role = static_cast<std::uint8_t>(cursor.number(1));
  const auto reserved = cursor.take(kMemberReservedBytes);
  if (std::ranges::any_of(reserved, [](std::uint8_t byte) { return byte != 0; })) {
    findings.must(Status::kMemberReserved, "HQ-MD-043");
  }
}

}  // namespace

void parse_tensor(std::span<const std::uint8_t> bytes, Tensor& out, Findings& findings, Mode mode) {
  out = {};
  if (!parse_header(bytes, out, findings)) return;

  // What is behind descriptor_length belongs to others.   [HQ-MD-008, -009]
  const bool all_there = out.descriptor_length <= bytes.size();
  Cursor cursor(all_there ? bytes.first(out.descriptor_length) : bytes);
  cursor.take(kTensorHeaderBytes);

  // Rank and layout say how long the following fields are, so without them reading ends.
  if (out.rank > kMostRank) {
    findings.must(Status::kRankTooLarge, "HQ-MD-027");
    return;
  }
  if (out.layout_tag < kLayoutRowMajor || out.layout_tag > kLayoutStrided) {
    findings.must(Status::kLayoutUnknown, "HQ-MD-032");
    return;
  }
  for (std::uint32_t d = 0; d < out.rank; ++d) out.shape[d] = cursor.number(8);
  out.byte_offset = cursor.number(8);
  if (out.layout_tag == kLayoutStrided) {
    for (std::uint32_t d = 0; d < out.rank; ++d) {
      out.strides[d] = static_cast<std::int64_t>(cursor.number(8));
    }
  }
  parse_buffer_table(cursor, out, findings);

  // Each section is there if and only if its flag is, in the order of this list.   [HQ-MD-001,
  // -011]
  bool section_is_there = false;
  if (out.has(kHasQuantization)) {
    section_is_there = parse_quantization_section(cursor, out, findings, mode);
  }
  if (out.has(kHasShard)) parse_shard(cursor, out);
  if (out.has(kHasStatistics)) {
    std::ranges::copy(cursor.take(kStatisticsBytes), out.statistics.begin());
  }
  if (out.has(kHasExtensionType)) {
    std::ranges::copy(cursor.take(kExtensionTypeBytes), out.extension_type.begin());
  }
  if (out.has(kHasCompositeMember)) parse_composite_member(cursor, out, findings);

  if (cursor.cut()) {
    findings.must(Status::kSectionCut, "HQ-MD-008");
    return;
  }
  // A later minor version appends fields, which are to be stepped over. Before, nothing is said of
  // bytes that no flag announces.   [HQ-MD-001, A50]
  if (all_there && cursor.left() != 0) {
    if (out.version_minor == 0) {
      findings.open(Behaviour::kTrailingBytes, Status::kTrailingBytes, "HQ-MD-001");
    } else {
      findings.lenient(Status::kTrailingBytes, "HQ-MD-006");
    }
  }

  // The rules for the members. A section without its fields has been refused, and says nothing
  // more.
  judge_members(out, findings);
  if (section_is_there || !out.has(kHasQuantization)) judge_scheme(out, findings, mode);
}

}  // namespace hurray
