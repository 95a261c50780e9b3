// SPDX-License-Identifier: Apache-2.0
//
// What does the target make of thousands or billions of consecutive floats, or codes, as one
// number?
//
// Inputs are made here and outputs digested here, so nothing travels and a sweep costs what the
// target costs. The digest depends on the output bytes in order, not on the blocks they came in.

#include "kit_call.h"
#include "kit_digest.h"
#include "kit_line.h"
#include "kit_types.h"
#include "kit_verbs.h"

enum { kBlock = 1024, kLeastBlock = 8 };  // elements; whole bytes for every width

// What all blocks of a sweep have in common.
struct sweep {
  struct kit_call call;
  unsigned bits_in;  // of an element
  unsigned bits_out;
};

static const char* prepare_type(const struct hurray_target* target,
                                const struct kit_request* request, struct sweep* sweep) {
  const char* not_claimed = "operation not claimed for this type";
  if (!request->dequantizes) {
    sweep->call.verb = kVerbQuantize;
    sweep->bits_out =
        hurray_kit_claimed_bits(request->type, HURRAY_KIT_STORAGE_TYPES & target->quantize_types);
    return target->quantize == NULL || sweep->bits_out == 0 ? not_claimed : NULL;
  }
  sweep->call.verb = kVerbDequantize;
  sweep->bits_out = 8 * sizeof(float);
  sweep->bits_in =
      hurray_kit_claimed_bits(request->type, HURRAY_TYPES_AFFINE & target->dequantize_types);
  return target->dequantize == NULL || sweep->bits_in == 0 ? not_claimed : NULL;
}

static const char* prepare_function(const struct hurray_target* target,
                                    const struct kit_request* request, struct sweep* sweep) {
  sweep->call.verb = kVerbRa8;
  const struct hurray_ra8_functions* ra8 = target->ra8;
  if (request->function == kQuantizeI8) {
    return ra8 == NULL || ra8->quantize_i8 == NULL ? "operation not claimed" : NULL;
  }
  if (request->function == kQuantizeU8) {
    return ra8 == NULL || ra8->quantize_u8 == NULL ? "operation not claimed" : NULL;
  }
  return "only what reads floats can be swept";
}

// Returns NULL or the refusal.
static const char* prepare_sweep(const struct hurray_target* target,
                                 const struct kit_request* request, struct sweep* sweep) {
  const bool by_type = kit_has(request, kKeyOp) && kit_has(request, kKeyType);
  const bool by_name = kit_has(request, kKeyFn);
  const bool in_part = kit_has(request, kKeyOp) || kit_has(request, kKeyType);
  if (by_name ? in_part : !by_type) return "either op and type, or fn";
  sweep->bits_in = 8 * sizeof(float);
  sweep->bits_out = 8;
  struct kit_call* call = &sweep->call;
  call->target = target;
  call->type = request->type;
  call->function = request->function;
  __builtin_memcpy(&call->scale, &request->scale_bits, sizeof call->scale);
  call->zero_point = request->zero_point;
  const char* refusal =
      by_type ? prepare_type(target, request, sweep) : prepare_function(target, request, sweep);
  if (refusal != NULL) return refusal;
  call->width_in = (sweep->bits_in + 7) / 8;
  const uint64_t patterns = UINT64_C(1) << sweep->bits_in;
  if (request->first < patterns && request->count <= patterns - request->first) return NULL;
  return sweep->bits_in == 32 ? "count goes beyond ffffffff" : "count goes beyond the last code";
}

static void put_refused(struct kit_output* output, const struct kit_call* call) {
  if (call->verb == kVerbRa8) {
    HURRAY_KIT_PUT(output, " reject code=");
    hurray_kit_put_hex_number(output, (uint32_t)call->result, 4);
  } else if (call->result == HURRAY_UNSUPPORTED) {
    HURRAY_KIT_PUT(output, " unsupported by the target");
  } else {
    HURRAY_KIT_PUT(output, " reject");
  }
}

