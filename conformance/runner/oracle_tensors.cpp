// SPDX-License-Identifier: Apache-2.0
//
// What may be answered about whole tensors, and about conversion.

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "conformance/runner/oracle_findings.h"
#include "conformance/runner/oracle_tensor.h"
#include "reference/byte_order.h"
#include "reference/convert.h"
#include "reference/dequantize_tensor.h"
#include "reference/element_type.h"
#include "reference/tensor.h"

namespace hurray::conformance {
namespace {

Mode mode_of(const ReadRequest& request) {
  return request.fields.find("mode") ? Mode::kPermissive : Mode::kStrict;
}

std::string words_hex(std::span<const std::uint64_t> words) {
  Bytes bytes(8 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) store_le64(&bytes[8 * i], words[i]);
  return to_hex(bytes);
}

std::string handles_hex(const Tensor& tensor) {
  Bytes bytes(kBufferHandleBytes * tensor.buffer_count);
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
    std::uint8_t* to = &bytes[kBufferHandleBytes * i];
    const BufferHandle& handle = tensor.buffers[i];
    store_le64(to, handle.byte_size);
    store_le32(to + 8, handle.alignment);
    to[12] = handle.device_tag;
    to[13] = handle.sync_mode;
    to[14] = handle.memory_class;
  }
  return to_hex(bytes);
}

std::string tensor_fields(const Tensor& tensor) {
  const std::span<const std::uint64_t> shape(tensor.shape.data(), tensor.rank);
  std::string text =
      fmt::format("length={} version={}.{} type={:02x} layout={} shape={} byte_offset={}",
                  tensor.descriptor_length, tensor.version_major, tensor.version_minor,
                  tensor.type_tag, tensor.layout_tag, words_hex(shape), tensor.byte_offset);
  if (tensor.layout_tag == kLayoutStrided) {
    std::vector<std::uint64_t> strides(tensor.rank);
    std::transform(tensor.strides.begin(), tensor.strides.begin() + tensor.rank, strides.begin(),
                   [](std::int64_t stride) { return static_cast<std::uint64_t>(stride); });
    text += " strides=" + words_hex(strides);
  }
  text += " buffers=" + handles_hex(tensor);
  if (tensor.has(kHasQuantization)) text += " " + quantization_fields(tensor.quantization);
  if (tensor.has(kHasShard)) {
    text += fmt::format(" parent_shape={} shard_offset={}",
                        words_hex({tensor.parent_shape.data(), tensor.rank}),
                        words_hex({tensor.shard_offset.data(), tensor.rank}));
  }
  if (tensor.has(kHasStatistics)) text += " statistics=" + to_hex(tensor.statistics);
  if (tensor.has(kHasCompositeMember)) {
    text += fmt::format(" member_role={:02x}", tensor.member_role);
  }
  if (tensor.has(kHasExtensionType)) text += " extension_type=" + to_hex(tensor.extension_type);
  return text;
}

// The words of an array; its length in words is returned.
template <typename Word>
std::uint32_t read_words(const ReadRequest& request, std::string_view key,
                         std::array<Word, kMostRank>& words) {
  const Bytes bytes = request.array_of(key);
  if (bytes.size() % 8 != 0 || bytes.size() / 8 > words.size()) {
    throw SuiteError(fmt::format("{}= is not an array of at most 64 words", key));
  }
  for (std::size_t i = 0; i < bytes.size() / 8; ++i) {
    words[i] = static_cast<Word>(load_le64(&bytes[8 * i]));
  }
  return static_cast<std::uint32_t>(bytes.size() / 8);
}

void read_handles(const ReadRequest& request, Tensor& tensor) {
  const Bytes bytes = request.array_of("buffers");
  tensor.buffer_count = static_cast<std::uint32_t>(bytes.size() / kBufferHandleBytes);
  if (bytes.size() % kBufferHandleBytes != 0 || tensor.buffer_count > kMostBuffers) {
    throw SuiteError("buffers= is not an array of handles");
  }
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
    const std::uint8_t* from = &bytes[kBufferHandleBytes * i];
    tensor.buffers[i] = {load_le64(from), load_le32(from + 8), from[12], from[13], from[14]};
  }
}

template <std::size_t size>
void read_section(const ReadRequest& request, std::string_view key, std::uint32_t flag,
                  Tensor& tensor, std::array<std::uint8_t, size>& section) {
  if (!request.fields.find(key)) return;
  const Bytes bytes = request.array_of(key);
  if (bytes.size() != size) throw SuiteError(fmt::format("{}= has another length", key));
  std::copy(bytes.begin(), bytes.end(), section.begin());
  tensor.flags |= flag;
}

