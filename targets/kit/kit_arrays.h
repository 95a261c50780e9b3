// SPDX-License-Identifier: Apache-2.0
//
// Where do the arrays of a request lie that has several?
//
// One after the other in the host's memory, each at a boundary and between red zones of its own.

#ifndef HURRAY_KIT_ARRAYS_H
#define HURRAY_KIT_ARRAYS_H

#include "kit_buffers.h"

// Memory that is given away from its start.
struct kit_arena {
  struct hurray_kit_memory memory;
  size_t used;
};

// Takes `length` bytes `offset` bytes past the next boundary, and sets their red zones to `fill`.
// False if they do not fit.
bool hurray_kit_take_at(struct kit_arena* arena, size_t offset, size_t length, uint8_t fill,
                        struct kit_buffer* buffer);
// The same at a boundary.
bool hurray_kit_take(struct kit_arena* arena, size_t length, uint8_t fill,
                     struct kit_buffer* buffer);

enum { kMostArrays = kMostBuffers + 1 };

struct kit_arrays {
  struct kit_arena arena;
  uint8_t fill;
  unsigned offset;  // of arrays of bytes, past their boundaries
  unsigned count;
  struct kit_buffer buffers[kMostArrays];
  struct kit_text texts[kMostArrays];
  size_t widths[kMostArrays];
};

// Begins in `memory`, from its start.
void hurray_kit_start_arrays(struct kit_arrays* arrays, struct hurray_kit_memory memory,
                             uint8_t fill);

// Places the array of the text, whose elements have `width` bytes. Returns NULL or the refusal.
const char* hurray_kit_place_array(struct kit_arrays* arrays, struct kit_text text, size_t width,
                                   const uint8_t** bytes);

// The same for bytes at one end of guarded memory.
const char* hurray_kit_place_guarded(struct kit_arrays* arrays,
                                     const struct hurray_kit_memory* guarded, enum kit_guard guard,
                                     struct kit_text text, const uint8_t** bytes);

// Where inputs lie that several of a request lie beside: with `guard=input` in the memory that can
// be made read-only. Size 0: this host has none.
struct hurray_kit_memory hurray_kit_input_memory(const struct hurray_kit_host* host,
                                                 const struct kit_request* request);
// With `guard=input`, makes that memory read-only for a call, and writable behind it. Returns NULL
// or the refusal.
const char* hurray_kit_protect_input(const struct hurray_kit_host* host,
                                     const struct kit_request* request, bool is_read_only);

// Whether a byte of an array, or beside one, is another than before.
bool hurray_kit_arrays_changed(const struct kit_arrays* arrays);

// The byte that outputs are filled with: the one asked for, or else another for each id, so that
// elements left unwritten show.
uint8_t hurray_kit_fill_of(const struct kit_request* request);

#endif  // HURRAY_KIT_ARRAYS_H
