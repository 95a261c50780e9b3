// SPDX-License-Identifier: Apache-2.0
//
// Which inputs of many reach something that those before them do not? Asks the counters that clang
// puts on every edge (preset `fuzz`), so that seeds are few, and the same few whoever chooses them.

#ifndef HURRAY_FUZZ_COVER_H
#define HURRAY_FUZZ_COVER_H

#include <set>
#include <string>
#include <vector>

#include "fuzz/archive.h"
#include "fuzz/claims.h"

namespace hurray::fuzz {

// Whether this program was built with counters.
bool has_counters();

// Of `inputs`, from the shortest to the longest and by name among equals, those with which an edge
// is passed for the first time, or in another order of magnitude: 1, 2, 3, 4, 8, 16, 32, 128 times.
// Those named in `always` are kept whatever they pass. Inputs that contradict the claim are left
// out. Sorted by name. Wants counters.
std::vector<NamedInput> covering(Claim claim, Targets targets, std::vector<NamedInput> inputs,
                                 const std::set<std::string>& always = {});

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_COVER_H
