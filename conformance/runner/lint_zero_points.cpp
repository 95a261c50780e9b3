// SPDX-License-Identifier: Apache-2.0
//
// Checks of zero points, see lint.h: is a bias missing or added twice, is the offset of the codes
// missing, are zero points outside of the storage type? Source: the recipe "Converting an
// Externally Quantized Tensor", rows HQ-ZP; rulings A24, A25, A26.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/lint.h"
#include "reference/element_type.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kShown = 8;  // values of a plane

std::string blocks_words(const Tensor& tensor, std::size_t count) {
  const bool are_channels = tensor.quantization.scheme_tag == kSchemePerChannelAffine;
  return fmt::format("{} {}{}", count, are_channels ? "channel" : "block", count == 1 ? "" : "s");
}

std::vector<std::int32_t> first_of(std::span<const std::int32_t> values) {
  return {values.begin(),
          values.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, values.size()))};
}

CodeRange range_of(const Tensor& tensor, const QuantizedValues& values) {
  std::int64_t smallest = values.smallest, largest = values.largest;
  for (const std::int32_t zero_point : values.zero_points) {
    smallest = std::min<std::int64_t>(smallest, zero_point);
    largest = std::max<std::int64_t>(largest, zero_point);
  }
  const CodeRange with_zero_points = code_range_of(tensor.type_tag, smallest, largest);
  // 16 among the zero points of 4-bit codes is what a 15 with a bias of one gives.   [HQ-ZP-008]
  const CodeRange of_codes = code_range_of(tensor.type_tag, values.smallest, values.largest);
  return largest == of_codes.largest() + 1 ? of_codes : with_zero_points;
}

std::string lean_words(const Lean& lean) {
  return fmt::format(
      "codes lie {:.2f} steps {} their zero points in the mean, so values are that many scales off "
      "0 (standard error {:.2f}; {:.0f} % of the blocks lean that way)",
      std::abs(lean.mean), lean.mean < 0 ? "below" : "above", lean.standard_error,
      100 * (lean.mean < 0 ? 1 - lean.above : lean.above));
}

std::string plane_words(const Tensor& tensor, const QuantizedValues& values,
                        const CodeRange& range) {
  const std::int32_t first = values.zero_points.front();
  const std::string count = blocks_words(tensor, values.zero_points.size());
  const std::int64_t off = first - range.middle();
  std::string words = fmt::format("the zero points of all {} are {}", count, first);
  if (off == -1 || off == 1) {
    words += fmt::format(
        ", one {} than {}, the middle of {}-bit codes that symmetric quantization "
        "subtracts",
        off < 0 ? "less" : "more", range.middle(), range.bits);
  }
  return words;
}

void add_bias_finding(const TensorFile& file, const QuantizedValues& values, const Lean& lean,
                      const CodeRange& range, const BiasVerdict& verdict, LintReport& report) {
  const bool is_missing = verdict.bias == Bias::kMissing;
  LintFinding finding{"zero-point-bias", "", {}, {}, "HQ-ZP-001, HQ-ZP-002, HQ-ZP-007, A26"};
  finding.looks_like =
      is_missing ? "the zero points look un-normalized, each one too small: as if they had been "
                   "stored as zero_point - 1 and the 1 had not been added"
                 : "the zero points look one too large each: as if the bias of 1 had been added to "
                   "a plane that had none, or twice";
  if (verdict.is_constant) finding.evidence.push_back(plane_words(file.tensor, values, range));
  finding.evidence.push_back(lean_words(lean));
  if (!verdict.codes_can_tell) {
    finding.evidence.push_back(
        fmt::format("that alone proves little: weights may lean {:.1f} steps by themselves here",
                    2 * lean.uncertainty));
  } else {
    finding.evidence.push_back(fmt::format(
        "weights that are spread around 0 give 0 steps, {} gives {}1; so do weights whose mean "
        "really is {:.2f} of their deviation off",
        is_missing ? "a forgotten bias" : "a bias too many", is_missing ? "" : "-",
        1 / std::max(lean.deviation, 0.01)));
  }
  Correction correction{is_missing ? 1 : -1, values.zero_points.size(),
                        first_of(values.zero_points), first_of(values.zero_points)};
  // The ends of int32 are far from any plane, and still must not overflow.
  for (std::int32_t& each : correction.to) {
    each = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(std::int64_t{each} + correction.add, INT32_MIN, INT32_MAX));
  }
  finding.correction = std::move(correction);
  report.findings.push_back(std::move(finding));
}

}  // namespace

