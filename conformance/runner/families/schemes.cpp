// SPDX-License-Identifier: Apache-2.0
//
// Families on descriptors of the four schemes with an axis, by themselves: what stands in the
// bytes, what is refused whatever the tensor is, and what an encoder writes.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

std::string type_of(const SchemeBase& base) { return fmt::format("{:02x}", base.tensor().type); }

std::string decode(const SchemeBase& base, const SchemeSection& section) {
  return decode_request(type_of(base), section.bytes());
}
std::string encode(std::string_view type, const SchemeSection& section) {
  return fmt::format("encode type={} {}", type, section.keys());
}

bool has_zero_points(const SchemeSection& section) { return section.scheme_tag <= 3; }
bool has_blocks(const SchemeSection& section) { return section.scheme_tag != 2; }

std::vector<Draft> fields(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const SchemeSection& section) {
    drafts.push_back({name, {decode(base, section)}});
  };
  SchemeSection section = base.section();
  // That of scheme 03 is the recipe's, and axis 0 of 02 the worked example: written by hand.
  if (section.scheme_tag != 3) add("base", section);
  for (const std::uint32_t axis : {0u, 2u, 63u, 0x01020304u}) {
    if (section.scheme_tag == 2 && axis == 0) continue;
    SchemeSection other = section;
    other.axis = axis;
    add(fmt::format("axis-{}", axis), other);
  }
  for (const std::uint32_t index : {2u, 254u, 0x04030201u}) {
    SchemeSection other = section;
    other.scale_buffer_index = index;
    other.zero_point_buffer_index = index + 1;
    add(fmt::format("index-{}", index), other);
  }
  return drafts;
}

std::vector<Draft> versions(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (unsigned version = 0; version < 256; ++version) {
    if (version == 1 || (version > 4 && version < 250 && version % 32 != 0)) continue;
    SchemeSection section = base.section();
    section.scheme_version = static_cast<std::uint8_t>(version);
    drafts.push_back({fmt::format("{:02x}", version), {decode(base, section)}});
  }
  return drafts;
}

// Bit 0 is a flag of schemes 02 and 03, and goes with another index.
std::vector<Draft> flag_bits(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (unsigned bit = has_zero_points(base.section()) ? 1 : 0; bit < 16; ++bit) {
    SchemeSection section = base.section();
    section.flags = static_cast<std::uint16_t>(1u << bit);
    drafts.push_back({fmt::format("{:02}", bit), {decode(base, section)}});
  }
  return drafts;
}

std::vector<Draft> reserved_bits(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const Bytes valid = base.section().bytes();
  for (unsigned bit = 0; bit < 24; ++bit) {
    Bytes bytes = valid;
    bytes[valid.size() - 3 + bit / 8] = static_cast<std::uint8_t>(1u << bit % 8);
    drafts.push_back({fmt::format("{:02}", bit), {decode_request(type_of(base), bytes)}});
  }
  return drafts;
}

std::vector<Draft> scale_types(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    SchemeSection section = base.section();
    if (tag == section.scale_type_tag) continue;
    section.scale_type_tag = static_cast<std::uint8_t>(tag);
    drafts.push_back({fmt::format("{:02x}", tag), {decode(base, section)}});
  }
  return drafts;
}

std::vector<Draft> block_sizes(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const auto add = [&](std::uint32_t size) {
    SchemeSection section = base.section();
    if (size == section.block_size) return;
    section.block_size = size;
    drafts.push_back({fmt::format("{}", size), {decode(base, section)}});
  };
  for (std::uint32_t size = 0; size <= 33; ++size) add(size);
  for (unsigned bit = 6; bit < 32; ++bit) {
    add(1u << bit);
    if (bit % 5 == 0) add((1u << bit) + (1u << (bit - 1)));
  }
  for (const std::uint32_t size : {63u, 65u, 255u, 257u, 2047u, 2049u, 4097u, 0xffffffffu}) {
    add(size);
  }
  return drafts;
}

std::vector<Draft> storage_types(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag == base.tensor().type) continue;
    const std::string type = fmt::format("{:02x}", tag);
    drafts.push_back({type, {decode_request(type, base.section().bytes())}});
  }
  return drafts;
}

std::vector<Draft> prefixes(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const Bytes bytes = base.section().bytes();
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    drafts.push_back({fmt::format("{:02}", length),
                      {decode_request(type_of(base), std::span(bytes).first(length))}});
    drafts.push_back(
        {fmt::format("{:02}/at-a-page", length),
         {decode_request(type_of(base), std::span(bytes).first(length)) + " guard=after"}});
  }
  return drafts;
}

std::vector<Draft> longer(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::size_t more : {1u, 2u, 4u, 8u, 16u, 64u}) {
    for (const unsigned filler : {0x00u, 0x3cu, 0xffu}) {
      Bytes bytes = base.section().bytes();
      bytes.resize(bytes.size() + more, static_cast<std::uint8_t>(filler));
      drafts.push_back(
          {fmt::format("{}-more/{:02x}", more, filler), {decode_request(type_of(base), bytes)}});
    }
  }
  return drafts;
}

std::vector<Draft> symmetric(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint16_t flags : std::array<std::uint16_t, 2>{0, 1}) {
    for (const std::uint32_t index : {0u, 1u, 2u, 3u, 255u, 0x7fffffffu, 0xfffffffeu, kNoIndex}) {
      SchemeSection section = base.section();
      section.flags = flags;
      section.zero_point_buffer_index = index;
      // Without the flag only the missing index is wrong by itself.
      if (flags == 0 && index != kNoIndex) continue;
      drafts.push_back({fmt::format("flags-{}/index-{}", flags, index), {decode(base, section)}});
    }
  }
  return drafts;
}

