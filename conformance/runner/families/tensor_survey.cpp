// SPDX-License-Identifier: Apache-2.0
//
// Families that survey tensors: drawn from a seed over all schemes, types, layouts, ranks and
// sections together, as they are and with one field set to a value that arithmetic gets wrong.
// What families of one property each do not cross is crossed here.
//
// The reference only says which draws are valid and how large their buffers are; what has to come
// out is computed afterwards, as of every case, and by the second oracle as well.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "conformance/runner/byte_map.h"
#include "conformance/runner/families/tensors.h"
#include "reference/dequantize_tensor.h"
#include "reference/tensor.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kSeeds = 420;
constexpr std::uint64_t kMostElements = 640;
constexpr std::size_t kMostBufferBytes = 6000;

struct Drawn {
  TensorParts parts;
  std::string scheme_keys;  // as encode_tensor is asked; empty without quantization
  Tensor tensor;            // the same, as the reference reads it
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  // One that no reader has a reason to refuse.
  Drawn valid() {
    for (;;) {
      Drawn drawn;
      scheme_ = static_cast<std::uint8_t>(below(6));
      drawn.parts.type = type();
      draw_shape(drawn.parts);
      draw_layout(drawn.parts);
      draw_scheme(drawn);
      draw_sections(drawn.parts);
      if (settle(drawn)) return drawn;
    }
  }

  // Contents that every reader takes: finite scales, zero points of the type, no unused bits.
  std::vector<Bytes> buffers_of(const Drawn& drawn) {
    std::vector<Bytes> buffers;
    for (const Handle& each : drawn.parts.buffers) {
      buffers.push_back(noise(static_cast<std::size_t>(each.byte_size), random_.next()));
    }
    fill_scales(drawn.tensor, buffers);
    fill_zero_points(drawn.tensor, buffers);
    clear_unused_bits(drawn.tensor, buffers);
    return buffers;
  }

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

 private:
  template <typename T, std::size_t count>
  T one_of(const std::array<T, count>& values) {
    return values[below(count)];
  }

  std::uint8_t type() {
    switch (scheme_) {
      case 0:
        return one_of(std::array<std::uint8_t, 22>{1,    2,    3,    4,    0x10, 0x11, 0x12, 0x13,
                                                   0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x43,
                                                   0x44, 0x45, 0x48, 0x49, 0x4a, 0x4b});
      case 1:
      case 2:
        return one_of(std::array<std::uint8_t, 10>{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49,
                                                   0x4a, 0x4b});
      case 3:
        return one_of(std::array<std::uint8_t, 6>{0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b});
      case 4:
        return one_of(std::array<std::uint8_t, 2>{0x48, 0x49});
      default:
        return one_of(std::array<std::uint8_t, 7>{0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48});
    }
  }

  void draw_shape(TensorParts& parts) {
    const std::size_t rank = one_of(
        std::array<std::size_t, 20>{0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 9, 17, 64});
    if (scheme_ >= 2 && rank == 0) return draw_shape(parts);
    parts.shape.assign(rank, 1);
    axis_ = static_cast<std::uint32_t>(rank > 0 ? below(rank) : 0);
    block_size_ = scheme_ == 5 ? 16u << below(3) : scheme_ == 4 ? 8u << below(3) : 2u << below(5);
    std::uint64_t elements = 1;
    if (scheme_ >= 3) {
      elements = parts.shape[axis_] = block_size_ * (1 + below(4));
    } else if (scheme_ == 2) {
      elements = parts.shape[axis_] = 1 + below(one_in(6) ? 300 : 9);
    }
    for (std::size_t i = 0; i < rank; ++i) {
      if (i == axis_ && scheme_ >= 2) continue;
      const std::uint64_t size = 1 + below(rank > 6 ? (one_in(4) ? 3 : 1) : 8);
      if (elements * size > kMostElements) continue;
      elements *= parts.shape[i] = size;
    }
    if (rank > 0 && one_in(20)) parts.shape[below(rank)] = 0;
  }

