// SPDX-License-Identifier: Apache-2.0
//
// Families for converters: a foreign plane of zero points, weights and scales, and the tensor that
// has to come out, byte for byte. Each is about one mistake that authors of converters make.

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

struct Foreign {
  std::uint8_t type = 0x10;
  std::vector<std::uint64_t> shape = {2, 16};
  std::uint32_t axis = 1;
  std::uint32_t group_size = 8;
  unsigned bits = 4;
  int bias = 1;
  bool is_high_first = false;
  bool is_group_major = false;
  unsigned word_bytes = 1;
  std::uint8_t scale_type = 3;
  Bytes weights, scales, plane;
  std::optional<Bytes> group_index, super_scales;

  std::uint64_t elements() const {
    std::uint64_t count = 1;
    for (const std::uint64_t size : shape) count *= size;
    return count;
  }
  std::uint64_t blocks() const { return elements() / group_size; }

  std::string request() const {
    std::string text = fmt::format(
        "convert type={:02x} shape={} axis={} group_size={} bits={} bias={} order={} "
        "group_major={} "
        "word_bytes={} scale_type_tag={:02x} weights={} scales={} plane={}",
        type, to_hex(le64(shape)), axis, group_size, bits, bias,
        is_high_first ? "high-first" : "low-first", is_group_major ? 1 : 0, word_bytes, scale_type,
        to_hex(weights), to_hex(scales), to_hex(plane));
    if (group_index) text += " group_index=" + to_hex(*group_index);
    if (super_scales) text += " super_scales=" + to_hex(*super_scales);
    return text;
  }
};

// Fields in one run after the other, each run in bytes of its own or in words.
Bytes plane_of(const Foreign& foreign, std::span<const std::uint32_t> fields) {
  if (fields.empty()) return {};
  const std::uint64_t groups = foreign.shape[foreign.axis] / foreign.group_size;
  const std::size_t run =
      static_cast<std::size_t>(foreign.is_group_major ? foreign.blocks() / groups : groups);
  Bytes plane;
  std::size_t bit = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (foreign.word_bytes == 4 && i % run == 0) {
      while (plane.size() % 4 != 0) plane.push_back(0);
      bit = plane.size() * 8;
    }
    if (bit % 8 == 0) plane.push_back(0);
    const std::size_t in_byte = foreign.is_high_first ? 8 - foreign.bits - bit % 8 : bit % 8;
    plane[bit / 8] = static_cast<std::uint8_t>(plane[bit / 8] | fields[i] << in_byte);
    bit += foreign.bits;
  }
  while (foreign.word_bytes == 4 && plane.size() % 4 != 0) plane.push_back(0);
  return plane;
}

// Weights, scales and a plane of the right lengths.
void fill(Foreign& foreign, std::uint64_t seed) {
  Random random(seed);
  const std::size_t blocks = static_cast<std::size_t>(foreign.blocks());
  const bool is_packed = foreign.type == 0x48 || foreign.type == 0x49;
  const std::size_t per_byte = is_packed ? 2 : foreign.type >= 0x4a ? 4 : 1;
  foreign.weights = noise(static_cast<std::size_t>(foreign.elements()) / per_byte, seed + 1);
  foreign.scales.clear();
  for (std::size_t i = 0; i < blocks; ++i) {
    // Of each type a finite scale that is not zero.
    const std::uint32_t pattern =
        0x3c100000u + static_cast<std::uint32_t>(random.below(0x02000000));
    const std::uint32_t half = 0x2000u + static_cast<std::uint32_t>(random.below(0x2000));
    const std::uint32_t bits = foreign.scale_type == 3   ? pattern
                               : foreign.scale_type == 1 ? half
                                                         : pattern >> 16;
    for (unsigned byte = 0; byte < (foreign.scale_type == 3 ? 4u : 2u); ++byte) {
      foreign.scales.push_back(static_cast<std::uint8_t>(bits >> 8 * byte));
    }
  }
  std::vector<std::uint32_t> fields(blocks);
  for (std::uint32_t& field : fields) {
    field = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << foreign.bits));
  }
  foreign.plane = plane_of(foreign, fields);
}

