// SPDX-License-Identifier: Apache-2.0
//
// How does a property ask a target? The kernels of both contracts behind one pair of functions, the
// line of PROTOCOL.md that asks the same, and what may be asked at all.

#ifndef HURRAY_CONFORMANCE_PROPERTY_CALLS_H
#define HURRAY_CONFORMANCE_PROPERTY_CALLS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/properties.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

using Codes = std::vector<std::int64_t>;

// Whether the bit of `type` is set in one of the `…_types` of a target.
bool has_type(std::uint32_t claimed, StorageType type);

// Whether the target claims the operation, and a result is promised for the parameters: under the
// hurray contract those of a valid descriptor, under the firmware's finite positive scales with any
// zero point.
bool can_quantize(const Target& target, const Quantization& how);
bool can_dequantize(const Target& target, const Quantization& how);

// Whether a quantizer may refuse all the same: a negative scale (A09), or a NaN among the inputs
// (R01).
bool may_refuse(const Quantization& how, std::span<const float> in);

// Whether a unit may take `value` for a zero, or give a zero for it: a subnormal, under the
// firmware's contract alone (R15).
bool may_be_flushed(const Quantization& how, float value);

// code - zero_point, where all readings of the text agree about it: nothing for codes that no int32
// holds (A02) and differences that leave int32 (A01). Under the firmware's contract the exact
// difference is the only one (R10).
std::optional<std::int64_t> steps_of(const Quantization& how, std::int64_t code);

// Calls. The packed codes lie `offset_bytes` behind an address divisible by 64, 0 to 63, the reals
// as many floats. Nothing if the target refused; only after can_…().
std::optional<Bytes> packed_codes_of(const Target& target, const Quantization& how,
                                     std::span<const float> in, std::size_t offset_bytes = 0);
std::optional<Codes> codes_of(const Target& target, const Quantization& how,
                              std::span<const float> in, std::size_t offset_bytes = 0);
std::optional<Floats> reals_of(const Target& target, const Quantization& how,
                               std::span<const std::int64_t> codes, std::size_t offset_bytes = 0);

// The same as request lines, without id.
std::string quantize_line(const Quantization& how, std::span<const float> in,
                          std::size_t offset_bytes = 0);
std::string dequantize_line(const Quantization& how, std::span<const std::int64_t> codes,
                            std::size_t offset_bytes = 0);

// The same functions with the same parameters, by their bits.
bool same_quantization(const Quantization& a, const Quantization& b);

// The same bits, or zeros of any sign (A06).
bool same_real(float a, float b);

// `3f000000 (0.5)`.
std::string shown(float value);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROPERTY_CALLS_H
