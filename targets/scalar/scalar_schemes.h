// SPDX-License-Identifier: Apache-2.0
//
// What is a quantization scheme to the scalar target? Its length, how its fields lie behind the
// header, and which of their values a section may hold. One file per scheme; scalar_codec.c has
// what they share. What needs the shape or the buffers of a tensor is in
// scalar_tensor_quantization.c.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_SCHEMES_H
#define HURRAY_TARGETS_SCALAR_SCALAR_SCHEMES_H

#include "scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kPerTensorAffine = 1,
  kPerChannelAffine = 2,
  kPerBlockAffine = 3,
  kNf4 = 4,
  kMxfp = 5,
  kSchemeCount = 5
};

enum { kSymmetric = 1 };                           // flag of schemes 02 and 03
enum { kHeaderBytes = 4, kMostSchemeBytes = 24 };  // of a quantization descriptor
#define NO_BUFFER UINT32_MAX                       // zero_point_buffer_index of a symmetric tensor

struct hurray_scalar_scheme {
  uint8_t bytes;
  uint8_t reserved_bytes;  // at the end, all zero
  uint16_t flags;          // those that are defined
  // Between the bytes behind the header and the fields; the fields start out as zero.
  void (*read)(const uint8_t* bytes, struct hurray_descriptor* fields);
  void (*write)(const struct hurray_descriptor* fields, uint8_t* bytes);
  // Whether a tensor of this type may have these fields.
  bool (*is_valid)(uint8_t type_tag, const struct hurray_descriptor* fields);
};

extern const struct hurray_scalar_scheme hurray_scalar_per_tensor_affine;
extern const struct hurray_scalar_scheme hurray_scalar_per_channel_affine;
extern const struct hurray_scalar_scheme hurray_scalar_per_block_affine;
extern const struct hurray_scalar_scheme hurray_scalar_nf4;
extern const struct hurray_scalar_scheme hurray_scalar_mxfp;

// The scheme with this tag, or NULL if this target knows none.
const struct hurray_scalar_scheme* hurray_scalar_find_scheme(uint8_t tag);

// The type if per-block affine stores it, or NULL: the integers of up to 8 bits.   [HQ-PBA-030]
const struct hurray_scalar_type* hurray_scalar_per_block_type(uint8_t type_tag);

static inline bool is_power_of_two(uint32_t value) {
  return value != 0 && (value & (value - 1u)) == 0;
}

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_SCHEMES_H
