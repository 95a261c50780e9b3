// SPDX-License-Identifier: Apache-2.0
//
// Drawn tensors, see tensor_draw.h.

#include "conformance/runner/families/tensor_draw.h"

#include <algorithm>

#include <fmt/format.h>

#include "reference/dequantize_tensor.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostElements = 640;
constexpr std::size_t kMostBufferBytes = 6000;

}  // namespace

Drawn Draw::valid() {
  for (;;) {
    Drawn drawn;
    scheme_ = static_cast<std::uint8_t>(below(6));
    drawn.parts.type = type();
    draw_shape(drawn.parts);
    draw_layout(drawn.parts);
    draw_scheme(drawn);
    draw_sections(drawn.parts);
    if (settle(drawn)) return drawn;
  }
}

std::vector<Bytes> Draw::buffers_of(const Drawn& drawn) {
  std::vector<Bytes> buffers;
  for (const Handle& each : drawn.parts.buffers) {
    buffers.push_back(noise(static_cast<std::size_t>(each.byte_size), random_.next()));
  }
  fill_scales(drawn.tensor, buffers);
  fill_zero_points(drawn.tensor, buffers);
  clear_unused_bits(drawn.tensor, buffers);
  return buffers;
}

std::uint8_t Draw::type() {
  switch (scheme_) {
    case 0:
      return one_of(std::array<std::uint8_t, 22>{1,    2,    3,    4,    0x10, 0x11, 0x12, 0x13,
                                                 0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x43,
                                                 0x44, 0x45, 0x48, 0x49, 0x4a, 0x4b});
    case 1:
    case 2:
      return one_of(
          std::array<std::uint8_t, 10>{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b});
    case 3:
      return one_of(std::array<std::uint8_t, 6>{0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b});
    case 4:
      return one_of(std::array<std::uint8_t, 2>{0x48, 0x49});
    default:
      return one_of(std::array<std::uint8_t, 7>{0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48});
  }
}

void Draw::draw_shape(TensorParts& parts) {
  const std::size_t rank = one_of(
      std::array<std::size_t, 20>{0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 9, 17, 64});
  if (scheme_ >= 2 && rank == 0) return draw_shape(parts);
  parts.shape.assign(rank, 1);
  axis_ = static_cast<std::uint32_t>(rank > 0 ? below(rank) : 0);
  // Usual block sizes, and some large ones.
  const std::uint64_t larger = one_in(6) ? 4 : 0;
  block_size_ = scheme_ == 5   ? 16u << below(3 + larger)
                : scheme_ == 4 ? 8u << below(3 + larger)
                               : 2u << below(5 + larger);
  std::uint64_t elements = 1;
  if (scheme_ >= 3) {
    elements = parts.shape[axis_] = block_size_ * (1 + below(4));
  } else if (scheme_ == 2) {
    elements = parts.shape[axis_] = 1 + below(one_in(6) ? 300 : 9);
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == axis_ && scheme_ >= 2) continue;
    const std::uint64_t size = 1 + below(rank > 6 ? (one_in(4) ? 3 : 1) : 8);
    if (elements * size > kMostElements) continue;
    elements *= parts.shape[i] = size;
  }
  if (rank > 0 && one_in(20)) parts.shape[below(rank)] = 0;
}

void Draw::draw_layout(TensorParts& parts) {
  parts.layout = static_cast<std::uint8_t>(1 + below(3));
  parts.byte_offset = one_in(3) ? below(50) : 0;
  if (parts.layout != 3) return;
  const std::size_t rank = parts.shape.size();
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  parts.strides.assign(rank, 0);
  std::int64_t step = 1;
  for (const std::size_t i : order) {
    if (one_in(9)) continue;
    parts.strides[i] = one_in(4) ? -step : step;
    if (parts.shape[i] == 1 && one_in(3)) parts.strides[i] *= (std::int64_t{1} << 40) + 3;
    step *= static_cast<std::int64_t>(std::max<std::uint64_t>(parts.shape[i], 1));
    if (one_in(5)) step += static_cast<std::int64_t>(below(4));
  }
}

void Draw::draw_scheme(Drawn& drawn) {
  TensorParts& parts = drawn.parts;
  parts.buffers.assign(1, Handle{});
  if (scheme_ == 0) return;
  if (scheme_ == 1) {
    const auto info = find_storage_type(parts.type);
    const std::vector<std::int32_t> zero_points = legal_zero_points(*info);
    const std::uint32_t scale =
        one_in(8) ? 0x00400000u : 0x3a000000u + static_cast<std::uint32_t>(below(0x0b000000));
    const std::uint32_t sign = one_in(5) ? 0x80000000u : 0;
    const std::int32_t zero_point = zero_points[below(zero_points.size())];
    parts.quantization = descriptor(scale | sign, zero_point);
    drawn.scheme_keys =
        fmt::format("scheme=1 scale={:08x} zero_point={}", scale | sign, zero_point);
    return;
  }
  SchemeSection section;
  section.scheme_tag = scheme_;
  section.axis = axis_;
  section.block_size = block_size_;
  section.scale_type_tag = static_cast<std::uint8_t>(1 + below(3));
  parts.buffers.assign(scheme_ <= 3 ? 3 : 2, Handle{});
  if (scheme_ <= 3 && one_in(3)) {
    section.flags = 1;
    section.zero_point_buffer_index = kNoIndex;
    parts.buffers.assign(2, Handle{});
  } else if (scheme_ <= 3 && one_in(6)) {
    section.zero_point_buffer_index = 1;
    parts.buffers.assign(2, Handle{});
  } else if (scheme_ <= 3 && one_in(2)) {
    std::swap(section.scale_buffer_index, section.zero_point_buffer_index);
  }
  parts.quantization = section.bytes();
  drawn.scheme_keys = section.keys();
}