void read_tensor(const ReadRequest& request, Tensor& tensor) {
  tensor.type_tag = request.type;
  tensor.layout_tag = static_cast<std::uint8_t>(request.number_of("layout"));
  tensor.rank = read_words(request, "shape", tensor.shape);
  read_words(request, "strides", tensor.strides);
  tensor.byte_offset = request.number_of("byte_offset");
  read_handles(request, tensor);
  if (request.fields.find("scheme")) {
    tensor.flags |= kHasQuantization;
    tensor.quantization = quantization_of(request);
  }
  if (request.fields.find("parent_shape")) {
    tensor.flags |= kHasShard;
    read_words(request, "parent_shape", tensor.parent_shape);
    read_words(request, "shard_offset", tensor.shard_offset);
  }
  read_section(request, "statistics", kHasStatistics, tensor, tensor.statistics);
  read_section(request, "extension_type", kHasExtensionType, tensor, tensor.extension_type);
  if (request.fields.find("member_role")) {
    tensor.flags |= kHasCompositeMember;
    tensor.member_role = static_cast<std::uint8_t>(request.pattern_of("member_role", 2));
  }
}

}  // namespace

std::vector<Alternative> decode_tensor_answers(const ReadRequest& request) {
  const auto tensor = std::make_unique<Tensor>();
  Findings findings;
  parse_tensor(request.bytes, *tensor, findings, mode_of(request));
  std::vector<Alternative> alternatives = answers_of_reader(
      request, findings, {}, [&](const Combination&) { return "ok " + tensor_fields(*tensor); });
  // Not to know a scheme is as good as to refuse it, and tells nothing of what else is refused.
  if (findings.has(hurray::Behaviour::kUnknownScheme) && alternatives.size() > 1) {
    add_unsupported(alternatives);
    if (!findings.has(Severity::kSoft))
      alternatives.back().shows = {{"unknown-scheme", {"refuse"}}};
  }
  return alternatives;
}

std::vector<Alternative> encode_tensor_answers(const ReadRequest& request) {
  // More than any descriptor has is refused, whatever else it is.   [HQ-MD-019, 027]
  if (request.array_of("shape").size() / 8 > kMostRank ||
      request.array_of("buffers").size() / kBufferHandleBytes > kMostBuffers) {
    return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  }
  const auto tensor = std::make_unique<Tensor>();
  read_tensor(request, *tensor);
  const bool is_other = normalize_symmetric_index(tensor->quantization);
  Findings findings;
  judge_tensor(*tensor, findings);
  if (is_other) {
    findings.open(hurray::Behaviour::kSymmetricIndex, Status::kSymmetricWithIndex, "HQ-PCA-006");
  }
  if (findings.for_writer() != Status::kOk) return answers_of_writer(request, findings, {});
  Bytes bytes(encoded_tensor_bytes(*tensor));
  std::size_t written = 0;
  if (encode_tensor(*tensor, bytes, written) != Status::kOk) {
    throw SuiteError("the reference does not write what it finds nothing wrong with");
  }
  bytes.resize(written);
  if (request.capacity && *request.capacity < written) return refuse_or_unsupported(request);
  return answers_of_writer(request, findings, "ok bytes=" + to_hex(bytes));
}