std::vector<Draft> written(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const SchemeSection& section) {
    drafts.push_back({name, {encode(type_of(base), section)}});
  };
  SchemeSection section = base.section();
  add("base", section);
  drafts.push_back({"base-filled", {encode(type_of(base), section) + " fill=a5"}});
  const std::size_t length = section.bytes().size();
  for (const std::size_t capacity : {length - 1, length}) {
    drafts.push_back({fmt::format("capacity-{}", capacity),
                      {encode(type_of(base), section) + fmt::format(" capacity={}", capacity)}});
  }
  for (const std::uint32_t axis : {0u, 3u, 0x00010203u}) {
    SchemeSection other = section;
    other.axis = axis;
    add(fmt::format("axis-{}", axis), other);
  }
  SchemeSection other = section;
  other.scale_buffer_index = 0x0a0b0c0d;
  other.zero_point_buffer_index = 0x01020304;
  add("indices", other);
  if (has_blocks(section)) {
    for (const std::uint32_t size : {32u, 128u, 2048u}) {
      other = section;
      other.block_size = size;
      add(fmt::format("block-size-{}", size), other);
    }
  }
  if (has_zero_points(section)) {
    other = section;
    other.flags = 1;
    other.zero_point_buffer_index = kNoIndex;
    add("symmetric", other);
    other.zero_point_buffer_index = 2;
    add("symmetric-with-an-index", other);
  }
  if (section.scheme_tag == 3) {
    for (const std::uint8_t type : Octets{1, 2}) {
      other = section;
      other.scale_type_tag = type;
      add(fmt::format("scale-type-{}", type), other);
    }
  }
  return drafts;
}

std::vector<Draft> not_written(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, std::string_view type,
                       const SchemeSection& section) {
    drafts.push_back({name, {encode(type, section)}});
    drafts.push_back({name + "-filled", {encode(type, section) + " fill=c3"}});
  };
  const SchemeSection section = base.section();
  for (const std::string_view type : {"03", "16", "20", "42", "00", "ff", "f0"}) {
    add(fmt::format("type-{}", type), type, section);
  }
  for (const std::string_view type : {"12", "14", "11", "43", "4a"}) {
    drafts.push_back({fmt::format("type-{}", type), {encode(type, section)}});
  }
  if (has_blocks(section)) {
    for (const std::uint32_t size : {0u, 1u, 3u, 12u, 4096u, 0x80000001u}) {
      SchemeSection other = section;
      other.block_size = size;
      add(fmt::format("block-size-{}", size), type_of(base), other);
    }
  }
  if (has_zero_points(section)) {
    SchemeSection other = section;
    other.flags = 2;
    add("reserved-flag", type_of(base), other);
    other = section;
    other.zero_point_buffer_index = kNoIndex;
    add("asymmetric-without-an-index", type_of(base), other);
    for (const std::uint8_t type : Octets{0x00, 0x04, 0x10, 0xff}) {
      other = section;
      other.scale_type_tag = type;
      add(fmt::format("scale-type-{:02x}", type), type_of(base), other);
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
#define OF_SCHEME(NAME, TAG)                                                                     \
  {"scheme/" NAME "/fields", "a field is read from another place, or with another width",        \
   of<TAG, fields>},                                                                             \
      {"scheme/" NAME "/version", "a descriptor of a later version is read as if it were known", \
       of<TAG, versions>},                                                                       \
      {"scheme/" NAME "/flags", "a reserved flag is not looked at", of<TAG, flag_bits>},         \
      {"scheme/" NAME "/storage-type", "the list of storage types is another scheme's",          \
       of<TAG, storage_types>},                                                                  \
      {"scheme/" NAME "/prefix", "a descriptor that is too short is read past its end",          \
       of<TAG, prefixes>},                                                                       \
      {"scheme/" NAME "/longer", "bytes behind the last field are taken for fields",             \
       of<TAG, longer>},                                                                         \
      {"scheme/" NAME "/written", "a field is written to another place, or with another width",  \
       of<TAG, written>},                                                                        \
  {                                                                                              \
    "scheme/" NAME "/not-written", "an encoder writes what a reader has to refuse",              \
        of<TAG, not_written>                                                                     \
  }
    OF_SCHEME("pca", 2),
    OF_SCHEME("pba", 3),
    OF_SCHEME("nf4", 4),
    OF_SCHEME("mxfp", 5),
#undef OF_SCHEME
    {"scheme/pca/reserved", "a reserved byte is not looked at", of<2, reserved_bits>},
    {"scheme/pba/reserved", "a reserved byte is not looked at", of<3, reserved_bits>},
    {"scheme/pca/scale-type", "scales of another type than float32 are taken", of<2, scale_types>},
    {"scheme/pba/scale-type", "the type of the scales is not looked at", of<3, scale_types>},
    {"scheme/pba/block-size", "a block size is not looked at", of<3, block_sizes>},
    {"scheme/nf4/block-size", "a block size is not looked at", of<4, block_sizes>},
    {"scheme/mxfp/block-size", "a block size is not looked at", of<5, block_sizes>},
    {"scheme/pca/symmetric", "flag and zero-point index need not agree", of<2, symmetric>},
    {"scheme/pba/symmetric", "flag and zero-point index need not agree", of<3, symmetric>},
};

}  // namespace

std::span<const Family> scheme_families() { return kFamilies; }

}  // namespace hurray::conformance
