// SPDX-License-Identifier: Apache-2.0
//
// Calls of kernels from bytes, see kernel_input.h.

#include <fmt/format.h>

#include "fuzz/kernel_input.h"

#include <algorithm>
#include <bit>

#include "conformance/runner/wire.h"
#include "fuzz/left_open.h"
#include "reference/binary32.h"
#include "reference/byte_order.h"
#include "reference/firmware.h"

namespace hurray::fuzz {
namespace {

constexpr std::uint32_t kHighestExponentBit = 0x40000000;

// The nearest thing to `bits` that a descriptor may hold.
float valid_scale(std::uint32_t bits, Contract contract) {
  if (contract == Contract::kRa8) bits &= ~kSignBit;
  if ((bits & ~kSignBit) >= kInfinityBits) bits &= ~kHighestExponentBit;
  if ((bits & ~kSignBit) == 0) bits |= 1;
  return std::bit_cast<float>(bits);
}

// The low bits, as the type reads them.
std::int32_t valid_zero_point(std::uint32_t bits, const StorageTypeInfo& type) {
  if (type.bits == 32) {
    return static_cast<std::int32_t>(type.is_signed ? bits : bits & ~kSignBit);
  }
  const std::uint32_t low = bits & ((1u << type.bits) - 1);
  const std::uint32_t sign = type.is_signed ? 1u << (type.bits - 1) : 0;
  return static_cast<std::int32_t>(low ^ sign) - static_cast<std::int32_t>(sign);
}

}  // namespace

std::size_t KernelInput::codes() const {
  const std::size_t in_bytes = data.size() * 8 / type->bits;
  return type->bits < 8 && in_bytes >= fewer ? in_bytes - fewer : in_bytes;
}

std::optional<KernelInput> kernel_input(Input input, bool may_be_raw) {
  if (input.size() < kKernelDataAt) return std::nullopt;
  const std::uint8_t settings = input[kKernelSettingsAt];
  const StorageTypeInfo& type = kStorageTypes[input[kKernelTypeAt] % kStorageTypes.size()];
  const std::uint32_t scale = load_le32(&input[kKernelScaleAt]);
  const std::uint32_t zero_point = load_le32(&input[kKernelZeroPointAt]);
  KernelInput read;
  read.type = &type;
  const bool is_firmware = (settings & kFirmware) != 0 && type.bits == 8;
  read.contract = is_firmware ? Contract::kRa8 : Contract::kHurray;
  read.is_raw = may_be_raw && (settings & kAsTheyAre) == kAsTheyAre;
  read.keeps_nans = (settings & kKeepsNans) != 0;
  read.scale = read.is_raw ? std::bit_cast<float>(scale) : valid_scale(scale, read.contract);
  read.zero_point = read.is_raw || is_firmware ? static_cast<std::int32_t>(zero_point)
                                               : valid_zero_point(zero_point, type);
  read.distance = settings >> 4 & 3;
  // What is left out is less than a byte.
  read.fewer = std::min<std::size_t>(settings >> 6, type.bits < 8 ? 8 / type.bits - 1 : 0);
  read.data = input.subspan(kKernelDataAt);
  read.data = read.data.first(std::min(read.data.size(), kMostKernelData));
  // Whole elements.
  if (type.bits > 8)
    read.data = read.data.first(read.data.size() / (type.bits / 8) * (type.bits / 8));
  return read;
}

std::span<const float> reals_of(const KernelInput& input, Guarded& memory) {
  const std::size_t count = input.data.size() / sizeof(float);
  // Aligned on either side.
  std::uint8_t* const at = memory.placed(
      count * sizeof(float), input.distance == Guarded::kAtStart ? Guarded::kAtStart : 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = load_le32(&input.data[i * sizeof(float)]);
    if (!input.keeps_nans && (bits & ~kSignBit) > kInfinityBits) bits &= ~kHighestExponentBit;
    std::memcpy(at + i * sizeof(float), &bits, sizeof bits);
  }
  return {reinterpret_cast<const float*>(at), count};
}

bool dequantizes(const struct hurray_target& target, const KernelInput& input) {
  if (input.contract == Contract::kRa8) return target.ra8 != nullptr;
  return target.dequantize != nullptr &&
         (target.dequantize_types >> (input.type - kStorageTypes.data()) & 1) != 0;
}

bool quantizes(const struct hurray_target& target, const KernelInput& input) {
  if (input.contract == Contract::kRa8) return target.ra8 != nullptr;
  return target.quantize != nullptr &&
         (target.quantize_types >> (input.type - kStorageTypes.data()) & 1) != 0;
}

bool dequantize(const struct hurray_target& target, const KernelInput& input, const std::uint8_t* q,
                float* out, std::size_t count) {
  if (input.contract == Contract::kHurray) {
    return target.dequantize(static_cast<std::uint8_t>(input.type->type), input.scale,
                             input.zero_point, q, out, count) == HURRAY_OK;
  }
  if (input.type->is_signed) {
    return target.ra8->dequantize_i8(reinterpret_cast<const std::int8_t*>(q), out, count,
                                     input.scale, input.zero_point) == firmware::kOk;
  }
  return target.ra8->dequantize_u8(q, out, count, input.scale, input.zero_point) == firmware::kOk;
}

QuantizeResult quantize(const struct hurray_target& target, const KernelInput& input,
                        const float* in, std::uint8_t* q, std::size_t count) {
  if (input.contract == Contract::kHurray) {
    const hurray_status status = target.quantize(static_cast<std::uint8_t>(input.type->type),
                                                 input.scale, input.zero_point, in, q, count);
    return status == HURRAY_OK ? QuantizeResult::kDone : QuantizeResult::kRefused;
  }
  const std::uint16_t code =
      input.type->is_signed ? target.ra8->quantize_i8(in, reinterpret_cast<std::int8_t*>(q), count,
                                                      input.scale, input.zero_point)
                            : target.ra8->quantize_u8(in, q, count, input.scale, input.zero_point);
  if (code == firmware::kOk) return QuantizeResult::kDone;
  return code == firmware::kInvalidArg ? QuantizeResult::kRefused : QuantizeResult::kOtherCode;
}

namespace {

std::string parameters(const KernelInput& input, std::string_view verb, std::size_t count) {
  const bool is_firmware = input.contract == Contract::kRa8;
  const std::string head =
      is_firmware ? fmt::format("ra8 fn={}_{}", verb, input.type->is_signed ? "i8" : "u8")
                  : fmt::format("{} type={:02x}", verb, static_cast<unsigned>(input.type->type));
  return fmt::format("{} scale={} zero_point={} count={}", head,
                     conformance::bits_to_hex(input.scale), input.zero_point, count);
}

}  // namespace

std::string dequantize_request(Input input) {
  const std::optional<KernelInput> read = kernel_input(input, false);
  if (!read) return {};
  const std::size_t count = read->codes();
  return fmt::format("{} {}={}", parameters(*read, "dequantize", count),
                     read->contract == Contract::kRa8 ? "in" : "q",
                     conformance::to_hex(read->data.first(read->bytes_of(count))));
}

std::string quantize_request(Input input) {
  static Guarded memory(kMostKernelData);
  const std::optional<KernelInput> read = kernel_input(input, true);
  if (!read) return {};
  const std::span<const float> all = reals_of(*read, memory);
  const std::span<const float> in = all.subspan(std::min(all.size(), read->fewer));
  return fmt::format("{} in={}", parameters(*read, "quantize", in.size()),
                     conformance::floats_to_hex(in));
}

}  // namespace hurray::fuzz
