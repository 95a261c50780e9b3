// SPDX-License-Identifier: Apache-2.0
//
// Reals to codes: saturate(round(x / scale) + zero_point), ties away from zero, for all affine
// storage types. The quotient is the binary32 one, the sum exact [RA8-Q-001..008, HC-QNT-001..012].
// The README argues for the two tricks: the quotient as a product, and rounding after packing.
// Compiled once for each instruction set.

#if defined(HURRAY_SIMD_QUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HURRAY_SIMD_QUANTIZE_INL_H
#undef HURRAY_SIMD_QUANTIZE_INL_H
#else
#define HURRAY_SIMD_QUANTIZE_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <hwy/cache_control.h>

#include "simd/simd.h"
#include "simd/simd_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hurray::simd::HWY_NAMESPACE {

// --- Types of up to 8 bits: twice the quotient, as an integer, has all that rounding needs to know

// Twice x / s, cut above where no type of up to 8 bits can tell.
struct DoubledByDivision {
  float scale;
  HWY_INLINE VF operator()(const float* x) const {
    const VF quotient = hn::Div(hn::LoadU(DF(), x), hn::Set(DF(), scale));
    return cut_above(hn::Add(quotient, quotient), 4096.0f);
  }
};

#if HWY_NATIVE_FMA
inline constexpr bool kHasReciprocal = true;
// The same without dividing, by the reciprocal as the sum of two numbers, high + low. Not the same
// binary32, but the same side of every k + 1/2, which is all that is looked at. The argument, in
// the README, needs a scale of moderate size and a cut before the product.
struct DoubledByProduct {
  float limit;  // 1024 s
  float high;   // 2 RN(1/s)
  float low;    // 2 RN(1/s - RN(1/s))
  static HWY_INLINE DoubledByProduct of(float scale) {
    const float high = 1.0f / scale;
    // The rest of 1 is exact in binary64: the product of two numbers of 24 bits, close to 1.
    const double rest = 1.0 - static_cast<double>(high) * static_cast<double>(scale);
    const float low = static_cast<float>(rest / static_cast<double>(scale));
    return {1024.0f * scale, 2.0f * high, kFault == Fault::kShortReciprocal ? 0.0f : 2.0f * low};
  }
  HWY_INLINE VF operator()(const float* x) const {
    const VF v = cut_above(hn::LoadU(DF(), x), limit);
    return hn::MulAdd(v, hn::Set(DF(), high), hn::Mul(v, hn::Set(DF(), low)));
  }
};
#else
inline constexpr bool kHasReciprocal = false;
#endif
static_assert(kFault != Fault::kShortReciprocal || kHasReciprocal, "nothing to break in this set");

// Codes of T, at least kMin and at most kMax, of 4 N values.
template <typename T, int kMin, int kMax, class Doubled>
HWY_INLINE VU8 quantize_bytes(const Doubled& doubled, std::int32_t zero_point, const float* in) {
  const std::size_t n = hn::Lanes(DF());
  const VI t0 = truncate_in_range(doubled(in));
  const VI t1 = truncate_in_range(doubled(in + n));
  const VI t2 = truncate_in_range(doubled(in + 2 * n));
  const VI t3 = truncate_in_range(doubled(in + 3 * n));
  const VI16 zero_points = hn::Set(DI16(), static_cast<std::int16_t>(zero_point));
  VI16 low = hn::SaturatedAdd(half_away(narrow_blocks(t0, t1)), zero_points);
  VI16 high = hn::SaturatedAdd(half_away(narrow_blocks(t2, t3)), zero_points);
  if constexpr (kMin != std::numeric_limits<T>::min() || kMax != std::numeric_limits<T>::max()) {
    const VI16 least = hn::Set(DI16(), kMin), most = hn::Set(DI16(), kMax);
    low = hn::Min(hn::Max(low, least), most);
    high = hn::Min(hn::Max(high, least), most);
  }
  return narrow_in_order<T>(low, high);
}