// The worked example: zero points 8, 7, 9, 8, stored one less.
Foreign worked_example() {
  Foreign foreign;
  foreign.weights = noise(32, 1);
  foreign.scales =
      le32(std::array<std::uint32_t, 4>{0x3ca3d70a, 0x3c75c28f, 0x3ccccccd, 0x3c23d70a});
  foreign.plane = {0x67, 0x78};
  return foreign;
}

std::vector<Draft> example() {
  std::vector<Draft> drafts;
  Foreign foreign = worked_example();
  drafts.push_back({"worked", {foreign.request()}});
  foreign.bias = 0;
  drafts.push_back({"without-bias", {foreign.request()}});
  foreign = worked_example();
  foreign.type = 0x11;
  drafts.push_back({"uint8", {foreign.request()}});
  foreign.type = 0x49;
  foreign.weights.resize(16);
  drafts.push_back({"uint4", {foreign.request()}});
  return drafts;
}

// One plane per mistake: what distinguishes the right zero points from those of the mistake.
std::vector<Draft> planes(std::initializer_list<std::pair<std::string_view, Bytes>> all) {
  std::vector<Draft> drafts;
  for (const auto& [name, plane] : all) {
    Foreign foreign = worked_example();
    foreign.plane = plane;
    drafts.push_back({std::string(name), {foreign.request()}});
  }
  return drafts;
}
std::vector<Draft> plus_one() {
  return planes({{"middle", {0x77, 0x77}}, {"zero", {0x00, 0x00}}, {"rising", {0x10, 0x32}}});
}
std::vector<Draft> fifteen() {
  return planes({{"three", {0xff, 0x1f}}, {"low", {0x0f, 0x70}}, {"high", {0xf7, 0x0f}}});
}
std::vector<Draft> nibble_order() {
  return planes({{"ends", {0x1e, 0x3c}}, {"steps", {0x21, 0x43}}});
}
std::vector<Draft> packed_addition() {
  return planes({{"carry-from-low", {0x2f, 0x3f}}, {"carry-out", {0xff, 0x1f}}});
}
std::vector<Draft> unsigned_fields() {
  return planes({{"eight-and-more", {0x98, 0xba}}, {"ends", {0x87, 0xe8}}});
}

std::vector<Draft> activation_order() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const std::vector<std::uint32_t>& groups) {
    Foreign foreign = worked_example();
    foreign.group_index = le32(groups);
    drafts.push_back({name, {foreign.request()}});
  };
  std::vector<std::uint32_t> in_order;
  for (std::uint32_t i = 0; i < 16; ++i) in_order.push_back(i / 8);
  add("in-order", in_order);
  std::vector<std::uint32_t> other = in_order;
  std::swap(other[7], other[8]);
  add("two-swapped", other);
  other = in_order;
  other[15] = 0;
  add("last-differs", other);
  other = in_order;
  other[0] = 1;
  add("first-differs", other);
  other = in_order;
  std::reverse(other.begin(), other.end());
  add("groups-swapped", other);
  for (std::uint32_t i = 0; i < 16; ++i) other[i] = i % 2;
  add("interleaved", other);
  // One after the other, but not of one size.
  for (std::uint32_t i = 0; i < 16; ++i) other[i] = i < 7 ? 0 : 1;
  add("uneven", other);
  return drafts;
}

std::vector<Draft> two_levels() {
  std::vector<Draft> drafts;
  for (const std::size_t bytes : {2u, 4u, 16u}) {
    Foreign foreign = worked_example();
    foreign.super_scales = Bytes(bytes, 0x3c);
    drafts.push_back({fmt::format("{}-bytes", bytes), {foreign.request()}});
  }
  return drafts;
}

