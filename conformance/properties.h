// SPDX-License-Identifier: Apache-2.0
//
// What holds of every implementation, whatever the input? The claims of texts and rulings as plain
// functions: each takes a target and concrete inputs, asks the target, and returns a violation or
// nothing. No test framework: RapidCheck drives them (properties_test.cpp), a fuzzer may as well.
//
// All of them are total: inputs for which nothing is promised, and operations or storage types
// that the target does not claim, violate nothing. Where the rulings leave several results open,
// any of them passes.

#ifndef HURRAY_CONFORMANCE_PROPERTIES_H
#define HURRAY_CONFORMANCE_PROPERTIES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "hurray_target.h"
#include "reference/element_type.h"

namespace hurray::conformance {

// The type, beside which hurray_target.h declares a variable of the same name.
using Target = struct ::hurray_target;

// How a tensor is quantized, and which functions convert it.
struct Quantization {
  Contract contract = Contract::kHurray;  // kRa8: the four firmware functions, int8 and uint8 only
  StorageType type = StorageType::kInt8;
  float scale = 1;              // real units per step
  std::int32_t zero_point = 0;  // the code of 0
};

struct Violation {
  std::string property;               // a word, such as quantize-is-monotonic
  std::string what;                   // a sentence for people, with the values
  std::vector<std::string> requests;  // the calls that show it, as PROTOCOL.md writes them
};
using Verdict = std::optional<Violation>;

// --- Descriptors

// What the encoder writes, the decoder takes back as it was; so nothing leaves the encoder that its
// own decoder refuses.   [HQ-PTA-005, -010, -026, HC-CALL]
Verdict decode_inverts_encode(const Target& target, std::uint8_t type_tag, float scale,
                              std::int32_t zero_point);

// What the decoder takes, the encoder writes back: the first 16 bytes, and 1 for a version 0 that
// was taken (A11).   [HQ-PTA-001, -002, -005, -010, -014]
Verdict encode_inverts_decode(const Target& target, std::uint8_t type_tag,
                              std::span<const std::uint8_t> bytes);

// The decoder takes what the clauses describe, with the fields that they say, and nothing else. The
// clauses are read here once more, byte by byte, without the reference.   [HQ-PTA-001 to -017]
Verdict accepts_what_is_described(const Target& target, std::uint8_t type_tag,
                                  std::span<const std::uint8_t> bytes);

// --- Kernels

// A greater real has no smaller code; with a negative scale, no greater one.
//   in   any order, any values; NaNs are left out   [RA8-Q-028]
Verdict quantize_is_monotonic(const Target& target, const Quantization& how,
                              std::span<const float> in);

// Whether a code that is dequantized and quantized again has to be the same code:
// property_round_trip.cpp says where that is, and why. For a finite scale that is not zero.
bool has_to_come_back(const Quantization& how, std::int64_t code);

// A code that is dequantized and quantized again is the same code, wherever rounding leaves it
// distinguishable: property_round_trip.cpp says where that is, and why.
//   codes   each inside the range of the type
Verdict quantize_inverts_dequantize(const Target& target, const Quantization& how,
                                    std::span<const std::int64_t> codes);

// A real that is quantized and dequantized again is off by half a step at most, and by the
// roundings of quotient and product: |result - x| <= |scale| / 2 + 1.5 ulp(max(|x|, |result|)),
// where x lies in the range of the codes and the result does not overflow.
Verdict round_trip_is_within_half_a_step(const Target& target, const Quantization& how,
                                         std::span<const float> in);

// A real at or beyond that of the outermost code has the outermost code.   [RA8-Q-005, R04]
Verdict quantize_saturates(const Target& target, const Quantization& how,
                           std::span<const float> in);

// Zeros of either sign have the zero point as their code, saturated, and the zero point stands for
// a zero.   [HQ-PTA-018, RA8-Q-004, R07]
Verdict zero_maps_to_the_zero_point(const Target& target, const Quantization& how);

// Codes at the same distance on both sides of the zero point stand for opposite reals; the sign of
// a zero does not count (A06).
//   codes   each is compared with its mirror image, if the type has that   [HQ-PTA-018..020]
Verdict dequantize_is_odd(const Target& target, const Quantization& how,
                          std::span<const std::int64_t> codes);

// What surrounds a call that has to give the results of calls on one element each.
struct Surroundings {
  std::size_t offset_bytes = 0;  // of the codes from an address divisible by 64; 0 to 63
  Quantization before;           // of a call that is made just before, unless it is the same
};

// The code of a real depends on nothing but the parameters: not on its position, the number of
// elements, addresses, or calls before. NaNs included: they have one code, or are refused.
// [HC-CALL, R01, RA8-Q-016, -018]
Verdict quantize_is_elementwise(const Target& target, const Quantization& how,
                                std::span<const float> in, const Surroundings& around);
Verdict dequantize_is_elementwise(const Target& target, const Quantization& how,
                                  std::span<const std::int64_t> codes, const Surroundings& around);

// --- Conversion of foreign zero points

// A plane of 4-bit fields that hold zero_point - 1, one for each code. Normalized, it has the zero
// points that one gets by adding 1 to the fields by hand. Left as it is, every integer difference
// is greater by exactly one. Dequantizing gives what the reference gives in both cases.
//   how      its zero point does not matter
//   plane    at least ceil(codes.size() / 2) bytes, low field first
// A target without normalization is given the zero points made by hand.   [HQ-ZP-005..008]
Verdict normalizing_removes_the_bias(const Target& target, const Quantization& how,
                                     std::span<const std::uint8_t> plane,
                                     std::span<const std::int64_t> codes);

// --- Packing

// With scale 1, packed codes are dequantized to their distances from the zero point, and these are
// quantized to the same bytes, unused bits zero.   [HQ-PACK-001..009]
Verdict kernels_keep_packed_codes(const Target& target, const Quantization& how,
                                  std::span<const std::int64_t> codes);

// The same of `pack` and `unpack`, where a target has them.
Verdict unpack_inverts_pack(const Target& target, StorageType type,
                            std::span<const std::int64_t> codes);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROPERTIES_H
