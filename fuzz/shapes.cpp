// SPDX-License-Identifier: Apache-2.0
//
// What the inputs of each claim consist of, but for tensors (tensor_shape.cpp).

#include <algorithm>
#include <array>

#include "fuzz/kernel_input.h"
#include "fuzz/section_shape.h"
#include "fuzz/special_values.h"
#include "fuzz/tensor_shape.h"
#include "reference/element_type.h"
#include "reference/quantization.h"

namespace hurray::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

// --- decoders_agree: the type, then the section

void decoder_fields(Bytes input, FieldList& fields) {
  fields.add(0, 1, FieldKind::kType);
  add_section_fields(1, input.size() > 1 ? input[1] : 0, fields);
}

void repair_decoder(Edited& input, Random& random) {
  if (input.length < 5) input.resize(5);
  const std::uint8_t scheme = repair_scheme_and_type(input, 1, 0, random);
  if (is_known_scheme(scheme)) input.resize(1 + scheme_bytes(scheme));
  repair_section(input, 1, scheme, static_cast<std::uint8_t>(input.get(0, 1)), random);
}

// --- encoders_agree: all fields of any scheme, as encoders_agree.cpp reads them

constexpr std::size_t kRoomAt = 1, kSchemeAt = 2, kScaleTypeAt = 3, kFlagsAt = 4, kScaleAt = 6,
                      kZeroPointAt = 10, kAxisAt = 14, kBlockSizeAt = 18, kScaleIndexAt = 22,
                      kZeroPointIndexAt = 26, kEncoderBytes = 30;

void encoder_fields(Bytes, FieldList& fields) {
  fields.add(0, 1, FieldKind::kType);
  fields.add(kRoomAt, 1, FieldKind::kSmall);
  fields.add(kSchemeAt, 1, FieldKind::kScheme);
  fields.add(kScaleTypeAt, 1, FieldKind::kSmall);
  fields.add(kFlagsAt, 2, FieldKind::kFlags);
  fields.add(kScaleAt, 4, FieldKind::kScale);
  fields.add(kZeroPointAt, 4, FieldKind::kZeroPoint);
  fields.add(kAxisAt, 4, FieldKind::kAxis);
  fields.add(kBlockSizeAt, 4, FieldKind::kBlockSize);
  fields.add(kScaleIndexAt, 4, FieldKind::kIndex);
  fields.add(kZeroPointIndexAt, 4, FieldKind::kIndex);
}

void repair_encoder(Edited& input, Random& random) {
  input.resize(kEncoderBytes);
  const std::uint8_t scheme = repair_scheme_and_type(input, kSchemeAt, 0, random);
  if (!is_known_scheme(scheme)) return;
  if (input.get(kRoomAt, 1) < kLongestSchemeBytes) input.set(kRoomAt, 1, 64);
  repair_flags(input, kFlagsAt, scheme);
  if (scheme == kSchemePerTensorAffine) {
    repair_scale(input, kScaleAt, random);
    repair_zero_point(input, kZeroPointAt, static_cast<std::uint8_t>(input.get(0, 1)), random);
    return;
  }
  if (scheme != kSchemePerChannelAffine) repair_block_size(input, kBlockSizeAt, scheme, random);
  if (!may_be_symmetric(scheme)) return;
  repair_index_and_scale_type(input, kFlagsAt, kZeroPointIndexAt, kScaleTypeAt, scheme);
}

// --- Kernels: parameters, then codes or reals. Any bytes are valid; what is repaired is what keeps
// results from being interesting: a zero point or a scale that saturates everything.

void kernel_parameters(FieldList& fields) {
  fields.add(kKernelTypeAt, 1, FieldKind::kKernelType);
  fields.add(kKernelSettingsAt, 1, FieldKind::kSettings);
  fields.add(kKernelScaleAt, 4, FieldKind::kScale);
  fields.add(kKernelZeroPointAt, 4, FieldKind::kZeroPoint);
}

