// SPDX-License-Identifier: Apache-2.0
//
// Checks of everything but zero points, see lint.h: broken rules, the file, filler of partial
// blocks, scales, codes.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "conformance/runner/lint.h"
#include "reference/binary32.h"
#include "reference/dequantize_tensor.h"
#include "reference/element_type.h"
#include "reference/nf4.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr double kLargestFloat16 = 65504;
constexpr std::size_t kFewBlocks = 8;
// Powers of two coincide more easily.
constexpr std::size_t kFewMxfpBlocks = 64;

void add(LintReport& report, std::string id, std::string looks_like,
         std::vector<std::string> evidence, std::string see = {}) {
  report.findings.push_back(
      {std::move(id), std::move(looks_like), std::move(evidence), {}, std::move(see)});
}

// How many entries have a property, and which is the first.
struct Tally {
  std::size_t count = 0, first = 0;
  void add(std::size_t index) {
    if (count++ == 0) first = index;
  }
  std::string words(std::size_t all) const {
    return fmt::format("{} of {}, the first at index {}", count, all, first);
  }
};

// `where` says where to look for what breaks it.
void check_rule(const Finding& finding, const std::string& where, LintReport& report) {
  const std::string row(finding.requirement);
  switch (finding.status) {
    case Status::kSharedParameterBuffer:
      add(report, "shared-buffer",
          "scales and zero points share a buffer, which readers may refuse",
          {"separate buffers are preferred"}, "HQ-HDR-023, A20");
      return;
    case Status::kUnusedBits:
      add(report, "unused-bits", "unused bits behind the last element are set",
          {"writers clear them: was the buffer not cleared, or does it hold more elements?"},
          "HQ-PACK-006, HQ-PACK-009, HQ-PACK-011, A43");
      return;
    case Status::kSymmetricWithIndex:
      add(report, "symmetric-index",
          "SYMMETRIC is set and a buffer of zero points is named, which readers may ignore",
          {"if that buffer holds zero points, they are lost"}, row + ", A17, A18");
      return;
    default:
      break;
  }
  if (finding.severity != Severity::kMust && finding.severity != Severity::kSoft) return;
  add(report, "rule", fmt::format("a rule is broken: {}", text_of(finding.status)),
      {fmt::format("readers {} refuse the tensor; {}",
                   finding.severity == Severity::kMust ? "must" : "should", where)},
      row);
}

// The entry of a parameter buffer that breaks a rule about scales.
std::string place_of_bad_scale(Status status, const QuantizedValues* values) {
  Tally bad;
  for (std::size_t i = 0; values != nullptr && i < values->scales.size(); ++i) {
    const float scale = values->scales[i];
    const bool is_bad = status == Status::kScaleNan         ? is_nan(scale)
                        : status == Status::kScaleNotFinite ? is_infinite(scale)
                        : status == Status::kScaleZero      ? is_zero(scale)
                        : status == Status::kScaleNegative  ? scale < 0
                                                            : false;
    if (is_bad) bad.add(i);
  }
  return bad.count == 0 ? "it is in what the buffers hold" : bad.words(values->scales.size());
}

}  // namespace

void check_rules(const TensorFile& file, const QuantizedValues* values, LintReport& report) {
  for (const Finding& each : file.findings.all()) {
    check_rule(each, "`hurray-conform inspect --file` shows where", report);
  }
  Findings contents;
  judge_contents(file.tensor, file.buffers, contents);
  for (const Finding& each : contents.all()) {
    check_rule(each, place_of_bad_scale(each.status, values), report);
  }
}

void check_file(const TensorFile& file, LintReport& report) {
  if (file.dirt) {
    add(report, "file-padding", "bytes between the parts of the file are not zero",
        {fmt::format("the first at byte {}: does each part start at a multiple of {}?", *file.dirt,
                     kPartAlignment)});
  }
  if (file.behind > 0) {
    add(report, "file-padding", "there is more in the file than the buffers of the descriptor",
        {fmt::format("{} behind the last one", byte_count_words(file.behind))});
  }
}

void check_filler(const TensorFile& file, LintReport& report) {
  const Tensor& tensor = file.tensor;
  if (!has_partial_block(tensor) || has_dynamic_dimension(tensor)) return;
  if (tensor.rank != 1 || tensor.layout_tag == kLayoutStrided) {
    report.notes.emplace_back(
        "the last block along the axis is partial; where its filler lies is not said for more than "
        "one dimension, so it is not looked at (A28)");
    return;
  }
  const std::optional<std::uint64_t> padded = padded_data_bytes(tensor);
  const std::span<const std::uint8_t> data = file.buffers.front();
  if (!padded || *padded > data.size()) return;  // stored without filler
  const std::uint32_t block_size = *fields_of(tensor.quantization).block_size;
  const std::uint64_t length = tensor.shape[0];
  const std::uint64_t whole = (length + block_size - 1) / block_size * block_size;
  Tally tally;
  for (std::uint64_t i = length; i < whole; ++i) {
    if (read_element_bits(tensor.type_tag, data.data() + tensor.byte_offset, i) != 0) tally.add(i);
  }
  if (tally.count == 0) return;
  add(report, "filler", "the filler of the partial last block is not zero",
      {fmt::format("{} of {} elements behind the last one have bits set, the first is element {}",
                   tally.count, whole - length, tally.first),
       "readers ignore it; a writer that leaves it may also have counted elements wrongly"},
      "HQ-PBA-023, A28, A29");
}

