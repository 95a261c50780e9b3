// SPDX-License-Identifier: Apache-2.0
//
// The fields of an answer that are no array of elements: comparing one with what is expected, and
// saying where two answers part.

#ifndef HURRAY_CONFORMANCE_ANSWER_FIELDS_H
#define HURRAY_CONFORMANCE_ANSWER_FIELDS_H

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/runner/elements.h"

namespace hurray::conformance {

// `any` fits everything, a code of `error` every code but 0000; numbers are compared as numbers.
Match match_field(const std::string& verb, const std::string& key, const std::string& expected,
                  const std::string& got);

struct FieldDifference {
  std::string where;          // `axis`, `b1: scale of block 3`, `byte 57: buffers[1].byte_size`
  std::string expected, got;  // short enough for a line
};
// The first field that differs, in the order of what is expected. Nothing if none does.
std::optional<FieldDifference> first_difference(const ReadRequest& request, const Answer& expected,
                                                const Answer& got);

// Whether both have the same of those parts of a tensor that an answer names only if they are
// there.
bool has_same_parts(const Answer& expected, const Answer& got);

// `3f800000 (1)`.
std::string show_float(std::uint32_t bits);

// What a byte of an encoded descriptor is: `byte 57: buffers[1].byte_size`.
std::string describe_byte(const ReadRequest& request, const Bytes& descriptor, std::size_t at);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ANSWER_FIELDS_H
