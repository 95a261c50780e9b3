// SPDX-License-Identifier: Apache-2.0
//
// Does the list keep what was found, once, and know what is gravest?

#include "reference/findings.h"

#include <gtest/gtest.h>

namespace hurray {
namespace {

TEST(Findings, AnEmptyListHasNothingToSay) {
  const Findings findings;
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(findings.worst(), std::nullopt);
  EXPECT_EQ(findings.gravest(), nullptr);
  EXPECT_FALSE(findings.has_must());
  EXPECT_EQ(findings.for_writer(), Status::kOk);
}

TEST(Findings, TheGravestIsFoundWhereverItStands) {
  Findings findings;
  findings.lenient(Status::kNewerMinorVersion, "HQ-MD-006");
  EXPECT_EQ(findings.worst(), Severity::kLenient);
  findings.open(Behaviour::kLongerSection, Status::kLongerThanScheme, "HQ-HDR-030");
  EXPECT_EQ(findings.worst(), Severity::kOpen);
  EXPECT_EQ(findings.for_writer(), Status::kOk);
  findings.soft(Status::kByteOffset, "HQ-MD-014");
  EXPECT_EQ(findings.worst(), Severity::kSoft);
  EXPECT_EQ(findings.for_writer(), Status::kByteOffset);
  findings.must(Status::kMagic, "HQ-MD-004");
  findings.must(Status::kScaleZero, "HQ-PTA-008");
  EXPECT_EQ(findings.gravest()->status, Status::kMagic);
  EXPECT_EQ(findings.gravest()->requirement, "HQ-MD-004");
  EXPECT_TRUE(findings.has(Status::kByteOffset));
  EXPECT_TRUE(findings.has(Behaviour::kLongerSection));
  EXPECT_TRUE(findings.has(Severity::kLenient));
  EXPECT_FALSE(findings.has(Behaviour::kUnusedBits));
}

TEST(Findings, TheSameThingIsFoundOnce) {
  Findings findings;
  for (int i = 0; i < 1000; ++i) findings.must(Status::kScaleZero, "HQ-PCA-019");
  EXPECT_EQ(findings.all().size(), 1u);
  findings.must(Status::kScaleZero, "HQ-PTA-008");  // another rule
  EXPECT_EQ(findings.all().size(), 2u);
}

TEST(Findings, AFullListStillKnowsTheWorst) {
  Findings findings;
  for (unsigned i = 0; i < kStatusCount; ++i) {
    findings.lenient(static_cast<Status>(i), "a");
    findings.lenient(static_cast<Status>(i), "b");
  }
  EXPECT_EQ(findings.all().size(), Findings::kCapacity);
  findings.must(Status::kMagic, "HQ-MD-004");
  EXPECT_EQ(findings.all().size(), Findings::kCapacity);
  EXPECT_EQ(findings.worst(), Severity::kMust);
  findings.soft(Status::kByteOffset, "HQ-MD-014");
  EXPECT_EQ(findings.worst(), Severity::kMust);
}

TEST(Findings, BehavioursHaveTheNamesOfReports) {
  EXPECT_EQ(name_of(Behaviour::kNone), "");
  EXPECT_EQ(name_of(Behaviour::kLongerSection), "longer-section");
  EXPECT_EQ(name_of(Behaviour::kSharedParameterBuffer), "shared-parameter-buffer");
  EXPECT_EQ(name_of(Behaviour::kSymmetricIndex), "symmetric-index");
  EXPECT_EQ(name_of(Behaviour::kHandleBytes), "handle-bytes");
  EXPECT_EQ(name_of(Behaviour::kEmptyBufferAlignment), "empty-buffer-alignment");
  EXPECT_EQ(name_of(Behaviour::kDynamicDimension), "dynamic-dimension");
  EXPECT_EQ(name_of(Behaviour::kPrivateType), "private-type");
  EXPECT_EQ(name_of(Behaviour::kNf4NegativeZeroScale), "nf4-negative-zero-scale");
  EXPECT_EQ(name_of(Behaviour::kUnusedBits), "unused-bits");
  EXPECT_EQ(name_of(Behaviour::kE8m0Patterns), "e8m0-patterns");
  EXPECT_EQ(name_of(Behaviour::kPaddedData), "partial-block-data");
  EXPECT_EQ(name_of(Behaviour::kUnpaddedData), "partial-block-data");
  EXPECT_EQ(name_of(Behaviour::kTrailingBytes), "trailing-bytes");
  EXPECT_EQ(name_of(Behaviour::kUnknownScheme), "unknown-scheme");
}

}  // namespace
}  // namespace hurray
