// SPDX-License-Identifier: Apache-2.0
//
// Which cases does an entry of a list of known deviations mean? What checking and updating share.

#ifndef HURRAY_CONFORMANCE_KNOWN_MATCH_H
#define HURRAY_CONFORMANCE_KNOWN_MATCH_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/known_file.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

bool was_asked(const TargetResult& target, std::size_t case_index);
bool names_target(const KnownDeviation& entry, const TargetResult& target);

// Indices of the cases that a pattern names, ascending; those of them that the target was asked.
std::vector<std::size_t> matches_of(const Suite& suite, const std::vector<std::string>& patterns);
std::vector<std::size_t> asked_matches(const Suite& suite, const TargetResult& target,
                                       const std::vector<std::string>& patterns);

// Over the names of these cases and what was got for each.
std::string fingerprint_of_cases(const Suite& suite, const TargetResult& target,
                                 const std::vector<std::size_t>& cases);

// --- known_patterns.cpp

// A name as a glob that matches it alone.
std::string literal_pattern(std::string_view name);

// Few globs that name these cases and no other that was asked. `names` and `asked` are sorted.
std::vector<std::string> patterns_for(const std::vector<std::string_view>& names,
                                      const std::vector<std::string_view>& asked);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_KNOWN_MATCH_H
