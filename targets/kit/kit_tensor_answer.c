// SPDX-License-Identifier: Apache-2.0
//
// How do requests about whole tensors become calls and answers?
//
// The tensor as a struct is too large for the stacks of small machines: it lies in the host's
// memory, beside the inputs where it is one and beside the outputs where it is one. Dequantizing
// takes it for an output first, and then for an input.

#include "kit_tensor.h"
#include "kit_tensor_call.h"
#include "kit_verbs.h"

// Of an encoder's output unless it is asked for; the longest descriptor of dense layouts has 6293
// bytes.
enum { kTensorCapacity = 8192 };

static const char* const kUnclaimed = "operation not claimed";
static const char* const kTooLarge = "too large";
static const char* const kNoGuardedOutput = "no output can be guarded";

// Writes the answer unless a call was made and is HURRAY_OK; true if it is.
static bool put_status(struct kit_output* output, const char* refusal, hurray_status status) {
  if (refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, refusal);
  } else if (status == HURRAY_UNSUPPORTED) {
    HURRAY_KIT_PUT(output, " unsupported by the target");
  } else {
    hurray_kit_put(output, status == HURRAY_OK ? " ok" : " reject");
  }
  return refusal == NULL && status == HURRAY_OK;
}

// The end of an answer about a call that was made.
static void put_discipline(struct kit_output* output, const struct kit_request* request,
                           hurray_status status, const struct kit_changes* changes) {
  if (status == HURRAY_UNSUPPORTED) return;
  if (kit_has(request, kKeyFill)) hurray_kit_put_changes(output, changes, status != HURRAY_OK);
  hurray_kit_put_odd_status(output, status);
}

// Makes a call that is set up but for target, verb and mode, alone and in as many threads as the
// request asks for. Returns NULL or the refusal.
static const char* make(const struct kit_session* session, const struct kit_request* request,
                        struct kit_tensor_call* call, uint8_t fill, struct kit_arena* inputs,
                        struct kit_arena* outputs) {
  const struct hurray_kit_host* host = session->host;
  call->target = &session->target;
  call->output_count = 1;
  const char* refusal = hurray_kit_protect_input(host, request, true);
  if (refusal != NULL) return refusal;
  hurray_kit_call_tensor(call, fill);
  refusal = hurray_kit_protect_input(host, request, false);
  if (refusal != NULL || request->threads == 0) return refusal;
  return hurray_kit_call_tensor_in_threads(host, call, request->threads, fill, inputs, outputs);
}

static uint32_t mode_of(const struct kit_request* request) {
  return kit_has(request, kKeyMode) ? HURRAY_MODE_PERMISSIVE : HURRAY_MODE_STRICT;
}

// Places the descriptor among the inputs, and the struct among the outputs. Returns NULL or the
// refusal.
static const char* place(const struct kit_session* session, const struct kit_request* request,
                         struct kit_arrays* inputs, struct kit_arena* outputs,
                         struct kit_tensor_call* call) {
  const struct hurray_kit_host* host = session->host;
  if (session->target.decode_tensor == NULL) return kUnclaimed;
  if (request->guard == kGuardOutput) return kNoGuardedOutput;
  const bool is_at_page = request->guard == kGuardAfter || request->guard == kGuardBefore;
  const char* refusal = request->verb == kVerbDecodeTensor && is_at_page
                            ? hurray_kit_place_guarded(inputs, &host->guarded_input, request->guard,
                                                       request->array, &call->bytes)
                            : hurray_kit_place_array(inputs, request->array, 1, &call->bytes);
  if (refusal != NULL) return refusal;
  call->verb = kVerbDecodeTensor;
  call->mode = mode_of(request);
  call->length = request->array.length / 2;
  return hurray_kit_take(outputs, sizeof(struct hurray_tensor), inputs->fill, &call->outputs[0])
             ? NULL
             : kTooLarge;
}

