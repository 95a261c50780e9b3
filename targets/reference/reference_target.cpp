// SPDX-License-Identifier: Apache-2.0
//
// The reference as a target like any other: what the suite says of it must be what it says of a
// conforming stranger. Only arguments are carried over; every rule is in reference/.

#include <cstring>
#include <span>

#include "hurray_target.h"
#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/firmware.h"
#include "reference/per_tensor_affine.h"
#include "reference/quantize.h"
#include "reference/zero_point.h"

namespace {

hurray_status status_of(hurray::Status status) {
  return status == hurray::Status::kOk ? HURRAY_OK : HURRAY_REJECTED;
}

hurray_status decode(std::uint8_t type_tag, const std::uint8_t* bytes, std::size_t length,
                     hurray_descriptor* out) {
  hurray::PerTensorAffine descriptor{};
  const hurray::Status status = hurray::decode_for({bytes, length}, type_tag, descriptor);
  if (status != hurray::Status::kOk) return HURRAY_REJECTED;
  *out = {};
  out->scheme_tag = 1;
  out->scale = descriptor.scale;
  out->zero_point = descriptor.zero_point;
  return HURRAY_OK;
}

hurray_status encode(std::uint8_t type_tag, const hurray_descriptor* descriptor, std::uint8_t* out,
                     std::size_t capacity, std::size_t* written) {
  if (descriptor->scheme_tag != 1 || descriptor->flags != 0) return HURRAY_REJECTED;
  const hurray::Status status =
      hurray::encode({descriptor->scale, descriptor->zero_point}, type_tag, {out, capacity});
  if (status == hurray::Status::kOk) *written = hurray::kPerTensorAffineBytes;
  return status_of(status);
}

// Refuses no parameters: what no descriptor may hold is computed with all the same.
hurray_status dequantize(std::uint8_t type_tag, float scale, std::int32_t zero_point, const void* q,
                         float* out, std::size_t count) {
  const hurray::StorageTypeInfo* info = hurray::find_storage_type(type_tag);
  if (!info) return HURRAY_REJECTED;
  hurray::dequantize(info->type, scale, zero_point, static_cast<const std::uint8_t*>(q), count,
                     out);
  return HURRAY_OK;
}

// Refuses what no descriptor may hold, an infinite scale included; a negative scale is legal there
// and is divided by.
hurray_status quantize(std::uint8_t type_tag, float scale, std::int32_t zero_point, const float* in,
                       void* q, std::size_t count) {
  const hurray::Status status = hurray::validate({scale, zero_point}, type_tag);
  if (status != hurray::Status::kOk) return HURRAY_REJECTED;
  hurray::quantize(hurray::find_storage_type(type_tag)->type, scale, zero_point, in, count,
                   static_cast<std::uint8_t*>(q));
  return HURRAY_OK;
}

hurray_status normalize(const hurray_zero_point_format* format, const std::uint8_t* packed,
                        std::size_t packed_bytes, std::size_t count, std::int32_t* out) {
  const hurray::ZeroPointFormat described{format->bits, format->bias,
                                          format->high_field_first != 0};
  return status_of(hurray::normalize_zero_points(described, {packed, packed_bytes}, count, out));
}

std::uint16_t quantize_i8(const float* in, std::int8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point) {
  return hurray::firmware::quantize_i8(in, out, count, scale, zero_point);
}
std::uint16_t dequantize_i8(const std::int8_t* in, float* out, std::size_t count, float scale,
                            std::int32_t zero_point) {
  return hurray::firmware::dequantize_i8(in, out, count, scale, zero_point);
}
std::uint16_t quantize_u8(const float* in, std::uint8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point) {
  return hurray::firmware::quantize_u8(in, out, count, scale, zero_point);
}
std::uint16_t dequantize_u8(const std::uint8_t* in, float* out, std::size_t count, float scale,
                            std::int32_t zero_point) {
  return hurray::firmware::dequantize_u8(in, out, count, scale, zero_point);
}

constexpr hurray_ra8_functions kFirmware = {quantize_i8, dequantize_i8, quantize_u8, dequantize_u8};

constexpr struct hurray_target make_target() {
  struct hurray_target target = {};
  target.struct_bytes = sizeof(struct hurray_target);
  target.abi = HURRAY_TARGET_ABI;
  target.name = "reference";
  target.version = "1";
  target.contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8;
  target.schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE;
  target.modes = HURRAY_MODE_STRICT;
  target.decode_types = HURRAY_TYPES_AFFINE;
  target.encode_types = HURRAY_TYPES_AFFINE;
  target.dequantize_types = HURRAY_TYPES_AFFINE;
  target.quantize_types = HURRAY_TYPES_AFFINE;
  target.decode = decode;
  target.encode = encode;
  target.dequantize = dequantize;
  target.quantize = quantize;
  target.normalize_zero_points = normalize;
  target.ra8 = &kFirmware;
  return target;
}

}  // namespace

constexpr struct hurray_target HURRAY_TARGET_SYMBOL = make_target();
