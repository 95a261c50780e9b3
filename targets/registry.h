// SPDX-License-Identifier: Apache-2.0
//
// Which targets are built into this program? The list is made by CMake from the hurray_add_target
// calls.

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
};

extern const struct hurray_registry_row hurray_registry[];
extern const size_t hurray_registry_count;

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_REGISTRY_H
