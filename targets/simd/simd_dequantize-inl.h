// SPDX-License-Identifier: Apache-2.0
//
// Codes to reals: scale * float(q - zero_point), for all affine storage types. The difference is
// exact, it is rounded once to binary32, and the product once more [HQ-PTA-018..021; A01, A02].
// 32-bit types go through binary64, which holds every difference of 33 bits, so that the way to
// binary32 is the one rounding. Types below a byte are spread over bytes and go on as those.
// Compiled once for each instruction set.

#if defined(HURRAY_SIMD_DEQUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HURRAY_SIMD_DEQUANTIZE_INL_H
#undef HURRAY_SIMD_DEQUANTIZE_INL_H
#else
#define HURRAY_SIMD_DEQUANTIZE_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
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

// The values of one vector of codes of up to 16 bits: no difference has more than 17.
HWY_INLINE VF scaled_difference(Affine by, VI code) {
  const VF scale = hn::Set(DF(), by.scale);
  const VI zero_point = hn::Set(DI(), by.zero_point);
  if constexpr (kFault == Fault::kFolded) {
    return hn::Sub(hn::Mul(scale, hn::ConvertTo(DF(), code)),
                   hn::Mul(scale, hn::ConvertTo(DF(), zero_point)));
  }
  return hn::Mul(scale, hn::ConvertTo(DF(), hn::Sub(code, zero_point)));
}
template <typename T>
HWY_INLINE VF dequantize_vector(Affine by, const T* q) {
  return scaled_difference(by, hn::PromoteTo(DI(), hn::LoadU(hn::Rebind<T, DF>(), q)));
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

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
// Bytes in a register, 4 N of them, folding the zero point into floating point: no subtraction of
// integers and no conversion. 4b0000uu is the bit pattern of 2^23 + uu, so one byte permute into
// the lowest byte of each such word makes 16 codes binary32. What is subtracted, 2^23 + zero_point,
// is exact, and so is the difference: both are integers from 2^23 to 2^24. A difference of 0 is +0,
// as the conversion of an integer 0 is. Signed codes go in with their highest bit flipped, that is
// 128 more, and so does their zero point. What is left is finite, all codes times all zero points,
// and simd_exact_test compares them.
constexpr bool kFoldsBytes = true;
template <Store kStore>
HWY_INLINE void dequantize_bytes(Affine by, VU8 codes, float* out) {
  const __m512i magic = _mm512_set1_epi32(0x4b000000);
  const __m512 zero_point = _mm512_set1_ps(0x1p23f + static_cast<float>(by.zero_point));
  const __m512 scale = _mm512_set1_ps(by.scale);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (int i = 0; i < 4; ++i) {
    const __m512i from = _mm512_add_epi32(lanes, _mm512_set1_epi32(16 * i));
    const __m512i word = _mm512_mask_permutexvar_epi8(magic, 0x1111111111111111u, from, codes.raw);
    const __m512 difference = _mm512_sub_ps(_mm512_castsi512_ps(word), zero_point);
    store<kStore>(VF{_mm512_mul_ps(scale, difference)}, out + 16 * i);
  }
}
#else
constexpr bool kFoldsBytes = false;
template <Store kStore, class V>
HWY_INLINE void dequantize_quarter(Affine by, V codes, float* out) {
  store<kStore>(scaled_difference(by, hn::PromoteTo(DI(), codes)), out);
}
template <Store kStore>
HWY_INLINE void dequantize_bytes(Affine by, VU8 codes, float* out) {
  const std::size_t n = hn::Lanes(DF());
  const hn::Half<DU8> half;
  const hn::Half<decltype(half)> quarter;
  const auto low = hn::LowerHalf(half, codes);
  const auto high = hn::UpperHalf(half, codes);
  dequantize_quarter<kStore>(by, hn::LowerHalf(quarter, low), out);
  dequantize_quarter<kStore>(by, hn::UpperHalf(quarter, low), out + n);
  dequantize_quarter<kStore>(by, hn::LowerHalf(quarter, high), out + 2 * n);
  dequantize_quarter<kStore>(by, hn::UpperHalf(quarter, high), out + 3 * n);
}
#endif

// --- How codes lie in memory. Each kind gives the values of one group, 4 N elements.

// A signed code is its bits with the highest one flipped, less 2^(kBits - 1). As that goes into the
// zero point, codes of up to 8 bits of both kinds are bytes from 0 up.
template <int kBits, bool kSigned>
HWY_INLINE Affine with_flipped(Affine by) {
  return {by.scale, by.zero_point + (kSigned ? 1 << (kBits - 1) : 0)};
}
template <int kBits, bool kSigned>
HWY_INLINE VU8 flipped(VU8 codes) {
  return kSigned ? hn::Xor(codes, hn::Set(DU8(), 1 << (kBits - 1))) : codes;
}

// Whole bytes.
template <typename T>
struct Whole {
  static constexpr int kBits = 8 * sizeof(T);
  template <Store kStore>
  static HWY_INLINE void group(Affine by, const std::uint8_t* q, float* out) {
    constexpr bool kSigned = std::is_signed_v<T>;
    if constexpr (kFoldsBytes && kBits == 8) {
      dequantize_bytes<kStore>(with_flipped<8, kSigned>(by),
                               flipped<8, kSigned>(hn::LoadU(DU8(), q)), out);
      return;
    }
    const std::size_t n = hn::Lanes(DF());
    const T* const codes = reinterpret_cast<const T*>(q);
    const VF v0 = dequantize_vector(by, codes);
    const VF v1 = dequantize_vector(by, codes + n);
    const VF v2 = dequantize_vector(by, codes + 2 * n);
    const VF v3 = dequantize_vector(by, codes + 3 * n);
    store<kStore>(v0, out);
    store<kStore>(v1, out + n);
    store<kStore>(v2, out + 2 * n);
    store<kStore>(v3, out + 3 * n);
  }
};

// Several codes in a byte.
#if HWY_TARGET == HWY_AVX2
// 16 of them at a time, folding the zero point into floating point as dequantize_bytes does. Each
// code becomes a word in which it stands as high as in its byte, `shift` bits up. The word above it
// is that of 2^(23 - shift), so that both together are the binary32 2^(23 - shift) + code: no shift
// moves the code. A difference of two such numbers below 2^(24 - shift), which are multiples of
// 2^-shift, is exact.
//
//   word of a block   0    1    2    3    4    5    6    7
//   block 0, code     0    1    2    3    8    9   10   11     so that words 0 to 3 of both blocks
//   are block 1, code     4    5    6    7   12   13   14   15     codes 0 to 7 when the words
//   above come
template <int bits, bool kSigned>
struct Packed {
  static constexpr int kBits = bits;
  static HWY_INLINE __m256i words_of(const std::uint8_t* packed) {
    if constexpr (kBits == 4) {
      std::int64_t bytes;
      std::memcpy(&bytes, packed, sizeof bytes);
      const __m256i order =
          _mm256_setr_epi8(0, -1, 0, -1, 1, -1, 1, -1, 4, -1, 4, -1, 5, -1, 5, -1, 2, -1, 2, -1, 3,
                           -1, 3, -1, 6, -1, 6, -1, 7, -1, 7, -1);
      return _mm256_shuffle_epi8(_mm256_set1_epi64x(bytes), order);
    } else {
      std::int32_t bytes;
      std::memcpy(&bytes, packed, sizeof bytes);
      const __m256i order =
          _mm256_setr_epi8(0, -1, 0, -1, 0, -1, 0, -1, 2, -1, 2, -1, 2, -1, 2, -1, 1, -1, 1, -1, 1,
                           -1, 1, -1, 3, -1, 3, -1, 3, -1, 3, -1);
      return _mm256_shuffle_epi8(_mm256_set1_epi32(bytes), order);
    }
  }
  template <Store kStore>
  static HWY_INLINE void group(Affine by, const std::uint8_t* q, float* out) {
    const __m256i fields = _mm256_set1_epi64x(kBits == 4 ? 0x00f0000f00f0000f : 0x00c00030000c0003);
    const __m256i signs = _mm256_set1_epi64x(kBits == 4 ? 0x0080000800800008 : 0x0080002000080002);
    const __m256i above = _mm256_set1_epi64x(kBits == 4 ? 0x49004b0049004b00 : 0x480049004a004b00);
    // A signed code with its sign bit flipped is 2^(kBits - 1) more.
    const auto z = static_cast<float>(by.zero_point + (kSigned ? 1 << (kBits - 1) : 0));
    const __m256 zero_point =
        kBits == 4 ? _mm256_setr_ps(0x1p23f + z, 0x1p19f + z, 0x1p23f + z, 0x1p19f + z, 0x1p23f + z,
                                    0x1p19f + z, 0x1p23f + z, 0x1p19f + z)
                   : _mm256_setr_ps(0x1p23f + z, 0x1p21f + z, 0x1p19f + z, 0x1p17f + z, 0x1p23f + z,
                                    0x1p21f + z, 0x1p19f + z, 0x1p17f + z);
    const __m256 scale = _mm256_set1_ps(by.scale);
    for (int half = 0; half < 2; ++half) {
      __m256i words = _mm256_and_si256(words_of(q + half * 2 * kBits), fields);
      if (kSigned) words = _mm256_xor_si256(words, signs);
      const __m256 low = _mm256_castsi256_ps(_mm256_unpacklo_epi16(words, above));
      const __m256 high = _mm256_castsi256_ps(_mm256_unpackhi_epi16(words, above));
      float* const to = out + 16 * half;
      store<kStore>(VF{_mm256_mul_ps(scale, _mm256_sub_ps(low, zero_point))}, to);
      store<kStore>(VF{_mm256_mul_ps(scale, _mm256_sub_ps(high, zero_point))}, to + 8);
    }
  }
};
#else
// Each byte becomes a word, whose fields are moved to the low ends of its
// bytes: all in the order of the elements, whatever the length of vectors.
//   4 bits   hhhhllll -> 0000hhhh 0000llll
//   2 bits   ddccbbaa -> 000000dd 000000cc 000000bb 000000aa
template <int bits, bool kSigned>
struct Packed {
  static constexpr int kBits = bits;
  static HWY_INLINE VU8 spread(const std::uint8_t* packed) {
    if constexpr (kBits == 4) {
      const hn::Repartition<std::uint16_t, DF> d16;
      const auto word = hn::PromoteTo(d16, hn::LoadU(hn::Half<DU8>(), packed));
      const auto both = hn::Or(word, hn::ShiftLeft<4>(word));
      return hn::BitCast(DU8(), hn::And(both, hn::Set(d16, 0x0f0f)));
    } else {
      const hn::RebindToUnsigned<DF> d32;
      const auto word = hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, DF>(), packed));
      const auto pairs = hn::And(hn::Or(word, hn::ShiftLeft<12>(word)), hn::Set(d32, 0x000f000f));
      const auto all = hn::Or(pairs, hn::ShiftLeft<6>(pairs));
      return hn::BitCast(DU8(), hn::And(all, hn::Set(d32, 0x03030303)));
    }
  }
  template <Store kStore>
  static HWY_INLINE void group(Affine by, const std::uint8_t* q, float* out) {
    dequantize_bytes<kStore>(with_flipped<kBits, kSigned>(by), flipped<kBits, kSigned>(spread(q)),
                             out);
  }
};
#endif