// --- How codes lie in memory. Each kind takes the codes of one group, 4 N elements, as bytes.

template <typename T>
struct WholeBytes {
  static constexpr int kBits = 8;
  static constexpr int kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  using Code = T;
  static HWY_INLINE void put(VU8 codes, std::uint8_t* q) { hn::StoreU(codes, DU8(), q); }
  // Past the caches: at an aligned place.
  static HWY_INLINE void put_streamed(VU8 codes, std::uint8_t* q) { hn::Stream(codes, DU8(), q); }
};

// The way back from Packed of simd_dequantize-inl.h: the low ends of the bytes of a word move
// together into its lowest byte, and words become bytes.
template <int bits, bool kSigned>
struct PackedBytes {
  static constexpr int kBits = bits;
  static constexpr int kMin = kSigned ? -(1 << (kBits - 1)) : 0, kMax = kMin + (1 << kBits) - 1;
  using Code = std::conditional_t<kSigned, std::int8_t, std::uint8_t>;
  static HWY_INLINE void put(VU8 codes, std::uint8_t* q) {
    const VU8 fields = hn::And(codes, hn::Set(DU8(), (1 << kBits) - 1));
    if constexpr (kBits == 4) {
      const hn::Repartition<std::uint16_t, DF> d16;
      const auto word = hn::BitCast(d16, fields);
      const auto both = hn::And(hn::Or(word, hn::ShiftRight<4>(word)), hn::Set(d16, 0xff));
      const hn::Half<DU8> dq;
      hn::StoreU(hn::DemoteTo(dq, hn::BitCast(DI16(), both)), dq, q);
    } else {
      const hn::RebindToUnsigned<DF> d32;
      const auto word = hn::BitCast(d32, fields);
      const auto pairs = hn::And(hn::Or(word, hn::ShiftRight<6>(word)), hn::Set(d32, 0x000f000f));
      const auto all = hn::And(hn::Or(pairs, hn::ShiftRight<12>(pairs)), hn::Set(d32, 0xff));
      const hn::Rebind<std::uint8_t, DF> dq;
      hn::StoreU(hn::DemoteTo(dq, hn::BitCast(DI(), all)), dq, q);
    }
  }
};

template <class Kind, class Doubled>
struct QuantizeGroup {
  Doubled doubled;
  std::int32_t zero_point;
  const float* in;
  std::uint8_t* q;
  HWY_INLINE VU8 codes(std::size_t i) const {
    return quantize_bytes<typename Kind::Code, Kind::kMin, Kind::kMax>(doubled, zero_point, in + i);
  }
  HWY_INLINE void operator()(std::size_t i) const {
    Kind::put(codes(i), q + byte_of<Kind::kBits>(i));
  }
};

// For inputs that come from memory: far ahead of the reader, and whole bytes past the caches.
template <class Kind, class Doubled>
struct StreamedQuantizeGroup {
  static constexpr std::size_t kDistance = 512;  // elements
  QuantizeGroup<Kind, Doubled> group;
  HWY_INLINE void operator()(std::size_t i) const {
    const float* const ahead = group.in + i + kDistance;
    for (std::size_t line = 0; line < 4 * hn::Lanes(DF()); line += 16) hwy::Prefetch(ahead + line);
    if constexpr (Kind::kBits == 8) {
      Kind::put_streamed(group.codes(i), group.q + i);
    } else {
      group(i);
    }
  }
};

// Fewer than one group: by way of buffers, so that nothing outside is touched.
template <class Kind, class Doubled>
HWY_NOINLINE void quantize_few(const Doubled& doubled, std::int32_t zero_point, const float* in,
                               std::uint8_t* q, std::size_t count) {
  HWY_ALIGN float values[4 * kMostLanes] = {};
  HWY_ALIGN std::uint8_t codes[4 * kMostLanes];
  std::memcpy(values, in, count * sizeof(float));
  QuantizeGroup<Kind, Doubled>{doubled, zero_point, values, codes}(0);
  const std::size_t bytes = (count * Kind::kBits + 7) / 8;
  // Bits that no element has are zero.   [HQ-PACK-006, -009]
  if (const std::size_t used = count * Kind::kBits % 8; used != 0) {
    codes[bytes - 1] = static_cast<std::uint8_t>(codes[bytes - 1] & ((1u << used) - 1));
  }
  std::memcpy(q, codes, bytes);
}

