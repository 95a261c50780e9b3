// SPDX-License-Identifier: Apache-2.0
//
// How is one operation of the table called, alone, from many threads at once, and for very many
// elements?
//
// The odd threads exist to disturb: shared state in the target mixes their parameters or data into
// the results of the even ones. Their own results are not looked at.

#include "kit_call.h"

enum { kSmallCallBytes = 1024, kSmallCallRepeats = 16 };

void hurray_kit_call(struct kit_call* call) {
  const struct hurray_target* target = call->target;
  const struct hurray_ra8_functions* ra8 = target->ra8;
  call->written = kNothingWritten;
  switch (call->verb) {
    case kVerbDecode:
      call->result = target->decode(call->type, call->in, call->in_bytes, call->out);
      return;
    case kVerbEncode:
      call->result =
          target->encode(call->type, call->in, call->out, call->out_bytes, &call->written);
      return;
    case kVerbDequantize:
      call->result = target->dequantize(call->type, call->scale, call->zero_point, call->in,
                                        call->out, call->count);
      return;
    case kVerbQuantize:
      call->result = target->quantize(call->type, call->scale, call->zero_point, call->in,
                                      call->out, call->count);
      return;
    case kVerbNormalize:
      call->result = target->normalize_zero_points(&call->format, call->in, call->in_bytes,
                                                   call->count, call->out);
      return;
    case kVerbRa8:
      switch (call->function) {
        case kQuantizeI8:
          call->result =
              ra8->quantize_i8(call->in, call->out, call->count, call->scale, call->zero_point);
          return;
        case kQuantizeU8:
          call->result =
              ra8->quantize_u8(call->in, call->out, call->count, call->scale, call->zero_point);
          return;
        case kDequantizeI8:
          call->result =
              ra8->dequantize_i8(call->in, call->out, call->count, call->scale, call->zero_point);
          return;
        case kDequantizeU8:
          call->result =
              ra8->dequantize_u8(call->in, call->out, call->count, call->scale, call->zero_point);
          return;
      }
      return;
    case kVerbPack:
      call->result = target->pack(call->type, call->in, call->count, call->out);
      return;
    case kVerbUnpack:
      call->result = target->unpack(call->type, call->in, call->count, call->out);
      return;
    case kVerbPackedBytes:
      call->result = target->packed_bytes(call->type, call->wide_count, call->out);
      return;
    case kVerbWiden:
      call->result = target->widen(call->type, call->in, call->count, call->out);
      return;
    default:
      return;
  }
}

struct kit_threads {
  const struct kit_call* alone;
  const uint8_t* alone_out;
  size_t compared_bytes;  // of the output; 0 where the target gets no output
  unsigned repeats;
  uint8_t fill;
  struct kit_call calls[HURRAY_KIT_MOST_THREADS];
  bool differs[HURRAY_KIT_MOST_THREADS];
};

static int take_turn(void* argument, unsigned index) {
  struct kit_threads* work = argument;
  struct kit_call* call = &work->calls[index];
  for (unsigned i = 0; i < work->repeats; ++i) {
    if (work->compared_bytes != 0) __builtin_memset(call->out, work->fill, work->compared_bytes);
    hurray_kit_call(call);
    if (index % 2 != 0) continue;
    if (call->result != work->alone->result || call->written != work->alone->written ||
        (work->compared_bytes != 0 &&
         __builtin_memcmp(call->out, work->alone_out, work->compared_bytes) != 0)) {
      work->differs[index] = true;
      return 1;
    }
  }
  return 0;
}

// Doubled, or halved where that would overflow.
static float other_scale(float scale) {
  uint32_t bits;
  __builtin_memcpy(&bits, &scale, sizeof bits);
  return (bits >> 23 & 0xff) < 0xfe ? scale * 2.0f : scale * 0.5f;
}

// One step towards zero, which no storage type excludes.
static int32_t other_zero_point(int32_t zero_point) {
  return zero_point > 0 ? zero_point - 1 : zero_point + 1;
}

