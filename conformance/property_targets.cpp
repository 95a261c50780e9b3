// SPDX-License-Identifier: Apache-2.0
//
// Broken and odd targets, see property_targets.h. The broken ones are made of the reference: a
// broken kernel is a function from one element to another.

#include "conformance/property_targets.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "faults/faults.h"
#include "latitude/latitude.h"
#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/firmware.h"
#include "reference/per_tensor_affine.h"
#include "reference/quantize.h"

extern "C" const struct hurray_target hurray_target_reference;

namespace hurray::conformance {
namespace {

// --- Kernels of one element at a time

// Everything that an element may wrongly depend on.
struct Element {
  const StorageTypeInfo& info;
  float scale;
  std::int32_t zero_point;
  std::size_t index;
  std::size_t count;
  const void* codes;  // where the packed codes lie
};
using Quantizer = std::int64_t (*)(const Element&, float x);
using Dequantizer = float (*)(const Element&, std::int64_t code);

std::int64_t right_code(const Element& at, float x) {
  return quantize_value(x, at.scale, at.zero_point, at.info.min, at.info.max);
}
float right_real(const Element& at, std::int64_t code) {
  return dequantize_value(at.info.type, at.scale, at.zero_point, code);
}

template <Quantizer kCodeOf>
void quantize_all(StorageType type, float scale, std::int32_t zero_point, const float* in, void* q,
                  std::size_t count) {
  const StorageTypeInfo& info = info_of(type);
  auto* const packed = static_cast<std::uint8_t*>(q);
  std::fill_n(packed, packed_bytes(type, count).value(), std::uint8_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    write_element(type, packed, i, kCodeOf({info, scale, zero_point, i, count, q}, in[i]));
  }
}

template <Dequantizer kRealOf>
void dequantize_all(StorageType type, float scale, std::int32_t zero_point, const void* q,
                    float* out, std::size_t count) {
  const StorageTypeInfo& info = info_of(type);
  const auto* const packed = static_cast<const std::uint8_t*>(q);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = kRealOf({info, scale, zero_point, i, count, q}, read_element(type, packed, i));
  }
}

template <Quantizer kCodeOf>
hurray_status quantize_by(std::uint8_t type_tag, float scale, std::int32_t zero_point,
                          const float* in, void* q, std::size_t count) {
  if (validate({scale, zero_point}, type_tag) != Status::kOk) return HURRAY_REJECTED;
  quantize_all<kCodeOf>(static_cast<StorageType>(type_tag), scale, zero_point, in, q, count);
  return HURRAY_OK;
}

template <Dequantizer kRealOf>
hurray_status dequantize_by(std::uint8_t type_tag, float scale, std::int32_t zero_point,
                            const void* q, float* out, std::size_t count) {
  if (validate({scale, zero_point}, type_tag) != Status::kOk) return HURRAY_REJECTED;
  dequantize_all<kRealOf>(static_cast<StorageType>(type_tag), scale, zero_point, q, out, count);
  return HURRAY_OK;
}

template <Quantizer kCodeOf, StorageType kType, typename Code>
std::uint16_t ra8_quantize_by(const float* in, Code* out, std::size_t count, float scale,
                              std::int32_t zero_point) {
  const Status status = firmware::check_quantize(in, out, scale);
  if (status == Status::kOk) quantize_all<kCodeOf>(kType, scale, zero_point, in, out, count);
  return firmware::code_of(status);
}

template <Dequantizer kRealOf, StorageType kType, typename Code>
std::uint16_t ra8_dequantize_by(const Code* in, float* out, std::size_t count, float scale,
                                std::int32_t zero_point) {
  const Status status = firmware::check_dequantize(in, out);
  if (status == Status::kOk) dequantize_all<kRealOf>(kType, scale, zero_point, in, out, count);
  return firmware::code_of(status);
}

// The reference with these kernels under both contracts.
template <Quantizer kCodeOf, Dequantizer kRealOf>
Target with_kernels() {
  static const hurray_ra8_functions kFirmware = {ra8_quantize_by<kCodeOf, StorageType::kInt8>,
                                                 ra8_dequantize_by<kRealOf, StorageType::kInt8>,
                                                 ra8_quantize_by<kCodeOf, StorageType::kUint8>,
                                                 ra8_dequantize_by<kRealOf, StorageType::kUint8>};
  Target target = hurray_target_reference;
  target.quantize = quantize_by<kCodeOf>;
  target.dequantize = dequantize_by<kRealOf>;
  target.ra8 = &kFirmware;
  return target;
}
template <Quantizer kCodeOf>
Target with_quantizer() {
  return with_kernels<kCodeOf, right_real>();
}
template <Dequantizer kRealOf>
Target with_dequantizer() {
  return with_kernels<right_code, kRealOf>();
}

// --- Broken kernels

// Adds noise from the input's own last bits before it rounds.
std::int64_t dithered(const Element& at, float x) {
  const float noise = (bits_of(x) & 1) != 0 ? 0.375f : -0.375f;
  return right_code(at, is_finite(x) ? x + noise * at.scale : x);
}

std::int64_t truncated(const Element& at, float x) {
  return quantize_value(is_nan(x) ? x : std::trunc(x / at.scale), 1, at.zero_point, at.info.min,
                        at.info.max);
}

std::int64_t rounded_up(const Element& at, float x) {
  return quantize_value(is_nan(x) ? x : std::ceil(x / at.scale - 0.25f), 1, at.zero_point,
                        at.info.min, at.info.max);
}

// Keeps the low bits of what is out of range.
std::int64_t wrapped(const Element& at, float x) {
  constexpr std::int64_t kAnything = std::int64_t{1} << 32;
  const std::int64_t code = quantize_value(x, at.scale, at.zero_point, -kAnything, kAnything);
  const std::int64_t low = code & ((std::int64_t{1} << at.info.bits) - 1);
  return low > at.info.max ? low - (std::int64_t{1} << at.info.bits) : low;
}

// scale * q - scale * zero_point, the second product rounded and the first one not.
float fused(const Element& at, std::int64_t code) {
  const float offset = -at.scale * static_cast<float>(at.zero_point);
  return std::fma(at.scale, static_cast<float>(code), offset);
}

// The same with both products rounded: right for the zero point, and for few others.
float expanded(const Element& at, std::int64_t code) {
  if (code == at.zero_point) return 0;
  return at.scale * static_cast<float>(code) - at.scale * static_cast<float>(at.zero_point);
}

// Elements behind the last whole vector go another way.
bool is_in_tail(const Element& at) { return at.count > 1 && at.index >= at.count / 4 * 4; }

std::int64_t tail_truncates(const Element& at, float x) {
  return is_in_tail(at) ? truncated(at, x) : right_code(at, x);
}

float body_flushes(const Element& at, std::int64_t code) {
  const float real = right_real(at, code);
  return is_in_tail(at) || at.count == 1 ? real : flushed(real);
}

bool is_unaligned(const Element& at) { return reinterpret_cast<std::uintptr_t>(at.codes) % 4 != 0; }

std::int64_t unaligned_is_next(const Element& at, float x) {
  return is_unaligned(at) ? std::min(right_code(at, x) + 1, at.info.max) : right_code(at, x);
}

float unaligned_is_next(const Element& at, std::int64_t code) {
  return right_real(at, is_unaligned(at) ? std::min(code + 1, at.info.max) : code);
}

// Half the scale, where the call before had one of at most that.
float remembered_scale(const Element& at) {
  static float before = 1;
  static float used = 1;
  if (at.index == 0)
    used = std::exchange(before, at.scale) * 2 <= at.scale ? at.scale / 2 : at.scale;
  return used;
}

std::int64_t remembers(const Element& at, float x) {
  return quantize_value(x, remembered_scale(at), at.zero_point, at.info.min, at.info.max);
}

float remembers(const Element& at, std::int64_t code) {
  return dequantize_value(at.info.type, remembered_scale(at), at.zero_point, code);
}

// Takes the zero point for one that the toolchain stored.
float removes_bias_again(const Element& at, std::int64_t code) {
  return dequantize_value(at.info.type, at.scale, at.zero_point, code - 1);
}

// The elements of a byte in the reverse order, written and read.
std::size_t reversed(const Element& at) {
  const std::size_t per_byte = std::max(8 / at.info.bits, 1u);
  return at.index / per_byte * per_byte + (per_byte - 1 - at.index % per_byte);
}

float reads_high_bits_first(const Element& at, std::int64_t) {
  return right_real(
      at, read_element(at.info.type, static_cast<const std::uint8_t*>(at.codes), reversed(at)));
}

float reads_without_sign(const Element& at, std::int64_t code) {
  return right_real(at, code < 0 ? code + (std::int64_t{1} << at.info.bits) : code);
}

hurray_status leaves_last_bits(std::uint8_t type_tag, float scale, std::int32_t zero_point,
                               const float* in, void* q, std::size_t count) {
  const hurray_status status = quantize_by<right_code>(type_tag, scale, zero_point, in, q, count);
  const StorageTypeInfo& info = info_of(static_cast<StorageType>(type_tag));
  if (status != HURRAY_OK || count * info.bits % 8 == 0) return status;
  static_cast<std::uint8_t*>(q)[count * info.bits / 8] |= 0x80;
  return status;
}

// --- Broken codecs

hurray_status encode_16_bits_of_zero_point(std::uint8_t type_tag,
                                           const hurray_descriptor* descriptor, std::uint8_t* out,
                                           std::size_t capacity, std::size_t* written) {
  hurray_descriptor cut = *descriptor;
  cut.zero_point = static_cast<std::int16_t>(cut.zero_point);
  return hurray_target_reference.encode(type_tag, &cut, out, capacity, written);
}

hurray_status encode_anything(std::uint8_t type_tag, const hurray_descriptor* descriptor,
                              std::uint8_t* out, std::size_t capacity, std::size_t* written) {
  hurray_descriptor legal = *descriptor;
  if (!is_finite(legal.scale)) legal.scale = 1;
  const hurray_status status =
      hurray_target_reference.encode(type_tag, &legal, out, capacity, written);
  if (status == HURRAY_OK) store_binary32(out + 4, descriptor->scale);
  return status;
}

hurray_status encode_positive_scales(std::uint8_t type_tag, const hurray_descriptor* descriptor,
                                     std::uint8_t* out, std::size_t capacity,
                                     std::size_t* written) {
  if (is_negative(descriptor->scale)) return HURRAY_REJECTED;
  return hurray_target_reference.encode(type_tag, descriptor, out, capacity, written);
}

hurray_status decode_without_subnormals(std::uint8_t type_tag, const std::uint8_t* bytes,
                                        std::size_t length, hurray_descriptor* out) {
  hurray_descriptor read = {};
  const hurray_status status = hurray_target_reference.decode(type_tag, bytes, length, &read);
  if (status != HURRAY_OK || is_subnormal(read.scale)) return HURRAY_REJECTED;
  *out = read;
  return HURRAY_OK;
}

hurray_status decode_any_reserved(std::uint8_t type_tag, const std::uint8_t* bytes,
                                  std::size_t length, hurray_descriptor* out) {
  std::vector<std::uint8_t> copy(bytes, bytes + length);
  if (length >= 16) std::fill_n(copy.begin() + 12, 4, std::uint8_t{0});
  return hurray_target_reference.decode(type_tag, copy.data(), length, out);
}

// --- Broken normalization and packing

// Adds in four bits.
hurray_status normalize_15_to_0(const hurray_zero_point_format* format, const std::uint8_t* packed,
                                std::size_t bytes, std::size_t count, std::int32_t* out) {
  const hurray_status status =
      hurray_target_reference.normalize_zero_points(format, packed, bytes, count, out);
  if (status == HURRAY_OK) std::for_each(out, out + count, [](std::int32_t& each) { each %= 16; });
  return status;
}

hurray_status normalize_without_bias(const hurray_zero_point_format* format,
                                     const std::uint8_t* packed, std::size_t bytes,
                                     std::size_t count, std::int32_t* out) {
  const hurray_zero_point_format unbiased = {format->bits, 0, format->high_field_first};
  return hurray_target_reference.normalize_zero_points(&unbiased, packed, bytes, count, out);
}

hurray_status normalize_nothing(const hurray_zero_point_format*, const std::uint8_t*, std::size_t,
                                std::size_t, std::int32_t*) {
  return HURRAY_OK;
}

hurray_status pack_codes(std::uint8_t type_tag, const std::int64_t* values, std::size_t count,
                         std::uint8_t* out) {
  pack(static_cast<StorageType>(type_tag), {values, count}, out);
  return HURRAY_OK;
}

// Keeps the bits of the last byte that belong to no element.
hurray_status pack_into_what_was(std::uint8_t type_tag, const std::int64_t* values,
                                 std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    write_element(static_cast<StorageType>(type_tag), out, i, values[i]);
  }
  return HURRAY_OK;
}

