// SPDX-License-Identifier: Apache-2.0
//
// How is one operation of the table called, alone, from many threads at once, and for very many
// elements?

#ifndef HURRAY_KIT_CALL_H
#define HURRAY_KIT_CALL_H

#include "kit_buffers.h"

// One call with everything it needs. `in` and `out` are what the function gets, NULL included.
struct kit_call {
  const struct hurray_target* target;
  enum kit_verb verb;
  enum kit_ra8_function function;
  uint8_t type;
  float scale;
  int32_t zero_point;
  struct hurray_zero_point_format format;
  const void* in;
  void* out;
  size_t in_bytes;
  size_t out_bytes;
  size_t count;
  uint64_t wide_count;  // the same for packed_bytes, which counts what no memory holds
  size_t width_in;      // bytes of one element of `in`

  int32_t result;  // status, or the code of an ra8 function
  size_t written;  // encode
};

// What `written` holds before a call, and afterwards if the target did not set it.
#define kNothingWritten SIZE_MAX

// Calls the function, which is not NULL, and sets `result` and `written`.
void hurray_kit_call(struct kit_call* call);

// Repeats `call`, which has been made alone, in `threads` threads: every even one with the same
// parameters, every odd one with others. `spare_in` and `spare_out` are free memory. If an even
// thread got another result or other bytes, `call` becomes that thread's call. Before each call its
// output is set to `fill`. Returns NULL, or why it was not done.
const char* hurray_kit_call_in_threads(const struct hurray_kit_host* host, struct kit_call* call,
                                       unsigned threads, uint8_t fill,
                                       struct hurray_kit_memory spare_in,
                                       struct hurray_kit_memory spare_out);

// Makes `call`, which has been made alone, for its arrays laid `times` times end to end. If one of
// the parts of the result is another than that of the call alone, `call` becomes the call of that
// part. The rest is as above.
const char* hurray_kit_call_repeated(struct kit_call* call, unsigned times, uint8_t fill,
                                     struct hurray_kit_memory spare_in,
                                     struct hurray_kit_memory spare_out);

#endif  // HURRAY_KIT_CALL_H
