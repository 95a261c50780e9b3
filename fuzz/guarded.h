// SPDX-License-Identifier: Apache-2.0
//
// Memory with pages on both sides that cannot be touched, so that a byte too many is seen in any
// build. Made once and used again in each run: nothing is allocated or cleared but what is asked
// for.

#ifndef HURRAY_FUZZ_GUARDED_H
#define HURRAY_FUZZ_GUARDED_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace hurray::fuzz {

inline constexpr std::uint8_t kFill = 0xa5;

class Guarded {
 public:
  // Room for arrays of up to `most_bytes` bytes. Throws std::bad_alloc.
  explicit Guarded(std::size_t most_bytes);
  ~Guarded();
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // `bytes` bytes that end `distance` bytes before what cannot be touched.
  std::uint8_t* ending(std::size_t bytes, std::size_t distance = 0) {
    return end_ - distance - bytes;
  }
  // An input: the same, or the other way round for kAtStart, right behind what cannot be touched.
  static constexpr std::size_t kAtStart = 3;
  std::uint8_t* placed(std::size_t bytes, std::size_t distance) {
    return distance == kAtStart ? begin_ : ending(bytes, distance);
  }
  std::uint8_t* holding(std::span<const std::uint8_t> from, std::size_t distance = 0) {
    std::uint8_t* at = placed(from.size(), distance);
    if (!from.empty()) std::memcpy(at, from.data(), from.size());
    return at;
  }
  // The same for an output: filled, and so are the bytes in front.
  std::uint8_t* filled(std::size_t bytes, std::size_t distance = 0) {
    std::uint8_t* at = ending(bytes, distance);
    std::memset(at - kInFront, kFill, bytes + kInFront + distance);
    return at;
  }

  // Whether `bytes` bytes, and those in front, are as filled() left them.
  static bool is_untouched(const std::uint8_t* at, std::size_t bytes) {
    return is_filled(at, bytes) && front_is_untouched(at);
  }
  static bool front_is_untouched(const std::uint8_t* at) {
    return is_filled(at - kInFront, kInFront);
  }
  static bool is_filled(const std::uint8_t* at, std::size_t bytes);

 private:
  static constexpr std::size_t kInFront = 32;

  std::uint8_t* all_;
  std::size_t all_bytes_;
  std::uint8_t* begin_;
  std::uint8_t* end_;
};

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_GUARDED_H
