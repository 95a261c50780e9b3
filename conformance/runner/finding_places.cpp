// SPDX-License-Identifier: Apache-2.0
//
// Places of findings, see finding_places.h. Most statuses name their fields in a table; of the
// others, who is guilty is asked of the reference again, for one handle or dimension at a time.

#include "conformance/runner/finding_places.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "reference/tensor_buffers.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_members.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

struct Row {
  Status status;
  Section section;
  std::string_view field;
};

constexpr Row kRows[] = {
    {Status::kMagic, Section::kHeader, "magic"},
    {Status::kMajorVersion, Section::kHeader, "version_major"},
    {Status::kNewerMinorVersion, Section::kHeader, "version_minor"},
    {Status::kDescriptorLength, Section::kHeader, "descriptor_length"},
    {Status::kDescriptorCut, Section::kHeader, "descriptor_length"},
    {Status::kTensorFlag, Section::kHeader, "flags"},
    {Status::kElementTypeUnknown, Section::kHeader, "type_tag"},
    {Status::kExtensionTypeMismatch, Section::kHeader, "flags"},
    {Status::kExtensionTypeMismatch, Section::kHeader, "type_tag"},
    {Status::kPrivateType, Section::kHeader, "type_tag"},
    {Status::kLayoutUnknown, Section::kHeader, "layout_tag"},
    {Status::kRankTooLarge, Section::kHeader, "rank"},
    {Status::kScalarLayout, Section::kHeader, "layout_tag"},
    {Status::kScalarLayout, Section::kHeader, "rank"},
    {Status::kByteOffset, Section::kShape, "byte_offset"},
    {Status::kByteOffset, Section::kBufferTable, "buffers[0].byte_size"},
    {Status::kDataBufferTooSmall, Section::kBufferTable, "buffers[0].byte_size"},
    {Status::kNoBuffer, Section::kBufferTable, "buffer_count"},
    {Status::kTooManyBuffers, Section::kBufferTable, "buffer_count"},
    {Status::kUnknownScheme, Section::kQuantization, "scheme_tag"},
    {Status::kUnsupportedVersion, Section::kQuantization, "scheme_version"},
    {Status::kReservedFlag, Section::kQuantization, "flags"},
    {Status::kScaleNan, Section::kQuantization, "scale"},
    {Status::kScaleNotFinite, Section::kQuantization, "scale"},
    {Status::kScaleZero, Section::kQuantization, "scale"},
    {Status::kReservedByte, Section::kQuantization, "_reserved"},
    {Status::kStorageTypeNotAllowed, Section::kHeader, "type_tag"},
    {Status::kStorageTypeNotAllowed, Section::kQuantization, "scheme_tag"},
    {Status::kZeroPointOutOfRange, Section::kHeader, "type_tag"},
    {Status::kZeroPointOutOfRange, Section::kQuantization, "zero_point"},
    {Status::kLongerThanScheme, Section::kQuantization, "quantization_length"},
    {Status::kLongerThanScheme, Section::kQuantization, "behind the fields"},
    {Status::kSymmetricWithIndex, Section::kQuantization, "flags"},
    {Status::kSymmetricWithIndex, Section::kQuantization, "zero_point_buffer_index"},
    {Status::kAsymmetricWithoutIndex, Section::kQuantization, "flags"},
    {Status::kAsymmetricWithoutIndex, Section::kQuantization, "zero_point_buffer_index"},
    {Status::kScaleTypeNotAllowed, Section::kQuantization, "scale_type_tag"},
    {Status::kBlockSizeZero, Section::kQuantization, "block_size"},
    {Status::kBlockSizeNotAllowed, Section::kQuantization, "block_size"},
    {Status::kAxisOutOfRange, Section::kHeader, "rank"},
    {Status::kAxisOutOfRange, Section::kQuantization, "axis"},
    {Status::kDynamicAxis, Section::kQuantization, "axis"},
    {Status::kBlockLongerThanAxis, Section::kQuantization, "block_size"},
    {Status::kAxisNotWholeBlocks, Section::kQuantization, "block_size"},
    {Status::kPartialBlockData, Section::kBufferTable, "buffers[0].byte_size"},
    {Status::kPartialBlockData, Section::kQuantization, "block_size"},
    {Status::kSharedParameterBuffer, Section::kQuantization, "scale_buffer_index"},
    {Status::kSharedParameterBuffer, Section::kQuantization, "zero_point_buffer_index"},
    {Status::kStatisticsMask, Section::kStatistics, "mask"},
    {Status::kMemberRole, Section::kCompositeMember, "member_role"},
    {Status::kMemberReserved, Section::kCompositeMember, "_reserved"},
    {Status::kTrailingBytes, Section::kTrailing, "trailing bytes"},
};

