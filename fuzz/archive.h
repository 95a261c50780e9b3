// SPDX-License-Identifier: Apache-2.0
//
// How are inputs kept? One text file for each claim, a line for each input: a name, a space, and
// the bytes in hexadecimal. Lines that begin with # are for people.

#ifndef HURRAY_FUZZ_ARCHIVE_H
#define HURRAY_FUZZ_ARCHIVE_H

#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/wire.h"

namespace hurray::fuzz {

struct NamedInput {
  std::string name;  // without spaces
  conformance::Bytes bytes;
};

// Of corpus/regressions/: a name that begins so was given by who repaired what the input showed;
// all others are faults of the zoo.
inline constexpr std::string_view kFound = "found/";

// Throws std::runtime_error with `where` and the line.
std::vector<NamedInput> read_archive(std::string_view text, std::string_view where);
std::string archive_text(std::string_view head, const std::vector<NamedInput>& inputs);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_ARCHIVE_H