  // Strides of some order of the dimensions, with gaps, backwards, and repeating.
  void draw_layout(TensorParts& parts) {
    parts.layout = static_cast<std::uint8_t>(1 + below(3));
    parts.byte_offset = one_in(3) ? below(50) : 0;
    if (parts.layout != 3) return;
    const std::size_t rank = parts.shape.size();
    std::vector<std::size_t> order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = i;
    for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    parts.strides.assign(rank, 0);
    std::int64_t step = 1;
    for (const std::size_t i : order) {
      if (one_in(9) && !(scheme_ >= 2 && i == axis_)) continue;
      parts.strides[i] = one_in(4) ? -step : step;
      if (parts.shape[i] == 1 && one_in(3)) parts.strides[i] *= 1000003;
      step *= static_cast<std::int64_t>(std::max<std::uint64_t>(parts.shape[i], 1));
      if (one_in(5)) step += static_cast<std::int64_t>(below(4));
    }
  }

  void draw_scheme(Drawn& drawn) {
    TensorParts& parts = drawn.parts;
    parts.buffers = {{}};
    if (scheme_ == 0) return;
    if (scheme_ == 1) {
      const auto info = find_storage_type(parts.type);
      const std::vector<std::int32_t> zero_points = legal_zero_points(*info);
      const std::uint32_t scale =
          one_in(8) ? 0x00400000u : 0x3a000000u + static_cast<std::uint32_t>(below(0x0b000000));
      const std::uint32_t sign = one_in(5) ? 0x80000000u : 0;
      const std::int32_t zero_point = zero_points[below(zero_points.size())];
      parts.quantization = descriptor(scale | sign, zero_point);
      drawn.scheme_keys =
          fmt::format("scheme=1 scale={:08x} zero_point={}", scale | sign, zero_point);
      return;
    }
    SchemeSection section;
    section.scheme_tag = scheme_;
    section.axis = axis_;
    section.block_size = block_size_;
    section.scale_type_tag = static_cast<std::uint8_t>(1 + below(3));
    parts.buffers.resize(scheme_ <= 3 ? 3 : 2);
    if (scheme_ <= 3 && one_in(3)) {
      section.flags = 1;
      section.zero_point_buffer_index = kNoIndex;
      parts.buffers.resize(2);
    } else if (scheme_ <= 3 && one_in(6)) {
      section.zero_point_buffer_index = 1;
      parts.buffers.resize(2);
    } else if (scheme_ <= 3 && one_in(2)) {
      std::swap(section.scale_buffer_index, section.zero_point_buffer_index);
    }
    parts.quantization = section.bytes();
    drawn.scheme_keys = section.keys();
  }

  void draw_sections(TensorParts& parts) {
    if (one_in(4)) {
      for (const std::uint64_t size : parts.shape) {
        const std::uint64_t before = below(3) << (one_in(4) ? 40 : 0);
        parts.shard_offset.push_back(before);
        parts.parent_shape.push_back(before + size + below(3));
      }
    }
    if (one_in(5)) {
      parts.statistics = noise(72, random_.next());
      std::fill_n(parts.statistics->begin(), 4, std::uint8_t{0});
      parts.statistics->front() = static_cast<std::uint8_t>(below(64));
    }
    if (one_in(5)) {
      parts.member = Bytes(16);
      parts.member->front() = static_cast<std::uint8_t>(below(2));
    }
    for (Handle& each : parts.buffers) each.alignment = 64u << (one_in(3) ? below(24) : 0);
    if (!one_in(6)) return;
    const auto device = static_cast<std::uint8_t>(one_in(3) ? 0xf0 + below(15) : 1 + below(8));
    for (Handle& each : parts.buffers) each.device_tag = device;
  }

  // Sizes of all buffers. False if the draw has come to nothing.
  bool settle(Drawn& drawn) {
    TensorParts& parts = drawn.parts;
    Findings ignored;
    for (Handle& each : parts.buffers) each.byte_size = kMostBufferBytes;
    parse_tensor(parts.bytes(), drawn.tensor, ignored);
    const auto extent = extent_of(drawn.tensor);
    const auto bits = find_element_type(parts.type)->bits;
    if (extent && extent->below > 0) parts.byte_offset += (extent->below * bits + 7) / 8;
    parse_tensor(parts.bytes(), drawn.tensor, ignored);
    parts.buffers[0].byte_size = needed_data_bytes(drawn.tensor).value_or(0);
    // A tensor without elements may have an offset, and more bytes than it needs.
    parts.buffers[0].byte_size = std::max(parts.buffers[0].byte_size, parts.byte_offset);
    if (one_in(5)) parts.buffers[0].byte_size += below(20);
    for (std::size_t i = 1; i < parts.buffers.size(); ++i) parts.buffers[i].byte_size = 0;
    for (const auto& array : {scale_array(drawn.tensor), zero_point_array(drawn.tensor)}) {
      if (array) parts.buffers[array->buffer_index].byte_size += array->bytes;
    }
    Findings findings;
    parse_tensor(parts.bytes(), drawn.tensor, findings);
    for (const Handle& each : parts.buffers) {
      if (each.byte_size > kMostBufferBytes) return false;
    }
    return !findings.has_at_least(Severity::kSoft);
  }

