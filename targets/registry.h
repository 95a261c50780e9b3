// SPDX-License-Identifier: Apache-2.0
//
// Which targets are built into this program? The list is made by CMake from the calls of
// hurray_add_target and hurray_add_conditional_target.

#ifndef HURRAY_REGISTRY_H
#define HURRAY_REGISTRY_H

#include <stddef.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hurray_registry_row {
  const char* name;  // as in builtin:NAME
  const struct hurray_target* target;
  // Whether this machine has what the target needs; NULL: every machine has. Where it gives 0,
  // nothing of the target may be called.
  int (*is_here)(void);
};

extern const struct hurray_registry_row hurray_registry[];
extern const size_t hurray_registry_count;

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_REGISTRY_H
