// SPDX-License-Identifier: Apache-2.0
//
// scale * float(q - zero_point), one operation a line. Built with -ffp-contract=off: nothing may
// fuse the product with anything.

#include "reference/dequantize.h"

#include "reference/binary32.h"

namespace hurray {
namespace {

// The low 32 bits as a signed number.
std::int64_t reduced_to_int32(std::int64_t value) { return static_cast<std::int32_t>(value); }

}  // namespace

float dequantize_value(StorageType type, float scale, std::int32_t zero_point, std::int64_t q,
                       const Choices& choices) {
  // The text subtracts in signed 32 bits, in which the upper half of uint32 does not exist. Either
  // the code is its value, or its bits are read as int32.   [A02]
  const bool reinterpret =
      type == StorageType::kUint32 && choices.uint32_codes == Uint32Codes::kReinterpret;
  const std::int64_t code = reinterpret ? reduced_to_int32(q) : q;

  // The zero point is subtracted as stored, without any bias.   [HQ-PTA-018, -025, HQ-ZP-001]
  // Both operands have at most 33 bits, so 64 hold the exact difference. It leaves int32 only for
  // the 32-bit types, where wrapping is the other legal result.   [HQ-PTA-019, A01]
  const std::int64_t exact = code - zero_point;
  const std::int64_t difference =
      choices.difference_width == DifferenceWidth::kWrap ? reduced_to_int32(exact) : exact;

  // First rounding: to binary32, nearest, ties to even. Exact up to 2^24.   [HQ-PTA-020, A04, R16]
  const auto factor = static_cast<float>(difference);

  // Second rounding: the product. Overflow is an infinity, underflow a subnormal, and a zero has
  // the sign that the factors give it. The choice is for the firmware contract.   [A05, A06, R15]
  const float product = flush_operand(scale, choices.subnormals) * factor;
  return flush_result(product, choices.subnormals);
}

void dequantize(StorageType type, float scale, std::int32_t zero_point, const std::uint8_t* q,
                std::size_t count, float* out, const Choices& choices) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = dequantize_value(type, scale, zero_point, read_element(type, q, i), choices);
  }
}

}  // namespace hurray
