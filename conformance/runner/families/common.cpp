// SPDX-License-Identifier: Apache-2.0
//
// What the families share, see families.h.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/families/tensors.h"
#include "conformance/runner/wire.h"
#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kInputsPerRequest = 1000;

// Neighbours at a distance of `steps` floats.
float step(float value, int steps) {
  const float towards = steps < 0 ? -INFINITY : INFINITY;
  for (int i = 0; i < std::abs(steps); ++i) value = std::nextafter(value, towards);
  return value;
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<std::uint8_t> base_descriptor(std::int32_t zero_point) {
  std::vector<std::uint8_t> bytes = {1, 1, 0, 0, 0, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0};
  store_le32(&bytes[8], static_cast<std::uint32_t>(zero_point));
  return bytes;
}

std::vector<std::uint8_t> descriptor(std::uint32_t scale_bits, std::int32_t zero_point) {
  std::vector<std::uint8_t> bytes = base_descriptor(zero_point);
  store_le32(&bytes[4], scale_bits);
  return bytes;
}

std::span<const std::uint32_t> positive_scales() {
  static constexpr std::array<std::uint32_t, 22> kScales = {
      0x3f800000,  // 1
      0x3f000000,  // 0.5
      0x40000000,  // 2
      0x3dcccccd,  // 0.1: the reciprocal is inexact
      0x3d4ccccd,  // 0.05
      0x3ca3d70a,  // 0.02
      0x3eaaaaab,  // 1/3
      0x40400000,  // 3: half the products are inexact
      0x3baaaaab,  // 1/192
      0x3c008081,  // 1/127.5
      0x3c010204,  // 1/127
      0x3b808081,  // 1/255
      0x3fffffff,  // the largest float below 2
      0x3f7fffff,  // the largest float below 1
      0x442d941a,  // 694.3141
      0x00000001,  // the smallest subnormal
      0x00400000,  // 2^-127
      0x007fffff,  // the largest subnormal
      0x00800000,  // the smallest normal
      0x0da24260,  // 1e-30
      0x7149f2ca,  // 1e30
      0x7f7fffff,  // the largest finite float
  };
  return kScales;
}

std::span<const std::uint32_t> negative_scales() {
  static constexpr std::array<std::uint32_t, 5> kScales = {
      0xbf000000, 0xbdcccccd, 0x80000001, 0x80800000, 0xff7fffff,
  };
  return kScales;
}

std::span<const std::uint32_t> nan_scales() {
  static const std::vector<std::uint32_t> kPatterns = [] {
    std::vector<std::uint32_t> patterns = {0x7fbfffff, 0xffbfffff, 0x7fffffff, 0x7fa00000,
                                           0x7f87fff8, 0xff801000, 0x7fc00001, 0xffd55555};
    for (unsigned bit = 0; bit < 23; ++bit) {
      patterns.push_back(0xff800000u | 1u << bit);
      patterns.push_back(0x7f800000u | 3u << std::min(bit, 21u) | 1u << (bit * 7 % 23));
    }
    std::sort(patterns.begin(), patterns.end());
    patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
    return patterns;
  }();
  return kPatterns;
}

std::vector<std::int32_t> legal_zero_points(const StorageTypeInfo& info) {
  constexpr std::int64_t kFieldMax = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> values;
  const std::int64_t max = std::min(info.max, kFieldMax);
  for (const std::int64_t value :
       {info.min, info.min + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{3},
        (info.min + info.max + 1) / 2, max - 1, max}) {
    if (value < info.min || value > max) continue;
    if (std::find(values.begin(), values.end(), value) != values.end()) continue;
    values.push_back(static_cast<std::int32_t>(value));
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::int64_t> every_code(const StorageTypeInfo& info) {
  std::vector<std::int64_t> codes;
  for (std::int64_t code = info.min; code <= info.max; ++code) codes.push_back(code);
  return codes;
}

std::string tag_of(const StorageTypeInfo& info) {
  return fmt::format("{:02x}", static_cast<unsigned>(info.type));
}

std::string pack_hex(StorageType type, std::span<const std::int64_t> codes) {
  Bytes packed(packed_bytes(type, codes.size()).value());
  pack(type, codes, packed.data());
  return to_hex(packed);
}

std::string decode_request(std::string_view type, std::span<const std::uint8_t> bytes) {
  return fmt::format("decode type={} bytes={}", type, to_hex(bytes));
}

std::string encode_request(std::string_view type, std::uint32_t scale_bits,
                           std::int64_t zero_point) {
  return fmt::format("encode type={} scheme=1 scale={:08x} zero_point={}", type, scale_bits,
                     zero_point);
}

std::string dequantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                               std::int32_t zero_point, std::span<const std::int64_t> codes) {
  return fmt::format("dequantize type={} scale={:08x} zero_point={} count={} q={}", tag_of(info),
                     scale_bits, zero_point, codes.size(), pack_hex(info.type, codes));
}

std::string quantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                             std::int32_t zero_point, std::span<const float> in) {
  return fmt::format("quantize type={} scale={:08x} zero_point={} count={} in={}", tag_of(info),
                     scale_bits, zero_point, in.size(), floats_to_hex(in));
}

std::string_view ra8_suffix(const StorageTypeInfo& info) { return info.is_signed ? "i8" : "u8"; }

std::string ra8_dequantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                                   std::int32_t zero_point, std::span<const std::int64_t> codes) {
  return fmt::format("ra8 fn=dequantize_{} scale={:08x} zero_point={} count={} in={}",
                     ra8_suffix(info), scale_bits, zero_point, codes.size(),
                     pack_hex(info.type, codes));
}

