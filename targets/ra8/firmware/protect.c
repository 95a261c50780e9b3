// SPDX-License-Identifier: Apache-2.0
//
// How does an access outside the given memory become a fault? By the memory protection unit, which
// allows four regions and nothing else: no default map for privileged code. Handlers of hard faults
// and NMI run without it.

#include "image.h"

static const uint32_t kMpuType = 0xe000ed90;
static const uint32_t kMpuCtrl = 0xe000ed94;
static const uint32_t kMpuRnr = 0xe000ed98;   // number of the region
static const uint32_t kMpuRbar = 0xe000ed9c;  // its base, and who may do what
static const uint32_t kMpuRlar = 0xe000eda0;  // its last 32 bytes, and that it counts
static const uint32_t kMpuMair0 = 0xe000edc0;

enum { kReadOnly = 2u << 1, kReadWrite = 0, kNeverExecute = 1, kEnable = 1 };

static void allow(uint32_t number, const uint8_t* start, const uint8_t* end, uint32_t access) {
  HURRAY_REGISTER(kMpuRnr) = number;
  HURRAY_REGISTER(kMpuRbar) = (uint32_t)start | access;
  HURRAY_REGISTER(kMpuRlar) = ((uint32_t)end - 32) | kEnable;
}

int hurray_protect_memory(void) {
  if ((HURRAY_REGISTER(kMpuType) >> 8 & 0xff) < 4) return -1;
  HURRAY_REGISTER(kMpuMair0) = 0x44;  // attribute 0: normal memory, not cached
  allow(0, hurray_code_start, hurray_code_end, kReadOnly);
  allow(1, hurray_ram_start, hurray_ram_end, kReadWrite | kNeverExecute);
  allow(2, hurray_guarded_input_start, hurray_guarded_input_end, kReadWrite | kNeverExecute);
  allow(3, hurray_guarded_output_start, hurray_guarded_output_end, kReadWrite | kNeverExecute);
  HURRAY_REGISTER(kMpuCtrl) = kEnable;
  hurray_synchronize();
  return 0;
}