// Widths of fields, words, and the order of groups, for matrices whose dimensions differ.
std::vector<Draft> geometry() {
  std::vector<Draft> drafts;
  std::uint64_t seed = 1;
  for (const unsigned bits : {2u, 4u, 8u}) {
    for (const unsigned word_bytes : {1u, 4u}) {
      for (const bool is_group_major : {false, true}) {
        for (const std::uint32_t axis : {0u, 1u}) {
          Foreign foreign;
          foreign.bits = bits;
          foreign.word_bytes = word_bytes;
          foreign.is_group_major = is_group_major;
          foreign.axis = axis;
          foreign.shape = {3, 3};
          foreign.shape[axis] = 40;
          fill(foreign, ++seed);
          drafts.push_back(
              {fmt::format("{}-bits/{}/words-of-{}/axis-{}", bits,
                           is_group_major ? "group-major" : "row-by-row", word_bytes, axis),
               {foreign.request()}});
        }
      }
    }
  }
  return drafts;
}
std::vector<Draft> high_first() {
  std::vector<Draft> drafts;
  for (const unsigned bits : {2u, 4u}) {
    Foreign foreign;
    foreign.bits = bits;
    foreign.is_high_first = true;
    fill(foreign, 90 + bits);
    drafts.push_back({fmt::format("{}-bits", bits), {foreign.request()}});
  }
  return drafts;
}

std::vector<Draft> types() {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b}) {
    Foreign foreign;
    foreign.type = type;
    fill(foreign, type);
    drafts.push_back({fmt::format("{:02x}", type), {foreign.request()}});
  }
  return drafts;
}
std::vector<Draft> scale_types() {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{1, 2, 3}) {
    Foreign foreign;
    foreign.scale_type = type;
    foreign.shape = {4, 64};
    fill(foreign, type);
    // Subnormals and negative ones too.
    if (type == 1) foreign.scales[0] = 0x01, foreign.scales[1] = 0x80;
    if (type == 2) foreign.scales[0] = 0x01, foreign.scales[1] = 0x00;
    if (type == 3)
      std::fill_n(foreign.scales.begin(), 3, std::uint8_t{0}), foreign.scales[0] = 1,
                                                               foreign.scales[3] = 0x80;
    drafts.push_back({fmt::format("{}", type), {foreign.request()}});
  }
  return drafts;
}
// The block of an element is found along the axis, whatever stands in front of it.
std::vector<Draft> ranks() {
  std::vector<Draft> drafts;
  const std::vector<std::vector<std::uint64_t>> shapes = {{24}, {2, 24}, {2, 24, 3}, {24, 2, 2}};
  for (const auto& shape : shapes) {
    for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] != 24) continue;
      Foreign foreign;
      foreign.shape = shape;
      foreign.axis = axis;
      fill(foreign, 300 + axis + shape.size());
      drafts.push_back({fmt::format("rank-{}/axis-{}", shape.size(), axis), {foreign.request()}});
    }
  }
  return drafts;
}

