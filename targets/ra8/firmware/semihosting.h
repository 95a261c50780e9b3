// SPDX-License-Identifier: Apache-2.0
//
// What does the image ask of the machine that runs it? Files, a line to its standard error, and the
// end, by Arm's semihosting calls. QEMU answers them with -semihosting-config
// enable=on,target=native; file names are relative to its working directory.

#ifndef HURRAY_FIRMWARE_SEMIHOSTING_H
#define HURRAY_FIRMWARE_SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

enum { kSemihostingRead = 1, kSemihostingWrite = 5 };  // "rb", "wb"

// Exit codes of the image, which become those of QEMU. A fault adds the number of its exception
// to kExitFault: 66 NMI, 67 hard fault, 68 memory management, 69 bus, 70 usage, 71 secure fault.
enum { kExitEndOfInput = 0, kExitStreamFailed = 1, kExitBadSetup = 2, kExitFault = 64 };

// Returns a handle, below 0 if the file cannot be opened. A FIFO waits for its other end.
int32_t hurray_semihosting_open(const char* name, int mode);

// Waits for at least one byte and reads at most `capacity`. Returns the number read; 0 at the end
// of the file and on an error alike.
size_t hurray_semihosting_read(int32_t handle, uint8_t* bytes, size_t capacity);

// Writes all of `bytes`. Returns 0, or -1 if the other end is gone.
int hurray_semihosting_write(int32_t handle, const uint8_t* bytes, size_t length);

void hurray_semihosting_print(const char* text);

_Noreturn void hurray_semihosting_exit(int code);

#endif  // HURRAY_FIRMWARE_SEMIHOSTING_H
