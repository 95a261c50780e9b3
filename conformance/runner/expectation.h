// SPDX-License-Identifier: Apache-2.0
//
// Did every target get the verdict that it is meant to have? For --expect, and for gating a list.

#ifndef HURRAY_CONFORMANCE_EXPECTATION_H
#define HURRAY_CONFORMANCE_EXPECTATION_H

#include <string>
#include <vector>

#include "conformance/runner/run.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {

// The folder above the one that holds this program.
std::string build_folder();
// An attachment with {bin} replaced by the build folder.
std::string in_build_folder(const std::string& attachment);

// Whether it can be run here: it needs nothing, or is built in and the machine has what it needs,
// or is a program that is there.
bool is_here(const MeantTarget& meant);

// The targets of the list that are here, as candidates. In an attachment {bin} is the build folder,
// and {here} the folder of the list.
std::vector<Candidate> candidates_of(const std::vector<MeantTarget>& meant,
                                     const std::string& list_path, const Limits& limits);

// One line per difference between what is meant and what came out; empty if there is none. Targets
// of the list that were not run are no difference, nor are requirements and targets that `--select`
// left nothing of.
std::vector<std::string> unmet_expectations(const std::vector<MeantTarget>& meant,
                                            const std::vector<TargetResult>& results);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_EXPECTATION_H
