// SPDX-License-Identifier: Apache-2.0
//
// How is a board reached that answers lines on a serial port? By a bridge, a child process as for
// every other target, between its standard streams and the port. It sends one request at a time,
// since a board's receive buffer is small and nothing holds the runner back; and it starts a
// conversation with a board that was running before: what it says before it has answered hello is
// not taken for an answer.

#ifndef HURRAY_CONFORMANCE_SERIAL_H
#define HURRAY_CONFORMANCE_SERIAL_H

#include <string_view>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {

// Fills one_process and execution from `DEVICE[,BAUD]`. Throws UsageError: no such device, not a
// terminal, one that may not be opened or that another program has, an unknown rate.
void attach_serial(std::string_view rest, Attachment& attachment);

// The bridge: the child's side, on standard input and output. Returns an exit code.
int serve_serial(std::string_view rest);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SERIAL_H
