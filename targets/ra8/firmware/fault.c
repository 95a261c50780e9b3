// SPDX-License-Identifier: Apache-2.0
//
// What does a fault leave behind? One line on the standard error of the host, and an exit code:
//   fault: memory management, data access, address 21021000, pc 00001234, lr 00000f01,
//     cfsr 00000082, hfsr 00000000, mmfar 21021000, bfar 00000000
// (in one line). What is not known is left out. Runs on a stack of its own, because the one that
// there was may be the reason.

#include <stdbool.h>
#include <stddef.h>

#include "image.h"
#include "semihosting.h"

static const uint32_t kCfsr = 0xe000ed28;  // what memory-management, bus and usage faults found
static const uint32_t kHfsr = 0xe000ed2c;
static const uint32_t kMmfar = 0xe000ed34;
static const uint32_t kBfar = 0xe000ed38;
static const uint32_t kSfsr = 0xe000ede4;  // secure faults
static const uint32_t kSfar = 0xe000ede8;

enum {
  kMmfarValid = 1 << 7,
  kBfarValid = 1 << 15,
  kSfarValid = 1 << 6,
  // Stacking failed or found no room: what lies at the stack pointer is not the frame.
  kFrameLost = 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13 | 1 << 20
};

// Bits of the configurable fault status register, most telling first.
static const struct {
  uint8_t bit;
  const char* cause;
} kCauses[] = {
    {20, "stack overflow"},
    {0, "instruction access"},
    {1, "data access"},
    {3, "unstacking"},
    {4, "stacking"},
    {5, "saving floating point"},
    {8, "instruction access"},
    {9, "data access"},
    {10, "imprecise data access"},
    {11, "unstacking"},
    {12, "stacking"},
    {13, "saving floating point"},
    {16, "undefined instruction"},
    {17, "invalid state"},
    {18, "invalid return"},
    {19, "no such unit"},
    {24, "unaligned access"},
    {25, "division by zero"},
};

static const char* name_of(uint32_t exception) {
  static const char* const names[] = {
      NULL,    NULL,          "non-maskable interrupt", "hard fault", "memory management", "bus",
      "usage", "secure fault"};
  return exception >= 2 && exception < 8 ? names[exception] : "unexpected exception";
}

static char line[256];
static size_t used;

static void put(const char* text) {
  while (*text != '\0' && used + 1 < sizeof line) line[used++] = *text++;
}

static void put_register(const char* name, uint32_t value) {
  put(", ");
  put(name);
  put(" ");
  for (int shift = 28; shift >= 0; shift -= 4) {
    const char digit[2] = {"0123456789abcdef"[value >> shift & 15], '\0'};
    put(digit);
  }
}

// `frame` is the stack pointer after the exception was taken: r0 to r3, r12, lr, pc, xpsr.
_Noreturn void hurray_report_fault(const uint32_t* frame, uint32_t exception);
_Noreturn void hurray_report_fault(const uint32_t* frame, uint32_t exception) {
  const uint32_t cfsr = HURRAY_REGISTER(kCfsr);
  const uint32_t hfsr = HURRAY_REGISTER(kHfsr);
  const uint32_t mmfar = HURRAY_REGISTER(kMmfar);
  const uint32_t bfar = HURRAY_REGISTER(kBfar);
  const uint32_t sfsr = HURRAY_REGISTER(kSfsr);

  used = 0;
  put("fault: ");
  put(name_of(exception));
  for (size_t i = 0; i < sizeof kCauses / sizeof kCauses[0]; ++i) {
    if ((cfsr >> kCauses[i].bit & 1) == 0) continue;
    put(", ");
    put(kCauses[i].cause);
    break;
  }
  if ((cfsr & kMmfarValid) != 0) {
    put_register("address", mmfar);
  } else if ((cfsr & kBfarValid) != 0) {
    put_register("address", bfar);
  } else if ((sfsr & kSfarValid) != 0) {
    put_register("address", HURRAY_REGISTER(kSfar));
  }
  const uint8_t* const bytes = (const uint8_t*)frame;
  const bool in_stack = bytes >= hurray_stack_limit && bytes + 32 <= hurray_stack_top;
  if ((cfsr & kFrameLost) == 0 && in_stack) {
    put_register("pc", frame[6]);
    put_register("lr", frame[5]);
  }
  put_register("cfsr", cfsr);
  put_register("hfsr", hfsr);
  if (sfsr != 0) put_register("sfsr", sfsr);
  put_register("mmfar", mmfar);
  put_register("bfar", bfar);
  put("\n");
  line[used] = '\0';
  hurray_semihosting_print(line);
  hurray_semihosting_exit(kExitFault + (int)exception);
}

__attribute__((naked)) void hurray_fault(void) {
  __asm__ volatile(
      "mrs r0, msp\n\t"
      "movs r1, #0\n\t"
      "msr msplim, r1\n\t"
      "movw r1, #:lower16:hurray_fault_stack_top\n\t"
      "movt r1, #:upper16:hurray_fault_stack_top\n\t"
      "mov sp, r1\n\t"
      "mrs r1, ipsr\n\t"
      "b hurray_report_fault");
}
