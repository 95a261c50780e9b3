// SPDX-License-Identifier: Apache-2.0
//
// How much does the suite catch? The score of all faults, as `faults --score` wrote it to
// conformance/kill_score.json, which is built into the program; a certificate carries it.

#ifndef HURRAY_CONFORMANCE_KILL_SCORE_H
#define HURRAY_CONFORMANCE_KILL_SCORE_H

#include <string>
#include <string_view>

#include "conformance/certificate/statement.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {

// The one that was built in. Throws SuiteError if it cannot be read.
KillScore load_kill_score();
// `file` is for messages.
KillScore read_kill_score(std::string_view file, std::string_view content);

// The content of the file. Faults that are not built on this machine are counted as absent.
std::string kill_score_json(const Suite& suite, const Matrix& matrix, const Zoo& zoo);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_KILL_SCORE_H
