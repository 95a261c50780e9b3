// SPDX-License-Identifier: Apache-2.0
//
// What the processor has, see simd_cpu.h. The features asked for are all that Highway lets the
// compiler use in a set (HWY_TARGET_STR), not only those that the kernels need: which instructions
// come out of it is the compiler's affair. The lists are those of Highway 1.0.3; CMakeLists.txt
// stops at a version that they were not compared with.

#include "simd/simd_cpu.h"

#include <initializer_list>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace hurray::simd {
namespace {

[[maybe_unused]] constexpr bool has_bits(unsigned long word, std::initializer_list<int> bits) {
  for (const int bit : bits) {
    if ((word >> bit & 1) == 0) return false;
  }
  return true;
}

}  // namespace

#if defined(__x86_64__) || defined(__i386__)

namespace {

// Registers of one leaf of cpuid; all zero if there is no such leaf.
struct Leaf {
  unsigned a = 0, b = 0, c = 0, d = 0;
  explicit Leaf(unsigned leaf) { __get_cpuid_count(leaf, 0, &a, &b, &c, &d); }
};

}  // namespace

bool machine_has(std::string_view set) {
  __builtin_cpu_init();
  const Leaf one(1), seven(7);
  // The compiler's own test of these includes that the system saves the wide registers.
  const bool ssse3 = has_bits(one.c, {9});
  const bool sse4 = ssse3 && has_bits(one.c, {1, 19, 20, 25});  // pclmul, sse4.1, sse4.2, aes
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && has_bits(one.c, {12, 29}) &&
                    has_bits(seven.b, {3, 8});  // fma, f16c; bmi, bmi2
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      has_bits(seven.b, {16, 17, 30, 31});  // f, dq, bw, vl
  // vbmi, vbmi2, vaes, vpclmulqdq, vnni, bitalg, vpopcntdq. Highway writes avxvnni for avx512vnni;
  // it is not asked for, as Ice Lake lacks it, and no kernel has a sum of products to use it for.
  const bool avx512dl = avx512 && has_bits(seven.c, {1, 6, 9, 10, 11, 12, 14});
  return (set == "ssse3" && ssse3) || (set == "sse4" && sse4) || (set == "avx2" && avx2) ||
         (set == "avx512" && avx512) || (set == "avx512dl" && avx512dl);
}

#elif defined(__aarch64__)

bool machine_has(std::string_view set) {
  // Bits and calls as the kernel documents them, which older headers do not all name.
  constexpr int kGetVectorLength = 51, kLengthMask = 0xffff;
  const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  const bool neon = has_bits(first, {1, 3, 4, 5, 6});  // asimd; crypto: aes, pmull, sha1, sha2
  const bool sve = has_bits(first, {1, 22});
  // sve2-aes: sve2, its aes and pmull, and those of NEON
  const bool sve2 = sve && has_bits(first, {3, 4}) && has_bits(second, {1, 2, 3});
  const int bytes = sve ? prctl(kGetVectorLength) & kLengthMask : 0;
  return (set == "neon" && neon) || (set == "sve" && sve) || (set == "sve2" && sve2) ||
         (set == "sve_256" && sve && bytes == 32) || (set == "sve2_128" && sve2 && bytes == 16);
}

#else

bool machine_has(std::string_view /*set*/) { return false; }

#endif

}  // namespace hurray::simd
