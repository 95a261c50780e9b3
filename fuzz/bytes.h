// SPDX-License-Identifier: Apache-2.0
//
// Memory of exactly the length that is asked for, so that a sanitizer sees a byte too many.

#ifndef HURRAY_FUZZ_BYTES_H
#define HURRAY_FUZZ_BYTES_H

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace hurray::fuzz {

template <typename T = std::uint8_t>
class Exactly {
 public:
  explicit Exactly(std::size_t count, std::uint8_t fill = 0xa5)
      : count_(count), values_(new T[count]) {
    std::memset(static_cast<void*>(values_.get()), fill, bytes());
  }
  explicit Exactly(std::span<const std::uint8_t> from) : Exactly(from.size() / sizeof(T)) {
    if (bytes() > 0) std::memcpy(values_.get(), from.data(), bytes());
  }

  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  T& operator[](std::size_t i) { return values_[i]; }
  std::span<T> span() { return {values_.get(), count_}; }
  // Whether every byte is still what the memory was filled with.
  bool is_untouched(std::uint8_t fill = 0xa5) const {
    const auto* at = reinterpret_cast<const std::uint8_t*>(values_.get());
    for (std::size_t i = 0; i < bytes(); ++i) {
      if (at[i] != fill) return false;
    }
    return true;
  }
  bool equals(const Exactly& other) const {
    return bytes() == other.bytes() &&
           (bytes() == 0 || std::memcmp(data(), other.data(), bytes()) == 0);
  }

 private:
  std::size_t count_;
  std::unique_ptr<T[]> values_;
};

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_BYTES_H