// --- Runs of codes

template <class Kind, Store kStore>
struct DequantizeGroup {
  static constexpr int kBits = Kind::kBits;
  Affine by;
  const std::uint8_t* q;
  float* out;
  HWY_INLINE void operator()(std::size_t i) const {
    Kind::template group<kStore>(by, q + byte_of<Kind::kBits>(i), out + i);
  }
};

// Far ahead of the reader, for codes that come from memory.
template <class Group>
struct CodesAhead {
  static constexpr std::size_t kDistanceBytes = 1024;
  Group group;
  HWY_INLINE void operator()(std::size_t i) const {
    hwy::Prefetch(group.q + byte_of<Group::kBits>(i) + kDistanceBytes);
    group(i);
  }
};

// Fewer than one group: by way of buffers, so that nothing outside is touched.
template <class Kind>
HWY_NOINLINE void dequantize_few(Affine by, const std::uint8_t* q, float* out, std::size_t count) {
  HWY_ALIGN std::uint8_t codes[4 * kMostLanes * sizeof(float)] = {};
  HWY_ALIGN float values[4 * kMostLanes];
  std::memcpy(codes, q, (count * Kind::kBits + 7) / 8);
  Kind::template group<Store::kCached>(by, codes, values);
  std::memcpy(out, values, count * sizeof(float));
}

