// SPDX-License-Identifier: Apache-2.0
//
// What happens between reset and main? The floating-point unit is switched on before any compiled
// code can use it, the stack gets its limit, .data and .bss their values, faults their handler.

#include "image.h"

static const uint32_t kVtor = 0xe000ed08;   // where the vector table lies
static const uint32_t kShcsr = 0xe000ed24;  // which faults have handlers of their own
#if defined(__ARM_FP)
static const uint32_t kFpccr = 0xe000ef34;   // what an exception saves of the floating-point unit
static const uint32_t kFpdscr = 0xe000ef3c;  // floating-point modes of a new context
#endif

void hurray_reset(void);
_Noreturn void hurray_start(void);

// Indices are exception numbers. hurray_stack_top is data, but this array is of functions.
extern void hurray_initial_stack(void);
__attribute__((section(".vectors"), used)) void (*const hurray_vectors[16])(void) = {
    hurray_initial_stack, hurray_reset,
    hurray_fault,  // 2 NMI
    hurray_fault,  // 3 hard fault
    hurray_fault,  // 4 memory management
    hurray_fault,  // 5 bus
    hurray_fault,  // 6 usage
    hurray_fault,  // 7 secure
    hurray_fault,         hurray_fault, hurray_fault,
    hurray_fault,  // 11 supervisor call
    hurray_fault,  // 12 debug monitor
    hurray_fault,
    hurray_fault,  // 14 PendSV
    hurray_fault,  // 15 SysTick
};

// In assembly, because a compiler may use the unit, or Helium, for anything. Without hardware
// floats it stays off: an instruction that needs it is a usage fault.
__attribute__((naked)) void hurray_reset(void) {
  __asm__ volatile(
#if defined(__ARM_FP)
      "movw r0, #0xed88\n\t"  // CPACR
      "movt r0, #0xe000\n\t"
      "ldr r1, [r0]\n\t"
      "orr r1, r1, #0x00f00000\n\t"
      "str r1, [r0]\n\t"
      "dsb\n\t"
      "isb\n\t"
#endif
      "movw r0, #:lower16:hurray_stack_limit\n\t"
      "movt r0, #:upper16:hurray_stack_limit\n\t"
      "msr msplim, r0\n\t"
      "b hurray_start");
}

_Noreturn void hurray_start(void) {
  const uint32_t* from = hurray_data_load;
  for (uint32_t* to = hurray_data_start; to != hurray_data_end;) *to++ = *from++;
  for (uint32_t* to = hurray_bss_start; to != hurray_bss_end;) *to++ = 0;

  HURRAY_REGISTER(kVtor) = (uint32_t)hurray_vectors;
  HURRAY_REGISTER(kShcsr) |= 0xfu << 16;  // memory management, bus, usage, secure
#if defined(__ARM_FP)
  // A fault saves floating-point registers at once or not at all: never lazily, on a stack that may
  // be what is broken.
  HURRAY_REGISTER(kFpccr) &= ~(1u << 30);
  // Nearest-even, subnormals kept, NaN payloads kept; the vector length field stays as it is.
  HURRAY_REGISTER(kFpdscr) &= 0x00070000u;
  uint32_t fpscr;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(fpscr));
  fpscr &= 0x00070000u;
  __asm__ volatile("vmsr fpscr, %0" ::"r"(fpscr));
#endif
  hurray_synchronize();

  for (void (*const* each)(void) = hurray_constructors_start; each != hurray_constructors_end;)
    (*each++)();
  (void)main();
  for (;;) hurray_fault();
}
