// SPDX-License-Identifier: Apache-2.0
//
// Tensor descriptors as inputs, see tensor_shape.h: where everything stands is told by rank,
// layout, number of buffers and flags. Offsets are those of the format plus the byte of settings.

#include "fuzz/tensor_shape.h"

#include <algorithm>
#include <optional>

#include "fuzz/section_shape.h"
#include "fuzz/special_values.h"
#include "hurray_target.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/quantization.h"
#include "reference/tensor.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t kSettings = 1;
constexpr std::size_t kMagicAt = kSettings;
constexpr std::size_t kVersionAt = kSettings + 4;
constexpr std::size_t kLengthAt = kSettings + 6;
constexpr std::size_t kFlagsAt = kSettings + 10;
constexpr std::size_t kTypeAt = kSettings + 14;
constexpr std::size_t kLayoutAt = kSettings + 15;
constexpr std::size_t kRankAt = kSettings + 16;
constexpr std::size_t kShapeAt = kSettings + 20;
constexpr std::size_t kHandleBytes = 16;
constexpr std::uint64_t kMagic = 0x59525248;

// Where the parts begin; positions may be behind the end.
struct Places {
  std::size_t rank, strides, buffers, handles, section, after_section;
  std::size_t section_bytes;
  std::uint64_t flags;

  explicit Places(const Edited& input) {
    rank =
        static_cast<std::size_t>(std::min<std::uint64_t>(input.get(kRankAt, 4), HURRAY_MOST_RANK));
    flags = input.get(kFlagsAt, 4);
    strides = kShapeAt + 8 * rank + 8;
    buffers = strides + (input.get(kLayoutAt, 1) == 3 ? 8 * rank : 0);
    handles = static_cast<std::size_t>(input.get(buffers, 1));
    section = buffers + 1 + kHandleBytes * handles;
    section_bytes = 0;
    after_section = section;
    if ((flags & HURRAY_HAS_QUANTIZATION) != 0) {
      section_bytes =
          static_cast<std::size_t>(std::min<std::uint64_t>(input.get(section, 4), input.length));
      after_section = section + 4 + section_bytes;
    }
  }
  std::size_t handle(std::size_t index) const { return buffers + 1 + kHandleBytes * index; }
};

void add_optional_fields(const Places& places, FieldList& fields) {
  std::size_t at = places.after_section;
  if ((places.flags & HURRAY_HAS_SHARD) != 0) {
    for (std::size_t i = 0; i < 2 * places.rank; ++i, at += 8)
      fields.add(at, 8, FieldKind::kNumber);
  }
  if ((places.flags & HURRAY_HAS_STATISTICS) != 0) {
    fields.add(at, 4, FieldKind::kFlags);
    at += 72;
  }
  if ((places.flags & HURRAY_HAS_EXTENSION_TYPE) != 0) {
    fields.add(at, 4, FieldKind::kNumber);
    at += 20;
  }
  if ((places.flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) {
    fields.add(at, 1, FieldKind::kSmall);
    for (std::size_t i = 1; i < 16; ++i) fields.add(at + i, 1, FieldKind::kReserved);
  }
}

// Bytes of the arrays that belong to a tensor, for a small shape.
struct Sizes {
  std::uint64_t data = 0, scales = 0, zero_points = 0;
};

std::optional<Sizes> sizes_of(const Edited& input, const Places& places, std::uint8_t scheme) {
  constexpr std::uint64_t kMost = 1 << 20;
  const std::size_t at = places.section + 4;
  const std::uint64_t axis = input.get(at + 4, 4);
  const std::uint64_t block = std::max<std::uint64_t>(input.get(at + 8, 4), 1);
  std::uint64_t elements = 1, outer = 1, along = 1;
  for (std::size_t i = 0; i < places.rank; ++i) {
    const std::uint64_t size = input.get(kShapeAt + 8 * i, 8);
    if (size > kMost || (elements *= size) > kMost) return std::nullopt;
    (i == axis ? along : outer) *= size;
  }
  const auto type = static_cast<std::uint8_t>(input.get(kTypeAt, 1));
  const std::optional<std::uint64_t> data = element_bytes(type, elements);
  if (!data) return std::nullopt;
  Sizes sizes{*data, 0, 0};
  const std::uint64_t blocks = outer * ((along + block - 1) / block);
  if (scheme == kSchemePerChannelAffine) sizes.scales = sizes.zero_points = 4 * along;
  if (scheme == kSchemePerBlockAffine) {
    sizes.scales = blocks * (input.get(at + 20, 1) == 3 ? 4 : 2);
    sizes.zero_points = 4 * blocks;
  }
  if (scheme == kSchemeNf4) sizes.scales = 4 * blocks;
  if (scheme == kSchemeMxfp) sizes.scales = blocks;
  return sizes;
}

// Handles on the CPU, as long as their arrays.
void repair_handles(Edited& input, const Places& places, std::uint8_t scheme) {
  const std::optional<Sizes> sizes = sizes_of(input, places, scheme);
  const std::size_t at = places.section + 4;
  const std::size_t scales_at = at + (scheme == kSchemePerChannelAffine ? 8 : 12);
  for (std::size_t i = 0; i < places.handles; ++i) {
    const std::size_t handle = places.handle(i);
    if (sizes && i == 0 && input.get(kShapeAt + 8 * places.rank, 8) == 0 &&
        input.get(kLayoutAt, 1) != 3) {
      input.set(handle, 8, sizes->data);
    }
    if (sizes && i > 0 && sizes->scales > 0 && i == input.get(scales_at, 4)) {
      input.set(handle, 8, sizes->scales);
    } else if (sizes && i > 0 && scheme <= kSchemePerBlockAffine &&
               i == input.get(scales_at + 4, 4)) {
      input.set(handle, 8, sizes->zero_points);
    }
    const std::uint64_t alignment = input.get(handle + 8, 4);
    if (alignment < 64 || (alignment & (alignment - 1)) != 0) input.set(handle + 8, 4, 64);
    for (std::size_t byte = 12; byte < kHandleBytes; ++byte) input.set(handle + byte, 1, 0);
  }
}

void repair_quantization(Edited& input, const Places& places, Random& random) {
  const std::uint8_t scheme = repair_scheme_and_type(input, places.section + 4, kTypeAt, random);
  // Another scheme may need more or fewer bytes than are there.
  if (scheme_bytes(scheme) == places.section_bytes) {
    repair_section(input, places.section + 4, scheme,
                   static_cast<std::uint8_t>(input.get(kTypeAt, 1)), random);
  }
  if (scheme != kSchemePerTensorAffine) {
    const std::size_t axis_at = places.section + 8;
    if (input.get(axis_at, 4) >= places.rank) input.set(axis_at, 4, random.below(places.rank));
  }
  repair_handles(input, places, scheme);
}

}  // namespace

