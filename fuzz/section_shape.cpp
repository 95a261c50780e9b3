// SPDX-License-Identifier: Apache-2.0
//
// Quantization sections as inputs, see section_shape.h. Offsets are those of the format.

#include "fuzz/section_shape.h"

#include <algorithm>
#include <array>
#include <bit>

#include "fuzz/special_values.h"
#include "reference/binary32.h"
#include "reference/element_type.h"
#include "reference/quantization.h"

namespace hurray::fuzz {
namespace {

constexpr std::array<std::uint8_t, 10> kAffineTypes = {0x10, 0x11, 0x12, 0x13, 0x14,
                                                       0x15, 0x48, 0x49, 0x4a, 0x4b};
constexpr std::array<std::uint8_t, 6> kBlockTypes = {0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b};
constexpr std::array<std::uint8_t, 1> kNf4Types = {0x49};
constexpr std::array<std::uint8_t, 7> kMxfpTypes = {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48};

std::span<const std::uint8_t> types_of(std::uint8_t scheme_tag) {
  switch (scheme_tag) {
    case kSchemePerBlockAffine:
      return kBlockTypes;
    case kSchemeNf4:
      return kNf4Types;
    case kSchemeMxfp:
      return kMxfpTypes;
    default:
      return kAffineTypes;
  }
}

// Where the reserved bytes at the end begin; behind the end if there are none.
std::size_t reserved_at(std::uint8_t scheme_tag) {
  constexpr std::array<std::size_t, 6> kAt = {0, 12, 17, 21, 16, 16};
  return kAt[scheme_tag];
}

}  // namespace

void add_section_fields(std::size_t at, std::uint8_t scheme_tag, FieldList& fields) {
  fields.add(at, 1, FieldKind::kScheme);
  fields.add(at + 1, 1, FieldKind::kVersion);
  fields.add(at + 2, 2, FieldKind::kFlags);
  if (!is_known_scheme(scheme_tag)) return;
  if (scheme_tag == kSchemePerTensorAffine) {
    fields.add(at + 4, 4, FieldKind::kScale);
    fields.add(at + 8, 4, FieldKind::kZeroPoint);
  } else {
    std::size_t next = at + 4;
    fields.add(next, 4, FieldKind::kAxis);
    if (scheme_tag != kSchemePerChannelAffine) fields.add(next += 4, 4, FieldKind::kBlockSize);
    fields.add(next += 4, 4, FieldKind::kIndex);
    if (scheme_tag <= kSchemePerBlockAffine) {
      fields.add(next += 4, 4, FieldKind::kIndex);
      fields.add(next += 4, 1, FieldKind::kSmall);
    }
  }
  for (std::size_t i = reserved_at(scheme_tag); i < scheme_bytes(scheme_tag); ++i) {
    fields.add(at + i, 1, FieldKind::kReserved);
  }
}

std::uint8_t repair_scheme_and_type(Edited& input, std::size_t scheme_at, std::size_t type_at,
                                    Random& random) {
  auto scheme = static_cast<std::uint8_t>(input.get(scheme_at, 1));
  const auto type = static_cast<std::uint8_t>(input.get(type_at, 1));
  if (!is_known_scheme(scheme) && !input.is_kept(scheme_at)) {
    scheme = static_cast<std::uint8_t>(1 + random.below(5));
    input.set(scheme_at, 1, scheme);
  }
  const std::span<const std::uint8_t> types = types_of(scheme);
  if (std::ranges::find(types, type) == types.end()) input.set(type_at, 1, random.one_of(types));
  return scheme;
}

void repair_scale(Edited& input, std::size_t at, Random& random) {
  const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(input.get(at, 4)));
  if (!is_finite(scale) || is_zero(scale)) input.set(at, 4, ordinary_scale(random));
}

void repair_zero_point(Edited& input, std::size_t at, std::uint8_t type_tag, Random& random) {
  const StorageTypeInfo* const type = find_storage_type(type_tag);
  if (type == nullptr) return;
  const auto zero_point = static_cast<std::int32_t>(input.get(at, 4));
  if (zero_point >= type->min && zero_point <= type->max) return;
  const auto codes =
      static_cast<std::size_t>(std::min<std::int64_t>(type->max, INT32_MAX) - type->min + 1);
  input.set(at, 4, static_cast<std::uint64_t>(type->min) + random.below(codes));
}

void repair_block_size(Edited& input, std::size_t at, std::uint8_t scheme_tag, Random& random) {
  const auto size = static_cast<std::uint32_t>(input.get(at, 4));
  const std::uint32_t least = scheme_tag == kSchemeMxfp ? 16 : scheme_tag == kSchemeNf4 ? 8 : 2;
  const std::uint32_t most = scheme_tag == kSchemeMxfp ? 2048 : 1u << 31;
  if (std::has_single_bit(size) && size >= least && size <= most) return;
  input.set(at, 4, std::uint64_t{least} << random.below(4));
}

bool may_be_symmetric(std::uint8_t scheme_tag) {
  return scheme_tag == kSchemePerChannelAffine || scheme_tag == kSchemePerBlockAffine;
}

void repair_flags(Edited& input, std::size_t at, std::uint8_t scheme_tag) {
  input.set(at, 2, may_be_symmetric(scheme_tag) ? input.get(at, 2) & kSymmetric : 0);
}

void repair_index_and_scale_type(Edited& input, std::size_t flags_at, std::size_t index_at,
                                 std::size_t scale_type_at, std::uint8_t scheme_tag) {
  const bool is_symmetric = (input.get(flags_at, 2) & kSymmetric) != 0;
  const std::uint64_t index = input.get(index_at, 4);
  if (is_symmetric) input.set(index_at, 4, kNoBufferIndex);
  if (!is_symmetric && index == kNoBufferIndex) input.set(index_at, 4, 2);
  const std::uint64_t scale_type = input.get(scale_type_at, 1);
  if (scheme_tag == kSchemePerChannelAffine || scale_type < 1 || scale_type > 3) {
    input.set(scale_type_at, 1, 3);
  }
}

void repair_section(Edited& input, std::size_t at, std::uint8_t scheme_tag, std::uint8_t type_tag,
                    Random& random) {
  if (!is_known_scheme(scheme_tag)) return;
  input.set(at + 1, 1, 1);
  repair_flags(input, at + 2, scheme_tag);
  const std::size_t reserved = reserved_at(scheme_tag);
  for (std::size_t i = reserved; i < scheme_bytes(scheme_tag); ++i) input.set(at + i, 1, 0);
  if (scheme_tag == kSchemePerTensorAffine) {
    repair_scale(input, at + 4, random);
    repair_zero_point(input, at + 8, type_tag, random);
    return;
  }
  if (scheme_tag != kSchemePerChannelAffine) repair_block_size(input, at + 8, scheme_tag, random);
  if (!may_be_symmetric(scheme_tag)) return;
  const std::size_t index_at = at + (scheme_tag == kSchemePerChannelAffine ? 12 : 16);
  repair_index_and_scale_type(input, at + 2, index_at, index_at + 4, scheme_tag);
}

}  // namespace hurray::fuzz
