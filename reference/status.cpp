// SPDX-License-Identifier: Apache-2.0
//
// The one table of statuses: a row each, in the order of their pinned numbers.

#include "reference/status.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>

namespace hurray {
namespace {

struct Row {
  Status status;
  Stage stage;
  std::string_view requirement;
  std::string_view text;
};

constexpr std::array<Row, kStatusCount> kRows = {{
    {Status::kOk, Stage::kNone, "", "valid"},
    {Status::kTruncated, Stage::kLength, "HQ-PTA-015",
     "the descriptor is shorter than its scheme's fields"},
    {Status::kUnknownScheme, Stage::kHeader, "HQ-HDR-005", "scheme_tag names no known scheme"},
    {Status::kUnsupportedVersion, Stage::kHeader, "HQ-PTA-003", "scheme_version is not 1"},
    {Status::kReservedFlag, Stage::kHeader, "HQ-PTA-004", "flags has a reserved bit set"},
    {Status::kScaleNan, Stage::kFields, "HQ-PTA-006", "scale is NaN"},
    {Status::kScaleNotFinite, Stage::kFields, "HQ-PTA-007", "scale is infinite"},
    {Status::kScaleZero, Stage::kFields, "HQ-PTA-008", "scale is zero"},
    {Status::kReservedByte, Stage::kFields, "HQ-PTA-013", "a reserved byte is not zero"},
    {Status::kStorageTypeNotAllowed, Stage::kStorageType, "HQ-PTA-017",
     "the scheme does not allow this storage type"},
    {Status::kZeroPointOutOfRange, Stage::kStorageType, "HQ-PTA-011",
     "zero_point is outside the range of the storage type"},
    {Status::kLongerThanScheme, Stage::kLength, "HQ-HDR-030",
     "the descriptor is longer than its scheme's fields"},
    {Status::kBufferTooSmall, Stage::kLength, "HQ-PTA-014",
     "the output has no room for the descriptor"},
    {Status::kInvalidFormat, Stage::kConversion, "",
     "no such zero-point plane: fields have 2, 4 or 8 bits, and field plus bias fits int32"},
    {Status::kTooFewBytes, Stage::kConversion, "HQ-ZP-015",
     "the plane holds fewer zero points than asked for"},
    {Status::kScaleNotPositive, Stage::kKernel, "RA8-Q-009", "scale is not strictly positive"},
    {Status::kNullPointer, Stage::kKernel, "RA8-Q-012", "a pointer is null"},
    {Status::kIndexOutOfRange, Stage::kBuffers, "HQ-PCA-014",
     "a parameter buffer index is not below buffer_count"},
    {Status::kIndexOfDataBuffer, Stage::kBuffers, "HQ-HDR-020",
     "a parameter buffer index names the data buffer"},
    {Status::kSymmetricWithIndex, Stage::kFields, "HQ-PCA-006",
     "SYMMETRIC is set and zero_point_buffer_index is not ffffffff"},
    {Status::kAsymmetricWithoutIndex, Stage::kFields, "HQ-PCA-007",
     "SYMMETRIC is clear and zero_point_buffer_index is ffffffff"},
    {Status::kScaleTypeNotAllowed, Stage::kFields, "HQ-PCA-008",
     "the scheme does not allow this scale_type_tag"},
    {Status::kBlockSizeZero, Stage::kFields, "HQ-PBA-005", "block_size is zero"},
    {Status::kBlockSizeNotAllowed, Stage::kFields, "HQ-PBA-005",
     "the scheme does not allow this block_size"},
    {Status::kAxisOutOfRange, Stage::kShape, "HQ-PCA-004", "axis is not below rank"},
    {Status::kDynamicAxis, Stage::kShape, "HQ-PCA-018", "the dimension along axis is dynamic"},
    {Status::kDynamicDimension, Stage::kShape, "HQ-MD-012",
     "a dimension of a quantized tensor is dynamic"},
    {Status::kBlockLongerThanAxis, Stage::kShape, "HQ-PBA-007",
     "block_size is larger than the dimension along axis"},
    {Status::kAxisNotWholeBlocks, Stage::kShape, "HQ-MX-005",
     "the dimension along axis is no positive multiple of block_size"},
    {Status::kSharedParameterBuffer, Stage::kBuffers, "HQ-HDR-021",
     "scales and zero points share a buffer"},
    {Status::kParameterBufferTooShort, Stage::kBuffers, "HQ-PCA-011",
     "a parameter buffer is shorter than its array"},
    {Status::kParameterBufferTooLong, Stage::kBuffers, "HQ-PCA-011",
     "a parameter buffer is longer than its array"},
    {Status::kTooManyBuffers, Stage::kBuffers, "HQ-MD-018",
     "the buffer table has more entries than the tensor needs"},
    {Status::kNoBuffer, Stage::kBuffers, "HQ-MD-016", "the buffer table is empty"},
    {Status::kMagic, Stage::kTensor, "HQ-MD-004", "the magic is not HRRY"},
    {Status::kMajorVersion, Stage::kTensor, "HQ-MD-005", "version_major is not 1"},
    {Status::kNewerMinorVersion, Stage::kTensor, "HQ-MD-006", "version_minor is not 0"},
    {Status::kDescriptorLength, Stage::kTensor, "HQ-MD-007", "descriptor_length is below 20"},
    {Status::kDescriptorCut, Stage::kTensor, "HQ-MD-008",
     "descriptor_length reaches beyond the bytes that are there"},
    {Status::kSectionCut, Stage::kTensor, "HQ-MD-008", "the descriptor ends before its last field"},
    {Status::kTrailingBytes, Stage::kTensor, "HQ-MD-001",
     "there are bytes behind the last section"},
    {Status::kTensorFlag, Stage::kTensor, "HQ-MD-010", "a reserved tensor flag is set"},
    {Status::kElementTypeUnknown, Stage::kTensor, "HQ-PACK-028",
     "the type tag names no element type that can be used here"},
    {Status::kLayoutUnknown, Stage::kTensor, "HQ-MD-032", "layout_tag names no known layout"},
    {Status::kRankTooLarge, Stage::kTensor, "HQ-MD-027", "rank is above 64"},
    {Status::kScalarLayout, Stage::kTensor, "HQ-MD-028", "a scalar has to be row-major"},
    {Status::kByteOffset, Stage::kBuffers, "HQ-MD-014",
     "byte_offset is behind the end of the data buffer"},
    {Status::kDataBufferTooSmall, Stage::kBuffers, "HQ-PACK-012",
     "the data buffer is smaller than its elements"},
    {Status::kPartialBlockData, Stage::kBuffers, "HQ-PBA-022",
     "the last block along axis is shorter than block_size"},
    {Status::kHandleAlignment, Stage::kBuffers, "HQ-MD-020",
     "the alignment of a buffer is not a power of two of at least 64"},
    {Status::kHandleReserved, Stage::kBuffers, "HQ-MD-021",
     "the reserved byte of a buffer handle is not zero"},
    {Status::kDeviceTag, Stage::kBuffers, "HQ-MD-022", "device_tag names no device"},
    {Status::kMixedDevices, Stage::kBuffers, "HQ-MD-023", "the buffers are on different devices"},
    {Status::kMixedMemoryClasses, Stage::kBuffers, "HQ-MD-023",
     "the buffers have different memory classes"},
    {Status::kSyncMode, Stage::kBuffers, "HQ-MD-024", "sync_mode is not allowed for the device"},
    {Status::kMemoryClass, Stage::kBuffers, "HQ-MD-025",
     "memory_class is not allowed for the device"},
    {Status::kHandleBytes, Stage::kBuffers, "HQ-MD-021", "sync_mode or memory_class is not zero"},
    {Status::kExtensionTypeMismatch, Stage::kTensor, "HQ-MD-030",
     "the extension type flag and the type tag disagree"},
    {Status::kPrivateType, Stage::kTensor, "HQ-PACK-028", "the element type is a private one"},
    {Status::kShardOutsideParent, Stage::kTensor, "HQ-MD-041",
     "the shard reaches outside its parent"},
    {Status::kStatisticsMask, Stage::kTensor, "HQ-MD-042",
     "the statistics mask has a reserved bit set"},
    {Status::kMemberRole, Stage::kTensor, "HQ-MD-043",
     "the role of a composite member is neither 00 nor 01"},
    {Status::kMemberReserved, Stage::kTensor, "HQ-MD-043",
     "a reserved byte of the composite member section is not zero"},
    {Status::kScaleNegative, Stage::kContents, "HQ-NF4-011", "a scale is negative"},
    {Status::kScaleNegativeZero, Stage::kContents, "HQ-NF4-011", "a scale is negative zero"},
    {Status::kScaleExponent, Stage::kContents, "HQ-MX-010", "a scale byte is 00 or ff"},
    {Status::kZeroPointUnusual, Stage::kContents, "HQ-PBA-025",
     "a zero point is outside the range of the storage type"},
    {Status::kUnusedBits, Stage::kContents, "HQ-PACK-006",
     "unused bits of the last byte are not zero"},
    {Status::kBufferMissing, Stage::kContents, "HQ-HDR-010",
     "a buffer of the table was not handed over, or not all of it"},
    {Status::kCountMismatch, Stage::kContents, "", "the count is not the number of elements"},
    {Status::kNoValues, Stage::kContents, "HQ-HDR-007",
     "the elements have no values that can be computed here"},
    {Status::kValueOutOfRange, Stage::kElements, "HQ-PACK-003",
     "a value is outside the range of the element type"},
    {Status::kArrayLength, Stage::kConversion, "HQ-ZP-014",
     "weights or scales do not have the length that the shape asks for"},
    {Status::kGroupOrder, Stage::kConversion, "HQ-ZP-011",
     "the groups are not runs of group_size elements"},
    {Status::kTwoLevelScales, Stage::kConversion, "HQ-ZP-012", "there is a second level of scales"},
    {Status::kPartialGroup, Stage::kConversion, "HQ-PBA-022",
     "the last group along axis is shorter than group_size"},
}};

// Row i describes the status numbered i: the numbers rise from row to row, up to the last one.
static_assert(std::ranges::adjacent_find(kRows, std::ranges::greater_equal{}, &Row::status) ==
              kRows.end());
static_assert(static_cast<unsigned>(kRows.back().status) == kStatusCount - 1);

const Row& row_of(Status status) { return kRows[static_cast<std::size_t>(status)]; }

constexpr std::array<std::string_view, 12> kStageNames = {
    "none",       "length", "header", "fields",       "storage type", "kernel",
    "conversion", "tensor", "shape",  "buffer table", "contents",     "elements"};

}  // namespace

Stage stage_of(Status status) { return row_of(status).stage; }
std::string_view stage_name(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }
std::string_view text_of(Status status) { return row_of(status).text; }
std::string_view requirement_of(Status status) { return row_of(status).requirement; }

}  // namespace hurray
