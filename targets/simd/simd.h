// SPDX-License-Identifier: Apache-2.0
//
// Which vector kernels are there? One set of them for each instruction set that this build knows,
// all from the same source, each reachable by its name: nothing chooses behind a caller's back.
// What they compute is in simd_dequantize-inl.h and simd_quantize-inl.h.

#ifndef HURRAY_TARGETS_SIMD_SIMD_H
#define HURRAY_TARGETS_SIMD_SIMD_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "hurray_target.h"

namespace hurray::simd {

// The ten affine storage types, by their bit in HURRAY_TYPES_AFFINE.
inline constexpr std::size_t kTypes = 10;

// Where results go: through the caches, or past them where the caches would not hold them anyway.
// Of quantize only codes of 8 bits go past them; others are written through the caches all the
// same.
enum class Store : std::uint8_t { kCached, kStreamed };

// How a quotient is found. The reciprocal gives the same codes where reciprocal_is_exact() holds,
// and is not looked at elsewhere.
enum class Quotient : std::uint8_t { kReciprocal, kDivided };

// Arguments as in hurray_target.h, already judged: a scale that is finite and not zero, a zero
// point inside the range of the type. A count of 0 is allowed.
using Dequantize = void (*)(float scale, std::int32_t zero_point, const std::uint8_t* q, float* out,
                            std::size_t count, Store store);
using Quantize = void (*)(float scale, std::int32_t zero_point, const float* in, std::uint8_t* q,
                          std::size_t count, Quotient quotient, Store store);

// kTypes of each. NULL if the compiler of this build cannot make the instruction set.
struct Kernels {
  const Dequantize* dequantize;
  const Quantize* quantize;
  bool has_reciprocal;  // without fused multiplication both quotients are found by dividing
};

struct InstructionSet {
  const char* name;
  const Kernels* kernels;
  const struct hurray_target* target;  // the whole table, with these kernels and no others
};

// From the plainest to the best; those of the processor family that this was built for.
std::span<const InstructionSet> instruction_sets();
// Whether this machine has it and this build too. Nothing of a set that is not here may be called.
bool is_here(const InstructionSet& set);
// The best that is here, or NULL: then plain C does it all.
const InstructionSet* best_here();

// The index of the affine storage type with this tag, or kTypes.
constexpr std::size_t type_index(std::uint8_t tag) {
  const unsigned whole = tag - 0x10u, packed = tag - 0x48u;  // int8 to uint32, int4 to uint2
  return whole < 6 ? whole : packed < 4 ? 6 + packed : kTypes;
}

// Bytes of floats, written or read, from which callers had better stream: more than any cache of
// one core and a good part of one that many share. Below it streaming ruins what it was meant to
// help, since the next reader finds nothing in the caches.
inline constexpr std::size_t kBeyondCaches = std::size_t{16} << 20;

// What suits this many elements.
constexpr Store store_for(std::size_t count) {
  return count >= kBeyondCaches / sizeof(float) ? Store::kStreamed : Store::kCached;
}

// Scales for which the two-word reciprocal is proven; see simd_quantize-inl.h.
constexpr bool reciprocal_is_exact(float scale) { return scale >= 0x1p-60f && scale <= 0x1p60f; }

}  // namespace hurray::simd

#endif  // HURRAY_TARGETS_SIMD_SIMD_H
