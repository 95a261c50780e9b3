// SPDX-License-Identifier: Apache-2.0
//
// How does a foreign tensor become a call of the converter and an answer?
//
// The kit has to know how many blocks there are, because as many scales and zero points come back.

#include "kit_arrays.h"
#include "kit_tensor_call.h"
#include "kit_types.h"
#include "kit_verbs.h"

// A descriptor of any rank with three buffers is shorter.
enum { kDescriptorCapacity = 1024 };

struct conversion {
  struct kit_arrays inputs;
  struct kit_arena outputs;
  struct hurray_foreign_tensor foreign;
  struct kit_buffer descriptor, weights, scales, zero_points;
  size_t blocks;
};

// Places one array if it is there. Returns NULL or the refusal.
static const char* place(struct kit_arrays* inputs, const struct kit_request* request,
                         enum kit_key key, size_t width, const uint8_t** bytes, size_t* length) {
  const struct kit_text text = kit_array(request, key);
  *bytes = NULL;
  *length = text.length / 2;
  return kit_has(request, key) ? hurray_kit_place_array(inputs, text, width, bytes) : NULL;
}

static const char* place_inputs(const struct kit_request* request, struct conversion* conversion) {
  struct kit_arrays* inputs = &conversion->inputs;
  struct hurray_foreign_tensor* foreign = &conversion->foreign;
  const uint8_t *shape, *group_index;
  size_t shape_bytes, group_index_bytes;
  const char* refusal = place(inputs, request, kKeyShape, 8, &shape, &shape_bytes);
  if (refusal == NULL) {
    refusal = place(inputs, request, kKeyWeights, 1, &foreign->weights, &foreign->weights_bytes);
  }
  if (refusal == NULL) {
    refusal = place(inputs, request, kKeyScales, 1, &foreign->scales, &foreign->scales_bytes);
  }
  if (refusal == NULL) {
    refusal =
        place(inputs, request, kKeyPlane, 1, &foreign->zero_points, &foreign->zero_points_bytes);
  }
  if (refusal == NULL) {
    refusal = place(inputs, request, kKeyGroupIndex, 4, &group_index, &group_index_bytes);
  }
  if (refusal == NULL) {
    refusal = place(inputs, request, kKeySuperScales, 1, &foreign->super_scales,
                    &foreign->super_scales_bytes);
  }
  if (refusal != NULL) return refusal;
  foreign->type_tag = request->type;
  foreign->scale_type_tag = request->scale_type_tag;
  foreign->rank = (uint32_t)(shape_bytes / sizeof *foreign->shape);
  foreign->shape = (const void*)shape;
  foreign->axis = request->axis;
  foreign->group_size = request->group_size;
  foreign->zero_point_format.bits = request->bits;
  foreign->zero_point_format.bias = request->bias;
  foreign->zero_point_format.high_field_first = request->high_field_first;
  foreign->group_major = request->group_major;
  foreign->word_bytes = request->word_bytes;
  foreign->group_index = (const void*)group_index;
  // The table has no length for it: one that is too short could not be refused by the target.
  if (group_index != NULL && foreign->axis < foreign->rank &&
      foreign->shape[foreign->axis] != group_index_bytes / sizeof *foreign->group_index) {
    return "group_index and shape disagree";
  }
  return NULL;
}

// Groups that a shape has; SIZE_MAX if that is no number, or too large a one.
static size_t groups_of(const struct hurray_foreign_tensor* foreign) {
  if (foreign->axis >= foreign->rank || foreign->group_size == 0) return SIZE_MAX;
  size_t groups = 1;
  bool too_large = false;
  for (uint32_t i = 0; i < foreign->rank; ++i) {
    uint64_t factor = foreign->shape[i];
    if (i == foreign->axis) {
      factor = factor / foreign->group_size + (factor % foreign->group_size != 0);
    }
    if (factor == 0) return 0;
    if (factor > SIZE_MAX / groups) {
      too_large = true;
    } else {
      groups *= (size_t)factor;
    }
  }
  return too_large ? SIZE_MAX : groups;
}

// Room for as many blocks as the shape has. A shape without a number of them, or beyond the host's
// memory, gets room for as many as there are scales: that these do not fit each other is the
// converter's to see.
static const char* place_outputs(const struct hurray_kit_host* host, unsigned offset,
                                 struct conversion* conversion) {
  const struct hurray_foreign_tensor* foreign = &conversion->foreign;
  const uint8_t fill = conversion->inputs.fill;
  const size_t scales = foreign->scales_bytes / 2;
  conversion->blocks = groups_of(foreign);
  for (;;) {
    struct kit_arena* arena = &conversion->outputs;
    const unsigned of_words = offset / 4 * 4;  // what is never misaligned
    const bool is_too_large = conversion->blocks > SIZE_MAX / 4;
    *arena = (struct kit_arena){host->output, 0};
    if (!is_too_large &&
        hurray_kit_take_at(arena, offset, kDescriptorCapacity, fill, &conversion->descriptor) &&
        hurray_kit_take_at(arena, offset, foreign->weights_bytes, fill, &conversion->weights) &&
        hurray_kit_take_at(arena, of_words, 4 * conversion->blocks, fill, &conversion->scales) &&
        hurray_kit_take_at(arena, of_words, 4 * conversion->blocks, fill,
                           &conversion->zero_points)) {
      break;
    }
    if (conversion->blocks <= scales) return "too large";
    conversion->blocks = scales;
  }
  return NULL;
}

