// SPDX-License-Identifier: Apache-2.0
//
// Faulty quantizers. Those that differ in quotient or rounding are one function from a real to a
// whole number of steps; checks, zero point, saturation and packing stay scalar's.

#include "replacements.h"
#include "scalar/scalar.h"

// How a faulty quantizer turns a real into a whole number of steps. A result that is whole passes
// through scalar's rounding unchanged, so a fault of quotient or rounding is this function and no
// more.
typedef float (*fault_steps)(float in, float scale);

// Scalar's three quantizers with the steps made by `steps`. Each calls scalar with count 0 first,
// which judges the parameters alone.

enum { kChunk = 64 };  // whole bytes for every width

static void make_steps(fault_steps steps, float scale, const float* in, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) out[i] = steps(in[i], scale);
}

static unsigned bits_of(uint8_t type_tag) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  return type != NULL ? type->bits : 0;
}

static hurray_status quantize_by(fault_steps steps, uint8_t type_tag, float scale,
                                 int32_t zero_point, const float* in, void* q, size_t count) {
  if (count != 0 && (in == NULL || q == NULL)) return HURRAY_REJECTED;
  hurray_status status = hurray_scalar_quantize(type_tag, scale, zero_point, in, q, 0);
  float chunk[kChunk];
  for (size_t done = 0; status == HURRAY_OK && done < count; done += kChunk) {
    const size_t n = count - done < kChunk ? count - done : kChunk;
    make_steps(steps, scale, in + done, n, chunk);
    uint8_t* at = (uint8_t*)q + done / 8 * bits_of(type_tag);
    status = hurray_scalar_quantize(type_tag, 1.0f, zero_point, chunk, at, n);
  }
  return status;
}

static uint16_t ra8_quantize_i8_by(fault_steps steps, const float* in, int8_t* out, size_t count,
                                   float scale, int32_t zero_point) {
  uint16_t code = hurray_scalar_ra8_quantize_i8(in, out, 0, scale, zero_point);
  float chunk[kChunk];
  for (size_t done = 0; code == 0 && done < count; done += kChunk) {
    const size_t n = count - done < kChunk ? count - done : kChunk;
    make_steps(steps, scale, in + done, n, chunk);
    code = hurray_scalar_ra8_quantize_i8(chunk, out + done, n, 1.0f, zero_point);
  }
  return code;
}

static uint16_t ra8_quantize_u8_by(fault_steps steps, const float* in, uint8_t* out, size_t count,
                                   float scale, int32_t zero_point) {
  uint16_t code = hurray_scalar_ra8_quantize_u8(in, out, 0, scale, zero_point);
  float chunk[kChunk];
  for (size_t done = 0; code == 0 && done < count; done += kChunk) {
    const size_t n = count - done < kChunk ? count - done : kChunk;
    make_steps(steps, scale, in + done, n, chunk);
    code = hurray_scalar_ra8_quantize_u8(chunk, out + done, n, 1.0f, zero_point);
  }
  return code;
}

// Defines the three quantizers of a fault that is a `fault_steps`: one line per fault.
#define QUANTIZERS(NAME, STEPS)                                                                   \
  hurray_status fault_quantize_##NAME(uint8_t type_tag, float scale, int32_t zero_point,          \
                                      const float* in, void* q, size_t count) {                   \
    return quantize_by(STEPS, type_tag, scale, zero_point, in, q, count);                         \
  }                                                                                               \
  uint16_t fault_ra8_quantize_i8_##NAME(const float* in, int8_t* out, size_t count, float scale,  \
                                        int32_t zero_point) {                                     \
    return ra8_quantize_i8_by(STEPS, in, out, count, scale, zero_point);                          \
  }                                                                                               \
  uint16_t fault_ra8_quantize_u8_##NAME(const float* in, uint8_t* out, size_t count, float scale, \
                                        int32_t zero_point) {                                     \
    return ra8_quantize_u8_by(STEPS, in, out, count, scale, zero_point);                          \
  }

static float steps_ties_to_even(float in, float scale) {
  const float y = in / scale;
  if (!(y > -0x1p23f && y < 0x1p23f)) return y;  // whole already, infinite, or NaN
  const int32_t whole = (int32_t)y;
  const float rest = y - (float)whole;
  const int32_t odd = whole % 2 != 0;
  const int32_t up = rest > 0.5f || (rest == 0.5f && odd);
  const int32_t down = rest < -0.5f || (rest == -0.5f && odd);
  return (float)(whole + up - down);
}
QUANTIZERS(ties_to_even, steps_ties_to_even)
