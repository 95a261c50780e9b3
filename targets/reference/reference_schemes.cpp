// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of the five schemes: one struct in the table, one per scheme in the reference.

#include <bit>

#include "reference_target.h"

namespace hurray::as_target {
namespace {

bool same_fields(const hurray_descriptor& a, const hurray_descriptor& b) {
  return a.scheme_tag == b.scheme_tag && a.scale_type_tag == b.scale_type_tag &&
         a.flags == b.flags &&
         std::bit_cast<std::uint32_t>(a.scale) == std::bit_cast<std::uint32_t>(b.scale) &&
         a.zero_point == b.zero_point && a.axis == b.axis && a.block_size == b.block_size &&
         a.scale_buffer_index == b.scale_buffer_index &&
         a.zero_point_buffer_index == b.zero_point_buffer_index;
}

}  // namespace

hurray_descriptor to_table(const Quantization& quantization) {
  hurray_descriptor out = {};
  out.scheme_tag = quantization.scheme_tag;
  const auto blocks = [&](const auto& fields) {
    out.flags = fields.flags;
    out.axis = fields.axis;
    out.block_size = fields.block_size;
    out.scale_buffer_index = fields.scale_buffer_index;
  };
  switch (quantization.scheme_tag) {
    case kSchemePerTensorAffine:
      out.scale = quantization.per_tensor_affine.scale;
      out.zero_point = quantization.per_tensor_affine.zero_point;
      break;
    case kSchemePerChannelAffine: {
      const PerChannelAffine& fields = quantization.per_channel_affine;
      out.flags = fields.flags;
      out.axis = fields.axis;
      out.scale_buffer_index = fields.scale_buffer_index;
      out.zero_point_buffer_index = fields.zero_point_buffer_index;
      out.scale_type_tag = fields.scale_type_tag;
      break;
    }
    case kSchemePerBlockAffine:
      blocks(quantization.per_block_affine);
      out.zero_point_buffer_index = quantization.per_block_affine.zero_point_buffer_index;
      out.scale_type_tag = quantization.per_block_affine.scale_type_tag;
      break;
    case kSchemeNf4:
      blocks(quantization.nf4);
      break;
    case kSchemeMxfp:
      blocks(quantization.mxfp);
      break;
    default:  // stepped over
      break;
  }
  return out;
}

Quantization from_table(const hurray_descriptor& descriptor) {
  Quantization out;
  out.scheme_tag = descriptor.scheme_tag;
  switch (descriptor.scheme_tag) {
    case kSchemePerTensorAffine:
      out.per_tensor_affine = {descriptor.scale, descriptor.zero_point};
      break;
    case kSchemePerChannelAffine:
      out.per_channel_affine = {descriptor.flags, descriptor.axis, descriptor.scale_buffer_index,
                                descriptor.zero_point_buffer_index, descriptor.scale_type_tag};
      break;
    case kSchemePerBlockAffine:
      out.per_block_affine = {descriptor.flags,
                              descriptor.axis,
                              descriptor.block_size,
                              descriptor.scale_buffer_index,
                              descriptor.zero_point_buffer_index,
                              descriptor.scale_type_tag};
      break;
    case kSchemeNf4:
      out.nf4 = {descriptor.flags, descriptor.axis, descriptor.block_size,
                 descriptor.scale_buffer_index};
      break;
    case kSchemeMxfp:
      out.mxfp = {descriptor.flags, descriptor.axis, descriptor.block_size,
                  descriptor.scale_buffer_index};
      break;
    default:
      break;
  }
  return out;
}

bool has_own_fields_only(const hurray_descriptor& descriptor) {
  return same_fields(to_table(from_table(descriptor)), descriptor);
}

hurray_status decode(std::uint8_t type_tag, const std::uint8_t* bytes, std::size_t length,
                     hurray_descriptor* out) {
  Quantization quantization;
  Findings findings;
  parse_quantization({bytes, length}, type_tag, quantization, findings);
  const hurray_status status = status_of(findings);
  if (status == HURRAY_OK) *out = to_table(quantization);
  return status;
}

hurray_status encode(std::uint8_t type_tag, const hurray_descriptor* descriptor, std::uint8_t* out,
                     std::size_t capacity, std::size_t* written) {
  if (!has_own_fields_only(*descriptor)) return HURRAY_REJECTED;
  return status_of(
      encode_quantization(from_table(*descriptor), type_tag, {out, capacity}, *written));
}

}  // namespace hurray::as_target
