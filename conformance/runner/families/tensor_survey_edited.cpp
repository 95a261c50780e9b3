// SPDX-License-Identifier: Apache-2.0
//
// Families that survey what is nearly valid: a drawn tensor with a field or two set to values that
// arithmetic gets wrong, with a dimension that is not known, or with a scheme that nobody knows.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "conformance/runner/byte_map.h"
#include "conformance/runner/families/tensor_draw.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

// Values at which sums, products and narrower integers go wrong.
std::uint64_t special_value(Draw& draw, std::uint64_t now, unsigned bytes) {
  const unsigned bits = 8 * std::min(bytes, 8u);
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  switch (draw.below(8)) {
    case 0:
      return draw.below(8);
    case 1:
      return now + 1;
    case 2:
      return now - 1;
    case 3:
      return most - draw.below(3);
    case 4:
      return (most >> 1) + draw.below(3);
    case 5:
      return now ^ std::uint64_t{1} << draw.below(bits);
    case 6:
      return now + (std::uint64_t{1} << bits / 2);
    default:
      return now * 2;
  }
}

// `buffers[1].byte_size` as names of cases spell it: `buffers-1-byte-size`.
std::string in_a_name(std::string_view field) {
  std::string name;
  for (const char c : field) {
    if (c == ']') continue;
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_plain || (!name.empty() && name.back() != '-')) name += is_plain ? c : '-';
  }
  return name;
}

// Where a partial block of more than one dimension lies, nothing says (A28).
bool is_left_open(const Bytes& bytes) {
  Tensor tensor;
  Findings findings;
  parse_tensor(bytes, tensor, findings);
  return tensor.rank <= kMostRank && tensor.rank > 1 && has_partial_block(tensor);
}

// A field of one section of a valid descriptor, and sometimes a second one. Nothing is moved.
template <Section section, std::uint64_t seeds>
std::vector<Draft> edited_in() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; drafts.size() < seeds; ++seed) {
    Draw draw(1000 + 10000 * static_cast<std::uint64_t>(section) + seed);
    const Drawn drawn = draw.valid();
    if (drawn.parts.shape.size() > 9) continue;
    Bytes bytes = drawn.parts.bytes();
    const ByteMap map = map_tensor(bytes);
    std::vector<MapField> fields;
    std::ranges::copy_if(map.fields, std::back_inserter(fields), [](const MapField& field) {
      return field.section == section && field.name != "magic";
    });
    if (fields.empty()) continue;
    std::string name = fmt::format("{:03}", drafts.size());
    for (unsigned edits = draw.one_in(4) ? 2 : 1; edits > 0; --edits) {
      const MapField& field = fields[draw.below(fields.size())];
      const unsigned width = static_cast<unsigned>(std::min<std::size_t>(field.bytes, 8));
      std::uint64_t now = 0;
      for (unsigned i = 0; i < width; ++i) now |= std::uint64_t{bytes[field.offset + i]} << 8 * i;
      const std::uint64_t value = special_value(draw, now, width);
      for (unsigned i = 0; i < width; ++i) {
        bytes[field.offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
      }
      name += "/" + in_a_name(field.name);
    }
    if (is_left_open(bytes)) continue;
    std::string request = decode_tensor_request(bytes);
    if (seed % 4 == 3) request += " mode=permissive";
    drafts.push_back({name, {request + std::string(watch(seed / 4))}});
  }
  return drafts;
}

// A dimension is not known yet; what can be judged without it, is.
std::vector<Draft> dynamic() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; drafts.size() < 240; ++seed) {
    Draw draw(20000 + seed);
    Drawn drawn = draw.valid();
    TensorParts& parts = drawn.parts;
    if (parts.shape.size() < 2 || parts.shape.size() > 9) continue;
    const std::size_t at = draw.below(parts.shape.size());
    if (fields_of(drawn.tensor.quantization).axis == static_cast<std::uint32_t>(at)) continue;
    parts.shape[at] = kDynamic;
    std::string name = fmt::format("{:03}", drafts.size() / 2);
    const std::size_t other = at == 0 ? 1 : 0;
    switch (draw.below(4)) {
      case 0:
        parts.parent_shape = parts.shape;
        parts.shard_offset.assign(parts.shape.size(), 0);
        parts.shard_offset[other] = 1;
        name += "/shard-outside";
        break;
      case 1:
        if (parts.buffers.back().byte_size > 0) --parts.buffers.back().byte_size;
        name += "/last-buffer-short";
        break;
      default:
        break;
    }
    drafts.push_back({name, {decode_tensor_request(parts)}});
    drafts.push_back({name + "/written", {encode_tensor_request(parts, drawn.scheme_keys)}});
  }
  return drafts;
}

// What a permissive reader steps over is any section, and what is behind it is judged all the same.
std::vector<Draft> stepped_over() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Draw draw(9000 + seed);
    Drawn drawn = draw.valid();
    if (!drawn.parts.quantization || drawn.parts.shape.size() > 9) continue;
    const std::uint64_t bytes = draw.one_in(10) ? 5000 : draw.below(60);
    Bytes section = noise(static_cast<std::size_t>(bytes), seed);
    if (!section.empty()) section[0] = static_cast<std::uint8_t>(6 + draw.below(249));
    drawn.parts.quantization = section;
    std::string name = fmt::format("{:03}/{}-bytes", seed, section.size());
    if (seed % 9 == 0) {
      // How many buffers an unknown scheme needs, nobody knows.
      drawn.parts.buffers.resize(seed % 2 == 0 ? 255 : 9, drawn.parts.buffers.back());
      name += fmt::format("/{}-buffers", drawn.parts.buffers.size());
    } else if (seed % 3 == 1 && !drawn.parts.shape.empty()) {
      drawn.parts.parent_shape = drawn.parts.shape;
      drawn.parts.shard_offset.assign(drawn.parts.shape.size(), 0);
      drawn.parts.shard_offset.back() = 1;
      name += "/shard-outside";
    } else if (seed % 6 == 2) {
      drawn.parts.statistics = Bytes(72, 0xff);
      name += "/statistics-mask";
    } else if (seed % 12 == 5) {
      drawn.parts.more_flags = 1u << 31;
      name += "/flag-31";
    } else if (seed % 6 == 5) {
      drawn.parts.buffers[0].alignment = 3;
      name += "/alignment";
    }
    drafts.push_back({name, {decode_tensor_request(drawn.parts) + " mode=permissive"}});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"survey/header", "an unusual value in the header is judged wrongly",
     edited_in<Section::kHeader, 250>},
    {"survey/shape", "an unusual dimension or offset is judged wrongly",
     edited_in<Section::kShape, 400>},
    {"survey/strides", "an unusual stride is judged wrongly", edited_in<Section::kLayout, 250>},
    {"survey/handles", "an unusual value in the buffer table is judged wrongly",
     edited_in<Section::kBufferTable, 400>},
    {"survey/scheme", "an unusual value in the quantization section is judged wrongly",
     edited_in<Section::kQuantization, 400>},
    {"survey/shard", "an unusual shard is judged wrongly", edited_in<Section::kShard, 200>},
    {"survey/statistics", "unusual statistics are judged wrongly",
     edited_in<Section::kStatistics, 40>},
    {"survey/member", "an unusual composite member is judged wrongly",
     edited_in<Section::kCompositeMember, 40>},
    {"survey/dynamic", "what can be judged beside an unknown dimension is overlooked", dynamic},
    {"survey/stepped-over", "behind an unknown scheme something is overlooked", stepped_over},
};

}  // namespace

std::span<const Family> edited_tensor_survey_families() { return kFamilies; }

}  // namespace hurray::conformance
