// SPDX-License-Identifier: Apache-2.0
//
// Does each target give a code back that it dequantized and quantizes again? Where it must:
// conformance/properties.h has the argument.

#include <cstring>

#include "conformance/properties.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/kernel_input.h"

namespace hurray::fuzz {
namespace {

// The first code that had to come back and did not; the count if there is none.
[[gnu::noinline]] std::size_t first_lost(const KernelInput& input, const std::uint8_t* before,
                                         const std::uint8_t* after, std::size_t count) {
  const conformance::Quantization how = {input.contract, input.type->type, input.scale,
                                         input.zero_point};
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t code = read_element(input.type->type, before, i);
    if (read_element(input.type->type, after, i) != code &&
        conformance::has_to_come_back(how, code)) {
      return i;
    }
  }
  return count;
}

}  // namespace

std::optional<Mismatch> requantize_is_identity(Input input, Targets targets) {
  static Guarded codes(kMostKernelData), reals(kMostKernelElements * sizeof(float));
  static Guarded codes_again(kMostKernelData);
  const std::optional<KernelInput> read = kernel_input(input, false);
  if (!read) return std::nullopt;
  const std::size_t count = read->codes();
  const std::size_t bytes = read->bytes_of(count);
  const std::uint8_t* const q = codes.holding(read->data.first(bytes), read->distance);

  for (const hurray_registry_row& row : targets) {
    if (!dequantizes(*row.target, *read) || !quantizes(*row.target, *read)) continue;
    auto* const values = reinterpret_cast<float*>(reals.ending(count * sizeof(float)));
    if (!dequantize(*row.target, *read, q, values, count)) {
      return Mismatch{"refuses-codes", row.name, {}};
    }
    std::uint8_t* const again = codes_again.filled(bytes, read->distance);
    if (quantize(*row.target, *read, values, again, count) != QuantizeResult::kDone) {
      if (read->scale < 0) continue;  // A09
      return Mismatch{"refuses-its-own", row.name, {}};
    }
    if (std::memcmp(q, again, bytes) == 0) continue;
    const std::size_t lost = first_lost(*read, q, again, count);
    if (lost < count) return Mismatch{"lost-code", row.name, "element " + std::to_string(lost)};
  }
  return std::nullopt;
}

}  // namespace hurray::fuzz