static void put_words(struct kit_output* output, const struct kit_buffer* buffer) {
  hurray_kit_put_array(output, buffer->bytes, buffer->length, hurray_kit_swap(4));
}

// `written` is what the converter made of `descriptor_bytes`.
static void put_changes(struct kit_output* output, const struct conversion* conversion,
                        hurray_status status, size_t written) {
  const uint8_t fill = conversion->inputs.fill;
  const struct kit_buffer* descriptor = &conversion->descriptor;
  struct kit_changes changes = {0, 0, hurray_kit_arrays_changed(&conversion->inputs), 0};
  hurray_kit_add_output(&changes, descriptor, fill);
  hurray_kit_add_output(&changes, &conversion->weights, fill);
  hurray_kit_add_output(&changes, &conversion->scales, fill);
  hurray_kit_add_output(&changes, &conversion->zero_points, fill);
  if (status == HURRAY_OK && written <= descriptor->length) {
    changes.over +=
        hurray_kit_count_other(descriptor->bytes + written, descriptor->length - written, fill);
  }
  if (written != kNothingWritten) changes.changed += sizeof written;
  hurray_kit_put_changes(output, &changes, status != HURRAY_OK);
}

// Makes the call that the request asks for. Returns NULL or the refusal.
static const char* make_call(const struct kit_session* session, const struct kit_request* request,
                             struct conversion* conversion, struct kit_tensor_call* call) {
  const uint8_t fill = conversion->inputs.fill;
  *call = (struct kit_tensor_call){.target = &session->target,
                                   .verb = kVerbConvert,
                                   .foreign = &conversion->foreign,
                                   .outputs = {conversion->descriptor, conversion->weights,
                                               conversion->scales, conversion->zero_points},
                                   .output_count = 4};
  const char* refusal = hurray_kit_protect_input(session->host, request, true);
  if (refusal != NULL) return refusal;
  hurray_kit_call_tensor(call, fill);
  refusal = hurray_kit_protect_input(session->host, request, false);
  if (refusal != NULL || request->threads == 0) return refusal;
  return hurray_kit_call_tensor_in_threads(session->host, call, request->threads, fill,
                                           &conversion->inputs.arena, &conversion->outputs);
}

void hurray_kit_answer_convert(struct kit_session* session, const struct kit_request* request) {
  struct kit_output* output = &session->output;
  struct conversion conversion;
  struct kit_tensor_call call;
  __builtin_memset(&conversion, 0, sizeof conversion);
  hurray_kit_start_arrays(&conversion.inputs, hurray_kit_input_memory(session->host, request),
                          hurray_kit_fill_of(request));
  conversion.inputs.offset = request->in_off;
  const char* refusal = session->target.convert == NULL ? "operation not claimed" : NULL;
  if (refusal == NULL && request->guard != kGuardNone && request->guard != kGuardInput) {
    refusal = "no such guard here";
  }
  if (refusal == NULL) refusal = place_inputs(request, &conversion);
  if (refusal == NULL) refusal = place_outputs(session->host, request->out_off, &conversion);
  if (refusal == NULL) refusal = make_call(session, request, &conversion, &call);
  if (refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, refusal);
    return;
  }
  if (call.status == HURRAY_UNSUPPORTED) {
    HURRAY_KIT_PUT(output, " unsupported by the target");
    return;
  }
  if (call.status == HURRAY_OK) {
    size_t length = call.written;
    if (length > conversion.descriptor.length) length = conversion.descriptor.length;
    HURRAY_KIT_PUT(output, " ok bytes=");
    hurray_kit_put_array(output, conversion.descriptor.bytes, length, 0);
    HURRAY_KIT_PUT(output, " b0=");
    hurray_kit_put_array(output, conversion.weights.bytes, conversion.weights.length, 0);
    HURRAY_KIT_PUT(output, " b1=");
    put_words(output, &conversion.scales);
    HURRAY_KIT_PUT(output, " b2=");
    put_words(output, &conversion.zero_points);
  } else {
    HURRAY_KIT_PUT(output, " reject");
  }
  if (kit_has(request, kKeyFill)) put_changes(output, &conversion, call.status, call.written);
  hurray_kit_put_odd_status(output, call.status);
}
