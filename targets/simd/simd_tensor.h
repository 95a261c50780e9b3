// SPDX-License-Identifier: Apache-2.0
//
// The values of a whole tensor, by vector kernels where its elements lie in runs with one scale and
// one zero point.

#ifndef HURRAY_TARGETS_SIMD_SIMD_TENSOR_H
#define HURRAY_TARGETS_SIMD_SIMD_TENSOR_H

#include <cstddef>
#include <cstdint>

#include "simd/simd.h"

namespace hurray::simd {

// As dequantize_tensor of hurray_target.h. Without kernels (NULL) plain C computes everything.
hurray_status dequantize_tensor(const Kernels* kernels, std::uint32_t mode,
                                const hurray_tensor* tensor, const hurray_tensor_buffers* buffers,
                                float* out, std::size_t count);

}  // namespace hurray::simd

#endif  // HURRAY_TARGETS_SIMD_SIMD_TENSOR_H
