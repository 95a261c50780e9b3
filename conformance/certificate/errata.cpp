// SPDX-License-Identifier: Apache-2.0
//
// Errata, see errata.h.

#include "conformance/certificate/errata.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/embedded.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

std::vector<Erratum> load_errata() { return read_errata("errata.toml", embedded_errata()); }

std::vector<Erratum> errata_of(const Statement& statement, const std::vector<Erratum>& errata) {
  const auto was_judged = [&](const std::string& id) {
    const auto found = statement.followed.requirements.find(id);
    return found != statement.followed.requirements.end() &&
           found->second != name_of(RequirementVerdict::kNotClaimed) &&
           found->second != name_of(RequirementVerdict::kNotRun);
  };
  std::vector<Erratum> concerned;
  std::ranges::copy_if(errata, std::back_inserter(concerned), [&](const Erratum& each) {
    return std::ranges::find(each.suites, statement.suite.cases) != each.suites.end() &&
           std::ranges::any_of(each.requirements, was_judged);
  });
  return concerned;
}

std::string describe(const Erratum& erratum) {
  return fmt::format("{} of {}, {}: {}\n  cases {}; requirements {}\n", erratum.id, erratum.date,
                     erratum.is_withdrawn ? "issued under a case since withdrawn"
                                          : "issued under a case since corrected, and stands",
                     erratum.wrong, fmt::join(erratum.cases, " "),
                     fmt::join(erratum.requirements, " "));
}

}  // namespace hurray::conformance
