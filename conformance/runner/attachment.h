// SPDX-License-Identifier: Apache-2.0
//
// How is a target reached? `builtin:NAME`, `lib:PATH`, `exec:COMMAND`, `qemu:IMAGE`,
// `serial:DEVICE`, each turned into the command of a child process: builtin and lib targets are
// served by this program itself in a child of its own, images by an emulator (qemu.h), boards by a
// bridge (serial.h).

#ifndef HURRAY_CONFORMANCE_ATTACHMENT_H
#define HURRAY_CONFORMANCE_ATTACHMENT_H

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/process.h"

namespace hurray::conformance {

// The person typed something that cannot be meant. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Attachment {
  std::string name;      // for reports
  std::string text;      // `exec:./adapter`, as it was given
  std::string runnable;  // the same, with the placeholders of a list replaced: can be pasted
  Command command = {};
  bool one_process = false;  // dear to start, or the only one: gets all cases
  // What executes, as far as it can be known: image digest, emulator, machine. For reports.
  std::map<std::string, std::string> execution = {};
};

// Reads `[NAME=]KIND:REST`. Throws UsageError: unknown kind, a builtin that is unknown or that this
// machine cannot run, a file or port that is not there. Throws SuiteError: QEMU is wanted, and
// missing or too old.
Attachment parse_attachment(std::string_view text);

// Serves a builtin, lib or serial target on standard input and output: the child's side. Returns an
// exit code.
int serve_attachment(std::string_view text);

// Of the registry, as far as this machine has what they need; faults and variants (zoo.h) come on
// top.
std::vector<std::string> builtin_names();

// Whether `text` is `builtin:` and one of those names.
bool is_builtin_here(std::string_view text);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ATTACHMENT_H
