// SPDX-License-Identifier: Apache-2.0
//
// What does the reference make of a whole range of binary32, or of codes, as one number? The
// right-hand side of a sweep (sweep.h): outputs and digests for every reading that the rulings
// leave open.

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

enum class SweepOperation : std::uint8_t { kQuantize, kDequantize };

// What is swept: a firmware function (`quantize_i8`), or an operation of the format on one of its
// ten affine storage types.
struct SweepFunction {
  std::string function;   // of the firmware header; empty for the format's own
  std::uint8_t type = 0;  // storage type tag, if `function` is empty
  float scale = 1;        // finite; above zero to quantize, not zero to dequantize
  std::int32_t zero_point = 0;
  SweepOperation operation = SweepOperation::kQuantize;

  bool dequantizes() const { return operation == SweepOperation::kDequantize; }
};

const StorageTypeInfo& storage_of(const SweepFunction& function);

// Inputs are patterns from 0 on: of binary32, or codes as they lie in memory.
std::uint64_t patterns_of(const SweepFunction& function);
// Of one output: a code, or a binary32.
unsigned output_bits(const SweepFunction& function);
// The code that a pattern stands for, or that an output is; the output itself if it is a float.
std::int64_t code_of_pattern(const SweepFunction& function, std::uint32_t pattern);

// Consecutive patterns.
struct SweepRange {
  std::uint32_t first = 0;
  std::uint64_t count = 0;

  std::uint32_t last() const { return static_cast<std::uint32_t>(first + count - 1); }
  bool operator==(const SweepRange&) const = default;
};

// Of binary32 inputs each sign has so many that are no NaN: infinity is the last of them.
inline constexpr std::uint64_t kFloatsPerSign = 0x7f800001;
inline constexpr std::uint64_t kFirstNegative = 0x80000000;

// `count` consecutive parts of a range, none of them empty; fewer if there are not as many inputs.
std::vector<SweepRange> parts_of(const SweepRange& range, std::uint64_t count);

inline constexpr std::uint64_t kInputsPerBlock = std::uint64_t{1} << 16;

// The range without NaN patterns, whose result is not decided (R01), in blocks of one sign each; of
// codes all.
std::vector<SweepRange> blocks_of(const SweepFunction& function, const SweepRange& range,
                                  std::uint64_t inputs_per_block = kInputsPerBlock);

// How many inputs or codes of a range there are to compare: all but NaN patterns.
std::uint64_t inputs_of(const SweepFunction& function, const SweepRange& range);

// One way in which the rulings may be read throughout (R06, R15; A01, A02, A06).
struct SweepReading {
  std::string_view name;  // `quotient=binary32`
  Quotient quotient = Quotient::kBinary32;
  Subnormals subnormals = Subnormals::kGradual;
  DifferenceWidth difference_width = DifferenceWidth::kWiden;
  Uint32Codes uint32_codes = Uint32Codes::kUnsigned;
  bool zeros_are_positive = false;

  bool operator==(const SweepReading&) const = default;
};
// All that `function` may choose from, at least one. Results that are flushed show nowhere: they
// round to 0.
std::vector<SweepReading> readings_of(const SweepFunction& function);

// A code, or the pattern of a binary32.
std::int64_t expected_output(const SweepFunction& function, const SweepReading& reading,
                             std::uint32_t input);

// FNV-1a-64 of the packed outputs of a range, one per reading.
//   range   of one sign, without NaN patterns, not empty; of codes any
std::vector<std::uint64_t> expected_digests(const SweepFunction& function,
                                            std::span<const SweepReading> readings,
                                            const SweepRange& range);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_REFERENCE_H
