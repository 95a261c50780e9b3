// SPDX-License-Identifier: Apache-2.0
//
// What do the files of the scalar target share? The storage types as a table, the checks that both
// the codec and the kernels need, and the functions of the target. Rules: per-tensor affine
// (HQ-PTA), packing (HQ-PACK), the firmware contract (RA8-Q). Freestanding C11.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_H
#define HURRAY_TARGETS_SCALAR_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

// A storage type of the affine schemes.
struct hurray_scalar_type {
  uint8_t tag;
  uint8_t bits;       // 2, 4, 8, 16 or 32
  uint32_t sign_bit;  // the code's sign bit; 0 for unsigned types
  int64_t min;
  int64_t max;
};

// The type with this tag, or NULL if the scheme does not list it.   [HQ-PTA-016, HQ-PTA-017]
const struct hurray_scalar_type* hurray_scalar_find_type(uint8_t type_tag);

// Whether scale and zero point may describe a tensor of this type. Works on the bits of `scale`, so
// a caller that has subnormals read as zero does not change the answer.   [HQ-PTA-006..009, 011]
bool hurray_scalar_parameters_valid(const struct hurray_scalar_type* type, float scale,
                                    int32_t zero_point);

hurray_status hurray_scalar_decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                                   struct hurray_descriptor* out);
hurray_status hurray_scalar_encode(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                                   uint8_t* out, size_t capacity, size_t* written);
hurray_status hurray_scalar_dequantize(uint8_t type_tag, float scale, int32_t zero_point,
                                       const void* q, float* out, size_t count);
hurray_status hurray_scalar_quantize(uint8_t type_tag, float scale, int32_t zero_point,
                                     const float* in, void* q, size_t count);
hurray_status hurray_scalar_normalize_zero_points(const struct hurray_zero_point_format* format,
                                                  const uint8_t* packed, size_t packed_bytes,
                                                  size_t count, int32_t* out);

uint16_t hurray_scalar_ra8_quantize_i8(const float* in, int8_t* out, size_t count, float scale,
                                       int32_t zero_point);
uint16_t hurray_scalar_ra8_dequantize_i8(const int8_t* in, float* out, size_t count, float scale,
                                         int32_t zero_point);
uint16_t hurray_scalar_ra8_quantize_u8(const float* in, uint8_t* out, size_t count, float scale,
                                       int32_t zero_point);
uint16_t hurray_scalar_ra8_dequantize_u8(const uint8_t* in, float* out, size_t count, float scale,
                                         int32_t zero_point);

extern const struct hurray_ra8_functions hurray_scalar_ra8;

// The members of the two tables as initializers, so that a variant of this target is written as
// `{HURRAY_SCALAR_MEMBERS, .quantize = mine}` and needs no code at start-up.
#define HURRAY_SCALAR_MEMBERS                                                               \
  .struct_bytes = sizeof(struct hurray_target), .abi = HURRAY_TARGET_ABI, .name = "scalar", \
  .version = "1", .contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8,                \
  .schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE, .modes = HURRAY_MODE_STRICT,                  \
  .decode_types = HURRAY_TYPES_AFFINE, .encode_types = HURRAY_TYPES_AFFINE,                 \
  .dequantize_types = HURRAY_TYPES_AFFINE, .quantize_types = HURRAY_TYPES_AFFINE,           \
  .decode = hurray_scalar_decode, .encode = hurray_scalar_encode,                           \
  .dequantize = hurray_scalar_dequantize, .quantize = hurray_scalar_quantize,               \
  .normalize_zero_points = hurray_scalar_normalize_zero_points, .ra8 = &hurray_scalar_ra8

#define HURRAY_SCALAR_RA8_MEMBERS                                                                 \
  .quantize_i8 = hurray_scalar_ra8_quantize_i8, .dequantize_i8 = hurray_scalar_ra8_dequantize_i8, \
  .quantize_u8 = hurray_scalar_ra8_quantize_u8, .dequantize_u8 = hurray_scalar_ra8_dequantize_u8

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_H
