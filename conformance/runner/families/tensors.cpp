// SPDX-License-Identifier: Apache-2.0
//
// Tensors for families, see tensors.h.

#include "conformance/runner/families/tensors.h"

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

void add(Bytes& bytes, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}
void append(Bytes& bytes, std::span<const std::uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes handles_of(const TensorParts& parts) {
  Bytes bytes;
  for (const Handle& each : parts.buffers) {
    add(bytes, each.byte_size, 8);
    add(bytes, each.alignment, 4);
    for (const std::uint8_t byte :
         {each.device_tag, each.sync_mode, each.memory_class, each.reserved}) {
      bytes.push_back(byte);
    }
  }
  return bytes;
}

Bytes strides_of(const TensorParts& parts) {
  Bytes bytes;
  for (const std::int64_t stride : parts.strides) add(bytes, static_cast<std::uint64_t>(stride), 8);
  return bytes;
}

TensorParts tensor(std::uint8_t type, std::vector<std::uint64_t> shape,
                   std::initializer_list<std::uint64_t> byte_sizes, std::optional<Bytes> section) {
  TensorParts parts;
  parts.type = type;
  parts.shape = std::move(shape);
  for (const std::uint64_t size : byte_sizes) parts.buffers.push_back({.byte_size = size});
  parts.quantization = std::move(section);
  return parts;
}

}  // namespace

Bytes le64(std::span<const std::uint64_t> values) {
  Bytes bytes;
  for (const std::uint64_t value : values) add(bytes, value, 8);
  return bytes;
}
Bytes le32(std::span<const std::uint32_t> values) {
  Bytes bytes;
  for (const std::uint32_t value : values) add(bytes, value, 4);
  return bytes;
}

Bytes SchemeSection::bytes() const {
  Bytes bytes = {scheme_tag, scheme_version};
  add(bytes, flags, 2);
  add(bytes, axis, 4);
  if (scheme_tag != 2) add(bytes, block_size, 4);
  add(bytes, scale_buffer_index, 4);
  if (scheme_tag <= 3) {
    add(bytes, zero_point_buffer_index, 4);
    add(bytes, scale_type_tag, 4);
  }
  return bytes;
}

std::string SchemeSection::keys() const {
  std::string keys = fmt::format("scheme={}", scheme_tag);
  if (scheme_tag <= 3) keys += fmt::format(" flags={:04x}", flags);
  keys += fmt::format(" axis={}", axis);
  if (scheme_tag != 2) keys += fmt::format(" block_size={}", block_size);
  keys += fmt::format(" scale_buffer_index={}", scale_buffer_index);
  if (scheme_tag <= 3) {
    keys += fmt::format(" zero_point_buffer_index={} scale_type_tag={:02x}",
                        zero_point_buffer_index, scale_type_tag);
  }
  return keys;
}

Bytes TensorParts::bytes() const {
  std::uint32_t flags = more_flags;
  flags |= quantization ? 1u : 0u;
  flags |= parent_shape.empty() && shard_offset.empty() ? 0u : 2u;
  flags |= extension_type ? 4u : 0u;
  flags |= statistics ? 8u : 0u;
  flags |= member ? 16u : 0u;

  Bytes bytes = {0x48, 0x52, 0x52, 0x59, version_major, version_minor};
  add(bytes, 0, 4);
  add(bytes, flags, 4);
  bytes.push_back(type);
  bytes.push_back(layout);
  add(bytes, shape.size(), 4);
  append(bytes, le64(shape));
  add(bytes, byte_offset, 8);
  append(bytes, strides_of(*this));
  bytes.push_back(static_cast<std::uint8_t>(buffers.size()));
  append(bytes, handles_of(*this));
  if (quantization) {
    add(bytes, section_length.value_or(static_cast<std::uint32_t>(quantization->size())), 4);
    append(bytes, *quantization);
  }
  append(bytes, le64(parent_shape));
  append(bytes, le64(shard_offset));
  for (const std::optional<Bytes>* section : {&statistics, &extension_type, &member}) {
    if (*section) append(bytes, **section);
  }
  append(bytes, trailing);
  const std::uint32_t stated = length.value_or(static_cast<std::uint32_t>(bytes.size()));
  for (unsigned i = 0; i < 4; ++i) bytes[6 + i] = static_cast<std::uint8_t>(stated >> 8 * i);
  return bytes;
}

