// SPDX-License-Identifier: Apache-2.0
//
// The firmware's four functions: judge the arguments, then apply the formula element by element.

#include "reference/firmware.h"

#include "reference/binary32.h"
#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/quantize.h"

namespace hurray::firmware {
namespace {

// Strictly positive: from the smallest subnormal up to infinity. Asked of the bits, because a
// comparison takes subnormals for zeros where the caller flushes them.   [RA8-Q-009, -010, -011,
// R18]
bool is_strictly_positive(float scale) {
  return !is_negative(scale) && !is_zero(scale) && !is_nan(scale);
}

template <typename Code>
std::uint16_t quantize_all(StorageType type, const float* in, Code* out, std::size_t count,
                           float scale, std::int32_t zero_point, const Choices& choices) {
  // Everything is judged before the first store: an error leaves `out` alone.   [RA8-Q-015]
  const Status status = check_quantize(in, out, scale);
  if (status != Status::kOk) return code_of(status);

  const StorageTypeInfo& info = info_of(type);
  for (std::size_t i = 0; i < count; ++i) {  // [RA8-Q-014, -016: all of them, nothing past them]
    out[i] =
        static_cast<Code>(quantize_value(in[i], scale, zero_point, info.min, info.max, choices));
  }
  return kOk;
}

template <typename Code>
std::uint16_t dequantize_all(StorageType type, const Code* in, float* out, std::size_t count,
                             float scale, std::int32_t zero_point, const Choices& choices) {
  const Status status = check_dequantize(in, out);
  if (status != Status::kOk) return code_of(status);

  // The header promises the formula for any zero point and names no 32-bit subtraction, so here the
  // difference has no second reading: 127 - INT32_MIN is 2147483775.   [RA8-Q-021, R10]
  Choices exact = choices;
  exact.difference_width = DifferenceWidth::kWiden;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = dequantize_value(type, scale, zero_point, in[i], exact);  // [RA8-Q-019, -020, -022]
  }
  return kOk;
}

}  // namespace

std::uint16_t code_of(Status status) {
  if (status == Status::kOk) return kOk;
  return status == Status::kNullPointer ? kNullPtr : kInvalidArg;
}

Status check_quantize(const void* in, const void* out, float scale) {
  const Status pointers = check_dequantize(in, out);
  if (pointers != Status::kOk) return pointers;  // [R13: before the scale]
  return is_strictly_positive(scale) ? Status::kOk : Status::kScaleNotPositive;
}

Status check_dequantize(const void* in, const void* out) {
  // The count does not matter: the header's sentence has no exception for 0.   [RA8-Q-012, -013,
  // R11]
  return in == nullptr || out == nullptr ? Status::kNullPointer : Status::kOk;
}

std::uint16_t quantize_i8(const float* in, std::int8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point, const Choices& choices) {
  return quantize_all(StorageType::kInt8, in, out, count, scale, zero_point, choices);
}

std::uint16_t quantize_u8(const float* in, std::uint8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point, const Choices& choices) {
  return quantize_all(StorageType::kUint8, in, out, count, scale, zero_point, choices);
}

std::uint16_t dequantize_i8(const std::int8_t* in, float* out, std::size_t count, float scale,
                            std::int32_t zero_point, const Choices& choices) {
  return dequantize_all(StorageType::kInt8, in, out, count, scale, zero_point, choices);
}

std::uint16_t dequantize_u8(const std::uint8_t* in, float* out, std::size_t count, float scale,
                            std::int32_t zero_point, const Choices& choices) {
  return dequantize_all(StorageType::kUint8, in, out, count, scale, zero_point, choices);
}

}  // namespace hurray::firmware