void tensor_fields(std::span<const std::uint8_t> bytes, FieldList& fields) {
  // Only read.
  Edited input{{const_cast<std::uint8_t*>(bytes.data()), bytes.size()}, bytes.size(), {}, 0, false};
  const Places places(input);
  fields.add(kFlagsAt, 4, FieldKind::kFlags);
  fields.add(kTypeAt, 1, FieldKind::kType);
  fields.add(kLayoutAt, 1, FieldKind::kSmall);
  fields.add(kRankAt, 4, FieldKind::kSmall);
  fields.add(kVersionAt, 1, FieldKind::kVersion);
  fields.add(kVersionAt + 1, 1, FieldKind::kVersion);
  fields.add(kLengthAt, 4, FieldKind::kNumber);
  fields.add(places.buffers, 1, FieldKind::kSmall);
  if ((places.flags & HURRAY_HAS_QUANTIZATION) != 0) {
    fields.add(places.section, 4, FieldKind::kNumber);
    add_section_fields(places.section + 4,
                       static_cast<std::uint8_t>(input.get(places.section + 4, 1)), fields);
  }
  fields.add(0, 1, FieldKind::kSettings);
  for (std::size_t i = 0; i < places.rank; ++i) fields.add(kShapeAt + 8 * i, 8, FieldKind::kNumber);
  for (std::size_t at = places.strides - 8; at < places.buffers; at += 8) {
    fields.add(at, 8, FieldKind::kNumber);  // the byte offset, then strides
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(places.handles, 8); ++i) {
    const std::size_t at = places.handle(i);
    fields.add(at, 8, FieldKind::kNumber);
    fields.add(at + 8, 4, FieldKind::kBlockSize);
    for (std::size_t byte = 12; byte < 15; ++byte) fields.add(at + byte, 1, FieldKind::kSmall);
    fields.add(at + 15, 1, FieldKind::kReserved);
  }
  add_optional_fields(places, fields);
}

void repair_tensor(Edited& input, Random& random) {
  if (input.length < kShapeAt) return;
  input.set(kMagicAt, 4, kMagic);
  input.set(kVersionAt, 2, 1);
  const Places places(input);
  if (input.get(kRankAt, 4) > HURRAY_MOST_RANK) input.set(kRankAt, 4, places.rank);
  const std::uint64_t layout = input.get(kLayoutAt, 1);
  if (layout < 1 || layout > 3) input.set(kLayoutAt, 1, 1 + random.below(2));
  if ((places.flags & HURRAY_HAS_QUANTIZATION) != 0) {
    repair_quantization(input, places, random);
  } else {
    repair_handles(input, places, 0);
  }
  input.set(kLengthAt, 4, input.length - kSettings);
}

}  // namespace hurray::fuzz
