// SPDX-License-Identifier: Apache-2.0
//
// Which cases are made by rule rather than by hand? A family is a function that lists cases with
// their requests; what may be answered is computed afterwards. A requirement file names the
// families that judge it. A new family is one function and one row in the table of its file.

#ifndef HURRAY_CONFORMANCE_FAMILIES_H
#define HURRAY_CONFORMANCE_FAMILIES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "reference/element_type.h"

namespace hurray::conformance {

// Requests of one case, in the order in which they are asked. The name is completed with the
// family's.
struct Draft {
  std::string name;
  std::vector<std::string> requests;
};

struct Family {
  std::string_view name;  // also the beginning of its cases' names
  std::string_view why;   // what is wrong with an implementation that fails a case of it
  std::vector<Draft> (*make)();
};

std::span<const Family> decode_families();
std::span<const Family> encode_families();
std::span<const Family> dequantize_families();
std::span<const Family> quantize_families();
std::span<const Family> normalize_families();
std::span<const Family> ra8_families();
std::span<const Family> call_families();
std::span<const Family> refused_call_families();
std::span<const Family> place_families();
std::span<const Family> crossed_families();
std::span<const Family> codec_call_families();
std::span<const Family> looked_up_families();
std::vector<Family> all_families();

// --- What several families use

// Seeded and the same everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

// A per-tensor affine descriptor with scale 0.5, valid for types that can represent the zero point.
std::vector<std::uint8_t> base_descriptor(std::int32_t zero_point = 3);
// The same with another scale, legal or not.
std::vector<std::uint8_t> descriptor(std::uint32_t scale_bits, std::int32_t zero_point);

// Scales by bit pattern: all of them legal, among them subnormal, tiny, huge and negative ones.
std::span<const std::uint32_t> positive_scales();
std::span<const std::uint32_t> negative_scales();

// NaNs by bit pattern: every bit of the payload by itself and with others, either sign.
std::span<const std::uint32_t> nan_scales();

// Zero points of a storage type that a descriptor may hold: ends, their neighbours, 0 and small
// ones.
std::vector<std::int32_t> legal_zero_points(const StorageTypeInfo& info);

// All values of the type in order; for types of at most 16 bits.
std::vector<std::int64_t> every_code(const StorageTypeInfo& info);

std::string tag_of(const StorageTypeInfo& info);  // "10"

// Codes packed as the storage type packs them, as hexadecimal.
std::string pack_hex(StorageType type, std::span<const std::int64_t> codes);

std::string decode_request(std::string_view type, std::span<const std::uint8_t> bytes);
std::string encode_request(std::string_view type, std::uint32_t scale_bits,
                           std::int64_t zero_point);
std::string dequantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                               std::int32_t zero_point, std::span<const std::int64_t> codes);
std::string quantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                             std::int32_t zero_point, std::span<const float> in);

// The same of the firmware functions, for int8 and uint8; their names end in "i8" or "u8".
std::string_view ra8_suffix(const StorageTypeInfo& info);
std::string ra8_dequantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                                   std::int32_t zero_point, std::span<const std::int64_t> codes);
std::string ra8_quantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                                 std::int32_t zero_point, std::span<const float> in);

// Inputs around every tie and every clamp edge of the codes `first`..`last` for a scale and zero
// point: (k + 1/2) * scale and its float neighbours, and k * scale.
std::vector<float> tie_inputs(std::uint32_t scale_bits, std::int64_t zero_point, std::int64_t first,
                              std::int64_t last);

// Inputs with nothing in common but that kernels get them wrong: zeros, subnormals, infinities,
// powers of two and their neighbours, the largest value below a half.
std::vector<float> special_inputs();

// A case with all of `in`, named `name`; a longer list in parts, named name/part-1, name/part-2 ….
void add_in_parts(std::vector<Draft>& drafts, const std::string& name, std::span<const float> in,
                  std::string (*request)(const StorageTypeInfo&, std::uint32_t, std::int32_t,
                                         std::span<const float>),
                  const StorageTypeInfo& info, std::uint32_t scale_bits, std::int32_t zero_point);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FAMILIES_H
