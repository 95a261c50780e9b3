// SPDX-License-Identifier: Apache-2.0
//
// Do all targets read, write and dequantize tensors as the reference does?
//
// What a ruling leaves open, beside left_open.h: what has a finding below "must" may be accepted or
// refused. Values have to be those of some combination of A01 (int32 differences), A02 (uint32
// codes) and A36 (zeros of NF4). Where a buffer is shorter than its handle says, any refusal is
// right.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "conformance/runner/wire.h"
#include "fuzz/bytes.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/left_open.h"
#include "reference/dequantize_tensor.h"
#include "reference/element_type.h"
#include "reference/tensor.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

extern "C" const struct hurray_target hurray_target_reference;

namespace hurray::fuzz {
namespace {

constexpr std::size_t kMostDescriptor = 65536;
constexpr std::size_t kMostBytesOfABuffer = 4096;
constexpr std::size_t kMostElements = 4096;

Mismatch mismatch(std::string_view kind, const hurray_registry_row& row, std::string detail = {}) {
  return {kind, row.name, std::move(detail)};
}

bool same_handle(const hurray_buffer_handle& a, const hurray_buffer_handle& b) {
  return a.byte_size == b.byte_size && a.alignment == b.alignment && a.device_tag == b.device_tag &&
         a.sync_mode == b.sync_mode && a.memory_class == b.memory_class;
}

// The name of the first member that differs; empty if none that the descriptor has does.
std::string_view differing_member(const hurray_tensor& a, const hurray_tensor& b) {
  if (a.descriptor_length != b.descriptor_length) return "descriptor_length";
  if (a.version_major != b.version_major || a.version_minor != b.version_minor) return "version";
  if (a.type_tag != b.type_tag) return "type_tag";
  if (a.layout_tag != b.layout_tag) return "layout_tag";
  if (a.flags != b.flags) return "flags";
  if (a.rank != b.rank) return "rank";
  if (!std::equal(a.shape, a.shape + a.rank, b.shape)) return "shape";
  if (a.layout_tag == kLayoutStrided && !std::equal(a.strides, a.strides + a.rank, b.strides)) {
    return "strides";
  }
  if (a.byte_offset != b.byte_offset) return "byte_offset";
  if (a.buffer_count != b.buffer_count) return "buffer_count";
  if (!std::equal(a.buffers, a.buffers + a.buffer_count, b.buffers, same_handle)) return "buffers";
  if ((a.flags & kHasQuantization) != 0 && !same_fields(a.quantization, b.quantization)) {
    return "quantization";
  }
  if ((a.flags & kHasShard) != 0 &&
      !(std::equal(a.parent_shape, a.parent_shape + a.rank, b.parent_shape) &&
        std::equal(a.shard_offset, a.shard_offset + a.rank, b.shard_offset))) {
    return "shard";
  }
  if ((a.flags & kHasStatistics) != 0 && !std::ranges::equal(a.statistics, b.statistics)) {
    return "statistics";
  }
  if ((a.flags & kHasExtensionType) != 0 &&
      !std::ranges::equal(a.extension_type, b.extension_type)) {
    return "extension_type";
  }
  if ((a.flags & kHasCompositeMember) != 0 && a.member_role != b.member_role) return "member_role";
  return {};
}

// What the bytes are to readers.
struct Judged {
  std::uint32_t mode = HURRAY_MODE_STRICT;
  std::unique_ptr<Tensor> tensor = std::make_unique<Tensor>();
  Findings findings;
  std::unique_ptr<hurray_tensor> fields = std::make_unique<hurray_tensor>();  // if not refused

