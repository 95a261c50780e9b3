// SPDX-License-Identifier: Apache-2.0
//
// What can a product claim to be, and is this one it? A profile names the requirements that a
// reader, a writer, a kernel … needs (conformance/profiles.toml); a target gets a verdict for each.

#ifndef HURRAY_CONFORMANCE_PROFILES_H
#define HURRAY_CONFORMANCE_PROFILES_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// The profiles that were built into the program, with the requirements of the suite. Throws
// SuiteError: a name that no requirement has, a need that no case judges, a gating requirement that
// no profile has.
std::vector<Profile> load_profiles(const std::vector<Requirement>& requirements);
// The same of the content of such a file; `file` is for messages.
std::vector<Profile> read_profiles(std::string_view file, std::string_view content,
                                   const std::vector<Requirement>& requirements);

// One result for each profile of the suite, of a target that is summed up.
std::vector<ProfileResult> profile_verdicts(const Suite& suite, const TargetResult& target,
                                            bool strict);

// `reader conformant, tensor incomplete (HQ-HDR-016 and 3 more not judged)`: those that are
// claimed. Empty if none is.
std::string describe_profiles(const std::vector<ProfileResult>& results);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROFILES_H