void hurray_kit_answer_decode_tensor(struct kit_session* session,
                                     const struct kit_request* request) {
  struct kit_output* output = &session->output;
  const uint8_t fill = hurray_kit_fill_of(request);
  struct kit_arrays inputs;
  struct kit_arena outputs = {session->host->output, 0};
  struct kit_tensor_call call = {.status = HURRAY_REJECTED};
  hurray_kit_start_arrays(&inputs, hurray_kit_input_memory(session->host, request), fill);
  inputs.offset = request->in_off;
  const char* refusal = NULL;
  if (request->in_off != 0 && request->guard != kGuardNone) refusal = "guard with an offset";
  if (refusal == NULL) refusal = place(session, request, &inputs, &outputs, &call);
  if (refusal == NULL) refusal = make(session, request, &call, fill, &inputs.arena, &outputs);
  if (put_status(output, refusal, call.status)) {
    hurray_kit_put_tensor(output, (const void*)call.outputs[0].bytes);
  }
  if (refusal != NULL) return;
  struct kit_changes changes = {0, 0, hurray_kit_arrays_changed(&inputs), 0};
  hurray_kit_add_output(&changes, &call.outputs[0], fill);
  put_discipline(output, request, call.status, &changes);
}

void hurray_kit_answer_encode_tensor(struct kit_session* session,
                                     const struct kit_request* request) {
  struct kit_output* output = &session->output;
  const uint8_t fill = hurray_kit_fill_of(request);
  struct kit_arena inputs = {hurray_kit_input_memory(session->host, request), 0};
  struct kit_arena outputs = {session->host->output, 0};
  struct kit_buffer tensor, copy, out;
  const char* refusal = NULL;
  struct kit_tensor_call call = {.verb = kVerbEncodeTensor, .status = HURRAY_REJECTED};
  const size_t capacity = kit_has(request, kKeyCapacity) ? request->capacity : kTensorCapacity;
  if (session->target.encode_tensor == NULL) {
    refusal = kUnclaimed;
  } else if (request->guard != kGuardNone && request->guard != kGuardInput) {
    refusal = "no such guard here";
  } else if (!hurray_kit_take(&inputs, sizeof(struct hurray_tensor), fill, &tensor) ||
             !hurray_kit_take(&inputs, sizeof(struct hurray_tensor), fill, &copy) ||
             !hurray_kit_take_at(&outputs, request->out_off, capacity, fill, &out)) {
    refusal = kTooLarge;
  } else {
    refusal = hurray_kit_read_tensor(request, fill, (void*)tensor.bytes);
  }
  if (refusal == NULL) {
    __builtin_memcpy(copy.bytes, tensor.bytes, tensor.length);
    call.tensor = (const void*)tensor.bytes;
    call.outputs[0] = out;
    refusal = make(session, request, &call, fill, &inputs, &outputs);
  }
  const hurray_status status = call.status;
  const size_t written = call.written;
  const bool ok = put_status(output, refusal, status);
  if (refusal != NULL) return;
  size_t length = ok ? written : 0;
  if (length > out.length) length = out.length;
  if (ok) {
    HURRAY_KIT_PUT(output, " bytes=");
    hurray_kit_put_array(output, out.bytes, length, 0);
  }
  const bool in_changed = __builtin_memcmp(copy.bytes, tensor.bytes, tensor.length) != 0 ||
                          hurray_kit_count_under(&tensor, fill) != 0 ||
                          hurray_kit_count_over(&tensor, fill) != 0;
  struct kit_changes changes = {0, 0, in_changed, 0};
  hurray_kit_add_output(&changes, &out, fill);
  // The room is larger than the descriptor: what is behind it is not the encoder's.
  if (ok) changes.over += hurray_kit_count_other(out.bytes + length, out.length - length, fill);
  // The number of bytes is an output of the encoder too.
  if (written != kNothingWritten) changes.changed += sizeof written;
  put_discipline(output, request, status, &changes);
}

