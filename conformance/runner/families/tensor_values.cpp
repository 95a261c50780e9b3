// SPDX-License-Identifier: Apache-2.0
//
// Families on the values of tensors: per-tensor and per-channel affine, layouts, and what all
// schemes have in common.

#include "conformance/runner/families/tensor_values.h"

namespace hurray::conformance {
namespace {

// --- Per-tensor affine

std::vector<Draft> per_tensor() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kIntegers) {
    const std::size_t count = 35;
    TensorParts parts;
    parts.type = type.tag;
    parts.shape = {5, 7};
    parts.quantization = descriptor(0x3dcccccd, 1);
    Bytes data = noise(bytes_of(type, count), type.tag);
    const unsigned used = count * type.bits % 8;
    if (used != 0) data.back() = static_cast<std::uint8_t>(data.back() & ((1u << used) - 1));
    const std::array<Bytes, 1> buffers = {data};
    drafts.push_back(values(std::string(type.name), parts, buffers));
    parts.layout = 2;
    drafts.push_back(values(fmt::format("{}/column-major", type.name), parts, buffers));
  }
  return drafts;
}

// --- Per-channel affine

std::vector<Draft> channels() {
  std::vector<Draft> drafts;
  const std::vector<std::vector<std::uint64_t>> shapes = {{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}};
  for (const ElementTypeInfo& type : kIntegers) {
    for (const std::vector<std::uint64_t>& shape : shapes) {
      for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
        SchemeSection section = per_channel_section();
        section.axis = axis;
        TensorParts parts = shaped(section, type.tag, shape);
        const std::size_t count = elements_of(parts);
        const auto [least, most] = range_of(type);
        Bytes data = noise(bytes_of(type, count), 9 * axis + type.tag);
        const unsigned used = static_cast<unsigned>(count * type.bits % 8);
        if (used != 0) data.back() = static_cast<std::uint8_t>(data.back() & ((1u << used) - 1));
        const std::array<Bytes, 3> buffers = {data, scales(shape[axis], axis + 1),
                                              zero_points(shape[axis], least, most, axis + 2)};
        for (const std::uint8_t layout : Octets{1, 2}) {
          parts.layout = layout;
          drafts.push_back(values(
              fmt::format("{}/rank-{}/axis-{}/layout-{}", type.name, shape.size(), axis, layout),
              parts, buffers));
        }
      }
    }
  }
  return drafts;
}
std::vector<Draft> channel_codes() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kIntegers) {
    if (type.bits > 8) continue;
    const std::uint64_t count = std::uint64_t{1} << type.bits;
    for (const std::uint32_t scale :
         {0x3f800000u, 0x3dcccccdu, 0xbf000001u, 0x00000001u, 0x7f7fffffu}) {
      SchemeSection section = per_channel_section();
      section.axis = 0;
      const auto [least, most] = range_of(type);
      const std::uint32_t ends[] = {static_cast<std::uint32_t>(least),
                                    static_cast<std::uint32_t>(most)};
      const std::uint32_t both[] = {scale, scale ^ 0x00000003u};
      Bytes data = every_code(type);
      const Bytes once = data;
      data.insert(data.end(), once.begin(), once.end());
      const std::array<Bytes, 3> buffers = {data, le32(both), le32(ends)};
      drafts.push_back(values(fmt::format("{}/{:08x}", type.name, scale),
                              shaped(section, type.tag, {2, count}), buffers));
    }
  }
  return drafts;
}
// Differences and codes beyond int32, the order of the two roundings.
std::vector<Draft> channel_arithmetic() {
  std::vector<Draft> drafts;
  SchemeSection section = per_channel_section();
  section.axis = 0;
  const std::array<std::uint32_t, 4> codes = {0x7fffffff, 0x80000000, 0x01000001, 0xffffffff};
  for (const std::uint8_t type : Octets{0x14, 0x15}) {
    const std::array<std::uint32_t, 4> parameters = {0x3f800000, 0x40400000, 0x3dcccccd,
                                                     0x3f800001};
    for (const std::uint32_t zero_point : {0u, 1u, 0x7fffffffu, 0xffffffffu, 0x80000000u}) {
      if (type == 0x15 && zero_point > 0x7fffffffu) continue;
      const std::array<std::uint32_t, 4> points = {zero_point, zero_point, zero_point, zero_point};
      const std::array<Bytes, 3> buffers = {le32(codes), le32(parameters), le32(points)};
      drafts.push_back(values(fmt::format("type-{:02x}/{:08x}", type, zero_point),
                              shaped(section, type, {4, 1}), buffers));
    }
  }
  return drafts;
}
std::vector<Draft> symmetric_channels() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kIntegers) {
    SchemeSection section = per_channel_section();
    section.flags = 1;
    section.zero_point_buffer_index = kNoIndex;
    section.axis = 0;
    TensorParts parts = shaped(section, type.tag, {4, 8});
    const std::array<Bytes, 2> buffers = {noise(bytes_of(type, 32), type.tag), scales(4, 3)};
    drafts.push_back(values(std::string(type.name), parts, buffers));
  }
  return drafts;
}
// The zero points of a symmetric tensor are nobody's business, wherever they lie.
std::vector<Draft> unread_zero_points() {
  std::vector<Draft> drafts;
  for (const bool is_blocked : {false, true}) {
    SchemeSection section = is_blocked ? per_block_section() : per_channel_section();
    section.flags = 1;
    section.zero_point_buffer_index = kNoIndex;
    TensorParts parts = shaped(section, 0x10, {2, 16});
    const std::size_t count = is_blocked ? 4 : 16;
    const std::array<Bytes, 2> buffers = {noise(32, 5), scales(count, 6)};
    parts.buffers = {{.byte_size = 32}, {.byte_size = 4 * count}, {.byte_size = 4 * count}};
    // The third buffer is one too many, which a reader may refuse.
    drafts.push_back(
        {is_blocked ? "pba" : "pca",
         {dequantize_tensor_request(parts, 32, buffers) + fmt::format(" b2=none:{}", 4 * count)}});
  }
  return drafts;
}

