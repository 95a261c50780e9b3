// SPDX-License-Identifier: Apache-2.0
//
// The table of variants, made of the rows in the .inc files as the table of faults is made of its
// rows (../faults/row_functions.h): where a fault names requirements, a variant names what it shows.

#include "latitude.h"

#include <fenv.h>
#include <string.h>

#include "faults/arithmetic.h"
#include "faults/call.h"
#include "scalar/scalar.h"

// A replaced member stands after scalar's own and wins (C11 6.7.9 p19); the warning is about that.
#pragma GCC diagnostic ignored "-Woverride-init"

enum { kInvalidArg = 0x103, kNullPtr = 0x504 };  // of the firmware functions

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

#include "faults/row_functions.h"
// First the functions,
#include "rows.inc"
// then the table.
#include "faults/row_table.h"

// Claims less than scalar does.
#define MEMBERS_ra8_only                                                                          \
  .contracts = HURRAY_CONTRACT_RA8, .schemes = 0, .decode = NULL, .encode = NULL,                  \
  .dequantize = NULL, .quantize = NULL, .normalize_zero_points = NULL, .decode_types = 0,          \
  .encode_types = 0, .dequantize_types = 0, .quantize_types = 0, MEMBERS_ra8
#define REPLACED_ra8_only "contracts schemes decode encode dequantize quantize " \
  "normalize_zero_points decode_types encode_types dequantize_types quantize_types " REPLACED_ra8
#define MEMBERS_decode_only                                                                        \
  .contracts = HURRAY_CONTRACT_HURRAY, .encode = NULL, .dequantize = NULL, .quantize = NULL,        \
  .normalize_zero_points = NULL, .encode_types = 0, .dequantize_types = 0, .quantize_types = 0,     \
  .ra8 = NULL, MEMBERS_decode
#define REPLACED_decode_only "contracts encode dequantize quantize normalize_zero_points " \
  "encode_types dequantize_types quantize_types ra8 " REPLACED_decode
#define HURRAY_TYPES_WHOLE_BYTES 0x3fu
#define MEMBERS_whole_bytes                                                                       \
  .decode_types = HURRAY_TYPES_WHOLE_BYTES, .encode_types = HURRAY_TYPES_WHOLE_BYTES,              \
  .dequantize_types = HURRAY_TYPES_WHOLE_BYTES, .quantize_types = HURRAY_TYPES_WHOLE_BYTES,        \
  MEMBERS_codec, MEMBERS_dequantize, MEMBERS_quantize
#define REPLACED_whole_bytes "decode_types encode_types dequantize_types quantize_types " \
  REPLACED_codec " " REPLACED_dequantize " " REPLACED_quantize

#undef FAULT_ROW
#define RULINGS_OF(RULINGS, BEHAVIOURS) RULINGS
#define BEHAVIOURS_OF(RULINGS, BEHAVIOURS) BEHAVIOURS
#define FAULT_ROW(SET, ID, SHOWS, CHOICE)                                                        \
  {                                                                                              \
    .id = (ID), .rulings = RULINGS_OF SHOWS, .choice = (CHOICE), .behaviours = BEHAVIOURS_OF SHOWS, \
    .replaced = REPLACED_##SET, .is_mixture = (THEME_IS_MIXTURE),                                \
    .target = {HURRAY_SCALAR_MEMBERS, .name = "latitude-" ID, MEMBERS_##SET},                    \
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
