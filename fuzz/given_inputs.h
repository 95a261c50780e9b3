// SPDX-License-Identifier: Apache-2.0
//
// Inputs as people give them to a replay program, and as engines take them.

#ifndef HURRAY_FUZZ_GIVEN_INPUTS_H
#define HURRAY_FUZZ_GIVEN_INPUTS_H

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/archive.h"

namespace hurray::fuzz {

// Of an argument: an archive, NAME.txt; `hex:` and the bytes; or a file that is one input. Throws
// std::runtime_error, or UsageError if the file cannot be read.
std::vector<NamedInput> inputs_of(const std::string& argument);
std::vector<NamedInput> inputs_of(const std::vector<std::string>& arguments);

// A file for each, PREFIX-NUMBER, in a folder that is made if it is not there. Throws
// std::runtime_error.
void write_inputs(const std::vector<NamedInput>& inputs, std::string_view prefix,
                  const std::filesystem::path& folder);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_GIVEN_INPUTS_H
