// SPDX-License-Identifier: Apache-2.0
//
// The loops of limits.h for one width of vectors: compiled with HURRAY_LIMITS, the name of their
// table, and the flags of the instruction set.

#include "bench/limits.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace hurray::bench {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kVector = 64;
#elif defined(__AVX2__)
constexpr std::size_t kVector = 32;
#else
constexpr std::size_t kVector = 16;
#endif
typedef std::uint64_t Vector __attribute__((vector_size(kVector), may_alias));
typedef std::uint64_t Unaligned __attribute__((vector_size(kVector), aligned(1), may_alias));

template <bool kStreamed>
inline void store(Vector v, std::uint8_t* to) {
#if defined(__AVX512F__)
  if (kStreamed) return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
#elif defined(__AVX2__)
  if (kStreamed) return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
#elif defined(__SSE2__)
  if (kStreamed) return _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#endif
  *reinterpret_cast<Unaligned*>(to) = v;
}

template <bool kStreamed>
inline void end_of_stores() {
#if defined(__SSE2__)
  if (kStreamed) _mm_sfence();
#endif
}

template <std::size_t kRatio, bool kStreamed>
void spread(const std::uint8_t* codes, std::uint8_t* values, std::size_t codes_bytes) {
  for (std::size_t i = 0; i + kVector <= codes_bytes; i += kVector) {
    const Vector v = *reinterpret_cast<const Unaligned*>(codes + i);
    for (std::size_t k = 0; k < kRatio; ++k) {
      store<kStreamed>(v, values + i * kRatio + k * kVector);
    }
  }
  end_of_stores<kStreamed>();
}

template <std::size_t kRatio, bool kStreamed>
void gather(const std::uint8_t* values, std::uint8_t* codes, std::size_t codes_bytes) {
  for (std::size_t i = 0; i + kVector <= codes_bytes; i += kVector) {
    Vector all = {};
    for (std::size_t k = 0; k < kRatio; ++k) {
      all |= *reinterpret_cast<const Unaligned*>(values + i * kRatio + k * kVector);
    }
    store<kStreamed>(all, codes + i);
  }
  end_of_stores<kStreamed>();
}

#if defined(__SSE2__)
constexpr bool kStreams = true;
#else
constexpr bool kStreams = false;
#endif

}  // namespace

extern const Limits HURRAY_LIMITS;
const Limits HURRAY_LIMITS = {
    {spread<16, false>, spread<8, false>, spread<4, false>, spread<2, false>, spread<1, false>},
    {kStreams ? spread<16, true> : nullptr, kStreams ? spread<8, true> : nullptr,
     kStreams ? spread<4, true> : nullptr, kStreams ? spread<2, true> : nullptr,
     kStreams ? spread<1, true> : nullptr},
    {gather<16, false>, gather<8, false>, gather<4, false>, gather<2, false>, gather<1, false>},
    {kStreams ? gather<16, true> : nullptr, kStreams ? gather<8, true> : nullptr,
     kStreams ? gather<4, true> : nullptr, kStreams ? gather<2, true> : nullptr,
     kStreams ? gather<1, true> : nullptr},
};

}  // namespace hurray::bench
