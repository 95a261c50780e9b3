// SPDX-License-Identifier: Apache-2.0
//
// `hurray-latitude ID` serves one variant over standard input and output, `hurray-latitude --list`
// prints the table: id, rulings, what it does, behaviours, replaced members, whether it is a
// mixture; separated by tabs.

#include <stdio.h>
#include <string.h>

#include "kit/hurray_kit_posix.h"
#include "latitude.h"

static void print_table(void) {
  for (size_t i = 0; i < hurray_latitude_count; ++i) {
    const struct hurray_latitude* l = &hurray_latitudes[i];
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", l->id, l->rulings, l->choice, l->behaviours, l->replaced,
           l->is_mixture ? "mixture" : "-");
  }
}

static int usage(const char* got) {
  if (got != NULL) {
    fprintf(stderr, "hurray-latitude: no variant is called %s\n", got);
  } else {
    fprintf(stderr, "hurray-latitude: takes the id of one variant\n");
  }
  fprintf(stderr, "expected one of those that --list prints. Example: hurray-latitude %s\n",
          hurray_latitudes[0].id);
  return 2;
}

int main(int argc, char** argv) {
  if (argc != 2) return usage(NULL);
  if (strcmp(argv[1], "--list") == 0) {
    print_table();
    return 0;
  }
  const struct hurray_latitude* variant = hurray_find_latitude(argv[1]);
  if (variant == NULL) return usage(argv[1]);
  return hurray_kit_serve_fds(&variant->target, 0, 1);
}