std::vector<Draft> bad_channel_scales() {
  std::vector<Draft> drafts;
  add_bad_scales(drafts, shaped(per_channel_section(), 0x10, {2, 5}), noise(10, 1), scales(5, 1),
                 zero_points(5, -128, 127, 3), kBadScales, 4);
  return drafts;
}
std::vector<Draft> bad_channel_zero_points() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kIntegers) {
    const StorageTypeInfo& info = *find_storage_type(type.tag);
    for (const std::int64_t value : {info.min - 1, info.min, info.max, info.max + 1}) {
      if (value < INT32_MIN || value > INT32_MAX) continue;
      for (const std::size_t at : {0u, 1u, 2u}) {
        std::array<std::uint32_t, 3> points = {1, 1, 1};
        if (value == 1 && at > 0) continue;  // the same again
        points[at] = static_cast<std::uint32_t>(value);
        const std::array<Bytes, 3> buffers = {Bytes(bytes_of(type, 24)), scales(3, 2),
                                              le32(points)};
        SchemeSection section = per_channel_section();
        section.axis = 0;
        drafts.push_back(values(fmt::format("{}/{}/at-{}", type.name, value, at),
                                shaped(section, type.tag, {3, 8}), buffers));
      }
    }
  }
  return drafts;
}

// Other strides than those of the shape, among them gaps between rows.
std::vector<Draft> strided() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    TensorParts parts = base.tensor();
    const SchemeSection section = base.section();
    const ElementTypeInfo& type = type_info(parts.type);
    const std::size_t columns = static_cast<std::size_t>(parts.shape[1]);
    const std::size_t rows = static_cast<std::size_t>(parts.shape[0]);
    const std::size_t entries =
        section.scheme_tag == 2 ? columns : rows * columns / section.block_size;
    std::vector<Bytes> buffers = {{},
                                  section.scheme_tag == 5 ? e8m0s(entries, 4) : scales(entries, 4)};
    if (section.scheme_tag <= 3) buffers.push_back(zero_points(entries, -8, 7, 3));
    parts.layout = 3;
    const auto add = [&](std::string_view name, std::int64_t of_row, std::int64_t of_column) {
      parts.strides = {of_row, of_column};
      const std::size_t last = (rows - 1) * static_cast<std::size_t>(of_row) +
                               (columns - 1) * static_cast<std::size_t>(of_column);
      buffers[0] = noise(bytes_of(type, last + 1), 77);
      if (type.bits == 4 && last % 2 == 0) buffers[0].back() &= 0x0f;
      drafts.push_back(values(fmt::format("{}/{}", base.name, name), parts, buffers));
    };
    add("row-major", static_cast<std::int64_t>(columns), 1);
    add("column-major", 1, static_cast<std::int64_t>(rows));
    add("rows-with-gaps", static_cast<std::int64_t>(columns) + 5, 1);
    add("all-with-gaps", 3 * static_cast<std::int64_t>(columns) + 1, 3);
  }
  return drafts;
}
std::vector<Draft> byte_offsets() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    for (const std::size_t offset : {1u, 3u, 64u}) {
      TensorParts parts = base.tensor();
      const SchemeSection section = base.section();
      const std::size_t data = static_cast<std::size_t>(parts.buffers[0].byte_size);
      const std::size_t parameters = static_cast<std::size_t>(parts.buffers[1].byte_size);
      parts.byte_offset = offset;
      std::vector<Bytes> buffers = {noise(data + offset, offset), section.scheme_tag == 5
                                                                      ? e8m0s(parameters, 4)
                                                                      : scales(parameters / 4, 4)};
      if (section.scheme_tag <= 3) buffers.push_back(zero_points(parameters / 4, -8, 7, 3));
      drafts.push_back(values(fmt::format("{}/{}", base.name, offset), parts, buffers));
    }
  }
  return drafts;
}

