// SPDX-License-Identifier: Apache-2.0
//
// Calls about elements and conversion that are scalar's but for one rule: what is packed, which
// pattern or value an element has, what a converter sees or makes.

#ifndef HURRAY_TARGETS_FAULTS_ELEMENT_CALLS_H
#define HURRAY_TARGETS_FAULTS_ELEMENT_CALLS_H

#include "call.h"
#include "scalar/scalar_elements.h"

// The pattern of `bits` bits at bit `at`, if the `bytes` bytes have it, else 0; and its storage.
uint64_t fault_pattern(const uint8_t* packed, size_t bytes, uint64_t at, uint32_t bits);
void fault_put_pattern(uint8_t* packed, size_t bytes, uint64_t at, uint32_t bits, uint64_t pattern);

// One element, as rules see it.
struct fault_item {
  const struct fault_call* call;
  const struct hurray_scalar_element* type;
  size_t i, bytes;   // bytes: of all of them
  uint64_t pattern;  // unpack and widen
  int64_t value;     // pack and unpack
  float real;        // widen
};

// `value` gives what is packed instead of a value, before scalar judges it; of at most 1024.
int32_t fault_pack_by(int64_t (*value)(const struct fault_item*), struct fault_call call);
// `pattern` gives the pattern that an element is taken for, by unpack and widen.
int32_t fault_patterns_by(uint64_t (*pattern)(const struct fault_item*), struct fault_call call);
// `real` gives the value of an element to widen.
int32_t fault_widen_by(float (*real)(const struct fault_item*), struct fault_call call);
// `bytes` gives the size of c.elements elements of `type`; `right` is scalar's.
int32_t fault_size_by(uint64_t (*bytes)(const struct fault_call* c,
                                        const struct hurray_scalar_element* type, uint64_t right),
                      struct fault_call call);

// What a converter sees, with arrays to edit.
enum { kMostForeign = 4096 };
struct fault_foreign {
  struct hurray_foreign_tensor f;
  uint64_t shape[HURRAY_MOST_RANK];
  uint8_t plane[kMostForeign], scales[kMostForeign], weights[kMostForeign];
};
int32_t fault_convert_seeing(void (*seen)(struct fault_foreign*), struct fault_call call);

// What it made, and the geometry that it was made by.
struct fault_converted {
  const struct hurray_foreign_tensor* f;
  struct hurray_converted_tensor* out;
  uint64_t blocks, along, rows;  // along: blocks of one row
};
int32_t fault_convert_making(void (*made)(const struct fault_converted*), struct fault_call call);

#endif  // HURRAY_TARGETS_FAULTS_ELEMENT_CALLS_H