std::vector<Draft> refused() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const std::function<void(Foreign&)>& edit) {
    Foreign foreign = worked_example();
    edit(foreign);
    drafts.push_back({name, {foreign.request()}});
  };
  add("short-plane", [](auto& foreign) { foreign.plane.pop_back(); });
  add("no-plane", [](auto& foreign) { foreign.plane.clear(); });
  add("short-weights", [](auto& foreign) { foreign.weights.pop_back(); });
  add("long-weights", [](auto& foreign) { foreign.weights.push_back(0); });
  add("short-scales", [](auto& foreign) { foreign.scales.resize(12); });
  add("long-scales", [](auto& foreign) { foreign.scales.resize(20, 0x3c); });
  // The high half of a float32 is a bfloat16.
  constexpr std::array<std::tuple<std::string_view, std::uint16_t, std::uint16_t>, 6> kBadScales = {
      {{"nan", 0x7e00, 0x7fc0},
       {"signalling-nan", 0xfd00, 0xffa0},
       {"zero", 0x0000, 0x0000},
       {"minus-zero", 0x8000, 0x8000},
       {"inf", 0x7c00, 0x7f80},
       {"minus-inf", 0xfc00, 0xff80}}};
  for (const auto& [name, half, high] : kBadScales) {
    for (const std::uint8_t type : Octets{1, 2, 3}) {
      for (const std::size_t block : {std::size_t{0}, std::size_t{3}}) {
        Foreign foreign = worked_example();
        foreign.scale_type = type;
        fill(foreign, 40);
        const std::size_t bytes = type == 3 ? 4 : 2;
        const auto at = foreign.scales.begin() + static_cast<std::ptrdiff_t>(block * bytes);
        std::fill_n(at, bytes, std::uint8_t{0});
        const std::uint16_t bits = type == 1 ? half : high;
        at[static_cast<std::ptrdiff_t>(bytes - 2)] = static_cast<std::uint8_t>(bits & 0xff);
        at[static_cast<std::ptrdiff_t>(bytes - 1)] = static_cast<std::uint8_t>(bits >> 8);
        drafts.push_back(
            {fmt::format("scale-{}/type-{:02x}/block-{}", name, type, block), {foreign.request()}});
      }
    }
  }
  // Blocks have a power of two of elements, and more than one.
  for (const std::uint32_t group_size : {1u, 3u, 6u, 12u, 24u}) {
    Foreign foreign;
    foreign.shape = {2, 24};
    foreign.group_size = group_size;
    fill(foreign, 50 + group_size);
    drafts.push_back({fmt::format("group-size-{}", group_size), {foreign.request()}});
  }
  add("type-int16", [](auto& foreign) {
    foreign.type = 0x12;
    foreign.weights.resize(64);
  });
  add("type-float32", [](auto& foreign) {
    foreign.type = 0x03;
    foreign.weights.resize(128);
  });
  add("axis-2", [](auto& foreign) { foreign.axis = 2; });
  add("group-size-0", [](auto& foreign) { foreign.group_size = 0; });
  add("scale-type", [](auto& foreign) { foreign.scale_type = 4; });
  add("bits-3", [](auto& foreign) { foreign.bits = 3; });
  add("word-bytes-2", [](auto& foreign) { foreign.word_bytes = 2; });
  return drafts;
}

// Zero points at both ends of the storage type and one step beyond, in the first block or the last.
std::vector<Draft> zero_point_edges() {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{0x10, 0x11, 0x48, 0x49}) {
    const StorageTypeInfo& info = *find_storage_type(type);
    for (const std::int64_t bias :
         std::set<std::int64_t>{info.min - 1, info.min, info.max - 15, info.max - 14}) {
      for (const bool is_first : {true, false}) {
        Foreign foreign;
        foreign.type = type;
        foreign.bias = static_cast<int>(bias);
        fill(foreign, type);
        const std::uint32_t edge = bias <= info.min ? 0 : 15;
        std::array<std::uint32_t, 4> fields = {7, 8, 9, 6};
        fields[is_first ? 0 : 3] = edge;
        foreign.plane = plane_of(foreign, fields);
        drafts.push_back({fmt::format("{:02x}/bias-{}/{}", type, bias, is_first ? "first" : "last"),
                          {foreign.request()}});
      }
    }
  }
  return drafts;
}
// Shapes without blocks, and what is there all the same.
std::vector<Draft> without_blocks() {
  std::vector<Draft> drafts;
  const std::vector<std::pair<std::vector<std::uint64_t>, std::uint32_t>> shapes = {
      {{0, 16}, 1}, {{2, 0}, 1}, {{0, 0}, 1}, {{0}, 0}, {{3, 0, 16}, 2}, {{16, 0}, 0}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Foreign foreign;
    std::tie(foreign.shape, foreign.axis) = shapes[i];
    fill(foreign, 60);
    drafts.push_back({fmt::format("{}", i), {foreign.request()}});
    foreign.scales = Bytes(4, 0x3c);
    drafts.push_back({fmt::format("{}/scale", i), {foreign.request()}});
    foreign.scales.clear();
    foreign.weights = Bytes(1, 0x3c);
    drafts.push_back({fmt::format("{}/weight", i), {foreign.request()}});
  }
  return drafts;
}

// More bytes than the plane needs.
std::vector<Draft> longer_plane() {
  Foreign foreign = worked_example();
  foreign.plane.insert(foreign.plane.end(), {0xab, 0xcd});
  return {{"two-more", {foreign.request()}}};
}

std::vector<Draft> filled() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, const std::vector<Draft>& of) {
    for (const Draft& draft : of) {
      drafts.push_back(
          {fmt::format("{}/{}", name, draft.name), {draft.requests.front() + " fill=a5"}});
    }
  };
  add("example", example());
  add("refused", refused());
  add("refused", activation_order());
  add("refused", two_levels());
  return drafts;
}

