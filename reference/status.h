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
};

inline constexpr unsigned kStatusCount = 17;

// How far the work had come, in the order in which a reader proceeds.
enum class Stage : std::uint8_t {
  kNone,         // nothing was refused
  kLength,       // counting bytes
  kHeader,       // scheme_tag, scheme_version, flags
  kFields,       // what the descriptor says by itself
  kStorageType,  // the descriptor against the tensor that carries it
  kKernel,       // arguments of a firmware function
  kConversion,   // normalizing foreign zero points
};

// Total over the enumerators above; the views are string literals and live forever.
Stage stage_of(Status status);
std::string_view stage_name(Stage stage);

// A sentence without a full stop, for people. Not part of any contract.
std::string_view text_of(Status status);

// Id of the requirement that demands this refusal, such as HQ-PTA-008. Empty for kOk and where no
// requirement speaks (kInvalidFormat: a usage error). For kLongerThanScheme it is the row that
// allows trailing bytes; ruling A12 lets a reader refuse them.
std::string_view requirement_of(Status status);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_STATUS_H
