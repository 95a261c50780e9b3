// SPDX-License-Identifier: Apache-2.0
//
// How does a fuzzer change an input, knowing what stands in it? One to three fields get values on
// which implementations part; then, three times in four, all the others are repaired, so that the
// input is one edit away from a valid one. All chance comes from the seed.

#ifndef HURRAY_FUZZ_MUTATOR_H
#define HURRAY_FUZZ_MUTATOR_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hurray::fuzz {

// Numbers drawn from a seed: splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // 0 to `count` - 1; 0 if that is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : next() % count; }
  // Once in `times`.
  bool once_in(std::size_t times) { return below(times) == 0; }
  template <typename Values>
  auto one_of(const Values& values) {
    return values[below(values.size())];
  }

 private:
  std::uint64_t state_;
};

// What a field means: which values are special, and which are right.
enum class FieldKind : std::uint8_t {
  kType,        // tag of an element type
  kKernelType,  // index of one
  kSettings,    // bits that the claim reads itself
  kScheme,
  kVersion,
  kFlags,
  kScale,      // binary32
  kZeroPoint,  // int32
  kIndex,      // of a buffer
  kAxis,
  kBlockSize,
  kReserved,  // zero
  kReal,      // binary32 that is quantized
  kCodes,     // packed
  kNumber,    // any integer: sizes, counts, dimensions
  kSmall,     // a byte with few right values: rank, layout, device
};

struct Field {
  std::size_t at;
  std::size_t bytes;  // 1 to 8
  FieldKind kind;
};

// The fields of an input; those beyond the capacity are left to plain mutation.
class FieldList {
 public:
  void add(std::size_t at, std::size_t bytes, FieldKind kind) {
    if (size_ < fields_.size()) fields_[size_++] = {at, bytes, kind};
  }
  std::span<const Field> all() const { return {fields_.data(), size_}; }

 private:
  std::array<Field, 256> fields_;
  std::size_t size_ = 0;
};

// An input that is being changed, and what may not be repaired any more.
struct Edited {
  std::span<std::uint8_t> room;  // all that may be used
  std::size_t length;
  std::array<Field, 4> kept{};
  std::size_t kept_count = 0;
  bool keeps_length = false;

  void keep(const Field& field) {
    if (kept_count < kept.size()) kept[kept_count++] = field;
  }
  bool is_kept(std::size_t at) const {
    for (std::size_t i = 0; i < kept_count; ++i) {
      if (at >= kept[i].at && at < kept[i].at + kept[i].bytes) return true;
    }
    return false;
  }
  bool has(std::size_t at, std::size_t bytes) const { return at + bytes <= length; }
  std::uint64_t get(std::size_t at, std::size_t bytes) const;
  // Unless it is kept or not there.
  void set(std::size_t at, std::size_t bytes, std::uint64_t value);
  // The same for the length; what is new is zero.
  void resize(std::size_t bytes);
};

// What the inputs of a claim consist of: shapes.cpp, and for a part of them section_shape.cpp and
// tensor_shape.cpp.
struct Shape {
  std::string_view claim;
  void (*find_fields)(std::span<const std::uint8_t> input, FieldList& fields);
  void (*repair)(Edited& input, Random& random);  // NULL: any bytes are as right as any other
};
// NULL: nothing is known of them.
const Shape* find_shape(std::string_view claim);

// Changes `length` bytes of room for `most`; the new length, at least 1 and at most `most`.
std::size_t mutate(std::string_view claim, std::uint8_t* bytes, std::size_t length,
                   std::size_t most, unsigned seed);

// The first input with some fields, or the tail, of the second; the length of `out`.
std::size_t cross_over(std::string_view claim, std::span<const std::uint8_t> first,
                       std::span<const std::uint8_t> second, std::span<std::uint8_t> out,
                       unsigned seed);

// What the engine does to bytes of which nothing is known, or the like where there is no engine.
std::size_t engine_mutate(std::uint8_t* bytes, std::size_t length, std::size_t most, unsigned seed);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_MUTATOR_H
