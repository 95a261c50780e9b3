// SPDX-License-Identifier: Apache-2.0
//
// Cases from violations, see property_case.h.

#include "conformance/property_case.h"

#include <fmt/format.h>

#include "conformance/runner/case_toml.h"
#include "conformance/runner/digest.h"

namespace hurray::conformance {

std::string case_of(const Violation& violation) {
  const std::string calls = fmt::format("{}", fmt::join(violation.requests, "\n"));
  return case_block(fmt::format("{}/{}", violation.property, sha256_of(calls).substr(0, 8)),
                    violation.what, violation.requests);
}

}  // namespace hurray::conformance