hurray_status unpack_codes(std::uint8_t type_tag, const std::uint8_t* packed, std::size_t count,
                           std::int64_t* values) {
  unpack(static_cast<StorageType>(type_tag), packed, {values, count});
  return HURRAY_OK;
}

hurray_status unpack_without_sign(std::uint8_t type_tag, const std::uint8_t* packed,
                                  std::size_t count, std::int64_t* values) {
  const StorageTypeInfo& info = info_of(static_cast<StorageType>(type_tag));
  unpack(info.type, packed, {values, count});
  const std::int64_t mask = (std::int64_t{1} << info.bits) - 1;
  std::for_each(values, values + count, [mask](std::int64_t& each) { each &= mask; });
  return HURRAY_OK;
}

// --- Refusing everything

template <typename Result, Result kRefusal, typename... Arguments>
Result refuses(Arguments...) {
  return kRefusal;
}

Target refusing_everything() {
  static const hurray_ra8_functions kFirmware = {
      refuses<std::uint16_t, firmware::kInvalidArg>, refuses<std::uint16_t, firmware::kInvalidArg>,
      refuses<std::uint16_t, firmware::kInvalidArg>, refuses<std::uint16_t, firmware::kInvalidArg>};
  Target target = hurray_target_reference;
  target.decode = refuses<hurray_status, HURRAY_REJECTED>;
  target.quantize = refuses<hurray_status, HURRAY_REJECTED>;
  target.dequantize = refuses<hurray_status, HURRAY_REJECTED>;
  target.pack = refuses<hurray_status, HURRAY_REJECTED>;
  target.unpack = refuses<hurray_status, HURRAY_REJECTED>;
  target.ra8 = &kFirmware;
  return target;
}

