// SPDX-License-Identifier: Apache-2.0
//
// Which storage types does per-tensor affine list, and which parameters may go with each?
// HQ-PTA-006 to 009, 011, 016, 017; ranges from HQ-PACK-003.

#include "scalar.h"
#include "scalar_bits.h"

const struct hurray_scalar_type hurray_scalar_types[HURRAY_SCALAR_TYPES] = {
    {0x10, 8, 0x80, INT8_MIN, INT8_MAX},
    {0x11, 8, 0, 0, UINT8_MAX},
    {0x12, 16, 0x8000, INT16_MIN, INT16_MAX},
    {0x13, 16, 0, 0, UINT16_MAX},
    {0x14, 32, 0x80000000u, INT32_MIN, INT32_MAX},
    {0x15, 32, 0, 0, UINT32_MAX},
    {0x48, 4, 0x8, -8, 7},
    {0x49, 4, 0, 0, 15},
    {0x4a, 2, 0x2, -2, 1},
    {0x4b, 2, 0, 0, 3},
};

const struct hurray_scalar_type* hurray_scalar_find_type(uint8_t type_tag) {
  for (size_t i = 0; i < HURRAY_SCALAR_TYPES; ++i) {
    if (hurray_scalar_types[i].tag == type_tag) return &hurray_scalar_types[i];
  }
  return NULL;
}

bool hurray_scalar_parameters_valid(const struct hurray_scalar_type* type, float scale,
                                    int32_t zero_point) {
  // Finite and not zero: magnitudes 00000001 to 7f7fffff, either sign.
  const uint32_t magnitude = float_bits(scale) & 0x7fffffffu;
  return magnitude - 1u < 0x7f7fffffu && zero_point >= type->min && zero_point <= type->max;
}
