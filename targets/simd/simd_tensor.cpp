// SPDX-License-Identifier: Apache-2.0
//
// Runs of elements that share their scale and zero point go to the kernels: all of a per-tensor
// affine tensor, the elements behind one index of a per-channel axis, one block along the last axis
// of a per-block tensor. Row-major only. Whatever has no such runs, or runs that begin inside a
// byte, is left to plain C, as are the rules that make a tensor valid.

#include "simd/simd_tensor.h"

#include <algorithm>

#include "scalar/scalar.h"
#include "scalar/scalar_dequantize.h"
#include "scalar/scalar_schemes.h"

namespace hurray::simd {
namespace {

constexpr std::size_t kShortestRun = 8;          // below it a call costs more than it gains
constexpr std::size_t kShortestStreamed = 1024;  // ends are stored as usual, and a fence follows

bool begins_at_bytes(std::uint64_t elements, unsigned bits) { return elements * bits % 8 == 0; }

// Elements from the start of one run to the next; 0 if there are no runs for kernels.
std::uint64_t find_run(const hurray_scalar_dequantizer& d, std::uint64_t count) {
  if (d.tensor->layout_tag != kRowMajor) return 0;
  const unsigned bits = d.element->bits;
  std::uint64_t run = 0;
  if (d.scheme == kPerTensorAffine) return count;
  if (d.scheme == kPerChannelAffine) run = d.inner;
  if (d.scheme == kPerBlockAffine && d.inner == 1 && begins_at_bytes(d.axis_elements, bits)) {
    run = d.tensor->quantization.block_size;
  }
  return run >= kShortestRun && begins_at_bytes(run, bits) ? run : 0;
}

}  // namespace

hurray_status dequantize_tensor(const Kernels* kernels, std::uint32_t mode,
                                const hurray_tensor* tensor, const hurray_tensor_buffers* buffers,
                                float* out, std::size_t count) {
  hurray_scalar_dequantizer d;
  const hurray_status status = hurray_scalar_prepare_values(mode, tensor, buffers, count, &d);
  if (status != HURRAY_OK || count == 0) return status;
  if (out == nullptr) return HURRAY_REJECTED;

  const hurray_scalar_type* const type = hurray_scalar_find_type(tensor->type_tag);
  const std::uint64_t run = kernels && type ? find_run(d, count) : 0;
  if (run == 0) {
    for (std::size_t n = 0; n < count; ++n) out[n] = hurray_scalar_value_at(&d, n);
    return HURRAY_OK;
  }
  const Dequantize kernel = kernels->dequantize[type_index(tensor->type_tag)];
  const Store store = run >= kShortestStreamed ? store_for(count) : Store::kCached;
  const std::uint8_t* const data = d.data + tensor->byte_offset;
  for (std::size_t n = 0; n < count;) {
    // The last block of a row may be shorter.   [HQ-PBA-020]
    const std::uint64_t to_end =
        d.scheme == kPerBlockAffine ? d.axis_elements - n % d.axis_elements : run;
    const auto length = static_cast<std::size_t>(std::min({run, to_end, std::uint64_t{count - n}}));
    const std::uint64_t parameters = hurray_scalar_find_parameters(&d, n);
    const std::int32_t zero_point = hurray_scalar_zero_point_at(&d, parameters);
    if (zero_point >= type->min && zero_point <= type->max) {
      kernel(hurray_scalar_scale_at(&d, parameters), zero_point,
             data + n / 8 * type->bits + n % 8 * type->bits / 8, out + n, length, store);
    } else {  // legal in a per-block tensor   [A24]
      for (std::size_t i = n; i < n + length; ++i) out[i] = hurray_scalar_value_at(&d, i);
    }
    n += length;
  }
  return HURRAY_OK;
}

}  // namespace hurray::simd
