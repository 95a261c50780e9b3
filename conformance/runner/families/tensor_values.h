// SPDX-License-Identifier: Apache-2.0
//
// What families on the values of tensors share: storage types, parameters, and requests.

#ifndef HURRAY_CONFORMANCE_FAMILIES_TENSOR_VALUES_H
#define HURRAY_CONFORMANCE_FAMILIES_TENSOR_VALUES_H

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {

inline std::size_t elements_of(const TensorParts& parts) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : parts.shape) count *= size;
  return static_cast<std::size_t>(count);
}

// Positive scales of several magnitudes.
inline Bytes scales(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> patterns;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    patterns.push_back(0x3c000000u + static_cast<std::uint32_t>(random.below(0x04000000)));
  }
  return le32(patterns);
}
inline Bytes zero_points(std::size_t count, std::int64_t least, std::int64_t most,
                         std::uint64_t seed) {
  std::vector<std::uint32_t> values;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t span = static_cast<std::uint64_t>(most - least) + 1;
    values.push_back(
        static_cast<std::uint32_t>(least + static_cast<std::int64_t>(random.below(span))));
  }
  return le32(values);
}
inline Bytes e8m0s(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Bytes bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(1 + random.below(254));
  return bytes;
}

// The ten integers come first in the table.
inline constexpr std::span<const ElementTypeInfo> kIntegers =
    std::span(kElementTypes).first(kStorageTypes.size());
inline constexpr std::array<std::uint8_t, 7> kMxTags = {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48};
// What per-block affine stores.
inline constexpr std::array<std::uint8_t, 6> kBlockTags = {0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b};
inline const ElementTypeInfo& type_info(std::uint8_t tag) { return *find_element_type(tag); }

// A tensor with its buffers; byte sizes follow from them.
inline Draft values(const std::string& name, TensorParts parts, std::span<const Bytes> buffers) {
  parts.buffers.clear();
  for (const Bytes& each : buffers) parts.buffers.push_back({.byte_size = each.size()});
  return {name, {dequantize_tensor_request(parts, elements_of(parts), buffers)}};
}

// The scheme's tensor of one type and shape.
inline TensorParts shaped(const SchemeSection& section, std::uint8_t type,
                          std::vector<std::uint64_t> shape) {
  TensorParts parts;
  parts.type = type;
  parts.shape = std::move(shape);
  parts.quantization = section.bytes();
  return parts;
}

inline std::pair<std::int64_t, std::int64_t> range_of(const ElementTypeInfo& type) {
  const StorageTypeInfo& info = *find_storage_type(type.tag);
  return {info.min, std::min<std::int64_t>(info.max, 0x7fffffff)};
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
inline constexpr std::array<std::uint32_t, 8> kBadScales = {
    0x7fc00000, 0x7f800001, 0xffffffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0xffc00000};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FAMILIES_TENSOR_VALUES_H
