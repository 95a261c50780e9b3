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
}};

// Row i describes the status numbered i: the numbers rise from row to row, up to the last one.
static_assert(std::ranges::adjacent_find(kRows, std::ranges::greater_equal{}, &Row::status) ==
              kRows.end());
static_assert(static_cast<unsigned>(kRows.back().status) == kStatusCount - 1);

const Row& row_of(Status status) { return kRows[static_cast<std::size_t>(status)]; }

constexpr std::array<std::string_view, 7> kStageNames = {
    "none", "length", "header", "fields", "storage type", "kernel", "conversion"};

}  // namespace

Stage stage_of(Status status) { return row_of(status).stage; }
std::string_view stage_name(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }
std::string_view text_of(Status status) { return row_of(status).text; }
std::string_view requirement_of(Status status) { return row_of(status).requirement; }

}  // namespace hurray