namespace {

// What a scale is multiplied with at most: steps, levels, or elements.
double largest_factor(const Tensor& tensor, const QuantizedValues& values, std::size_t block) {
  const BlockSums& sums = values.blocks[block];
  if (sums.elements == 0) return 0;
  if (is_affine(tensor)) {
    const double zero_point = values.zero_points.empty() ? 0.0 : values.zero_points[block];
    return std::max(std::abs(static_cast<double>(sums.smallest) - zero_point),
                    std::abs(static_cast<double>(sums.largest) - zero_point));
  }
  return tensor.quantization.scheme_tag == kSchemeMxfp ? sums.largest_magnitude : 1;
}

// 16-bit scales have subnormals of their own, with few bits left.
bool is_subnormal_scale(std::uint8_t type_tag, float scale) {
  constexpr float kSmallestNormalFloat16 = 6.103515625e-05f;
  if (is_zero(scale) || !is_finite(scale)) return false;
  return type_tag == 0x01 ? std::abs(scale) < kSmallestNormalFloat16 : is_subnormal(scale);
}

void check_equal_scales(const Tensor& tensor, const QuantizedValues& values, LintReport& report) {
  const bool is_mxfp = tensor.quantization.scheme_tag == kSchemeMxfp;
  if (values.scales.size() < (is_mxfp ? kFewMxfpBlocks : kFewBlocks)) return;
  const std::uint32_t first = bits_of(values.scales.front());
  const bool are_equal =
      std::ranges::all_of(values.scales, [&](float scale) { return bits_of(scale) == first; });
  if (!are_equal) return;
  add(report, "equal-scales",
      "all scales are equal, as if they had not been filled in or been repeated",
      {fmt::format("{} scales of {:.9g}; weights of different blocks rarely have the same range",
                   values.scales.size(), values.scales.front())});
}

void check_scale_sizes(const TensorFile& file, const QuantizedValues& values, LintReport& report) {
  const std::uint8_t scheme = file.tensor.quantization.scheme_tag;
  const std::uint8_t type =
      scheme == kSchemePerTensorAffine ? 0x03 : fields_of(file.tensor.quantization).scale_type_tag;
  const std::optional<double> median = median_magnitude(values.scales);
  Tally subnormal, huge, outliers;
  for (std::size_t i = 0; i < values.scales.size(); ++i) {
    const float scale = values.scales[i];
    if (!is_finite(scale) || is_zero(scale)) continue;
    const double magnitude = std::abs(double{scale});
    if (scheme != kSchemeMxfp && is_subnormal_scale(type, scale)) subnormal.add(i);
    if (magnitude * largest_factor(file.tensor, values, i) > kLargestFloat16) huge.add(i);
    const bool is_outlier = magnitude > *median * 65536 || magnitude < *median / 65536;
    if (values.scales.size() >= kFewBlocks && is_outlier) outliers.add(i);
  }
  const std::size_t all = values.scales.size();
  if (subnormal.count > 0) {
    add(report, "subnormal-scale", "scales are subnormal: legal, imprecise, and lost where flushed",
        {fmt::format("{}: {:.9g}", subnormal.words(all), values.scales[subnormal.first]),
         fmt::format("in {} such numbers have fewer significant bits than others",
                     element_type_name(type))},
        "A05, A08");
  }
  if (huge.count > 0) {
    add(report, "huge-scale", "scales are so large that values do not fit a float16",
        {fmt::format("{}: {:.9g}", huge.words(all), values.scales[huge.first]),
         "are the bytes of the scales in the right order and of the type that is named?"});
  }
  if (outliers.count > 0) {
    add(report, "scale-outlier", "some scales have nothing in common with the others",
        {fmt::format("{}: {:.9g}, where the middle one is {:.9g}", outliers.words(all),
                     values.scales[outliers.first], *median),
         "are the bytes of the scales in the right order and of the type that is named?"});
  }
}

// Legal in this scheme alone; the codes of such a block say nothing then.
void check_nf4_zero_scales(const QuantizedValues& values, LintReport& report) {
  Tally zero, lost;
  for (std::size_t i = 0; i < values.scales.size(); ++i) {
    if (!is_zero(values.scales[i])) continue;
    zero.add(i);
    if (!values.blocks[i].is_constant()) lost.add(i);
  }
  if (zero.count == 0) return;
  std::vector<std::string> evidence = {
      fmt::format("{} scales are zero", zero.words(values.scales.size()))};
  evidence.push_back(
      lost.count == 0
          ? "all codes of each such block are the same, as those of a block of zeros"
          : fmt::format("{} of these blocks have different codes, the first is block {}: what they "
                        "stood for is lost",
                        lost.count, lost.first));
  add(report, "nf4-zero-scale", "blocks have the scale 0, which is legal and makes every value 0",
      std::move(evidence), "HQ-NF4-011");
}

}  // namespace

