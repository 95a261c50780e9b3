// SPDX-License-Identifier: Apache-2.0
//
// Codes to reals: scale * float(q - zero_point), for all affine storage types.
// The difference is exact, it is rounded once to binary32, and the product once more
// [HQ-PTA-018..021; A01, A02]. 32-bit types go through binary64, which holds every difference of 33
// bits, so that the way to binary32 is the one rounding. Types below a byte are spread over bytes
// in a small buffer and go on as bytes.
// Compiled once for each instruction set.

#if defined(HURRAY_SIMD_DEQUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HURRAY_SIMD_DEQUANTIZE_INL_H
#undef HURRAY_SIMD_DEQUANTIZE_INL_H
#else
#define HURRAY_SIMD_DEQUANTIZE_INL_H
#endif

#include <algorithm>
#include <type_traits>

#include <hwy/cache_control.h>

#include "simd/simd.h"
#include "simd/simd_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hurray::simd::HWY_NAMESPACE {

struct Affine {
  float scale;
  std::int32_t zero_point;
};

// One vector of codes of up to 16 bits: no difference has more than 17.
template <typename T>
HWY_INLINE VF dequantize_vector(Affine by, const T* q) {
  const hn::Rebind<T, DF> d;
  const VI code = hn::PromoteTo(DI(), hn::LoadU(d, q));
  const VI difference = hn::Sub(code, hn::Set(DI(), by.zero_point));
  return hn::Mul(hn::Set(DF(), by.scale), hn::ConvertTo(DF(), difference));
}

#if HWY_HAVE_FLOAT64
// Codes of 32 bits. Those of uint32 become int32 by their highest bit, that is 2^31 less; so does
// the zero point.
template <typename T>
HWY_INLINE VF dequantize_wide_vector(Affine by, const T* q) {
  using DD = hn::Repartition<double, DF>;
  const DD dd;
  const hn::Half<DF> dhf;
  const hn::Half<DI> dhi;
  constexpr bool kUnsigned = std::is_unsigned_v<T>;
  const auto zero_point = hn::Set(dd, by.zero_point - (kUnsigned ? 0x1p31 : 0.0));
  VI code = hn::LoadU(DI(), reinterpret_cast<const std::int32_t*>(q));
  if (kUnsigned) code = hn::Xor(code, hn::Set(DI(), INT32_MIN));
  const auto low = hn::Sub(hn::PromoteTo(dd, hn::LowerHalf(dhi, code)), zero_point);
  const auto high = hn::Sub(hn::PromoteTo(dd, hn::UpperHalf(dhi, code)), zero_point);
  const VF difference = hn::Combine(DF(), hn::DemoteTo(dhf, high), hn::DemoteTo(dhf, low));
  return hn::Mul(hn::Set(DF(), by.scale), difference);
}
template <>
HWY_INLINE VF dequantize_vector(Affine by, const std::int32_t* q) {
  return dequantize_wide_vector(by, q);
}
template <>
HWY_INLINE VF dequantize_vector(Affine by, const std::uint32_t* q) {
  return dequantize_wide_vector(by, q);
}
#endif

template <Store kStore>
HWY_INLINE void store(VF v, float* out) {
  if (kStore == Store::kStreamed) {
    hn::Stream(v, DF(), out);
  } else {
    hn::StoreU(v, DF(), out);
  }
}

