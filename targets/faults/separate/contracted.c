// SPDX-License-Identifier: Apache-2.0
//
// A dequantizer that checks itself: each product is made again, and where the two differ it must
// have overflowed, since infinity minus infinity is no number. Right, as long as nobody fuses the
// second product with the subtraction: then what differs is every product that was rounded.

#include "scalar/scalar.h"

static void correct_overflow(float scale, const float* differences, float* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float lost = scale * differences[i] - out[i];
    if (lost != 0.0f) out[i] = out[i] < 0 ? -__builtin_inff() : __builtin_inff();
  }
}

static hurray_status dequantize(uint8_t type_tag, float scale, int32_t zero_point, const void* q,
                                float* out, size_t count) {
  enum { kBlock = 64 };
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  float differences[kBlock];
  for (size_t done = 0; done == 0 || done < count; done += kBlock) {
    const size_t n = count - done < kBlock ? count - done : kBlock;
    const uint8_t* at = (const uint8_t*)q + (type != NULL ? done / 8 * type->bits : 0);
    float* to = out + done;
    hurray_status status = hurray_scalar_dequantize(type_tag, 1.0f, zero_point, at, differences, n);
    if (status == HURRAY_OK) {
      status = hurray_scalar_dequantize(type_tag, scale, zero_point, at, to, n);
    }
    if (status != HURRAY_OK) return status;
    correct_overflow(scale, differences, to, n);
  }
  return HURRAY_OK;
}

const struct hurray_ra8_functions hurray_scalar_ra8 = {HURRAY_SCALAR_RA8_MEMBERS};

#pragma GCC diagnostic ignored "-Woverride-init"
const struct hurray_target HURRAY_TARGET_SYMBOL = {
    HURRAY_SCALAR_MEMBERS, .name = "fault-contracted", .dequantize = dequantize};
