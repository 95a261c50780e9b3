// SPDX-License-Identifier: Apache-2.0
//
// How does a tensor stand in a request and in an answer?

#ifndef HURRAY_KIT_TENSOR_H
#define HURRAY_KIT_TENSOR_H

#include "kit_request.h"

// The tensor that the keys of an encode_tensor describe. Members that it does not have hold `fill`
// in every byte, because an encoder does not read them. More dimensions or buffers than the
// struct has room for are counted and not stored: an encoder has to refuse the number. Returns NULL
// or the refusal.
const char* hurray_kit_read_tensor(const struct kit_request* request, uint8_t fill,
                                   struct hurray_tensor* tensor);

// Writes every key of the answer, each after a space.
void hurray_kit_put_tensor(struct kit_output* output, const struct hurray_tensor* tensor);

// Whether the answers about both would be the same: members that they do not have are not compared.
bool hurray_kit_same_tensor(const struct hurray_tensor* a, const struct hurray_tensor* b);

#endif  // HURRAY_KIT_TENSOR_H