template <class Kind, class Doubled>
HWY_INLINE void quantize_cached(const Doubled& doubled, std::int32_t zero_point, const float* in,
                                std::uint8_t* q, std::size_t count) {
  const std::size_t size = 4 * hn::Lanes(DF());
  constexpr std::size_t kPerByte = 8 / Kind::kBits;
  const std::size_t whole = count < size ? 0 : count / kPerByte * kPerByte;
  if (whole != 0) {
    for_groups<2>(whole, size, QuantizeGroup<Kind, Doubled>{doubled, zero_point, in, q});
  }
  if (whole != count) {
    quantize_few<Kind>(doubled, zero_point, in + whole, q + byte_of<Kind::kBits>(whole),
                       count - whole);
  }
}

// Elements before the first aligned place of `q` and behind the last whole group go the usual way.
template <class Kind, class Doubled>
HWY_NOINLINE void quantize_streamed(const Doubled& doubled, std::int32_t zero_point,
                                    const float* in, std::uint8_t* q, std::size_t count) {
  const std::size_t size = 4 * hn::Lanes(DF());
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(q) % size;
  const std::size_t head = Kind::kBits < 8 || misplaced == 0 ? 0 : size - misplaced;
  if (count < head + size) {
    quantize_cached<Kind>(doubled, zero_point, in, q, count);
    return;
  }
  quantize_cached<Kind>(doubled, zero_point, in, q, head);
  const std::size_t streamed = (count - head) / size * size;
  for_groups<1>(streamed, size,
                StreamedQuantizeGroup<Kind, Doubled>{
                    {doubled, zero_point, in + head, q + byte_of<Kind::kBits>(head)}});
  hwy::FlushStream();  // before anything that tells other threads that the codes are there
  const std::size_t done = head + streamed;
  quantize_cached<Kind>(doubled, zero_point, in + done, q + byte_of<Kind::kBits>(done),
                        count - done);
}

template <class Kind, class Doubled>
HWY_INLINE void quantize_by(const Doubled& doubled, std::int32_t zero_point, const float* in,
                            std::uint8_t* q, std::size_t count, Store store) {
  if (store == Store::kStreamed) {
    quantize_streamed<Kind>(doubled, zero_point, in, q, count);
  } else {
    quantize_cached<Kind>(doubled, zero_point, in, q, count);
  }
}

template <class Kind>
void quantize(float scale, std::int32_t zero_point, const float* in, std::uint8_t* q,
              std::size_t count, Quotient quotient, Store store) {
#if HWY_NATIVE_FMA
  if (quotient == Quotient::kReciprocal && reciprocal_is_exact(scale)) {
    quantize_by<Kind>(DoubledByProduct::of(scale), zero_point, in, q, count, store);
    return;
  }
#endif
  static_cast<void>(quotient);
  quantize_by<Kind>(DoubledByDivision{scale}, zero_point, in, q, count, store);
}

// --- Wider types: always by division

// 16 bits. Rounded in binary32: adding the largest number below 1/2 and truncating is right for all
// quotients below 2^23, as a sum that reaches the next integer is one that was k + 1/2 at least.
// The cut leaves room for any zero point.
template <typename T>
HWY_INLINE void quantize_vector(float scale, std::int32_t zero_point, const float* in, T* q) {
  const VF quotient = cut(hn::Div(hn::LoadU(DF(), in), hn::Set(DF(), scale)), 0x1p18f);
  const VF half = hn::CopySign(hn::Set(DF(), 0x1.fffffep-2f), quotient);
  const VI rounded = truncate_in_range(hn::Add(quotient, half));
  const VI sum = hn::Add(rounded, hn::Set(DI(), zero_point));
  const hn::Rebind<T, DF> dq;
  hn::StoreU(hn::DemoteTo(dq, sum), dq, q);
}

