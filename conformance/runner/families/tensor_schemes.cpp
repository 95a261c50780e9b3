// SPDX-License-Identifier: Apache-2.0
//
// Families on a quantization section against the tensor that carries it: axis and blocks against
// the shape, indices against the buffer table, arrays against the sizes of their buffers.

#include <array>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

bool has_zero_points(const SchemeBase& base) { return base.section().scheme_tag <= 3; }

// A tensor with an edited section.
Draft with_section(const std::string& name, const SchemeBase& base,
                   const std::function<void(SchemeSection&)>& edit) {
  SchemeSection section = base.section();
  edit(section);
  return edited(name, base.tensor(),
                [&](TensorParts& parts) { parts.quantization = section.bytes(); });
}

// A rank-1 tensor of `size` elements, in blocks of the base's size, with as many parameters as it
// needs and data of `stored` elements.
TensorParts one_axis(const SchemeBase& base, std::uint64_t size, std::uint32_t block_size,
                     std::uint64_t stored) {
  TensorParts parts = base.tensor();
  SchemeSection section = base.section();
  section.axis = 0;
  section.block_size = block_size;
  parts.quantization = section.bytes();
  parts.shape = {size};
  const std::uint64_t blocks =
      block_size == 0 ? 0 : size / block_size + (size % block_size != 0 ? 1 : 0);
  const std::uint64_t entries = section.scheme_tag == 2 ? size : blocks;
  const bool is_packed = parts.type == 0x49;
  parts.buffers[0].byte_size = is_packed ? (stored + 1) / 2 : stored;
  parts.buffers[1].byte_size = entries * (section.scheme_tag == 5 ? 1 : 4);
  if (section.scheme_tag <= 3) parts.buffers[2].byte_size = entries * 4;
  return parts;
}

std::vector<Draft> axes(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint32_t axis :
       {2u, 3u, 63u, 64u, 256u, 0x10001u, 0x80000000u, 0xfffffffeu, 0xffffffffu}) {
    drafts.push_back(with_section(fmt::format("{}", axis), base,
                                  [&](SchemeSection& section) { section.axis = axis; }));
  }
  // A scalar has no axis at all.
  drafts.push_back(edited("rank-0", base.tensor(), [&](auto& parts) {
    SchemeSection section = base.section();
    section.axis = 0;
    parts.quantization = section.bytes();
    parts.shape = {};
  }));
  // The other axis of the same tensor, with as many parameters as it needs.
  drafts.push_back(edited("other-axis", base.tensor(), [&](auto& parts) {
    SchemeSection section = base.section();
    section.axis = 0;
    std::swap(parts.shape[0], parts.shape[1]);
    parts.quantization = section.bytes();
  }));
  return drafts;
}

std::vector<Draft> dynamic(const SchemeBase& base) {
  std::vector<Draft> drafts;
  drafts.push_back(edited("axis", base.tensor(), [](auto& parts) { parts.shape[1] = kDynamic; }));
  drafts.push_back(edited("other", base.tensor(), [](auto& parts) { parts.shape[0] = kDynamic; }));
  drafts.push_back(edited("both", base.tensor(), [](auto& parts) {
    parts.shape = {kDynamic, kDynamic};
  }));
  // Per-channel affine knows its arrays by the axis alone.
  drafts.push_back(edited("other-and-no-parameters", base.tensor(), [](auto& parts) {
    parts.shape[0] = kDynamic;
    for (std::size_t i = 1; i < parts.buffers.size(); ++i) parts.buffers[i].byte_size = 0;
  }));
  return drafts;
}

