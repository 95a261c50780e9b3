// SPDX-License-Identifier: Apache-2.0
//
// Serves `hurray_target` on two files of the host, `request` and `answer` in QEMU's working
// directory. Meant to be FIFOs: `request` is opened first, and each waits for its other end. The
// guest ends, and QEMU with it, at the end of the requests.

#include "hurray_kit.h"
#include "image.h"
#include "modes.h"
#include "semihosting.h"

enum {
  kLineBytes = 640 << 10,  // more floats than 16 bits count
  kAnswerBytes = 1 << 16,
  kInputBytes = 320 << 10,  // what a line holds
  kOutputBytes = 320 << 10  // as many floats
};

static uint8_t line[kLineBytes], answer[kAnswerBytes];
static uint8_t input[kInputBytes], output[kOutputBytes];

static int32_t request_file, answer_file;

static long read_some(void* context, uint8_t* bytes, size_t capacity) {
  (void)context;
  // QEMU allocates what a read could return; beyond this it would ask its system for it each time.
  enum { kMostBytes = 1 << 14 };
  return (long)hurray_semihosting_read(request_file, bytes,
                                       capacity < kMostBytes ? capacity : kMostBytes);
}

static int write_all(void* context, const uint8_t* bytes, size_t length) {
  (void)context;
  return hurray_semihosting_write(answer_file, bytes, length);
}

static struct hurray_kit_memory between(uint8_t* start, const uint8_t* end) {
  return (struct hurray_kit_memory){start, (size_t)(end - start)};
}

_Noreturn static void end(int code, const char* why) {
  hurray_semihosting_print(why);
  hurray_semihosting_exit(code);
}

int main(void) {
  if (hurray_protect_memory() != 0) end(kExitBadSetup, "firmware: no memory protection here\n");
  request_file = hurray_semihosting_open("request", kSemihostingRead);
  if (request_file < 0) end(kExitBadSetup, "firmware: cannot open the file request\n");
  answer_file = hurray_semihosting_open("answer", kSemihostingWrite);
  if (answer_file < 0) end(kExitBadSetup, "firmware: cannot open the file answer\n");

  const struct hurray_kit_host host = {
    .read = read_some,
    .write = write_all,
    .line = {line, sizeof line},
    .answer = {answer, sizeof answer},
    .input = {input, sizeof input},
    .output = {output, sizeof output},
    .guarded_input = between(hurray_guarded_input_start, hurray_guarded_input_end),
    .guarded_output = between(hurray_guarded_output_start, hurray_guarded_output_end),
#if defined(__ARM_FP)
    .enter_fenv = hurray_firmware_enter_fenv,
    .leave_fenv = hurray_firmware_leave_fenv,
#endif
  };
  switch (hurray_kit_serve(&HURRAY_TARGET_SYMBOL, &host)) {
    case HURRAY_KIT_OK:
      hurray_semihosting_exit(kExitEndOfInput);
    case HURRAY_KIT_BAD_SETUP:
      end(kExitBadSetup, "firmware: the target's table is empty or of another version\n");
    default:
      end(kExitStreamFailed, "firmware: requests or answers cannot be transferred\n");
  }
}