// Everything that can be said of a foreign tensor, drawn together.
std::vector<Draft> survey() {
  constexpr std::array<std::uint8_t, 6> kTypes = {0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b};
  constexpr std::array<int, 6> kBiases = {1, 1, 0, -1, 1000, -70000};
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; drafts.size() < 400; ++seed) {
    Random random(7000 + seed);
    Foreign foreign;
    foreign.type = kTypes[random.below(6)];
    foreign.group_size = 2u << random.below(6);
    foreign.bits = 2u << random.below(3);
    foreign.bias = kBiases[random.below(6)];
    foreign.is_group_major = random.below(2) == 0;
    foreign.word_bytes = random.below(2) == 0 ? 4 : 1;
    foreign.scale_type = static_cast<std::uint8_t>(1 + random.below(3));
    foreign.shape.assign(random.below(8) == 0 ? 9 : 1 + random.below(4), 1);
    foreign.axis = static_cast<std::uint32_t>(random.below(foreign.shape.size()));
    foreign.shape[foreign.axis] = foreign.group_size * (1 + random.below(4));
    for (std::size_t i = 0; i < foreign.shape.size(); ++i) {
      if (i != foreign.axis) foreign.shape[i] = 1 + random.below(foreign.shape.size() > 4 ? 2 : 6);
    }
    if (random.below(20) == 0) foreign.shape[random.below(foreign.shape.size())] = 0;
    if (foreign.elements() > 2000) continue;
    fill(foreign, seed);
    std::string name = fmt::format("{:03}", seed);
    switch (random.below(10)) {
      case 0:
        if (foreign.plane.empty()) break;
        foreign.plane.pop_back();
        name += "/plane-short";
        break;
      case 1:
        foreign.plane.push_back(0xff);
        name += "/plane-long";
        break;
      case 2: {
        std::vector<std::uint32_t> groups;
        for (std::uint32_t i = 0; i < foreign.shape[foreign.axis]; ++i) {
          groups.push_back(i / foreign.group_size);
        }
        foreign.group_index = le32(groups);
        name += "/group-index";
        break;
      }
      default:
        break;
    }
    drafts.push_back({name, {foreign.request() + (seed % 3 == 0 ? " fill=a5" : "")}});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"convert/survey", "an unusual foreign tensor is converted wrongly", survey},
    {"convert/example", "the tensor of the worked example is another", example},
    {"convert/plus-one",
     "zero points are carried over as they are stored: every element is off by one step", plus_one},
    {"convert/fifteen", "a stored 15 becomes 0 or stays 15 instead of becoming 16", fifteen},
    {"convert/nibble-order", "the high half of a byte is taken first", nibble_order},
    {"convert/packed-addition",
     "the bias is added to the packed byte, and a 15 carries into its neighbour", packed_addition},
    {"convert/unsigned-fields", "fields of 8 and more are read as negative", unsigned_fields},
    {"convert/activation-order",
     "groups in activation order are mapped to blocks, which they are not", activation_order},
    {"convert/two-levels", "scales of two levels are mapped to one", two_levels},
    {"convert/geometry", "fields or scales are given to other blocks", geometry},
    {"convert/high-first", "the order that the call names is not looked at", high_first},
    {"convert/type", "weights are changed on the way", types},
    {"convert/scale-type", "a scale is changed on the way", scale_types},
    {"convert/rank", "a block is found by another index", ranks},
    {"convert/refused", "something is converted that per-block affine cannot express", refused},
    {"convert/zero-point-edges",
     "zero points at the ends of the type are refused, or beyond them taken", zero_point_edges},
    {"convert/without-blocks", "a shape without elements is refused, or brings some",
     without_blocks},
    {"convert/longer-plane", "a plane with more bytes than needed is refused", longer_plane},
    {"convert/filled", "something beside the outputs is written, or a refusal writes to them",
     filled},
};

}  // namespace

std::span<const Family> conversion_families() { return kFamilies; }

}  // namespace hurray::conformance