// A shared entry: scales in front, zero points behind.
std::vector<Draft> shared_values() {
  std::vector<Draft> drafts;
  for (const bool is_blocked : {false, true}) {
    SchemeSection section = is_blocked ? per_block_section() : per_channel_section();
    section.zero_point_buffer_index = section.scale_buffer_index;
    const std::size_t entries = is_blocked ? 4 : 16;
    Bytes both = scales(entries, 6);
    const Bytes points = zero_points(entries, -9, 9, 7);
    both.insert(both.end(), points.begin(), points.end());
    const std::array<Bytes, 2> buffers = {noise(32, 5), both};
    drafts.push_back(values(is_blocked ? "pba" : "pca", shaped(section, 0x10, {2, 16}), buffers));
  }
  return drafts;
}

// The recipe's tensor, and its twin whose zero points are one less.
std::vector<Draft> recipe() {
  std::vector<Draft> drafts;
  const std::array<std::uint32_t, 4> scale = {0x3ca3d70a, 0x3c75c28f, 0x3ccccccd, 0x3c23d70a};
  for (const std::uint32_t less : {0u, 1u}) {
    const std::array<std::uint32_t, 4> points = {8 - less, 7 - less, 9 - less, 8 - less};
    for (const std::uint8_t type : Octets{0x10, 0x11, 0x49}) {
      Bytes data = noise(type == 0x49 ? 16 : 32, type);
      const std::array<Bytes, 3> buffers = {data, le32(scale), le32(points)};
      drafts.push_back(values(fmt::format("{}/{:02x}", less == 0 ? "normalized" : "twin", type),
                              shaped(per_block_section(), type, {2, 16}), buffers));
    }
  }
  return drafts;
}

// --- All of them