// Arranges the buffers `b0`, `b1` …: arrays, memory that cannot be touched, or nothing at all. With
// a guard the data and the first parameter buffer lie at a page that cannot be touched. Returns
// NULL or the refusal.
static const char* place_buffers(const struct hurray_kit_host* host,
                                 const struct kit_request* request, struct kit_arrays* inputs,
                                 const uint8_t** bytes, uint64_t* byte_sizes, uint32_t* count) {
  const struct hurray_kit_memory* guarded = &host->guarded_input;
  const char* refusal = NULL;
  const bool is_at_page = request->guard == kGuardAfter || request->guard == kGuardBefore;
  if (request->guard == kGuardOutput) return kNoGuardedOutput;
  for (*count = 0; *count < kMostBuffers && kit_has(request, kKeyBuffer0 + *count); ++*count) {
    const struct kit_text text = kit_array(request, kKeyBuffer0 + *count);
    const uint8_t** at = &bytes[*count];
    uint64_t* size = &byte_sizes[*count];
    *size = 0;
    *at = NULL;
    if (kit_is_null(text)) continue;
    if (hurray_kit_is_untouchable(text, size)) {
      if (guarded->size == 0) return "no guard here";
      *at = guarded->bytes + guarded->size;
      continue;
    }
    *size = text.length / 2;
    const struct hurray_kit_memory* page = *count == 0 ? guarded : &host->guarded_output;
    refusal = !is_at_page || *count > 1
                  ? hurray_kit_place_array(inputs, text, 1, at)
                  : hurray_kit_place_guarded(inputs, page, request->guard, text, at);
    if (refusal != NULL) return refusal;
  }
  for (unsigned i = *count; i < kMostBuffers; ++i) {
    if (kit_has(request, kKeyBuffer0 + i)) return "a buffer between others is missing";
  }
  return NULL;
}

// Decodes, and hands the tensor over where it is, or as a copy that can only be read. Returns NULL
// or the refusal; what the decoder refuses is an answer.
static const char* decode(const struct kit_session* session, const struct kit_request* request,
                          struct kit_arrays* inputs, struct kit_arena* outputs,
                          struct kit_tensor_call* call) {
  struct kit_tensor_call decoding = {.target = &session->target, .output_count = 1};
  struct kit_buffer copy;
  const char* refusal = place(session, request, inputs, outputs, &decoding);
  if (refusal != NULL) return refusal;
  hurray_kit_call_tensor(&decoding, inputs->fill);
  call->status = decoding.status;
  call->tensor = (const void*)decoding.outputs[0].bytes;
  if (call->status != HURRAY_OK || request->guard != kGuardInput) return NULL;
  if (!hurray_kit_take(&inputs->arena, sizeof *call->tensor, inputs->fill, &copy)) return kTooLarge;
  __builtin_memcpy(copy.bytes, call->tensor, copy.length);
  call->tensor = (const void*)copy.bytes;
  return NULL;
}

void hurray_kit_answer_dequantize_tensor(struct kit_session* session,
                                         const struct kit_request* request) {
  struct kit_output* output = &session->output;
  const uint8_t fill = hurray_kit_fill_of(request);
  struct kit_arrays inputs;
  struct kit_arena outputs = {session->host->output, 0};
  const uint8_t* bytes[kMostBuffers];
  uint64_t byte_sizes[kMostBuffers];
  struct kit_tensor_call call = {.verb = kVerbDequantizeTensor,
                                 .mode = mode_of(request),
                                 .buffers = {0, bytes, byte_sizes},
                                 .count = (size_t)request->count,
                                 .status = HURRAY_REJECTED};
  struct kit_buffer* out = &call.outputs[0];
  hurray_kit_start_arrays(&inputs, hurray_kit_input_memory(session->host, request), fill);
  const char* refusal = session->target.dequantize_tensor == NULL ? kUnclaimed : NULL;
  if (refusal == NULL && request->out_off % sizeof(float) != 0) {
    refusal = "out_off would misalign the output";
  }
  if (refusal == NULL) {
    refusal =
        place_buffers(session->host, request, &inputs, bytes, byte_sizes, &call.buffers.count);
  }
  if (refusal == NULL && (request->count > SIZE_MAX / sizeof(float) ||
                          !hurray_kit_take_at(&outputs, request->out_off,
                                              (size_t)request->count * sizeof(float), fill, out))) {
    refusal = kTooLarge;
  }
  if (refusal == NULL) {
    __builtin_memset(out->bytes, fill, out->length);
    refusal = decode(session, request, &inputs, &outputs, &call);
  }
  if (refusal == NULL && call.status == HURRAY_OK) {
    refusal = make(session, request, &call, fill, &inputs.arena, &outputs);
  }
  const bool ok = put_status(output, refusal, call.status);
  if (refusal != NULL) return;
  if (ok) {
    HURRAY_KIT_PUT(output, " out=");
    hurray_kit_put_array(output, out->bytes, out->length, hurray_kit_swap(sizeof(float)));
  }
  struct kit_changes changes = {0, 0, hurray_kit_arrays_changed(&inputs), 0};
  hurray_kit_add_output(&changes, out, fill);
  put_discipline(output, request, call.status, &changes);
}
