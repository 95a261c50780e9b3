// SPDX-License-Identifier: Apache-2.0
//
// On which values of a field do implementations part?

#ifndef HURRAY_FUZZ_SPECIAL_VALUES_H
#define HURRAY_FUZZ_SPECIAL_VALUES_H

#include "fuzz/mutator.h"

namespace hurray::fuzz {

// A value for the field, most often a special one of its kind.
std::uint64_t special_value(const Field& field, std::uint64_t before, const Edited& input,
                            Random& random);

// A scale as tensors have it, and tags of element types.
std::uint32_t ordinary_scale(Random& random);
std::span<const std::uint8_t> element_tags();

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_SPECIAL_VALUES_H
