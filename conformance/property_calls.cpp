// SPDX-License-Identifier: Apache-2.0
//
// Calls of the kernels, see property_calls.h.

#include "conformance/property_calls.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "reference/binary32.h"
#include "reference/firmware.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kAlignment = 64;

// Room for an array at a known distance from an aligned address, with as much again on both sides,
// so that a target that misses it harms nobody else.
class Room {
 public:
  Room(std::size_t bytes, std::size_t offset_bytes)
      : storage_(bytes + 4 * kAlignment, 0xa5), at_(storage_.data()) {
    while (reinterpret_cast<std::uintptr_t>(at_) % kAlignment != 0) ++at_;
    at_ += kAlignment + offset_bytes;
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  std::uint8_t* bytes() { return at_; }
  float* floats() { return reinterpret_cast<float*>(at_); }

 private:
  Bytes storage_;
  std::uint8_t* at_;
};

// Floats are never misaligned.
std::size_t offset_of_floats(std::size_t offset_bytes) {
  return offset_bytes * sizeof(float) % kAlignment;
}

std::uint8_t tag(StorageType type) { return static_cast<std::uint8_t>(type); }

bool is_promised(const Quantization& how) {
  if (!is_finite(how.scale) || is_zero(how.scale)) return false;
  if (how.contract == Contract::kRa8) return !is_negative(how.scale);
  const StorageTypeInfo& info = info_of(how.type);
  return how.zero_point >= info.min && how.zero_point <= info.max;
}

bool is_firmware_type(StorageType type) {
  return type == StorageType::kInt8 || type == StorageType::kUint8;
}

std::string with_offsets(std::string line, std::size_t in, std::size_t out) {
  if (in != 0) line += fmt::format(" in_off={}", in);
  if (out != 0) line += fmt::format(" out_off={}", out);
  return line;
}

}  // namespace

bool has_type(std::uint32_t claimed, StorageType type) {
  const auto index = static_cast<std::size_t>(&info_of(type) - kStorageTypes.data());
  return (claimed >> index & 1) != 0;
}

bool can_quantize(const Target& target, const Quantization& how) {
  if (!is_promised(how)) return false;
  if (how.contract == Contract::kHurray) {
    return target.quantize != nullptr && has_type(target.quantize_types, how.type);
  }
  return target.ra8 != nullptr && is_firmware_type(how.type);
}

bool can_dequantize(const Target& target, const Quantization& how) {
  if (!is_promised(how)) return false;
  if (how.contract == Contract::kHurray) {
    return target.dequantize != nullptr && has_type(target.dequantize_types, how.type);
  }
  return target.ra8 != nullptr && is_firmware_type(how.type);
}

bool may_refuse(const Quantization& how, std::span<const float> in) {
  return is_negative(how.scale) || std::any_of(in.begin(), in.end(), is_nan);
}

std::optional<Bytes> packed_codes_of(const Target& target, const Quantization& how,
                                     std::span<const float> in, std::size_t offset_bytes) {
  const std::size_t size = packed_bytes(how.type, in.size()).value();
  Room reals(in.size_bytes(), offset_of_floats(offset_bytes));
  std::copy(in.begin(), in.end(), reals.floats());
  Room codes(size, offset_bytes);
  bool done;
  if (how.contract == Contract::kHurray) {
    done = target.quantize(tag(how.type), how.scale, how.zero_point, reals.floats(), codes.bytes(),
                           in.size()) == HURRAY_OK;
  } else if (how.type == StorageType::kInt8) {
    done = target.ra8->quantize_i8(reals.floats(), reinterpret_cast<std::int8_t*>(codes.bytes()),
                                   in.size(), how.scale, how.zero_point) == firmware::kOk;
  } else {
    done = target.ra8->quantize_u8(reals.floats(), codes.bytes(), in.size(), how.scale,
                                   how.zero_point) == firmware::kOk;
  }
  if (!done) return std::nullopt;
  return Bytes(codes.bytes(), codes.bytes() + size);
}

std::optional<Codes> codes_of(const Target& target, const Quantization& how,
                              std::span<const float> in, std::size_t offset_bytes) {
  const std::optional<Bytes> packed = packed_codes_of(target, how, in, offset_bytes);
  if (!packed) return std::nullopt;
  Codes codes(in.size());
  unpack(how.type, packed->data(), codes);
  return codes;
}

std::optional<Floats> reals_of(const Target& target, const Quantization& how,
                               std::span<const std::int64_t> codes, std::size_t offset_bytes) {
  Room packed(packed_bytes(how.type, codes.size()).value(), offset_bytes);
  pack(how.type, codes, packed.bytes());
  Room reals(codes.size() * sizeof(float), offset_of_floats(offset_bytes));
  bool done;
  if (how.contract == Contract::kHurray) {
    done = target.dequantize(tag(how.type), how.scale, how.zero_point, packed.bytes(),
                             reals.floats(), codes.size()) == HURRAY_OK;
  } else if (how.type == StorageType::kInt8) {
    done = target.ra8->dequantize_i8(reinterpret_cast<const std::int8_t*>(packed.bytes()),
                                     reals.floats(), codes.size(), how.scale,
                                     how.zero_point) == firmware::kOk;
  } else {
    done = target.ra8->dequantize_u8(packed.bytes(), reals.floats(), codes.size(), how.scale,
                                     how.zero_point) == firmware::kOk;
  }
  if (!done) return std::nullopt;
  return Floats(reals.floats(), reals.floats() + codes.size());
}

std::string quantize_line(const Quantization& how, std::span<const float> in,
                          std::size_t offset_bytes) {
  const auto request = how.contract == Contract::kHurray ? quantize_request : ra8_quantize_request;
  return with_offsets(request(info_of(how.type), bits_of(how.scale), how.zero_point, in),
                      offset_of_floats(offset_bytes), offset_bytes);
}

std::string dequantize_line(const Quantization& how, std::span<const std::int64_t> codes,
                            std::size_t offset_bytes) {
  const auto request =
      how.contract == Contract::kHurray ? dequantize_request : ra8_dequantize_request;
  return with_offsets(request(info_of(how.type), bits_of(how.scale), how.zero_point, codes),
                      offset_bytes, offset_of_floats(offset_bytes));
}

bool same_quantization(const Quantization& a, const Quantization& b) {
  return a.contract == b.contract && a.type == b.type && bits_of(a.scale) == bits_of(b.scale) &&
         a.zero_point == b.zero_point;
}

bool same_real(float a, float b) { return bits_of(a) == bits_of(b) || (is_zero(a) && is_zero(b)); }

std::string shown(float value) { return fmt::format("{} ({:.9g})", bits_to_hex(value), value); }

}  // namespace hurray::conformance