std::vector<Alternative> dequantize_tensor_answers(const ReadRequest& request) {
  const auto tensor = std::make_unique<Tensor>();
  Findings findings;
  parse_tensor(request.bytes, *tensor, findings, mode_of(request));
  if (findings.has_must()) return answers_of_reader(request, findings, {}, {});

  std::vector<Bytes> buffers;
  for (unsigned i = 0; i < kMostBuffersSent; ++i) {
    const std::string* text = request.fields.find(fmt::format("b{}", i));
    if (!text) break;
    if (text->starts_with("none:")) {
      // Nobody has any business with it, so what stands there does not matter.
      buffers.emplace_back(static_cast<std::size_t>(parse_decimal(text->substr(5)).value()));
    } else {
      buffers.push_back(*text == "null" ? Bytes{} : request.array_of(fmt::format("b{}", i)));
    }
  }
  const std::vector<std::span<const std::uint8_t>> spans(buffers.begin(), buffers.end());
  Floats out(request.count);
  const bool can = dequantize_tensor(*tensor, spans, out.data(), out.size(), findings);
  if (!can) {
    // Of a scheme that was stepped over nobody knows values, and nobody needs to.
    if (findings.has(Status::kNoValues)) return refuse_or_unsupported(request);
    return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  }
  const std::uint8_t scheme = tensor->has(kHasQuantization) ? tensor->quantization.scheme_tag : 0;
  std::vector<Behaviour> more;
  if (scheme == kSchemePerBlockAffine ||
      (scheme != 0 && scheme <= kSchemePerChannelAffine &&
       info_of(static_cast<StorageType>(tensor->type_tag)).bits == 32)) {
    more.push_back({"int32-difference", {"widen", "wrap"}});
  }
  if (scheme != 0 && scheme <= kSchemePerChannelAffine &&
      tensor->type_tag == static_cast<std::uint8_t>(StorageType::kUint32)) {
    more.push_back({"uint32-codes", {"reinterpret", "unsigned"}});
  }
  if (scheme == kSchemeNf4) more.push_back({"nf4-zero-sign", {"ieee", "positive"}});
  return answers_of_reader(request, findings, more, [&](const Combination& combination) {
    Findings again;
    dequantize_tensor(*tensor, spans, out.data(), out.size(), again, choices_of(combination));
    Floats values = out;
    spell_nans_alike(values);
    return "ok out=" + floats_to_hex(values);
  });
}

bool has_sub_byte_type(const ReadRequest& request) {
  const ElementTypeInfo* type = find_element_type(request.type);
  return type != nullptr && type->bits < 8;
}

std::vector<Alternative> convert_answers(const ReadRequest& request) {
  std::vector<std::uint64_t> shape;
  const Bytes shape_bytes = request.array_of("shape");
  for (std::size_t i = 0; i + 8 <= shape_bytes.size(); i += 8) {
    shape.push_back(load_le64(&shape_bytes[i]));
  }
  std::vector<std::uint32_t> group_index;
  const Bytes index_bytes = request.array_of("group_index");
  for (std::size_t i = 0; i + 4 <= index_bytes.size(); i += 4) {
    group_index.push_back(load_le32(&index_bytes[i]));
  }
  const Bytes weights = request.array_of("weights");
  const Bytes scales = request.array_of("scales");
  const Bytes plane = request.array_of("plane");
  const Bytes super_scales = request.array_of("super_scales");
  ForeignTensor foreign;
  foreign.type_tag = request.type;
  foreign.scale_type_tag = static_cast<std::uint8_t>(request.pattern_of("scale_type_tag", 2));
  foreign.shape = shape;
  foreign.axis = static_cast<std::uint32_t>(request.number_of("axis"));
  foreign.group_size = static_cast<std::uint32_t>(request.number_of("group_size"));
  foreign.zero_point_format = {request.bits, request.bias, request.high_field_first};
  foreign.group_major = request.number_of("group_major") != 0;
  foreign.word_bytes = static_cast<std::uint32_t>(request.number_of("word_bytes"));
  foreign.weights = weights;
  foreign.scales = scales;
  foreign.zero_points = plane;
  if (request.fields.find("group_index")) foreign.group_index = group_index;
  foreign.super_scales = super_scales;

  const std::uint64_t blocks = converted_block_count(foreign).value_or(0);
  Bytes descriptor(256 + 8 * shape.size());
  Bytes copied(weights.size());
  Floats converted_scales(blocks);
  std::vector<std::int32_t> zero_points(blocks);
  ConvertedTensor out;
  out.descriptor = descriptor;
  out.weights = copied.data();
  out.scales = converted_scales.data();
  out.zero_points = zero_points.data();
  std::vector<Alternative> alternatives;
  if (convert(foreign, out) != Status::kOk) {
    alternatives.push_back({reject_line(request), CaseVerdict::kPass, {}, {}});
  } else {
    descriptor.resize(out.descriptor_bytes);
    alternatives.push_back(
        {fmt::format("ok bytes={} b0={} b1={} b2={}", to_hex(descriptor), to_hex(copied),
                     floats_to_hex(converted_scales), int32s_to_hex(zero_points)) +
             ok_suffix(request),
         CaseVerdict::kPass,
         {},
         {}});
  }
  // A target need not know more than the recipe's form (A27), nor every storage type (A61).
  const bool is_recipe = request.bits == 4 && !request.high_field_first && !foreign.group_major &&
                         foreign.word_bytes == 1 && !has_sub_byte_type(request);
  if (!is_recipe) add_unsupported(alternatives);
  return alternatives;
}

}  // namespace hurray::conformance
