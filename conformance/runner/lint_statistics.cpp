// SPDX-License-Identifier: Apache-2.0
//
// The statistics of lint_statistics.h. The question of the bias is decided by odds: what is known
// of a plane before looking at codes, times how much better the codes fit the one reading than the
// other, both readings taken as normal distributions of the mean.

#include "conformance/runner/lint_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/binary32.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

// Weights of real layers are not centered exactly; means of a few hundredths of their deviation are
// common. With 8-bit codes, whose steps are that small, nothing can be told from a mean.
constexpr double kOwnLean = 0.03;
// Even constant codes leave some doubt.
constexpr double kLeastUncertainty = 0.02;
constexpr std::size_t kEnoughBlocks = 8;  // to estimate the spread of their means

// One plane in fifty may be wrong, and next to none that is 8 throughout with 4-bit codes, as it
// should be after symmetric quantization.
constexpr double kLogOddsOther = -3.9;   // ln 1/50
constexpr double kLogOddsMiddle = -6.9;  // ln 1/1000

// A plane that is 7 throughout is what symmetric quantization gives whose bias was forgotten, and
// next to nothing else, unless it has so few blocks that asymmetric ones agree by chance. More than
// that it cannot prove: a quantizer may leave out the lowest code and mean 7.
double log_odds_of_suspect(unsigned bits, std::size_t zero_points) {
  constexpr double kMost = 3.0;  // ln 20
  const double chance = bits <= 2 ? 0.5 : bits <= 4 ? 0.25 : 0.05;
  return std::min(kMost, -0.7 - std::log(chance) * static_cast<double>(zero_points));
}

// One step off fits if the mean is near enough: what lies three steps off is something else.
bool fits(double distance, double uncertainty) { return distance <= 3.5 * uncertainty + 0.2; }

// Logarithm of how much better a mean of 1 explains `mean` than a mean of 0 does.
double log_likelihood_ratio(double mean, double uncertainty) {
  return (mean - 0.5) / (uncertainty * uncertainty);
}

}  // namespace

void BlockSums::add(std::int64_t code, std::int64_t zero_point) {
  ++elements;
  smallest = std::min(smallest, code);
  largest = std::max(largest, code);
  const double steps = static_cast<double>(code - zero_point);
  sum += steps;
  sum_of_squares += steps * steps;
}

Lean lean_of(std::span<const BlockSums> blocks) {
  Lean lean;
  double sum = 0, within = 0, freedom = 0, above = 0;
  std::vector<double> means;
  for (const BlockSums& block : blocks) {
    if (block.elements == 0) continue;
    const auto elements = static_cast<double>(block.elements);
    ++lean.blocks;
    lean.elements += block.elements;
    sum += block.sum;
    within += std::max(0.0, block.sum_of_squares - block.sum * block.sum / elements);
    freedom += elements - 1;
    above += block.sum > 0 ? 1 : block.sum == 0 ? 0.5 : 0;
    means.push_back(block.sum / elements);
  }
  if (lean.blocks == 0) return lean;
  const auto elements = static_cast<double>(lean.elements);
  const auto count = static_cast<double>(lean.blocks);
  lean.mean = sum / elements;
  lean.above = above / count;
  if (freedom > 0) lean.deviation = std::sqrt(within / freedom);
  lean.standard_error = lean.deviation / std::sqrt(elements);
  if (lean.blocks >= kEnoughBlocks) {
    // Blocks may lean each in its own way, which elements by themselves do not show.
    double squares = 0;
    for (const double mean : means) squares += (mean - lean.mean) * (mean - lean.mean);
    lean.standard_error = std::max(lean.standard_error, std::sqrt(squares / (count - 1) / count));
  }
  lean.uncertainty =
      std::max(kLeastUncertainty, std::hypot(lean.standard_error, kOwnLean * lean.deviation));
  return lean;
}

