// SPDX-License-Identifier: Apache-2.0
//
// The table of faults: one row each. A row names the requirements that it breaks and the members
// that it replaces; every other member is scalar's. The replacements live in one file per
// operation.

#include "faults.h"

#include <string.h>

#include "replacements.h"
#include "scalar/scalar.h"

// A replaced member stands after scalar's own and wins (C11 6.7.9 p19); the warning is about that.
#pragma GCC diagnostic ignored "-Woverride-init"

#define FAULT(ID, REQUIREMENTS, WRONG, ...)                                                 \
  {                                                                                         \
    .id = (ID), .requirements = (REQUIREMENTS), .wrong = (WRONG), .replaced = #__VA_ARGS__, \
    .target = {                                                                             \
      HURRAY_SCALAR_MEMBERS,                                                                \
      .name = "fault-" ID,                                                                  \
      __VA_ARGS__                                                                           \
    }                                                                                       \
  }

// The firmware functions with some replaced.
#define RA8(...) (&(const struct hurray_ra8_functions){HURRAY_SCALAR_RA8_MEMBERS, __VA_ARGS__})

const struct hurray_fault hurray_faults[] = {
    FAULT("ties-to-even", "HC-QNT-002 RA8-Q-003",
          "a quotient halfway between two integers goes to the even one",
          .quantize = fault_quantize_ties_to_even,
          .ra8 = RA8(.quantize_i8 = fault_ra8_quantize_i8_ties_to_even,
                     .quantize_u8 = fault_ra8_quantize_u8_ties_to_even)),
    FAULT("zero-point-unchecked", "HQ-PTA-011",
          "the decoder takes any int32 as the zero point, whatever the storage type",
          .decode = fault_decode_zero_point_unchecked),
};

const size_t hurray_fault_count = sizeof hurray_faults / sizeof hurray_faults[0];

const struct hurray_fault* hurray_find_fault(const char* id) {
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    if (strcmp(hurray_faults[i].id, id) == 0) return &hurray_faults[i];
  }
  return NULL;
}

const struct hurray_target* hurray_fault_target(const char* id) {
  const struct hurray_fault* fault = hurray_find_fault(id);
  return fault != NULL ? &fault->target : NULL;
}
