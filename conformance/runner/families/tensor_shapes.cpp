// SPDX-License-Identifier: Apache-2.0
//
// Families on shapes that sizes computed in too few bits take for small ones: number of elements,
// of bits, of bytes and of parameters, each beyond 32 and beyond 64 bits by as much as the buffers
// hold. And values and descriptors of tensors with dimensions where few have them.

#include <set>

#include <fmt/format.h>

#include "conformance/runner/families/tensor_values.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t power(unsigned exponent) { return std::uint64_t{1} << exponent; }

struct Named {
  std::string_view name;
  TensorParts parts;
};

// Each shape has more elements than the buffer holds by a number that drops out of some word.
std::vector<Named> too_large() {
  std::vector<Named> all;
  const auto add = [&](std::string_view name, std::uint8_t type, std::uint64_t bytes,
                       std::vector<std::uint64_t> shape) {
    TensorParts parts = plain_tensor();
    parts.type = type;
    parts.shape = std::move(shape);
    parts.buffers[0].byte_size = bytes;
    all.push_back({name, parts});
  };
  add("float32/elements-32", 0x03, 48, {3, power(32) + 4});
  add("float32/elements-of-two-halves-32", 0x03, 48, {power(16), power(16)});
  add("float32/elements-of-three-parts-32", 0x03, 48, {power(11), power(11), power(10)});
  add("float32/bytes-32", 0x03, 48, {power(30) + 12});
  add("float32/bits-32", 0x03, 48, {power(27) + 12});
  add("float32/bytes-64", 0x03, 48, {power(62) + 12});
  add("float32/bits-64", 0x03, 48, {power(59) + 12});
  add("float32/bytes-64-of-two", 0x03, 48, {2, power(61) + 6});
  add("float64/bytes-64", 0x04, 96, {power(61) + 12});
  add("int16/bits-64", 0x12, 24, {power(60) + 12});
  add("int16/bytes-64", 0x12, 24, {power(63) + 12});
  add("int8/bits-32", 0x10, 12, {power(29) + 12});
  add("int8/bits-64", 0x10, 12, {power(61) + 12});
  add("int8/elements-32", 0x10, 12, {power(32) + 12});
  add("int8/elements-64", 0x10, 12, {power(63), 2, 3});
  add("int8/elements-64-odd", 0x10, 12, {4294967297u, 4294967295u, 3});
  add("uint4/bits-64", 0x49, 6, {power(62) + 12});
  add("uint4/bits-32", 0x49, 6, {power(30) + 12});
  add("uint4/rounded-up-64", 0x49, 6, {~std::uint64_t{1}});
  add("bool/rounded-up-64", 0x20, 6, {~std::uint64_t{1}});
  return all;
}
std::vector<Draft> wrapped() {
  std::vector<Draft> drafts;
  for (const Named& each : too_large()) {
    drafts.push_back(of_tensor(std::string(each.name), each.parts));
  }
  return drafts;
}
// The place of the last element, by strides.
std::vector<Draft> wrapped_strides() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, std::vector<std::uint64_t> shape,
                       std::vector<std::int64_t> strides) {
    TensorParts parts = plain_tensor();
    parts.layout = 3;
    parts.shape = std::move(shape);
    parts.strides = std::move(strides);
    drafts.push_back(of_tensor(std::string(name), parts));
  };
  add("distance-32", {2, 2}, {std::int64_t{1} << 32, 1});
  add("distance-of-product-32", {65537, 2}, {65536, 1});
  add("distance-64", {(power(33) + 1), 2}, {std::int64_t{1} << 31, 1});
  add("bytes-64", {2, 2}, {std::int64_t{1} << 62, 1});
  add("bits-64", {2, 2}, {std::int64_t{1} << 59, 1});
  add("sum-64", {3, 3}, {std::int64_t{1} << 62, std::int64_t{1} << 62});
  add("both-ways-64", {2, 2}, {INT64_MAX, -INT64_MAX});
  add("least", {2, 2}, {INT64_MIN, 1});
  return drafts;
}

