// SPDX-License-Identifier: Apache-2.0
//
// Families on tensor descriptors but for their quantization: header, shape, layout, buffer table,
// and the sections behind it.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

Draft of_bytes(const std::string& name, std::span<const std::uint8_t> bytes) {
  return {name, {decode_tensor_request(bytes)}};
}
Draft of(const std::string& name, const TensorParts& parts) {
  return {name, {decode_tensor_request(parts)}};
}

std::vector<Draft> valid() {
  std::vector<Draft> drafts;
  drafts.push_back(of("plain", plain_tensor()));
  drafts.push_back(of("per-tensor", per_tensor_tensor()));
  for (const SchemeBase& base : scheme_bases()) {
    drafts.push_back(of(std::string(base.name), base.tensor()));
  }
  return drafts;
}

std::vector<Draft> magic() {
  std::vector<Draft> drafts;
  for (unsigned at = 0; at < 4; ++at) {
    for (const std::uint8_t flip : Octets{0x01, 0x20, 0x80}) {
      Bytes bytes = per_tensor_tensor().bytes();
      bytes[at] ^= flip;
      drafts.push_back(of_bytes(fmt::format("byte-{}/{:02x}", at, flip), bytes));
    }
  }
  Bytes reversed = per_tensor_tensor().bytes();
  std::swap(reversed[0], reversed[3]);
  std::swap(reversed[1], reversed[2]);
  drafts.push_back(of_bytes("reversed", reversed));
  return drafts;
}

std::vector<Draft> major_versions() {
  std::vector<Draft> drafts;
  for (const unsigned version : {0u, 2u, 3u, 16u, 127u, 128u, 255u}) {
    drafts.push_back(edited(fmt::format("{:02x}", version), per_tensor_tensor(), [&](auto& parts) {
      parts.version_major = static_cast<std::uint8_t>(version);
    }));
  }
  return drafts;
}

std::vector<Draft> minor_versions() {
  std::vector<Draft> drafts;
  for (const unsigned version : {1u, 7u, 128u, 255u}) {
    const auto newer = [&](TensorParts& parts) {
      parts.version_minor = static_cast<std::uint8_t>(version);
    };
    drafts.push_back(edited(fmt::format("{:02x}/plain", version), plain_tensor(), newer));
    drafts.push_back(edited(fmt::format("{:02x}/per-tensor", version), per_tensor_tensor(), newer));
    drafts.push_back(edited(fmt::format("{:02x}/more", version), plain_tensor(), [&](auto& parts) {
      newer(parts);
      parts.trailing = {1, 2, 3, 4, 5};
    }));
  }
  return drafts;
}

std::vector<Draft> lengths() {
  std::vector<Draft> drafts;
  const std::uint32_t right = static_cast<std::uint32_t>(per_tensor_tensor().bytes().size());
  for (const std::uint32_t length : {0u, 1u, 19u, 20u, 21u, right - 1, 0x80000000u, 0xffffffffu}) {
    drafts.push_back(edited(fmt::format("{}", length), per_tensor_tensor(),
                            [&](auto& parts) { parts.length = length; }));
  }
  // The length says more than there is, though everything is there.
  drafts.push_back(edited("one-more-than-there-is", per_tensor_tensor(),
                          [&](auto& parts) { parts.length = right + 1; }));
  return drafts;
}

// All prefixes, with the memory behind them out of reach, and stated lengths that cut the content.
std::vector<Draft> prefixes() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases().first(2)) {
    const Bytes bytes = base.tensor().bytes();
    for (std::size_t length = 0; length < bytes.size(); length += length < 24 ? 1 : 3) {
      drafts.push_back({fmt::format("{}/{:03}", base.name, length),
                        {decode_tensor_request(std::span(bytes).first(length)) + " guard=after"}});
    }
  }
  return drafts;
}
std::vector<Draft> cut_lengths() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    const std::size_t all = base.tensor().bytes().size();
    for (std::size_t length = 20; length < all; length += 5) {
      drafts.push_back(
          edited(fmt::format("{}/{:03}", base.name, length), base.tensor(),
                 [&](auto& parts) { parts.length = static_cast<std::uint32_t>(length); }));
    }
  }
  return drafts;
}

