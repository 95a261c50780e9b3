// SPDX-License-Identifier: Apache-2.0
//
// How does one request become one call and one answer?
//
// In this order: what the request needs, the buffers, the call under its discipline, the answer.
// The rules of each key are those of conformance/PROTOCOL.md, "Call discipline".

#include "kit_arrays.h"
#include "kit_call.h"
#include "kit_descriptor.h"
#include "kit_types.h"
#include "kit_verbs.h"

// Everything between request and answer.
struct operation {
  struct kit_call call;
  struct hurray_descriptor descriptor;  // encode: what is passed in
  struct kit_buffer in, out;
  // Bytes of one element: it is aligned to them, and swapped on big-endian hosts.
  size_t width_in, width_out;
  uint8_t fill;
  bool mode_kept;
};

static float float_of(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static bool has_ra8_function(const struct hurray_ra8_functions* ra8,
                             enum kit_ra8_function function) {
  if (ra8 == NULL) return false;
  switch (function) {
    case kQuantizeI8:
      return ra8->quantize_i8 != NULL;
    case kQuantizeU8:
      return ra8->quantize_u8 != NULL;
    case kDequantizeI8:
      return ra8->dequantize_i8 != NULL;
    case kDequantizeU8:
      return ra8->dequantize_u8 != NULL;
  }
  return false;
}

static bool has_element_function(const struct hurray_target* target, enum kit_verb verb) {
  if (verb == kVerbPack) return target->pack != NULL;
  if (verb == kVerbUnpack) return target->unpack != NULL;
  if (verb == kVerbWiden) return target->widen != NULL;
  return target->packed_bytes != NULL;
}

// Fills call, descriptor, buffer lengths and element widths. Returns NULL or the refusal.
static const char* prepare(const struct hurray_target* target, const struct kit_request* request,
                           struct operation* operation) {
  static const char* const unclaimed = "operation not claimed";
  static const char* const unclaimed_type = "operation not claimed for this type";
  static const char* const disagree = "count and array length disagree";
  static const char* const too_large = "too large";
  struct kit_call* call = &operation->call;
  call->target = target;
  call->verb = request->verb;
  call->function = request->function;
  call->type = request->type;
  call->scale = float_of(request->scale_bits);
  call->zero_point = request->zero_point;
  call->format.bits = request->bits;
  call->format.bias = request->bias;
  call->format.high_field_first = request->high_field_first;
  operation->width_in = operation->width_out = 1;

  size_t in = request->array.length / 2;
  size_t out = 0;
  size_t expected_in = in;
  unsigned bits = 8;
  switch (request->verb) {
    case kVerbDecode:
      // Tags that nothing claims are asked too: refusing them is the target's part.
      if (target->decode == NULL || target->decode_types == 0) return unclaimed;
      out = sizeof(struct hurray_descriptor);
      break;
    case kVerbEncode:
      if (target->encode == NULL || target->encode_types == 0) return unclaimed;
      hurray_kit_read_descriptor(request, &operation->descriptor);
      in = expected_in = sizeof operation->descriptor;
      out = kit_has(request, kKeyCapacity) ? request->capacity : kUsualCapacity;
      break;
    case kVerbDequantize:
    case kVerbQuantize: {
      const bool quantizes = request->verb == kVerbQuantize;
      if (quantizes ? target->quantize == NULL : target->dequantize == NULL) return unclaimed;
      bits = hurray_kit_claimed_bits(
          request->type, HURRAY_KIT_STORAGE_TYPES &
                             (quantizes ? target->quantize_types : target->dequantize_types));
      if (bits == 0) return unclaimed_type;
      if (!hurray_kit_packed_bytes(request->count, quantizes ? 32 : bits, &expected_in))
        return disagree;
      if (!hurray_kit_packed_bytes(request->count, quantizes ? bits : 32, &out)) return too_large;
      operation->width_in = quantizes ? 4 : 1;
      operation->width_out = quantizes ? 1 : 4;
      break;
    }
    case kVerbNormalize:
      if (target->normalize_zero_points == NULL) return unclaimed;
      if (!hurray_kit_packed_bytes(request->count, 32, &out)) return too_large;
      operation->width_out = 4;
      break;
    case kVerbRa8: {
      const bool quantizes = request->function == kQuantizeI8 || request->function == kQuantizeU8;
      if (!has_ra8_function(target->ra8, request->function)) return unclaimed;
      if (!hurray_kit_packed_bytes(request->count, quantizes ? 32 : 8, &expected_in))
        return disagree;
      if (!hurray_kit_packed_bytes(request->count, quantizes ? 8 : 32, &out)) return too_large;
      if ((request->null & kNullIn) != 0 && in == 0) expected_in = 0;
      operation->width_in = quantizes ? 4 : 1;
      operation->width_out = quantizes ? 1 : 4;
      break;
    }
    case kVerbPack:
    case kVerbUnpack:
    case kVerbWiden: {
      const bool packs = request->verb == kVerbPack;
      const size_t width = request->verb == kVerbWiden ? 4 : 8;
      if (!has_element_function(target, request->verb)) return unclaimed;
      bits = hurray_kit_claimed_bits(request->type, target->element_types);
      if (bits == 0 || bits > 64) return unclaimed_type;
      if (!hurray_kit_packed_bytes(request->count, packs ? 64 : bits, &expected_in)) {
        return disagree;
      }
      if (!hurray_kit_packed_bytes(request->count, packs ? bits : 8 * (unsigned)width, &out)) {
        return too_large;
      }
      operation->width_in = packs ? width : 1;
      operation->width_out = packs ? 1 : width;
      break;
    }
    case kVerbPackedBytes:
      // Every tag is asked, as it costs no memory: refusing those that are none is the target's
      // part.
      if (!has_element_function(target, request->verb)) return unclaimed;
      out = operation->width_out = sizeof(uint64_t);
      break;
    default:
      return unclaimed;
  }
  if (in != expected_in) return disagree;
  call->count = (size_t)request->count;
  call->wide_count = request->count;
  call->in_bytes = in;
  call->out_bytes = out;
  call->width_in = operation->width_in;
  return NULL;
}

// Places and fills both buffers. Returns NULL or the refusal.
static const char* arrange(const struct hurray_kit_host* host, const struct kit_request* request,
                           struct operation* operation) {
  struct kit_call* call = &operation->call;
  // A descriptor as a struct is aligned to its words.
  const size_t align_in = request->verb == kVerbEncode ? 4 : operation->width_in;
  const size_t align_out = request->verb == kVerbDecode ? 4 : operation->width_out;
  if (request->in_off % align_in != 0) return "in_off would misalign the input";
  if (request->out_off % align_out != 0) return "out_off would misalign the output";
  if (request->guard != kGuardNone) {
    if (host->guarded_input.size == 0 || host->guarded_output.size == 0) return "no guard here";
    if (request->in_off != 0 || request->out_off != 0) return "guard with an offset";
  }
  // With the output alone against a page, a crash is an access outside the output; with the input
  // alone in pages that can only be read, a write to it.
  const bool is_output_alone = request->guard == kGuardOutput;
  const bool is_input_alone = request->guard == kGuardInput;
  const enum kit_guard guard_in = is_output_alone  ? kGuardNone
                                  : is_input_alone ? kGuardAfter
                                                   : request->guard;
  const enum kit_guard guard_out = is_output_alone  ? kGuardAfter
                                   : is_input_alone ? kGuardNone
                                                    : request->guard;
  if (!hurray_kit_place(&host->input, &host->guarded_input, guard_in, call->in_bytes,
                        request->in_off, &operation->in) ||
      !hurray_kit_place(&host->output, &host->guarded_output, guard_out, call->out_bytes,
                        request->out_off, &operation->out)) {
    return "too large";
  }
  operation->fill = hurray_kit_fill_of(request);
  hurray_kit_paint_red_zones(&operation->in, operation->fill);
  hurray_kit_paint_red_zones(&operation->out, operation->fill);
  __builtin_memset(operation->out.bytes, operation->fill, operation->out.length);
  if (request->verb == kVerbEncode) {
    __builtin_memcpy(operation->in.bytes, &operation->descriptor, sizeof operation->descriptor);
  } else if (!hurray_kit_read_array(request->array, operation->in.bytes,
                                    hurray_kit_swap(operation->width_in))) {
    return "malformed array";
  }
  call->in = (request->null & kNullIn) != 0 ? NULL : operation->in.bytes;
  call->out = (request->null & kNullOut) != 0 ? NULL : operation->out.bytes;
  return NULL;
}

// What of the host's memory lies behind a buffer that was, or could have been, placed in it.
static struct hurray_kit_memory behind(struct hurray_kit_memory memory, size_t length) {
  const size_t taken = 3 * (size_t)kBoundaryBytes + kRedZoneBytes + length;
  if (memory.size < taken) return (struct hurray_kit_memory){memory.bytes, 0};
  return (struct hurray_kit_memory){memory.bytes + taken, memory.size - taken};
}

static const char* make_call(const struct hurray_kit_host* host, const struct kit_request* request,
                             struct operation* operation) {
  struct kit_call* call = &operation->call;
  const bool other_mode = kit_has(request, kKeyFenv);
  if (request->threads != 0 && host->run_threads == NULL) return "no threads here";
  if (other_mode) {
    if (host->enter_fenv == NULL || host->leave_fenv == NULL) return "no fenv here";
    if (host->enter_fenv(host->context, request->fenv) != 0) return "no such fenv here";
  }
  const char* refusal = hurray_kit_protect_input(host, request, true);
  if (refusal == NULL) {
    hurray_kit_call(call);
    refusal = hurray_kit_protect_input(host, request, false);
  }
  if (refusal == NULL && request->threads != 0) {
    refusal = hurray_kit_call_in_threads(host, call, request->threads, operation->fill,
                                         behind(host->input, call->in_bytes),
                                         behind(host->output, call->out_bytes));
  }
  if (request->repeat != 0 && refusal == NULL) {
    refusal = hurray_kit_call_repeated(call, request->repeat, operation->fill,
                                       behind(host->input, call->in_bytes),
                                       behind(host->output, call->out_bytes));
  }
  if (other_mode) operation->mode_kept = host->leave_fenv(host->context) == 1;
  return refusal;
}

static bool input_changed(const struct kit_request* request, const struct operation* operation) {
  const struct kit_buffer* in = &operation->in;
  // A write beside the input has no field of its own: it counts as a change of the input.
  if (hurray_kit_count_under(in, operation->fill) + hurray_kit_count_over(in, operation->fill) !=
      0) {
    return true;
  }
  if (request->verb == kVerbEncode) {
    return __builtin_memcmp(in->bytes, &operation->descriptor, sizeof operation->descriptor) != 0;
  }
  return !hurray_kit_array_is(request->array, in->bytes, hurray_kit_swap(operation->width_in));
}

// Bytes of the room for the output that are none of the output, and yet written.
static uint32_t count_beside(const struct kit_request* request, const struct operation* operation) {
  const struct kit_call* call = &operation->call;
  if (request->verb == kVerbEncode && call->written < call->out_bytes) {
    // The room may be larger than the descriptor: what is behind it is not the encoder's.
    return hurray_kit_count_other(operation->out.bytes + call->written,
                                  call->out_bytes - call->written, operation->fill);
  }
  if (request->verb == kVerbDecode) {
    struct hurray_descriptor result;
    __builtin_memcpy(&result, operation->out.bytes, sizeof result);
    // hurray_target.h: fields that a scheme does not have are zero.
    const uint64_t fields = hurray_kit_scheme_keys(result.scheme_tag);
    return fields == 0 ? 0 : hurray_kit_count_other_fields(&result, fields);
  }
  return 0;
}

static void put_discipline(struct kit_output* output, const struct kit_request* request,
                           const struct operation* operation, bool refused) {
  if (kit_has(request, kKeyFill)) {
    struct kit_changes changes = {0, 0, input_changed(request, operation), 0};
    hurray_kit_add_output(&changes, &operation->out, operation->fill);
    // What is answered may be another result than the one in `out`: of a thread, of a repetition.
    if (refused) {
      changes.changed =
          hurray_kit_count_other(operation->call.out, operation->out.length, operation->fill);
    } else {
      changes.over += count_beside(request, operation);
    }
    // The number of bytes written is an output of the encoder too.
    if (operation->call.written != kNothingWritten) {
      changes.changed += sizeof operation->call.written;
    }
    hurray_kit_put_changes(output, &changes, refused);
  }
  if (kit_has(request, kKeyFenv)) {
    hurray_kit_put(output, operation->mode_kept ? " fenv=kept" : " fenv=changed");
  }
}

static void put_ok(struct kit_output* output, const struct kit_request* request,
                   const struct operation* operation) {
  const struct kit_call* call = &operation->call;
  const uint8_t* out = call->out != NULL ? call->out : operation->out.bytes;
  size_t length = call->out_bytes;
  HURRAY_KIT_PUT(output, " ok");
  switch (request->verb) {
    case kVerbDecode: {
      struct hurray_descriptor result;
      __builtin_memcpy(&result, out, sizeof result);
      HURRAY_KIT_PUT(output, " scheme=");
      hurray_kit_put_unsigned(output, result.scheme_tag);
      // A scheme that does not exist shows the fields of the first.
      const uint64_t fields = hurray_kit_scheme_keys(result.scheme_tag);
      hurray_kit_put_fields(output, &result, fields != 0 ? fields : hurray_kit_scheme_keys(1));
      return;
    }
    case kVerbEncode:
      HURRAY_KIT_PUT(output, " bytes=");
      if (call->written < length) length = call->written;
      break;
    case kVerbQuantize:
      HURRAY_KIT_PUT(output, " q=");
      break;
    case kVerbNormalize:
      HURRAY_KIT_PUT(output, " zero_points=");
      break;
    case kVerbRa8:
      HURRAY_KIT_PUT(output, " code=");
      hurray_kit_put_hex_number(output, (uint32_t)call->result, 4);
      if (call->result != 0 && !kit_has(request, kKeyFill)) return;
      HURRAY_KIT_PUT(output, " out=");
      break;
    case kVerbPack:
      HURRAY_KIT_PUT(output, " packed=");
      break;
    case kVerbUnpack:
      HURRAY_KIT_PUT(output, " values=");
      break;
    case kVerbPackedBytes: {
      uint64_t bytes;
      __builtin_memcpy(&bytes, out, sizeof bytes);
      HURRAY_KIT_PUT(output, " bytes=");
      hurray_kit_put_unsigned(output, bytes);
      return;
    }
    default:
      HURRAY_KIT_PUT(output, " out=");
      break;
  }
  hurray_kit_put_array(output, out, length, hurray_kit_swap(operation->width_out));
}

void hurray_kit_answer_operation(struct kit_session* session, const struct kit_request* request) {
  struct kit_output* output = &session->output;
  struct operation operation;
  __builtin_memset(&operation, 0, sizeof operation);
  const char* refusal = prepare(&session->target, request, &operation);
  if (refusal == NULL) refusal = arrange(session->host, request, &operation);
  if (refusal == NULL) refusal = make_call(session->host, request, &operation);
  if (refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, refusal);
    return;
  }
  const int32_t result = operation.call.result;
  if (request->verb == kVerbRa8 || result == HURRAY_OK) {
    put_ok(output, request, &operation);
    put_discipline(output, request, &operation, false);
  } else if (result == HURRAY_UNSUPPORTED) {
    HURRAY_KIT_PUT(output, " unsupported by the target");
  } else {
    HURRAY_KIT_PUT(output, " reject");
    put_discipline(output, request, &operation, true);
    hurray_kit_put_odd_status(output, result);
  }
}
