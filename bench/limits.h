// SPDX-License-Identifier: Apache-2.0
//
// What would moving the bytes alone cost? Loops that read as much and write as much as a kernel
// does and compute nothing, compiled once for each width of vectors.

#ifndef HURRAY_BENCH_LIMITS_H
#define HURRAY_BENCH_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace hurray::bench {

// Reads `codes_bytes` and writes 32 / bits times as many (spread), or the other way (gather). A
// part of a vector at the end is left out.
//   values   aligned to 64 bytes, as is `codes` where gather streams
using Spread = void (*)(const std::uint8_t* codes, std::uint8_t* values, std::size_t codes_bytes);
using Gather = void (*)(const std::uint8_t* values, std::uint8_t* codes, std::size_t codes_bytes);

// One of each for codes of 2, 4, 8, 16 and 32 bits. `streamed` is past the caches, NULL where there
// is no such store.
inline constexpr std::size_t kWidths = 5;
struct Limits {
  Spread spread[kWidths];
  Spread spread_streamed[kWidths];
  Gather gather[kWidths];
  Gather gather_streamed[kWidths];
};

constexpr std::size_t width_index(unsigned bits) {
  std::size_t i = 0;
  while (i < kWidths - 1 && 2u << i != bits) ++i;
  return i;
}

}  // namespace hurray::bench

#endif  // HURRAY_BENCH_LIMITS_H
