// SPDX-License-Identifier: Apache-2.0
//
// Which wrong implementations must the suite catch? Each fault is the scalar target with one
// operation, or one thing about several, replaced by a version that breaks a requirement, as a
// complete target of its own.

#ifndef HURRAY_TARGETS_FAULTS_FAULTS_H
#define HURRAY_TARGETS_FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hurray_fault {
  const char* id;  // lower case, hyphens; never reused
  // Ids, separated by spaces: the first must come out violated, further ones are for the reader
  // only.
  const char* requirements;
  const char* wrong;     // what is wrong, one line
  const char* replaced;  // members that differ from scalar's, separated by spaces
  const char* file;      // the row stands in FILE.inc
  bool strict;           // a ruling softens it to a warning, so it is caught under `--strict` only
  struct hurray_target target;  // named fault-ID; constant
};

extern const struct hurray_fault hurray_faults[];
extern const size_t hurray_fault_count;

// The row with this id, or NULL.
const struct hurray_fault* hurray_find_fault(const char* id);

// Its target, or NULL if there is no such fault.
const struct hurray_target* hurray_fault_target(const char* id);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_FAULTS_FAULTS_H
