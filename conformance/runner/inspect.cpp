// SPDX-License-Identifier: Apache-2.0
//
// Bytes, map and findings together, see inspect.h. A reader may stop at the first thing that it
// does not understand; a person wants to see what else is wrong, so reading goes on as far as it
// can.

#include "conformance/runner/inspect.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "conformance/runner/finding_places.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/tensor.h"
#include "reference/tensor_members.h"

namespace hurray::conformance {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic = {0x48, 0x52, 0x52, 0x59};
constexpr std::size_t kLengthAt = 6;

bool has_one_of(const Findings& findings, std::initializer_list<Status> statuses) {
  return std::ranges::any_of(statuses, [&](Status status) { return findings.has(status); });
}

// What a reader finds that goes on where a magic or a length is wrong.
void find_all(std::span<const std::uint8_t> bytes, Tensor& tensor, Findings& findings) {
  parse_tensor(bytes, tensor, findings);
  if (!has_one_of(findings, {Status::kMagic, Status::kDescriptorLength})) return;
  Bytes mended(bytes.begin(), bytes.end());
  std::ranges::copy(kMagic, mended.begin());
  const bool length_is_wrong = load_le32(&mended[kLengthAt]) < kTensorHeaderBytes;
  if (length_is_wrong) store_le32(&mended[kLengthAt], static_cast<std::uint32_t>(bytes.size()));
  Findings others;
  parse_tensor(mended, tensor, others);
  if (length_is_wrong) findings.must(Status::kDescriptorLength, "HQ-MD-007");
  for (const Finding& each : others.all()) {
    // Where the descriptor ends is not known then.
    if (!length_is_wrong || each.status != Status::kTrailingBytes) findings.add(each);
  }
}

// What can be said about the fields that are there, although others are not or mean nothing.
std::vector<Finding> found_in_part(const Tensor& tensor, const Findings& so_far) {
  if (!has_one_of(so_far, {Status::kSectionCut, Status::kRankTooLarge, Status::kLayoutUnknown})) {
    return {};
  }
  Findings findings;
  judge_members(tensor, findings);
  if (is_known_scheme(tensor.quantization.scheme_tag)) {
    judge_scheme(tensor, findings, Mode::kStrict);
  }
  // Behind rank and layout nothing was read.
  const bool only_header = so_far.has(Status::kRankTooLarge) || so_far.has(Status::kLayoutUnknown);
  std::vector<Finding> found;
  for (const Finding& each : findings.all()) {
    const bool is_of_header =
        each.status == Status::kTensorFlag || each.status == Status::kElementTypeUnknown ||
        each.status == Status::kExtensionTypeMismatch || each.status == Status::kPrivateType ||
        each.status == Status::kRankTooLarge || each.status == Status::kLayoutUnknown;
    if (is_of_header || !only_header) found.push_back(each);
  }
  return found;
}

void sort_findings(Inspection& inspection) {
  const auto key = [](const PlacedFinding& each) {
    const std::size_t first = each.fields.empty() ? 0 : each.fields.front();
    return std::tuple(each.finding.severity, first, each.finding.requirement);
  };
  std::ranges::sort(inspection.findings, {}, key);
}

std::string scheme_summary(const Quantization& quantization) {
  const SchemeFields fields = fields_of(quantization);
  std::string words = fmt::format("quantized by {}", scheme_name(quantization.scheme_tag));
  if (fields.axis.has_value()) words += fmt::format(" along axis {}", *fields.axis);
  if (fields.block_size.has_value()) words += fmt::format(" in blocks of {}", *fields.block_size);
  return words;
}

// What a buffer is for stands far from its size, in other sections.
void name_buffers(const Tensor& tensor, ByteMap& map) {
  const SchemeFields fields = fields_of(tensor.quantization);
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
    std::string purpose = i == 0 ? ", data" : "";
    if (fields.scale_buffer_index == i) purpose += ", scales";
    if (fields.zero_point_buffer_index == i) purpose += ", zero points";
    const auto field = map.find(Section::kBufferTable, fmt::format("buffers[{}].byte_size", i));
    if (field) map.fields[*field].value += purpose;
  }
}

// Scheme 01 needs nothing else to say what codes stand for.
std::string codes_words(std::uint8_t type_tag, const PerTensorAffine& descriptor) {
  const StorageTypeInfo& info = *find_storage_type(type_tag);
  const auto real = [&](std::int64_t q) {
    return descriptor.scale * static_cast<float>(q - descriptor.zero_point);
  };
  return fmt::format("code {} stands for 0; codes {} to {} for {:.9g} to {:.9g}",
                     descriptor.zero_point, info.min, info.max, real(info.min), real(info.max));
}

}  // namespace