void code_fields(Bytes input, FieldList& fields) {
  kernel_parameters(fields);
  const std::size_t type = input.empty() ? 0 : input[0] % kStorageTypes.size();
  const std::size_t bytes = std::max<std::size_t>(kStorageTypes[type].bits / 8, 1);
  for (std::size_t at = kKernelDataAt; at + bytes <= input.size(); at += bytes) {
    fields.add(at, bytes, FieldKind::kCodes);
  }
}

void real_fields(Bytes input, FieldList& fields) {
  kernel_parameters(fields);
  for (std::size_t at = kKernelDataAt; at + 4 <= input.size(); at += 4) {
    fields.add(at, 4, FieldKind::kReal);
  }
}

void repair_kernel(Edited& input, Random& random) {
  if (input.length < kKernelDataAt + 4) input.resize(kKernelDataAt + 4 * (1 + random.below(16)));
  input.set(kKernelTypeAt, 1, input.get(kKernelTypeAt, 1) % kStorageTypes.size());
  const std::uint64_t settings = input.get(kKernelSettingsAt, 1);
  if ((settings & kAsTheyAre) == kAsTheyAre) {
    input.set(kKernelSettingsAt, 1, settings & ~std::uint64_t{kAsTheyAre});
  }
  repair_scale(input, kKernelScaleAt, random);
}

// --- zero_points_agree

void zero_point_fields(Bytes input, FieldList& fields) {
  fields.add(0, 1, FieldKind::kSmall);
  fields.add(1, 1, FieldKind::kSettings);
  fields.add(2, 4, FieldKind::kZeroPoint);
  for (std::size_t at = 6; at < input.size(); ++at) fields.add(at, 1, FieldKind::kCodes);
}

void repair_zero_points(Edited& input, Random& random) {
  if (input.length < 7) input.resize(7 + random.below(12));
  input.set(0, 1, random.below(4));
  input.set(1, 1, input.get(1, 1) | 2);
}

// --- elements_agree

void element_fields(Bytes input, FieldList& fields) {
  fields.add(0, 1, FieldKind::kType);
  fields.add(1, 1, FieldKind::kSettings);
  const bool is_wide = input.size() > 1 && ((input[1] & 3) == 0 || (input[1] & 3) == 3);
  const std::size_t bytes = is_wide ? 8 : 1;
  for (std::size_t at = 2; at + bytes <= input.size(); at += bytes) {
    fields.add(at, bytes, is_wide ? FieldKind::kNumber : FieldKind::kCodes);
  }
}

void repair_elements(Edited& input, Random& random) {
  if (input.length < 10) input.resize(10 + 8 * random.below(4));
  if (find_element_type(static_cast<std::uint8_t>(input.get(0, 1))) == nullptr) {
    input.set(0, 1, random.one_of(element_tags()));
  }
  // Pack what the type holds.
  if ((input.get(1, 1) & 3) == 0) input.set(1, 1, input.get(1, 1) | 16);
}

// --- conversions_agree: settings of its own making, each of a byte

void conversion_fields(Bytes input, FieldList& fields) {
  for (std::size_t at = 0; at < input.size(); ++at) {
    fields.add(at, 1, at < 16 ? FieldKind::kSettings : FieldKind::kCodes);
  }
}

constexpr std::array<Shape, 9> kShapes = {{
    {"decoders_agree", decoder_fields, repair_decoder},
    {"encoders_agree", encoder_fields, repair_encoder},
    {"dequantize_agrees", code_fields, repair_kernel},
    {"quantize_agrees", real_fields, repair_kernel},
    {"requantize_is_identity", code_fields, repair_kernel},
    {"zero_points_agree", zero_point_fields, repair_zero_points},
    {"elements_agree", element_fields, repair_elements},
    {"tensors_agree", tensor_fields, repair_tensor},
    {"conversions_agree", conversion_fields, nullptr},
}};

}  // namespace

const Shape* find_shape(std::string_view claim) {
  const auto found = std::ranges::find(kShapes, claim, &Shape::claim);
  return found == kShapes.end() ? nullptr : &*found;
}

}  // namespace hurray::fuzz
