// SPDX-License-Identifier: Apache-2.0
//
// What does the target make of thousands or billions of consecutive floats, as one number?
//
// Inputs are made here and outputs digested here, so nothing travels and a sweep costs what the
// target costs. The digest depends on the output bytes in order, not on the blocks they came in.

#include "kit_call.h"
#include "kit_types.h"
#include "kit_verbs.h"

enum { kBlock = 1024, kLeastBlock = 8 };  // elements; whole bytes for every width

static uint64_t digest_of(uint64_t digest, const uint8_t* bytes, size_t length) {
  for (size_t i = 0; i < length; ++i) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
  return digest;
}

// Sets what every block's call has in common, and the width of an output element. Returns NULL or
// the refusal.
static const char* prepare_sweep(const struct hurray_target* target,
                                 const struct kit_request* request, struct kit_call* call,
                                 unsigned* bits) {
  const bool by_type = kit_has(request, kKeyOp) && kit_has(request, kKeyType);
  const bool by_name = kit_has(request, kKeyFn);
  const bool in_part = kit_has(request, kKeyOp) || kit_has(request, kKeyType);
  if (by_name ? in_part : !by_type) return "either op and type, or fn";
  if (request->count > (UINT64_C(1) << 32) - request->first) return "count goes beyond ffffffff";
  call->target = target;
  call->type = request->type;
  call->function = request->function;
  __builtin_memcpy(&call->scale, &request->scale_bits, sizeof call->scale);
  call->zero_point = request->zero_point;
  call->width_in = sizeof(float);
  if (by_type) {
    call->verb = kVerbQuantize;
    *bits =
        hurray_kit_claimed_bits(request->type, HURRAY_KIT_STORAGE_TYPES & target->quantize_types);
    return target->quantize == NULL || *bits == 0 ? "operation not claimed for this type" : NULL;
  }
  call->verb = kVerbRa8;
  *bits = 8;
  const struct hurray_ra8_functions* ra8 = target->ra8;
  if (request->function == kQuantizeI8) {
    return ra8 == NULL || ra8->quantize_i8 == NULL ? "operation not claimed" : NULL;
  }
  if (request->function == kQuantizeU8) {
    return ra8 == NULL || ra8->quantize_u8 == NULL ? "operation not claimed" : NULL;
  }
  return "only what reads floats can be swept";
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

void hurray_kit_answer_sweep(struct kit_session* session, const struct kit_request* request) {
  struct kit_output* output = &session->output;
  const struct hurray_kit_host* host = session->host;
  struct kit_call call;
  __builtin_memset(&call, 0, sizeof call);
  unsigned bits = 8;
  const char* refusal = prepare_sweep(&session->target, request, &call, &bits);

  struct kit_buffer in, out;
  size_t block = kBlock;
  while (block >= kLeastBlock &&
         !(hurray_kit_place(&host->input, NULL, kGuardNone, block * sizeof(float), 0, &in) &&
           hurray_kit_place(&host->output, NULL, kGuardNone, block * bits / 8, 0, &out))) {
    block /= 2;
  }
  if (refusal == NULL && block < kLeastBlock) refusal = "no room for a block";
  if (refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, refusal);
    return;
  }

  call.in = in.bytes;
  call.out = out.bytes;
  uint32_t next = request->first;
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (uint64_t left = request->count; left > 0; left -= call.count) {
    call.count = left < block ? (size_t)left : block;
    call.in_bytes = call.count * sizeof(float);
    call.out_bytes = (call.count * bits + 7) / 8;
    for (size_t i = 0; i < call.count; ++i, ++next) {
      __builtin_memcpy(in.bytes + i * sizeof next, &next, sizeof next);
    }
    // Never what the previous block left: an element that is not written must not pass for right.
    __builtin_memset(out.bytes, (int)(next * 0x9du >> 8 & 0xff), call.out_bytes);
    hurray_kit_call(&call);
    if (call.result != 0) {
      put_refused(output, &call);
      return;
    }
    digest = digest_of(digest, out.bytes, call.out_bytes);
  }
  HURRAY_KIT_PUT(output, " ok digest=");
  hurray_kit_put_hex_number(output, (uint32_t)(digest >> 32), 8);
  hurray_kit_put_hex_number(output, (uint32_t)(digest & 0xffffffffu), 8);
}
