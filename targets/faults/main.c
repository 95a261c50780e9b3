// SPDX-License-Identifier: Apache-2.0
//
// `hurray-fault ID` serves one fault over standard input and output.

#include <stdio.h>

#include "faults.h"
#include "kit/hurray_kit_posix.h"

static int usage(const char* got) {
  if (got != NULL) {
    fprintf(stderr, "hurray-fault: no fault is called %s\n", got);
  } else {
    fprintf(stderr, "hurray-fault: takes the id of one fault\n");
  }
  fprintf(stderr, "expected what stands behind builtin:fault- in `hurray-conform list faults`\n");
  fprintf(stderr, "Example: hurray-fault %s\n", hurray_faults[0].id);
  return 2;
}

int main(int argc, char** argv) {
  if (argc != 2) return usage(NULL);
  const struct hurray_target* target = hurray_fault_target(argv[1]);
  if (target == NULL) return usage(argv[1]);
  return hurray_kit_serve_fds(target, 0, 1);
}
