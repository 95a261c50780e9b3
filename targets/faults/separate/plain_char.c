// SPDX-License-Identifier: Apache-2.0
//
// A target that holds codes in plain `char`, whose signedness is the compiler's choice: int8 codes
// are right where it is signed (-fsigned-char, x86), uint4 codes where it is not (-funsigned-char,
// ARM). Either choice has a wrong half.

#include "scalar/scalar.h"
#include "scalar/scalar_bits.h"

static hurray_status dequantize(uint8_t type_tag, float scale, int32_t zero_point, const void* q,
                                float* out, size_t count) {
  const hurray_status status = hurray_scalar_dequantize(type_tag, scale, zero_point, q, out, count);
  if (status != HURRAY_OK) return status;
  const char* codes = q;
  if (type_tag == 0x10) {
    for (size_t i = 0; i < count; ++i) out[i] = scale * (float)((int32_t)codes[i] - zero_point);
  }
  if (type_tag == 0x49) {
    for (size_t i = 1; i < count; i += 2) {
      out[i] = scale * (float)((int32_t)codes[i / 2] / 16 - zero_point);
    }
  }
  return HURRAY_OK;
}

const struct hurray_ra8_functions hurray_scalar_ra8 = {HURRAY_SCALAR_RA8_MEMBERS};

#pragma GCC diagnostic ignored "-Woverride-init"
const struct hurray_target HURRAY_TARGET_SYMBOL = {
    HURRAY_SCALAR_MEMBERS, .name = "fault-plain-char", .dequantize = dequantize};
