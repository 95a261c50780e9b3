// SPDX-License-Identifier: Apache-2.0
//
// The program that serves `hurray_target` on standard input and output.
//
// The protocol moves to descriptors of its own first: what the target or its libraries print goes
// to standard error, and what they read comes from /dev/null. Exit code 0 at the end of input, 1
// when the stream fails, 2 when it cannot start.

#define _DEFAULT_SOURCE  // F_DUPFD_CLOEXEC

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "hurray_kit_posix.h"

enum { kFirstPrivateFd = 10 };

// Makes `fd` another way to `target_fd`, or to /dev/null if there is no such descriptor.
static int point_at(int fd, int target_fd) {
  if (target_fd >= 0 && dup2(target_fd, fd) >= 0) return 0;
  const int null_fd = open("/dev/null", O_RDWR);
  if (null_fd < 0) return -1;
  const int result = null_fd == fd ? fd : dup2(null_fd, fd);
  if (null_fd != fd) close(null_fd);
  return result < 0 ? -1 : 0;
}

int main(void) {
  const int in_fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  const int out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (in_fd < 0 || out_fd < 0 || point_at(STDIN_FILENO, -1) != 0 ||
      point_at(STDOUT_FILENO, STDERR_FILENO) != 0) {
    (void)fprintf(stderr, "hurray kit: cannot set up standard input and output\n");
    return 2;
  }
  const int result = hurray_kit_serve_fds(&HURRAY_TARGET_SYMBOL, in_fd, out_fd);
  if (result == HURRAY_KIT_OK) return 0;
  if (result == HURRAY_KIT_READ_FAILED)
    (void)fprintf(stderr, "hurray kit: reading requests failed\n");
  if (result == HURRAY_KIT_WRITE_FAILED)
    (void)fprintf(stderr, "hurray kit: writing answers failed\n");
  if (result == HURRAY_KIT_BAD_SETUP) {
    (void)fprintf(stderr,
                  "hurray kit: the target's table is empty or of another version, or there is no "
                  "memory\n");
  }
  return result == HURRAY_KIT_BAD_SETUP ? 2 : 1;
}
