// SPDX-License-Identifier: Apache-2.0
//
// Which calls have an answer that is hard at every element, and hard in one way alone? A family
// that varies address, count or position takes its numbers from here: whatever part of an array a
// kernel treats by other code (the elements before an aligned address, the remainder, what follows
// the first block), that part meets the number that its other code gets wrong.

#ifndef HURRAY_CONFORMANCE_HARD_CALLS_H
#define HURRAY_CONFORMANCE_HARD_CALLS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/element_type.h"

namespace hurray::conformance {

struct HardCall {
  bool of_ra8 = false;
  bool quantizes = false;
  const StorageTypeInfo* info = nullptr;
  std::string_view trait;  // what is hard about every element: "ties-below"
  std::uint32_t scale_bits = 0;
  std::int32_t zero_point = 0;
  std::vector<float> inputs;        // of a quantizing call: repeated as often as the count demands
  std::vector<std::int64_t> codes;  // of a dequantizing one

  // "hurray/quantize-int8", "ra8/quantize_i8": as the families on call discipline name it.
  std::string kernel() const;
  // A request line for `count` elements, of which the first is the one at `first`.
  std::string request(std::size_t count, std::size_t first) const;
};

// Every kernel with every trait that it can have.
const std::vector<HardCall>& hard_calls();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_HARD_CALLS_H
