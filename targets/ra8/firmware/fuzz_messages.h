// SPDX-License-Identifier: Apache-2.0
//
// What do a fuzzer and the image that it fuzzes say to each other? One call a message, both ways
// little-endian and without text: a request with its input, then an answer with the output and the
// counters of the code that ran. Used by fuzz.c in the guest and by fuzz/fuzz_firmware_guest.cpp.
// Not a protocol for others: both ends come from one build, and `version` says so.

#ifndef HURRAY_FIRMWARE_FUZZ_MESSAGES_H
#define HURRAY_FIRMWARE_FUZZ_MESSAGES_H

#include <stdint.h>

#define HURRAY_FUZZ_VERSION 1u

// The guest reads requests from, and writes answers to, these files of the emulator's process.
#define HURRAY_FUZZ_REQUESTS "/proc/self/fd/0"
#define HURRAY_FUZZ_ANSWERS "/proc/self/fd/1"

#define HURRAY_FUZZ_MOST_INPUT 16384u
#define HURRAY_FUZZ_MOST_OUTPUT 65536u
#define HURRAY_FUZZ_FILL 0xa5u  // outputs, and what is around them, before a call

enum {
  HURRAY_FUZZ_HELLO = 1,  // the output is a hurray_fuzz_hello
  HURRAY_FUZZ_DECODE,     // the output is a hurray_descriptor
  HURRAY_FUZZ_ENCODE,     // the input is one
  HURRAY_FUZZ_DEQUANTIZE,
  HURRAY_FUZZ_QUANTIZE,
  HURRAY_FUZZ_RA8_QUANTIZE_I8,  // the result is a result code
  HURRAY_FUZZ_RA8_DEQUANTIZE_I8,
  HURRAY_FUZZ_RA8_QUANTIZE_U8,
  HURRAY_FUZZ_RA8_DEQUANTIZE_U8
};

// Where an array lies: so many bytes before a page that cannot be touched, or right behind one.
#define HURRAY_FUZZ_AT_START 255u

struct hurray_fuzz_request {
  uint32_t bytes;  // of this and the input
  uint8_t operation;
  uint8_t type_tag;
  uint8_t in_place;
  uint8_t out_place;
  float scale;
  int32_t zero_point;
  uint32_t count;
  uint32_t in_bytes;  // follow
  uint32_t out_bytes;
};

// The call changed its input, or bytes around its output.
#define HURRAY_FUZZ_CHANGES_INPUT 1u
#define HURRAY_FUZZ_WRITES_IN_FRONT 2u
#define HURRAY_FUZZ_WRITES_BEHIND 4u

struct hurray_fuzz_answer {
  uint32_t bytes;  // of this and all that follows
  int32_t result;
  uint32_t written;  // encode; all ones: not set
  uint32_t flags;
  uint32_t out_bytes;  // follow, up to the next multiple of four; 0: the output is as it was filled
  // Then the counters: a bit for each word of four, the first word in the lowest bit, and those
  // words that are not zero.
  uint32_t counter_words;
};

struct hurray_fuzz_hello {
  uint32_t version;
  uint32_t contracts;  // what follows is that of struct hurray_target
  uint32_t schemes;
  uint32_t modes;
  uint32_t decode_types;
  uint32_t encode_types;
  uint32_t dequantize_types;
  uint32_t quantize_types;
  uint32_t operations;  // bit n: operation n can be called
};

#endif  // HURRAY_FIRMWARE_FUZZ_MESSAGES_H