// The next descriptor, or anything, may follow.
std::vector<Draft> followed() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    Bytes bytes = base.tensor().bytes();
    const Bytes next = plain_tensor().bytes();
    bytes.insert(bytes.end(), next.begin(), next.end());
    drafts.push_back(of_bytes(fmt::format("{}-and-another", base.name), bytes));
    bytes = base.tensor().bytes();
    bytes.insert(bytes.end(), 9, 0xff);
    drafts.push_back(of_bytes(fmt::format("{}-and-noise", base.name), bytes));
  }
  return drafts;
}

std::vector<Draft> trailing() {
  std::vector<Draft> drafts;
  for (const std::size_t more : {1u, 4u, 16u}) {
    for (const std::uint8_t filler : Octets{0x00, 0x5a}) {
      drafts.push_back(edited(fmt::format("{}/{:02x}", more, filler), plain_tensor(),
                              [&](auto& parts) { parts.trailing = Bytes(more, filler); }));
    }
  }
  return drafts;
}

std::vector<Draft> flag_bits() {
  std::vector<Draft> drafts;
  for (unsigned bit = 5; bit < 32; ++bit) {
    drafts.push_back(edited(fmt::format("{:02}", bit), per_tensor_tensor(),
                            [&](auto& parts) { parts.more_flags = 1u << bit; }));
  }
  return drafts;
}

// A tensor of each tag; those of a byte or more have the bytes that they need.
std::vector<Draft> types() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag >= 0xf0 && tag < 0xff) continue;  // below: private
    drafts.push_back(edited(fmt::format("{:02x}", tag), plain_tensor(), [&](auto& parts) {
      parts.type = static_cast<std::uint8_t>(tag);
      parts.buffers[0].byte_size = 192;  // [3, 4] of the widest
    }));
  }
  return drafts;
}

std::vector<Draft> private_types() {
  std::vector<Draft> drafts;
  for (const unsigned tag : {0xf0u, 0xf7u, 0xfeu}) {
    const auto with_section = [&](TensorParts& parts) {
      parts.type = static_cast<std::uint8_t>(tag);
      parts.extension_type = Bytes(20, 0x11);
    };
    drafts.push_back(edited(fmt::format("{:02x}/with-section", tag), plain_tensor(), with_section));
    drafts.push_back(
        edited(fmt::format("{:02x}/quantized", tag), per_tensor_tensor(), with_section));
    drafts.push_back(edited(fmt::format("{:02x}/without-section", tag), plain_tensor(),
                            [&](auto& parts) { parts.type = static_cast<std::uint8_t>(tag); }));
  }
  drafts.push_back(edited("float32-with-section", plain_tensor(),
                          [&](auto& parts) { parts.extension_type = Bytes(20, 0x11); }));
  return drafts;
}

// Each tag of a layout; those with fields of their own are cut short.
std::vector<Draft> layouts() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag == 3) continue;
    drafts.push_back(edited(fmt::format("{:02x}", tag), plain_tensor(),
                            [&](auto& parts) { parts.layout = static_cast<std::uint8_t>(tag); }));
  }
  return drafts;
}

std::vector<Draft> dense_layouts() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    drafts.push_back(edited(fmt::format("{}/column-major", base.name), base.tensor(),
                            [](auto& parts) { parts.layout = 2; }));
    drafts.push_back(edited(fmt::format("{}/strided", base.name), base.tensor(), [](auto& parts) {
      parts.layout = 3;
      parts.strides = {1, static_cast<std::int64_t>(parts.shape[0])};
    }));
  }
  drafts.push_back(edited("plain/strided", plain_tensor(), [](auto& parts) {
    parts.layout = 3;
    parts.strides = {8, 2};
    parts.buffers[0].byte_size = 4 * (2 * 8 + 3 * 2 + 1);
  }));
  return drafts;
}