// Other parameters, and at `copy` other data, as valid as those of `call`: arrays in reverse order.
static void disturb(struct kit_call* call, uint8_t* copy) {
  const uint8_t* in = call->in;
  call->scale = other_scale(call->scale);
  call->zero_point = other_zero_point(call->zero_point);
  call->format.bias = call->format.bias == 0 ? 1 : 0;
  call->wide_count ^= 8;
  if (in == NULL || call->in_bytes == 0) return;
  __builtin_memcpy(copy, in, call->in_bytes);
  if (call->verb == kVerbEncode) {
    struct hurray_descriptor descriptor;
    __builtin_memcpy(&descriptor, in, sizeof descriptor);
    descriptor.scale = other_scale(descriptor.scale);
    descriptor.zero_point = other_zero_point(descriptor.zero_point);
    if (descriptor.scheme_tag > 1) descriptor.axis ^= 1;
    __builtin_memcpy(copy, &descriptor, sizeof descriptor);
  } else if (call->verb == kVerbDecode) {
    // Lowest bits of scale and zero_point, or of the axis.
    if (call->in_bytes > 4) copy[4] ^= 1;
    if (call->in_bytes > 8 && copy[0] <= 1) copy[8] ^= 1;
  } else {
    const size_t width = call->width_in;
    const size_t last = call->in_bytes - width;
    for (size_t i = 0; i < call->in_bytes; i += width)
      __builtin_memcpy(copy + last - i, in + i, width);
  }
  call->in = copy;
}

// The first boundary in `memory` that has `length` bytes behind it, or NULL.
static uint8_t* aligned(struct hurray_kit_memory memory, size_t length) {
  if (memory.size < kBoundaryBytes || length > memory.size - kBoundaryBytes) return NULL;
  return memory.bytes + (kBoundaryBytes - (uintptr_t)memory.bytes % kBoundaryBytes);
}

const char* hurray_kit_call_in_threads(const struct hurray_kit_host* host, struct kit_call* call,
                                       unsigned threads, uint8_t fill,
                                       struct hurray_kit_memory spare_in,
                                       struct hurray_kit_memory spare_out) {
  const size_t stride = (call->out_bytes / kBoundaryBytes + 2) * kBoundaryBytes;
  uint8_t* in = aligned(spare_in, call->in_bytes);
  uint8_t* out = stride > spare_out.size / threads ? NULL : aligned(spare_out, stride * threads);
  if (in == NULL || out == NULL) return "too large for threads";

  const struct kit_call alone = *call;
  struct kit_threads work = {.alone = &alone,
                             .alone_out = call->out,
                             .compared_bytes = call->out == NULL ? 0 : call->out_bytes,
                             .repeats = 1,
                             .fill = fill};
  if (call->in_bytes + call->out_bytes < kSmallCallBytes) work.repeats = kSmallCallRepeats;
  struct kit_call other = alone;
  disturb(&other, in);
  for (unsigned i = 0; i < threads; ++i) {
    work.calls[i] = i % 2 == 0 ? alone : other;
    if (call->out != NULL) work.calls[i].out = out + stride * i;
  }
  if (host->run_threads(host->context, threads, take_turn, &work) != 0) {
    return "threads cannot be started";
  }
  for (unsigned i = 0; i < threads; ++i) {
    if (!work.differs[i]) continue;
    *call = work.calls[i];
    break;
  }
  return NULL;
}

const char* hurray_kit_call_repeated(struct kit_call* call, unsigned times, uint8_t fill,
                                     struct hurray_kit_memory spare_in,
                                     struct hurray_kit_memory spare_out) {
  if (call->in == NULL || call->out == NULL) return "repeat of a null pointer";
  // Bits that a part leaves unused would lie between it and the next.
  const bool has_unused_bits =
      call->count % 8 != 0 ||
      (call->verb == kVerbNormalize && call->in_bytes * 8 != call->count * call->format.bits);
  if (has_unused_bits) return "repeat needs whole bytes";
  if (call->in_bytes > SIZE_MAX / times || call->out_bytes > SIZE_MAX / times) {
    return "too large to repeat";
  }
  uint8_t* in = aligned(spare_in, call->in_bytes * times);
  uint8_t* out = aligned(spare_out, call->out_bytes * times);
  if (in == NULL || out == NULL) return "too large to repeat";

  struct kit_call whole = *call;
  for (unsigned i = 0; i < times; ++i) {
    __builtin_memcpy(in + call->in_bytes * i, call->in, call->in_bytes);
  }
  __builtin_memset(out, fill, call->out_bytes * times);
  whole.in = in;
  whole.out = out;
  whole.count *= times;
  whole.in_bytes *= times;
  whole.out_bytes *= times;
  hurray_kit_call(&whole);
  const bool same_result = whole.result == call->result;
  const uint8_t* part = out;
  for (unsigned i = 0; i < times; ++i, part += call->out_bytes) {
    if (same_result && __builtin_memcmp(part, call->out, call->out_bytes) == 0) continue;
    call->result = whole.result;
    call->out = out + call->out_bytes * i;
    break;
  }
  return NULL;
}
