// SPDX-License-Identifier: Apache-2.0
//
// The functions that faults put in the place of scalar's, and what several of them share.

#ifndef HURRAY_TARGETS_FAULTS_REPLACEMENTS_H
#define HURRAY_TARGETS_FAULTS_REPLACEMENTS_H

#include "hurray_target.h"

// How a faulty quantizer turns a real into a whole number of steps. A result that is whole passes
// through scalar's rounding unchanged, so a fault of quotient or rounding is this function and no
// more.
typedef float (*fault_steps)(float in, float scale);

// Scalar's quantize with the steps made by `steps`.
hurray_status fault_quantize_by(fault_steps steps, uint8_t type_tag, float scale,
                                int32_t zero_point, const float* in, void* q, size_t count);
uint16_t fault_ra8_quantize_i8_by(fault_steps steps, const float* in, int8_t* out, size_t count,
                                  float scale, int32_t zero_point);
uint16_t fault_ra8_quantize_u8_by(fault_steps steps, const float* in, uint8_t* out, size_t count,
                                  float scale, int32_t zero_point);

// decode.c
hurray_status fault_decode_zero_point_unchecked(uint8_t type_tag, const uint8_t* bytes,
                                                size_t length, struct hurray_descriptor* out);

// quantize.c
hurray_status fault_quantize_ties_to_even(uint8_t type_tag, float scale, int32_t zero_point,
                                          const float* in, void* q, size_t count);
uint16_t fault_ra8_quantize_i8_ties_to_even(const float* in, int8_t* out, size_t count, float scale,
                                            int32_t zero_point);
uint16_t fault_ra8_quantize_u8_ties_to_even(const float* in, uint8_t* out, size_t count,
                                            float scale, int32_t zero_point);

#endif  // HURRAY_TARGETS_FAULTS_REPLACEMENTS_H
