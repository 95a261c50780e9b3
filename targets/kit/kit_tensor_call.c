// SPDX-License-Identifier: Apache-2.0
//
// How is an operation on whole tensors called, alone and from many threads at once?
//
// The odd threads exist to disturb, as in kit_call.c. They are given the mirror image of the tensor
// (kit_mirror.h), which is as valid as the tensor itself, and other data.

#include "kit_tensor_call.h"

#include "kit_mirror.h"
#include "kit_tensor.h"

enum { kRepeats = 4 };

void hurray_kit_call_tensor(struct kit_tensor_call* call, uint8_t fill) {
  const struct hurray_target* target = call->target;
  const struct kit_buffer* outputs = call->outputs;
  void* const out = outputs[0].bytes;
  for (unsigned i = 0; i < call->output_count; ++i) {
    __builtin_memset(outputs[i].bytes, fill, outputs[i].length);
  }
  call->written = kNothingWritten;
  if (call->verb == kVerbDecodeTensor) {
    call->status = target->decode_tensor(call->mode, call->bytes, call->length, out);
  } else if (call->verb == kVerbEncodeTensor) {
    call->status = target->encode_tensor(call->tensor, out, outputs[0].length, &call->written);
  } else if (call->verb == kVerbDequantizeTensor) {
    call->status =
        target->dequantize_tensor(call->mode, call->tensor, &call->buffers, out, call->count);
  } else {
    struct hurray_converted_tensor converted;
    __builtin_memset(&converted, 0, sizeof converted);
    converted.descriptor = out;
    converted.descriptor_capacity = outputs[0].length;
    converted.descriptor_bytes = kNothingWritten;
    converted.weights = outputs[1].bytes;
    converted.scales = (void*)outputs[2].bytes;
    converted.zero_points = (void*)outputs[3].bytes;
    call->status = target->convert(call->foreign, &converted);
    call->written = converted.descriptor_bytes;
  }
}

// What a refusal leaves behind is no result.
static bool same_result(const struct kit_tensor_call* a, const struct kit_tensor_call* b) {
  if (a->status != b->status || a->written != b->written) return false;
  if (a->status != HURRAY_OK) return true;
  if (a->verb == kVerbDecodeTensor) {
    return hurray_kit_same_tensor((const void*)a->outputs[0].bytes,
                                  (const void*)b->outputs[0].bytes);
  }
  for (unsigned i = 0; i < a->output_count; ++i) {
    const struct kit_buffer *one = &a->outputs[i], *other = &b->outputs[i];
    if (__builtin_memcmp(one->bytes, other->bytes, one->length) != 0) return false;
  }
  return true;
}

struct kit_tensor_turns {
  const struct kit_tensor_call* alone;
  uint8_t fill;
  struct kit_tensor_call calls[HURRAY_KIT_MOST_THREADS];
  bool differs[HURRAY_KIT_MOST_THREADS];
};

static int take_turn(void* argument, unsigned index) {
  struct kit_tensor_turns* work = argument;
  struct kit_tensor_call* call = &work->calls[index];
  for (unsigned i = 0; i < kRepeats; ++i) {
    hurray_kit_call_tensor(call, work->fill);
    if (index % 2 != 0 || same_result(work->alone, call)) continue;
    work->differs[index] = true;
    return 1;
  }
  return 0;
}

// Other arguments, with what lives as long as the threads do.
struct kit_disturbance {
  struct hurray_foreign_tensor foreign;
  const uint8_t* bytes[kMostBuffers];
};

// A copy of the bytes in other order: words of four bytes, if there are several, else bytes.
// NULL if there is no room for it.
static uint8_t* reversed(struct kit_arena* arena, const uint8_t* bytes, size_t length,
                         uint8_t fill) {
  const size_t width = length > 4 && length % 4 == 0 ? 4 : 1;
  struct kit_buffer copy;
  if (!hurray_kit_take(arena, length, fill, &copy)) return NULL;
  for (size_t i = 0; i < length; i += width) {
    __builtin_memcpy(copy.bytes + (length - width - i), bytes + i, width);
  }
  return copy.bytes;
}

