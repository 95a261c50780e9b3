// SPDX-License-Identifier: Apache-2.0
//
// Which functions do faults put in the place of scalar's?

#ifndef HURRAY_TARGETS_FAULTS_REPLACEMENTS_H
#define HURRAY_TARGETS_FAULTS_REPLACEMENTS_H

#include "hurray_target.h"

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