class Placing {
 public:
  Placing(const Finding& finding, const Tensor& tensor, const ByteMap& map)
      : finding_(finding),
        status_(finding.status),
        tensor_(tensor),
        map_(map),
        scheme_(fields_of(tensor.quantization)) {}

  Places result() && {
    for (const Row& row : kRows) {
      if (row.status == status_) add(row.section, row.field);
    }
    switch (status_) {
      case Status::kTruncated:
      case Status::kSectionCut:
        cut();
        break;
      case Status::kDynamicAxis:
      case Status::kBlockLongerThanAxis:
      case Status::kAxisNotWholeBlocks:
      case Status::kPartialBlockData:
        if (scheme_.axis.has_value()) add(Section::kShape, fmt::format("shape[{}]", *scheme_.axis));
        break;
      case Status::kDynamicDimension:
        for (std::uint32_t d = 0; d < rank(); ++d) {
          if (tensor_.shape[d] == kDynamic) add(Section::kShape, fmt::format("shape[{}]", d));
        }
        break;
      case Status::kShardOutsideParent:
        shard();
        break;
      case Status::kIndexOfDataBuffer:
      case Status::kIndexOutOfRange:
        index("scale_buffer_index", scheme_.scale_buffer_index);
        index("zero_point_buffer_index", scheme_.zero_point_buffer_index);
        break;
      case Status::kParameterBufferTooShort:
      case Status::kParameterBufferTooLong:
        parameter_sizes();
        break;
      case Status::kDataBufferTooSmall:
        if (const auto needed = needed_data_bytes(tensor_)) {
          places_.detail = fmt::format("the elements need {}, the buffer has {}",
                                       byte_count_words(*needed), tensor_.buffers[0].byte_size);
        }
        break;
      case Status::kTooManyBuffers:
        places_.detail = fmt::format(
            "needed: {}",
            1 + (tensor_.has(kHasQuantization) ? parameter_buffer_count(tensor_.quantization) : 0));
        break;
      default:
        handles();
        break;
    }
    std::ranges::sort(places_.fields);
    const auto again = std::ranges::unique(places_.fields);
    places_.fields.erase(again.begin(), again.end());
    return std::move(places_);
  }

 private:
  std::uint32_t rank() const { return std::min(tensor_.rank, kMostRank); }

  void add(Section section, std::string_view field) {
    if (const auto found = map_.find(section, field)) places_.fields.push_back(*found);
  }
  void add_handle(std::uint32_t buffer, std::string_view member) {
    add(Section::kBufferTable, fmt::format("buffers[{}].{}", buffer, member));
  }

  // Where the bytes end, or where a section ends too early.
  void cut() {
    if (status_ == Status::kSectionCut) {
      if (const auto first = map_.first_cut()) places_.fields.push_back(*first);
      return;
    }
    const bool is_of_section = map_.find(Section::kQuantization, "scheme_tag").has_value();
    for (std::size_t i = 0; i < map_.fields.size(); ++i) {
      const MapField& field = map_.fields[i];
      if (is_of_section && field.section != Section::kQuantization) continue;
      if (!field.is_whole()) places_.fields.push_back(i);
    }
    if (is_of_section) add(Section::kQuantization, "quantization_length");
  }

  void shard() {
    for (std::uint32_t d = 0; d < rank(); ++d) {
      Tensor one;
      one.flags = kHasShard;
      one.rank = 1;
      one.shape[0] = tensor_.shape[d];
      one.parent_shape[0] = tensor_.parent_shape[d];
      one.shard_offset[0] = tensor_.shard_offset[d];
      Findings findings;
      judge_members(one, findings);
      if (!findings.has(Status::kShardOutsideParent)) continue;
      add(Section::kShape, fmt::format("shape[{}]", d));
      add(Section::kShard, fmt::format("parent_shape[{}]", d));
      add(Section::kShard, fmt::format("shard_offset[{}]", d));
    }
  }

