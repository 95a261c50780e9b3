// SPDX-License-Identifier: Apache-2.0
//
// Which inputs of a claim does the suite know already? Every case that asks what the claim asks,
// under its name, of lines one of each family; drawn ones for what has a form of its own.

#ifndef HURRAY_FUZZ_SEED_INPUTS_H
#define HURRAY_FUZZ_SEED_INPUTS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/archive.h"

namespace hurray::fuzz {

// All of them, sorted by name, each input once. The same in every build.
std::vector<NamedInput> seed_inputs(std::string_view claim);

// The input with which the claim asks what a request line asks; nothing if it cannot.
std::optional<conformance::Bytes> input_of(std::string_view claim, const std::string& request);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_SEED_INPUTS_H
