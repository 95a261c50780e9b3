// SPDX-License-Identifier: Apache-2.0
//
// Where do the target's input and output lie, and did anything around them change?

#include "kit_buffers.h"

bool hurray_kit_has_room(const struct hurray_kit_memory* memory, size_t length) {
  const size_t around = kBoundaryBytes + 2 * kRedZoneBytes + kMostOffset;
  return memory->size >= around && memory->size - around >= length;
}

bool hurray_kit_place(const struct hurray_kit_memory* open, const struct hurray_kit_memory* guarded,
                      enum kit_guard guard, size_t length, size_t offset,
                      struct kit_buffer* buffer) {
  buffer->length = length;
  buffer->red_before = kRedZoneBytes;
  buffer->red_behind = kRedZoneBytes;
  if (guard != kGuardNone) {
    if (guarded->size < kRedZoneBytes || length > guarded->size - kRedZoneBytes) return false;
    if (guard == kGuardAfter) {
      buffer->bytes = guarded->bytes + (guarded->size - length);
      buffer->red_behind = 0;
    } else {
      buffer->bytes = guarded->bytes;
      buffer->red_before = 0;
    }
    return true;
  }
  const size_t past_boundary = (uintptr_t)open->bytes % kBoundaryBytes;
  const size_t to_boundary = past_boundary == 0 ? 0 : kBoundaryBytes - past_boundary;
  const size_t start = to_boundary + kRedZoneBytes + offset;
  if (open->size < start + kRedZoneBytes || length > open->size - start - kRedZoneBytes)
    return false;
  buffer->bytes = open->bytes + start;
  return true;
}

void hurray_kit_paint_red_zones(const struct kit_buffer* buffer, uint8_t byte) {
  __builtin_memset(buffer->bytes - buffer->red_before, byte, buffer->red_before);
  __builtin_memset(buffer->bytes + buffer->length, byte, buffer->red_behind);
}

uint32_t hurray_kit_count_other(const uint8_t* bytes, size_t length, uint8_t byte) {
  uint32_t count = 0;
  for (size_t i = 0; i < length; ++i) count += bytes[i] != byte;
  return count;
}

uint32_t hurray_kit_count_under(const struct kit_buffer* buffer, uint8_t byte) {
  return hurray_kit_count_other(buffer->bytes - buffer->red_before, buffer->red_before, byte);
}

uint32_t hurray_kit_count_over(const struct kit_buffer* buffer, uint8_t byte) {
  return hurray_kit_count_other(buffer->bytes + buffer->length, buffer->red_behind, byte);
}

void hurray_kit_add_output(struct kit_changes* changes, const struct kit_buffer* out,
                           uint8_t fill) {
  changes->under += hurray_kit_count_under(out, fill);
  changes->over += hurray_kit_count_over(out, fill);
  changes->changed += hurray_kit_count_other(out->bytes, out->length, fill);
}

void hurray_kit_put_changes(struct kit_output* output, const struct kit_changes* changes,
                            bool refused) {
  HURRAY_KIT_PUT(output, " under=");
  hurray_kit_put_unsigned(output, changes->under);
  HURRAY_KIT_PUT(output, " over=");
  hurray_kit_put_unsigned(output, changes->over);
  hurray_kit_put(output, changes->in_changed ? " in_changed=1" : " in_changed=0");
  if (refused) {
    HURRAY_KIT_PUT(output, " changed=");
    hurray_kit_put_unsigned(output, changes->changed);
  }
}

void hurray_kit_put_odd_status(struct kit_output* output, int32_t status) {
  if (status == HURRAY_OK || status == HURRAY_REJECTED || status == HURRAY_UNSUPPORTED) return;
  HURRAY_KIT_PUT(output, " status=");
  hurray_kit_put_int32(output, status);
}
