// SPDX-License-Identifier: Apache-2.0
//
// Sets another floating-point environment when the program starts. Libraries do that to whoever
// loads them if they were linked with -ffast-math (this file is not: it is the fault by hand). The
// rest of the program is scalar.
//   FAULT_ROUNDING  argument of fesetround
//   FAULT_MXCSR     bits to set in the control register of x86 (8000 flushes results, 0040
//   operands)

#include <fenv.h>

#ifdef FAULT_MXCSR
#include <immintrin.h>
#endif

static void set_environment(void) __attribute__((constructor));

static void set_environment(void) {
#ifdef FAULT_ROUNDING
  fesetround(FAULT_ROUNDING);
#endif
#ifdef FAULT_MXCSR
  _mm_setcsr(_mm_getcsr() | FAULT_MXCSR);
#endif
}
