// SPDX-License-Identifier: Apache-2.0
//
// Families that survey valid tensors, drawn over everything that a descriptor combines: they are
// read, written and dequantized. What families of one property each do not cross is crossed here.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensor_draw.h"
#include "reference/dequantize_tensor.h"
#include "reference/tensor.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kSeeds = 420;

// The same in a data buffer of gigabytes, for what looks at the descriptor alone.
Drawn drawn_for_descriptors(std::uint64_t seed) {
  Drawn drawn = Draw(seed).valid();
  if (seed % 6 == 5) {
    drawn.parts.byte_offset += std::uint64_t{1} << 32;
    drawn.parts.buffers[0].byte_size += std::uint64_t{1} << 33;
  }
  return drawn;
}

std::vector<Draft> read() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn drawn = drawn_for_descriptors(seed);
    drafts.push_back({fmt::format("{:03}", seed),
                      {decode_tensor_request(drawn.parts) + std::string(watch(seed))}});
  }
  return drafts;
}

std::vector<Draft> written() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn drawn = drawn_for_descriptors(seed);
    const std::string request = encode_tensor_request(drawn.parts, drawn.scheme_keys);
    const std::size_t bytes = drawn.parts.bytes().size();
    drafts.push_back({fmt::format("{:03}", seed), {request}});
    if (seed % 7 > 2) continue;
    // As much room as is needed, and less.
    const std::size_t room = bytes - std::array<std::size_t, 3>{0, 1, bytes / 2}[seed % 7];
    drafts.push_back({fmt::format("{:03}/capacity-{}", seed, room),
                      {fmt::format("{} capacity={} fill=a5", request, room)}});
  }
  return drafts;
}

std::vector<Draft> values() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Draw draw(seed);
    const Drawn drawn = draw.valid();
    const std::vector<Bytes> buffers = draw.buffers_of(drawn);
    const std::size_t count = static_cast<std::size_t>(element_count(drawn.tensor).value());
    std::string request = dequantize_tensor_request(drawn.parts, count, buffers);
    if (seed % 16 == 5) request += " mode=permissive";
    if (seed % 4 == 1) request += " fill=a5";
    if (seed % 4 >= 2) request += seed % 4 == 2 ? " guard=after" : " guard=before";
    constexpr std::array<std::string_view, 6> kSchemes = {"none", "pta", "pca",
                                                          "pba",  "nf4", "mxfp"};
    const std::uint8_t scheme = drawn.parts.quantization ? drawn.parts.quantization->front() : 0;
    drafts.push_back({fmt::format("{}/{:03}", kSchemes[scheme], seed), {request}});
  }
  return drafts;
}

// Tensors without quantization, of every type that has real numbers, in every layout.
std::vector<Draft> plain() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kElementTypes) {
    if (type.bits > 64 || type.name == "complex64" || type.tag == 0x42) continue;
    for (const std::uint8_t layout : Octets{1, 2, 3}) {
      TensorParts parts = plain_tensor();
      parts.type = type.tag;
      parts.layout = layout;
      parts.shape = {4, 8};
      if (layout == 3) parts.strides = {1, 4};
      parts.byte_offset = layout == 2 ? 5 : 0;
      const Bytes data = noise(bytes_of(type, 32) + parts.byte_offset, type.tag * 3u + layout);
      parts.buffers[0].byte_size = data.size();
      drafts.push_back({fmt::format("{}/layout-{}", type.name, layout),
                        {dequantize_tensor_request(parts, 32, std::span(&data, 1))}});
    }
  }
  return drafts;
}

// One scale that is none, anywhere among good ones.
template <std::uint8_t scheme_tag>
std::vector<Draft> bad_scales() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; drafts.size() < 40; ++seed) {
    Draw draw(30000 + seed);
    const Drawn drawn = draw.valid();
    const auto scales = scale_array(drawn.tensor);
    if (!scales || scales->bytes == 0 || drawn.parts.shape.size() > 9) continue;
    if (drawn.tensor.quantization.scheme_tag != scheme_tag) continue;
    // Of a tensor without elements nobody need look at the scales; a shared entry has choices of
    // its own.
    const auto count = static_cast<std::size_t>(element_count(drawn.tensor).value());
    const auto points = zero_point_array(drawn.tensor);
    if (count == 0 || (points && points->buffer_index == scales->buffer_index)) continue;
    std::vector<Bytes> buffers = draw.buffers_of(drawn);
    const std::uint32_t width = scale_bytes(fields_of(drawn.tensor.quantization).scale_type_tag);
    const std::uint64_t entry = draw.below(scales->bytes / width);
    std::uint8_t* at = &buffers[scales->buffer_index]
                               [static_cast<std::size_t>(scales->offset_bytes + entry * width)];
    const std::size_t kind = static_cast<std::size_t>(draw.below(4));
    std::fill_n(at, width, std::uint8_t{0});
    constexpr std::array<std::string_view, 4> kKinds = {"zero", "minus-zero", "infinity", "nan"};
    const bool is_half = fields_of(drawn.tensor.quantization).scale_type_tag == 1;
    const std::array<std::uint16_t, 4> high = {
        0x0000, 0x8000, static_cast<std::uint16_t>(is_half ? 0x7c00 : 0x7f80),
        static_cast<std::uint16_t>(is_half ? 0xfe00 : 0xffc0)};
    if (width == 1) {
      *at = kind < 2 ? 0x00 : 0xff;
    } else {
      at[width - 2] = static_cast<std::uint8_t>(high[kind] & 0xff);
      at[width - 1] = static_cast<std::uint8_t>(high[kind] >> 8);
    }
    drafts.push_back({fmt::format("{:03}/entry-{}/{}", drafts.size(), entry, kKinds[kind]),
                      {dequantize_tensor_request(drawn.parts, count, buffers) + " fill=a5"}});
  }
  return drafts;
}

