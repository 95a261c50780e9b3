// SPDX-License-Identifier: Apache-2.0
//
// The arrays that all contenders of a row share, so that none has better places than another.
// Large ones ask for large pages, as whoever moves 256 MiB does.

#ifndef HURRAY_BENCH_ARENA_H
#define HURRAY_BENCH_ARENA_H

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace hurray::bench {

class Array {
 public:
  explicit Array(std::size_t bytes) : bytes_((bytes / kPage + 1) * kPage) {
    data_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kPage, bytes_)));
    if (!data_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(data_.get(), bytes_, MADV_HUGEPAGE);
#endif
  }
  std::uint8_t* data() const { return data_.get(); }
  float* floats() const { return reinterpret_cast<float*>(data_.get()); }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  struct Free {
    void operator()(std::uint8_t* data) const { std::free(data); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::uint8_t, Free> data_;
};

}  // namespace hurray::bench

#endif  // HURRAY_BENCH_ARENA_H