SchemeSection per_channel_section() { return {.scheme_tag = 2, .axis = 1}; }
SchemeSection per_block_section() { return {.scheme_tag = 3, .axis = 1, .block_size = 8}; }
SchemeSection nf4_section() { return {.scheme_tag = 4, .axis = 1, .block_size = 8}; }
SchemeSection mxfp_section() { return {.scheme_tag = 5, .axis = 1, .block_size = 16}; }

TensorParts plain_tensor() { return tensor(0x03, {3, 4}, {48}, std::nullopt); }
TensorParts per_tensor_tensor() { return tensor(0x10, {2, 4}, {8}, base_descriptor()); }
TensorParts per_channel_tensor() {
  return tensor(0x10, {3, 4}, {12, 16, 16}, per_channel_section().bytes());
}
TensorParts per_block_tensor() {
  return tensor(0x10, {2, 16}, {32, 16, 16}, per_block_section().bytes());
}
TensorParts nf4_tensor() { return tensor(0x49, {2, 16}, {16, 16}, nf4_section().bytes()); }
TensorParts mxfp_tensor() { return tensor(0x40, {2, 32}, {64, 4}, mxfp_section().bytes()); }

std::span<const SchemeBase> scheme_bases() {
  static constexpr SchemeBase kBases[] = {
      {"pca", per_channel_tensor, per_channel_section},
      {"pba", per_block_tensor, per_block_section},
      {"nf4", nf4_tensor, nf4_section},
      {"mxfp", mxfp_tensor, mxfp_section},
  };
  return kBases;
}

std::string decode_tensor_request(std::span<const std::uint8_t> bytes) {
  return "decode_tensor bytes=" + to_hex(bytes);
}
std::string decode_tensor_request(const TensorParts& parts) {
  return decode_tensor_request(parts.bytes());
}

std::string encode_tensor_request(const TensorParts& parts, const std::string& scheme_keys) {
  std::string request =
      fmt::format("encode_tensor type={:02x} layout={} shape={} byte_offset={}", parts.type,
                  parts.layout, to_hex(le64(parts.shape)), parts.byte_offset);
  if (!parts.strides.empty()) request += " strides=" + to_hex(strides_of(parts));
  request += " buffers=" + to_hex(handles_of(parts));
  if (!scheme_keys.empty()) request += " " + scheme_keys;
  if (!parts.parent_shape.empty()) {
    request += fmt::format(" parent_shape={} shard_offset={}", to_hex(le64(parts.parent_shape)),
                           to_hex(le64(parts.shard_offset)));
  }
  if (parts.statistics) request += " statistics=" + to_hex(*parts.statistics);
  if (parts.extension_type) request += " extension_type=" + to_hex(*parts.extension_type);
  if (parts.member) request += fmt::format(" member_role={:02x}", parts.member->front());
  return request;
}

std::string dequantize_tensor_request(const TensorParts& parts, std::size_t count,
                                      std::span<const Bytes> buffers) {
  std::string request =
      fmt::format("dequantize_tensor bytes={} count={}", to_hex(parts.bytes()), count);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    request += fmt::format(" b{}={}", i, to_hex(buffers[i]));
  }
  return request;
}

Bytes every_code(const ElementTypeInfo& type) {
  const std::size_t count = std::size_t{1} << type.bits;
  Bytes packed(bytes_of(type, count));
  for (std::size_t i = 0; i < count; ++i) write_element_bits(type.tag, packed.data(), i, i);
  return packed;
}

Bytes noise(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  Bytes made(bytes);
  for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(random.next());
  return made;
}

Draft of_bytes(const std::string& name, std::span<const std::uint8_t> bytes) {
  return {name, {decode_tensor_request(bytes)}};
}
Draft of_tensor(const std::string& name, const TensorParts& parts) {
  return {name, {decode_tensor_request(parts)}};
}
Draft edited(const std::string& name, const TensorParts& base, const Edit& edit) {
  TensorParts parts = base;
  edit(parts);
  return of_tensor(name, parts);
}

}  // namespace hurray::conformance
