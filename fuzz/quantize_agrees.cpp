// SPDX-License-Identifier: Apache-2.0
//
// Do all targets quantize as the reference does, and refuse what has to be refused?

#include <algorithm>
#include <cstring>

#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/kernel_input.h"
#include "fuzz/left_open.h"
#include "reference/quantize.h"

namespace hurray::fuzz {
namespace {

using Reals = std::span<const float>;

// Codes of what is no number: one and the same for NaN inputs (R01), any for infinity over infinity
// (R03).
bool is_free(const KernelInput& input, float x) {
  return is_nan(x) || (is_infinite(x) && is_infinite(input.scale));
}

// The first element that no reading of the texts gives; the count if some reading gives them all.
[[gnu::noinline]] std::size_t first_wrong(const KernelInput& input, Reals in,
                                          const std::uint8_t* q) {
  const StorageTypeInfo& type = *input.type;
  std::optional<std::int64_t> of_nan;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!is_nan(in[i])) continue;
    const std::int64_t code = read_element(type.type, q, i);
    if (of_nan && *of_nan != code) return i;
    of_nan = code;
  }
  std::size_t furthest = 0;
  for (const Quotient quotient : {Quotient::kBinary32, Quotient::kExact}) {
    for (const Subnormals subnormals : subnormals_of(input.contract)) {
      Choices choices;
      choices.quotient = quotient;
      choices.subnormals = subnormals;
      std::size_t i = 0;
      while (i < in.size() &&
             (is_free(input, in[i]) ||
              read_element(type.type, q, i) == quantize_value(in[i], input.scale, input.zero_point,
                                                              type.min, type.max, choices))) {
        ++i;
      }
      if (i == in.size()) return i;
      furthest = std::max(furthest, i);
    }
  }
  return furthest;
}

}  // namespace

std::optional<Mismatch> quantize_agrees(Input input, Targets targets) {
  static Guarded reals(kMostKernelData), reals_before(kMostKernelData), codes(kMostKernelData),
      expected_codes(kMostKernelData);
  const std::optional<KernelInput> read = kernel_input(input, true);
  if (!read) return std::nullopt;
  const Reals all = reals_of(*read, reals);
  // Fewer at the end: reals are on both sides of the guard then, and the last byte has unused bits.
  const Reals in = all.subspan(std::min(all.size(), read->fewer));
  const std::uint8_t* const before =
      reals_before.holding({reinterpret_cast<const std::uint8_t*>(in.data()), in.size_bytes()});
  const std::size_t bytes = read->bytes_of(in.size());
  const bool is_refused = must_refuse(read->contract, read->scale);
  std::uint8_t* const expected = expected_codes.ending(bytes);
  if (!is_refused) {
    hurray::quantize(read->type->type, read->scale, read->zero_point, in.data(), in.size(),
                     expected);
  }

  for (const hurray_registry_row& row : targets) {
    if (!quantizes(*row.target, *read)) continue;
    std::uint8_t* const q = codes.filled(bytes, read->distance);
    const QuantizeResult result = quantize(*row.target, *read, in.data(), q, in.size());
    if (std::memcmp(in.data(), before, in.size_bytes()) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (!Guarded::front_is_untouched(q)) return Mismatch{"writes-in-front", row.name, {}};
    if (!Guarded::is_filled(q + bytes, read->distance)) {
      return Mismatch{"writes-behind", row.name, {}};
    }
    if (result != QuantizeResult::kDone) {
      if (!Guarded::is_filled(q, bytes)) return Mismatch{"writes-on-error", row.name, {}};
      // R01 leaves the error of a NaN input open, and no other.
      if (is_refused && result == QuantizeResult::kOtherCode) {
        return Mismatch{"wrong-result-code", row.name, {}};
      }
      if (may_refuse(read->contract, *read->type, read->scale, read->zero_point, in)) continue;
      return Mismatch{"refuses-valid", row.name, {}};
    }
    if (is_refused) {
      if (in.empty() && read->contract == Contract::kRa8) continue;  // R12
      return Mismatch{"accepts-invalid", row.name, {}};
    }
    if (std::memcmp(q, expected, bytes) == 0) continue;
    const std::size_t wrong = first_wrong(*read, in, q);
    if (wrong < in.size()) {
      return Mismatch{"wrong-code", row.name, "element " + std::to_string(wrong)};
    }
    if (!unused_bits_are_zero(static_cast<std::uint8_t>(read->type->type), q, in.size())) {
      return Mismatch{"unused-bits", row.name, {}};
    }
  }
  return std::nullopt;
}

}  // namespace hurray::fuzz