void check_bias(const TensorFile& file, const QuantizedValues& values, LintReport& report) {
  // A single zero point is not a plane that a toolchain packs.
  if (values.zero_points.empty() || file.tensor.quantization.scheme_tag == kSchemePerTensorAffine) {
    return;
  }
  const Lean lean = lean_of(values.blocks);
  const CodeRange range = range_of(file.tensor, values);
  const BiasVerdict verdict = judge_bias(lean, range, values.zero_points);
  if (verdict.bias != Bias::kNone) {
    add_bias_finding(file, values, lean, range, verdict, report);
    return;
  }
  std::string words = lean_words(lean);
  if (!verdict.codes_can_tell) {
    words += ": too few elements, or steps too fine, to tell whether a bias is missing";
  } else if (std::abs(lean.mean) < 0.5) {
    words += ": nothing speaks for a missing bias";
  } else {
    words += ": not what a missing bias gives, and not what weights around 0 give";
  }
  report.notes.push_back(std::move(words));
}

void check_offset(const TensorFile& file, const QuantizedValues& values, LintReport& report) {
  if (!is_affine(file.tensor)) return;
  const Lean lean = lean_of(values.blocks);
  const CodeRange range = range_of(file.tensor, values);
  if (!looks_offset_by_half(lean, range)) return;
  LintFinding finding{"zero-point-offset", "", {}, {}, "HQ-ZP-001"};
  finding.looks_like = fmt::format(
      "codes and zero points look as if one of them had an offset of {} and the other had not",
      std::int64_t{1} << (range.bits - 1));
  finding.evidence.push_back(lean_words(lean));
  finding.evidence.push_back(
      values.zero_points.empty()
          ? "SYMMETRIC subtracts 0, so that values of unsigned codes are never negative; symmetric "
            "weights need signed codes or a zero point in the middle of the range"
          : fmt::format("the first zero points are {}; {}-bit codes reach from {} to {} here",
                        fmt::join(first_of(values.zero_points), " "), range.bits, values.smallest,
                        values.largest));
  report.findings.push_back(std::move(finding));
}

void check_zero_point_range(const TensorFile& file, const QuantizedValues& values,
                            LintReport& report) {
  const StorageTypeInfo* const storage = find_storage_type(file.tensor.type_tag);
  // In the schemes 01 and 02 it breaks a rule, and is reported as such.
  if (storage == nullptr || file.tensor.quantization.scheme_tag != kSchemePerBlockAffine) return;
  std::size_t outside = 0, first = 0, one_above = 0;
  for (std::size_t i = 0; i < values.zero_points.size(); ++i) {
    const std::int64_t zero_point = values.zero_points[i];
    if (zero_point >= storage->min && zero_point <= storage->max) continue;
    if (outside++ == 0) first = i;
    if (zero_point == storage->max + 1) ++one_above;
  }
  if (outside == 0) return;
  LintFinding finding{"zero-point-range",
                      fmt::format("zero points lie outside of {}, which is legal per block and "
                                  "unusual: no code stands for 0 then",
                                  storage->name),
                      {},
                      {},
                      "HQ-PBA-025, A24, A25"};
  finding.evidence.push_back(fmt::format("{} of {}; the first is {}, of block {}", outside,
                                         blocks_words(file.tensor, values.zero_points.size()),
                                         values.zero_points[first], first));
  if (one_above == outside && !storage->is_signed) {
    finding.evidence.push_back(
        fmt::format("all of them are {}: what a stored {} with a bias of one gives",
                    storage->max + 1, storage->max));
  }
  report.findings.push_back(std::move(finding));
}

}  // namespace hurray::conformance