// Four vectors.
template <typename T, Store kStore>
HWY_INLINE void dequantize_group(Affine by, const T* q, float* out) {
  const std::size_t n = hn::Lanes(DF());
  const VF v0 = dequantize_vector(by, q);
  const VF v1 = dequantize_vector(by, q + n);
  const VF v2 = dequantize_vector(by, q + 2 * n);
  const VF v3 = dequantize_vector(by, q + 3 * n);
  store<kStore>(v0, out);
  store<kStore>(v1, out + n);
  store<kStore>(v2, out + 2 * n);
  store<kStore>(v3, out + 3 * n);
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
// Bytes, folding the zero point into floating point: no integer subtraction and no conversion.
// 4b0000uu is the bit pattern of 2^23 + uu, so one byte permute into the lowest byte of each such
// word makes 16 codes binary32. Subtracting 2^23 + z is exact, and so is what is subtracted: both
// are integers between 2^23 and 2^24, and their difference has at most 9 bits. A difference of 0 is
// +0, as the conversion of an integer 0 is. Signed codes go in with their highest bit flipped, that
// is 128 more, and so does their zero point. What is left is finite: codes times zero points, all
// of which simd_test compares.
template <typename T, Store kStore>
HWY_INLINE void dequantize_bytes(Affine by, const T* q, float* out) {
  constexpr std::int32_t kFlip = std::is_signed_v<T> ? 128 : 0;
  const __m512i magic = _mm512_set1_epi32(0x4b000000);
  const __m512i flip = _mm512_set1_epi8(static_cast<char>(kFlip));
  const __m512 zero_point = _mm512_set1_ps(0x1p23f + static_cast<float>(by.zero_point + kFlip));
  const __m512 scale = _mm512_set1_ps(by.scale);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i codes = _mm512_xor_si512(_mm512_loadu_si512(q), flip);
  for (int i = 0; i < 4; ++i) {
    const __m512i from = _mm512_add_epi32(lanes, _mm512_set1_epi32(16 * i));
    const __m512i word = _mm512_mask_permutexvar_epi8(magic, 0x1111111111111111u, from, codes);
    const __m512 difference = _mm512_sub_ps(_mm512_castsi512_ps(word), zero_point);
    store<kStore>(VF{_mm512_mul_ps(scale, difference)}, out + 16 * i);
  }
}
template <>
HWY_INLINE void dequantize_group<std::int8_t, Store::kCached>(Affine by, const std::int8_t* q,
                                                              float* out) {
  dequantize_bytes<std::int8_t, Store::kCached>(by, q, out);
}
template <>
HWY_INLINE void dequantize_group<std::uint8_t, Store::kCached>(Affine by, const std::uint8_t* q,
                                                               float* out) {
  dequantize_bytes<std::uint8_t, Store::kCached>(by, q, out);
}
#endif

template <typename T>
struct DequantizeGroup {
  Affine by;
  const T* q;
  float* out;
  HWY_INLINE void operator()(std::size_t i) const {
    dequantize_group<T, Store::kCached>(by, q + i, out + i);
  }
};

template <typename T>
struct DequantizeVector {
  Affine by;
  const T* q;
  float* out;
  HWY_INLINE void operator()(std::size_t i) const {
    hn::StoreU(dequantize_vector(by, q + i), DF(), out + i);
  }
};

// Fewer than one vector: by way of buffers, so that nothing outside is touched.
template <typename T>
HWY_NOINLINE void dequantize_few(Affine by, const T* q, float* out, std::size_t count) {
  HWY_ALIGN T codes[kMostLanes] = {};
  HWY_ALIGN float values[kMostLanes];
  std::memcpy(codes, q, count * sizeof(T));
  hn::StoreU(dequantize_vector(by, codes), DF(), values);
  std::memcpy(out, values, count * sizeof(float));
}

template <typename T>
HWY_INLINE void dequantize_cached(Affine by, const T* q, float* out, std::size_t count) {
  const std::size_t n = hn::Lanes(DF());
  if (count >= 4 * n) {
    for_groups(count, 4 * n, DequantizeGroup<T>{by, q, out});
  } else if (count >= n) {
    for_groups(count, n, DequantizeVector<T>{by, q, out});
  } else if (count != 0) {
    dequantize_few(by, q, out, count);
  }
}

// Past the caches. Such stores must be whole aligned vectors: the elements before the first and
// behind the last of them are stored as usual. Who calls this ends with end_of(Store::kStreamed).
template <typename T>
HWY_NOINLINE void dequantize_streamed(Affine by, const T* q, float* out, std::size_t count) {
  const std::size_t n = hn::Lanes(DF());
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(out) / sizeof(float) % n;
  const std::size_t head = std::min(count, misplaced == 0 ? 0 : n - misplaced);
  dequantize_cached(by, q, out, head);
  std::size_t i = head;
  for (; i + 4 * n <= count; i += 4 * n) {
    dequantize_group<T, Store::kStreamed>(by, q + i, out + i);
  }
  dequantize_cached(by, q + i, out + i, count - i);
}

// Streamed results are there for other threads only after a fence, of which one per call is enough.
HWY_INLINE void end_of(Store store) {
  if (store == Store::kStreamed) hwy::FlushStream();
}

template <typename T>
HWY_INLINE void dequantize_codes(Affine by, const T* q, float* out, std::size_t count,
                                 Store store) {
  if (store == Store::kStreamed) {
    dequantize_streamed(by, q, out, count);
  } else {
    dequantize_cached(by, q, out, count);
  }
}

template <typename T>
void dequantize(float scale, std::int32_t zero_point, const std::uint8_t* q, float* out,
                std::size_t count, Store store) {
  dequantize_codes({scale, zero_point}, reinterpret_cast<const T*>(q), out, count, store);
  end_of(store);
}

// --- Types below a byte

// A quarter of a vector of bytes is one vector of words; half of it, one of 16-bit words. Each byte
// of `packed` becomes a word, in which its fields are moved to the low ends of bytes.
//   kBits 2   ......dcba         -> 000000dd 000000cc 000000bb 000000aa
//   kBits 4   ....hhhhllll       -> 0000hhhh 0000llll
template <int kBits>
HWY_INLINE VU8 spread(const std::uint8_t* packed) {
  if constexpr (kBits == 4) {
    const hn::Repartition<std::uint16_t, DF> d16;
    const auto word = hn::PromoteTo(d16, hn::LoadU(hn::Half<DU8>(), packed));
    return hn::BitCast(DU8(), hn::And(hn::Or(word, hn::ShiftLeft<4>(word)), hn::Set(d16, 0x0f0f)));
  } else {
    const hn::RebindToUnsigned<DF> d32;
    const auto word = hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, DF>(), packed));
    const auto pairs = hn::And(hn::Or(word, hn::ShiftLeft<12>(word)), hn::Set(d32, 0x000f000f));
    return hn::BitCast(DU8(),
                       hn::And(hn::Or(pairs, hn::ShiftLeft<6>(pairs)), hn::Set(d32, 0x03030303)));
  }
}

