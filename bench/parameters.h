// SPDX-License-Identifier: Apache-2.0
//
// Scale and zero point of all measurements of kernels, and of the count of differing inputs that
// stands beside them.

#ifndef HURRAY_BENCH_PARAMETERS_H
#define HURRAY_BENCH_PARAMETERS_H

#include <cstdint>

#include "hurray_target.h"

namespace hurray::bench {

inline constexpr float kScale = 0.1f;
inline constexpr std::int8_t kZeroPoint = 1;

}  // namespace hurray::bench

// Tables of the registry that are here in every build.
extern "C" const struct hurray_target hurray_target_scalar;
extern "C" const struct hurray_target hurray_target_reference;

#endif  // HURRAY_BENCH_PARAMETERS_H