std::vector<Draft> ranks() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, std::size_t rank) {
    drafts.push_back(edited(name, plain_tensor(), [&](auto& parts) {
      parts.shape.assign(rank, 1);
      if (rank > 0) parts.shape[rank - 1] = 12;
      parts.buffers[0].byte_size = 48;
    }));
  };
  for (const std::size_t rank : {0u, 1u, 2u, 3u, 8u, 63u, 64u, 65u, 66u, 200u}) {
    add(fmt::format("{:03}", rank), rank);
  }
  for (const std::uint32_t rank : {0x100u, 0x1000000u, 0x20000000u, 0x80000001u, 0xffffffffu}) {
    Bytes bytes = plain_tensor().bytes();
    for (unsigned i = 0; i < 4; ++i) bytes[16 + i] = static_cast<std::uint8_t>(rank >> 8 * i);
    drafts.push_back(
        {fmt::format("stated-{:08x}", rank), {decode_tensor_request(bytes) + " guard=after"}});
  }
  return drafts;
}

std::vector<Draft> scalars() {
  std::vector<Draft> drafts;
  for (const std::uint8_t layout : Octets{1, 2, 3}) {
    drafts.push_back(edited(fmt::format("layout-{}", layout), plain_tensor(), [&](auto& parts) {
      parts.shape = {};
      parts.layout = layout;
      parts.buffers[0].byte_size = 4;
    }));
    drafts.push_back(
        edited(fmt::format("layout-{}/per-tensor", layout), per_tensor_tensor(), [&](auto& parts) {
          parts.shape = {};
          parts.layout = layout;
          parts.buffers[0].byte_size = 1;
        }));
  }
  return drafts;
}

std::vector<Draft> empty() {
  std::vector<Draft> drafts;
  const std::vector<std::vector<std::uint64_t>> shapes = {{0}, {3, 0, 5}, {0, 0}, {7, 0}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto edit = [&](TensorParts& parts) {
      parts.shape = shapes[i];
      parts.buffers[0].byte_size = 0;
    };
    drafts.push_back(edited(fmt::format("plain/{}", i), plain_tensor(), edit));
    drafts.push_back(edited(fmt::format("per-tensor/{}", i), per_tensor_tensor(), edit));
  }
  return drafts;
}

// Sizes that no sum or product of 64 bits holds. Not quantized tensors with a dimension that is not
// known are to be accepted.
std::vector<Draft> huge() {
  std::vector<Draft> drafts;
  constexpr std::uint64_t kMost = 0xfffffffffffffffe;
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {kMost}, {kMost, kMost}, {1ull << 32, 1ull << 32}, {1ull << 63, 2}, {kMost, 0}, {3, kMost}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const bool is_quantized : {false, true}) {
      drafts.push_back(edited(fmt::format("{}/{}", is_quantized ? "per-tensor" : "plain", i),
                              is_quantized ? per_tensor_tensor() : plain_tensor(),
                              [&](auto& parts) { parts.shape = shapes[i]; }));
    }
  }
  return drafts;
}
std::vector<Draft> dynamic() {
  std::vector<Draft> drafts;
  for (const std::size_t at : {0u, 1u}) {
    drafts.push_back(edited(fmt::format("plain/{}", at), plain_tensor(),
                            [&](auto& parts) { parts.shape[at] = kDynamic; }));
    drafts.push_back(edited(fmt::format("per-tensor/{}", at), per_tensor_tensor(),
                            [&](auto& parts) { parts.shape[at] = kDynamic; }));
  }
  drafts.push_back(edited("plain/both", plain_tensor(),
                          [&](auto& parts) { parts.shape = {kDynamic, kDynamic}; }));
  return drafts;
}

std::vector<Draft> byte_offsets() {
  std::vector<Draft> drafts;
  for (const std::uint64_t offset : {0ull, 1ull, 8ull, 52ull, 53ull, 100ull, ~0ull, 1ull << 63}) {
    drafts.push_back(edited(fmt::format("{}", offset), plain_tensor(), [&](auto& parts) {
      parts.byte_offset = offset;
      parts.buffers[0].byte_size = 100;
    }));
  }
  for (const std::uint64_t offset : {1ull, 3ull}) {
    drafts.push_back(edited(fmt::format("uint4/{}", offset), nf4_tensor(), [&](auto& parts) {
      parts.byte_offset = offset;
      parts.buffers[0].byte_size = 16 + offset;
    }));
  }
  return drafts;
}

