// SPDX-License-Identifier: Apache-2.0
//
// The table of faults, made of the rows in the .inc files. They are read twice: for the functions,
// and for the entries.

#include "faults.h"

#include <fenv.h>
#include <string.h>

#include "arithmetic.h"
#include "call.h"
#include "row_helpers.h"
#include "scalar/scalar.h"
#include "state.h"
#include "tensor_state.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// A replaced member stands after scalar's own and wins (C11 6.7.9 p19); the warning is about that.
#pragma GCC diagnostic ignored "-Woverride-init"

// What REFUSES looks at: the fields of a section, or of a descriptor to be written.
static uint32_t fault_scale_of(const struct fault_call* c) {
  if (c->op == kEncode) return float_bits(((const struct hurray_descriptor*)c->in)->scale);
  return c->count >= kDescriptorBytes ? load_le32((const uint8_t*)c->in + 4) : 0;
}
static int32_t fault_zero_point_of(const struct fault_call* c) {
  if (c->op == kEncode) return ((const struct hurray_descriptor*)c->in)->zero_point;
  return c->count >= kDescriptorBytes ? bits_int32(load_le32((const uint8_t*)c->in + 8)) : 0;
}

static uint8_t fault_scheme_of(const struct fault_call* c) {
  if (c->in == NULL || (c->op == kDecode && c->count == 0)) return 0;
  return *(const uint8_t*)c->in;  // of a descriptor to be written, too, it comes first
}

static bool fault_any_infinite(const struct fault_call* c) {
  const float* in = c->in;
  for (size_t i = 0; in != NULL && i < c->count; ++i) {
    if (!is_finite(in[i]) && !is_nan(in[i])) return true;
  }
  return false;
}

// Quantizes up to the first NaN, and then refuses.
static int32_t fault_until_nan(struct fault_call c) {
  const float* in = c.in;
  size_t i = 0;
  while (in != NULL && i < c.count && !is_nan(in[i])) ++i;
  const bool ends = in != NULL && c.out != NULL && i < c.count;
  if (ends) c.count = i;
  const int32_t result = fault_scalar(c);
  return ends && result == HURRAY_OK ? HURRAY_REJECTED : result;
}

static int32_t fault_in_mode(int mode, struct fault_call c) {
  const int before = fegetround();
  fesetround(mode);
  const int32_t result = fault_scalar(c);
  fesetround(before);
  return result;
}

// What is left behind on x86 alone, has another mode in its place elsewhere.
static void fault_take_x87_register(void) {
#if defined(__SSE2__)
  __asm__ volatile("fldz");
#else
  fesetround(FE_UPWARD);
#endif
}
static void fault_flush_from_now_on(void) {
#if defined(__SSE2__)
  _mm_setcsr(_mm_getcsr() | 0x8040u);
#else
  fesetround(FE_UPWARD);
#endif
}

// Writes to the reals that a quantizer is to read only.
static void fault_edit(const struct fault_call* c, size_t first, float (*edited)(float, float)) {
  float* in = (float*)(uintptr_t)c->in;
  for (size_t i = first; i < c->count; ++i) in[i] = edited(in[i], c->scale);
}
static float fault_divided(float x, float scale) { return x / scale; }
static float fault_without_nan(float x, float scale) {
  (void)scale;
  return is_nan(x) ? 0 : x;
}
static float fault_without_infinity(float x, float scale) {
  (void)scale;
  return is_finite(x) || is_nan(x) ? x : 0x1.fffffep127f;
}

#include "row_functions.h"
#include "tensor_row_functions.h"
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
