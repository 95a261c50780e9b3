// SPDX-License-Identifier: Apache-2.0
//
// How is a floating-point environment set, and was it kept?
//
// On x86 the control bits of both units are compared: rounding, exception masks, precision, and
// flushing of subnormals; and no register of the old unit may be taken, as they are after MMX
// instructions without an emms. On 64-bit Arm the control bits of its one. Elsewhere the rounding
// direction alone, and `flush` is not available, but for processors that have no such mode: a
// caller cannot have set it there, so that it is the default environment.

#include <fenv.h>

#include "kit_posix_calls.h"

#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#define KIT_X86 1
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define KIT_ARM64 1
static uint64_t read_fpcr(void) {
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
#endif

// Set by enter, compared by leave, both in the one thread that serves.
static _Thread_local uint32_t entered;

// The environment that the program was started with, which leave returns to: code that runs at
// start-up may have set another one than the default, and then that is what the target computes in.
static _Thread_local fenv_t started_with;
static _Thread_local int is_started;

// The control bits of the environment, as one number.
static uint32_t control(void) {
#if defined(KIT_X86)
  uint16_t x87;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  const uint32_t exception_flags = 0x3f;
  return (_mm_getcsr() & 0xffffu & ~exception_flags) << 16 | x87;
#elif defined(KIT_ARM64)
  return (uint32_t)read_fpcr();
#else
  return (uint32_t)fegetround();
#endif
}

// Frees the registers of the old unit, and says whether all were free, as every calling convention
// wants them.
static int free_x87_registers(void) {
#if defined(KIT_X86)
  struct {
    uint16_t control, reserved, status, reserved_too, tags, reserved_again;
    uint32_t pointers[4];
  } unit;
  const uint16_t all_free = 0xffff;
  __asm__ volatile("fnstenv %0" : "=m"(unit));
  const int are_free = unit.tags == all_free;
  unit.tags = all_free;
  __asm__ volatile("fldenv %0" : : "m"(unit));  // fnstenv has masked the exceptions
  return are_free;
#else
  return 1;
#endif
}

// Non-zero if this host does not have the mode.
static int set_rounding(int mode) {
  switch (mode) {
    case HURRAY_KIT_FENV_NEAREST:
      return 0;
#if defined(FE_UPWARD)
    case HURRAY_KIT_FENV_UPWARD:
      return fesetround(FE_UPWARD);
#endif
#if defined(FE_DOWNWARD)
    case HURRAY_KIT_FENV_DOWNWARD:
      return fesetround(FE_DOWNWARD);
#endif
#if defined(FE_TOWARDZERO)
    case HURRAY_KIT_FENV_TOWARD_ZERO:
      return fesetround(FE_TOWARDZERO);
#endif
#if defined(KIT_X86)
    case HURRAY_KIT_FENV_FLUSH: {
      const unsigned flush_results = 0x8000u;
      const unsigned flush_operands = 0x0040u;
      _mm_setcsr(_mm_getcsr() | flush_results | flush_operands);
      return 0;
    }
#elif defined(KIT_ARM64)
    case HURRAY_KIT_FENV_FLUSH: {
      const uint64_t flush_operands_and_results = (uint64_t)1 << 24;
      __asm__ volatile("msr fpcr, %0" : : "r"(read_fpcr() | flush_operands_and_results));
      return 0;
    }
#elif defined(__s390x__)
    case HURRAY_KIT_FENV_FLUSH:
      return 0;
#endif
    default:
      return -1;
  }
}

void hurray_kit_posix_keep_fenv(void) { is_started = fegetenv(&started_with) == 0; }

int hurray_kit_posix_enter_fenv(void* context, int mode) {
  (void)context;
  fenv_t before;
  fegetenv(&before);
  fesetenv(FE_DFL_ENV);
  if (set_rounding(mode) != 0) {
    fesetenv(&before);
    return -1;
  }
  (void)free_x87_registers();  // what an earlier call left is not this one's
  entered = control();
  return 0;
}

int hurray_kit_posix_leave_fenv(void* context) {
  (void)context;
  const int kept = free_x87_registers() && control() == entered;
  fesetenv(is_started ? &started_with : FE_DFL_ENV);
  return kept;
}