CodeRange code_range_of(std::uint8_t type_tag, std::int64_t smallest, std::int64_t largest) {
  const StorageTypeInfo* const storage = find_storage_type(type_tag);
  if (storage == nullptr) return {32, true};
  CodeRange range{storage->bits, storage->is_signed};
  if (storage->bits < 8) return range;
  // Codes that are never negative are unsigned ones, also in an int8.
  range.is_signed = smallest < 0;
  for (const unsigned bits : {2u, 4u, 8u, 16u, 32u}) {
    range.bits = bits;
    if (smallest >= range.smallest() && largest <= range.largest()) break;
  }
  return range;
}

BiasVerdict judge_bias(const Lean& lean, const CodeRange& range,
                       std::span<const std::int32_t> zero_points) {
  BiasVerdict verdict;
  if (zero_points.empty() || lean.elements == 0) return verdict;
  const std::int64_t first = zero_points.front();
  verdict.is_constant =
      std::ranges::all_of(zero_points, [&](std::int32_t z) { return z == first; });
  const auto prior = [&](std::int64_t suspect) {
    if (!verdict.is_constant) return kLogOddsOther;
    if (first == suspect) return log_odds_of_suspect(range.bits, zero_points.size());
    return first == range.middle() ? kLogOddsMiddle : kLogOddsOther;
  };
  const double missing =
      prior(range.middle() - 1) + log_likelihood_ratio(lean.mean, lean.uncertainty);
  const double twice =
      prior(range.middle() + 1) + log_likelihood_ratio(-lean.mean, lean.uncertainty);
  verdict.log_odds = std::max(missing, twice);
  verdict.codes_can_tell = lean.uncertainty < 0.25;

  // A foreign field of b bits holds no 2^b: such a plane has been normalized.   [HQ-ZP-008]
  const bool has_been_normalized = std::ranges::any_of(
      zero_points, [&](std::int32_t z) { return !range.is_signed && z > range.largest(); });
  if (missing > 0 && missing >= twice && fits(std::abs(lean.mean - 1), lean.uncertainty) &&
      !has_been_normalized) {
    verdict.bias = Bias::kMissing;
  } else if (twice > 0 && twice > missing && fits(std::abs(lean.mean + 1), lean.uncertainty)) {
    verdict.bias = Bias::kTwice;
  }
  // One direction in all: a mean of 1 that half of the blocks contradict has another cause.
  const bool agrees = verdict.bias == Bias::kMissing ? lean.above >= 0.6 : lean.above <= 0.4;
  if (verdict.bias != Bias::kNone && lean.blocks >= kEnoughBlocks && verdict.codes_can_tell &&
      !agrees) {
    verdict.bias = Bias::kNone;
  }
  return verdict;
}

bool looks_offset_by_half(const Lean& lean, const CodeRange& range) {
  const double half = static_cast<double>(std::int64_t{1} << (range.bits - 1));
  // Below four bits half a range is hardly more than what an asymmetric plane may do.
  if (range.bits < 4 || lean.elements == 0 || lean.uncertainty > half / 8) return false;
  // Also where the offset was one less, as in a plane with a bias.
  const double distance = std::abs(lean.mean);
  return distance > half - 1 - half / 16 && distance < half + 1 + half / 16;
}

double usual_share_at_ends(unsigned bits, std::uint64_t block_elements) {
  // Two elements of each block are its extremes, and some of their neighbors round to them; of few
  // levels many elements have the outer ones.
  const double by_width = bits <= 2 ? 0.8 : bits <= 4 ? 0.25 : bits <= 8 ? 0.1 : 0.02;
  const double by_block =
      block_elements == 0 ? 1.0 : std::min(1.0, 8.0 / static_cast<double>(block_elements));
  return std::max(by_width, by_block);
}

std::optional<double> median_magnitude(std::span<const float> values) {
  std::vector<double> magnitudes;
  for (const float value : values) {
    if (is_finite(value) && !is_zero(value)) magnitudes.push_back(std::abs(double{value}));
  }
  if (magnitudes.empty()) return std::nullopt;
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::ranges::nth_element(magnitudes, middle);
  return *middle;
}

}  // namespace hurray::conformance
