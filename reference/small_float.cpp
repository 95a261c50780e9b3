// SPDX-License-Identifier: Apache-2.0
//
// Sign, exponent and significand, taken apart and put together as binary32. One rule for all
// formats that are built like IEEE's; what a format does with its largest exponent is in its own
// function.

#include "reference/small_float.h"

#include <bit>

#include "reference/binary32.h"

namespace hurray {
namespace {

struct Format {
  unsigned exponent_bits;
  unsigned significand_bits;  // stored ones
  int bias;
};

constexpr Format kFloat16 = {5, 10, 15};
constexpr Format kFloat8E4m3 = {4, 3, 7};
constexpr Format kFloat8E5m2 = {5, 2, 15};
constexpr Format kFloat4E2m1 = {2, 1, 1};
constexpr Format kFloat6E2m3 = {2, 3, 1};
constexpr Format kFloat6E3m2 = {3, 2, 3};

struct Parts {
  std::uint32_t sign;  // kSignBit or 0
  std::uint32_t exponent;
  std::uint32_t significand;
};

Parts take_apart(Format format, std::uint32_t bits) {
  const unsigned magnitude_bits = format.exponent_bits + format.significand_bits;
  const std::uint32_t exponent_mask = (1u << format.exponent_bits) - 1;
  const std::uint32_t significand_mask = (1u << format.significand_bits) - 1;
  return {((bits >> magnitude_bits) & 1) != 0 ? kSignBit : 0,
          (bits >> format.significand_bits) & exponent_mask, bits & significand_mask};
}

// 2^exponent, for exponents of normal binary32 numbers.
float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

// As if every exponent were an ordinary one. Exponent 0 means 0.m * 2^(1 - bias), any other e means
// 1.m * 2^(e - bias). The significand is an integer of at most 11 bits and the power of two is far
// from either end of binary32, so the product is exact and the sign can be set afterwards.
float ordinary(Format format, const Parts& parts) {
  const bool subnormal = parts.exponent == 0;
  const std::uint32_t leading_one = subnormal ? 0 : 1u << format.significand_bits;
  const int exponent = subnormal ? 1 : static_cast<int>(parts.exponent);
  const float magnitude =
      static_cast<float>(parts.significand | leading_one) *
      power_of_two(exponent - format.bias - static_cast<int>(format.significand_bits));
  return std::bit_cast<float>(bits_of(magnitude) | parts.sign);
}

// As in IEEE 754 the largest exponent is infinity, or NaN where the significand is not zero. The
// payload moves to the upper end of the wider significand, so that a NaN stays one.   [HQ-PACK-017]
float ieee(Format format, std::uint32_t bits) {
  const Parts parts = take_apart(format, bits);
  if (parts.exponent != (1u << format.exponent_bits) - 1) return ordinary(format, parts);
  const std::uint32_t payload = parts.significand << (23 - format.significand_bits);
  return std::bit_cast<float>(parts.sign | kInfinityBits | payload);
}

}  // namespace

float widen_float16(std::uint16_t bits) { return ieee(kFloat16, bits); }

float widen_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float widen_float8_e4m3(std::uint8_t bits) {
  // The one pattern of each sign with all bits set is NaN; the rest of the largest exponent are
  // ordinary numbers, up to 448.   [HQ-PACK-018]
  const Parts parts = take_apart(kFloat8E4m3, bits);
  if (parts.exponent == 15 && parts.significand == 7) {
    return std::bit_cast<float>(parts.sign | 0x7fc00000);
  }
  return ordinary(kFloat8E4m3, parts);
}

float widen_float8_e5m2(std::uint8_t bits) { return ieee(kFloat8E5m2, bits); }  // [HQ-PACK-019]

float widen_float8_e8m0(std::uint8_t bits) {
  // The pattern is the exponent field of binary32 itself. Two of them are not normal there, and are
  // no data here.   [HQ-PACK-020, -021, A37]
  if (bits == 0x00) return std::bit_cast<float>(0x00400000u);  // 2^-127
  if (bits == 0xff) return std::bit_cast<float>(0x7fc00000u);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 23);
}

// Every pattern of these three is a number.   [HQ-PACK-022, -025, -026; rulings A40, A41]
float widen_float4_e2m1(std::uint8_t bits) {
  return ordinary(kFloat4E2m1, take_apart(kFloat4E2m1, bits));
}
float widen_float6_e2m3(std::uint8_t bits) {
  return ordinary(kFloat6E2m3, take_apart(kFloat6E2m3, bits));
}
float widen_float6_e3m2(std::uint8_t bits) {
  return ordinary(kFloat6E3m2, take_apart(kFloat6E3m2, bits));
}

float widen_small_float(std::uint8_t type_tag, std::uint32_t bits) {
  const auto low8 = static_cast<std::uint8_t>(bits);
  switch (type_tag) {
    case 0x01:
      return widen_float16(static_cast<std::uint16_t>(bits));
    case 0x02:
      return widen_bfloat16(static_cast<std::uint16_t>(bits));
    case 0x03:
      return std::bit_cast<float>(bits);
    case 0x40:
      return widen_float8_e4m3(low8);
    case 0x41:
      return widen_float8_e5m2(low8);
    case 0x42:
      return widen_float8_e8m0(low8);
    case 0x43:
      return widen_float4_e2m1(low8);
    case 0x44:
      return widen_float6_e2m3(low8);
    case 0x45:
      return widen_float6_e3m2(low8);
    default:
      return 0.0f;
  }
}

}  // namespace hurray
