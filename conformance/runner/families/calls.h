// SPDX-License-Identifier: Apache-2.0
//
// What families on call discipline ask kernels with.

#ifndef HURRAY_CONFORMANCE_FAMILIES_CALLS_H
#define HURRAY_CONFORMANCE_FAMILIES_CALLS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {

// Numbers that no rounding rule, no tie and no saturation can touch, so that a failure here speaks
// of the call and not of the arithmetic: quotients by 1/2 that are small integers.
inline constexpr std::uint32_t kScale = 0x3f000000;
inline constexpr std::int32_t kZeroPoint = 1;

// Codes of the type that are at most 100 from zero.
inline std::vector<std::int64_t> codes_for(const StorageTypeInfo& info, std::size_t count) {
  constexpr std::int64_t kMost = 100;
  const std::int64_t first = std::max(info.min, -kMost);
  const std::int64_t last = std::min(info.max, kMost);
  Random random(count + 23);
  std::vector<std::int64_t> codes;
  for (std::size_t i = 0; i < count; ++i) {
    codes.push_back(first + static_cast<std::int64_t>(
                                random.below(static_cast<std::uint64_t>(last - first + 1))));
  }
  return codes;
}

inline std::vector<float> inputs_for(const StorageTypeInfo& info, std::size_t count) {
  std::vector<float> in;
  for (const std::int64_t code : codes_for(info, count)) {
    in.push_back(static_cast<float>(code - kZeroPoint) / 2);
  }
  return in;
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FAMILIES_CALLS_H
