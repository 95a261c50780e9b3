// SPDX-License-Identifier: Apache-2.0
//
// How does a table of functions answer the line protocol over two file descriptors?
//
// The kit's host for POSIX systems: guard pages, floating-point environments, threads. The library
// hurray_kit_main adds a `main` that serves the symbol `hurray_target` on standard input and
// output.

#ifndef HURRAY_KIT_POSIX_H
#define HURRAY_KIT_POSIX_H

#include "hurray_kit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Serves until `in_fd` ends. Blocks; descriptors in non-blocking mode are waited for. SIGPIPE is
// ignored meanwhile, and the process's earlier handling of it is back afterwards. Closes nothing.
// Returns HURRAY_KIT_OK or one of the errors in hurray_kit.h.
int hurray_kit_serve_fds(const struct hurray_target* target, int in_fd, int out_fd);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_KIT_POSIX_H
