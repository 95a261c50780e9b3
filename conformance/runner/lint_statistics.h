// SPDX-License-Identifier: Apache-2.0
//
// Which numbers of a quantized tensor are suspicious, and how sure can one be? Plain functions of
// sums and counts; what is read from a tensor to make them is in lint_values.h, what is said about
// them in lint.h. Nothing here is a rule of the format: thresholds are judgements, with their
// reasons.

#ifndef HURRAY_CONFORMANCE_LINT_STATISTICS_H
#define HURRAY_CONFORMANCE_LINT_STATISTICS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hurray::conformance {

// The elements of one block, or of one channel.
struct BlockSums {
  std::uint64_t elements = 0;
  std::int64_t smallest = INT64_MAX;  // code
  std::int64_t largest = INT64_MIN;
  double largest_magnitude = 0;  // finite values of floats, before their scale
  double sum = 0;                // of code - zero point, that is in steps of the block's scale
  double sum_of_squares = 0;     // likewise

  void add(std::int64_t code, std::int64_t zero_point);
  bool is_constant() const { return elements > 0 && smallest == largest; }
};

// How far codes lie above their zero points. Weights are spread around 0, so that a mean of 0 steps
// is what they give, and one of 1 step is what zero points give that are one too small.
struct Lean {
  std::size_t blocks = 0;
  std::uint64_t elements = 0;
  double mean = 0;            // steps
  double deviation = 0;       // of elements around the means of their blocks, steps
  double standard_error = 0;  // of `mean`
  double above = 0;           // share of blocks that lie above their zero points
  // Of `mean` as a statement about zero points: standard_error, and what weights themselves lean.
  double uncertainty = 0;
};
Lean lean_of(std::span<const BlockSums> blocks);

// The integers that codes are, as far as can be seen: 4-bit codes may be stored in an int8.
struct CodeRange {
  unsigned bits = 0;
  bool is_signed = false;

  std::int64_t smallest() const { return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0; }
  std::int64_t largest() const { return smallest() + (std::int64_t{1} << bits) - 1; }
  // The zero point of symmetric quantization.
  std::int64_t middle() const { return is_signed ? 0 : std::int64_t{1} << (bits - 1); }
};
// The narrowest of 2, 4, 8, 16 and 32 bits that holds codes and zero points, but never narrower
// than a storage type below a byte.
//   smallest, largest   of codes and zero points together
CodeRange code_range_of(std::uint8_t type_tag, std::int64_t smallest, std::int64_t largest);

// What a plane of zero points looks like.
enum class Bias : std::uint8_t {
  kNone,     // as it should be, or nothing speaks against it
  kMissing,  // stored zero_point - 1 and nobody added the 1
  kTwice,    // the 1 was added to what had it already
};
struct BiasVerdict {
  Bias bias = Bias::kNone;
  bool is_constant = false;  // all zero points are the same
  // Natural logarithm of the odds for `bias`, or for the likelier of the two if it is kNone.
  double log_odds = 0;
  // Whether the codes say something, and not the value of the zero points alone.
  bool codes_can_tell = false;
};
BiasVerdict judge_bias(const Lean& lean, const CodeRange& range,
                       std::span<const std::int32_t> zero_points);

// Whether codes lie half a range from their zero points: codes with an offset under zero points
// without, or the reverse.
bool looks_offset_by_half(const Lean& lean, const CodeRange& range);

// The largest share of codes at the ends of their range that needs no explanation, for codes of
// `bits` bits in blocks of `block_elements`: each block puts its extremes there.
double usual_share_at_ends(unsigned bits, std::uint64_t block_elements);

// The middle one of the magnitudes that are finite and not zero; nullopt if there is none.
std::optional<double> median_magnitude(std::span<const float> values);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_LINT_STATISTICS_H
