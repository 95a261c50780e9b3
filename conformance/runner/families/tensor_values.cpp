// SPDX-License-Identifier: Apache-2.0
//
// Families on the values of tensors: every code, every scale, every axis and layout, partial
// blocks, and contents of parameter buffers that a scheme excludes.

#include <array>
#include <bit>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

Bytes noise(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  Bytes made(bytes);
  for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(random.next());
  return made;
}
std::size_t elements_of(const TensorParts& parts) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : parts.shape) count *= size;
  return static_cast<std::size_t>(count);
}

// Scales of either sign and several magnitudes, different from each other.
Bytes scales(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> patterns;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    patterns.push_back(0x3c000000u + static_cast<std::uint32_t>(random.below(0x04000000)));
  }
  return le32(patterns);
}
Bytes zero_points(std::size_t count, std::int64_t least, std::int64_t most, std::uint64_t seed) {
  std::vector<std::uint32_t> values;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t span = static_cast<std::uint64_t>(most - least) + 1;
    values.push_back(
        static_cast<std::uint32_t>(least + static_cast<std::int64_t>(random.below(span))));
  }
  return le32(values);
}
Bytes e8m0s(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Bytes bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(1 + random.below(254));
  return bytes;
}

struct StoredType {
  std::uint8_t tag;
  std::string_view name;
  unsigned bits;
};
constexpr std::array<StoredType, 10> kIntegers = {{{0x10, "int8", 8},
                                                   {0x11, "uint8", 8},
                                                   {0x12, "int16", 16},
                                                   {0x13, "uint16", 16},
                                                   {0x14, "int32", 32},
                                                   {0x15, "uint32", 32},
                                                   {0x48, "int4", 4},
                                                   {0x49, "uint4", 4},
                                                   {0x4a, "int2", 2},
                                                   {0x4b, "uint2", 2}}};
constexpr std::array<StoredType, 7> kMxTypes = {{{0x40, "float8_e4m3", 8},
                                                 {0x41, "float8_e5m2", 8},
                                                 {0x43, "float4_e2m1", 4},
                                                 {0x44, "float6_e2m3", 6},
                                                 {0x45, "float6_e3m2", 6},
                                                 {0x10, "int8", 8},
                                                 {0x48, "int4", 4}}};

bool is_of_blocks(const StoredType& type) { return type.bits <= 8; }

std::size_t bytes_of(const StoredType& type, std::size_t count) {
  return type.bits == 6 ? (count + 3) / 4 * 3 : (count * type.bits + 7) / 8;
}

// Every code of a type of up to 8 bits, in order.
Bytes every_code(const StoredType& type) {
  const std::size_t count = std::size_t{1} << type.bits;
  Bytes packed(bytes_of(type, count));
  for (std::size_t i = 0; i < count; ++i) {
    for (unsigned bit = 0; bit < type.bits; ++bit) {
      const std::size_t at = i * type.bits + bit;
      packed[at / 8] = static_cast<std::uint8_t>(packed[at / 8] | (i >> bit & 1) << at % 8);
    }
  }
  return packed;
}

// A tensor with its buffers; byte sizes follow from them.
Draft values(const std::string& name, TensorParts parts, std::span<const Bytes> buffers) {
  parts.buffers.clear();
  for (const Bytes& each : buffers) parts.buffers.push_back({.byte_size = each.size()});
  return {name, {dequantize_tensor_request(parts, elements_of(parts), buffers)}};
}

// The scheme's tensor of one type and shape.
TensorParts shaped(const Section& section, std::uint8_t type, std::vector<std::uint64_t> shape) {
  TensorParts parts;
  parts.type = type;
  parts.shape = std::move(shape);
  parts.quantization = section.bytes();
  return parts;
}

std::pair<std::int64_t, std::int64_t> range_of(const StoredType& type) {
  const StorageTypeInfo& info = *find_storage_type(type.tag);
  return {info.min, std::min<std::int64_t>(info.max, 0x7fffffff)};
}

// --- Per-tensor affine

