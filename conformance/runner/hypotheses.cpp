// SPDX-License-Identifier: Apache-2.0
//
// How kernels go wrong, one row per mistake, from the special to the general (hypotheses.h).

#include "conformance/runner/hypotheses.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "reference/binary32.h"

namespace hurray::conformance {
namespace {

// --- Dequantizing

float product(float scale, std::int64_t difference) {
  return scale * static_cast<float>(difference);
}

std::int64_t code_at(const DequantizeInput& in, std::size_t index) {
  return index < in.request.count ? read_element(in.info.type, in.request.bytes.data(), index)
                                  : in.q;
}
std::int64_t without_sign_extension(const DequantizeInput& in) {
  const std::int64_t mask = (std::int64_t{1} << in.info.bits) - 1;
  return in.q & mask;
}
std::int64_t with_sign_extension(const DequantizeInput& in) {
  const std::int64_t half = std::int64_t{1} << (in.info.bits - 1);
  return ((in.q & (2 * half - 1)) ^ half) - half;
}
// The code of the other nibble (or crumb, counted from the other end) of the byte.
std::int64_t from_the_other_end(const DequantizeInput& in) {
  const std::size_t per_byte = std::max(1u, 8 / in.info.bits);
  const std::size_t first = in.index / per_byte * per_byte;
  return code_at(in, first + (per_byte - 1 - in.index % per_byte));
}
std::int64_t other_byte_order(const DequantizeInput& in) {
  std::uint64_t bits = static_cast<std::uint64_t>(in.q);
  std::uint64_t swapped = 0;
  for (unsigned done = 0; done < in.info.bits; done += 8) {
    swapped = swapped << 8 | (bits & 0xff);
    bits >>= 8;
  }
  const std::int64_t value = static_cast<std::int64_t>(swapped);
  return in.info.is_signed && in.info.bits == 16 ? static_cast<std::int16_t>(value)
         : in.info.is_signed                     ? static_cast<std::int32_t>(value)
                                                 : value;
}
float half_precision(float value) {
  if (std::abs(value) < 0x1p-25f) return std::copysign(0.0f, value);
  const int exponent = std::max(std::ilogb(value), -14);
  const float unit = std::ldexp(1.0f, exponent - 10);
  return std::nearbyint(value / unit) * unit;
}

constexpr DequantizeMistake kDequantizeMistakes[] = {
    {"flush-to-zero",
     [](const DequantizeInput& in) {
       return flushed(product(flushed(in.request.scale), in.q - in.request.zero_point));
     }},
    {"flush-to-zero",
     [](const DequantizeInput& in) {
       return flushed(product(in.request.scale, in.q - in.request.zero_point));
     }},
    {"off-by-one-step",
     [](const DequantizeInput& in) {
       return product(in.request.scale, in.q - in.request.zero_point + 1);
     }},
    {"off-by-one-step",
     [](const DequantizeInput& in) {
       return product(in.request.scale, in.q - in.request.zero_point - 1);
     }},
    {"zero-point-dropped",
     [](const DequantizeInput& in) { return product(in.request.scale, in.q); }},
    {"zero-point-added",
     [](const DequantizeInput& in) {
       return product(in.request.scale, in.q + in.request.zero_point);
     }},
    {"zero-point-width",
     [](const DequantizeInput& in) {
       return product(in.request.scale, in.q - static_cast<std::int8_t>(in.request.zero_point));
     }},
    {"zero-point-width",
     [](const DequantizeInput& in) {
       return product(in.request.scale, in.q - static_cast<std::uint8_t>(in.request.zero_point));
     }},
    {"sign-extension",
     [](const DequantizeInput& in) {
       return product(in.request.scale, without_sign_extension(in) - in.request.zero_point);
     }},
    {"sign-extension",
     [](const DequantizeInput& in) {
       return product(in.request.scale, with_sign_extension(in) - in.request.zero_point);
     }},
    {"nibble-order",
     [](const DequantizeInput& in) {
       return product(in.request.scale, from_the_other_end(in) - in.request.zero_point);
     }},
    {"byte-order",
     [](const DequantizeInput& in) {
       return product(in.request.scale, other_byte_order(in) - in.request.zero_point);
     }},
    {"scale-byte-order",
     [](const DequantizeInput& in) {
       const float swapped =
           std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(in.request.scale)));
       return product(swapped, in.q - in.request.zero_point);
     }},
    {"scale-sign-dropped",
     [](const DequantizeInput& in) {
       return product(std::abs(in.request.scale), in.q - in.request.zero_point);
     }},
    {"int32-wrap",
     [](const DequantizeInput& in) {
       const std::int64_t difference = in.q - in.request.zero_point;
       return product(in.request.scale, static_cast<std::int32_t>(difference));
     }},
    {"unsigned-difference",
     [](const DequantizeInput& in) {
       const std::int64_t difference = in.q - in.request.zero_point;
       return product(in.request.scale, static_cast<std::uint32_t>(difference));
     }},
    {"fused",
     [](const DequantizeInput& in) {
       const float offset = in.request.scale * static_cast<float>(in.request.zero_point);
       return std::fma(in.request.scale, static_cast<float>(in.q), -offset);
     }},
    {"expanded",
     [](const DequantizeInput& in) {
       const volatile float first = in.request.scale * static_cast<float>(in.q);
       const volatile float second = in.request.scale * static_cast<float>(in.request.zero_point);
       return first - second;
     }},
    {"float-difference",
     [](const DequantizeInput& in) {
       return in.request.scale *
              (static_cast<float>(in.q) - static_cast<float>(in.request.zero_point));
     }},
    {"double-product",
     [](const DequantizeInput& in) {
       return static_cast<float>(static_cast<double>(in.request.scale) *
                                 static_cast<double>(in.q - in.request.zero_point));
     }},
    {"half-precision-scale",
     [](const DequantizeInput& in) {
       return product(half_precision(in.request.scale), in.q - in.request.zero_point);
     }},
    {"shifted-by-one-element",
     [](const DequantizeInput& in) {
       return product(in.request.scale, code_at(in, in.index + 1) - in.request.zero_point);
     }},
    {"not-computed", [](const DequantizeInput&) { return 0.0f; }},
};