std::vector<Draft> buffer_counts() {
  std::vector<Draft> drafts;
  for (const std::size_t count : {0u, 2u, 3u, 255u}) {
    drafts.push_back(edited(fmt::format("plain/{}", count), plain_tensor(),
                            [&](auto& parts) { parts.buffers.resize(count, {.byte_size = 16}); }));
    drafts.push_back(edited(fmt::format("per-tensor/{}", count), per_tensor_tensor(),
                            [&](auto& parts) { parts.buffers.resize(count, {.byte_size = 16}); }));
  }
  for (const SchemeBase& base : scheme_bases()) {
    drafts.push_back(edited(fmt::format("{}/one-more", base.name), base.tensor(),
                            [](auto& parts) { parts.buffers.push_back({.byte_size = 16}); }));
    drafts.push_back(edited(fmt::format("{}/one-less", base.name), base.tensor(),
                            [](auto& parts) { parts.buffers.pop_back(); }));
  }
  return drafts;
}

// One field of one handle of a tensor with three buffers, or of all of them alike.
void add_handle(std::vector<Draft>& drafts, const std::string& name,
                const std::function<void(Handle&)>& edit) {
  for (const std::size_t which : {0u, 2u}) {
    drafts.push_back(edited(fmt::format("{}/buffer-{}", name, which), per_block_tensor(),
                            [&](auto& parts) { edit(parts.buffers[which]); }));
  }
  drafts.push_back(edited(fmt::format("{}/plain", name), plain_tensor(),
                          [&](auto& parts) { edit(parts.buffers[0]); }));
}

std::vector<Draft> alignments() {
  std::vector<Draft> drafts;
  for (const std::uint32_t alignment : {0u, 1u, 2u, 32u, 63u, 65u, 96u, 128u, 192u, 4096u, 4095u,
                                        0x80000000u, 0x80000040u, 0xffffffffu}) {
    add_handle(drafts, fmt::format("{}", alignment),
               [&](Handle& handle) { handle.alignment = alignment; });
  }
  for (const std::uint32_t alignment : {0u, 1u, 2u, 32u, 33u, 64u}) {
    drafts.push_back(
        edited(fmt::format("empty-buffer/{}", alignment), plain_tensor(), [&](auto& parts) {
          parts.shape = {0, 4};
          parts.buffers[0] = {.byte_size = 0, .alignment = alignment};
        }));
  }
  return drafts;
}

std::vector<Draft> handle_reserved() {
  std::vector<Draft> drafts;
  for (unsigned bit = 0; bit < 8; ++bit) {
    add_handle(drafts, fmt::format("{}", bit),
               [&](Handle& handle) { handle.reserved = static_cast<std::uint8_t>(1u << bit); });
  }
  return drafts;
}

std::vector<Draft> devices() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag > 16 && tag < 0xed && tag % 16 != 0) continue;
    drafts.push_back(edited(fmt::format("{:02x}", tag), plain_tensor(), [&](auto& parts) {
      parts.buffers[0].device_tag = static_cast<std::uint8_t>(tag);
    }));
  }
  return drafts;
}

std::vector<Draft> mixed() {
  std::vector<Draft> drafts;
  for (const std::size_t which : {0u, 1u, 2u}) {
    drafts.push_back(edited(fmt::format("device/{}", which), per_block_tensor(),
                            [&](auto& parts) { parts.buffers[which].device_tag = 1; }));
    drafts.push_back(edited(fmt::format("class/{}", which), per_block_tensor(), [&](auto& parts) {
      for (Handle& handle : parts.buffers) handle.device_tag = 1;
      parts.buffers[which].memory_class = 1;
    }));
  }
  drafts.push_back(edited("device/all-alike", per_block_tensor(), [&](auto& parts) {
    for (Handle& handle : parts.buffers) handle.device_tag = 1;
  }));
  return drafts;
}

std::vector<Draft> sync_modes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t device : Octets{0, 1, 4}) {
    for (const std::uint8_t mode : Octets{0, 1, 2, 3, 4, 0x7f, 0xfe, 0xff}) {
      drafts.push_back(
          edited(fmt::format("device-{}/{:02x}", device, mode), plain_tensor(), [&](auto& parts) {
            parts.buffers[0].device_tag = device;
            parts.buffers[0].sync_mode = mode;
          }));
    }
  }
  return drafts;
}