  void fill_scales(const Tensor& tensor, std::vector<Bytes>& buffers) {
    const auto array = scale_array(tensor);
    if (!array) return;
    const std::uint8_t type = fields_of(tensor.quantization).scale_type_tag;
    const std::uint32_t width = scale_bytes(type);
    const bool is_nf4 = tensor.quantization.scheme_tag == kSchemeNf4;
    Bytes& bytes = buffers[array->buffer_index];
    for (std::uint64_t at = 0; at + width <= array->bytes; at += width) {
      const std::uint32_t sign = one_in(5) && !is_nf4 ? 0x8000 : 0;
      std::uint32_t high =
          static_cast<std::uint32_t>(type == 1   ? 1 + below(one_in(8) ? 0x3ff : 0x7bff)
                                     : one_in(8) ? 1 + below(0x7f)
                                                 : 0x3a00 + below(0x0b00));
      high |= sign;
      std::uint8_t* to = &bytes[static_cast<std::size_t>(array->offset_bytes + at)];
      if (width == 1) {
        to[0] = static_cast<std::uint8_t>(one_in(6) ? 1 + below(254) : 110 + below(30));
        continue;
      }
      to[width - 2] = static_cast<std::uint8_t>(high);
      to[width - 1] = static_cast<std::uint8_t>(high >> 8);
    }
  }

  void fill_zero_points(const Tensor& tensor, std::vector<Bytes>& buffers) {
    const auto array = zero_point_array(tensor);
    if (!array) return;
    const std::vector<std::int32_t> legal = legal_zero_points(*find_storage_type(tensor.type_tag));
    Bytes& bytes = buffers[array->buffer_index];
    for (std::uint64_t at = 0; at + 4 <= array->bytes; at += 4) {
      const auto value = static_cast<std::uint32_t>(legal[below(legal.size())]);
      for (unsigned i = 0; i < 4; ++i) {
        bytes[static_cast<std::size_t>(array->offset_bytes + at) + i] =
            static_cast<std::uint8_t>(value >> 8 * i);
      }
    }
  }

  // The last byte, or group of three, of the elements is cleared if bits behind them are set.
  static void clear_unused_bits(const Tensor& tensor, std::vector<Bytes>& buffers) {
    const std::vector<std::span<const std::uint8_t>> spans(buffers.begin(), buffers.end());
    Findings findings;
    judge_contents(tensor, spans, findings);
    if (!findings.has(hurray::Behaviour::kUnusedBits)) return;
    const std::size_t end = static_cast<std::size_t>(needed_data_bytes(tensor).value_or(0));
    for (std::size_t i = 0; i < 3 && i < end; ++i) buffers[0][end - 1 - i] = 0;
  }

  Random random_;
  std::uint8_t scheme_ = 0;
  std::uint32_t axis_ = 0;
  std::uint32_t block_size_ = 0;
};

// Some watch what is written beside the output, some what is read behind the descriptor.
std::string_view watch(std::uint64_t seed) {
  constexpr std::array<std::string_view, 4> kWatched = {"", " fill=a5", " guard=after",
                                                        " fill=5a guard=before"};
  return kWatched[seed % kWatched.size()];
}

std::vector<Draft> read() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn drawn = Draw(seed).valid();
    drafts.push_back({fmt::format("{:03}", seed),
                      {decode_tensor_request(drawn.parts) + std::string(watch(seed))}});
  }
  return drafts;
}

std::vector<Draft> written() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn drawn = Draw(seed).valid();
    const std::string request = encode_tensor_request(drawn.parts, drawn.scheme_keys);
    const std::size_t bytes = drawn.parts.bytes().size();
    drafts.push_back({fmt::format("{:03}", seed), {request}});
    if (seed % 7 > 2) continue;
    // As much room as is needed, and less.
    const std::size_t room = bytes - std::array<std::size_t, 3>{0, 1, bytes / 2}[seed % 7];
    drafts.push_back({fmt::format("{:03}/capacity-{}", seed, room),
                      {fmt::format("{} capacity={} fill=a5", request, room)}});
  }
  return drafts;
}