std::vector<Draft> per_tensor() {
  std::vector<Draft> drafts;
  for (const StoredType& type : kIntegers) {
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
  for (const StoredType& type : kIntegers) {
    for (const std::vector<std::uint64_t>& shape : shapes) {
      for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
        Section section = per_channel_section();
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
  for (const StoredType& type : kIntegers) {
    if (type.bits > 8) continue;
    const std::uint64_t count = std::uint64_t{1} << type.bits;
    for (const std::uint32_t scale :
         {0x3f800000u, 0x3dcccccdu, 0xbf000001u, 0x00000001u, 0x7f7fffffu}) {
      Section section = per_channel_section();
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
  Section section = per_channel_section();
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
  for (const StoredType& type : kIntegers) {
    Section section = per_channel_section();
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
    Section section = is_blocked ? per_block_section() : per_channel_section();
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

// A parameter that is excluded, first, in the middle and last.
template <std::size_t count>
void add_bad_scales(std::vector<Draft>& drafts, const TensorParts& parts, const Bytes& data,
                    const Bytes& good_scales, const std::optional<Bytes>& points,
                    const std::array<std::uint32_t, count>& bad, unsigned width) {
  const std::size_t entries = good_scales.size() / width;
  for (const std::uint32_t pattern : bad) {
    for (const std::size_t at : {std::size_t{0}, entries / 2, entries - 1}) {
      Bytes changed = good_scales;
      for (unsigned i = 0; i < width; ++i) {
        changed[at * width + i] = static_cast<std::uint8_t>(pattern >> 8 * i);
      }
      std::vector<Bytes> buffers = {data, changed};
      if (points) buffers.push_back(*points);
      drafts.push_back(
          values(fmt::format("{:0{}x}/at-{}", pattern, 2 * width, at), parts, buffers));
    }
  }
}
constexpr std::array<std::uint32_t, 8> kBadScales = {
    0x7fc00000, 0x7f800001, 0xffffffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0xffc00000};

std::vector<Draft> bad_channel_scales() {
  std::vector<Draft> drafts;
  add_bad_scales(drafts, shaped(per_channel_section(), 0x10, {2, 5}), noise(10, 1), scales(5, 1),
                 zero_points(5, -128, 127, 3), kBadScales, 4);
  return drafts;
}
std::vector<Draft> bad_channel_zero_points() {
  std::vector<Draft> drafts;
  for (const StoredType& type : kIntegers) {
    const StorageTypeInfo& info = *find_storage_type(type.tag);
    for (const std::int64_t value : {info.min - 1, info.min, info.max, info.max + 1}) {
      if (value < INT32_MIN || value > INT32_MAX) continue;
      for (const std::size_t at : {0u, 1u, 2u}) {
        std::array<std::uint32_t, 3> points = {1, 1, 1};
        points[at] = static_cast<std::uint32_t>(value);
        const std::array<Bytes, 3> buffers = {Bytes(bytes_of(type, 24)), scales(3, 2),
                                              le32(points)};
        Section section = per_channel_section();
        section.axis = 0;
        drafts.push_back(values(fmt::format("{}/{}/at-{}", type.name, value, at),
                                shaped(section, type.tag, {3, 8}), buffers));
      }
    }
  }
  return drafts;
}

// --- Per-block affine

std::vector<Draft> blocks(const Section& base, std::span<const StoredType> types,
                          std::uint32_t block_size, bool has_points) {
  std::vector<Draft> drafts;
  for (const StoredType& type : types) {
    if (!is_of_blocks(type)) continue;
    for (std::size_t rank = 1; rank <= 3; ++rank) {
      for (std::uint32_t axis = 0; axis < rank; ++axis) {
        Section section = base;
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
std::vector<Draft> affine_blocks() { return blocks(per_block_section(), kIntegers, 4, true); }
std::vector<Draft> nf4_blocks() {
  constexpr std::array<StoredType, 1> kUint4 = {{{0x49, "uint4", 4}}};
  return blocks(nf4_section(), kUint4, 8, false);
}
std::vector<Draft> mxfp_blocks() { return blocks(mxfp_section(), kMxTypes, 16, false); }

// Other strides than those of the shape, among them gaps between rows.
std::vector<Draft> strided() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    TensorParts parts = base.tensor();
    const Section section = base.section();
    const StoredType type = {parts.type, "", parts.type == 0x49 ? 4u : 8u};
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
      const Section section = base.section();
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

std::vector<Draft> block_codes() {
  std::vector<Draft> drafts;
  for (const StoredType& type : kIntegers) {
    if (!is_of_blocks(type)) continue;
    for (const std::uint32_t scale :
         {0x3f800000u, 0x3dcccccdu, 0xbf000001u, 0x00000001u, 0x7f7fffffu}) {
      for (const std::int32_t zero_point : {0, 7, 16, -129, 100000, INT32_MAX, INT32_MIN}) {
        Section section = per_block_section();
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
  Section section = per_block_section();
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
    Section section = per_block_section();
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
std::vector<Draft> partial(const Section& base, std::uint8_t type, bool has_points) {
  std::vector<Draft> drafts;
  for (const std::uint64_t size : {9u, 12u, 15u, 17u, 30u}) {
    Section section = base;
    section.axis = 0;
    section.block_size = 8;
    const std::size_t entries = static_cast<std::size_t>((size + 7) / 8);
    const std::size_t per_byte = type == 0x49 ? 2 : 1;
    for (const std::uint8_t padding : Octets{0x00, 0xff}) {
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

// A shared entry: scales in front, zero points behind.
std::vector<Draft> shared_values() {
  std::vector<Draft> drafts;
  for (const bool is_blocked : {false, true}) {
    Section section = is_blocked ? per_block_section() : per_channel_section();
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

// --- NF4

std::vector<Draft> nf4_levels() {
  std::vector<Draft> drafts;
  Section section = nf4_section();
  section.axis = 0;
  section.block_size = 16;
  const Bytes data = every_code({0x49, "uint4", 4});
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

// --- MXFP

std::vector<Draft> mxfp_codes() {
  std::vector<Draft> drafts;
  for (const StoredType& type : kMxTypes) {
    const std::uint64_t count = std::uint64_t{1} << type.bits;
    for (const std::uint8_t scale : Octets{0x01, 0x02, 0x7f, 0x80, 0xfd, 0xfe}) {
      Section section = mxfp_section();
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
  Section section = mxfp_section();
  section.axis = 1;
  Bytes all;
  for (unsigned byte = 1; byte <= 254; ++byte) all.push_back(static_cast<std::uint8_t>(byte));
  for (const StoredType& type : kMxTypes) {
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

// --- All of them

std::vector<Draft> unused_bits() {
  std::vector<Draft> drafts;
  for (const StoredType& type : kIntegers) {
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
    Section section = base.section();
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
    {"values/pba/blocks", "an element is given the parameters of another block", affine_blocks},
    {"values/pba/codes", "a code is given another value", block_codes},
    {"values/pba/float16-scales", "a float16 scale is not widened exactly", float16_scales},
    {"values/pba/bfloat16-scales", "a bfloat16 scale is not widened exactly", bfloat16_scales},
    {"values/pba/bad-scale", "a scale is computed with that is none", bad_block_scales},
    {"values/pba/partial", "what stands in the padding matters", partial_affine},
    {"values/shared", "the arrays of a shared buffer are taken in another order", shared_values},
    {"values/recipe", "normalized or not, an element is not what the formula says", recipe},
    {"values/nf4/levels", "a level of the table is another", nf4_levels},
    {"values/nf4/blocks", "an element is given the scale of another block", nf4_blocks},
    {"values/nf4/bad-scale", "a scale is computed with that is none", bad_nf4_scales},
    {"values/nf4/partial", "what stands in the padding matters", partial_nf4},
    {"values/mxfp/codes", "an element is given another value", mxfp_codes},
    {"values/mxfp/scales", "a scale is given another value", mxfp_scales},
    {"values/mxfp/blocks", "an element is given the scale of another block", mxfp_blocks},
    {"values/mxfp/bad-scale", "a scale byte is computed with that is none", bad_mxfp_scales},
    {"values/strided", "strides are taken in bytes, or in another order", strided},
    {"values/byte-offset", "the byte offset is not where the first element is", byte_offsets},
    {"values/unused-bits", "unused bits change an element", unused_bits},
    {"values/empty", "a buffer without bytes is touched", empty},
    {"values/filled", "something beside the output is written, or a refusal writes to it", filled},
};

}  // namespace

std::span<const Family> tensor_value_families() { return kFamilies; }

}  // namespace hurray::conformance