// --- Quantizing

float divide(float x, float scale) {
  const volatile float quotient = x / scale;
  return quotient;
}
// Saturates a double sum; NaN becomes the zero point.
std::int64_t saturate(const QuantizeInput& in, double sum) {
  if (std::isnan(sum)) {
    return std::clamp<std::int64_t>(in.zero_point, in.info.min, in.info.max);
  }
  return static_cast<std::int64_t>(
      std::clamp(sum, static_cast<double>(in.info.min), static_cast<double>(in.info.max)));
}
std::int64_t wrap(const QuantizeInput& in, std::int64_t value) {
  const std::uint64_t mask = (std::uint64_t{1} << in.info.bits) - 1;
  const std::int64_t low = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & mask);
  return in.info.is_signed && low > in.info.max ? low - static_cast<std::int64_t>(mask) - 1 : low;
}
// What x86 makes of a float outside int32.
std::int32_t x86_cast(float value) {
  return value >= -0x1p31f && value < 0x1p31f ? static_cast<std::int32_t>(value)
                                              : std::numeric_limits<std::int32_t>::min();
}
std::int32_t add_wrapping(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t saturating_cast(float value) {
  if (value >= 0x1p31f) return std::numeric_limits<std::int32_t>::max();
  return value >= -0x1p31f ? static_cast<std::int32_t>(value)
                           : std::numeric_limits<std::int32_t>::min();
}

constexpr QuantizeMistake kQuantizeMistakes[] = {
    {"ties-to-even",
     [](const QuantizeInput& in) {
       return saturate(in,
                       static_cast<double>(std::nearbyint(divide(in.x, in.scale))) + in.zero_point);
     }},
    {"ties-toward-zero",
     [](const QuantizeInput& in) {
       const double quotient = divide(in.x, in.scale);
       return saturate(
           in, std::copysign(std::ceil(std::abs(quotient) - 0.5), quotient) + in.zero_point);
     }},
    {"ties-upward",
     [](const QuantizeInput& in) {
       const double quotient = divide(in.x, in.scale);
       return saturate(in, std::floor(quotient + 0.5) + in.zero_point);
     }},
    {"half-added",
     [](const QuantizeInput& in) {
       const float quotient = divide(in.x, in.scale);
       const volatile float moved = quotient + std::copysign(0.5f, quotient);
       return saturate(in, static_cast<double>(std::trunc(moved)) + in.zero_point);
     }},
    {"half-added",
     [](const QuantizeInput& in) {
       const volatile float moved = divide(in.x, in.scale) + 0.5f;
       return saturate(in, static_cast<double>(std::floor(moved)) + in.zero_point);
     }},
    {"truncation",
     [](const QuantizeInput& in) {
       return saturate(in, static_cast<double>(std::trunc(divide(in.x, in.scale))) + in.zero_point);
     }},
    {"rounds-down",
     [](const QuantizeInput& in) {
       return saturate(in, static_cast<double>(std::floor(divide(in.x, in.scale))) + in.zero_point);
     }},
    {"float-sum",
     [](const QuantizeInput& in) {
       const volatile float sum =
           std::round(divide(in.x, in.scale)) + static_cast<float>(in.zero_point);
       return saturate(in, static_cast<double>(sum));
     }},
    {"zero-point-before-rounding",
     [](const QuantizeInput& in) {
       const volatile float sum = divide(in.x, in.scale) + static_cast<float>(in.zero_point);
       return saturate(in, static_cast<double>(std::round(sum)));
     }},
    {"reciprocal",
     [](const QuantizeInput& in) {
       const volatile float reciprocal = 1.0f / in.scale;
       const volatile float quotient = in.x * reciprocal;
       return saturate(in, static_cast<double>(std::round(quotient)) + in.zero_point);
     }},
    {"reciprocal",
     [](const QuantizeInput& in) {
       const volatile float reciprocal = 1.0f / in.scale;
       const volatile float quotient = in.x * reciprocal;
       return saturate(in, static_cast<double>(std::nearbyint(quotient)) + in.zero_point);
     }},
    {"fused",
     [](const QuantizeInput& in) {
       const volatile float reciprocal = 1.0f / in.scale;
       return saturate(in, static_cast<double>(std::round(
                               std::fma(in.x, reciprocal, static_cast<float>(in.zero_point)))));
     }},
    {"zero-point-dropped",
     [](const QuantizeInput& in) {
       return saturate(in, static_cast<double>(std::round(divide(in.x, in.scale))));
     }},
    {"zero-point-subtracted",
     [](const QuantizeInput& in) {
       return saturate(in, static_cast<double>(std::round(divide(in.x, in.scale))) - in.zero_point);
     }},
    {"off-by-one-step",
     [](const QuantizeInput& in) {
       return saturate(in,
                       static_cast<double>(std::round(divide(in.x, in.scale))) + in.zero_point + 1);
     }},
    {"off-by-one-step",
     [](const QuantizeInput& in) {
       return saturate(in,
                       static_cast<double>(std::round(divide(in.x, in.scale))) + in.zero_point - 1);
     }},
    {"narrow-range",
     [](const QuantizeInput& in) {
       return std::max(
           in.info.min + 1,
           saturate(in, static_cast<double>(std::round(divide(in.x, in.scale))) + in.zero_point));
     }},
    {"zero-point-clamped",
     [](const QuantizeInput& in) {
       const double zero_point =
           static_cast<double>(std::clamp<std::int64_t>(in.zero_point, in.info.min, in.info.max));
       return saturate(in, static_cast<double>(std::round(divide(in.x, in.scale))) + zero_point);
     }},
    {"zero-point-width",
     [](const QuantizeInput& in) {
       return saturate(in, static_cast<double>(std::round(divide(in.x, in.scale))) +
                               static_cast<double>(wrap(in, in.zero_point)));
     }},
    {"clamp-before-zero-point",
     [](const QuantizeInput& in) {
       const double clamped = static_cast<double>(
           saturate(in, static_cast<double>(std::round(divide(in.x, in.scale)))));
       return saturate(in, clamped + in.zero_point);
     }},
    {"clamp-before-zero-point",
     [](const QuantizeInput& in) {
       return wrap(in, saturate(in, static_cast<double>(std::round(divide(in.x, in.scale)))) +
                           in.zero_point);
     }},
    {"wrap",
     [](const QuantizeInput& in) {
       const float rounded = std::round(divide(in.x, in.scale));
       return wrap(in, add_wrapping(saturating_cast(rounded), in.zero_point));
     }},
    {"wrap",
     [](const QuantizeInput& in) {
       return wrap(in, add_wrapping(x86_cast(std::round(divide(in.x, in.scale))), in.zero_point));
     }},
    {"undefined-cast",
     [](const QuantizeInput& in) {
       const std::int64_t sum =
           add_wrapping(x86_cast(std::round(divide(in.x, in.scale))), in.zero_point);
       return std::clamp(sum, in.info.min, in.info.max);
     }},
    {"zero-point-overflow",
     [](const QuantizeInput& in) {
       const std::int64_t sum =
           add_wrapping(saturating_cast(std::round(divide(in.x, in.scale))), in.zero_point);
       return std::clamp(sum, in.info.min, in.info.max);
     }},
    {"other-type-range",
     [](const QuantizeInput& in) {
       const std::int64_t half = std::int64_t{1} << (in.info.bits - 1);
       const double low = in.info.is_signed ? 0 : -static_cast<double>(half);
       const double high = static_cast<double>(in.info.is_signed ? 2 * half - 1 : half - 1);
       const double sum = static_cast<double>(std::round(divide(in.x, in.scale))) + in.zero_point;
       return std::isnan(sum) ? in.zero_point
                              : wrap(in, static_cast<std::int64_t>(std::clamp(sum, low, high)));
     }},
    {"capped-quotient",
     [](const QuantizeInput& in) {
       const float capped = std::clamp(divide(in.x, in.scale), -1e6f, 1e6f);
       return saturate(in, static_cast<double>(std::round(capped)) + in.zero_point);
     }},
    {"flush-to-zero",
     [](const QuantizeInput& in) {
       const float x = flushed(in.x);
       const float scale = flushed(in.scale);
       return saturate(in, x == 0.0f
                               ? in.zero_point
                               : static_cast<double>(std::round(divide(x, scale))) + in.zero_point);
     }},
    {"not-computed", [](const QuantizeInput&) -> std::int64_t { return 0; }},
};

// --- Normalizing zero points

// Field `index` of the plane, with `added` to the byte that it lies in.
std::int64_t field(const NormalizeInput& in, std::size_t index, unsigned added = 0) {
  const std::size_t bit = index * in.request.bits;
  if (bit / 8 >= in.request.bytes.size()) return 0;
  const unsigned byte = (in.request.bytes[bit / 8] + added) & 0xff;
  return byte >> bit % 8 & ((1u << in.request.bits) - 1);
}
std::int64_t most(const NormalizeInput& in) { return (std::int64_t{1} << in.request.bits) - 1; }

constexpr NormalizeMistake kNormalizeMistakes[] = {
    {"bias-assumed", [](const NormalizeInput& in) { return field(in, in.index) + 1; }},
    {"bias-forgotten", [](const NormalizeInput& in) { return field(in, in.index); }},
    {"bias-added-twice",
     [](const NormalizeInput& in) { return field(in, in.index) + 2 * in.request.bias; }},
    {"bias-subtracted",
     [](const NormalizeInput& in) { return field(in, in.index) - in.request.bias; }},
    {"wraps-at-15",
     [](const NormalizeInput& in) { return (field(in, in.index) + in.request.bias) & most(in); }},
    {"clamps-at-15",
     [](const NormalizeInput& in) {
       return std::min(most(in), field(in, in.index) + in.request.bias);
     }},
    {"packed-add-carry",
     [](const NormalizeInput& in) {
       return field(in, in.index, 0xff / static_cast<unsigned>(most(in)));
     }},
    {"packed-add-once", [](const NormalizeInput& in) { return field(in, in.index, 1); }},
    {"nibble-order",
     [](const NormalizeInput& in) {
       const std::size_t last = 8 / in.request.bits - 1;
       return field(in, in.index ^ last) + in.request.bias;
     }},
    {"sign-extension",
     [](const NormalizeInput& in) {
       const std::int64_t half = (most(in) + 1) / 2;
       return ((field(in, in.index) ^ half) - half) + in.request.bias;
     }},
    {"symmetric-assumed", [](const NormalizeInput& in) { return (most(in) + 1) / 2; }},
};

}  // namespace

std::span<const DequantizeMistake> dequantize_mistakes() { return kDequantizeMistakes; }
std::span<const QuantizeMistake> quantize_mistakes() { return kQuantizeMistakes; }
std::span<const NormalizeMistake> normalize_mistakes() { return kNormalizeMistakes; }

}  // namespace hurray::conformance
