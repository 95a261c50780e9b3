// SPDX-License-Identifier: Apache-2.0
//
// Families on the sections behind the buffer table, and on what a permissive reader steps over.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

// Every combination of sections but the extension type, each with content of its own: whoever steps
// over one by a wrong length finds the next in the wrong place.
std::vector<Draft> sections() {
  std::vector<Draft> drafts;
  for (unsigned chosen = 0; chosen < 16; ++chosen) {
    const bool has_shard = (chosen & 2) != 0;
    if ((chosen & 8) != 0 && !has_shard) continue;
    TensorParts parts = (chosen & 1) != 0 ? per_block_tensor() : plain_tensor();
    if (has_shard) {
      for (const std::uint64_t size : parts.shape) {
        parts.parent_shape.push_back(size + 11);
      }
      parts.shard_offset = {11, 7};
    }
    if ((chosen & 4) != 0) {
      parts.statistics = Bytes(72);
      (*parts.statistics)[0] = 0x15;
      for (std::size_t i = 8; i < 72; ++i) (*parts.statistics)[i] = static_cast<std::uint8_t>(i);
    }
    if ((chosen & 8) != 0) {
      parts.member = Bytes(16);
      (*parts.member)[0] = 1;
    }
    drafts.push_back(of_tensor(
        fmt::format("{}{}{}{}", chosen & 1 ? "quantized" : "plain", chosen & 2 ? "-shard" : "",
                    chosen & 4 ? "-statistics" : "", chosen & 8 ? "-member" : ""),
        parts));
  }
  return drafts;
}

std::vector<Draft> shards() {
  std::vector<Draft> drafts;
  struct Shard {
    std::string_view name;
    std::vector<std::uint64_t> parent, offset;
  };
  constexpr std::uint64_t kMost = 0xfffffffffffffffe;
  const std::vector<Shard> shards = {
      {"whole", {3, 4}, {0, 0}},
      {"at-the-end", {10, 9}, {7, 5}},
      {"one-beyond-first", {10, 9}, {8, 5}},
      {"one-beyond-last", {10, 9}, {7, 6}},
      {"smaller-parent", {2, 4}, {0, 0}},
      {"offset-all-ones", {10, 9}, {7, ~0ull}},
      {"sum-wraps", {10, 9}, {~0ull - 2, 5}},
      {"large", {kMost, kMost}, {kMost - 3, kMost - 4}},
      {"large-one-beyond", {kMost, kMost}, {kMost - 2, kMost - 4}},
      {"zero-parent", {0, 0}, {0, 0}},
  };
  for (const Shard& each : shards) {
    drafts.push_back(edited(std::string(each.name), plain_tensor(), [&](auto& parts) {
      parts.parent_shape = each.parent;
      parts.shard_offset = each.offset;
    }));
  }
  return drafts;
}

std::vector<Draft> statistics() {
  std::vector<Draft> drafts;
  for (unsigned bit = 0; bit < 32; ++bit) {
    drafts.push_back(edited(fmt::format("{:02}", bit), plain_tensor(), [&](auto& parts) {
      parts.statistics = Bytes(72);
      (*parts.statistics)[bit / 8] = static_cast<std::uint8_t>(1u << bit % 8);
    }));
  }
  drafts.push_back(
      edited("none", plain_tensor(), [](auto& parts) { parts.statistics = Bytes(72); }));
  return drafts;
}

std::vector<Draft> members() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, std::size_t at, std::uint8_t value) {
    drafts.push_back(edited(name, plain_tensor(), [&](auto& parts) {
      parts.parent_shape = {3, 4};
      parts.shard_offset = {0, 0};
      parts.member = Bytes(16);
      (*parts.member)[at] = value;
    }));
  };
  for (const std::uint8_t role : Octets{0x00, 0x01, 0x02, 0x7f, 0x80, 0xff}) {
    add(fmt::format("role-{:02x}", role), 0, role);
  }
  for (std::size_t at = 1; at < 16; ++at) {
    add(fmt::format("byte-{:02}/01", at), at, 0x01);
    add(fmt::format("byte-{:02}/80", at), at, 0x80);
  }
  return drafts;
}

