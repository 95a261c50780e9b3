// SPDX-License-Identifier: Apache-2.0
//
// A third party under judgement: the convert operators of XNNPACK, as its package has them, for
// int8 and uint8. Nothing is computed here. An operator is made, run over one row and deleted in
// every call; what XNNPACK refuses to make is rejected, for that is its word for it: an invalid
// parameter.

#include <stdlib.h>
#include <string.h>

#include <xnnpack.h>

#include "hurray_target.h"

enum { kInt8 = 0x10, kUint8 = 0x11 };

// How an operator takes zero points: a conversion to its parameter must not change them.
static bool takes_zero_point(uint8_t type_tag, int32_t zero_point) {
  return type_tag == kInt8 ? zero_point >= INT8_MIN && zero_point <= INT8_MAX
                           : zero_point >= 0 && zero_point <= UINT8_MAX;
}

static hurray_status status_of(enum xnn_status status) {
  if (status == xnn_status_success) return HURRAY_OK;
  return status == xnn_status_invalid_parameter ? HURRAY_REJECTED : HURRAY_UNSUPPORTED;
}

// The operator of a direction and type, for rows of `count` elements.
static enum xnn_status make(bool quantizes, uint8_t type_tag, float scale, int32_t zero_point,
                            size_t count, xnn_operator_t* made) {
  const enum xnn_status status = xnn_initialize(NULL);  // does something the first time only
  if (status != xnn_status_success) return status;
  if (quantizes) {
    return type_tag == kInt8
               ? xnn_create_convert_nc_f32_qs8(count, count, count, scale, (int8_t)zero_point,
                                               INT8_MIN, INT8_MAX, 0, made)
               : xnn_create_convert_nc_f32_qu8(count, count, count, scale, (uint8_t)zero_point, 0,
                                               UINT8_MAX, 0, made);
  }
  return type_tag == kInt8 ? xnn_create_convert_nc_qs8_f32(count, count, count, scale,
                                                           (int8_t)zero_point, 0, made)
                           : xnn_create_convert_nc_qu8_f32(count, count, count, scale,
                                                           (uint8_t)zero_point, 0, made);
}

static enum xnn_status run(bool quantizes, uint8_t type_tag, xnn_operator_t made, const void* in,
                           void* out) {
  enum xnn_status status;
  if (quantizes) {
    status = type_tag == kInt8 ? xnn_setup_convert_nc_f32_qs8(made, 1, in, out, NULL)
                               : xnn_setup_convert_nc_f32_qu8(made, 1, in, out, NULL);
  } else {
    status = type_tag == kInt8 ? xnn_setup_convert_nc_qs8_f32(made, 1, in, out, NULL)
                               : xnn_setup_convert_nc_qu8_f32(made, 1, in, out, NULL);
  }
  return status == xnn_status_success ? xnn_run_operator(made, NULL) : status;
}

static hurray_status convert(bool quantizes, uint8_t type_tag, float scale, int32_t zero_point,
                             const void* in, void* out, size_t count) {
  if (type_tag != kInt8 && type_tag != kUint8) return HURRAY_UNSUPPORTED;
  if (!takes_zero_point(type_tag, zero_point)) return HURRAY_REJECTED;
  // No operator has rows of 0 elements: one of a single element says whether the scale is refused.
  xnn_operator_t made = NULL;
  hurray_status status =
      status_of(make(quantizes, type_tag, scale, zero_point, count == 0 ? 1 : count, &made));
  if (status == HURRAY_OK && count != 0) {
    // XNNPACK reads up to XNN_EXTRA_BYTES behind its input, and says so: its callers provide them.
    const size_t bytes = quantizes ? count * sizeof(float) : count;
    void* const padded = malloc(bytes + XNN_EXTRA_BYTES);
    if (padded == NULL) {
      status = HURRAY_UNSUPPORTED;
    } else {
      memcpy(padded, in, bytes);
      memset((char*)padded + bytes, 0, XNN_EXTRA_BYTES);
      status = status_of(run(quantizes, type_tag, made, padded, out));
      free(padded);
    }
  }
  if (made != NULL) xnn_delete_operator(made);
  return status;
}

static hurray_status dequantize(uint8_t type_tag, float scale, int32_t zero_point, const void* q,
                                float* out, size_t count) {
  return convert(false, type_tag, scale, zero_point, q, out, count);
}

static hurray_status quantize(uint8_t type_tag, float scale, int32_t zero_point, const float* in,
                              void* q, size_t count) {
  return convert(true, type_tag, scale, zero_point, in, q, count);
}

const struct hurray_target HURRAY_TARGET_SYMBOL = {
    .struct_bytes = sizeof(struct hurray_target),
    .abi = HURRAY_TARGET_ABI,
    .name = "xnnpack",
    .contracts = HURRAY_CONTRACT_HURRAY,
    .dequantize_types = HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8,
    .quantize_types = HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8,
    .dequantize = dequantize,
    .quantize = quantize,
};
