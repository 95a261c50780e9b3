// SPDX-License-Identifier: Apache-2.0
//
// What does the reference make of a whole range of binary32, as one number? The right-hand side of
// a sweep (sweep.h): codes and digests for every reading that the rulings leave open.

#ifndef HURRAY_CONFORMANCE_SWEEP_REFERENCE_H
#define HURRAY_CONFORMANCE_SWEEP_REFERENCE_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/choices.h"
#include "reference/element_type.h"

namespace hurray::conformance {

// What is swept: a firmware function (`quantize_i8`), or quantizing to a storage type of the
// format of at most eight bits.
struct SweepFunction {
  std::string function;   // of the firmware header; empty for the format's quantize
  std::uint8_t type = 0;  // storage type tag, if `function` is empty
  float scale = 1;        // above zero and finite
  std::int32_t zero_point = 0;
};

const StorageTypeInfo& storage_of(const SweepFunction& function);

// Consecutive bit patterns.
struct SweepRange {
  std::uint32_t first = 0;
  std::uint64_t count = 0;

  std::uint32_t last() const { return static_cast<std::uint32_t>(first + count - 1); }
  bool operator==(const SweepRange&) const = default;
};

// The range without NaN patterns, whose result is not decided (R01), in blocks of one sign each.
std::vector<SweepRange> blocks_of(const SweepRange& range);

// One way in which the rulings may be read throughout (R06, R15).
struct SweepReading {
  std::string_view name;  // `quotient=binary32`
  Quotient quotient = Quotient::kBinary32;
  Subnormals subnormals = Subnormals::kGradual;

  bool operator==(const SweepReading&) const = default;
};
// All that `function` may choose from. Results that are flushed show nowhere: they round to 0.
std::vector<SweepReading> readings_of(const SweepFunction& function);

std::int64_t expected_code(const SweepFunction& function, const SweepReading& reading,
                           std::uint32_t input);

// FNV-1a-64 of the packed codes of a range, one per reading.
//   range   of one sign, without NaN patterns, not empty
std::vector<std::uint64_t> expected_digests(const SweepFunction& function,
                                            std::span<const SweepReading> readings,
                                            const SweepRange& range);

// The digest of one byte, as a sweep over a single input answers it.
std::uint64_t digest_of_byte(std::uint8_t byte);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_REFERENCE_H
