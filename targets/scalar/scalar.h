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

// All of them, by their bit in HURRAY_TYPES_AFFINE.
#define HURRAY_SCALAR_TYPES 10
extern const struct hurray_scalar_type hurray_scalar_types[HURRAY_SCALAR_TYPES];

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

// scalar_schemes.h, scalar_elements.h and scalar_tensor.h have what these share.
hurray_status hurray_scalar_pack(uint8_t type_tag, const int64_t* values, size_t count,
                                 uint8_t* out);
hurray_status hurray_scalar_unpack(uint8_t type_tag, const uint8_t* packed, size_t count,
                                   int64_t* values);
hurray_status hurray_scalar_packed_bytes(uint8_t type_tag, uint64_t count, uint64_t* bytes);
hurray_status hurray_scalar_widen(uint8_t type_tag, const uint8_t* packed, size_t count,
                                  float* out);
hurray_status hurray_scalar_convert(const struct hurray_foreign_tensor* foreign,
                                    struct hurray_converted_tensor* out);
hurray_status hurray_scalar_decode_tensor(uint32_t mode, const uint8_t* bytes, size_t length,
                                          struct hurray_tensor* out);
hurray_status hurray_scalar_encode_tensor(const struct hurray_tensor* tensor, uint8_t* out,
                                          size_t capacity, size_t* written);
hurray_status hurray_scalar_dequantize_tensor(uint32_t mode, const struct hurray_tensor* tensor,
                                              const struct hurray_tensor_buffers* buffers,
                                              float* out, size_t count);

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
#define HURRAY_SCALAR_MEMBERS                                                                     \
  .struct_bytes = sizeof(struct hurray_target), .abi = HURRAY_TARGET_ABI, .name = "scalar",       \
  .version = "1", .contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8,                      \
  .schemes = HURRAY_SCALAR_SCHEMES, .modes = HURRAY_MODE_STRICT | HURRAY_MODE_PERMISSIVE,         \
  .decode_types = HURRAY_SCALAR_STORAGE_TYPES, .encode_types = HURRAY_SCALAR_STORAGE_TYPES,       \
  .dequantize_types = HURRAY_TYPES_AFFINE, .quantize_types = HURRAY_TYPES_AFFINE,                 \
  .decode = hurray_scalar_decode, .encode = hurray_scalar_encode,                                 \
  .dequantize = hurray_scalar_dequantize, .quantize = hurray_scalar_quantize,                     \
  .pack = hurray_scalar_pack, .unpack = hurray_scalar_unpack,                                     \
  .packed_bytes = hurray_scalar_packed_bytes, .widen = hurray_scalar_widen,                       \
  .normalize_zero_points = hurray_scalar_normalize_zero_points, .convert = hurray_scalar_convert, \
  .decode_tensor = hurray_scalar_decode_tensor, .encode_tensor = hurray_scalar_encode_tensor,     \
  .dequantize_tensor = hurray_scalar_dequantize_tensor, .ra8 = &hurray_scalar_ra8,                \
  .element_types = HURRAY_SCALAR_ELEMENT_TYPES,                                                   \
  .tensor_types = HURRAY_TYPES_TIER_1 | HURRAY_SCALAR_STORAGE_TYPES,                              \
  .layouts = HURRAY_LAYOUT_ROW_MAJOR | HURRAY_LAYOUT_COLUMN_MAJOR | HURRAY_LAYOUT_STRIDED

// All five schemes, and the fifteen types that they store.
#define HURRAY_SCALAR_SCHEMES                                           \
  (HURRAY_SCHEME_PER_TENSOR_AFFINE | HURRAY_SCHEME_PER_CHANNEL_AFFINE | \
   HURRAY_SCHEME_PER_BLOCK_AFFINE | HURRAY_SCHEME_NF4 | HURRAY_SCHEME_MXFP)
#define HURRAY_SCALAR_STORAGE_TYPES 0x7fffu
// Everything that one number of at most 64 bits describes.
#define HURRAY_SCALAR_ELEMENT_TYPES 0x7fffffu

#define HURRAY_SCALAR_RA8_MEMBERS                                                                 \
  .quantize_i8 = hurray_scalar_ra8_quantize_i8, .dequantize_i8 = hurray_scalar_ra8_dequantize_i8, \
  .quantize_u8 = hurray_scalar_ra8_quantize_u8, .dequantize_u8 = hurray_scalar_ra8_dequantize_u8

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_H
