// SPDX-License-Identifier: Apache-2.0
//
// Families on the values of tensors in blocks: per-block affine, NF4 and MXFP.

#include "conformance/runner/families/tensor_values.h"

namespace hurray::conformance {
namespace {

std::vector<Draft> blocks(const SchemeSection& base, std::span<const std::uint8_t> tags,
                          std::uint32_t block_size, bool has_points) {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : tags) {
    const ElementTypeInfo& type = type_info(tag);
    for (std::size_t rank = 1; rank <= 3; ++rank) {
      for (std::uint32_t axis = 0; axis < rank; ++axis) {
        SchemeSection section = base;
        section.axis = axis;
        section.block_size = block_size;
        std::vector<std::uint64_t> shape(rank, 4);
        if (rank == 3) shape = {2, 4, 4};
        shape[axis] = 2 * block_size;
        TensorParts parts = shaped(section, type.tag, shape);
        const std::size_t count = elements_of(parts);
        const std::size_t entries = count / block_size;
        std::vector<Bytes> buffers = {noise(bytes_of(type, count), rank * 7 + axis + type.tag)};
        buffers.push_back(section.scheme_tag == 5 ? e8m0s(entries, axis + 4)
                                                  : scales(entries, axis + 4));
        if (has_points) buffers.push_back(zero_points(entries, -200, 300, axis + 8));
        for (const std::uint8_t layout : Octets{1, 2}) {
          parts.layout = layout;
          drafts.push_back(
              values(fmt::format("{}/rank-{}/axis-{}/layout-{}", type.name, rank, axis, layout),
                     parts, buffers));
        }
      }
    }
  }
  return drafts;
}

std::vector<Draft> affine_blocks() { return blocks(per_block_section(), kBlockTags, 4, true); }

std::vector<Draft> nf4_blocks() {
  constexpr std::array<std::uint8_t, 1> kUint4 = {0x49};
  return blocks(nf4_section(), kUint4, 8, false);
}

std::vector<Draft> mxfp_blocks() { return blocks(mxfp_section(), kMxTags, 16, false); }

std::vector<Draft> block_codes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : kBlockTags) {
    const ElementTypeInfo& type = type_info(tag);
    for (const std::uint32_t scale :
         {0x3f800000u, 0x3dcccccdu, 0xbf000001u, 0x00000001u, 0x7f7fffffu}) {
      for (const std::int32_t zero_point : {0, 7, 16, -129, 100000, INT32_MAX, INT32_MIN}) {
        SchemeSection section = per_block_section();
        section.axis = 0;
        section.block_size = 1u << type.bits;
        const std::uint32_t scale_once[] = {scale};
        const std::uint32_t point_once[] = {static_cast<std::uint32_t>(zero_point)};
        const std::array<Bytes, 3> buffers = {every_code(type), le32(scale_once), le32(point_once)};
        drafts.push_back(values(fmt::format("{}/{:08x}/{}", type.name, scale, zero_point),
                                shaped(section, type.tag, {std::uint64_t{1} << type.bits}),
                                buffers));
      }
    }
  }
  return drafts;
}

// All finite scales of 16 bits, in blocks of two elements: the code 1 twice.
std::vector<Draft> half_scales(std::uint8_t scale_type, std::uint32_t infinity) {
  std::vector<Draft> drafts;
  constexpr std::size_t kPerCase = 4096;
  SchemeSection section = per_block_section();
  section.axis = 0;
  section.block_size = 2;
  section.flags = 1;
  section.zero_point_buffer_index = kNoIndex;
  section.scale_type_tag = scale_type;
  std::vector<std::uint16_t> all;
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const std::uint32_t magnitude = pattern & 0x7fff;
    if (magnitude != 0 && magnitude < infinity) all.push_back(static_cast<std::uint16_t>(pattern));
  }
  for (std::size_t first = 0; first < all.size(); first += kPerCase) {
    const std::size_t count = std::min(kPerCase, all.size() - first);
    Bytes patterns;
    for (std::size_t i = first; i < first + count; ++i) {
      patterns.push_back(static_cast<std::uint8_t>(all[i]));
      patterns.push_back(static_cast<std::uint8_t>(all[i] >> 8));
    }
    Bytes data;
    for (std::size_t i = 0; i < count; ++i) {
      data.push_back(1);
      data.push_back(0xfd);
    }
    const std::array<Bytes, 2> buffers = {data, patterns};
    drafts.push_back(values(fmt::format("from-{:04x}", all[first]),
                            shaped(section, 0x10, {2 * count}), buffers));
  }
  return drafts;
}