static bool reverse(struct kit_arena* arena, const uint8_t** bytes, size_t length, uint8_t fill) {
  if (*bytes == NULL) return true;
  *bytes = reversed(arena, *bytes, length, fill);
  return *bytes != NULL;
}

static bool disturb_conversion(struct kit_tensor_call* call, struct kit_disturbance* other,
                               uint8_t fill, struct kit_arena* inputs) {
  struct hurray_foreign_tensor* foreign = &other->foreign;
  *foreign = *call->foreign;
  foreign->zero_point_format.bias = foreign->zero_point_format.bias == 0 ? 1 : 0;
  call->foreign = foreign;
  return reverse(inputs, &foreign->weights, foreign->weights_bytes, fill) &&
         reverse(inputs, &foreign->scales, foreign->scales_bytes, fill) &&
         reverse(inputs, &foreign->zero_points, foreign->zero_points_bytes, fill);
}

static bool disturb_tensor(struct kit_tensor_call* call, struct kit_disturbance* other,
                           uint8_t fill, struct kit_arena* inputs, const uint8_t* untouchable) {
  struct kit_buffer copy;
  if (call->verb == kVerbDecodeTensor) {
    if (!hurray_kit_take(inputs, call->length, fill, &copy)) return false;
    __builtin_memcpy(copy.bytes, call->bytes, call->length);
    hurray_kit_mirror_bytes(copy.bytes, call->length);
    call->bytes = copy.bytes;
    return true;
  }
  if (!hurray_kit_take(inputs, sizeof *call->tensor, fill, &copy)) return false;
  __builtin_memcpy(copy.bytes, call->tensor, sizeof *call->tensor);
  hurray_kit_mirror_tensor((void*)copy.bytes);
  call->tensor = (const void*)copy.bytes;
  for (uint32_t i = 0; i < call->buffers.count; ++i) {
    other->bytes[i] = call->buffers.bytes[i];
    const size_t length = (size_t)call->buffers.byte_sizes[i];
    if (other->bytes[i] == untouchable) continue;
    if (!reverse(inputs, &other->bytes[i], length, fill)) return false;
  }
  call->buffers.bytes = other->bytes;
  return true;
}

const char* hurray_kit_call_tensor_in_threads(const struct hurray_kit_host* host,
                                              struct kit_tensor_call* call, unsigned threads,
                                              uint8_t fill, struct kit_arena* inputs,
                                              struct kit_arena* outputs) {
  static const char* const too_large = "too large for threads";
  struct kit_tensor_turns work = {.alone = call, .fill = fill};
  struct kit_disturbance disturbance;
  struct kit_tensor_call other = *call;
  if (host->run_threads == NULL) return "no threads here";
  const uint8_t* untouchable = host->guarded_input.bytes + host->guarded_input.size;
  if (!(call->verb == kVerbConvert
            ? disturb_conversion(&other, &disturbance, fill, inputs)
            : disturb_tensor(&other, &disturbance, fill, inputs, untouchable))) {
    return too_large;
  }
  for (unsigned i = 0; i < threads; ++i) {
    work.calls[i] = i % 2 == 0 ? *call : other;
    for (unsigned part = 0; part < call->output_count; ++part) {
      struct kit_buffer* output = &work.calls[i].outputs[part];
      if (!hurray_kit_take(outputs, output->length, fill, output)) return too_large;
    }
  }
  if (host->run_threads(host->context, threads, take_turn, &work) != 0) {
    return "threads cannot be started";
  }
  for (unsigned i = 0; i < threads; ++i) {
    if (!work.differs[i]) continue;
    const struct kit_tensor_call* differing = &work.calls[i];
    call->status = differing->status;
    call->written = differing->written;
    for (unsigned part = 0; part < call->output_count; ++part) {
      const struct kit_buffer* output = &call->outputs[part];
      __builtin_memcpy(output->bytes, differing->outputs[part].bytes, output->length);
    }
    break;
  }
  return NULL;
}
