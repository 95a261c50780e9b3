// SPDX-License-Identifier: Apache-2.0
//
// The array in an answer, element by element: reading it, and comparing two of them. By bits; any
// NaN equals any NaN; `free` positions hold one value, whichever (R01, R03).

#ifndef HURRAY_CONFORMANCE_ELEMENTS_H
#define HURRAY_CONFORMANCE_ELEMENTS_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"
#include "reference/binary32.h"
#include "reference/element_type.h"

namespace hurray::conformance {

// The array that an answer carries: binary32 where the request dequantizes, else integers.
struct Elements {
  bool are_floats = false;
  std::vector<std::uint32_t> floats;   // bit patterns
  std::vector<std::int64_t> integers;  // codes, values, zero points or bytes
  Bytes padding;                       // unused bits of the last byte of packed codes, if any

  std::size_t size() const { return are_floats ? floats.size() : integers.size(); }
};
// Nothing if the answer has no array, or one of another length than the request asks for.
std::optional<Elements> read_elements(const ReadRequest& request, const Answer& answer);

// The type of the integers that a request quantizes to or dequantizes from. Null if its tag is
// none.
const StorageTypeInfo* storage_type_of(const ReadRequest& request);

// Name of the key that carries the array of an `ok` answer. Empty for a verb without one.
std::string_view array_key(const ReadRequest& request);

// Ordered from bad to good.
enum class Match { kNo, kWithOtherZeroSign, kYes };

// One element against one, whether it is free or not.
Match match_element(const Elements& expected, const Elements& got, std::size_t i,
                    bool zero_sign_counts);
// `free` is sorted.
Match match_elements(const Elements& expected, const Elements& got,
                     const std::vector<std::size_t>& free, bool zero_sign_counts);

// The sign of a zero counts everywhere but in what is dequantized, where it warns (A06).
inline bool zero_sign_counts(const ReadRequest& request) {
  return request.verb != "dequantize" && request.verb != "dequantize_tensor";
}

inline bool is_nan_pattern(std::uint32_t bits) { return is_nan(std::bit_cast<float>(bits)); }

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ELEMENTS_H
