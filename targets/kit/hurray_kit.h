// SPDX-License-Identifier: Apache-2.0
//
// How does a table of functions answer the line protocol (conformance/PROTOCOL.md)?
//
// `hurray_kit_serve` reads request lines from any byte stream, calls the table, and writes answer
// lines. Freestanding C11: no libc beyond the memcpy, memmove, memset and memcmp that a compiler
// may emit itself, no allocation, no floating-point library. The host supplies the stream and the
// memory; what else it supplies decides which call-discipline keys `hello` claims.
// hurray_kit_posix.h is such a host, ready made.

#ifndef HURRAY_KIT_H
#define HURRAY_KIT_H

#include <stddef.h>
#include <stdint.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hurray_kit_memory {
  uint8_t* bytes;  // any alignment
  size_t size;     // 0: not available
};

// Smallest line buffer that the protocol allows.
#define HURRAY_KIT_LEAST_LINE 4096u

// Floating-point environments that `enter_fenv` is asked for.
#define HURRAY_KIT_FENV_NEAREST 0  // the default environment
#define HURRAY_KIT_FENV_UPWARD 1
#define HURRAY_KIT_FENV_DOWNWARD 2
#define HURRAY_KIT_FENV_TOWARD_ZERO 3
#define HURRAY_KIT_FENV_FLUSH 4  // subnormal operands and results to zero

// The largest number of threads that `run_threads` is asked for.
#define HURRAY_KIT_MOST_THREADS 16u

// One turn of the thread with this index. Non-zero: a difference was found, all threads may end.
typedef int (*hurray_kit_turn)(void* argument, unsigned index);

// Owned by the caller and unchanged while `hurray_kit_serve` runs. `context` is handed to every
// function and not looked at.
struct hurray_kit_host {
  void* context;

  // Waits until there is at least one byte and reads at most `capacity` of them. Returns how many
  // were read, 0 at the end of input, below 0 on an error.
  long (*read)(void* context, uint8_t* bytes, size_t capacity);
  // Writes all of `bytes`. Returns 0, or non-zero on an error.
  int (*write)(void* context, const uint8_t* bytes, size_t length);

  struct hurray_kit_memory line;    // requests; its size is what `hello` answers as max_line
  struct hurray_kit_memory answer;  // answers collect here; longer ones are written in pieces
  // The buffers that the target sees, each between red zones of 64 bytes. What does not fit is
  // answered `unsupported`; 256 bytes each suffice for descriptors, 16 KiB and their data for
  // tensors, and an output of 132 KiB claims `capacity`, 6 MiB of both `repeat`, 27 MiB of both
  // `repeat.large`. `threads` needs room for one more input and, per thread, for one more output.
  struct hurray_kit_memory input;
  struct hurray_kit_memory output;

  // Optional, both or none (size 0): memory directly behind whose last byte, and directly before
  // whose first byte, an access is a crash. Both ends aligned to 64 bytes. Claims `guard`.
  struct hurray_kit_memory guarded_input;
  struct hurray_kit_memory guarded_output;

  // Optional, with guarded memory. Lets `guarded_input` be only read (is_read_only 1) or be written
  // again (0). Returns 0, or non-zero if that cannot be done. Claims `guard.input`.
  int (*protect_input)(void* context, int is_read_only);

  // Optional, both or none. Claims `fenv`.
  //   enter_fenv  sets HURRAY_KIT_FENV_…; non-zero: this host cannot, and nothing was changed
  //   leave_fenv  restores the environment that the program was started with; returns 1 if the
  //               mode was still the one set, else 0
  int (*enter_fenv)(void* context, int mode);
  int (*leave_fenv)(void* context);

  // Optional. Runs `turn` in `threads` threads at once, 2 to HURRAY_KIT_MOST_THREADS, again and
  // again, until every thread has had at least 64 turns or one turn returned non-zero. Returns 0,
  // or non-zero if threads cannot be started. Claims `threads`.
  int (*run_threads)(void* context, unsigned threads, hurray_kit_turn turn, void* argument);
};

#define HURRAY_KIT_OK 0            // end of input
#define HURRAY_KIT_READ_FAILED 1   // the host's read reported an error
#define HURRAY_KIT_WRITE_FAILED 2  // the host's write reported an error
// No table or one of another version (HURRAY_TARGET_ABI), a stream function missing, or too little
// memory.
#define HURRAY_KIT_BAD_SETUP 3

// Answers requests until the input ends or fails. Every line gets exactly one answer, in order;
// a line that the input ends without completing gets none. Answers are written when no complete
// request waits in `line`, or when `answer` is full.
int hurray_kit_serve(const struct hurray_target* target, const struct hurray_kit_host* host);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_KIT_H