void check_scales(const TensorFile& file, const QuantizedValues& values, LintReport& report) {
  check_equal_scales(file.tensor, values, report);
  check_scale_sizes(file, values, report);
  if (file.tensor.quantization.scheme_tag == kSchemeNf4) check_nf4_zero_scales(values, report);
}

namespace {

// Whether the code that all elements of a block have stands for 0.
bool is_zero_code(const Tensor& tensor, const QuantizedValues& values, std::size_t block) {
  const std::int64_t code = values.blocks[block].smallest;
  if (is_affine(tensor)) {
    return code == (values.zero_points.empty() ? 0 : values.zero_points[block]);
  }
  if (tensor.quantization.scheme_tag == kSchemeNf4) {
    return kNf4LevelBits[static_cast<std::size_t>(code)] == 0;
  }
  const auto bits = static_cast<std::uint8_t>(code);
  return is_zero(widen_element(tensor.type_tag, &bits, 0));
}

void check_constant_blocks(const Tensor& tensor, const QuantizedValues& values,
                           LintReport& report) {
  constexpr std::uint64_t kFewElements = 8;
  Tally constant, of_zeros;
  for (std::size_t i = 0; i < values.blocks.size(); ++i) {
    if (values.blocks[i].elements < kFewElements || !values.blocks[i].is_constant()) continue;
    // Those have a finding of their own.
    if (tensor.quantization.scheme_tag == kSchemeNf4 && is_zero(values.scales[i])) continue;
    constant.add(i);
    if (is_zero_code(tensor, values, i)) of_zeros.add(i);
  }
  if (constant.count == 0) return;
  add(report, "constant-block", "blocks have one code for all of their elements",
      {fmt::format("{}: {} elements with code {}", constant.words(values.blocks.size()),
                   values.blocks[constant.first].elements, values.blocks[constant.first].smallest),
       of_zeros.count == constant.count
           ? "they stand for 0 throughout: pruned, unused, or never filled in"
           : fmt::format("{} of them stand for 0, the others for another value: was the buffer "
                         "filled, and are blocks counted along the right axis?",
                         of_zeros.count)});
}

// Codes at the ends of their range, and how many bits these have.
struct Ends {
  std::uint64_t codes = 0;
  unsigned bits = 0;
};
Ends ends_of(const Tensor& tensor, const QuantizedValues& values) {
  const ElementTypeInfo& type = *find_element_type(tensor.type_tag);
  if (type.kind == ElementKind::kFloat) {
    // The largest finite magnitude of the type, either sign.
    float largest = 0;
    Ends ends{0, type.bits};
    for (const bool counting : {false, true}) {
      for (unsigned code = 0; code < 1u << type.bits; ++code) {
        const auto bits = static_cast<std::uint8_t>(code);
        const float magnitude = std::abs(widen_element(tensor.type_tag, &bits, 0));
        if (!is_finite(magnitude)) continue;
        if (!counting) largest = std::max(largest, magnitude);
        if (counting && magnitude == largest) ends.codes += values.code_counts[code];
      }
    }
    return ends;
  }
  if (type.bits > 8) return {values.at_type_ends, type.bits};
  const CodeRange range = code_range_of(tensor.type_tag, values.smallest, values.largest);
  const auto count = [&](std::int64_t code) {
    return values.code_counts[static_cast<std::uint64_t>(code) & ((1u << type.bits) - 1)];
  };
  // Symmetric quantization may leave one code at an end unused.
  Ends ends{0, range.bits};
  if (values.smallest <= range.smallest() + 1) ends.codes += count(values.smallest);
  if (values.largest >= range.largest() - 1) ends.codes += count(values.largest);
  return ends;
}

void check_saturation(const Tensor& tensor, const QuantizedValues& values, LintReport& report) {
  std::uint64_t block_elements = 0;
  for (const BlockSums& block : values.blocks) {
    block_elements = std::max(block_elements, block.elements);
  }
  if (values.smallest == values.largest) return;  // another check speaks
  const Ends ends = ends_of(tensor, values);
  const double share = static_cast<double>(ends.codes) / static_cast<double>(values.elements);
  const double usual = usual_share_at_ends(ends.bits, block_elements);
  if (share <= usual) return;
  add(report, "saturation",
      "very many codes are at the ends of their range, as if scales were too small",
      {fmt::format("{:.1f} % of the elements; up to {:.1f} % need no explanation with {}-bit codes "
                   "in blocks of {}",
                   100 * share, 100 * usual, ends.bits, block_elements)});
}

}  // namespace

void check_codes(const TensorFile& file, const QuantizedValues& values, LintReport& report) {
  check_constant_blocks(file.tensor, values, report);
  check_saturation(file.tensor, values, report);
}

}  // namespace hurray::conformance
