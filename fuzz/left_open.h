// SPDX-License-Identifier: Apache-2.0
//
// Which differences between two implementations are none? All that the rulings leave open
// (RULINGS.md), for all claims about codecs, kernels and packing, so that what is not compared can
// be read in one place; tensors and conversions say in their heads what is open beside it. The
// claims ask here only after two answers differed.

#ifndef HURRAY_FUZZ_LEFT_OPEN_H
#define HURRAY_FUZZ_LEFT_OPEN_H

#include <array>
#include <cstdint>
#include <span>

#include "conformance/runner/case.h"
#include "hurray_target.h"
#include "reference/binary32.h"
#include "reference/choices.h"
#include "reference/element_type.h"
#include "reference/findings.h"
#include "reference/small_float.h"

namespace hurray::fuzz {

// --- Claims of a target (A16, A61: what it does not claim, it may refuse)

// Whether the bit of the element type `tag` is set in one of the `…_types`.
inline bool has_type(std::uint32_t types, std::uint8_t tag) {
  const ElementTypeInfo* const info = find_element_type(tag);
  return info != nullptr && (types >> (info - kElementTypes.data()) & 1) != 0;
}
inline bool has_scheme(const struct hurray_target& target, std::uint8_t scheme_tag) {
  return scheme_tag < 32 && (target.schemes >> scheme_tag & 1) != 0;
}

// --- Descriptors

// Whether a reader may accept: what is wrong is a warning (A11, A18, A60) or a choice.
inline bool may_be_accepted(const Findings& findings) { return !findings.has_must(); }
// Whether it may refuse: something is wrong, or a choice (A12, A17, A35).
inline bool may_be_refused(const Findings& findings) { return !findings.empty(); }

// The fields of two descriptors, but for an index that SYMMETRIC makes meaningless (A17, A18).
inline bool same_fields(const hurray_descriptor& a, const hurray_descriptor& b) {
  const bool is_symmetric = (a.scheme_tag == 2 || a.scheme_tag == 3) && (a.flags & 1) != 0;
  return a.scheme_tag == b.scheme_tag && a.scale_type_tag == b.scale_type_tag &&
         a.flags == b.flags && bits_of(a.scale) == bits_of(b.scale) &&
         a.zero_point == b.zero_point && a.axis == b.axis && a.block_size == b.block_size &&
         a.scale_buffer_index == b.scale_buffer_index &&
         (is_symmetric || a.zero_point_buffer_index == b.zero_point_buffer_index);
}

// --- Kernels

// How subnormals may be treated (R15): under the header alone as one likes, under the format not.
inline std::span<const Subnormals> subnormals_of(conformance::Contract contract) {
  static constexpr std::array kAll = {Subnormals::kGradual, Subnormals::kFlush,
                                      Subnormals::kFlushOperands, Subnormals::kFlushResults};
  return contract == conformance::Contract::kRa8 ? std::span(kAll) : std::span(kAll).first(1);
}

// Which differences a dequantizer may take: A01 and A02 for the format, none for the header (R10).
inline std::span<const Choices> differences_of(conformance::Contract contract) {
  static constexpr std::array<Choices, 4> kAll = [] {
    std::array<Choices, 4> all{};
    all[1].difference_width = all[3].difference_width = DifferenceWidth::kWrap;
    all[2].uint32_codes = all[3].uint32_codes = Uint32Codes::kReinterpret;
    return all;
  }();
  return contract == conformance::Contract::kHurray ? std::span(kAll) : std::span(kAll).first(1);
}

// Whether a quantizer has to refuse the scale (R02, R18), or may: a negative one (A09), an infinite
// one (R03), a zero point that no descriptor can hold (R07), a NaN among the inputs (R01).
inline bool must_refuse(conformance::Contract contract, float scale) {
  return is_nan(scale) || is_zero(scale) ||
         (contract == conformance::Contract::kRa8 && is_negative(scale));
}
inline bool may_refuse(conformance::Contract contract, const StorageTypeInfo& type, float scale,
                       std::int32_t zero_point, std::span<const float> in) {
  if (must_refuse(contract, scale) || is_infinite(scale)) return true;
  if (contract == conformance::Contract::kHurray) {
    if (is_negative(scale) || zero_point < type.min || zero_point > type.max) return true;
  }
  for (const float x : in) {
    if (is_nan(x)) return true;
  }
  return false;
}

// --- Other things

// Whether a plane of zero points has a form that a target may decline (A27).
inline bool may_be_declined(const hurray_zero_point_format& format) {
  return format.bits != 4 || format.high_field_first != 0;
}
// Whether unpacking may refuse: bits behind the last element are set (A43), or a byte of e8m0 is no
// number (A63).
inline bool may_refuse_to_unpack(std::uint8_t tag, const std::uint8_t* packed, std::size_t count) {
  constexpr std::uint8_t kFloat8E8m0 = 0x42;
  if (!unused_bits_are_zero(tag, packed, count)) return true;
  for (std::size_t i = 0; tag == kFloat8E8m0 && i < count; ++i) {
    if (!is_float8_e8m0_legal(packed[i])) return true;
  }
  return false;
}
// Sign and payload of a NaN are free (A46).
inline bool same_value(float a, float b) {
  return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
}

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_LEFT_OPEN_H