std::string tensor_summary(const Tensor& tensor) {
  std::vector<std::string> dimensions;
  for (std::uint32_t d = 0; d < tensor.rank; ++d) {
    dimensions.push_back(dimension_words(tensor.shape[d]));
  }
  return fmt::format("{} [{}], {}, {} buffer{}{}", element_type_name(tensor.type_tag),
                     fmt::join(dimensions, ", "), layout_name(tensor.layout_tag),
                     tensor.buffer_count, tensor.buffer_count == 1 ? "" : "s",
                     tensor.has(kHasQuantization) ? ", " + scheme_summary(tensor.quantization)
                                                  : ", not quantized");
}

bool Inspection::is_valid() const {
  return std::ranges::none_of(findings, [](const PlacedFinding& each) {
    return each.finding.severity == Severity::kMust || each.finding.severity == Severity::kSoft;
  });
}

bool is_tensor_descriptor(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= kMagic.size() && std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

std::string severity_words(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kMust:
      return "must be refused";
    case Severity::kSoft:
      return "should be refused";
    case Severity::kOpen:
      return fmt::format("may be refused (behaviour {})", name_of(finding.behaviour));
    case Severity::kLenient:
      return "should not be refused";
  }
  return {};
}

std::string_view relation_words(const Finding& finding) {
  const bool is_broken = finding.severity == Severity::kMust || finding.severity == Severity::kSoft;
  return is_broken ? "breaks" : "see";
}

Inspection inspect_tensor(std::span<const std::uint8_t> bytes) {
  Inspection inspection;
  inspection.bytes.assign(bytes.begin(), bytes.end());
  inspection.map = map_tensor(bytes);
  Tensor tensor;
  Findings findings;
  find_all(bytes, tensor, findings);
  for (const Finding& each : findings.all()) {
    Places places = places_of(each, tensor, inspection.map);
    inspection.findings.push_back({each, std::move(places.fields), std::move(places.detail)});
  }
  for (const Finding& each : found_in_part(tensor, findings)) {
    if (std::ranges::find(findings.all(), each) != findings.all().end()) continue;
    Places places = places_of(each, tensor, inspection.map);
    const bool all_there =
        !places.fields.empty() && std::ranges::all_of(places.fields, [&](std::size_t i) {
          return inspection.map.fields[i].is_whole();
        });
    if (!all_there) continue;
    inspection.findings.push_back({each, std::move(places.fields), std::move(places.detail)});
  }
  sort_findings(inspection);

  const bool is_read =
      !has_one_of(findings, {Status::kTruncated, Status::kMajorVersion, Status::kRankTooLarge,
                             Status::kLayoutUnknown, Status::kSectionCut});
  if (is_read) {
    inspection.summary = tensor_summary(tensor);
    name_buffers(tensor, inspection.map);
  }
  const std::uint64_t own = is_read ? tensor.descriptor_length : bytes.size();
  inspection.title = fmt::format("tensor descriptor of {}", byte_count_words(own));
  if (inspection.is_valid() && tensor.has(kHasQuantization) &&
      tensor.quantization.scheme_tag == kSchemePerTensorAffine) {
    inspection.meaning = codes_words(tensor.type_tag, tensor.quantization.per_tensor_affine);
  }
  return inspection;
}

Inspection inspect_quantization(std::uint8_t type_tag, std::span<const std::uint8_t> bytes) {
  Inspection inspection;
  inspection.bytes.assign(bytes.begin(), bytes.end());
  inspection.map = map_quantization(bytes);
  Tensor tensor;
  tensor.type_tag = type_tag;
  Findings findings;
  parse_quantization(bytes, type_tag, tensor.quantization, findings);
  for (const Finding& each : findings.all()) {
    Places places = places_of(each, tensor, inspection.map);
    inspection.findings.push_back({each, std::move(places.fields), std::move(places.detail)});
  }
  sort_findings(inspection);
  inspection.title = fmt::format("quantization descriptor of {}", byte_count_words(bytes.size()));
  inspection.summary = fmt::format("storage type {:02x} {}", type_tag, element_type_name(type_tag));
  if (bytes.empty()) return inspection;
  inspection.summary += fmt::format(", {}", scheme_name(bytes[0]));
  if (inspection.is_valid() && bytes[0] == kSchemePerTensorAffine) {
    inspection.meaning = codes_words(type_tag, tensor.quantization.per_tensor_affine);
  }
  return inspection;
}

}  // namespace hurray::conformance