#if HWY_HAVE_FLOAT64
// 32 bits. All of it in binary64: with a quotient of 24 bits that is cut at 2^40, neither adding
// 1/2 nor adding the zero point rounds, and every code is a binary64. uint32 is stored from 2^31
// less. [RA8-Q-004, -005, -008, R08]
template <typename T, class D, class V>
HWY_INLINE auto round_wide(D d, V quotient, std::int32_t zero_point) {
  constexpr double kShift = std::is_unsigned_v<T> ? 0x1p31 : 0.0;
  const auto half = hn::CopySign(hn::Set(d, 0.5), quotient);
  const auto sum = hn::Add(hn::Trunc(hn::Add(quotient, half)), hn::Set(d, zero_point - kShift));
  const auto code = hn::Min(hn::Max(sum, hn::Set(d, -0x1p31)), hn::Set(d, 0x1p31 - 1));
  return hn::DemoteTo(hn::Rebind<std::int32_t, D>(), code);
}

template <typename T>
HWY_INLINE void quantize_wide_vector(float scale, std::int32_t zero_point, const float* in, T* q) {
  const hn::Repartition<double, DF> dd;
  const hn::Half<DF> dh;
  const VF quotient = cut(hn::Div(hn::LoadU(DF(), in), hn::Set(DF(), scale)), 0x1p40f);
  const auto low = round_wide<T>(dd, hn::PromoteTo(dd, hn::LowerHalf(dh, quotient)), zero_point);
  const auto high = round_wide<T>(dd, hn::PromoteTo(dd, hn::UpperHalf(dh, quotient)), zero_point);
  VI code = hn::Combine(DI(), high, low);
  if (std::is_unsigned_v<T>) code = hn::Xor(code, hn::Set(DI(), INT32_MIN));
  hn::StoreU(code, DI(), reinterpret_cast<std::int32_t*>(q));
}
template <>
HWY_INLINE void quantize_vector(float scale, std::int32_t zero_point, const float* in,
                                std::int32_t* q) {
  quantize_wide_vector(scale, zero_point, in, q);
}
template <>
HWY_INLINE void quantize_vector(float scale, std::int32_t zero_point, const float* in,
                                std::uint32_t* q) {
  quantize_wide_vector(scale, zero_point, in, q);
}
#endif

template <typename T>
struct QuantizeVector {
  float scale;
  std::int32_t zero_point;
  const float* in;
  T* q;
  HWY_INLINE void operator()(std::size_t i) const {
    quantize_vector(scale, zero_point, in + i, q + i);
  }
};

template <typename T>
void quantize_by_vector(float scale, std::int32_t zero_point, const float* in, std::uint8_t* q,
                        std::size_t count, Quotient /*quotient*/, Store /*store*/) {
  const std::size_t n = hn::Lanes(DF());
  if (count >= n) {
    for_groups<1>(count, n, QuantizeVector<T>{scale, zero_point, in, reinterpret_cast<T*>(q)});
  } else if (count != 0) {
    HWY_ALIGN float values[kMostLanes] = {};
    HWY_ALIGN T codes[kMostLanes];
    std::memcpy(values, in, count * sizeof(float));
    quantize_vector(scale, zero_point, values, codes);
    std::memcpy(q, codes, count * sizeof(T));
  }
}

inline constexpr Quantize kQuantize[kTypes] = {
    quantize<WholeBytes<std::int8_t>>, quantize<WholeBytes<std::uint8_t>>,
    quantize_by_vector<std::int16_t>,  quantize_by_vector<std::uint16_t>,
    quantize_by_vector<std::int32_t>,  quantize_by_vector<std::uint32_t>,
    quantize<PackedBytes<4, true>>,    quantize<PackedBytes<4, false>>,
    quantize<PackedBytes<2, true>>,    quantize<PackedBytes<2, false>>,
};

}  // namespace hurray::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
