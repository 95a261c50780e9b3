// SPDX-License-Identifier: Apache-2.0
//
// Options that name a function, see sweep_arguments.h.

#include "conformance/cli/sweep_arguments.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

float scale_from(const std::string& text, bool dequantizes) {
  float scale = 0;
  if (const auto bits = parse_hex_number(text, 8)) {
    scale = std::bit_cast<float>(*bits);
  } else {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (failure != std::errc{} || end != text.data() + text.size()) scale = 0;
  }
  // A quantizer may refuse a negative scale, a dequantizer may not.
  if (!std::isfinite(scale) || !(dequantizes ? scale != 0 : scale > 0)) {
    throw UsageError(
        fmt::format("--scale {}: expected a finite number {} or the eight hexadecimal digits of "
                    "one, for example 0.1 or 3dcccccd",
                    text, dequantizes ? "other than zero" : "above zero"));
  }
  return scale;
}

}  // namespace

SweepFunction swept_function(SweepOperation operation, const std::string& function,
                             const std::string& type, const std::string& scale,
                             std::int32_t zero_point) {
  SweepFunction swept;
  swept.function = function;
  swept.operation = operation;
  swept.scale = scale_from(scale, swept.dequantizes());
  swept.zero_point = zero_point;
  if (!function.empty()) return swept;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.name != type) continue;
    swept.type = static_cast<std::uint8_t>(info.type);
    if (zero_point < info.min || zero_point > info.max) {
      throw UsageError(fmt::format("--zero-point {}: {} holds {} to {}", zero_point, info.name,
                                   info.min, info.max));
    }
    return swept;
  }
  throw UsageError(fmt::format(
      "--type {}: expected one of int8, uint8, int16, uint16, int32, uint32, int4, "
      "uint4, int2 and uint2{}",
      type, swept.dequantizes() ? "" : ", or --fn quantize_i8 for the firmware function instead"));
}

}  // namespace hurray::conformance
