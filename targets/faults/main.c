// SPDX-License-Identifier: Apache-2.0
//
// `hurray-fault ID` serves one fault over standard input and output, `hurray-fault --list` prints
// the table: id, requirements, what is wrong, replaced members, separated by tabs.

#include <stdio.h>
#include <string.h>

#include "faults.h"
#include "kit/hurray_kit_posix.h"

static void print_table(void) {
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    const struct hurray_fault* f = &hurray_faults[i];
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", f->id, f->requirements, f->wrong, f->replaced, f->file,
           f->strict ? "strict" : "-");
  }
}

static int usage(const char* got) {
  if (got != NULL) {
    fprintf(stderr, "hurray-fault: no fault is called %s\n", got);
  } else {
    fprintf(stderr, "hurray-fault: takes the id of one fault\n");
  }
  fprintf(stderr, "expected one of:\n");
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    fprintf(stderr, "  %-24s %s\n", hurray_faults[i].id, hurray_faults[i].wrong);
  }
  fprintf(stderr, "or --list. Example: hurray-fault %s\n", hurray_faults[0].id);
  return 2;
}

int main(int argc, char** argv) {
  if (argc != 2) return usage(NULL);
  if (strcmp(argv[1], "--list") == 0) {
    print_table();
    return 0;
  }
  const struct hurray_target* target = hurray_fault_target(argv[1]);
  if (target == NULL) return usage(argv[1]);
  return hurray_kit_serve_fds(target, 0, 1);
}
