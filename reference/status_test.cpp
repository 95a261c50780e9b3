// SPDX-License-Identifier: Apache-2.0
//
// Does every status have its number, its stage, its sentence and its requirement?

#include "reference/status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hurray {
namespace {

// Numbers appear in reports, so a change here breaks whoever keeps old ones.
TEST(Status, NumbersArePinned) {
  const Status in_order[] = {Status::kOk,
                             Status::kTruncated,
                             Status::kUnknownScheme,
                             Status::kUnsupportedVersion,
                             Status::kReservedFlag,
                             Status::kScaleNan,
                             Status::kScaleNotFinite,
                             Status::kScaleZero,
                             Status::kReservedByte,
                             Status::kStorageTypeNotAllowed,
                             Status::kZeroPointOutOfRange,
                             Status::kLongerThanScheme,
                             Status::kBufferTooSmall,
                             Status::kInvalidFormat,
                             Status::kTooFewBytes,
                             Status::kScaleNotPositive,
                             Status::kNullPointer,
                             Status::kIndexOutOfRange,
                             Status::kIndexOfDataBuffer,
                             Status::kSymmetricWithIndex,
                             Status::kAsymmetricWithoutIndex,
                             Status::kScaleTypeNotAllowed,
                             Status::kBlockSizeZero,
                             Status::kBlockSizeNotAllowed,
                             Status::kAxisOutOfRange,
                             Status::kDynamicAxis,
                             Status::kDynamicDimension,
                             Status::kBlockLongerThanAxis,
                             Status::kAxisNotWholeBlocks,
                             Status::kSharedParameterBuffer,
                             Status::kParameterBufferTooShort,
                             Status::kParameterBufferTooLong,
                             Status::kTooManyBuffers,
                             Status::kNoBuffer,
                             Status::kMagic,
                             Status::kMajorVersion,
                             Status::kNewerMinorVersion,
                             Status::kDescriptorLength,
                             Status::kDescriptorCut,
                             Status::kSectionCut,
                             Status::kTrailingBytes,
                             Status::kTensorFlag,
                             Status::kElementTypeUnknown,
                             Status::kLayoutUnknown,
                             Status::kRankTooLarge,
                             Status::kScalarLayout,
                             Status::kByteOffset,
                             Status::kDataBufferTooSmall,
                             Status::kPartialBlockData,
                             Status::kHandleAlignment,
                             Status::kHandleReserved,
                             Status::kDeviceTag,
                             Status::kMixedDevices,
                             Status::kMixedMemoryClasses,
                             Status::kSyncMode,
                             Status::kMemoryClass,
                             Status::kHandleBytes,
                             Status::kExtensionTypeMismatch,
                             Status::kPrivateType,
                             Status::kShardOutsideParent,
                             Status::kStatisticsMask,
                             Status::kMemberRole,
                             Status::kMemberReserved,
                             Status::kScaleNegative,
                             Status::kScaleNegativeZero,
                             Status::kScaleExponent,
                             Status::kZeroPointUnusual,
                             Status::kUnusedBits,
                             Status::kBufferMissing,
                             Status::kCountMismatch,
                             Status::kNoValues,
                             Status::kValueOutOfRange,
                             Status::kArrayLength,
                             Status::kGroupOrder,
                             Status::kTwoLevelScales,
                             Status::kPartialGroup};
  unsigned number = 0;
  for (Status status : in_order) EXPECT_EQ(static_cast<unsigned>(status), number++);
  EXPECT_EQ(number, kStatusCount);
}

TEST(Status, EveryStatusHasItsOwnSentence) {
  std::set<std::string> texts;
  for (unsigned i = 0; i < kStatusCount; ++i) {
    const std::string text(text_of(static_cast<Status>(i)));
    EXPECT_FALSE(text.empty());
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
}

TEST(Status, RejectionsNameTheRequirementThatTheyEnforce) {
  EXPECT_EQ(requirement_of(Status::kOk), "");
  EXPECT_EQ(requirement_of(Status::kTruncated), "HQ-PTA-015");
  EXPECT_EQ(requirement_of(Status::kUnknownScheme), "HQ-HDR-005");
  EXPECT_EQ(requirement_of(Status::kUnsupportedVersion), "HQ-PTA-003");
  EXPECT_EQ(requirement_of(Status::kReservedFlag), "HQ-PTA-004");
  EXPECT_EQ(requirement_of(Status::kScaleNan), "HQ-PTA-006");
  EXPECT_EQ(requirement_of(Status::kScaleNotFinite), "HQ-PTA-007");
  EXPECT_EQ(requirement_of(Status::kScaleZero), "HQ-PTA-008");
  EXPECT_EQ(requirement_of(Status::kReservedByte), "HQ-PTA-013");
  EXPECT_EQ(requirement_of(Status::kStorageTypeNotAllowed), "HQ-PTA-017");
  EXPECT_EQ(requirement_of(Status::kZeroPointOutOfRange), "HQ-PTA-011");
  EXPECT_EQ(requirement_of(Status::kLongerThanScheme), "HQ-HDR-030");
  EXPECT_EQ(requirement_of(Status::kTooFewBytes), "HQ-ZP-015");
  EXPECT_EQ(requirement_of(Status::kScaleNotPositive), "RA8-Q-009");
  EXPECT_EQ(requirement_of(Status::kNullPointer), "RA8-Q-012");
  EXPECT_EQ(requirement_of(Status::kIndexOfDataBuffer), "HQ-HDR-020");
  EXPECT_EQ(requirement_of(Status::kMagic), "HQ-MD-004");
  EXPECT_EQ(requirement_of(Status::kGroupOrder), "HQ-ZP-011");
}

TEST(Status, StagesFollowTheReader) {
  EXPECT_EQ(stage_of(Status::kOk), Stage::kNone);
  EXPECT_EQ(stage_of(Status::kTruncated), Stage::kLength);
  EXPECT_EQ(stage_of(Status::kUnsupportedVersion), Stage::kHeader);
  EXPECT_EQ(stage_of(Status::kScaleZero), Stage::kFields);
  EXPECT_EQ(stage_of(Status::kZeroPointOutOfRange), Stage::kStorageType);
  EXPECT_EQ(stage_of(Status::kNullPointer), Stage::kKernel);
  EXPECT_EQ(stage_of(Status::kTooFewBytes), Stage::kConversion);
  EXPECT_EQ(stage_of(Status::kMagic), Stage::kTensor);
  EXPECT_EQ(stage_of(Status::kAxisOutOfRange), Stage::kShape);
  EXPECT_EQ(stage_of(Status::kNoBuffer), Stage::kBuffers);
  EXPECT_EQ(stage_of(Status::kScaleExponent), Stage::kContents);
  EXPECT_EQ(stage_of(Status::kValueOutOfRange), Stage::kElements);
}

TEST(Status, StagesHaveNames) {
  EXPECT_EQ(stage_name(Stage::kNone), "none");
  EXPECT_EQ(stage_name(Stage::kLength), "length");
  EXPECT_EQ(stage_name(Stage::kHeader), "header");
  EXPECT_EQ(stage_name(Stage::kFields), "fields");
  EXPECT_EQ(stage_name(Stage::kStorageType), "storage type");
  EXPECT_EQ(stage_name(Stage::kKernel), "kernel");
  EXPECT_EQ(stage_name(Stage::kConversion), "conversion");
  EXPECT_EQ(stage_name(Stage::kTensor), "tensor");
  EXPECT_EQ(stage_name(Stage::kShape), "shape");
  EXPECT_EQ(stage_name(Stage::kBuffers), "buffer table");
  EXPECT_EQ(stage_name(Stage::kContents), "contents");
  EXPECT_EQ(stage_name(Stage::kElements), "elements");
}

}  // namespace
}  // namespace hurray
