// SPDX-License-Identifier: Apache-2.0
//
// What the inputs of tensors_agree consist of: a byte of settings, then a tensor descriptor.

#ifndef HURRAY_FUZZ_TENSOR_SHAPE_H
#define HURRAY_FUZZ_TENSOR_SHAPE_H

#include "fuzz/mutator.h"

namespace hurray::fuzz {

void tensor_fields(std::span<const std::uint8_t> input, FieldList& fields);
void repair_tensor(Edited& input, Random& random);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_TENSOR_SHAPE_H
