// SPDX-License-Identifier: Apache-2.0
//
// How is a floating-point environment set on a Cortex-M, and was it kept? Through FPSCR, of which
// everything but the flags is compared. Scalar instructions follow it; Helium's always round to
// nearest and flush subnormals.

#include "modes.h"

#include <stdint.h>

#include "hurray_kit.h"

#if defined(__ARM_FP)

enum {
  kRoundingShift = 22,  // 0 nearest, 1 towards +infinity, 2 towards -infinity, 3 towards zero
  kFlush = 1 << 24
};
// Conditions and the six sticky exceptions.
static const uint32_t kFlags = 0xf800009fu;
// How many elements a predicated loop handles: 4 outside of such loops, and never ours to change.
static const uint32_t kVectorLength = 0x00070000u;

static uint32_t entered;

static uint32_t get(void) {
  uint32_t fpscr;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(fpscr)::"memory");
  return fpscr;
}

static void set(uint32_t fpscr) { __asm__ volatile("vmsr fpscr, %0" ::"r"(fpscr) : "memory"); }

int hurray_firmware_enter_fenv(void* context, int mode) {
  (void)context;
  uint32_t bits;
  switch (mode) {
    case HURRAY_KIT_FENV_NEAREST:
      bits = 0;
      break;
    case HURRAY_KIT_FENV_UPWARD:
      bits = 1u << kRoundingShift;
      break;
    case HURRAY_KIT_FENV_DOWNWARD:
      bits = 2u << kRoundingShift;
      break;
    case HURRAY_KIT_FENV_TOWARD_ZERO:
      bits = 3u << kRoundingShift;
      break;
    case HURRAY_KIT_FENV_FLUSH:
      bits = kFlush;
      break;
    default:
      return -1;
  }
  set((get() & kVectorLength) | bits);
  entered = get() & ~kFlags;
  return 0;
}

int hurray_firmware_leave_fenv(void* context) {
  (void)context;
  const int kept = (get() & ~kFlags) == entered;
  set(entered & kVectorLength);
  return kept;
}

#endif