inline constexpr std::size_t kBlock = 512;                            // elements spread at a time
inline constexpr std::size_t kSpreadBuffer = kBlock + HWY_MAX_BYTES;  // and what a vector is longer

// A signed field is its bits with the highest one flipped, less 2^(kBits - 1); as that goes into
// the zero point, both kinds are bytes from 0 up.
template <int kBits, bool kSigned>
HWY_INLINE void spread_block(const std::uint8_t* packed, std::size_t bytes, std::uint8_t* fields) {
  const std::size_t each = hn::Lanes(DU8()) * kBits / 8;  // bytes of one vector of fields
  const VU8 flip = hn::Set(DU8(), kSigned ? 1 << (kBits - 1) : 0);
  std::size_t i = 0;
  for (; i + each <= bytes; i += each) {
    hn::StoreU(hn::Xor(spread<kBits>(packed + i), flip), DU8(), fields + i * (8 / kBits));
  }
  if (i != bytes) {
    HWY_ALIGN std::uint8_t rest[HWY_MAX_BYTES] = {};
    std::memcpy(rest, packed + i, bytes - i);
    hn::StoreU(hn::Xor(spread<kBits>(rest), flip), DU8(), fields + i * (8 / kBits));
  }
}

template <int kBits, bool kSigned>
void dequantize_packed(float scale, std::int32_t zero_point, const std::uint8_t* q, float* out,
                       std::size_t count, Store store) {
  HWY_ALIGN std::uint8_t fields[kSpreadBuffer];
  const Affine by = {scale, zero_point + (kSigned ? 1 << (kBits - 1) : 0)};
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t n = std::min(count - done, kBlock);
    spread_block<kBits, kSigned>(q + done * kBits / 8, (n * kBits + 7) / 8, fields);
    dequantize_codes(by, fields, out + done, n, store);
  }
  end_of(store);
}

inline constexpr Dequantize kDequantize[kTypes] = {
    dequantize<std::int8_t>,     dequantize<std::uint8_t>,    dequantize<std::int16_t>,
    dequantize<std::uint16_t>,   dequantize<std::int32_t>,    dequantize<std::uint32_t>,
    dequantize_packed<4, true>,  dequantize_packed<4, false>, dequantize_packed<2, true>,
    dequantize_packed<2, false>,
};

}  // namespace hurray::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
