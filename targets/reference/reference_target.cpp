// SPDX-License-Identifier: Apache-2.0
//
// The reference as a target like any other: what the suite says of it must be what it says of a
// conforming stranger. The kernels and the table; the other operations have files of their own.
// What a ruling leaves open is accepted, or done as the reference does it by default.

#include "reference_target.h"

#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/firmware.h"
#include "reference/per_tensor_affine.h"
#include "reference/quantize.h"

namespace {

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

// The fifteen that some scheme stores; those of at most 64 bits, which are one number; all.
constexpr std::uint32_t kStorageTypes = 0x7fff;
constexpr std::uint32_t kElementTypes = 0xffffff;
constexpr std::uint32_t kAllTypes = 0x3ffffff;

constexpr struct hurray_target make_target() {
  struct hurray_target target = {};
  target.struct_bytes = sizeof(struct hurray_target);
  target.abi = HURRAY_TARGET_ABI;
  target.name = "reference";
  target.version = "1";
  target.contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8;
  target.schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE | HURRAY_SCHEME_PER_CHANNEL_AFFINE |
                   HURRAY_SCHEME_PER_BLOCK_AFFINE | HURRAY_SCHEME_NF4 | HURRAY_SCHEME_MXFP;
  target.modes = HURRAY_MODE_STRICT | HURRAY_MODE_PERMISSIVE;
  target.decode_types = kStorageTypes;
  target.encode_types = kStorageTypes;
  target.dequantize_types = HURRAY_TYPES_AFFINE;
  target.quantize_types = HURRAY_TYPES_AFFINE;
  target.element_types = kElementTypes;
  target.tensor_types = kAllTypes;
  target.layouts = HURRAY_LAYOUT_ROW_MAJOR | HURRAY_LAYOUT_COLUMN_MAJOR | HURRAY_LAYOUT_STRIDED;
  target.decode = hurray::as_target::decode;
  target.encode = hurray::as_target::encode;
  target.dequantize = dequantize;
  target.quantize = quantize;
  target.pack = hurray::as_target::pack;
  target.unpack = hurray::as_target::unpack;
  target.packed_bytes = hurray::as_target::packed_bytes;
  target.widen = hurray::as_target::widen;
  target.normalize_zero_points = hurray::as_target::normalize;
  target.convert = hurray::as_target::convert;
  target.decode_tensor = hurray::as_target::decode_tensor;
  target.encode_tensor = hurray::as_target::encode_tensor;
  target.dequantize_tensor = hurray::as_target::dequantize_tensor;
  target.ra8 = &kFirmware;
  return target;
}

}  // namespace

constexpr struct hurray_target HURRAY_TARGET_SYMBOL = make_target();
