// SPDX-License-Identifier: Apache-2.0
//
// Is everything that fails in a run known, and everything that is known still so? A list of known
// deviations (known_file.h) opens and closes the gate of a CI; no verdict ever depends on it.

#ifndef HURRAY_CONFORMANCE_KNOWN_H
#define HURRAY_CONFORMANCE_KNOWN_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/known_file.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// What a list says of a run.
struct KnownGate {
  std::string file;  // as it was given
  std::vector<KnownDeviation> entries;
  // By target: failing cases that an entry names → index of the entry.
  std::vector<std::map<std::size_t, std::size_t>> listed;
  // A line each: what fails and is not listed, what is listed and not so. Empty: the gate is open.
  std::vector<std::string> problems;

  // The entry of a failing case, or null.
  const KnownDeviation* entry_of(std::size_t target, std::size_t case_index) const;
  // The entry of the first failing case of a requirement of which every failing case is listed.
  const KnownDeviation* entry_of(std::size_t target, const RequirementResult& requirement) const;
};

KnownGate check_known(const Suite& suite, const std::vector<TargetResult>& targets,
                      std::string file, const std::vector<KnownDeviation>& entries,
                      const Day& today);

// The list as it would have to be: entries shrunk to what still fails, or left out; counts and
// fingerprints as they are; new entries for what is not listed, which expire after 90 days. What
// people wrote stays: reasons, notes, links and dates of expiry, and entries of targets that were
// not run.
KnownFile updated_list(const Suite& suite, const std::vector<TargetResult>& targets,
                       const KnownFile& old, const Day& today);

// Cases that make a target non-conformant, ascending.
std::vector<std::size_t> gating_failures(const TargetResult& target);

// What is printed at the end of a run: problems, or that there is none.
std::string describe_gate(const KnownGate& gate);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_KNOWN_H
