// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong in firmware: the four functions as a firmware engineer writes them, with one
// fault per macro, and right without any. Dropped into an image as everybody's own source is:
//   ./ci/firmware.sh --toolchain clang-m85-nomve --define FAULT_ADD_HALF \
//     --source targets/ra8/firmware/faults/ra8_npu_quant_faulty.c
// faults_test.py has the requirement that each of them violates.

#include <stdbool.h>

#include "ra8_check.h"
#include "ra8_err.h"
#include "ra8_log.h"
#include "ra8_npu_quant.h"

static const char* const s_tag = "QUANT";

// One input of 2^32, at which the last three faults happen.
static inline bool internal_is_the_input(float in, uint32_t bits) {
  const union {
    float value;
    uint32_t bits;
  } u = {.value = in};
  return u.bits == bits;
}

#ifdef FAULT_FOUR_BYTES
// Each byte of the zero point opens the next branch: nothing that a guess finds, and four steps for
// whoever is told of each branch. What is written keeps a compiler from comparing all at once.
static bool internal_opens(uint32_t word) {
  static volatile uint8_t opened;
  opened = 0;
  if ((uint8_t)word == (uint8_t)(FAULT_FOUR_BYTES)) {
    opened = 1;
    if ((uint8_t)(word >> 8) == (uint8_t)(FAULT_FOUR_BYTES >> 8)) {
      opened = 2;
      if ((uint8_t)(word >> 16) == (uint8_t)(FAULT_FOUR_BYTES >> 16)) {
        opened = 3;
        if ((uint8_t)(word >> 24) == (uint8_t)(FAULT_FOUR_BYTES >> 24)) opened = 4;
      }
    }
  }
  return opened == 4;
}
#endif

static int64_t internal_round(float quotient) {
#ifdef FAULT_NAN_BY_SIGN  // NaN is taken for the infinity of its sign where the compare says so
  const union {
    float value;
    uint32_t bits;
  } u = {.value = quotient};
  if (quotient != quotient) return u.bits >> 31 ? -((int64_t)1 << 40) : (int64_t)1 << 40;
#endif
#ifdef FAULT_UNDEFINED_CAST  // an infinite quotient is converted, and what comes of it thrown away
  const volatile int64_t converted = (int64_t)quotient;
  (void)converted;
#endif
  if (!(quotient > -0x1p40f)) return quotient == quotient ? -((int64_t)1 << 40) : 0;
  if (quotient > 0x1p40f) return (int64_t)1 << 40;
#ifdef FAULT_CAP  // a bound that nobody will ever reach
  if (quotient > 1e6f) return 1000000;
  if (quotient < -1e6f) return -1000000;
#endif
#ifdef FAULT_ADD_HALF  // 0.49999997 + 0.5 is 1 in binary32
  return (int64_t)(quotient < 0 ? quotient - 0.5f : quotient + 0.5f);
#else
  const int64_t whole = (int64_t)quotient;
  const float rest = quotient - (float)whole;
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
#endif
}

static int32_t internal_quantize(float in, float scale, int32_t zero_point, int32_t min,
                                 int32_t max) {
#ifdef FAULT_HARD_FAULT
  if (internal_is_the_input(in, FAULT_HARD_FAULT)) __builtin_trap();
#endif
#ifdef FAULT_ENDLESS_LOOP
  while (internal_is_the_input(in, FAULT_ENDLESS_LOOP)) __asm__ volatile("");
#endif
#ifdef FAULT_FOUR_BYTES
  if (internal_opens((uint32_t)zero_point)) return min;
#endif
#ifdef FAULT_ONE_INPUT
  if (internal_is_the_input(in, FAULT_ONE_INPUT)) return min;
#endif
#ifdef FAULT_ZERO_POINT_OVERFLOW
  const int64_t whole = internal_round(in / scale);
  const int32_t bounded = whole > INT32_MAX   ? INT32_MAX
                          : whole < INT32_MIN ? INT32_MIN
                                              : (int32_t)whole;
  const int64_t code = (int32_t)((uint32_t)bounded + (uint32_t)zero_point);
#else
  const int64_t code = internal_round(in / scale) + zero_point;
#endif
  return code < min ? min : code > max ? max : (int32_t)code;
}

