// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one instruction set: HURRAY_SIMD_SET in our words, HURRAY_SIMD_HIGHWAY_TARGET in
// Highway's. This file is compiled once for each. Highway lets the compiler use the set in the
// kernels alone, so that whatever runs before a choice is made runs everywhere.

// The base of the processor family stays enabled, since Highway insists on one.
#define HWY_DISABLED_TARGETS (~(HURRAY_SIMD_HIGHWAY_TARGET | HWY_SCALAR | HWY_EMU128 | HWY_NEON))
#define HWY_WANT_AVX3_DL 1
// Assertions would need Highway's library, of which this uses the headers only.
#define HWY_IS_DEBUG_BUILD 0

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/simd_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/simd.h"

#if HWY_TARGET == HURRAY_SIMD_HIGHWAY_TARGET
#include "simd/simd_dequantize-inl.h"
#include "simd/simd_quantize-inl.h"

namespace hurray::simd {
extern const Kernels HWY_CONCAT(kernels_, HURRAY_SIMD_SET);
constinit const Kernels HWY_CONCAT(kernels_, HURRAY_SIMD_SET) = {
    HWY_NAMESPACE::kDequantize, HWY_NAMESPACE::kQuantize, HWY_NAMESPACE::kHasReciprocal};
}  // namespace hurray::simd
#endif

#if HWY_ONCE && (HWY_TARGETS & HURRAY_SIMD_HIGHWAY_TARGET) == 0
namespace hurray::simd {
extern const Kernels HWY_CONCAT(kernels_, HURRAY_SIMD_SET);
constinit const Kernels HWY_CONCAT(kernels_, HURRAY_SIMD_SET) = {nullptr, nullptr, false};
}  // namespace hurray::simd
#endif
