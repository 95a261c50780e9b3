// SPDX-License-Identifier: Apache-2.0
//
// Which code stands for a real number? clamp(round(x / scale) + zero_point), ties away from zero.
// Source: the formula of ra8_npu_quant.h, rows RA8-Q-001 to -008; the format itself defines only
// the way back. Here for every storage type; the firmware's pointers and result codes are in
// firmware.h. Runs in the default floating-point environment; another rounding mode of the thread
// would show.

#ifndef HURRAY_REFERENCE_QUANTIZE_H
#define HURRAY_REFERENCE_QUANTIZE_H

#include <cstddef>
#include <cstdint>

#include "reference/choices.h"
#include "reference/element_type.h"

namespace hurray {

// One element.
//   scale       not NaN, not zero; negative and infinite scales are computed with
//   zero_point  any int32, also outside min..max; the sum is exact and saturates only at the end
//   min, max    min <= max, both between -2^32 and 2^32
// A quotient that is infinite, or that overflows to infinity, saturates by its sign. A quotient
// that is no number (x NaN, or infinity over infinity) counts as 0 and gives the clamped zero
// point. choices.quotient and .subnormals apply.   [RA8-Q-001..008; rulings R01..R08, R15]
std::int64_t quantize_value(float x, float scale, std::int32_t zero_point, std::int64_t min,
                            std::int64_t max, const Choices& choices = {});

// `count` elements into packed storage of `type`.
//   in   `count` binary32
//   q    packed_bytes(type, count) bytes at any alignment, must not overlap `in`; every byte is
//        written, and bits behind the last element are zero
void quantize(StorageType type, float scale, std::int32_t zero_point, const float* in,
              std::size_t count, std::uint8_t* q, const Choices& choices = {});

}  // namespace hurray

#endif  // HURRAY_REFERENCE_QUANTIZE_H