// One element too many or too few is asked for, or a buffer has a byte less than its handle says.
std::vector<Draft> other_sizes() {
  std::vector<Draft> drafts;
  TensorParts scalar = plain_tensor();
  scalar.shape = {};
  scalar.buffers[0].byte_size = 4;
  const std::array<Bytes, 1> one = {Bytes{0x00, 0x00, 0x80, 0x3f}};
  for (const std::size_t count : {0u, 1u, 2u}) {
    drafts.push_back({fmt::format("scalar/{}", count),
                      {dequantize_tensor_request(scalar, count, one) + " fill=a5"}});
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const Drawn drawn = draw.valid();
    const std::vector<Bytes> buffers = draw.buffers_of(drawn);
    const std::size_t count = static_cast<std::size_t>(element_count(drawn.tensor).value());
    const auto add = [&](std::string_view name, std::size_t asked, std::span<const Bytes> handed) {
      drafts.push_back({fmt::format("{:03}/{}", seed, name),
                        {dequantize_tensor_request(drawn.parts, asked, handed) + " fill=a5"}});
    };
    add("one-more", count + 1, buffers);
    if (count > 0) add("one-less", count - 1, buffers);
    if (count == 0) continue;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::vector<Bytes> shorter = buffers;
      shorter[i].pop_back();
      add(fmt::format("buffer-{}-short", i), count, shorter);
    }
  }
  return drafts;
}

// More than eight or sixteen bits count: elements, channels, offsets, strides; and all dimensions.
std::vector<Draft> large() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, TensorParts parts, std::size_t count, Bytes data) {
    parts.buffers = {{.byte_size = data.size()}};
    drafts.push_back(
        {std::string(name), {dequantize_tensor_request(parts, count, std::span(&data, 1))}});
  };
  TensorParts parts = plain_tensor();
  parts.type = 0x20;
  parts.shape = {7, 10001};
  add("bool", parts, 70007, [] {
    Bytes data = noise((70007 + 7) / 8, 1);
    data.back() &= 0x7f;
    return data;
  }());
  parts = per_tensor_tensor();
  parts.type = 0x4b;
  parts.quantization = descriptor(0x3dcccccd, 1);
  parts.shape = {66000};
  add("uint2", parts, 66000, noise(16500, 2));
  parts.shape = {2, 3};
  parts.layout = 3;
  parts.strides = {-40000, 1};
  parts.byte_offset = 10000;
  add("stride", parts, 6, noise(10001, 4));
  parts = per_tensor_tensor();
  parts.type = 0x4b;
  parts.quantization = descriptor(0x3dcccccd, 1);
  parts.shape = {8};
  parts.byte_offset = 16390;
  add("byte-offset", parts, 8, noise(16392, 3));
  TensorParts most = plain_tensor();
  most.layout = 3;
  most.shape.assign(64, 1);
  most.strides.assign(64, 7);
  most.shape.front() = 2;
  most.strides.front() = 3;
  most.shape.back() = 3;
  most.strides.back() = 1;
  add("rank-64", most, 6, noise(24, 5));
  SchemeSection section = per_channel_section();
  section.axis = 0;
  TensorParts channels = per_channel_tensor();
  channels.shape = {300, 2};
  channels.quantization = section.bytes();
  std::array<Bytes, 3> buffers = {noise(600, 6), Bytes(), Bytes(1200)};
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Bytes scale = le32(std::array{0x3c000000u + 0x1000u * i});
    buffers[1].insert(buffers[1].end(), scale.begin(), scale.end());
    buffers[2][4 * i] = static_cast<std::uint8_t>(i % 100);
  }
  for (std::size_t i = 0; i < 3; ++i) channels.buffers[i].byte_size = buffers[i].size();
  drafts.push_back({"channels", {dequantize_tensor_request(channels, 600, buffers)}});
  return drafts;
}

constexpr Family kFamilies[] = {
    {"survey/read", "a valid descriptor is refused, or a field of it read wrongly", read},
    {"survey/written", "a valid tensor is not written, or a field of it wrongly", written},
    {"survey/values", "an element of a valid tensor has another value", values},
    {"survey/plain", "an element of a tensor without quantization has another value", plain},
    {"survey/bad-scale/pca", "a scale that is none is computed with", bad_scales<2>},
    {"survey/bad-scale/pba", "a scale that is none is computed with", bad_scales<3>},
    {"survey/bad-scale/nf4", "a scale that is none is computed with", bad_scales<4>},
    {"survey/bad-scale/mxfp", "a scale that is none is computed with", bad_scales<5>},
    {"survey/other-sizes", "another number of elements, or a shorter buffer, is taken",
     other_sizes},
    {"survey/large", "places are counted in sixteen bits", large},
};

}  // namespace

std::span<const Family> tensor_survey_families() { return kFamilies; }

}  // namespace hurray::conformance