std::vector<Draft> scale_indices(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::uint32_t count = static_cast<std::uint32_t>(base.tensor().buffers.size());
  for (const std::uint32_t index :
       {count, count + 1, 255u, 256u, 257u, 0x10001u, 0x80000001u, 0xfffffffeu, kNoIndex}) {
    drafts.push_back(with_section(fmt::format("{}", index), base, [&](SchemeSection& section) {
      section.scale_buffer_index = index;
    }));
  }
  return drafts;
}
std::vector<Draft> zero_point_indices(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint32_t index :
       {3u, 4u, 255u, 258u, 0x10002u, 0x80000002u, 0xfffffffeu, kNoIndex}) {
    drafts.push_back(with_section(fmt::format("{}", index), base, [&](SchemeSection& section) {
      section.zero_point_buffer_index = index;
    }));
  }
  return drafts;
}
// A parameter buffer that is the data.
std::vector<Draft> scales_in_data(const SchemeBase& base) {
  std::vector<Draft> drafts;
  drafts.push_back(with_section("index-0", base,
                                [](SchemeSection& section) { section.scale_buffer_index = 0; }));
  return drafts;
}
std::vector<Draft> zero_points_in_data(const SchemeBase& base) {
  std::vector<Draft> drafts;
  drafts.push_back(with_section(
      "index-0", base, [](SchemeSection& section) { section.zero_point_buffer_index = 0; }));
  return drafts;
}
// The other order of the two arrays is as good.
std::vector<Draft> swapped_indices(const SchemeBase& base) {
  return {with_section("scales-last", base, [](SchemeSection& section) {
    section.scale_buffer_index = 2;
    section.zero_point_buffer_index = 1;
  })};
}
std::vector<Draft> shared(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::uint64_t both =
      base.tensor().buffers[1].byte_size + base.tensor().buffers[2].byte_size;
  for (const std::uint64_t size : {both, both - 1, both / 2, both + 4, std::uint64_t{0}}) {
    drafts.push_back(edited(fmt::format("{}", size), base.tensor(), [&](auto& parts) {
      SchemeSection section = base.section();
      section.zero_point_buffer_index = section.scale_buffer_index;
      parts.quantization = section.bytes();
      parts.buffers.pop_back();
      parts.buffers[1].byte_size = size;
    }));
  }
  return drafts;
}
std::vector<Draft> symmetric(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint32_t index : {kNoIndex, 0u, 1u, 5u}) {
    drafts.push_back(edited(fmt::format("index-{}", index), base.tensor(), [&](auto& parts) {
      SchemeSection section = base.section();
      section.flags = 1;
      section.zero_point_buffer_index = index;
      parts.quantization = section.bytes();
      parts.buffers.pop_back();
    }));
  }
  drafts.push_back(edited("and-yet-three-buffers", base.tensor(), [&](auto& parts) {
    SchemeSection section = base.section();
    section.flags = 1;
    section.zero_point_buffer_index = kNoIndex;
    parts.quantization = section.bytes();
  }));
  return drafts;
}

// Buffer `which` with fewer and with more bytes than its array has.
std::vector<Draft> sizes(const SchemeBase& base, std::size_t which) {
  std::vector<Draft> drafts;
  const std::uint64_t right = base.tensor().buffers[which].byte_size;
  const std::set<std::uint64_t> wrong = {right - 1,
                                         right - 4,
                                         0,
                                         right + 1,
                                         right + 4,
                                         right * 2,
                                         right | std::uint64_t{1} << 32,
                                         right | std::uint64_t{1} << 63,
                                         ~std::uint64_t{0}};
  for (const std::uint64_t size : wrong) {
    drafts.push_back(edited(fmt::format("{}", size), base.tensor(),
                            [&](auto& parts) { parts.buffers[which].byte_size = size; }));
  }
  return drafts;
}
std::vector<Draft> scale_sizes(const SchemeBase& base) { return sizes(base, 1); }
std::vector<Draft> zero_point_sizes(const SchemeBase& base) { return sizes(base, 2); }
std::vector<Draft> data_sizes(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::uint64_t right = base.tensor().buffers[0].byte_size;
  for (const std::uint64_t size : {right - 1, right / 2, std::uint64_t{0}}) {
    drafts.push_back(edited(fmt::format("{}", size), base.tensor(),
                            [&](auto& parts) { parts.buffers[0].byte_size = size; }));
  }
  return drafts;
}
// Each width of a scale.
std::vector<Draft> scale_widths(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{1, 2, 3}) {
    for (const std::uint64_t size : {7u, 8u, 9u, 15u, 16u, 17u}) {
      if (type == 3 && size > 9) continue;  // among scale-size
      drafts.push_back(
          edited(fmt::format("type-{}/{}", type, size), base.tensor(), [&](auto& parts) {
            SchemeSection section = base.section();
            section.scale_type_tag = type;
            parts.quantization = section.bytes();
            parts.buffers[1].byte_size = size;
          }));
    }
  }
  return drafts;
}

std::vector<Draft> devices(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::size_t count = base.tensor().buffers.size();
  for (std::size_t which = 0; which < count; ++which) {
    drafts.push_back(edited(fmt::format("buffer-{}", which), base.tensor(),
                            [&](auto& parts) { parts.buffers[which].device_tag = 2; }));
  }
  return drafts;
}

