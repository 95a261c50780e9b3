// SPDX-License-Identifier: Apache-2.0
//
// Which odd implementations must the suite not fail? Each variant is the scalar target with another
// of the choices that a ruling leaves, as a complete target of its own. A lenient one does what a
// ruling warns of; a mixture chooses one way here and another there, and must be failed for that.

#ifndef HURRAY_TARGETS_LATITUDE_LATITUDE_H
#define HURRAY_TARGETS_LATITUDE_LATITUDE_H

#include <stddef.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hurray_latitude_kind {
  kLatitudeChoice,   // must come out conformant, showing its behaviours
  kLatitudeLenient,  // must come out conformant with warnings
  kLatitudeMixture,  // must come out non-conformant, as inconsistent
};

struct hurray_latitude {
  const char* id;       // lower case, hyphens; never reused
  const char* rulings;  // ids of RULINGS.md, separated by spaces
  const char* choice;   // what it does, one line
  // name=value pairs, separated by spaces, as `behaviours` in a report shows them; of a mixture,
  // the behaviour that it shows two options of. Empty where the ruling names no behaviour.
  const char* behaviours;
  enum hurray_latitude_kind kind;
  struct hurray_target target;  // named latitude-ID; constant
};

extern const struct hurray_latitude hurray_latitudes[];
extern const size_t hurray_latitude_count;

// The row with this id, or NULL.
const struct hurray_latitude* hurray_find_latitude(const char* id);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_LATITUDE_LATITUDE_H
