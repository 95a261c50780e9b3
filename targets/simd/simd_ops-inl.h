// SPDX-License-Identifier: Apache-2.0
//
// What do the kernels need that Highway has not, or not without a detour? Conversion of numbers
// that are known to be in range, narrowing with saturation in order, and loops that end exactly.
// Compiled once for each instruction set.

#if defined(HURRAY_SIMD_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HURRAY_SIMD_OPS_INL_H
#undef HURRAY_SIMD_OPS_INL_H
#else
#define HURRAY_SIMD_OPS_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hurray::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What is wrong on purpose in the programs of targets/faults/separate, and nowhere else: each of
// them breaks one instruction set.
enum class Fault : std::uint8_t {
  kNone,
  kTail,             // what is behind the last whole group is not computed
  kHalvesUp,         // halves are rounded up, which is toward zero for negative ones
  kBlocks,           // codes stay in the order in which narrowing by blocks leaves them
  kUncut,            // quotients are not cut, so that large ones overflow: on x86 into the least
                     // integer, elsewhere infinities into no number
  kShortReciprocal,  // the reciprocal is one number, not the sum of two
  kFolded,           // scale * q - scale * zero_point
};
#ifndef HURRAY_SIMD_FAULT
#define HURRAY_SIMD_FAULT kNone
#endif
inline constexpr Fault kFault = Fault::HURRAY_SIMD_FAULT;
#if !HWY_ARCH_X86 || HWY_MAX_BYTES < 32
static_assert(kFault != Fault::kBlocks, "vectors of this set have no blocks to narrow by");
#endif

// One vector of each kind has N lanes, but for bytes, whose full vector has 4 N.
using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DI16 = hn::Repartition<std::int16_t, DF>;
using DU8 = hn::Repartition<std::uint8_t, DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using VI16 = hn::Vec<DI16>;
using VU8 = hn::Vec<DU8>;

inline constexpr std::size_t kMostLanes = HWY_MAX_BYTES / sizeof(float);

// Toward zero. On x86 everything that int32 does not hold, NaN included, becomes INT32_MIN; Highway
// would repair that at the price of two instructions. Elsewhere there must be no such thing.
HWY_INLINE VI truncate_in_range(VF v) {
#if HWY_ARCH_X86 && HWY_MAX_BYTES == 64
  return VI{_mm512_cvttps_epi32(v.raw)};
#elif HWY_ARCH_X86 && HWY_MAX_BYTES == 32
  return VI{_mm256_cvttps_epi32(v.raw)};
#elif HWY_ARCH_X86
  return VI{_mm_cvttps_epi32(v.raw)};
#else
  return hn::ConvertTo(DI(), v);
#endif
}

// Cuts quotients on both sides, at more than any code and zero point need, so that what follows
// neither overflows nor wraps. NaN goes to the lower end: it quantizes to the least code of a type,
// the same everywhere.   [R01]
HWY_INLINE VF cut(VF v, float limit) {
  const VF lower = hn::Set(DF(), -limit);
#if !HWY_ARCH_X86
  v = hn::IfThenElse(hn::Eq(v, v), v, lower);
#endif
  // x86 takes the second operand of a maximum if one is NaN.
  return hn::Min(hn::Max(v, lower), hn::Set(DF(), limit));
}

// The same where the lower side can be left to truncate_in_range and to saturation.
HWY_INLINE VF cut_above(VF v, float limit) {
  if constexpr (kFault == Fault::kUncut) return v;
#if HWY_ARCH_X86
  return hn::Min(hn::Set(DF(), limit), v);  // NaN stays, as the second operand
#else
  return cut(v, limit);
#endif
}

// Two vectors as one with half the width, saturated. x86 does it within each block of 128 bits:
// whoever narrows once more puts the blocks into order then.
HWY_INLINE VI16 narrow_blocks(VI a, VI b) {
#if HWY_ARCH_X86
  return hn::ReorderDemote2To(DI16(), a, b);
#else
  const hn::Half<DI16> dh;
  return hn::Combine(DI16(), hn::DemoteTo(dh, b), hn::DemoteTo(dh, a));
#endif
}

// Two results of narrow_blocks as bytes of a signed or unsigned type, saturated, in the order of
// the four vectors that they come from.
template <typename T>
HWY_INLINE VU8 narrow_in_order(VI16 a, VI16 b) {
  [[maybe_unused]] constexpr bool kInOrder = kFault != Fault::kBlocks;
#if HWY_ARCH_X86 && HWY_MAX_BYTES == 64
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i packed =
      std::is_signed_v<T> ? _mm512_packs_epi16(a.raw, b.raw) : _mm512_packus_epi16(a.raw, b.raw);
  return VU8{kInOrder ? _mm512_permutexvar_epi32(order, packed) : packed};
#elif HWY_ARCH_X86 && HWY_MAX_BYTES == 32
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i packed =
      std::is_signed_v<T> ? _mm256_packs_epi16(a.raw, b.raw) : _mm256_packus_epi16(a.raw, b.raw);
  return VU8{kInOrder ? _mm256_permutevar8x32_epi32(packed, order) : packed};
#elif HWY_ARCH_X86
  return VU8{std::is_signed_v<T> ? _mm_packs_epi16(a.raw, b.raw) : _mm_packus_epi16(a.raw, b.raw)};
#else
  const hn::Repartition<T, DF> dt;
  const hn::Half<decltype(dt)> dh;
  return hn::BitCast(DU8(), hn::Combine(dt, hn::DemoteTo(dh, b), hn::DemoteTo(dh, a)));
#endif
}

// t / 2, ties away from zero, for |t| < 2^14: half of a non-negative number rounded up, half of a
// negative one rounded down. MulFixedPoint15 gives floor((t m + 2^14) / 2^15), and the multiplier
// is one more than would be a half: m = 2^14 + 1. For t = 2k that is k + floor((2k + 2^14) / 2^15)
// = k. For t = 2k + 1 it is k + floor((2^15 + t) / 2^15), which is k + 1 for t > 0, and k for t <
// 0, where it is the number farther from zero. Beyond 2^14 the result is 1 too large in magnitude,
// at a size that no zero point brings back into the range of 8 bits.
HWY_INLINE VI16 half_away(VI16 t) {
  constexpr std::int16_t kMultiplier = kFault == Fault::kHalvesUp ? 0x4000 : 0x4001;
  return hn::MulFixedPoint15(t, hn::Set(DI16(), kMultiplier));
}

// Where element i begins, i a multiple of the elements of a byte. Not i * kBits / 8, which the
// compiler has to mask: the product might overflow.
template <int kBits>
HWY_INLINE std::size_t byte_of(std::size_t i) {
  if constexpr (kBits < 8) return i / (8 / kBits);
  return i * (kBits / 8);
}

// Calls group(first) so that groups of `size` elements cover 0 to `count`, which must be at least
// `size`. The last one reaches back over elements that were done already, and does them again: that
// costs less than a loop over single elements, and touches nothing behind the end.
// kAtOnce groups are written out in the body of the loop, for those that are short beside its own
// cost.
template <std::size_t kAtOnce, class Group>
HWY_INLINE void for_groups(std::size_t count, std::size_t size, const Group& group) {
  static_assert(kAtOnce == 1 || kAtOnce == 2);
  std::size_t i = 0;
  if constexpr (kAtOnce == 2) {
    for (; i + 2 * size <= count; i += 2 * size) {
      group(i);
      group(i + size);
    }
  }
  for (; i + size <= count; i += size) group(i);
  if (i != count) group(kFault == Fault::kTail ? i - size : count - size);
}

}  // namespace hurray::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