std::vector<Draft> unused_bits() {
  std::vector<Draft> drafts;
  for (const ElementTypeInfo& type : kIntegers) {
    if (type.bits >= 8) continue;
    TensorParts parts;
    parts.type = type.tag;
    parts.shape = {5};
    parts.quantization = descriptor(0x3f000000, 1);
    const std::array<Bytes, 1> buffers = {Bytes(bytes_of(type, 5), 0xff)};
    drafts.push_back(values(std::string(type.name), parts, buffers));
  }
  return drafts;
}
std::vector<Draft> empty() {
  std::vector<Draft> drafts;
  TensorParts parts = per_tensor_tensor();
  parts.shape = {0};
  parts.buffers[0].byte_size = 0;
  for (const std::string_view buffer : {"", "null", "none:0"}) {
    drafts.push_back({fmt::format("pta/{}", buffer.empty() ? "empty" : buffer.substr(0, 4)),
                      {dequantize_tensor_request(parts, 0, {}) + " b0=" + std::string(buffer)}});
  }
  const std::array<Bytes, 3> nothing = {};
  for (const SchemeBase& base : scheme_bases().first(3)) {
    SchemeSection section = base.section();
    section.axis = 0;
    TensorParts none = shaped(section, base.tensor().type, {0});
    drafts.push_back(values(std::string(base.name), none,
                            std::span(nothing).first(section.scheme_tag <= 3 ? 3 : 2)));
  }
  return drafts;
}
std::vector<Draft> filled() {
  std::vector<Draft> drafts;
  for (Draft& draft : recipe()) {
    draft.requests.front() += " fill=a5";
    drafts.push_back({draft.name, draft.requests});
  }
  for (Draft& draft : bad_channel_scales()) {
    draft.requests.front() += " fill=a5";
    drafts.push_back({"refused/" + draft.name, draft.requests});
  }
  // Of the descriptor itself: early defects, and late ones in an else complete tensor.
  const Bytes valid = per_block_tensor().bytes();
  const auto decode = [&](std::string_view name, std::span<const std::uint8_t> bytes) {
    drafts.push_back({std::string(name), {decode_tensor_request(bytes) + " fill=a5"}});
  };
  decode("descriptor/valid", valid);
  for (const std::size_t at : {std::size_t{0}, valid.size() / 2, valid.size() - 4}) {
    Bytes broken = valid;
    broken[at] = 0xee;
    decode(fmt::format("descriptor/refused/byte-{}", at), broken);
  }
  decode("descriptor/refused/short", std::span(valid).first(valid.size() - 1));
  return drafts;
}

constexpr Family kFamilies[] = {
    {"values/pta", "the elements of a tensor are found in another place", per_tensor},
    {"values/pca/axis", "an element is given the parameters of another channel", channels},
    {"values/pca/codes", "a code is given another value", channel_codes},
    {"values/pca/arithmetic", "the arithmetic is not that of the formula", channel_arithmetic},
    {"values/pca/symmetric", "a symmetric tensor has zero points", symmetric_channels},
    {"values/unread-zero-points", "zero points are read that nobody needs", unread_zero_points},
    {"values/pca/bad-scale", "a scale is computed with that is none", bad_channel_scales},
    {"values/pca/zero-point-range", "a zero point outside the storage type is computed with",
     bad_channel_zero_points},
    {"values/shared", "the arrays of a shared buffer are taken in another order", shared_values},
    {"values/recipe", "normalized or not, an element is not what the formula says", recipe},
    {"values/strided", "strides are taken in bytes, or in another order", strided},
    {"values/byte-offset", "the byte offset is not where the first element is", byte_offsets},
    {"values/unused-bits", "unused bits change an element", unused_bits},
    {"values/empty", "a buffer without bytes is touched", empty},
    {"values/filled", "something beside the output is written, or a refusal writes to it", filled},
};

}  // namespace

std::span<const Family> tensor_value_families() { return kFamilies; }

}  // namespace hurray::conformance