void Draw::draw_sections(TensorParts& parts) {
  if (one_in(4)) {
    for (const std::uint64_t size : parts.shape) {
      const std::uint64_t before = below(3) << (one_in(4) ? 40 : 0);
      parts.shard_offset.push_back(before);
      parts.parent_shape.push_back(before + size + below(3));
    }
  }
  if (one_in(5)) {
    parts.statistics = noise(72, random_.next());
    std::fill_n(parts.statistics->begin(), 4, std::uint8_t{0});
    parts.statistics->front() = static_cast<std::uint8_t>(below(64));
  }
  if (one_in(5)) {
    parts.member = Bytes(16);
    parts.member->front() = static_cast<std::uint8_t>(below(2));
  }
  for (Handle& each : parts.buffers) each.alignment = 64u << (one_in(3) ? below(24) : 0);
  if (!one_in(6)) return;
  const auto device = static_cast<std::uint8_t>(one_in(3) ? 0xf0 + below(15) : 1 + below(8));
  const bool is_usual = one_in(2);
  const auto memory_class = static_cast<std::uint8_t>(is_usual ? 0 : below(4));
  for (Handle& each : parts.buffers) {
    each.device_tag = device;
    each.memory_class = memory_class;
    each.sync_mode = static_cast<std::uint8_t>(is_usual ? 0 : below(3));
  }
}

bool Draw::settle(Drawn& drawn) {
  TensorParts& parts = drawn.parts;
  Findings ignored;
  for (Handle& each : parts.buffers) each.byte_size = kMostBufferBytes;
  parse_tensor(parts.bytes(), drawn.tensor, ignored);
  const auto extent = extent_of(drawn.tensor);
  const auto bits = find_element_type(parts.type)->bits;
  if (extent && extent->below > 0) parts.byte_offset += (extent->below * bits + 7) / 8;
  parse_tensor(parts.bytes(), drawn.tensor, ignored);
  parts.buffers[0].byte_size = needed_data_bytes(drawn.tensor).value_or(0);
  // A tensor without elements may have an offset, and more bytes than it needs.
  parts.buffers[0].byte_size = std::max(parts.buffers[0].byte_size, parts.byte_offset);
  if (one_in(5)) parts.buffers[0].byte_size += below(20);
  for (std::size_t i = 1; i < parts.buffers.size(); ++i) parts.buffers[i].byte_size = 0;
  for (const auto& array : {scale_array(drawn.tensor), zero_point_array(drawn.tensor)}) {
    if (array) parts.buffers[array->buffer_index].byte_size += array->bytes;
  }
  Findings findings;
  parse_tensor(parts.bytes(), drawn.tensor, findings);
  for (const Handle& each : parts.buffers) {
    if (each.byte_size > kMostBufferBytes) return false;
  }
  return !findings.has_at_least(Severity::kSoft);
}

void Draw::fill_scales(const Tensor& tensor, std::vector<Bytes>& buffers) {
  const auto array = scale_array(tensor);
  if (!array) return;
  const std::uint8_t type = fields_of(tensor.quantization).scale_type_tag;
  const std::uint32_t width = scale_bytes(type);
  const bool is_nf4 = tensor.quantization.scheme_tag == kSchemeNf4;
  Bytes& bytes = buffers[array->buffer_index];
  for (std::uint64_t at = 0; at + width <= array->bytes; at += width) {
    const std::uint32_t sign = one_in(5) && !is_nf4 ? 0x8000 : 0;
    std::uint32_t high =
        static_cast<std::uint32_t>(type == 1   ? 1 + below(one_in(8) ? 0x3ff : 0x7bff)
                                   : one_in(8) ? 1 + below(0x7f)
                                               : 0x3a00 + below(0x0b00));
    high |= sign;
    std::uint8_t* to = &bytes[static_cast<std::size_t>(array->offset_bytes + at)];
    if (width == 1) {
      to[0] = static_cast<std::uint8_t>(one_in(6) ? 1 + below(254) : 110 + below(30));
      continue;
    }
    to[width - 2] = static_cast<std::uint8_t>(high);
    to[width - 1] = static_cast<std::uint8_t>(high >> 8);
  }
}

void Draw::fill_zero_points(const Tensor& tensor, std::vector<Bytes>& buffers) {
  const auto array = zero_point_array(tensor);
  if (!array) return;
  const std::vector<std::int32_t> legal = legal_zero_points(*find_storage_type(tensor.type_tag));
  Bytes& bytes = buffers[array->buffer_index];
  for (std::uint64_t at = 0; at + 4 <= array->bytes; at += 4) {
    const auto value = static_cast<std::uint32_t>(legal[below(legal.size())]);
    for (unsigned i = 0; i < 4; ++i) {
      bytes[static_cast<std::size_t>(array->offset_bytes + at) + i] =
          static_cast<std::uint8_t>(value >> 8 * i);
    }
  }
}

void Draw::clear_unused_bits(const Tensor& tensor, std::vector<Bytes>& buffers) {
  const std::vector<std::span<const std::uint8_t>> spans(buffers.begin(), buffers.end());
  Findings findings;
  judge_contents(tensor, spans, findings);
  if (!findings.has(hurray::Behaviour::kUnusedBits)) return;
  const std::size_t end = static_cast<std::size_t>(needed_data_bytes(tensor).value_or(0));
  for (std::size_t i = 0; i < 3 && i < end; ++i) buffers[0][end - 1 - i] = 0;
}

}  // namespace hurray::conformance