std::vector<Draft> float16_scales() { return half_scales(1, 0x7c00); }

std::vector<Draft> bfloat16_scales() { return half_scales(2, 0x7f80); }

std::vector<Draft> bad_block_scales() {
  std::vector<Draft> drafts;
  const auto add = [&](std::uint8_t type, unsigned width, const auto& bad, std::uint32_t good) {
    SchemeSection section = per_block_section();
    section.scale_type_tag = type;
    Bytes good_scales;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned byte = 0; byte < width; ++byte) {
        good_scales.push_back(static_cast<std::uint8_t>(good >> 8 * byte));
      }
    }
    std::vector<Draft> more;
    add_bad_scales(more, shaped(section, 0x10, {2, 16}), noise(32, 4), good_scales,
                   zero_points(4, 0, 9, 2), bad, width);
    for (Draft& draft : more) {
      draft.name = fmt::format("type-{}/{}", type, draft.name);
      drafts.push_back(std::move(draft));
    }
  };
  add(3, 4, kBadScales, 0x3f000000);
  add(1, 2, std::array<std::uint32_t, 6>{0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x0000, 0x8000}, 0x3800);
  add(2, 2, std::array<std::uint32_t, 6>{0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x0000, 0x8000}, 0x3f00);
  return drafts;
}

// A partial last block: whatever stands in its padding, the elements are the same.
std::vector<Draft> partial(const SchemeSection& base, std::uint8_t type, bool has_points) {
  std::vector<Draft> drafts;
  for (const std::uint64_t size : {9u, 12u, 15u, 17u, 30u}) {
    SchemeSection section = base;
    section.axis = 0;
    section.block_size = 8;
    const std::size_t entries = static_cast<std::size_t>((size + 7) / 8);
    const std::size_t per_byte = type == 0x49 ? 2 : 1;
    for (const std::uint8_t padding : Octets{0x00, 0xff}) {
      if (padding != 0 && (size + per_byte - 1) / per_byte == entries * 8 / per_byte) continue;
      Bytes data = noise(entries * 8 / per_byte, size);
      // Only whole bytes behind the last element: unused bits are another matter.
      for (std::size_t i = (static_cast<std::size_t>(size) + per_byte - 1) / per_byte;
           i < data.size(); ++i) {
        data[i] = padding;
      }
      std::vector<Bytes> buffers = {data, scales(entries, size)};
      if (has_points) buffers.push_back(zero_points(entries, 0, 15, size));
      drafts.push_back(values(fmt::format("{}/padding-{:02x}", size, padding),
                              shaped(section, type, {size}), buffers));
    }
  }
  return drafts;
}

std::vector<Draft> partial_affine() { return partial(per_block_section(), 0x10, true); }

std::vector<Draft> partial_nf4() { return partial(nf4_section(), 0x49, false); }

std::vector<Draft> nf4_levels() {
  std::vector<Draft> drafts;
  SchemeSection section = nf4_section();
  section.axis = 0;
  section.block_size = 16;
  const Bytes data = every_code(type_info(0x49));
  for (const std::uint32_t scale : {0x3f800000u, 0x3dcccccdu, 0x00000001u, 0x00800000u, 0x7f7fffffu,
                                    0x00000000u, 0x3f800001u, 0x40490fdbu}) {
    const std::uint32_t once[] = {scale};
    const std::array<Bytes, 2> buffers = {data, le32(once)};
    drafts.push_back(values(fmt::format("{:08x}", scale), shaped(section, 0x49, {16}), buffers));
  }
  return drafts;
}