// Words between the processor's order and that of the format, either way.
static void swap_words(uint8_t* bytes, size_t count) {
  for (size_t i = 0; kBigEndian && i < count; ++i) {
    uint32_t word;
    __builtin_memcpy(&word, bytes + i * sizeof word, sizeof word);
    word = __builtin_bswap32(word);
    __builtin_memcpy(bytes + i * sizeof word, &word, sizeof word);
  }
}

// Writes `count` elements of `bits` bits whose patterns follow each other from `next`: floats as
// the processor has them, codes as the format stores them.
static void make_inputs(uint8_t* bytes, size_t count, unsigned bits, bool are_codes,
                        uint32_t next) {
  if (bits == 32) {
    for (size_t i = 0; i < count; ++i, ++next) {
      __builtin_memcpy(bytes + i * sizeof next, &next, sizeof next);
    }
    if (are_codes) swap_words(bytes, count);
  } else if (bits >= 8) {
    const size_t width = bits / 8;
    for (size_t i = 0; i < count; ++i, ++next) {
      bytes[i * width] = (uint8_t)next;
      if (width == 2) bytes[i * width + 1] = (uint8_t)(next >> 8);
    }
  } else {
    __builtin_memset(bytes, 0, (count * bits + 7) / 8);
    for (size_t i = 0; i < count; ++i, ++next) {
      const unsigned shift = (unsigned)(i * bits % 8);
      bytes[i * bits / 8] |= (uint8_t)((next & ((1u << bits) - 1)) << shift);
    }
  }
}

void hurray_kit_answer_sweep(struct kit_session* session, const struct kit_request* request) {
  struct kit_output* output = &session->output;
  const struct hurray_kit_host* host = session->host;
  struct sweep sweep;
  __builtin_memset(&sweep, 0, sizeof sweep);
  const char* refusal = prepare_sweep(&session->target, request, &sweep);

  struct kit_buffer in, out;
  size_t block = kBlock;
  while (
      block >= kLeastBlock &&
      !(hurray_kit_place(&host->input, NULL, kGuardNone, block * sweep.bits_in / 8, 0, &in) &&
        hurray_kit_place(&host->output, NULL, kGuardNone, block * sweep.bits_out / 8, 0, &out))) {
    block /= 2;
  }
  if (refusal == NULL && block < kLeastBlock) refusal = "no room for a block";
  if (refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, refusal);
    return;
  }

  struct kit_call* call = &sweep.call;
  call->in = in.bytes;
  call->out = out.bytes;
  uint32_t next = request->first;
  struct kit_digest digest = hurray_kit_no_digest(sweep.bits_out < 8 ? 1 : sweep.bits_out / 8);
  for (uint64_t left = request->count; left > 0; left -= call->count) {
    call->count = left < block ? (size_t)left : block;
    call->in_bytes = (call->count * sweep.bits_in + 7) / 8;
    call->out_bytes = (call->count * sweep.bits_out + 7) / 8;
    make_inputs(in.bytes, call->count, sweep.bits_in, request->dequantizes, next);
    next += (uint32_t)call->count;
    // Never what the previous block left: an element that is not written must not pass for right.
    __builtin_memset(out.bytes, (int)(next * 0x9du >> 8 & 0xff), call->out_bytes);
    hurray_kit_call(call);
    if (call->result != 0) {
      put_refused(output, call);
      return;
    }
    if (request->dequantizes) swap_words(out.bytes, call->count);
    hurray_kit_digest_add(&digest, out.bytes, call->out_bytes);
  }
  HURRAY_KIT_PUT(output, " ok digest=");
  hurray_kit_put_hex_number(output, (uint32_t)(digest.value >> 32), 8);
  hurray_kit_put_hex_number(output, (uint32_t)(digest.value & 0xffffffffu), 8);
}