std::string ra8_quantize_request(const StorageTypeInfo& info, std::uint32_t scale_bits,
                                 std::int32_t zero_point, std::span<const float> in) {
  return fmt::format("ra8 fn=quantize_{} scale={:08x} zero_point={} count={} in={}",
                     ra8_suffix(info), scale_bits, zero_point, in.size(), floats_to_hex(in));
}

std::vector<float> tie_inputs(std::uint32_t scale_bits, std::int64_t zero_point, std::int64_t first,
                              std::int64_t last) {
  constexpr int kNeighbours = 2;
  const double scale = std::bit_cast<float>(scale_bits);
  std::vector<float> inputs;
  const auto add = [&inputs](double value) {
    // Past the largest float there is nothing but infinity, which the special inputs bring.
    if (std::abs(value) <= std::numeric_limits<float>::max()) {
      inputs.push_back(static_cast<float>(value));
    }
  };
  for (std::int64_t code = first - 1; code <= last + 1; ++code) {
    const double step_index = static_cast<double>(code - zero_point);
    add(step_index * scale);
    const double tie = (step_index + 0.5) * scale;
    if (std::abs(tie) > std::numeric_limits<float>::max()) continue;
    for (int n = -kNeighbours; n <= kNeighbours; ++n) add(step(static_cast<float>(tie), n));
  }
  return inputs;
}

std::vector<float> special_inputs() {
  std::vector<float> inputs;
  const auto add = [&inputs](float value) {
    inputs.push_back(value);
    inputs.push_back(-value);
  };
  for (const std::uint32_t bits :
       {0x00000000u, 0x00000001u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x3effffffu, 0x3f000000u,
        0x3f000001u, 0x3f7fffffu, 0x7f7fffffu, 0x7f800000u, 0x4f7fffffu, 0x4effffffu, 0x4affffffu,
        0x5f000000u}) {
    add(std::bit_cast<float>(bits));
  }
  for (int exponent = 1; exponent < 128; exponent += exponent < 40 ? 1 : 8) {
    const float power = std::ldexp(1.0f, exponent);
    for (int n = -1; n <= 1; ++n) add(step(power, n));
    if (exponent < 24) add(power + 0.5f);
  }
  return inputs;
}

void add_in_parts(std::vector<Draft>& drafts, const std::string& name, std::span<const float> in,
                  std::string (*request)(const StorageTypeInfo&, std::uint32_t, std::int32_t,
                                         std::span<const float>),
                  const StorageTypeInfo& info, std::uint32_t scale_bits, std::int32_t zero_point) {
  const bool one_part = in.size() <= kInputsPerRequest;
  for (std::size_t part = 0; !in.empty(); ++part) {
    const std::span<const float> head = in.first(std::min(in.size(), kInputsPerRequest));
    in = in.subspan(head.size());
    drafts.push_back({one_part ? name : fmt::format("{}/part-{}", name, part + 1),
                      {request(info, scale_bits, zero_point, head)}});
  }
}

std::vector<Family> all_families() {
  std::vector<Family> all;
  for (const std::span<const Family> some : {decode_families(),
                                             encode_families(),
                                             dequantize_families(),
                                             quantize_families(),
                                             normalize_families(),
                                             ra8_families(),
                                             call_families(),
                                             refused_call_families(),
                                             place_families(),
                                             crossed_families(),
                                             codec_call_families(),
                                             looked_up_families(),
                                             scheme_families(),
                                             element_families(),
                                             tensor_header_families(),
                                             tensor_buffer_families(),
                                             tensor_section_families(),
                                             tensor_scheme_families(),
                                             tensor_value_families(),
                                             block_value_families(),
                                             tensor_writer_families(),
                                             tensor_call_families(),
                                             tensor_shape_families(),
                                             tensor_survey_families(),
                                             edited_tensor_survey_families(),
                                             conversion_families()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace hurray::conformance