  bool must_be_refused() const { return findings.has_must(); }
  bool must_be_accepted() const { return findings.empty(); }
};

// Whether a target says that it reads tensors like this one; else it may refuse it (A61).
bool is_claimed(const struct hurray_target& target, const Judged& judged) {
  const Tensor& tensor = *judged.tensor;
  const ElementTypeInfo* const type = find_element_type(tensor.type_tag);
  const bool is_everybodys = type == nullptr || type->tier == 1;
  if (!is_everybodys && !has_type(target.tensor_types, tensor.type_tag)) return false;
  const bool is_known_layout = tensor.layout_tag < 32;
  if (!is_known_layout || (target.layouts >> tensor.layout_tag & 1) == 0) return false;
  const std::uint8_t scheme = tensor.has(kHasQuantization) ? tensor.quantization.scheme_tag : 0;
  if (scheme != 0 && scheme < 32 && (target.schemes >> scheme & 1) == 0) return false;
  return (target.modes & judged.mode) != 0 || judged.mode == HURRAY_MODE_STRICT;
}

std::optional<Mismatch> decoded_differently(const hurray_registry_row& row, const Judged& judged,
                                            Input bytes, Exactly<hurray_tensor>& out) {
  const hurray_status status =
      row.target->decode_tensor(judged.mode, bytes.data(), bytes.size(), out.data());
  if (status == HURRAY_OK && judged.must_be_refused()) return mismatch("accepts-invalid", row);
  if (status != HURRAY_OK && judged.must_be_accepted() && is_claimed(*row.target, judged)) {
    return mismatch("rejects-valid", row);
  }
  if (status != HURRAY_OK) {
    return out.is_untouched() ? std::nullopt : std::optional(mismatch("writes-on-error", row));
  }
  const std::string_view member = differing_member(*judged.fields, *out.data());
  if (member.empty()) return std::nullopt;
  return mismatch("wrong-fields", row, std::string(member));
}

// What was decoded, written and decoded again is the same, unless the writer has a reason to
// refuse.
std::optional<Mismatch> written_differently(const hurray_registry_row& row, const Judged& judged,
                                            Exactly<hurray_tensor>& tensor) {
  if (judged.mode != HURRAY_MODE_STRICT || row.target->encode_tensor == nullptr) return {};
  Exactly<> room(8192);
  std::size_t written = SIZE_MAX;
  const hurray_status status =
      row.target->encode_tensor(tensor.data(), room.data(), room.size(), &written);
  if (status != HURRAY_OK) {
    if (judged.must_be_accepted()) return mismatch("writer-refuses-valid", row);
    return room.is_untouched() && written == SIZE_MAX
               ? std::nullopt
               : std::optional(mismatch("writes-on-error", row));
  }
  if (written > room.size()) return mismatch("wrong-length", row);
  Judged again;
  parse_tensor(room.span().first(written), *again.tensor, again.findings);
  if (again.findings.has_at_least(Severity::kSoft)) return mismatch("writes-invalid", row);
  Exactly<hurray_tensor> fields(1);
  Exactly<> exact(room.span().first(written));
  if (hurray_target_reference.decode_tensor(judged.mode, exact.data(), exact.size(),
                                            fields.data()) != HURRAY_OK) {
    return mismatch("writes-invalid", row);
  }
  // The writer's own: its length, the version, and no trailing bytes.
  fields[0].descriptor_length = tensor[0].descriptor_length;
  fields[0].version_major = tensor[0].version_major;
  fields[0].version_minor = tensor[0].version_minor;
  const std::string_view member = differing_member(*judged.fields, fields[0]);
  if (member.empty()) return std::nullopt;
  return mismatch("writes-wrong-fields", row, std::string(member));
}

// Memory of buffer number `i`, made when it is first asked for.
Guarded& memory_of_buffer(std::size_t i) {
  static std::vector<std::unique_ptr<Guarded>> all;
  while (all.size() <= i) all.push_back(std::make_unique<Guarded>(kMostBytesOfABuffer));
  return *all[i];
}

// Buffers as the table has them, short ones of pseudorandom or equal bytes; targets find them at
// `pointers`.
struct Buffers {
  std::vector<Exactly<>> memory;
  std::vector<std::span<const std::uint8_t>> spans;
  std::vector<const std::uint8_t*> pointers;
  std::vector<std::uint64_t> sizes;
  bool are_whole = true;

  Buffers(const Tensor& tensor, std::uint8_t settings, std::size_t place) {
    std::uint32_t state = settings;
    for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
      are_whole &= tensor.buffers[i].byte_size <= kMostBytesOfABuffer;
      memory.emplace_back(static_cast<std::size_t>(
          std::min<std::uint64_t>(tensor.buffers[i].byte_size, kMostBytesOfABuffer)));
      for (std::uint8_t& byte : memory.back().span()) {
        state = state * 1664525 + 1013904223;
        byte = settings < 8 ? static_cast<std::uint8_t>(37 * settings)
                            : static_cast<std::uint8_t>(state >> 24);
      }
    }
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const std::span<const std::uint8_t> each = memory[i].span();
      spans.push_back(each);
      pointers.push_back(each.empty() ? nullptr : memory_of_buffer(i).holding(each, place));
      sizes.push_back(each.size());
    }
  }

