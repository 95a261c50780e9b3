// SPDX-License-Identifier: Apache-2.0
//
// What does the target claim, and which calls can this host arrange?
//
// A member that is NULL is not claimed, whatever the bit sets say.

#include "kit_buffers.h"
#include "kit_types.h"
#include "kit_verbs.h"

// Starts ` key=`, then writes commas between the items.
struct list {
  struct kit_output* output;
  const char* key;
  unsigned items;
};

static void next_item(struct list* list) {
  if (list->items++ == 0) {
    hurray_kit_put(list->output, list->key);
  } else {
    HURRAY_KIT_PUT(list->output, ",");
  }
}

static void put_item(struct list* list, bool claimed, const char* item) {
  if (!claimed) return;
  next_item(list);
  hurray_kit_put(list->output, item);
}

static void put_types(struct kit_output* output, const char* key, bool present, uint32_t types) {
  struct list list = {output, key, 0};
  for (unsigned bit = 0; present && bit < kElementTypes; ++bit) {
    if ((types >> bit & 1) == 0) continue;
    next_item(&list);
    hurray_kit_put_hex_number(output, kElementType[bit].tag, 2);
  }
}

static void put_storage_types(struct kit_output* output, const char* key, bool present,
                              uint32_t types) {
  put_types(output, key, present, types & HURRAY_KIT_STORAGE_TYPES);
}

static void put_tags(struct kit_output* output, const char* key, bool present, uint32_t tags) {
  struct list list = {output, key, 0};
  for (unsigned tag = 0; present && tag < 32; ++tag) {
    if ((tags >> tag & 1) == 0) continue;
    next_item(&list);
    hurray_kit_put_unsigned(output, tag);
  }
}

static void put_name(struct kit_output* output, const char* name) {
  HURRAY_KIT_PUT(output, " name=");
  size_t length = 0;
  while (name != NULL && name[length] != '\0') ++length;
  if (length == 0) {
    HURRAY_KIT_PUT(output, "unnamed");
    return;
  }
  for (size_t i = 0; i < length; ++i) {
    hurray_kit_put_foreign(output, (struct kit_text){(const uint8_t*)name + i, 1});
  }
}

void hurray_kit_answer_hello(struct kit_session* session, const struct kit_request* request) {
  const struct hurray_target* target = &session->target;
  const struct hurray_kit_host* host = session->host;
  struct kit_output* output = &session->output;
  if (request->version != 1) {
    HURRAY_KIT_PUT(output, " unsupported version 1 only");
    return;
  }
  HURRAY_KIT_PUT(output, " ok version=1");
  put_name(output, target->name);

  struct list contracts = {output, " contract=", 0};
  put_item(&contracts, (target->contracts & HURRAY_CONTRACT_HURRAY) != 0, "hurray");
  put_item(&contracts, (target->contracts & HURRAY_CONTRACT_RA8) != 0 && target->ra8 != NULL,
           "ra8");

  put_tags(output, " schemes=", true, target->schemes);
  put_storage_types(output, " types.decode=", target->decode != NULL, target->decode_types);
  put_storage_types(output, " types.encode=", target->encode != NULL, target->encode_types);
  put_storage_types(output, " types.dequantize=", target->dequantize != NULL,
                    target->dequantize_types);
  put_storage_types(output, " types.quantize=", target->quantize != NULL, target->quantize_types);
  struct list ops = {output, " ops=", 0};
  put_item(&ops, target->normalize_zero_points != NULL, "normalize");
  const struct hurray_ra8_functions* ra8 = target->ra8;
  put_item(&ops,
           (target->quantize != NULL && target->quantize_types != 0) ||
               (ra8 != NULL && (ra8->quantize_i8 != NULL || ra8->quantize_u8 != NULL)),
           "sweep");
  put_item(&ops,
           target->dequantize != NULL && (target->dequantize_types & HURRAY_TYPES_AFFINE) != 0,
           "sweep.dequantize");
  put_item(&ops, target->pack != NULL, "pack");
  put_item(&ops, target->unpack != NULL, "unpack");
  put_item(&ops, target->packed_bytes != NULL, "packed_bytes");
  put_item(&ops, target->widen != NULL, "widen");
  put_item(&ops, target->convert != NULL, "convert");
  // Dequantizing a tensor begins with its descriptor.
  const bool reads_tensors = target->decode_tensor != NULL;
  const bool dequantizes_tensors = reads_tensors && target->dequantize_tensor != NULL;
  put_item(&ops, reads_tensors, "decode_tensor");
  put_item(&ops, target->encode_tensor != NULL, "encode_tensor");
  put_item(&ops, dequantizes_tensors, "dequantize_tensor");

  const bool has_elements = target->pack != NULL || target->unpack != NULL ||
                            target->packed_bytes != NULL || target->widen != NULL;
  const bool has_tensors = reads_tensors || target->encode_tensor != NULL;
  put_types(output, " types.element=", has_elements, target->element_types);
  put_types(output, " types.tensor=", has_tensors, target->tensor_types);
  put_tags(output, " layouts=", has_tensors, target->layouts);
  if (reads_tensors && (target->modes & HURRAY_MODE_PERMISSIVE) != 0) {
    HURRAY_KIT_PUT(output, " modes=permissive");
  }

  struct list calls = {output, " calls=", 0};
  put_item(&calls, true, "offset");
  put_item(&calls, true, "fill");
  put_item(&calls, host->guarded_input.size != 0 && host->guarded_output.size != 0, "guard");
  put_item(&calls, true, "null");
  put_item(&calls, host->enter_fenv != NULL && host->leave_fenv != NULL, "fenv");
  put_item(&calls, host->run_threads != NULL, "threads");
  put_item(&calls,
           target->encode != NULL && target->encode_types != 0 &&
               hurray_kit_has_room(&host->output, kMostCapacity),
           "capacity");
  put_item(&calls,
           hurray_kit_has_room(&host->input, kRepeatedBytes) &&
               hurray_kit_has_room(&host->output, kRepeatedBytes),
           "repeat");
  put_item(&calls,
           hurray_kit_has_room(&host->input, kLargeRepeatedBytes) &&
               hurray_kit_has_room(&host->output, kLargeRepeatedBytes),
           "repeat.large");
  put_item(&calls, dequantizes_tensors && host->guarded_input.size != 0, "none");
  put_item(&calls, host->guarded_input.size != 0 && host->protect_input != NULL, "guard.input");
  const bool calls_tensors = has_tensors || target->convert != NULL;
  put_item(&calls, calls_tensors, "offset.tensor");
  put_item(&calls, calls_tensors && host->run_threads != NULL, "threads.tensor");
  HURRAY_KIT_PUT(output, " max_line=");
  hurray_kit_put_unsigned(output, (uint32_t)host->line.size);
}
