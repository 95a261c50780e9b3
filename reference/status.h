// SPDX-License-Identifier: Apache-2.0
//
// Why was something refused? One status for each way of being wrong, with the stage that noticed
// it, a sentence for people, and the requirement that calls for the refusal. The table is in
// status.cpp. The suite compares acceptance only (ruling A53): which status it was is for
// diagnosis.

#ifndef HURRAY_REFERENCE_STATUS_H
#define HURRAY_REFERENCE_STATUS_H

#include <cstdint>
#include <string_view>

namespace hurray {

// Numbers are pinned: they appear in reports. New ones go to the end, none is used twice.
enum class Status : std::uint8_t {
  kOk = 0,
  kTruncated = 1,              // fewer bytes than the scheme has
  kUnknownScheme = 2,          // scheme_tag names nothing this library reads
  kUnsupportedVersion = 3,     // scheme_version is not 1; 0 included (ruling A11)
  kReservedFlag = 4,           // a flag bit without meaning is set
  kScaleNan = 5,               // any NaN, whatever its sign and payload
  kScaleNotFinite = 6,         // an infinity of either sign
  kScaleZero = 7,              // a zero of either sign (ruling A07)
  kReservedByte = 8,           // a byte that must be zero is not
  kStorageTypeNotAllowed = 9,  // the scheme does not list the tensor's element type
  kZeroPointOutOfRange = 10,   // the storage type cannot hold zero_point
  kLongerThanScheme = 11,      // bytes after the last field, with LongerSection::kRefuse
  kBufferTooSmall = 12,        // no room for what would be written
  kInvalidFormat = 13,         // a zero-point plane described by impossible numbers
  kTooFewBytes = 14,           // a zero-point plane that holds fewer fields than asked for
  kScaleNotPositive = 15,      // firmware contract: NaN, zero or below
  kNullPointer = 16,           // firmware contract
  // Schemes 02 to 05, tensors, element types and whole conversions.
  kIndexOutOfRange = 17,          // a parameter buffer index names no entry of the buffer table
  kIndexOfDataBuffer = 18,        // a parameter buffer is the data buffer
  kSymmetricWithIndex = 19,       // SYMMETRIC, and yet a zero_point_buffer_index
  kAsymmetricWithoutIndex = 20,   // ffffffff without SYMMETRIC (ruling A19)
  kScaleTypeNotAllowed = 21,      // scale_type_tag names no type of scales of the scheme
  kBlockSizeZero = 22,            // nothing can be divided by it
  kBlockSizeNotAllowed = 23,      // another block_size that the scheme excludes
  kAxisOutOfRange = 24,           // axis is not below rank; rank 0 included (ruling A57)
  kDynamicAxis = 25,              // the axis of a scheme is a dynamic dimension
  kDynamicDimension = 26,         // another dimension is dynamic (ruling A32)
  kBlockLongerThanAxis = 27,      // block_size > shape[axis]
  kAxisNotWholeBlocks = 28,       // scheme 05, shape[axis] is no positive multiple of block_size
  kSharedParameterBuffer = 29,    // scales and zero points in one entry (ruling A20)
  kParameterBufferTooShort = 30,  // its array does not fit
  kParameterBufferTooLong = 31,   // bytes behind its array
  kTooManyBuffers = 32,           // entries that nothing needs (ruling A21)
  kNoBuffer = 33,                 // buffer_count is 0
  kMagic = 34,                    // the first four bytes are not HRRY
  kMajorVersion = 35,             // version_major is not 1; 0 included (ruling A49)
  kNewerMinorVersion = 36,        // version_minor is not 0; to be accepted (ruling A50)
  kDescriptorLength = 37,         // descriptor_length is less than the header's
  kDescriptorCut = 38,            // fewer bytes than descriptor_length (ruling A51)
  kSectionCut = 39,               // a field or section ends behind the descriptor
  kTrailingBytes = 40,            // bytes between the last section and descriptor_length
  kTensorFlag = 41,               // a reserved flag of the tensor is set
  kElementTypeUnknown = 42,       // no element type has this tag, or none that the operation is for
  kLayoutUnknown = 43,            // no layout that this library reads
  kRankTooLarge = 44,             // rank > 64
  kScalarLayout = 45,             // rank 0 and another layout than row-major
  kByteOffset = 46,               // byte_offset > byte_size of buffer 0 (ruling A48)
  kDataBufferTooSmall = 47,       // not all elements lie inside buffer 0 (ruling A47)
  kPartialBlockData = 48,         // stored in full or not (ruling A28)
  kHandleAlignment = 49,          // no power of two, or below 64
  kHandleReserved = 50,           // the last byte of a handle is not zero
  kDeviceTag = 51,                // no such device
  kMixedDevices = 52,             // buffers of one tensor on several devices
  kMixedMemoryClasses = 53,       // buffers of one tensor of several classes
  kSyncMode = 54,                 // no such mode, or not on this device
  kMemoryClass = 55,              // no such class, or not on this device
  kHandleBytes = 56,              // sync_mode or memory_class in use (ruling A22)
  kExtensionTypeMismatch = 57,    // private element type without its section, or the reverse
  kPrivateType = 58,              // a private element type (ruling A62)
  kShardOutsideParent = 59,       // shard_offset + shape > parent_shape
  kStatisticsMask = 60,           // a reserved bit of the mask is set
  kMemberRole = 61,               // role is neither 00 nor 01
  kMemberReserved = 62,           // its 15 reserved bytes
  kScaleNegative = 63,            // scheme 04 has no negative scales
  kScaleNegativeZero = 64,        // scheme 04, scale -0 (ruling A35)
  kScaleExponent = 65,            // scheme 05, scale byte 00 or ff (ruling A37)
  kZeroPointUnusual = 66,         // scheme 03, legal all the same (ruling A24)
  kUnusedBits = 67,               // bits behind the last element (ruling A43)
  kBufferMissing = 68,            // fewer buffers, or fewer bytes, than the table has
  kCountMismatch = 69,            // count is not the number of elements
  kNoValues = 70,                 // an element type or a scheme whose values are not known
  kValueOutOfRange = 71,          // the element type does not have the value
  kArrayLength = 72,              // an array of another length than the shape asks for
  kGroupOrder = 73,               // groups that are not runs of group_size
  kTwoLevelScales = 74,           // scales of scales
  kPartialGroup = 75,             // a shorter last group (ruling A28)
};

inline constexpr unsigned kStatusCount = 76;

// How far the work had come, in the order in which a reader proceeds.
enum class Stage : std::uint8_t {
  kNone,         // nothing was refused
  kLength,       // counting bytes
  kHeader,       // scheme_tag, scheme_version, flags
  kFields,       // what the descriptor says by itself
  kStorageType,  // the descriptor against the tensor that carries it
  kKernel,       // arguments of a firmware function
  kConversion,   // normalizing foreign zero points, converting tensors
  kTensor,       // the tensor descriptor around the buffer table
  kShape,        // the scheme against the shape
  kBuffers,      // the buffer table, by itself and against scheme and shape
  kContents,     // what stands in the buffers
  kElements,     // packing elements
};

// Total over the enumerators above; the views are string literals and live forever.
Stage stage_of(Status status);
std::string_view stage_name(Stage stage);

// A sentence without a full stop, for people. Not part of any contract.
std::string_view text_of(Status status);

// Id of the requirement that demands this refusal, such as HQ-PTA-008. Empty for kOk and where no
// requirement speaks (kInvalidFormat, kCountMismatch: usage errors). Where several schemes have the
// rule it is the row of one of them; findings.h has the right one. For kLongerThanScheme it is the
// row that allows trailing bytes; ruling A12 lets a reader refuse them.
std::string_view requirement_of(Status status);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_STATUS_H
