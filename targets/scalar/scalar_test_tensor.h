// SPDX-License-Identifier: Apache-2.0
//
// Tensor descriptors for the tests of the scalar target, put together field by field, and calls
// that lie in allocations of their exact size.

#ifndef HURRAY_TARGETS_SCALAR_SCALAR_TEST_TENSOR_H
#define HURRAY_TARGETS_SCALAR_SCALAR_TEST_TENSOR_H

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace scalar_test {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint64_t>;

template <typename T>
void put(Bytes& bytes, T value) {
  for (size_t i = 0; i < sizeof value; ++i) {
    bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i) & 0xff));
  }
}

inline Bytes from_hex(const std::string& hex) {
  Bytes bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

struct Handle {
  uint64_t byte_size;
  uint32_t alignment = 64;
  uint8_t device = 0, sync = 0, memory_class = 0, reserved = 0;
};

// What a descriptor says; everything may be wrong.
struct Descriptor {
  uint8_t type = 0x10, layout = 1;
  Words shape;
  std::vector<Handle> buffers;
  Bytes quantization;
  uint64_t byte_offset = 0;
  Words strides = {};
  uint8_t major = 1, minor = 0;
  uint32_t flags = 0;  // those that do not follow from the sections
  Words parent_shape = {}, shard_offset = {};
  Bytes statistics = {}, extension_type = {}, member = {};
  Bytes tail = {};

  Bytes bytes() const {
    Bytes out = {'H', 'R', 'R', 'Y', major, minor, 0, 0, 0, 0};
    put(out, flags | (quantization.empty() ? 0u : HURRAY_HAS_QUANTIZATION) |
                 (shard_offset.empty() ? 0u : HURRAY_HAS_SHARD) |
                 (statistics.empty() ? 0u : HURRAY_HAS_STATISTICS) |
                 (extension_type.empty() ? 0u : HURRAY_HAS_EXTENSION_TYPE) |
                 (member.empty() ? 0u : HURRAY_HAS_COMPOSITE_MEMBER));
    put(out, type);
    put(out, layout);
    put(out, static_cast<uint32_t>(shape.size()));
    for (const uint64_t dimension : shape) put(out, dimension);
    put(out, byte_offset);
    for (const uint64_t stride : strides) put(out, stride);
    put(out, static_cast<uint8_t>(buffers.size()));
    for (const Handle& handle : buffers) {
      put(out, handle.byte_size);
      put(out, handle.alignment);
      for (const uint8_t byte :
           {handle.device, handle.sync, handle.memory_class, handle.reserved}) {
        out.push_back(byte);
      }
    }
    if (!quantization.empty()) {
      put(out, static_cast<uint32_t>(quantization.size()));
      out.insert(out.end(), quantization.begin(), quantization.end());
    }
    for (const uint64_t word : parent_shape) put(out, word);
    for (const uint64_t word : shard_offset) put(out, word);
    for (const Bytes* section : {&statistics, &extension_type, &member, &tail}) {
      out.insert(out.end(), section->begin(), section->end());
    }
    for (size_t i = 0; i < 4; ++i) out[6 + i] = static_cast<uint8_t>(out.size() >> (8 * i) & 0xff);
    return out;
  }
};

// Decodes into a struct full of a sentinel, and checks that a refusal leaves it alone.
inline hurray_status decode(const Bytes& bytes, hurray_tensor* result = nullptr,
                            uint32_t mode = HURRAY_MODE_STRICT) {
  const Bytes exact(bytes);
  auto out = std::make_unique<hurray_tensor>();
  auto before = std::make_unique<hurray_tensor>();
  std::memset(out.get(), 0xa5, sizeof *out);
  std::memset(before.get(), 0xa5, sizeof *before);
  const hurray_status status =
      hurray_target_scalar.decode_tensor(mode, exact.data(), exact.size(), out.get());
  EXPECT_TRUE(status == HURRAY_OK || std::memcmp(out.get(), before.get(), sizeof *out) == 0);
  if (result != nullptr) *result = *out;
  return status;
}

inline hurray_status decode(const Descriptor& descriptor, hurray_tensor* result = nullptr,
                            uint32_t mode = HURRAY_MODE_STRICT) {
  return decode(descriptor.bytes(), result, mode);
}

inline hurray_status encode(const hurray_tensor& tensor, Bytes* result = nullptr) {
  Bytes out(8192, 0xa5);
  size_t written = 0;
  const hurray_status status =
      hurray_target_scalar.encode_tensor(&tensor, out.data(), out.size(), &written);
  EXPECT_TRUE(status == HURRAY_OK || out == Bytes(8192, 0xa5));
  out.resize(written);
  if (result != nullptr) *result = out;
  return status;
}

// Quantization descriptors.
inline Bytes per_tensor(uint32_t scale_bits, int32_t zero_point) {
  Bytes out = {1, 1, 0, 0};
  put(out, scale_bits);
  put(out, static_cast<uint32_t>(zero_point));
  put(out, uint32_t{0});
  return out;
}

inline Bytes per_channel(uint32_t axis, uint32_t scales = 1, uint32_t zero_points = 2) {
  Bytes out = {2, 1, static_cast<uint8_t>(zero_points == UINT32_MAX ? 1 : 0), 0};
  for (const uint32_t word : {axis, scales, zero_points, 3u}) put(out, word);
  return out;
}

inline Bytes per_block(uint32_t axis, uint32_t block_size, uint32_t scale_type = 3,
                       uint32_t scales = 1, uint32_t zero_points = 2) {
  Bytes out = {3, 1, static_cast<uint8_t>(zero_points == UINT32_MAX ? 1 : 0), 0};
  for (const uint32_t word : {axis, block_size, scales, zero_points, scale_type}) put(out, word);
  return out;
}

// Schemes 04 and 05.
inline Bytes blocks(uint8_t scheme, uint32_t axis, uint32_t block_size, uint32_t scales = 1) {
  Bytes out = {scheme, 1, 0, 0};
  for (const uint32_t word : {axis, block_size, scales}) put(out, word);
  return out;
}

}  // namespace scalar_test

#endif  // HURRAY_TARGETS_SCALAR_SCALAR_TEST_TENSOR_H
