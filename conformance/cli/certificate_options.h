// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands about certificates, as options.h.

#ifndef HURRAY_CONFORMANCE_CERTIFICATE_OPTIONS_H
#define HURRAY_CONFORMANCE_CERTIFICATE_OPTIONS_H

#include <CLI/CLI.hpp>

namespace hurray::conformance {

// keygen, certify, verify, reproduce, emit, judge
void add_certificates(CLI::App& app, int& exit_code);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CERTIFICATE_OPTIONS_H