// Block size against the length of the axis, with and without a partial last block.
std::vector<Draft> block_lengths(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::uint32_t least = base.section().scheme_tag == 5 ? 16 : 8;
  for (const std::uint32_t block_size : {least, 32u, 64u}) {
    for (const std::int64_t off : {-1, 0}) {
      const std::uint64_t size = static_cast<std::uint64_t>(block_size + off);
      drafts.push_back(of_tensor(fmt::format("{}-of-{}", size, block_size),
                                 one_axis(base, size, block_size, block_size)));
    }
  }
  drafts.push_back(of_tensor("16-of-0", one_axis(base, 16, 0, 16)));
  return drafts;
}
std::vector<Draft> partial_blocks(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint64_t size : {40u, 33u, 63u, 65u, 1000u}) {
    const std::uint64_t padded = (size + 31) / 32 * 32;
    drafts.push_back(of_tensor(fmt::format("{}/padded", size), one_axis(base, size, 32, padded)));
    const TensorParts unpadded = one_axis(base, size, 32, size);
    if (unpadded.buffers[0].byte_size == one_axis(base, size, 32, padded).buffers[0].byte_size) {
      continue;
    }
    drafts.push_back(of_tensor(fmt::format("{}/unpadded", size), unpadded));
    // Parameters of the whole blocks only.
    TensorParts parts = one_axis(base, size, 32, padded);
    parts.buffers[1].byte_size -= 4;
    if (has_zero_points(base)) parts.buffers[2].byte_size -= 4;
    drafts.push_back(of_tensor(fmt::format("{}/one-scale-less", size), parts));
    drafts.push_back(
        of_tensor(fmt::format("{}/longer", size), one_axis(base, size, 32, padded + 32)));
  }
  // As many elements as there can be, and no whole blocks; and none.
  drafts.push_back(edited("most", base.tensor(), [&](auto& parts) {
    SchemeSection section = base.section();
    section.axis = 0;
    parts.quantization = section.bytes();
    parts.shape = {kDynamic - 1};
    parts.buffers[0].byte_size = kDynamic;
  }));
  drafts.push_back(edited("none", base.tensor(), [&](auto& parts) {
    parts.shape = {0, 20};
    for (Handle& handle : parts.buffers) handle.byte_size = 0;
  }));
  return drafts;
}
std::vector<Draft> empty_axis(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint32_t block_size : {2u, 3u, 8u, 16u, 32u, 2048u, 1u << 20}) {
    drafts.push_back(
        of_tensor(fmt::format("block-{}", block_size), one_axis(base, 0, block_size, 0)));
  }
  TensorParts with_parameters = one_axis(base, 0, 16, 0);
  with_parameters.buffers[1].byte_size = 4;
  drafts.push_back(of_tensor("with-a-scale", with_parameters));
  if (has_zero_points(base)) {
    with_parameters = one_axis(base, 0, 16, 0);
    with_parameters.buffers[2].byte_size = 4;
    drafts.push_back(of_tensor("with-a-zero-point", with_parameters));
  }
  return drafts;
}
std::vector<Draft> empty_otherwise(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint32_t block_size : {16u, 32u}) {
    drafts.push_back(edited(fmt::format("block-{}", block_size), base.tensor(), [&](auto& parts) {
      SchemeSection section = base.section();
      section.block_size = block_size;
      parts.quantization = section.bytes();
      parts.shape = {0, 16};
      for (Handle& handle : parts.buffers) handle.byte_size = 0;
    }));
  }
  return drafts;
}
// Scheme 05 has whole blocks only.
std::vector<Draft> multiples(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const std::uint64_t size : {0u, 16u, 31u, 32u, 33u, 40u, 48u, 63u, 64u, 96u, 100u}) {
    drafts.push_back(
        of_tensor(fmt::format("{}", size), one_axis(base, size, 32, (size + 31) / 32 * 32)));
  }
  drafts.push_back(of_tensor("32-of-0", one_axis(base, 32, 0, 32)));
  return drafts;
}

// Empty axes of per-channel affine.
std::vector<Draft> no_channels() {
  std::vector<Draft> drafts;
  const SchemeBase& base = scheme_bases()[0];
  drafts.push_back(of_tensor("rank-1", one_axis(base, 0, 0, 0)));
  drafts.push_back(edited("rank-3", base.tensor(), [](auto& parts) {
    parts.shape = {3, 0, 5};
    for (Handle& handle : parts.buffers) handle.byte_size = 0;
  }));
  return drafts;
}