// --- Tables

// Not asked under the firmware's contract, whose codes are whole bytes.
Target format_alone(Target target) {
  target.ra8 = nullptr;
  return target;
}

// The reference with one member replaced.
template <typename Member>
Target with(Member Target::*member, std::type_identity_t<Member> value) {
  Target target = hurray_target_reference;
  target.*member = value;
  return target;
}

Target with_packing(decltype(Target::pack) pack_by, decltype(Target::unpack) unpack_by) {
  Target target = hurray_target_reference;
  target.pack = pack_by;
  target.unpack = unpack_by;
  return target;
}

}  // namespace

std::span<const PropertyTarget> broken_targets() {
  using T = Target;
  static const std::vector<PropertyTarget> kTargets = {
      {"zero_point_cut", "decode-inverts-encode", with(&T::encode, encode_16_bits_of_zero_point)},
      {"encodes_anything", "decode-inverts-encode", with(&T::encode, encode_anything)},
      {"encodes_positive_scales", "encode-inverts-decode",
       with(&T::encode, encode_positive_scales)},
      {"refuses_subnormals", "accepts-what-is-described",
       with(&T::decode, decode_without_subnormals)},
      {"takes_any_reserved", "accepts-what-is-described", with(&T::decode, decode_any_reserved)},
      {"takes_any_zero_point", "accepts-what-is-described",
       *hurray_fault_target("zero-point-unchecked")},
      {"dithers", "quantize-is-monotonic", with_quantizer<dithered>()},
      {"truncates", "quantize-inverts-dequantize", with_quantizer<truncated>()},
      {"rounds_up", "round-trip-is-within-half-a-step", with_quantizer<rounded_up>()},
      {"wraps", "quantize-saturates", with_quantizer<wrapped>()},
      {"fuses", "zero-maps-to-the-zero-point", with_dequantizer<fused>()},
      {"expands", "dequantize-is-odd", with_dequantizer<expanded>()},
      {"tail_truncates", "quantize-is-elementwise", with_quantizer<tail_truncates>()},
      {"unaligned_codes", "quantize-is-elementwise", with_quantizer<unaligned_is_next>()},
      {"remembers", "quantize-is-elementwise", with_quantizer<remembers>()},
      {"body_flushes", "dequantize-is-elementwise", with_dequantizer<body_flushes>()},
      {"unaligned_codes", "dequantize-is-elementwise", with_dequantizer<unaligned_is_next>()},
      {"remembers", "dequantize-is-elementwise", with_dequantizer<remembers>()},
      {"fifteen_is_zero", "normalizing-removes-the-bias",
       with(&T::normalize_zero_points, normalize_15_to_0)},
      {"bias_stays", "normalizing-removes-the-bias",
       with(&T::normalize_zero_points, normalize_without_bias)},
      {"writes_nothing", "normalizing-removes-the-bias",
       with(&T::normalize_zero_points, normalize_nothing)},
      {"kernel_removes_bias", "normalizing-removes-the-bias",
       with_dequantizer<removes_bias_again>()},
      {"high_bits_first", "kernels-keep-packed-codes",
       format_alone(with_dequantizer<reads_high_bits_first>())},
      {"reads_without_sign", "kernels-keep-packed-codes", with_dequantizer<reads_without_sign>()},
      {"leaves_last_bits", "kernels-keep-packed-codes",
       format_alone(with(&T::quantize, leaves_last_bits))},
      {"packs_into_what_was", "unpack-inverts-pack",
       with_packing(pack_into_what_was, unpack_codes)},
      {"unpacks_without_sign", "unpack-inverts-pack",
       with_packing(pack_codes, unpack_without_sign)},
      {"refuses", "accepts-what-is-described", refusing_everything()},
      {"refuses", "quantize-is-monotonic", refusing_everything()},
      {"refuses", "quantize-inverts-dequantize", refusing_everything()},
      {"refuses", "round-trip-is-within-half-a-step", refusing_everything()},
      {"refuses", "quantize-saturates", refusing_everything()},
      {"refuses", "zero-maps-to-the-zero-point", refusing_everything()},
      {"refuses", "dequantize-is-odd", refusing_everything()},
      {"refuses", "quantize-is-elementwise", refusing_everything()},
      {"refuses", "dequantize-is-elementwise", refusing_everything()},
      {"refuses", "normalizing-removes-the-bias", refusing_everything()},
      {"refuses", "kernels-keep-packed-codes", refusing_everything()},
      {"refuses", "unpack-inverts-pack", refusing_everything()},
  };
  return kTargets;
}

std::span<const PropertyTarget> odd_targets() {
  static const std::vector<PropertyTarget> kTargets = [] {
    std::vector<PropertyTarget> targets = {{"packs", "", with_packing(pack_codes, unpack_codes)}};
    for (const hurray_latitude& each : std::span(hurray_latitudes, hurray_latitude_count)) {
      if (each.kind != kLatitudeMixture) targets.push_back({each.id, "", each.target});
    }
    // What a ruling only warns of is as legal here.
    for (const hurray_fault& each : std::span(hurray_faults, hurray_fault_count)) {
      if (each.strict) targets.push_back({each.id, "", each.target});
    }
    return targets;
  }();
  return kTargets;
}

}  // namespace hurray::conformance