// A tensor whose elements all lie in one place, with as many parameters as its shape asks for but
// for what drops out of a word.
TensorParts in_one_place(const SchemeSection& section, std::uint8_t type,
                         std::vector<std::uint64_t> shape, std::uint64_t entries) {
  TensorParts parts = shaped(section, type, std::move(shape));
  const std::uint64_t width = section.scheme_tag == 5 ? 1 : 4;
  parts.layout = 3;
  parts.strides.assign(parts.shape.size(), 0);
  parts.buffers = {{.byte_size = 16}, {.byte_size = width * entries}};
  if (section.scheme_tag <= 3) parts.buffers.push_back({.byte_size = 4 * entries});
  return parts;
}
std::vector<Draft> wrapped_parameters(const SchemeBase& base) {
  std::vector<Draft> drafts;
  SchemeSection section = base.section();
  section.axis = 1;
  section.block_size = 16;
  const auto add = [&](std::string_view name, std::vector<std::uint64_t> shape,
                       std::uint64_t entries) {
    drafts.push_back(of_tensor(
        std::string(name), in_one_place(section, base.tensor().type, std::move(shape), entries)));
  };
  if (section.scheme_tag == 2) {
    add("bytes-32", {2, power(30) + 4}, 4);
    add("bytes-64", {2, power(62) + 4}, 4);
    add("entries-32", {2, power(32) + 4}, 4);
    add("all-there", {2, power(32) + 4}, power(32) + 4);
    return drafts;
  }
  add("entries-32", {power(32) + 2, 32}, 4);
  add("entries-of-product-32", {power(16), 16 * power(16)}, 4);
  add("entries-64", {power(63) + 1, 32}, 2);
  add("entries-64-of-three", {power(32), 16, power(32)}, 4);
  add("bytes-32", {power(29) + 2, 32}, 4);
  add("bytes-64", {power(61) + 2, 32}, 4);
  add("axis-32", {2, power(36) + 32}, 4);
  add("all-there", {2, power(36) + 32}, 2 * power(32) + 4);
  // Blocks of which rounding up leaves the word that the axis or the block size is in.
  section.block_size = 0x80000000u;
  add("large-blocks/two", {1, power(32)}, 2);
  add("large-blocks/one", {3, power(31)}, 3);
  add("large-blocks/none", {3, power(31)}, 0);
  add("large-blocks/most", {1, power(63) + power(32)}, power(32) + 2);
  return drafts;
}

// Dimensions of 1 up to the highest rank, and the axis anywhere among them.
std::vector<Draft> ranks() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    const SchemeSection of_base = base.section();
    for (const std::size_t rank : {1u, 5u, 8u, 9u, 17u, 33u, 64u}) {
      for (const std::size_t axis : std::set<std::size_t>{0, rank / 2, rank - 1}) {
        SchemeSection section = of_base;
        section.axis = static_cast<std::uint32_t>(axis);
        TensorParts parts =
            shaped(section, base.tensor().type, std::vector<std::uint64_t>(rank, 1));
        parts.shape[axis] = 32;
        if (rank > 1) parts.shape[(axis + 1) % rank] = 3;
        if (rank > 4) parts.shape[(axis + rank - 2) % rank] = 2;
        const std::size_t count = elements_of(parts);
        const std::size_t entries = section.scheme_tag == 2 ? 32 : count / section.block_size;
        std::vector<Bytes> buffers = {
            noise(bytes_of(type_info(parts.type), count), rank + axis),
            section.scheme_tag == 5 ? e8m0s(entries, rank) : scales(entries, rank)};
        if (section.scheme_tag == 5) {
          for (std::uint8_t& byte : buffers[0]) byte = static_cast<std::uint8_t>(byte & 0xf7);
        }
        if (section.scheme_tag <= 3) buffers.push_back(zero_points(entries, -100, 100, axis));
        drafts.push_back(
            values(fmt::format("{}/rank-{}/axis-{}", base.name, rank, axis), parts, buffers));
      }
    }
  }
  return drafts;
}

