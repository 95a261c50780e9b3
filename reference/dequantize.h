// SPDX-License-Identifier: Apache-2.0
//
// Which real number does a code stand for? scale * (q - zero_point), in binary32, with the
// roundings that per-tensor-affine.md §Dequantization names and no others. Rows HQ-PTA-018 to -021
// and -025. Runs in the default floating-point environment; another rounding mode of the thread
// would show.

#ifndef HURRAY_REFERENCE_DEQUANTIZE_H
#define HURRAY_REFERENCE_DEQUANTIZE_H

#include <cstddef>
#include <cstdint>

#include "reference/choices.h"
#include "reference/element_type.h"

namespace hurray {

// One element: scale * float(q - zero_point).
//   q   a code inside the range of `type`
// One rounding from integer to binary32, one of the product; nearest-even, never fused. With a
// valid descriptor there is no error. Parameters that no descriptor may hold are computed with all
// the same: any scale, NaN included, by IEEE 754, and any zero point. choices.difference_width,
// .uint32_codes and .subnormals apply.   [HQ-PTA-018..021; rulings A01, A02, A04, A05, R15]
float dequantize_value(StorageType type, float scale, std::int32_t zero_point, std::int64_t q,
                       const Choices& choices = {});

// `count` elements.
//   q     packed storage of `type`, packed_bytes(type, count) bytes, any alignment
//   out   `count` binary32, must not overlap q
void dequantize(StorageType type, float scale, std::int32_t zero_point, const std::uint8_t* q,
                std::size_t count, float* out, const Choices& choices = {});

}  // namespace hurray

#endif  // HURRAY_REFERENCE_DEQUANTIZE_H
