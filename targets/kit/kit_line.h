// SPDX-License-Identifier: Apache-2.0
//
// How are numbers and arrays of a protocol line read and written?
//
// Reading works on slices of the line buffer and copies nothing; writing collects in the host's
// answer buffer. Knows no verbs and no keys.

#ifndef HURRAY_KIT_LINE_H
#define HURRAY_KIT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hurray_kit.h"

struct kit_text {
  const uint8_t* at;
  size_t length;
};

// Arrays of elements of 4 or 8 bytes travel little-endian. Byte i of such an array stands at index
// i ^ hurray_kit_swap(4 or 8) in memory.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { kBigEndian = 1 };
#else
enum { kBigEndian = 0 };
#endif
static inline size_t hurray_kit_swap(size_t width) { return kBigEndian ? width - 1 : 0; }

// Takes the text up to the next space off the front of `rest`, spaces before it included. Empty at
// the end.
struct kit_text hurray_kit_next_word(struct kit_text* rest);
// Position of the first `byte` in bytes[from..end), or `end`.
size_t hurray_kit_find(const uint8_t* bytes, size_t from, size_t end, uint8_t byte);
static inline bool hurray_kit_text_is(struct kit_text text, const char* literal) {
  for (size_t i = 0; i < text.length; ++i) {
    if (literal[i] == '\0' || text.at[i] != (uint8_t)literal[i]) return false;
  }
  return literal[text.length] == '\0';
}

// All of the text is the number, else false.
bool hurray_kit_read_unsigned(struct kit_text text, uint64_t largest, uint64_t* value);
bool hurray_kit_read_int32(struct kit_text text, int32_t* value);
bool hurray_kit_read_hex_number(struct kit_text text, size_t digits, uint32_t* value);

// An array of text.length / 2 bytes; `swap` is that of its elements.
bool hurray_kit_read_array(struct kit_text text, uint8_t* bytes, size_t swap);
// Whether `bytes` is still what the text says. The text has been read as an array before.
bool hurray_kit_array_is(struct kit_text text, const uint8_t* bytes, size_t swap);

struct kit_output {
  const struct hurray_kit_host* host;
  size_t used;
  bool failed;  // a write failed: everything further is dropped
};

void hurray_kit_flush(struct kit_output* output);

enum { kRoomBytes = 32 };
// Room for `length` bytes at once, at most kRoomBytes.
static inline uint8_t* hurray_kit_room(struct kit_output* output, size_t length) {
  if (output->host->answer.size - output->used < length) hurray_kit_flush(output);
  uint8_t* at = output->host->answer.bytes + output->used;
  output->used += length;
  return at;
}

// A string literal of at most kRoomBytes.
#define HURRAY_KIT_PUT(output, literal)                                                 \
  ((void)sizeof(char[sizeof("" literal) - 1 <= kRoomBytes ? 1 : -1]),                   \
   (void)__builtin_memcpy(hurray_kit_room((output), sizeof(literal) - 1), ("" literal), \
                          sizeof(literal) - 1))
void hurray_kit_put(struct kit_output* output, const char* text);
void hurray_kit_put_unsigned(struct kit_output* output, uint64_t value);
void hurray_kit_put_int32(struct kit_output* output, int32_t value);
void hurray_kit_put_hex_number(struct kit_output* output, uint32_t value, unsigned digits);
void hurray_kit_put_array(struct kit_output* output, const uint8_t* bytes, size_t length,
                          size_t swap);
// Text from outside: at most 32 characters, everything but visible ASCII as '?'.
void hurray_kit_put_foreign(struct kit_output* output, struct kit_text text);

#endif  // HURRAY_KIT_LINE_H