// The quantization flag without its section, and a section whose length is not that of its scheme.
std::vector<Draft> section_flag() {
  std::vector<Draft> drafts;
  drafts.push_back(
      edited("flag-without-bytes", plain_tensor(), [](auto& parts) { parts.more_flags = 1; }));
  Bytes without_flag = per_tensor_tensor().bytes();
  without_flag[10] = 0;
  drafts.push_back(of_bytes("bytes-without-flag", without_flag));
  return drafts;
}

std::vector<Draft> section_lengths() {
  std::vector<Draft> drafts;
  for (const std::uint32_t length :
       {0u, 1u, 4u, 15u, 17u, 20u, 0x10000u, 0x10000010u, 0xffffffffu}) {
    drafts.push_back(edited(fmt::format("stated-{:08x}", length), per_tensor_tensor(),
                            [&](auto& parts) { parts.section_length = length; }));
  }
  for (const std::size_t length : {1u, 4u, 15u}) {
    drafts.push_back(edited(fmt::format("short-{}", length), per_tensor_tensor(),
                            [&](auto& parts) { parts.quantization->resize(length); }));
  }
  return drafts;
}

// A longer section, followed by another: whoever skips finds the other one behind all of it.
std::vector<Draft> longer_sections() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, const TensorParts& base) {
    for (const std::size_t more : {1u, 4u, 16u, 64u}) {
      drafts.push_back(edited(fmt::format("{}/{}-more", name, more), base, [&](auto& parts) {
        parts.quantization->resize(parts.quantization->size() + more, 0x7e);
        parts.parent_shape = {200, 300};
        parts.shard_offset = {1, 2};
      }));
    }
  };
  add("pta", per_tensor_tensor());
  for (const SchemeBase& base : scheme_bases()) add(base.name, base.tensor());
  return drafts;
}

// Layouts that few know, with a quantization that their texts exclude.
std::vector<Draft> other_layouts() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, std::uint8_t layout, const Bytes& fields,
                       std::uint64_t byte_offset, std::size_t buffers, const SchemeSection& section,
                       std::vector<std::uint64_t> shape) {
    TensorParts parts = per_block_tensor();
    parts.shape = std::move(shape);
    parts.layout = layout;
    parts.byte_offset = byte_offset;
    parts.buffers.assign(buffers, {.byte_size = 64});
    parts.quantization = section.bytes();
    Bytes bytes = parts.bytes();
    // Between byte_offset and the buffer table.
    const std::size_t at = 20 + 8 * parts.shape.size() + 8;
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), fields.begin(), fields.end());
    for (unsigned i = 0; i < 4; ++i)
      bytes[6 + i] = static_cast<std::uint8_t>(bytes.size() >> 8 * i);
    drafts.push_back(of_bytes(name, bytes));
  };
  Bytes csr(16);
  csr[0] = 4;
  for (const std::uint8_t layout : Octets{7, 8}) {
    const SchemeSection of_values{.scheme_tag = 2, .axis = 1, .scale_buffer_index = 0};
    add(fmt::format("layout-{}/scale-index-0", layout), layout, csr, 0, 5, of_values, {2, 16});
    add(fmt::format("layout-{}/byte-offset", layout), layout, csr, 64, 5,
        {.scheme_tag = 2, .axis = 1, .scale_buffer_index = 3, .zero_point_buffer_index = 4},
        {2, 16});
  }
  Bytes paged(32);
  paged[0] = 8;
  paged[4] = 1;
  paged[16] = 1;
  SchemeSection blocks{.scheme_tag = 3,
                       .axis = 1,
                       .block_size = 8,
                       .scale_buffer_index = 3,
                       .zero_point_buffer_index = 4};
  add("block-paged/other-axis", 10, paged, 0, 5, blocks, {8, 8, 8});
  blocks.axis = 0;
  blocks.block_size = 4;
  add("block-paged/other-block-size", 10, paged, 0, 5, blocks, {8, 8, 8});
  return drafts;
}

