// SPDX-License-Identifier: Apache-2.0
//
// Families on tensor descriptors but for their quantization: header, shape, layout, buffer table,
// and the sections behind it.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

std::vector<Draft> valid() {
  std::vector<Draft> drafts;
  drafts.push_back(of_tensor("plain", plain_tensor()));
  drafts.push_back(of_tensor("per-tensor", per_tensor_tensor()));
  for (const SchemeBase& base : scheme_bases()) {
    drafts.push_back(of_tensor(std::string(base.name), base.tensor()));
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
    // The first seven bytes are the same.
    const std::size_t first = drafts.empty() ? 0 : 7;
    for (std::size_t length = first; length < bytes.size(); length += length < 24 ? 1 : 3) {
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
  // In front of the number of buffers, within strides, and within the section of a private type.
  const auto add = [&](std::string_view name, std::uint32_t length, const Edit& edit) {
    drafts.push_back(edited(std::string(name), plain_tensor(), [&](auto& parts) {
      edit(parts);
      parts.length = length;
    }));
  };
  const auto nothing = [](auto&) {};
  add("at-buffer-count", 44, nothing);
  add("in-strides", 52, [](auto& parts) {
    parts.layout = 3;
    parts.strides = {4, 1};
  });
  add("in-extension-type", 70, [](auto& parts) {
    parts.type = 0xf0;
    parts.extension_type = Bytes(20);
  });
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
  // Packed, or in one place by a stride of 0, they fit a buffer all the same.
  drafts.push_back(edited("bool-beyond-2-63", plain_tensor(), [](auto& parts) {
    parts.type = 0x20;
    parts.shape = {(1ull << 63) + 8};
    parts.buffers[0].byte_size = (1ull << 60) + 1;
  }));
  drafts.push_back(edited("uint4-strided-to-2-63", nf4_tensor(), [](auto& parts) {
    parts.quantization.reset();
    parts.buffers.resize(1);
    parts.layout = 3;
    parts.shape = {2, 2};
    parts.strides = {1ll << 62, 1ll << 62};
    parts.buffers[0].byte_size = (1ull << 62) + 1;
  }));
  drafts.push_back(edited("int2-strided-to-2-64", nf4_tensor(), [](auto& parts) {
    parts.quantization.reset();
    parts.buffers.resize(1);
    parts.type = 0x4a;
    parts.layout = 3;
    parts.shape = {3, 2};
    parts.strides = {INT64_MAX, 1};
    parts.buffers[0].byte_size = 1ull << 61;
  }));
  drafts.push_back(edited("broadcast-beyond-2-64", plain_tensor(), [](auto& parts) {
    parts.layout = 3;
    parts.shape = {1ull << 40, 1ull << 40};
    parts.strides = {0, 0};
    parts.buffers[0].byte_size = 4;
  }));
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
  drafts.push_back(edited("plain/both", plain_tensor(), [&](auto& parts) {
    parts.shape = {kDynamic, kDynamic};
  }));
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
};

}  // namespace

std::span<const Family> tensor_header_families() { return kFamilies; }

}  // namespace hurray::conformance
