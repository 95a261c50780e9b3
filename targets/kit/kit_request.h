// SPDX-License-Identifier: Apache-2.0
//
// What does a request line ask? Id, verb and keys, read strictly.
//
// Arrays stay text here: whoever knows where they go reads their digits.

#ifndef HURRAY_KIT_REQUEST_H
#define HURRAY_KIT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "kit_keys.h"
#include "kit_line.h"

enum kit_ra8_function { kQuantizeI8, kQuantizeU8, kDequantizeI8, kDequantizeU8 };
enum kit_guard { kGuardNone, kGuardAfter, kGuardBefore, kGuardOutput, kGuardInput };
enum { kNullIn = 1, kNullOut = 2 };
enum { kStrided = 3 };      // the layout that has strides
enum { kMostOffset = 63 };  // of in_off and out_off
// Of `repeat`: the most that can be asked, and the bytes that each array may come to, of hosts that
// claim `repeat`, and of those that claim `repeat.large`.
enum { kMostRepeat = 1 << 17, kRepeatedBytes = 5 << 20, kLargeRepeatedBytes = 26 << 20 };
// Of an encoder's output: what it gets unless it is asked, and the most that can be asked.
enum { kUsualCapacity = 64, kMostCapacity = 1 << 17 };

struct kit_request {
  uint32_t id;  // 0 if the line has none
  enum kit_verb verb;
  uint64_t present;  // bit per kit_key

  uint64_t version;
  uint8_t type;
  uint8_t scheme;
  uint32_t scale_bits;
  int32_t zero_point;
  uint64_t count;
  uint32_t bits;
  int32_t bias;
  unsigned high_field_first;
  enum kit_ra8_function function;
  bool dequantizes;       // op=dequantize of a sweep
  uint32_t first;         // bits of the first float, or the first code, of a sweep
  struct kit_text array;  // hexadecimal, not yet read; of a verb that takes one at most

  // Fields of a quantization descriptor, and of a tensor.
  uint32_t flags;
  uint32_t axis;
  uint32_t block_size;
  uint32_t scale_buffer_index;
  uint32_t zero_point_buffer_index;
  uint8_t scale_type_tag;
  uint8_t layout;
  uint8_t member_role;
  uint64_t byte_offset;
  // Of a foreign tensor.
  uint32_t group_size;
  uint32_t group_major;
  uint32_t word_bytes;

  unsigned in_off, out_off;
  unsigned capacity;  // what an encoder may write, in bytes
  uint8_t fill;
  enum kit_guard guard;
  unsigned null;
  int fenv;
  unsigned threads;
  unsigned repeat;  // times that the arrays are laid end to end

  const char* refusal;  // why this is answered `unsupported`, or NULL
  struct kit_text culprit;

  // As `array`, of verbs that take several, by key. Read only those that are present.
  struct kit_text arrays[kArrayTotal];
};

static inline bool kit_has(const struct kit_request* request, enum kit_key key) {
  return (request->present >> key & 1u) != 0;
}

// The text of an array from kFirstArray on; empty if it is not present.
static inline struct kit_text kit_array(const struct kit_request* request, unsigned key) {
  if ((request->present >> key & 1u) == 0) return (struct kit_text){NULL, 0};
  return request->arrays[key - kFirstArray];
}

// A buffer's value other than an array: `null`, or `none:` and a number of bytes.
enum { kMostUntouchable = 4096 };
static inline bool kit_is_null(struct kit_text text) { return hurray_kit_text_is(text, "null"); }
bool hurray_kit_is_untouchable(struct kit_text text, uint64_t* bytes);

// Reads the line without its newline. Look at `refusal` first; `id` is valid in any case.
void hurray_kit_read_request(struct kit_text line, struct kit_request* request);
// The id alone, from a line of which only the beginning is known; 0 if it has none.
uint32_t hurray_kit_read_id(struct kit_text line);

#endif  // HURRAY_KIT_REQUEST_H
