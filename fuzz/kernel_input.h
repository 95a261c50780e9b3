// SPDX-License-Identifier: Apache-2.0
//
// How do bytes become a call of a kernel? Any bytes become valid parameters: a scale that is a
// number and not zero, and a zero point inside the type, unless the settings ask for them as they
// are.
//
//   offset  0     1         2       6            10
//   field   type  settings  scale   zero point   packed codes, or reals
//
//   type      index into kStorageTypes, modulo 10
//   settings  bit 0     the firmware's functions instead, where the type is int8 or uint8
//             bits 1-2  3: parameters as they are, for quantizers alone
//             bit 3     NaNs among the reals stay
//             bits 4-5  bytes between the packed codes and the page that cannot be touched;
//                       3: inputs begin behind such a page instead
//             bits 6-7  elements fewer than the bytes hold, where several share one

#ifndef HURRAY_FUZZ_KERNEL_INPUT_H
#define HURRAY_FUZZ_KERNEL_INPUT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "conformance/runner/case.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "hurray_target.h"
#include "reference/element_type.h"

namespace hurray::fuzz {

using conformance::Contract;

inline constexpr std::size_t kKernelTypeAt = 0;
inline constexpr std::size_t kKernelSettingsAt = 1;
inline constexpr std::size_t kKernelScaleAt = 2;
inline constexpr std::size_t kKernelZeroPointAt = 6;
inline constexpr std::size_t kKernelDataAt = 10;
inline constexpr std::size_t kMostKernelData = 4096;
inline constexpr std::size_t kMostKernelElements = 4 * kMostKernelData;

inline constexpr std::uint8_t kFirmware = 1;
inline constexpr std::uint8_t kAsTheyAre = 3 << 1;
inline constexpr std::uint8_t kKeepsNans = 1 << 3;

struct KernelInput {
  const StorageTypeInfo* type;
  Contract contract;
  float scale;
  std::int32_t zero_point;
  bool is_raw;  // parameters as they are
  bool keeps_nans;
  std::size_t distance;  // of packed codes from the page
  std::size_t fewer;     // elements
  std::span<const std::uint8_t> data;

  std::size_t bytes_of(std::size_t count) const { return (count * type->bits + 7) / 8; }
  // Elements in `data`, if it is packed codes.
  std::size_t codes() const;
};

// Which parameters are meant. `may_be_raw`: for a quantizer.
std::optional<KernelInput> kernel_input(Input input, bool may_be_raw);

// The reals of `input` in memory that ends where it must not be read; NaNs become other numbers
// unless they stay.
std::span<const float> reals_of(const KernelInput& input, Guarded& memory);

// Whether the target claims the kernel.
bool dequantizes(const struct hurray_target& target, const KernelInput& input);
bool quantizes(const struct hurray_target& target, const KernelInput& input);

// The calls of both contracts. Whether dequantizing succeeded.
bool dequantize(const struct hurray_target& target, const KernelInput& input, const std::uint8_t* q,
                float* out, std::size_t count);
// Of a quantizer; kOtherCode: neither success nor invalid_arg, firmware alone.
enum class QuantizeResult { kDone, kRefused, kOtherCode };
QuantizeResult quantize(const struct hurray_target& target, const KernelInput& input,
                        const float* in, std::uint8_t* q, std::size_t count);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_KERNEL_INPUT_H
