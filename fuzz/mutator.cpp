// SPDX-License-Identifier: Apache-2.0
//
// The order of edits and repair, see mutator.h.

#include "fuzz/mutator.h"

#include <algorithm>
#include <cstring>

#include "fuzz/special_values.h"
#include "reference/byte_order.h"

// Defined by libFuzzer alone.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t length,
                                                      std::size_t most);

namespace hurray::fuzz {

std::uint64_t Edited::get(std::size_t at, std::size_t bytes) const {
  return has(at, bytes) ? load_le(&room[at], static_cast<unsigned>(bytes)) : 0;
}

void Edited::set(std::size_t at, std::size_t bytes, std::uint64_t value) {
  if (has(at, bytes) && !is_kept(at)) store_le(&room[at], static_cast<unsigned>(bytes), value);
}

void Edited::resize(std::size_t bytes) {
  if (keeps_length || bytes > room.size()) return;
  if (bytes > length) std::ranges::fill(room.subspan(length, bytes - length), std::uint8_t{0});
  length = bytes;
}

namespace {

// A few bytes cut off or added at the end.
void change_length(Edited& input, Random& random) {
  // A length that a byte cannot hold, now and then.
  const std::size_t by = random.once_in(8)   ? 256
                         : random.once_in(3) ? 1 + random.below(64)
                                             : 1 + random.below(8);
  if (random.once_in(2) && input.length > by) {
    input.length -= by;
  } else if (input.length + by <= input.room.size()) {
    const bool is_zero = random.once_in(2);
    for (std::size_t i = 0; i < by; ++i) {
      input.room[input.length++] = is_zero ? 0 : static_cast<std::uint8_t>(random.next());
    }
  }
  input.keeps_length = true;
}

void change_fields(const Shape& shape, Edited& input, Random& random) {
  FieldList fields;
  shape.find_fields({input.room.data(), input.length}, fields);
  if (fields.all().empty()) return;
  const std::size_t edits = random.once_in(3) ? 2 + random.below(2) : 1;
  for (std::size_t i = 0; i < edits; ++i) {
    // Few fields come first and are as likely as the long tail of elements.
    const std::size_t near = std::min<std::size_t>(fields.all().size(), 12);
    const Field& field =
        fields.all()[random.once_in(2) ? random.below(near) : random.below(fields.all().size())];
    const std::uint64_t before = input.get(field.at, field.bytes);
    input.set(field.at, field.bytes, special_value(field, before, input, random));
    input.keep(field);
  }
}

}  // namespace

std::size_t engine_mutate(std::uint8_t* bytes, std::size_t length, std::size_t most,
                          unsigned seed) {
  if (LLVMFuzzerMutate != nullptr) return LLVMFuzzerMutate(bytes, length, most);
  Random random(seed);
  if (length == 0 || (length < most && random.once_in(4))) {
    const std::size_t at = random.below(length + 1);
    std::memmove(bytes + at + 1, bytes + at, length - at);
    bytes[at] = static_cast<std::uint8_t>(random.next());
    return length + 1;
  }
  const std::size_t at = random.below(length);
  if (length > 1 && random.once_in(4)) {
    std::memmove(bytes + at, bytes + at + 1, length - at - 1);
    return length - 1;
  }
  bytes[at] = random.once_in(2) ? static_cast<std::uint8_t>(bytes[at] ^ 1u << random.below(8))
                                : static_cast<std::uint8_t>(random.next());
  return length;
}

std::size_t mutate(std::string_view claim, std::uint8_t* bytes, std::size_t length,
                   std::size_t most, unsigned seed) {
  Random random(seed);
  const Shape* const shape = find_shape(claim);
  if (shape == nullptr || random.once_in(6)) return engine_mutate(bytes, length, most, seed);
  Edited input{{bytes, most}, length, {}, 0, false};
  const bool is_repaired = shape->repair != nullptr && !random.once_in(4);
  // A repaired input first: the fields that are then edited are those of a valid one.
  if (is_repaired) shape->repair(input, random);
  if (random.once_in(10)) {
    change_length(input, random);
  } else {
    change_fields(*shape, input, random);
  }
  if (is_repaired) shape->repair(input, random);
  if (input.length == 0) input.resize(1);
  return std::max<std::size_t>(input.length, 1);
}

std::size_t cross_over(std::string_view claim, std::span<const std::uint8_t> first,
                       std::span<const std::uint8_t> second, std::span<std::uint8_t> out,
                       unsigned seed) {
  Random random(seed);
  const std::size_t length = std::min(first.size(), out.size());
  if (length == 0) return 0;
  std::copy_n(first.begin(), length, out.begin());
  const Shape* const shape = find_shape(claim);
  if (shape == nullptr || random.once_in(4)) {
    // The head of one and the tail of the other.
    const std::size_t cut = random.below(std::min(length, second.size()));
    const std::size_t tail = std::min(second.size() - cut, out.size() - cut);
    std::ranges::copy(second.subspan(cut, tail), out.subspan(cut).begin());
    return std::max<std::size_t>(cut + tail, 1);
  }
  FieldList fields;
  shape->find_fields(first, fields);
  Edited edited{out, length, {}, 0, false};
  for (const Field& field : fields.all()) {
    if (field.at + field.bytes > second.size() || !random.once_in(3)) continue;
    edited.set(field.at, field.bytes,
               load_le(&second[field.at], static_cast<unsigned>(field.bytes)));
  }
  if (shape->repair != nullptr && !random.once_in(4)) shape->repair(edited, random);
  return std::max<std::size_t>(edited.length, 1);
}

}  // namespace hurray::fuzz
