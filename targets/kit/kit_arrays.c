// SPDX-License-Identifier: Apache-2.0
//
// Where do the arrays of a request lie that has several?

#include "kit_arrays.h"

bool hurray_kit_take_at(struct kit_arena* arena, size_t offset, size_t length, uint8_t fill,
                        struct kit_buffer* buffer) {
  const size_t size = arena->memory.size;
  size_t start = arena->used + kRedZoneBytes;
  const size_t past_boundary = ((uintptr_t)arena->memory.bytes + start) % kBoundaryBytes;
  if (past_boundary != 0) start += kBoundaryBytes - past_boundary;
  start += offset;
  if (size < kRedZoneBytes || start > size - kRedZoneBytes ||
      length > size - kRedZoneBytes - start) {
    return false;
  }
  *buffer = (struct kit_buffer){arena->memory.bytes + start, length, kRedZoneBytes, kRedZoneBytes};
  arena->used = start + length + kRedZoneBytes;
  hurray_kit_paint_red_zones(buffer, fill);
  return true;
}

bool hurray_kit_take(struct kit_arena* arena, size_t length, uint8_t fill,
                     struct kit_buffer* buffer) {
  return hurray_kit_take_at(arena, 0, length, fill, buffer);
}

void hurray_kit_start_arrays(struct kit_arrays* arrays, struct hurray_kit_memory memory,
                             uint8_t fill) {
  arrays->arena = (struct kit_arena){memory, 0};
  arrays->fill = fill;
  arrays->offset = 0;
  arrays->count = 0;
}

static const char* read_array(struct kit_arrays* arrays, struct kit_text text, size_t width,
                              const uint8_t** bytes) {
  const struct kit_buffer* buffer = &arrays->buffers[arrays->count];
  arrays->texts[arrays->count] = text;
  arrays->widths[arrays->count] = width;
  ++arrays->count;
  *bytes = buffer->bytes;
  if (!hurray_kit_read_array(text, buffer->bytes, hurray_kit_swap(width))) return "malformed array";
  return NULL;
}

const char* hurray_kit_place_array(struct kit_arrays* arrays, struct kit_text text, size_t width,
                                   const uint8_t** bytes) {
  const unsigned offset = width == 1 ? arrays->offset : 0;
  if (arrays->count == kMostArrays ||
      !hurray_kit_take_at(&arrays->arena, offset, text.length / 2, arrays->fill,
                          &arrays->buffers[arrays->count])) {
    return "too large";
  }
  return read_array(arrays, text, width, bytes);
}

const char* hurray_kit_place_guarded(struct kit_arrays* arrays,
                                     const struct hurray_kit_memory* guarded, enum kit_guard guard,
                                     struct kit_text text, const uint8_t** bytes) {
  if (guarded->size == 0) return "no guard here";
  struct kit_buffer* buffer = &arrays->buffers[arrays->count];
  if (arrays->count == kMostArrays ||
      !hurray_kit_place(NULL, guarded, guard, text.length / 2, 0, buffer)) {
    return "too large";
  }
  hurray_kit_paint_red_zones(buffer, arrays->fill);
  return read_array(arrays, text, 1, bytes);
}

bool hurray_kit_arrays_changed(const struct kit_arrays* arrays) {
  for (unsigned i = 0; i < arrays->count; ++i) {
    const struct kit_buffer* buffer = &arrays->buffers[i];
    if (hurray_kit_count_under(buffer, arrays->fill) != 0 ||
        hurray_kit_count_over(buffer, arrays->fill) != 0 ||
        !hurray_kit_array_is(arrays->texts[i], buffer->bytes, hurray_kit_swap(arrays->widths[i]))) {
      return true;
    }
  }
  return false;
}

struct hurray_kit_memory hurray_kit_input_memory(const struct hurray_kit_host* host,
                                                 const struct kit_request* request) {
  if (request->guard != kGuardInput) return host->input;
  if (host->protect_input == NULL) return (struct hurray_kit_memory){NULL, 0};
  return host->guarded_input;
}

const char* hurray_kit_protect_input(const struct hurray_kit_host* host,
                                     const struct kit_request* request, bool is_read_only) {
  if (request->guard != kGuardInput) return NULL;
  if (host->protect_input == NULL) return "no read-only memory here";
  return host->protect_input(host->context, is_read_only) == 0 ? NULL
                                                               : "memory cannot be protected";
}

uint8_t hurray_kit_fill_of(const struct kit_request* request) {
  if (kit_has(request, kKeyFill)) return request->fill;
  return (uint8_t)(request->id * 0x9du + 0x5bu);
}