// Tensors of one element and of none.
std::vector<Draft> small_shapes() {
  std::vector<Draft> drafts;
  const std::vector<std::pair<std::string_view, std::vector<std::uint64_t>>> shapes = {
      {"scalar", {}},
      {"one", {1}},
      {"ones", {1, 1, 1, 1, 1}},
      {"none-first", {0, 7}},
      {"none-last", {7, 0}},
      {"none-inside", {3, 0, 5}},
      {"none-twice", {0, 0}},
      {"none-beside-huge", {power(63), 4, 0}}};
  for (const std::uint8_t type : Octets{0x03, 0x02, 0x17, 0x20, 0x10, 0x49}) {
    for (const auto& [name, shape] : shapes) {
      TensorParts parts;
      parts.type = type;
      parts.shape = shape;
      Bytes data = noise(bytes_of(type_info(type), elements_of(parts)), type);
      if (!data.empty() && type_info(type).bits < 8) data.back() &= 1;
      const std::array<Bytes, 1> buffers = {data};
      drafts.push_back(values(fmt::format("{:02x}/{}", type, name), parts, buffers));
      if (type != 0x10 && type != 0x49) continue;
      parts.quantization = descriptor(0x3dcccccd, 1);
      drafts.push_back(values(fmt::format("{:02x}/{}/per-tensor", type, name), parts, buffers));
    }
  }
  return drafts;
}

// What a writer has to know of handles, numbers and sizes as a reader does.
std::vector<Draft> written() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, const TensorParts& parts, const std::string& keys) {
    drafts.push_back({std::string(name), {encode_tensor_request(parts, keys)}});
  };
  const auto plain = [&](const std::string& name, const Edit& edit) {
    TensorParts parts = plain_tensor();
    edit(parts);
    add("plain/" + name, parts, "");
  };
  for (const std::uint8_t device : Octets{0x00, 0x01, 0x05, 0x08, 0x09, 0xef, 0xf0, 0xfe, 0xff}) {
    for (const std::uint8_t memory_class : Octets{0, 1, 3, 4, 7, 8, 0xef, 0xf0, 0xfe, 0xff}) {
      plain(fmt::format("device-{:02x}/class-{:02x}", device, memory_class), [&](auto& parts) {
        parts.buffers[0].device_tag = device;
        parts.buffers[0].memory_class = memory_class;
      });
    }
    for (const std::uint8_t mode : Octets{1, 2, 3, 0xff}) {
      plain(fmt::format("device-{:02x}/sync-{:02x}", device, mode), [&](auto& parts) {
        parts.buffers[0].device_tag = device;
        parts.buffers[0].sync_mode = mode;
      });
    }
  }
  for (const std::size_t rank : {63u, 64u, 65u, 66u, 256u}) {
    plain(fmt::format("rank-{}", rank), [&](auto& parts) { parts.shape.assign(rank, 1); });
  }
  for (const std::size_t count : {255u, 256u, 257u, 300u}) {
    plain(fmt::format("buffers-{}", count),
          [&](auto& parts) { parts.buffers.resize(count, {.byte_size = 8}); });
  }
  for (const Named& each : too_large()) add(fmt::format("wrapped/{}", each.name), each.parts, "");
  for (const SchemeBase& base : scheme_bases()) {
    SchemeSection section = base.section();
    const bool has_blocks = section.scheme_tag != 2;
    TensorParts parts = has_blocks
                            ? in_one_place(section, base.tensor().type, {power(61) + 2, 16}, 4)
                            : in_one_place(section, base.tensor().type, {2, power(62) + 4}, 4);
    add(fmt::format("wrapped/{}", base.name), parts, section.keys());
    parts = base.tensor();
    parts.shape = {};
    add(fmt::format("scalar/{}", base.name), parts, section.keys());
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"tensor/wrapped", "a number of elements, bits or bytes is computed in too few bits", wrapped},
    {"tensor/wrapped-strides", "the place of the last element is computed in too few bits",
     wrapped_strides},
    {"tensor/pca/wrapped", "a number of parameters is computed in too few bits",
     of<2, wrapped_parameters>},
    {"tensor/pba/wrapped", "a number of parameters is computed in too few bits",
     of<3, wrapped_parameters>},
    {"tensor/nf4/wrapped", "a number of parameters is computed in too few bits",
     of<4, wrapped_parameters>},
    {"tensor/mxfp/wrapped", "a number of parameters is computed in too few bits",
     of<5, wrapped_parameters>},
    {"values/ranks", "an element of a tensor of many dimensions is given other parameters", ranks},
    {"values/small-shapes", "a tensor of one element or none is taken for another", small_shapes},
    {"tensor-written/edges",
     "a tensor is written that a reader has to refuse, or refused that none "
     "has to",
     written},
};

}  // namespace

std::span<const Family> tensor_shape_families() { return kFamilies; }

}  // namespace hurray::conformance