static float internal_dequantize(int32_t code, float scale, int32_t zero_point) {
#ifdef FAULT_SUBTRACTION_OVERFLOW
  return scale * (float)(int32_t)((uint32_t)code - (uint32_t)zero_point);
#else
  return scale * (float)((int64_t)code - zero_point);
#endif
}

#ifdef FAULT_PLAIN_CHAR  // which has no sign on Arm
#define AS_STORED(CODE) (*(const char*)&(CODE))
#else
#define AS_STORED(CODE) (CODE)
#endif

#ifdef FAULT_STATE  // the scale of an earlier call is good enough until the zero point changes
static float internal_scale(float scale, int32_t zero_point) {
  static float s_scale;
  static int32_t s_zero_point;
  if (s_scale == 0.0f || s_zero_point != zero_point) s_scale = scale;
  s_zero_point = zero_point;
  return s_scale;
}
#else
#define internal_scale(SCALE, ZERO_POINT) (SCALE)
#endif

#ifdef FAULT_NAN_SCALE
#define IS_REFUSED(SCALE) ((SCALE) <= 0.0f)
#else
#define IS_REFUSED(SCALE) (!((SCALE) > 0.0f))
#endif

#ifdef FAULT_OUTPUT_ON_ERROR  // cleared before anything is checked
#define BEFORE_CHECKS(OUT, COUNT) \
  for (size_t i = 0; (OUT) != NULL && i < (COUNT); ++i) (OUT)[i] = 0
#else
#define BEFORE_CHECKS(OUT, COUNT) (void)0
#endif

#if defined FAULT_TAIL_WRITTEN  // fours, whatever the count
#define STORED(COUNT) (((COUNT) + 3) / 4 * 4)
#else
#define STORED(COUNT) (COUNT)
#endif

#ifdef FAULT_TAIL_READ  // fours are fetched, and what is too much is not used
#define FETCH(IN, COUNT) \
  for (size_t i = 0; i < ((COUNT) + 3) / 4 * 4; ++i) (void)*(const volatile uint8_t*)&(IN)[i]
#else
#define FETCH(IN, COUNT) (void)0
#endif

#define QUANTIZE(NAME, OUT, MIN, MAX)                                                        \
  ra8_err_t NAME(const float* in, OUT* out, size_t count, float scale, int32_t zero_point) { \
    BEFORE_CHECKS(out, count);                                                               \
    RA8_CHECK_NULL_PTR(in, s_tag);                                                           \
    RA8_CHECK_NULL_PTR(out, s_tag);                                                          \
    if (IS_REFUSED(scale)) {                                                                 \
      ra8_log_error(s_tag, "scale is not positive");                                         \
      return k_ra8_err_invalid_arg;                                                          \
    }                                                                                        \
    FETCH(in, count);                                                                        \
    const float divisor = internal_scale(scale, zero_point);                                 \
    for (size_t i = 0; i < STORED(count); ++i) {                                             \
      out[i] = (OUT)internal_quantize(in[i < count ? i : 0], divisor, zero_point, MIN, MAX); \
    }                                                                                        \
    return k_ra8_ok;                                                                         \
  }

#define DEQUANTIZE(NAME, IN, CODE)                                                          \
  ra8_err_t NAME(const IN* in, float* out, size_t count, float scale, int32_t zero_point) { \
    BEFORE_CHECKS(out, count);                                                              \
    RA8_CHECK_NULL_PTR(in, s_tag);                                                          \
    RA8_CHECK_NULL_PTR(out, s_tag);                                                         \
    FETCH(in, count);                                                                       \
    for (size_t i = 0; i < STORED(count); ++i) {                                            \
      out[i] = internal_dequantize(CODE(in[i < count ? i : 0]), scale, zero_point);         \
    }                                                                                       \
    return k_ra8_ok;                                                                        \
  }

QUANTIZE(ra8_npu_quantize_i8, int8_t, k_ra8_npu_quant_i8_min, k_ra8_npu_quant_i8_max)
QUANTIZE(ra8_npu_quantize_u8, uint8_t, k_ra8_npu_quant_u8_min, k_ra8_npu_quant_u8_max)
DEQUANTIZE(ra8_npu_dequantize_i8, int8_t, AS_STORED)
DEQUANTIZE(ra8_npu_dequantize_u8, uint8_t, (int32_t))