std::vector<Draft> memory_classes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t device : Octets{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0xf0, 0xfe}) {
    for (const std::uint8_t memory_class : Octets{0, 1, 2, 3, 4, 0x80, 0xef, 0xf0, 0xfe, 0xff}) {
      drafts.push_back(edited(fmt::format("device-{:02x}/{:02x}", device, memory_class),
                              plain_tensor(), [&](auto& parts) {
                                parts.buffers[0].device_tag = device;
                                parts.buffers[0].memory_class = memory_class;
                              }));
    }
  }
  return drafts;
}

// Every combination of sections, each with content of its own: whoever steps over one by a wrong
// length finds the next in the wrong place.
std::vector<Draft> sections() {
  std::vector<Draft> drafts;
  for (unsigned chosen = 0; chosen < 16; ++chosen) {
    const bool has_shard = (chosen & 2) != 0;
    if ((chosen & 8) != 0 && !has_shard) continue;
    TensorParts parts = (chosen & 1) != 0 ? per_block_tensor() : plain_tensor();
    if (has_shard) {
      for (const std::uint64_t size : parts.shape) {
        parts.parent_shape.push_back(size + 11);
        parts.shard_offset.push_back(size + 3);
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
    drafts.push_back(
        of(fmt::format("{}{}{}{}", chosen & 1 ? "quantized" : "plain", chosen & 2 ? "-shard" : "",
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
                       std::uint64_t byte_offset, std::size_t buffers, const Section& section,
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
    const Section of_values{.scheme_tag = 2, .axis = 1, .scale_buffer_index = 0};
    add(fmt::format("layout-{}/scale-index-0", layout), layout, csr, 0, 5, of_values, {2, 16});
    add(fmt::format("layout-{}/byte-offset", layout), layout, csr, 64, 5,
        {.scheme_tag = 2, .axis = 1, .scale_buffer_index = 3, .zero_point_buffer_index = 4},
        {2, 16});
  }
  Bytes paged(32);
  paged[0] = 8;
  paged[4] = 1;
  paged[16] = 1;
  Section blocks{.scheme_tag = 3,
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
    {"tensor/valid", "a field of a valid descriptor is read wrongly", valid},
    {"tensor/magic", "the magic number is not looked at", magic},
    {"tensor/major-version", "a descriptor of a later version is read as if it were known",
     major_versions},
    {"tensor/minor-version", "a later minor version is refused", minor_versions},
    {"tensor/length", "the length is not looked at", lengths},
    {"tensor/prefix", "memory behind the descriptor is read", prefixes},
    {"tensor/cut", "a section is read beyond the length of the descriptor", cut_lengths},
    {"tensor/followed", "what follows the descriptor changes what it says", followed},
    {"tensor/trailing", "bytes behind the last section are taken for one", trailing},
    {"tensor/flags", "a reserved flag is not looked at", flag_bits},
    {"tensor/type", "an element type is taken that does not exist, or refused that does", types},
    {"tensor/private-type", "a private type is taken for one of the format", private_types},
    {"tensor/layout", "a layout is taken that does not exist", layouts},
    {"tensor/dense-layout", "strides are read from another place", dense_layouts},
    {"tensor/rank", "a rank is refused that is legal, or taken that is not", ranks},
    {"tensor/scalar", "a scalar has a layout with an order", scalars},
    {"tensor/empty", "a tensor without elements is refused", empty},
    {"tensor/huge", "sizes overflow", huge},
    {"tensor/dynamic", "sizes are computed from a dimension that is not known", dynamic},
    {"tensor/byte-offset", "a byte offset is not looked at, or read wrongly", byte_offsets},
    {"tensor/buffer-count", "buffers that nothing needs, or too few of them, are taken",
     buffer_counts},
    {"tensor/alignment", "an alignment is not looked at", alignments},
    {"tensor/handle-reserved", "the reserved byte of a handle is not looked at", handle_reserved},
    {"tensor/device", "a device that does not exist is taken", devices},
    {"tensor/mixed", "buffers on two devices, or of two classes, are taken", mixed},
    {"tensor/sync-mode", "a sync mode that does not exist is taken", sync_modes},
    {"tensor/memory-class", "a memory class is taken that the device does not have",
     memory_classes},
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

std::span<const Family> tensor_header_families() { return kFamilies; }

}  // namespace hurray::conformance