  bool are_unchanged() const {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (sizes[i] > 0 && std::memcmp(pointers[i], spans[i].data(), spans[i].size()) != 0) {
        return false;
      }
    }
    return true;
  }
};

bool same_values(const Exactly<float>& a, const Exactly<float>& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(), same_value);
}

// Whether some legal choice gives these values.
bool are_values_of(const Tensor& tensor, const Buffers& buffers, const Exactly<float>& values) {
  Exactly<float> expected(values.size());
  for (unsigned choice = 0; choice < 8; ++choice) {
    Choices choices;
    if ((choice & 1) != 0) choices.difference_width = DifferenceWidth::kWrap;
    if ((choice & 2) != 0) choices.uint32_codes = Uint32Codes::kReinterpret;
    if ((choice & 4) != 0) choices.nf4_zeros = Nf4Zeros::kPositive;
    Findings findings;
    dequantize_tensor(tensor, buffers.spans, expected.data(), expected.size(), findings, choices);
    if (same_values(expected, values)) return true;
  }
  return false;
}

std::optional<Mismatch> dequantized_differently(const hurray_registry_row& row,
                                                const Judged& judged, const Buffers& buffers,
                                                const hurray_tensor& tensor, std::size_t count) {
  if (row.target->dequantize_tensor == nullptr) return std::nullopt;
  Findings findings;
  Exactly<float> expected(count);
  const bool can =
      dequantize_tensor(*judged.tensor, buffers.spans, expected.data(), count, findings);
  Exactly<float> values(count);
  const hurray_tensor_buffers handed = {static_cast<std::uint32_t>(buffers.sizes.size()),
                                        buffers.pointers.data(), buffers.sizes.data()};
  const hurray_status status =
      row.target->dequantize_tensor(judged.mode, &tensor, &handed, values.data(), count);
  if (!buffers.are_unchanged()) return mismatch("changes-input", row);
  if (status != HURRAY_OK) {
    if (can && findings.empty() && buffers.are_whole) return mismatch("values-refused", row);
    return values.is_untouched() ? std::nullopt : std::optional(mismatch("writes-on-error", row));
  }
  if (!can) return mismatch("values-of-invalid", row);
  if (!are_values_of(*judged.tensor, buffers, values)) return mismatch("wrong-values", row);
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> tensors_agree(Input input, Targets targets) {
  if (input.empty() || input.size() > kMostDescriptor) return std::nullopt;
  static Guarded memory(kMostDescriptor);
  const std::uint8_t settings = input.front();
  const std::size_t place = (settings & 0x80) != 0 ? Guarded::kAtStart : 0;
  Judged judged;
  if ((settings & 1) != 0) judged.mode = HURRAY_MODE_PERMISSIVE;
  const Input before = input.subspan(1);
  const Input bytes(memory.holding(before, place), before.size());
  parse_tensor(bytes, *judged.tensor, judged.findings,
               (settings & 1) != 0 ? Mode::kPermissive : Mode::kStrict);
  if (!judged.must_be_refused()) {
    hurray_target_reference.decode_tensor(judged.mode, bytes.data(), bytes.size(),
                                          judged.fields.get());
  }
  const std::optional<std::uint64_t> elements =
      judged.must_be_refused() ? std::nullopt : element_count(*judged.tensor);
  // A count that does not fit is refused, whatever it is.
  const auto count =
      static_cast<std::size_t>(elements && *elements <= kMostElements ? *elements : settings / 2u);
  std::optional<Buffers> buffers;
  if (!judged.must_be_refused()) buffers.emplace(*judged.tensor, settings >> 1, place);

  for (const hurray_registry_row& row : targets) {
    if (row.target->decode_tensor == nullptr) continue;
    Exactly<hurray_tensor> tensor(1);
    if (auto found = decoded_differently(row, judged, bytes, tensor)) return found;
    if (!std::ranges::equal(bytes, before)) return mismatch("changes-input", row);
    if (tensor.is_untouched()) continue;
    if (auto found = written_differently(row, judged, tensor)) return found;
    if (auto found = dequantized_differently(row, judged, *buffers, tensor[0], count)) return found;
  }
  return std::nullopt;
}

std::string tensor_request(Input input) {
  if (input.empty()) return {};
  return fmt::format("decode_tensor{} bytes={}", (input[0] & 1) != 0 ? " mode=permissive" : "",
                     conformance::to_hex(input.subspan(1)));
}

}  // namespace hurray::fuzz
