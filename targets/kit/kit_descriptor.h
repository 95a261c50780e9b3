// SPDX-License-Identifier: Apache-2.0
//
// How do the fields of a quantization descriptor stand in a request and in an answer?
//
// Each scheme has its own; which, is a table of kit_keys.c.

#ifndef HURRAY_KIT_DESCRIPTOR_H
#define HURRAY_KIT_DESCRIPTOR_H

#include "kit_request.h"

// The descriptor that the request's keys describe; fields without a key are zero.
void hurray_kit_read_descriptor(const struct kit_request* request,
                                struct hurray_descriptor* descriptor);

// Writes the fields of these keys, in the order of the protocol.
void hurray_kit_put_fields(struct kit_output* output, const struct hurray_descriptor* descriptor,
                           uint64_t keys);

// Whether the fields of these keys are the same, and `scheme_tag`.
bool hurray_kit_same_fields(const struct hurray_descriptor* a, const struct hurray_descriptor* b,
                            uint64_t keys);

// Bytes that are not zero, of fields that are neither `scheme_tag` nor among these keys.
uint32_t hurray_kit_count_other_fields(const struct hurray_descriptor* descriptor, uint64_t keys);

#endif  // HURRAY_KIT_DESCRIPTOR_H