// Numbers of parameters that no 64 bits hold.
std::vector<Draft> huge(const SchemeBase& base) {
  std::vector<Draft> drafts;
  constexpr std::uint64_t kMost = 0xfffffffffffffffe;
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {kMost, 16},      {16, kMost - 15}, {1ull << 62, 1ull << 62}, {1ull << 32, 1ull << 32},
      {1ull << 60, 16}, {2, 1ull << 63}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    drafts.push_back(
        edited(fmt::format("{}", i), base.tensor(), [&](auto& parts) { parts.shape = shapes[i]; }));
  }
  // By strides of 0 all elements are one, and their parameters are not.
  const auto add = [&](std::string_view name, std::vector<std::uint64_t> shape,
                       const std::function<void(SchemeSection&)>& edit) {
    drafts.push_back(edited(std::string(name), base.tensor(), [&](auto& parts) {
      SchemeSection section = base.section();
      section.axis = static_cast<std::uint32_t>(shape.size() - 1);
      edit(section);
      if (section.zero_point_buffer_index == section.scale_buffer_index) parts.buffers.pop_back();
      parts.layout = 3;
      parts.strides.assign(shape.size(), 0);
      parts.shape = std::move(shape);
      parts.quantization = section.bytes();
    }));
  };
  const auto nothing = [](SchemeSection&) {};
  add("broadcast-blocks", {1ull << 40, 1ull << 40, 16}, nothing);
  add("broadcast-channels", {1, 1ull << 62}, nothing);
  add("broadcast-scales", {8, 1ull << 62}, nothing);
  if (!has_zero_points(base)) return drafts;
  const auto is_shared = [](SchemeSection& section) {
    section.zero_point_buffer_index = section.scale_buffer_index;
  };
  add("broadcast-both", {4, 1ull << 62}, is_shared);
  if (base.section().scheme_tag != 3) return drafts;
  const auto has_float16 = [](SchemeSection& section) { section.scale_type_tag = 1; };
  add("broadcast-zero-points", {8, 1ull << 62}, has_float16);
  add("broadcast-zero-points-shared", {8, 1ull << 62}, [&](SchemeSection& section) {
    has_float16(section);
    is_shared(section);
  });
  return drafts;
}

// The shape decides how many parameters there are: each dimension counts, those before and behind
// the axis.
std::vector<Draft> counts(const SchemeBase& base) {
  std::vector<Draft> drafts;
  const std::uint64_t width = base.section().scheme_tag == 5 ? 1 : 4;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    for (const std::uint64_t entries :
         {32u, 36u, 48u, 2u, 6u, 12u, 24u, 16u, 8u, 4u, 3u, 18u, 64u, 1u}) {
      drafts.push_back(
          edited(fmt::format("axis-{}/{}", axis, entries), base.tensor(), [&](auto& parts) {
            SchemeSection section = base.section();
            section.axis = axis;
            section.block_size = 16;
            parts.shape = {3, 6, 4};
            parts.shape[axis] = 32;
            parts.quantization = section.bytes();
            std::uint64_t elements = parts.shape[0] * parts.shape[1] * parts.shape[2];
            if (parts.type == 0x49) elements /= 2;
            parts.buffers[0].byte_size = elements;
            parts.buffers[1].byte_size = entries * width;
            if (has_zero_points(base)) parts.buffers[2].byte_size = entries * 4;
          }));
    }
  }
  return drafts;
}

std::vector<Draft> storage_types(const SchemeBase& base) {
  std::vector<Draft> drafts;
  for (const unsigned tag : {0x01u, 0x02u, 0x03u, 0x04u, 0x10u, 0x11u, 0x12u, 0x13u, 0x14u,
                             0x15u, 0x16u, 0x17u, 0x20u, 0x40u, 0x41u, 0x42u, 0x43u, 0x44u,
                             0x45u, 0x46u, 0x48u, 0x49u, 0x4au, 0x4bu, 0x50u, 0x51u}) {
    drafts.push_back(edited(fmt::format("{:02x}", tag), base.tensor(), [&](auto& parts) {
      parts.type = static_cast<std::uint8_t>(tag);
      parts.buffers[0].byte_size *= 16;  // enough for the widest
    }));
  }
  return drafts;
}

// Per-tensor affine in a tensor: the golden descriptor, and the element types.
std::vector<Draft> per_tensor() {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{0x10, 0x11}) {
    drafts.push_back(
        edited(fmt::format("zero-point-128/{:02x}", type), per_tensor_tensor(), [&](auto& parts) {
          parts.type = type;
          parts.quantization = descriptor(0x3ca3d70a, 128);
        }));
  }
  for (const unsigned type :
       {0x01u, 0x03u, 0x12u, 0x14u, 0x16u, 0x17u, 0x20u, 0x42u, 0x48u, 0x4au}) {
    drafts.push_back(
        edited(fmt::format("type-{:02x}", type), per_tensor_tensor(), [&](auto& parts) {
          parts.type = static_cast<std::uint8_t>(type);
          parts.quantization = descriptor(0x3f000000, 1);
          parts.buffers[0].byte_size = 64;
        }));
  }
  for (const std::uint32_t scale :
       {0x00000000u, 0x7fc00000u, 0xff800000u, 0xbf000000u, 0x00000001u}) {
    drafts.push_back(edited(fmt::format("scale-{:08x}", scale), per_tensor_tensor(),
                            [&](auto& parts) { parts.quantization = descriptor(scale, 3); }));
  }
  return drafts;
}

