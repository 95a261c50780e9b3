// SPDX-License-Identifier: Apache-2.0
//
// What do the tests of the vector kernels share? Memory that ends where a call must not reach,
// every pair of instruction set and storage type, and the expected codes of the reference.

#ifndef HURRAY_TARGETS_SIMD_SIMD_TEST_H
#define HURRAY_TARGETS_SIMD_SIMD_TEST_H

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <tuple>
#include <vector>

#include "reference/dequantize.h"
#include "reference/quantize.h"
#include "simd/simd.h"

namespace simd_test {

using hurray::kStorageTypes;
using hurray::StorageTypeInfo;
using hurray::simd::InstructionSet;
using Bytes = std::vector<std::uint8_t>;
using Floats = std::vector<float>;

// Pages between two that cannot be touched.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + page - 1) / page * page;
    all_ = size_ + 2 * page;
    void* const at = mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::uint8_t*>(at);
    if (mprotect(base_ + page, size_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    start_ = base_ + page;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, all_); }
  std::uint8_t* start() const { return start_; }
  std::uint8_t* end() const { return start_ + size_; }
  std::uint8_t* last(std::size_t bytes) const { return end() - bytes; }
  void fill() const { std::memset(start_, kSentinel, size_); }
  // Whether all is as fill() left it, but for `bytes` bytes at `at`.
  bool is_untouched_but(const void* at, std::size_t bytes) const {
    const auto* const from = static_cast<const std::uint8_t*>(at);
    const auto is_sentinel = [](std::uint8_t byte) { return byte == kSentinel; };
    return std::all_of<const std::uint8_t*>(start_, from, is_sentinel) &&
           std::all_of<const std::uint8_t*>(from + bytes, end(), is_sentinel);
  }

 private:
  static constexpr std::uint8_t kSentinel = 0xa5;
  std::uint8_t *base_, *start_;
  std::size_t size_, all_;
};

inline std::size_t packed_bytes(const StorageTypeInfo& type, std::size_t count) {
  return (count * type.bits + 7) / 8;
}

// The oracle's codes, but for NaN, which these kernels give the least code: as the infinity that
// saturates there does.   [R01]
inline Bytes expected_codes(const StorageTypeInfo& type, float scale, std::int32_t zero_point,
                            Floats in) {
  for (float& x : in) {
    if (std::isnan(x)) x = std::copysign(std::numeric_limits<float>::infinity(), -scale);
  }
  Bytes q(packed_bytes(type, in.size()));
  hurray::quantize(type.type, scale, zero_point, in.data(), in.size(), q.data());
  return q;
}

inline Floats expected_values(const StorageTypeInfo& type, float scale, std::int32_t zero_point,
                              const std::uint8_t* q, std::size_t count) {
  Floats out(count);
  hurray::dequantize(type.type, scale, zero_point, q, count, out.data());
  return out;
}

inline constexpr hurray::simd::Store kStores[] = {hurray::simd::Store::kCached,
                                                  hurray::simd::Store::kStreamed};

// Where two arrays of floats first differ in a bit; `count` if nowhere.
inline std::size_t first_difference(const float* a, const float* b, std::size_t count) {
  if (std::memcmp(a, b, count * sizeof(float)) == 0) return count;
  std::size_t i = 0;
  while (std::memcmp(a + i, b + i, sizeof(float)) == 0) ++i;
  return i;
}

// The first `count` of packed codes, unused bits of the last byte zero.   [HQ-PACK-006, -009]
inline Bytes first_codes(const StorageTypeInfo& type, const Bytes& codes, std::size_t count) {
  Bytes first(codes.begin(),
              codes.begin() + static_cast<std::ptrdiff_t>(packed_bytes(type, count)));
  if (const std::size_t used = count * type.bits % 8; used != 0) {
    first.back() = static_cast<std::uint8_t>(first.back() & ((1u << used) - 1));
  }
  return first;
}

// Zero points at the ends of the type's range and inside it, as far as an int32 goes.
inline std::vector<std::int32_t> zero_points(const StorageTypeInfo& type) {
  const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(type.max, INT32_MAX));
  const auto least = static_cast<std::int32_t>(type.min);
  return {least, most, least / 2 + most / 2, least + 1};
}

// A set and the index of a type.
using Case = std::tuple<InstructionSet, std::size_t>;

inline std::vector<InstructionSet> sets_here() {
  std::vector<InstructionSet> here;
  for (const InstructionSet& set : hurray::simd::instruction_sets()) {
    if (hurray::simd::is_here(set)) here.push_back(set);
  }
  return here;
}

class EveryKernel : public testing::TestWithParam<Case> {
 protected:
  static const InstructionSet& set() { return std::get<0>(GetParam()); }
  static const StorageTypeInfo& type() { return kStorageTypes[std::get<1>(GetParam())]; }
  static hurray::simd::Dequantize dequantize() {
    return set().kernels->dequantize[std::get<1>(GetParam())];
  }
  static hurray::simd::Quantize quantize() {
    return set().kernels->quantize[std::get<1>(GetParam())];
  }
};

inline std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return std::string(std::get<0>(info.param).name) + "_" +
         std::string(kStorageTypes[std::get<1>(info.param)].name);
}

inline auto every_kernel_here() {
  return testing::Combine(testing::ValuesIn(sets_here()),
                          testing::Range(std::size_t{0}, hurray::simd::kTypes));
}

}  // namespace simd_test

#endif  // HURRAY_TARGETS_SIMD_SIMD_TEST_H