std::vector<Draft> composite_heads() {
  std::vector<Draft> drafts;
  for (const std::size_t buffers : {0u, 1u, 3u}) {
    TensorParts parts = per_block_tensor();
    parts.layout = 11;
    parts.buffers.resize(buffers);
    Bytes bytes = parts.bytes();
    const Bytes fields = {1, 0, 0, 0, 2, 0, 0, 0};
    const std::size_t at = 20 + 8 * parts.shape.size() + 8;
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), fields.begin(), fields.end());
    for (unsigned i = 0; i < 4; ++i)
      bytes[6 + i] = static_cast<std::uint8_t>(bytes.size() >> 8 * i);
    drafts.push_back(of_bytes(fmt::format("{}-buffers", buffers), bytes));
  }
  return drafts;
}

// Scheme tags of no scheme, as the tensor descriptor carries them.
std::vector<Draft> scheme_tags() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag >= 1 && tag <= 5) continue;
    if (tag > 7 && tag < 0xee && tag % 8 != 0 && tag % 8 != 7) continue;
    drafts.push_back(edited(fmt::format("{:02x}", tag), per_tensor_tensor(), [&](auto& parts) {
      (*parts.quantization)[0] = static_cast<std::uint8_t>(tag);
    }));
  }
  return drafts;
}

std::vector<Draft> stepped_over() {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : Octets{0x00, 0x06, 0x3f, 0x60, 0x80, 0xf0, 0xfe, 0xff}) {
    for (const std::size_t length : {4u, 16u, 40u}) {
      TensorParts parts = per_tensor_tensor();
      parts.quantization->resize(length, 0x99);
      (*parts.quantization)[0] = tag;
      parts.parent_shape = {20, 30};
      parts.shard_offset = {5, 6};
      drafts.push_back({fmt::format("{:02x}/{}", tag, length),
                        {decode_tensor_request(parts) + " mode=permissive"}});
    }
  }
  drafts.push_back({"known", {decode_tensor_request(per_block_tensor()) + " mode=permissive"}});
  // How an unknown scheme stores its elements, and in how many bytes, nobody knows.
  TensorParts smaller = per_tensor_tensor();
  (*smaller.quantization)[0] = 0x4d;
  smaller.buffers[0].byte_size = 4;
  drafts.push_back({"fewer-bytes", {decode_tensor_request(smaller) + " mode=permissive"}});
  return drafts;
}

std::vector<Draft> stepped_over_data() {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : Octets{0x06, 0x70, 0xf3}) {
    TensorParts parts = per_tensor_tensor();
    (*parts.quantization)[0] = tag;
    drafts.push_back({fmt::format("{:02x}", tag),
                      {dequantize_tensor_request(parts, 8, {}) + " b0=none:8 mode=permissive"}});
  }
  return drafts;
}

std::vector<Draft> unknown_types_permissive() {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : Octets{0x05, 0x47, 0x90}) {
    TensorParts parts = plain_tensor();
    parts.type = tag;
    drafts.push_back({fmt::format("{:02x}", tag),
                      {dequantize_tensor_request(parts, 12, {}) + " b0=none:48 mode=permissive"}});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"tensor/sections", "a section is read from the wrong place", sections},
    {"tensor/shard", "a shard reaches outside its parent", shards},
    {"tensor/statistics", "a reserved bit of the mask is not looked at", statistics},
    {"tensor/member", "a role or a reserved byte is not looked at", members},
    {"tensor/section-flag", "the flag of a section and its bytes do not agree", section_flag},
    {"tensor/section-length", "the length of the quantization section is not looked at",
     section_lengths},
    {"tensor/longer-section", "the next section is looked for behind the fields that are known",
     longer_sections},
    {"tensor/other-layout", "a quantization is taken that the layout excludes", other_layouts},
    {"tensor/composite-head", "a composite head with data is taken", composite_heads},
    {"tensor/scheme-tag", "a scheme that does not exist is taken for one that does", scheme_tags},
    {"tensor/stepped-over", "an unknown scheme is stepped over by the wrong length", stepped_over},
    {"tensor/stepped-over-data", "data of an unknown scheme is read", stepped_over_data},
    {"tensor/unknown-type-data", "data of an unknown type is read", unknown_types_permissive},
};

}  // namespace

std::span<const Family> tensor_section_families() { return kFamilies; }

}  // namespace hurray::conformance
