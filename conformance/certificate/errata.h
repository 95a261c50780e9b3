// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a certificate when a case that it rests on proves wrong? conformance/errata.toml
// lists such cases for good; CERTIFICATION.md says what each treatment means.

#ifndef HURRAY_CONFORMANCE_ERRATA_H
#define HURRAY_CONFORMANCE_ERRATA_H

#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/statement.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {

// Those of this program.
std::vector<Erratum> load_errata();

// Those that concern a certificate: issued under one of the suites, with a verdict for one of the
// requirements that rests on answers.
std::vector<Erratum> errata_of(const Statement& statement, const std::vector<Erratum>& errata);

// Two lines for people.
std::string describe(const Erratum& erratum);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ERRATA_H