constexpr Family kFamilies[] = {
#define OF_SCHEME(NAME, TAG)                                                                   \
  {"tensor/" NAME "/axis", "an axis is taken that the tensor does not have", of<TAG, axes>},   \
      {"tensor/" NAME "/dynamic", "a dimension that is not known is computed with",            \
       of<TAG, dynamic>},                                                                      \
      {"tensor/" NAME "/scale-index", "the index of a buffer that does not exist is followed", \
       of<TAG, scale_indices>},                                                                \
      {"tensor/" NAME "/scale-index-of-data", "the data buffer is taken for the scales",       \
       of<TAG, scales_in_data>},                                                               \
      {"tensor/" NAME "/scale-size", "a scale buffer is too short or too long",                \
       of<TAG, scale_sizes>},                                                                  \
      {"tensor/" NAME "/data-size", "a data buffer is too short", of<TAG, data_sizes>},        \
      {"tensor/" NAME "/device", "buffers lie on two devices", of<TAG, devices>},              \
      {"tensor/" NAME "/count", "the number of parameters is computed from other dimensions",  \
       of<TAG, counts>},                                                                       \
      {"tensor/" NAME "/huge", "the number of parameters overflows", of<TAG, huge>}, {         \
    "tensor/" NAME "/storage-type", "the list of storage types is another scheme's",           \
        of<TAG, storage_types>                                                                 \
  }
    OF_SCHEME("pca", 2),
    OF_SCHEME("pba", 3),
    OF_SCHEME("nf4", 4),
    OF_SCHEME("mxfp", 5),
#undef OF_SCHEME
#define WITH_ZERO_POINTS(NAME, TAG)                                                                \
  {"tensor/" NAME "/zero-point-index", "the index of a buffer that does not exist is followed",    \
   of<TAG, zero_point_indices>},                                                                   \
      {"tensor/" NAME "/zero-point-index-of-data", "the data buffer is taken for the zero points", \
       of<TAG, zero_points_in_data>},                                                              \
      {"tensor/" NAME "/zero-point-size", "a zero-point buffer is too short or too long",          \
       of<TAG, zero_point_sizes>},                                                                 \
      {"tensor/" NAME "/swapped-indices", "scales are expected in front of zero points",           \
       of<TAG, swapped_indices>},                                                                  \
      {"tensor/" NAME "/shared", "a shared buffer is not the sum of both arrays",                  \
       of<TAG, shared>},                                                                           \
  {                                                                                                \
    "tensor/" NAME "/symmetric", "flag, index and buffers need not agree", of<TAG, symmetric>      \
  }
    WITH_ZERO_POINTS("pca", 2),
    WITH_ZERO_POINTS("pba", 3),
#undef WITH_ZERO_POINTS
    {"tensor/pba/block-length", "blocks are longer than the axis", of<3, block_lengths>},
    {"tensor/nf4/block-length", "blocks are longer than the axis", of<4, block_lengths>},
    {"tensor/pba/partial-block", "a partial last block is refused", of<3, partial_blocks>},
    {"tensor/nf4/partial-block", "a partial last block is refused", of<4, partial_blocks>},
    {"tensor/pba/empty-axis", "an empty axis is judged like one of that length", of<3, empty_axis>},
    {"tensor/nf4/empty-axis", "an empty axis is judged like one of that length", of<4, empty_axis>},
    {"tensor/pba/empty-otherwise", "the bound on blocks is waived for another dimension",
     of<3, empty_otherwise>},
    {"tensor/nf4/empty-otherwise", "the bound on blocks is waived for another dimension",
     of<4, empty_otherwise>},
    {"tensor/pba/scale-width", "the width of a scale is not that of its type", of<3, scale_widths>},
    {"tensor/mxfp/multiple", "a partial block is taken", of<5, multiples>},
    {"tensor/pca/no-channels", "an axis without channels is refused", no_channels},
    {"tensor/pta", "a tensor is read without its rules", per_tensor},
};

}  // namespace

std::span<const Family> tensor_scheme_families() { return kFamilies; }

}  // namespace hurray::conformance
