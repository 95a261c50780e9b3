// SPDX-License-Identifier: Apache-2.0
//
// The table of faults, made of the rows in the .inc files. They are read twice: for the functions,
// and for the entries.

#include "faults.h"

#include <fenv.h>
#include <string.h>

#include "arithmetic.h"
#include "call.h"
#include "scalar/scalar.h"
#include "state.h"

// A replaced member stands after scalar's own and wins (C11 6.7.9 p19); the warning is about that.
#pragma GCC diagnostic ignored "-Woverride-init"

enum { kInvalidArg = 0x103, kNullPtr = 0x504 };  // of the firmware functions

// What REFUSES looks at: the fields of a section, or of a descriptor to be written.
static uint32_t fault_scale_of(const struct fault_call* c) {
  if (c->op == kEncode) return float_bits(((const struct hurray_descriptor*)c->in)->scale);
  return c->count >= kDescriptorBytes ? load_le32((const uint8_t*)c->in + 4) : 0;
}
static int32_t fault_zero_point_of(const struct fault_call* c) {
  if (c->op == kEncode) return ((const struct hurray_descriptor*)c->in)->zero_point;
  return c->count >= kDescriptorBytes ? bits_int32(load_le32((const uint8_t*)c->in + 8)) : 0;
}

#include "row_functions.h"
// First the functions,
#include "rows.inc"
// then the table.
#include "row_table.h"

const struct hurray_fault hurray_faults[] = {
#include "rows.inc"
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
