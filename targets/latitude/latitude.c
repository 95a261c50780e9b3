// SPDX-License-Identifier: Apache-2.0
//
// The table of variants, made of the rows in the .inc files as the table of faults is made of its
// rows (../faults/row_functions.h): where a fault names requirements, a variant names what it
// shows.

#include "latitude.h"

#include <fenv.h>
#include <string.h>

#include "faults/arithmetic.h"
#include "faults/call.h"
#include "faults/element_calls.h"
#include "latitude_tensors.h"
#include "scalar/scalar.h"

// A replaced member stands after scalar's own and wins (C11 6.7.9 p19); the warning is about that.
#pragma GCC diagnostic ignored "-Woverride-init"

static bool any_null(const struct fault_call* c) { return c->in == NULL || c->out == NULL; }
static bool any_nan(const struct fault_call* c) {
  const float* in = c->in;
  for (size_t i = 0; in != NULL && i < c->count; ++i) {
    if (is_nan(in[i])) return true;
  }
  return false;
}
// The exact quotient, rounded: significands are divided as integers. Quotients of 2^37 and more are
// beyond every type with every zero point.
static int64_t whole_of_exact(float x, float s) {
  const float y = x / s;
  if (!is_finite(x) || !is_finite(s) || !(y > -0x1p37f && y < 0x1p37f)) return whole_away(y);
  int64_t significand[2];
  int32_t exponent[2];
  const float operands[2] = {x, s};
  for (int i = 0; i < 2; ++i) {
    const uint32_t word = float_bits(operands[i]) & 0x7fffffffu;
    significand[i] = (word & 0x7fffffu) | (word >> 23 != 0 ? 0x800000u : 0u);
    exponent[i] = word >> 23 != 0 ? (int32_t)(word >> 23) : 1;
  }
  const int32_t shift = exponent[0] - exponent[1];
  if (shift < -26) return 0;  // the scale is the greater by far, so it is normal
  const int64_t above = shift > 0 ? significand[0] * (INT64_C(1) << shift) : significand[0];
  const int64_t below = shift < 0 ? significand[1] * (INT64_C(1) << -shift) : significand[1];
  const int64_t whole = above / below + (above % below >= below - above % below);
  return (x < 0) != (s < 0) ? -whole : whole;
}

static bool is_packed(uint8_t tag) { return fault_bits(tag) != 0 && fault_bits(tag) < 8; }

static bool has_high_field_first(const struct fault_call* c) {
  if (c->op == kNormalize) return c->format->high_field_first != 0;
  const struct hurray_foreign_tensor* foreign = c->in;
  return foreign->zero_point_format.high_field_first != 0;
}

static bool has_another_form(const struct fault_call* c) {
  if (has_high_field_first(c)) return true;
  if (c->op == kNormalize) return c->format->bits != 4;
  const struct hurray_foreign_tensor* foreign = c->in;
  const struct hurray_scalar_element* type = hurray_scalar_find_element(foreign->type_tag);
  return foreign->zero_point_format.bits != 4 || foreign->group_major != 0 ||
         foreign->word_bytes != 1 || (type != NULL && type->bits < 8);
}

// Of the two refusals the other one for too little room.
static int32_t encode_declining(struct fault_call c) {
  const int32_t result = fault_scalar(c);
  uint8_t room[kSectionBytes];
  size_t written = 0;
  if (result == HURRAY_OK || c.count >= sizeof room) return result;
  c.out = room;
  c.count = sizeof room;
  c.written = &written;
  return fault_scalar(c) == HURRAY_OK ? HURRAY_UNSUPPORTED : result;
}

// What scalar says of other parameters with nothing to do.
static int32_t judged_with(struct fault_call c, float scale, int32_t zero_point) {
  c.scale = scale;
  c.zero_point = zero_point;
  c.count = 0;
  return fault_scalar(c);
}

static int32_t quantize_by_infinity(struct fault_call c) {
  if (is_finite(c.scale) || is_nan(c.scale)) return fault_scalar(c);
  const int32_t result = judged_with(c, 1.0f, c.zero_point);
  for (size_t i = 0; result == HURRAY_OK && i < c.count; ++i) {
    fault_store(c.out, c.tag, i, c.zero_point);
  }
  return result;
}

static int32_t quantize_with_any_zero_point(struct fault_call c) {
  const int32_t result = judged_with(c, c.scale, 0);
  if (result != HURRAY_OK) return result;
  const struct hurray_scalar_type* type = hurray_scalar_find_type(c.tag);
  const float* in = c.in;
  for (size_t i = 0; i < c.count; ++i) {
    const int64_t code = whole_away(in[i] / c.scale) + c.zero_point;
    fault_store(c.out, c.tag, i, clamp(code, type->min, type->max));
  }
  return result;
}

// The firmware functions on a unit that takes subnormal operands and results for zero.
static int32_t firmware_flushing(struct fault_call c) {
  if (any_null(&c) || (fault_quantizes(&c) && !(c.scale > 0))) return fault_scalar(c);
  const float scale = flushed(c.scale);
  for (size_t i = 0; fault_dequantizes(&c) && i < c.count; ++i) {
    const int64_t difference = fault_load(c.in, c.tag, i) - c.zero_point;
    ((float*)c.out)[i] = flushed(product(scale, (float)difference));
  }
  const int64_t min = c.op == kRa8QuantizeI8 ? INT8_MIN : 0;
  for (size_t i = 0; fault_quantizes(&c) && i < c.count; ++i) {
    const float x = flushed(((const float*)c.in)[i]);
    const float y = x == 0 ? 0 : flushed(x / scale);
    fault_store(c.out, c.tag, i, clamp(whole_away(y) + c.zero_point, min, min + UINT8_MAX));
  }
  return 0;
}

static int32_t in_default_environment(struct fault_call c) {
  fenv_t before;
  fegetenv(&before);
  fesetenv(FE_DFL_ENV);
  const int32_t result = fault_scalar(c);
  fesetenv(&before);
  return result;
}

// What the rows of both files use.
#define VALUE_OF(DIFFERENCE) product(s, (float)(DIFFERENCE))
#define CODE(WHOLE) clamp((WHOLE) + z, min, max)

#include "faults/row_functions.h"
#include "faults/tensor_row_functions.h"
#include "tensor_rows.h"
// First the functions,
#include "rows.inc"
// then the table.
#include "faults/row_table.h"
#include "tensor_table.h"

#undef FAULT_ROW
#define RULINGS_OF(RULINGS, BEHAVIOURS) RULINGS
#define BEHAVIOURS_OF(RULINGS, BEHAVIOURS) BEHAVIOURS
#define FAULT_ROW(SET, ID, SHOWS, CHOICE)                                       \
  {                                                                             \
      .id = (ID),                                                               \
      .rulings = RULINGS_OF SHOWS,                                              \
      .choice = (CHOICE),                                                       \
      .behaviours = BEHAVIOURS_OF SHOWS,                                        \
      .kind = (THEME_KIND),                                                     \
      .target = {HURRAY_SCALAR_MEMBERS, .name = "latitude-" ID, MEMBERS_##SET}, \
  },

const struct hurray_latitude hurray_latitudes[] = {
#include "rows.inc"
};

const size_t hurray_latitude_count = sizeof hurray_latitudes / sizeof hurray_latitudes[0];

const struct hurray_latitude* hurray_find_latitude(const char* id) {
  for (size_t i = 0; i < hurray_latitude_count; ++i) {
    if (strcmp(hurray_latitudes[i].id, id) == 0) return &hurray_latitudes[i];
  }
  return NULL;
}
