// SPDX-License-Identifier: Apache-2.0
//
// Where do the target's input and output lie, and did anything around them change?
//
// A buffer stands between red zones, at a chosen distance from a 64-byte boundary, or with one end
// at the end of the accessible memory and a red zone at the other.

#ifndef HURRAY_KIT_BUFFERS_H
#define HURRAY_KIT_BUFFERS_H

#include "kit_request.h"

enum { kRedZoneBytes = 64, kBoundaryBytes = 64 };

struct kit_buffer {
  uint8_t* bytes;
  size_t length;
  size_t red_before;  // 0 where inaccessible memory begins
  size_t red_behind;
};

// Whether a buffer of `length` bytes can be placed, wherever the memory begins, at any offset.
bool hurray_kit_has_room(const struct hurray_kit_memory* memory, size_t length);

// Places `length` bytes in `open` memory `offset` bytes past a boundary, or, with a guard, at the
// end or start of `guarded`. False if they do not fit.
bool hurray_kit_place(const struct hurray_kit_memory* open, const struct hurray_kit_memory* guarded,
                      enum kit_guard guard, size_t length, size_t offset,
                      struct kit_buffer* buffer);

// Sets the red zones, and nothing else, to `byte`.
void hurray_kit_paint_red_zones(const struct kit_buffer* buffer, uint8_t byte);

// Number of bytes that are not `byte`.
uint32_t hurray_kit_count_other(const uint8_t* bytes, size_t length, uint8_t byte);
uint32_t hurray_kit_count_under(const struct kit_buffer* buffer, uint8_t byte);
uint32_t hurray_kit_count_over(const struct kit_buffer* buffer, uint8_t byte);

// What a call did to bytes that it had no business with.
struct kit_changes {
  uint32_t under;  // bytes before an output
  uint32_t over;   // and behind it
  bool in_changed;
  uint32_t changed;  // bytes of outputs: a fault in a call that refused
};

// Adds an output that was filled with `fill`, as were its red zones.
void hurray_kit_add_output(struct kit_changes* changes, const struct kit_buffer* out, uint8_t fill);

// Writes ` under=… over=… in_changed=…`, of a refusal also ` changed=…`.
void hurray_kit_put_changes(struct kit_output* output, const struct kit_changes* changes,
                            bool refused);

// Writes ` status=…` for a status that hurray_target.h does not have.
void hurray_kit_put_odd_status(struct kit_output* output, int32_t status);

#endif  // HURRAY_KIT_BUFFERS_H
