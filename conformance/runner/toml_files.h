// SPDX-License-Identifier: Apache-2.0
//
// What stands in the TOML files? Requirement files (conformance/requirements/), lists of targets
// with the verdict that they are meant to have (conformance/bundled.toml), and what stands beside
// the table of faults (targets/faults/). Reading only: whether the names fit together is decided
// elsewhere.

#ifndef HURRAY_CONFORMANCE_TOML_FILES_H
#define HURRAY_CONFORMANCE_TOML_FILES_H

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/embedded.h"

namespace hurray::conformance {

// A requirement as its block in the file has it; its cases are not numbered yet.
struct RequirementBlock {
  std::string where;  // file and id, for messages
  Requirement requirement;
  std::vector<std::string> shares;    // globs of cases of other requirements
  std::vector<std::string> families;  // names of families
  std::vector<Case> cases;            // hand-written, with the file's expectations
};

// Throws SuiteError with file, line or id, and what was expected.
std::vector<RequirementBlock> read_requirement_file(std::string_view name,
                                                    std::string_view content);

// A target that is meant to have a certain verdict.
struct MeantTarget {
  std::string name;
  std::string attachment;             // with {bin} and {here} as in the file
  std::string verdict;                // conformant, non-conformant or broken
  std::vector<std::string> violates;  // requirement ids, all of which must be violated
  std::string reason;                 // a part of the reason for which a target is broken
  std::optional<int> timeout_ms;
  std::string needs = {};  // which machines and builds have it, if not all
};

// Reads a list for --expect. Throws UsageError if it cannot be read or is not one.
std::vector<MeantTarget> read_expectation_file(const std::string& path);
// The same of the content of such a file; `name` is for messages.
std::vector<MeantTarget> read_expectation_text(std::string_view name, std::string_view content);

// A profile as its block in conformance/profiles.toml has it.
struct ProfileBlock {
  std::string where;  // file and name, for messages
  std::string name, text;
  std::vector<std::string> claims, operations;  // verbs
  std::vector<std::string> needs, extras;       // globs of requirement ids
};

// Throws SuiteError.
std::vector<ProfileBlock> read_profile_file(std::string_view name, std::string_view content);

// A case that proved wrong, as conformance/errata.toml tells of it.
struct Erratum {
  std::string id, date;
  std::vector<std::string> suites;  // digests
  std::vector<std::string> cases, requirements;
  std::string wrong;
  bool is_withdrawn = false;  // else what was certified stands
};

// Throws SuiteError.
std::vector<Erratum> read_errata(std::string_view name, std::string_view content);

// A fault that is a program of its own, with the fields of targets/faults/faults.h.
struct SeparateFault {
  std::string id, requirements, wrong, replaced;
  std::string attachment;  // with {bin} as in the file
  std::string needs;       // where it is built, if not everywhere
  std::string as;          // the builtin target without the fault: where one is not, both are not
};

// A fault that changes nothing that is judged.
struct RetiredFault {
  std::string id, requirements, wrong;
  std::string evidence;  // the ruling that lets it pass, or the exhaustive run that shows nothing
};

struct FaultFiles {
  std::vector<SeparateFault> separate;
  std::vector<RetiredFault> retired;
  std::map<std::string, std::string> without;  // requirement id → why no fault can violate it
};

// Reads separate.toml, retired.toml and without_fault.toml. Throws SuiteError.
FaultFiles read_fault_files(std::span<const EmbeddedFile> files);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_TOML_FILES_H
