// SPDX-License-Identifier: Apache-2.0
//
// What does the firmware offer under contract hurray? Its four functions for tensors of int8 and
// uint8, and a reader and writer of the per-tensor affine descriptor that feeds them (scheme 01,
// storage types 10 to 15).

#ifndef RA8_HURRAY_H
#define RA8_HURRAY_H

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

// Members of struct hurray_target, where their contracts are written.
hurray_status ra8_hurray_decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                                struct hurray_descriptor* out);
hurray_status ra8_hurray_encode(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                                uint8_t* out, size_t capacity, size_t* written);
hurray_status ra8_hurray_dequantize(uint8_t type_tag, float scale, int32_t zero_point,
                                    const void* q, float* out, size_t count);

// A negative scale, legal in a descriptor, is refused: the firmware's quantizers do not take one.
hurray_status ra8_hurray_quantize(uint8_t type_tag, float scale, int32_t zero_point,
                                  const float* in, void* q, size_t count);

#define RA8_HURRAY_CODEC_TYPES                                                     \
  (HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8 | HURRAY_TYPE_INT16 | HURRAY_TYPE_UINT16 | \
   HURRAY_TYPE_INT32 | HURRAY_TYPE_UINT32)
#define RA8_HURRAY_KERNEL_TYPES (HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8)

#ifdef __cplusplus
}
#endif

#endif  // RA8_HURRAY_H
