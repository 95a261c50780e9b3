// SPDX-License-Identifier: Apache-2.0
//
// --known and --update-known of `run`: the list read before the run, judged and written after it.

#ifndef HURRAY_CONFORMANCE_KNOWN_LIST_H
#define HURRAY_CONFORMANCE_KNOWN_LIST_H

#include <optional>
#include <vector>

#include "conformance/cli/commands.h"
#include "conformance/runner/known.h"

namespace hurray::conformance {

// Nothing without --known; an empty list where --update-known will make one. Throws UsageError.
std::optional<KnownFile> read_known(const RunArguments& arguments);

// With --update-known the list is rewritten first, unless a target could not be judged.
KnownGate judge_known(const RunArguments& arguments, const KnownFile& known, const Suite& suite,
                      const std::vector<TargetResult>& results);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_KNOWN_LIST_H
