// SPDX-License-Identifier: Apache-2.0
//
// One field after the other, widened before the bias is added.

#include "reference/zero_point.h"

#include <limits>

namespace hurray {
// Fields are unsigned, so the smallest is 0, and a bias fits together with it whatever it is.
bool is_possible(const ZeroPointFormat& format) {
  if (format.bits != 2 && format.bits != 4 && format.bits != 8) return false;
  const std::int32_t largest_field = (std::int32_t{1} << format.bits) - 1;
  return format.bias <= std::numeric_limits<std::int32_t>::max() - largest_field;
}

std::int32_t normalized_zero_point(const ZeroPointFormat& format, const std::uint8_t* packed,
                                   std::size_t index) {
  // Low field first is the recipe's order; elsewhere the high one may be.   [HQ-ZP-006, A27]
  const unsigned per_byte = 8 / format.bits;
  const unsigned mask = (1u << format.bits) - 1;
  const auto slot = static_cast<unsigned>(index % per_byte);
  const unsigned place = format.high_field_first ? per_byte - 1 - slot : slot;
  const unsigned field = (unsigned{packed[index / per_byte]} >> (place * format.bits)) & mask;

  // An int32 takes 15 + 1 as 16: no wrapping to 0, no stopping at 15.   [HQ-ZP-005, -007, -008,
  // A25]
  return static_cast<std::int32_t>(field) + format.bias;
}

Status normalize_zero_points(const ZeroPointFormat& format, std::span<const std::uint8_t> packed,
                             std::size_t count, std::int32_t* out) {
  if (!is_possible(format)) return Status::kInvalidFormat;

  // ceil(count / per_byte) bytes, without forming count * bits, which overflows near the top of
  // size_t. With an odd count the last byte's other fields belong to nobody.   [HQ-ZP-015]
  const unsigned per_byte = 8 / format.bits;
  const std::size_t needed_bytes = count / per_byte + (count % per_byte != 0 ? 1 : 0);
  if (packed.size() < needed_bytes) return Status::kTooFewBytes;

  for (std::size_t i = 0; i < count; ++i) {
    out[i] = normalized_zero_point(format, packed.data(), i);
  }
  return Status::kOk;
}

}  // namespace hurray
