// SPDX-License-Identifier: Apache-2.0
//
// Families on what kernels look up instead of computing: a scale that is a power of two becomes an
// exponent or an exact reciprocal, and a byte of packed codes an index into a table. Each power and
// each byte once.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {
namespace {

constexpr int kLeastExponent = -149, kMostExponent = 127;
constexpr int kPerCase = 16;
constexpr std::size_t kElements = 35;  // more than a block, and no multiple of one

// The values again and again.
template <typename Value>
std::vector<Value> repeated(std::vector<Value> values) {
  const std::size_t once = values.size();
  while (values.size() < kElements) values.push_back(values[values.size() % once]);
  return values;
}

std::uint32_t power_of_two(int exponent) {
  return std::bit_cast<std::uint32_t>(std::ldexp(1.0f, exponent));
}

// Each power of two as the scale, sixteen to a case.
template <typename Request>
std::vector<Draft> each_power(std::span<const StorageType> types, const Request& request) {
  std::vector<Draft> drafts;
  for (const StorageType type : types) {
    const StorageTypeInfo& info = info_of(type);
    const std::int32_t zero_point = info.is_signed ? -1 : 1;
    for (int exponent = kLeastExponent; exponent <= kMostExponent; ++exponent) {
      if ((exponent - kLeastExponent) % kPerCase == 0) {
        drafts.push_back({fmt::format("{}/from-{}", info.name, exponent), {}});
      }
      drafts.back().requests.push_back(request(info, power_of_two(exponent), zero_point));
    }
  }
  return drafts;
}

// Multiples of the scale around zero and at the ends, ties, and what lies beside a tie.
std::vector<float> multiples(std::uint32_t scale_bits) {
  const double scale = std::bit_cast<float>(scale_bits);
  std::vector<float> in;
  for (const double multiple : {-300.0, -127.5, -2.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0,
                                100.0, 127.5, 254.5, 70000.0}) {
    const double value = multiple * scale;
    if (std::abs(value) <= std::numeric_limits<float>::max()) {
      in.push_back(static_cast<float>(value));
      in.push_back(std::nextafter(static_cast<float>(value), 0.0f));
    }
  }
  return repeated(std::move(in));
}

std::vector<std::int64_t> some_codes(const StorageTypeInfo& info) {
  std::vector<std::int64_t> codes;
  for (const std::int64_t code :
       {info.min, info.min + 1, std::int64_t{-2}, std::int64_t{-1}, std::int64_t{0},
        std::int64_t{1}, std::int64_t{2}, info.max / 2 + 1, info.max - 1, info.max}) {
    if (code >= info.min && code <= info.max) codes.push_back(code);
  }
  return repeated(std::move(codes));
}

constexpr std::array<StorageType, 5> kTypes = {StorageType::kInt8, StorageType::kUint8,
                                               StorageType::kInt16, StorageType::kUint4,
                                               StorageType::kInt2};
constexpr std::array<StorageType, 2> kFirmwareTypes = {StorageType::kInt8, StorageType::kUint8};

std::vector<Draft> quantize_powers() {
  return each_power(kTypes, [](const StorageTypeInfo& info, std::uint32_t scale, std::int32_t z) {
    return quantize_request(info, scale, z, multiples(scale));
  });
}
std::vector<Draft> dequantize_powers() {
  return each_power(kTypes, [](const StorageTypeInfo& info, std::uint32_t scale, std::int32_t z) {
    return dequantize_request(info, scale, z, some_codes(info));
  });
}
std::vector<Draft> ra8_quantize_powers() {
  return each_power(kFirmwareTypes,
                    [](const StorageTypeInfo& info, std::uint32_t scale, std::int32_t z) {
                      return ra8_quantize_request(info, scale, z, multiples(scale));
                    });
}
std::vector<Draft> ra8_dequantize_powers() {
  return each_power(kFirmwareTypes,
                    [](const StorageTypeInfo& info, std::uint32_t scale, std::int32_t z) {
                      return ra8_dequantize_request(info, scale, z, some_codes(info));
                    });
}

// All codes that a byte can hold, for types of which it holds several.
std::vector<Draft> every_byte() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits >= 8) continue;
    const std::size_t per_byte = 8 / info.bits;
    std::vector<std::int64_t> codes(256 * per_byte);
    std::array<std::uint8_t, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    unpack(info.type, bytes.data(), codes);
    for (const std::int32_t zero_point : {0, info.is_signed ? -1 : 1}) {
      drafts.push_back({fmt::format("{}/zero-point-{}", info.name, zero_point),
                        {dequantize_request(info, 0x3f800000, zero_point, codes)}});
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"quantize/power-of-two-scales", "the reciprocal of some power of two is taken for exact",
     quantize_powers},
    {"dequantize/power-of-two-scales", "some power of two is multiplied by adding exponents",
     dequantize_powers},
    {"ra8/quantize-power-of-two-scales", "the reciprocal of some power of two is taken for exact",
     ra8_quantize_powers},
    {"ra8/dequantize-power-of-two-scales", "some power of two is multiplied by adding exponents",
     ra8_dequantize_powers},
    {"dequantize/every-byte", "one row of the table that takes a byte apart is wrong", every_byte},
};

}  // namespace

std::span<const Family> looked_up_families() { return kFamilies; }

}  // namespace hurray::conformance