  void index(std::string_view field, const std::optional<std::uint32_t>& index) {
    if (!index.has_value()) return;
    const bool is_data = *index == 0;
    const bool is_none = *index == kNoBufferIndex && field != "scale_buffer_index";
    const bool is_guilty = status_ == Status::kIndexOfDataBuffer
                               ? is_data
                               : !is_data && !is_none && *index >= tensor_.buffer_count;
    if (!is_guilty) return;
    add(Section::kQuantization, field);
    if (!is_data) add(Section::kBufferTable, "buffer_count");
  }

  void parameter_sizes() {
    const auto scales = scale_array(tensor_);
    const auto zero_points = zero_point_array(tensor_);
    const bool is_shared =
        scales && zero_points && scales->buffer_index == zero_points->buffer_index;
    if (!is_shared) size("scales", scales);
    size(is_shared ? "scales and zero points together" : "zero points", zero_points);
    // What is too large for 64 bits has no number.
    if (places_.fields.empty()) add(Section::kQuantization, "scale_buffer_index");
  }

  void size(std::string_view what, const std::optional<ParameterArray>& array) {
    if (!array.has_value() || array->buffer_index >= tensor_.buffer_count) return;
    const std::uint64_t wanted = array->offset_bytes + array->bytes;
    const std::uint64_t byte_size = tensor_.buffers[array->buffer_index].byte_size;
    const bool is_guilty =
        status_ == Status::kParameterBufferTooShort ? byte_size < wanted : byte_size > wanted;
    if (!is_guilty) return;
    add_handle(array->buffer_index, "byte_size");
    if (!places_.detail.empty()) places_.detail += "; ";
    places_.detail += fmt::format("{} need {}, buffer {} has {}", what, byte_count_words(wanted),
                                  array->buffer_index, byte_size);
  }

  // One handle at a time, so that the reference says which.
  void handles() {
    for (std::uint32_t i = 0; i < std::min(tensor_.buffer_count, kMostBuffers); ++i) {
      const BufferHandle& handle = tensor_.buffers[i];
      Tensor one;
      one.buffer_count = 1;
      one.buffers[0] = handle;
      Findings findings;
      judge_buffers(one, findings);
      const bool is_guilty = std::ranges::find(findings.all(), finding_) != findings.all().end();
      if (status_ == Status::kHandleAlignment && is_guilty) add_handle(i, "alignment");
      if (status_ == Status::kDeviceTag && is_guilty) add_handle(i, "device_tag");
      if (status_ == Status::kSyncMode && is_guilty) add_handle(i, "sync_mode");
      if (status_ == Status::kMemoryClass && is_guilty) add_handle(i, "memory_class");
      if (status_ == Status::kHandleBytes && is_guilty) {
        if (handle.sync_mode != 0) add_handle(i, "sync_mode");
        if (handle.memory_class != 0) add_handle(i, "memory_class");
      }
      if (status_ == Status::kMixedDevices && handle.device_tag != tensor_.buffers[0].device_tag) {
        add_handle(0, "device_tag");
        add_handle(i, "device_tag");
      }
      if (status_ == Status::kMixedMemoryClasses &&
          handle.memory_class != tensor_.buffers[0].memory_class) {
        add_handle(0, "memory_class");
        add_handle(i, "memory_class");
      }
      if (status_ == Status::kHandleReserved) {
        const auto field =
            map_.find(Section::kBufferTable, fmt::format("buffers[{}]._reserved", i));
        if (field && !map_.fields[*field].value.empty()) places_.fields.push_back(*field);
      }
    }
  }

  const Finding& finding_;
  Status status_;
  const Tensor& tensor_;
  const ByteMap& map_;
  SchemeFields scheme_;
  Places places_;
};

}  // namespace

Places places_of(const Finding& finding, const Tensor& tensor, const ByteMap& map) {
  return Placing(finding, tensor, map).result();
}

}  // namespace hurray::conformance