template <class Kind>
HWY_INLINE void dequantize_cached(Affine by, const std::uint8_t* q, float* out, std::size_t count) {
  const std::size_t size = 4 * hn::Lanes(DF());
  // Groups begin at whole bytes, also the one that reaches back: single codes remain.
  constexpr std::size_t kPerByte = Kind::kBits < 8 ? 8 / Kind::kBits : 1;
  const std::size_t whole = count < size ? 0 : count / kPerByte * kPerByte;
  if (whole != 0) for_groups<2>(whole, size, DequantizeGroup<Kind, Store::kCached>{by, q, out});
  if (whole != count) {
    dequantize_few<Kind>(by, q + byte_of<Kind::kBits>(whole), out + whole, count - whole);
  }
}

// Past the caches. Such stores must be whole aligned vectors; the elements before the first and
// behind the last group of them are stored as usual. Without a way to such a place at a whole byte,
// all are.
template <class Kind>
HWY_NOINLINE void dequantize_streamed(Affine by, const std::uint8_t* q, float* out,
                                      std::size_t count) {
  const std::size_t n = hn::Lanes(DF());
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(out) / sizeof(float) % n;
  const std::size_t head = misplaced == 0 ? 0 : n - misplaced;
  if (head * Kind::kBits % 8 != 0 || count < head + 4 * n) {
    dequantize_cached<Kind>(by, q, out, count);
    return;
  }
  dequantize_cached<Kind>(by, q, out, head);
  const DequantizeGroup<Kind, Store::kStreamed> group = {by, q + byte_of<Kind::kBits>(head),
                                                         out + head};
  const std::size_t streamed = (count - head) / (4 * n) * (4 * n);
  for_groups<1>(streamed, 4 * n, CodesAhead<decltype(group)>{group});
  hwy::FlushStream();  // before anything that tells other threads that the results are there
  const std::size_t done = head + streamed;
  dequantize_cached<Kind>(by, q + byte_of<Kind::kBits>(done), out + done, count - done);
}

template <class Kind>
void dequantize(float scale, std::int32_t zero_point, const std::uint8_t* q, float* out,
                std::size_t count, Store store) {
  if (store == Store::kStreamed) {
    dequantize_streamed<Kind>({scale, zero_point}, q, out, count);
  } else {
    dequantize_cached<Kind>({scale, zero_point}, q, out, count);
  }
}

inline constexpr Dequantize kDequantize[kTypes] = {
    dequantize<Whole<std::int8_t>>,  dequantize<Whole<std::uint8_t>>,
    dequantize<Whole<std::int16_t>>, dequantize<Whole<std::uint16_t>>,
    dequantize<Whole<std::int32_t>>, dequantize<Whole<std::uint32_t>>,
    dequantize<Packed<4, true>>,     dequantize<Packed<4, false>>,
    dequantize<Packed<2, true>>,     dequantize<Packed<2, false>>,
};

}  // namespace hurray::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
