// SPDX-License-Identifier: Apache-2.0
//
// How does M-profile code call Arm semihosting, version 2.0? With the operation in r0, a block of
// words in r1, and the instruction bkpt 0xab.

#include "semihosting.h"

enum {
  kSysOpen = 0x01,
  kSysWrite0 = 0x04,
  kSysWrite = 0x05,
  kSysRead = 0x06,
  kSysExitExtended = 0x20,
  kStoppedByApplication = 0x20026
};

static uint32_t call(uint32_t operation, const void* block) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

int32_t hurray_semihosting_open(const char* name, int mode) {
  size_t length = 0;
  while (name[length] != '\0') ++length;
  const uint32_t block[] = {(uint32_t)name, (uint32_t)mode, (uint32_t)length};
  return (int32_t)call(kSysOpen, block);
}

// Both transfers answer how many bytes were left over.

size_t hurray_semihosting_read(int32_t handle, uint8_t* bytes, size_t capacity) {
  const uint32_t block[] = {(uint32_t)handle, (uint32_t)bytes, (uint32_t)capacity};
  const uint32_t left = call(kSysRead, block);
  return left <= capacity ? capacity - left : 0;
}

int hurray_semihosting_write(int32_t handle, const uint8_t* bytes, size_t length) {
  while (length > 0) {
    const uint32_t block[] = {(uint32_t)handle, (uint32_t)bytes, (uint32_t)length};
    const uint32_t left = call(kSysWrite, block);
    if (left >= length) return -1;
    bytes += length - left;
    length = left;
  }
  return 0;
}

void hurray_semihosting_print(const char* text) { (void)call(kSysWrite0, text); }

_Noreturn void hurray_semihosting_exit(int code) {
  const uint32_t block[] = {kStoppedByApplication, (uint32_t)code};
  for (;;) (void)call(kSysExitExtended, block);
}