std::vector<Draft> bad_nf4_scales() {
  std::vector<Draft> drafts;
  constexpr std::array<std::uint32_t, 8> kBad = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000,
                                                 0xbf800000, 0x80000001, 0x80000000, 0xff7fffff};
  // Codes whose level is not zero.
  add_bad_scales(drafts, shaped(nf4_section(), 0x49, {2, 16}), Bytes(16, 0x91), scales(4, 1),
                 std::nullopt, kBad, 4);
  return drafts;
}

std::vector<Draft> mxfp_codes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : kMxTags) {
    const ElementTypeInfo& type = type_info(tag);
    const std::uint64_t count = std::uint64_t{1} << type.bits;
    for (const std::uint8_t scale : Octets{0x01, 0x02, 0x7f, 0x80, 0xfd, 0xfe}) {
      SchemeSection section = mxfp_section();
      section.axis = 0;
      section.block_size = 16;
      const std::array<Bytes, 2> buffers = {every_code(type), Bytes(count / 16, scale)};
      drafts.push_back(values(fmt::format("{}/{:02x}", type.name, scale),
                              shaped(section, type.tag, {count}), buffers));
    }
  }
  return drafts;
}

std::vector<Draft> mxfp_scales() {
  std::vector<Draft> drafts;
  SchemeSection section = mxfp_section();
  section.axis = 1;
  Bytes all;
  for (unsigned byte = 1; byte <= 254; ++byte) all.push_back(static_cast<std::uint8_t>(byte));
  for (const std::uint8_t tag : kMxTags) {
    const ElementTypeInfo& type = type_info(tag);
    const std::array<Bytes, 2> buffers = {noise(bytes_of(type, 254 * 16), type.tag), all};
    drafts.push_back(values(std::string(type.name), shaped(section, type.tag, {254, 16}), buffers));
  }
  return drafts;
}

std::vector<Draft> bad_mxfp_scales() {
  std::vector<Draft> drafts;
  constexpr std::array<std::uint32_t, 2> kBad = {0x00, 0xff};
  add_bad_scales(drafts, shaped(mxfp_section(), 0x40, {2, 48}), noise(96, 3), e8m0s(6, 2),
                 std::nullopt, kBad, 1);
  return drafts;
}

constexpr Family kFamilies[] = {
    {"values/pba/blocks", "an element is given the parameters of another block", affine_blocks},
    {"values/nf4/blocks", "an element is given the scale of another block", nf4_blocks},
    {"values/mxfp/blocks", "an element is given the scale of another block", mxfp_blocks},
    {"values/pba/codes", "a code is given another value", block_codes},
    {"values/pba/float16-scales", "a float16 scale is not widened exactly", float16_scales},
    {"values/pba/bfloat16-scales", "a bfloat16 scale is not widened exactly", bfloat16_scales},
    {"values/pba/bad-scale", "a scale is computed with that is none", bad_block_scales},
    {"values/pba/partial", "what stands in the padding matters", partial_affine},
    {"values/nf4/partial", "what stands in the padding matters", partial_nf4},
    {"values/nf4/levels", "a level of the table is another", nf4_levels},
    {"values/nf4/bad-scale", "a scale is computed with that is none", bad_nf4_scales},
    {"values/mxfp/codes", "an element is given another value", mxfp_codes},
    {"values/mxfp/scales", "a scale is given another value", mxfp_scales},
    {"values/mxfp/bad-scale", "a scale byte is computed with that is none", bad_mxfp_scales},
};

}  // namespace

std::span<const Family> block_value_families() { return kFamilies; }

}  // namespace hurray::conformance
