// SPDX-License-Identifier: Apache-2.0
//
// Options of the command line that do not fit into main.cpp, and what several commands share.

#ifndef HURRAY_CONFORMANCE_OPTIONS_H
#define HURRAY_CONFORMANCE_OPTIONS_H

#include <CLI/CLI.hpp>

#include "conformance/runner/process.h"

namespace hurray::conformance {

// Exit codes and attachments, for --help.
extern const char* const kFooter;

// Options of everything that asks a target; `limits` holds the defaults, and outlives the parsing.
void add_limits(CLI::App* command, Limits& limits);

CLI::Validator not_empty();

// Subcommands that set the exit code when they are called.
void add_vectors(CLI::App& app, int& exit_code);
void add_fuzz(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);

// Options of `run`, behind --expect and --fail-fast.
struct RunArguments;
void add_reports(CLI::App* command, RunArguments& run);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_OPTIONS_H
