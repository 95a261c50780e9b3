// SPDX-License-Identifier: Apache-2.0
//
// Do all targets dequantize as the reference does, to the last bit? Parameters are valid ones.

#include <algorithm>
#include <cstring>

#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/kernel_input.h"
#include "fuzz/left_open.h"
#include "reference/dequantize.h"

namespace hurray::fuzz {
namespace {

// The first element that no reading of the texts gives; `count` if some reading gives them all.
[[gnu::noinline]] std::size_t first_wrong(const KernelInput& input, const std::uint8_t* q,
                                          const float* out, std::size_t count) {
  std::size_t furthest = 0;
  for (Choices choices : differences_of(input.contract)) {
    for (const Subnormals subnormals : subnormals_of(input.contract)) {
      choices.subnormals = subnormals;
      std::size_t i = 0;
      while (i < count &&
             same_value(out[i], dequantize_value(input.type->type, input.scale, input.zero_point,
                                                 read_element(input.type->type, q, i), choices))) {
        ++i;
      }
      if (i == count) return count;
      furthest = std::max(furthest, i);
    }
  }
  return furthest;
}

std::string detail_of(std::size_t index) { return "element " + std::to_string(index); }

}  // namespace

std::optional<Mismatch> dequantize_agrees(Input input, Targets targets) {
  static Guarded codes(kMostKernelData), reals(kMostKernelElements * sizeof(float));
  static Guarded expected_reals(kMostKernelElements * sizeof(float));
  const std::optional<KernelInput> read = kernel_input(input, false);
  if (!read) return std::nullopt;
  const std::uint8_t* const q = codes.holding(read->data, read->distance);
  const std::size_t count = read->codes();
  const std::size_t bytes = count * sizeof(float);
  auto* const expected = reinterpret_cast<float*>(expected_reals.ending(bytes));
  hurray::dequantize(read->type->type, read->scale, read->zero_point, q, count, expected);

  for (const hurray_registry_row& row : targets) {
    if (!dequantizes(*row.target, *read)) continue;
    std::uint8_t* const memory = reals.filled(bytes);
    auto* const out = reinterpret_cast<float*>(memory);
    if (!dequantize(*row.target, *read, q, out, count)) {
      return Mismatch{"refuses-valid", row.name, {}};
    }
    if (!Guarded::front_is_untouched(memory)) return Mismatch{"writes-in-front", row.name, {}};
    if (std::memcmp(q, read->data.data(), read->data.size()) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (std::memcmp(out, expected, bytes) == 0) continue;
    const std::size_t wrong = first_wrong(*read, q, out, count);
    if (wrong < count) return Mismatch{"wrong-value", row.name, detail_of(wrong)};
  }
  return std::nullopt;
}

}  // namespace hurray::fuzz
