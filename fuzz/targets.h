// SPDX-License-Identifier: Apache-2.0
//
// Which targets does a run compare with the reference? All that are built in and that the machine
// can run, or those that somebody names.

#ifndef HURRAY_FUZZ_TARGETS_H
#define HURRAY_FUZZ_TARGETS_H

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/claims.h"

namespace hurray::fuzz {

// Environment variable that names them for fuzzers: `reference,scalar`. Not set: all.
inline constexpr const char* kTargetsVariable = "HURRAY_FUZZ_TARGETS";

// Rows of the targets in `names`, with commas between; `fault-ID` is one of targets/faults. Throws
// std::invalid_argument with a sentence for people.
std::vector<hurray_registry_row> targets_named(std::string_view names);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_TARGETS_H