std::vector<Draft> values() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Draw draw(seed);
    const Drawn drawn = draw.valid();
    const std::vector<Bytes> buffers = draw.buffers_of(drawn);
    const std::size_t count = static_cast<std::size_t>(element_count(drawn.tensor).value());
    std::string request = dequantize_tensor_request(drawn.parts, count, buffers);
    if (seed % 16 == 5) request += " mode=permissive";
    if (seed % 4 == 1) request += " fill=a5";
    if (seed % 4 >= 2) request += seed % 4 == 2 ? " guard=after" : " guard=before";
    constexpr std::array<std::string_view, 6> kSchemes = {"none", "pta", "pca",
                                                          "pba",  "nf4", "mxfp"};
    const std::uint8_t scheme = drawn.parts.quantization ? drawn.parts.quantization->front() : 0;
    drafts.push_back({fmt::format("{}/{:03}", kSchemes[scheme], seed), {request}});
  }
  return drafts;
}

// One element too many or too few is asked for, or a buffer has a byte less than its handle says.
std::vector<Draft> other_sizes() {
  std::vector<Draft> drafts;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const Drawn drawn = draw.valid();
    const std::vector<Bytes> buffers = draw.buffers_of(drawn);
    const std::size_t count = static_cast<std::size_t>(element_count(drawn.tensor).value());
    const auto add = [&](std::string_view name, std::size_t asked, std::span<const Bytes> handed) {
      drafts.push_back({fmt::format("{:03}/{}", seed, name),
                        {dequantize_tensor_request(drawn.parts, asked, handed) + " fill=a5"}});
    };
    add("one-more", count + 1, buffers);
    if (count > 0) add("one-less", count - 1, buffers);
    if (count == 0) continue;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::vector<Bytes> shorter = buffers;
      shorter[i].pop_back();
      add(fmt::format("buffer-{}-short", i), count, shorter);
    }
  }
  return drafts;
}

// More elements than sixteen bits count, and an offset that they do not hold.
std::vector<Draft> large() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, TensorParts parts, std::size_t count, Bytes data) {
    parts.buffers = {{.byte_size = data.size()}};
    drafts.push_back(
        {std::string(name), {dequantize_tensor_request(parts, count, std::span(&data, 1))}});
  };
  TensorParts parts = plain_tensor();
  parts.type = 0x20;
  parts.shape = {7, 10001};
  add("bool", parts, 70007, [] {
    Bytes data = noise((70007 + 7) / 8, 1);
    data.back() &= 0x7f;
    return data;
  }());
  parts = per_tensor_tensor();
  parts.type = 0x4b;
  parts.quantization = descriptor(0x3dcccccd, 1);
  parts.shape = {66000};
  add("uint2", parts, 66000, noise(16500, 2));
  parts.shape = {8};
  parts.byte_offset = 16390;
  add("byte-offset", parts, 8, noise(16392, 3));
  return drafts;
}

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
  for (std::uint64_t seed = 0; drafts.size() < 120; ++seed) {
    Draw draw(20000 + seed);
    Drawn drawn = draw.valid();
    TensorParts& parts = drawn.parts;
    if (parts.shape.size() < 2 || parts.shape.size() > 9) continue;
    const std::size_t at = draw.below(parts.shape.size());
    if (fields_of(drawn.tensor.quantization).axis == static_cast<std::uint32_t>(at)) continue;
    parts.shape[at] = kDynamic;
    std::string name = fmt::format("{:03}", drafts.size());
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
    Bytes section = noise(static_cast<std::size_t>(draw.below(60)), seed);
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
    } else if (seed % 6 == 5) {
      drawn.parts.buffers[0].alignment = 3;
      name += "/alignment";
    }
    drafts.push_back({name, {decode_tensor_request(drawn.parts) + " mode=permissive"}});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"survey/read", "a valid descriptor is refused, or a field of it read wrongly", read},
    {"survey/written", "a valid tensor is not written, or a field of it wrongly", written},
    {"survey/values", "an element of a valid tensor has another value", values},
    {"survey/other-sizes", "another number of elements, or a shorter buffer, is taken",
     other_sizes},
    {"survey/large", "places are counted in sixteen bits", large},
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

std::span<const Family> tensor_survey_families() { return kFamilies; }

}  // namespace hurray::conformance
