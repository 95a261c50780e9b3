// SPDX-License-Identifier: Apache-2.0
//
// The vector kernels behind the table of hurray_target.h: a table for each instruction set, and one
// that takes the best that the machine has. Codecs, element types and the schemes without kernels
// are those of the scalar target; the firmware contract is not claimed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scalar/scalar.h"
#include "simd/simd.h"
#include "simd/simd_cpu.h"
#include "simd/simd_tensor.h"

namespace hurray::simd {

#define HURRAY_SIMD_ROW(set) extern const Kernels kernels_##set;
HURRAY_SIMD_SETS
#undef HURRAY_SIMD_ROW

namespace {

static_assert(kTypes == HURRAY_SCALAR_TYPES);

// HURRAY_OK if there is something to compute. As plain C refuses it, but for the search for the
// type: a call may be about few elements.
inline hurray_status judge(std::size_t type, float scale, std::int32_t zero_point, const void* from,
                           const void* to, std::size_t count) {
  if (type == kTypes) return HURRAY_UNSUPPORTED;
  const bool is_valid =
      hurray_scalar_parameters_valid(&hurray_scalar_types[type], scale, zero_point) &&
      (count == 0 || (from != nullptr && to != nullptr));
  return is_valid ? HURRAY_OK : HURRAY_REJECTED;
}

// Kernels of the set, or of the best set: a function, since the latter is not known to the
// compiler.
template <const Kernels* kKernels>
struct Of {
  static const Kernels* kernels() { return kKernels; }
};

struct OfBest {
  static const Kernels* kernels() {
    static const InstructionSet* const best = best_here();
    return best ? best->kernels : nullptr;
  }
};

template <class Source>
struct Functions {
  static hurray_status dequantize(std::uint8_t type_tag, float scale, std::int32_t zero_point,
                                  const void* q, float* out, std::size_t count) {
    const Kernels* const kernels = Source::kernels();
    if (!kernels) return hurray_scalar_dequantize(type_tag, scale, zero_point, q, out, count);
    const std::size_t type = type_index(type_tag);
    const hurray_status status = judge(type, scale, zero_point, q, out, count);
    if (status != HURRAY_OK || count == 0) return status;
    kernels->dequantize[type](scale, zero_point, static_cast<const std::uint8_t*>(q), out, count,
                              store_for(count));
    return HURRAY_OK;
  }

  static hurray_status quantize(std::uint8_t type_tag, float scale, std::int32_t zero_point,
                                const float* in, void* q, std::size_t count) {
    const Kernels* const kernels = Source::kernels();
    if (!kernels) return hurray_scalar_quantize(type_tag, scale, zero_point, in, q, count);
    const std::size_t type = type_index(type_tag);
    const hurray_status status = judge(type, scale, zero_point, in, q, count);
    if (status != HURRAY_OK || count == 0) return status;
    kernels->quantize[type](scale, zero_point, in, static_cast<std::uint8_t*>(q), count,
                            Quotient::kReciprocal, store_for(count));
    return HURRAY_OK;
  }

  static hurray_status dequantize_tensor(std::uint32_t mode, const hurray_tensor* tensor,
                                         const hurray_tensor_buffers* buffers, float* out,
                                         std::size_t count) {
    return simd::dequantize_tensor(Source::kernels(), mode, tensor, buffers, out, count);
  }
};

template <class Source>
constexpr struct hurray_target table(const char* name) {
  struct hurray_target target = {HURRAY_SCALAR_MEMBERS};
  target.name = name;
  target.contracts = HURRAY_CONTRACT_HURRAY;
  target.ra8 = nullptr;
  target.dequantize = Functions<Source>::dequantize;
  target.quantize = Functions<Source>::quantize;
  target.dequantize_tensor = Functions<Source>::dequantize_tensor;
  return target;
}

}  // namespace

// For the registry of built-in targets.
#define HURRAY_SIMD_ROW(set)                                           \
  extern "C" constexpr struct hurray_target hurray_target_simd_##set = \
      table<Of<&kernels_##set>>("simd-" #set);                         \
  extern "C" int hurray_simd_has_##set(void) {                         \
    return is_here({#set, &kernels_##set, &hurray_target_simd_##set}); \
  }
HURRAY_SIMD_SETS
#undef HURRAY_SIMD_ROW

namespace {
#define HURRAY_SIMD_ROW(set) InstructionSet{#set, &kernels_##set, &hurray_target_simd_##set},
constexpr std::array kSets = {HURRAY_SIMD_SETS};
#undef HURRAY_SIMD_ROW
}  // namespace

std::span<const InstructionSet> instruction_sets() { return kSets; }

bool is_here(const InstructionSet& set) {
  return set.kernels->dequantize != nullptr && machine_has(set.name);
}

const InstructionSet* best_here() {
  for (std::size_t i = kSets.size(); i-- > 0;) {
    if (is_here(kSets[i])) return &kSets[i];
  }
  return nullptr;
}

}  // namespace hurray::simd

extern "C" constexpr struct hurray_target HURRAY_TARGET_SYMBOL =
    hurray::simd::table<hurray::simd::OfBest>("simd");
