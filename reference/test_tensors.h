// SPDX-License-Identifier: Apache-2.0
//
// Valid tensors to start from, and what is found in them after one edit.

#ifndef HURRAY_REFERENCE_TEST_TENSORS_H
#define HURRAY_REFERENCE_TEST_TENSORS_H

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "reference/tensor.h"
#include "reference/test_bytes.h"

namespace hurray {

// Three float32 without anything else.   [HQ-MD-038, with a data buffer of 192 bytes]
inline const Bytes kPlainTensor =
    hex("4852525901003d000000000000000301020000000300000000000000040000000000000000000000000000000"
        "1c0000000000000004000000000000000");
// uint8 [2,4], scheme 01 with scale 0.02 and zero point 128.
inline const Bytes kPerTensorTensor =
    hex("48525259010051000000010000001101020000000200000000000000040000000000000000000000000000000"
        "10800000000000000400000000000000010000000010100000ad7a33c8000000000000000");
// That of the recipe: int8 [2,16], scheme 03, axis 1, blocks of 8.
inline const Bytes kPerBlockTensor =
    hex("48525259010079000000010000001001020000000200000000000000100000000000000000000000000000000"
        "320000000000000004000000000000000100000000000000040000000000000001000000000000000400000000"
        "000000018000000030100000100000008000000010000000200000003000000");

// Where things stand in the three above, whose rank is 2.
inline constexpr std::size_t kFlagsAt = 10;
inline constexpr std::size_t kTypeAt = 14;
inline constexpr std::size_t kLayoutAt = 15;
inline constexpr std::size_t kRankAt = 16;
inline constexpr std::size_t kShapeAt = 20;
inline constexpr std::size_t kByteOffsetAt = 36;
inline constexpr std::size_t kBufferCountAt = 44;
inline constexpr std::size_t kHandleAt = 45;

inline Findings found_in(const Bytes& bytes, Tensor& out, Mode mode = Mode::kStrict) {
  Findings findings;
  parse_tensor(bytes, out, findings, mode);
  return findings;
}
inline Findings found_in(const Bytes& bytes, Mode mode = Mode::kStrict) {
  Tensor out;
  return found_in(bytes, out, mode);
}
inline Findings judged(const Tensor& tensor, Mode mode = Mode::kStrict) {
  Findings findings;
  judge_tensor(tensor, findings, mode);
  return findings;
}

// The bytes that follow a descriptor's others, with descriptor_length corrected and a flag set.
inline Bytes with_section(Bytes bytes, std::uint32_t flag, const Bytes& section) {
  bytes = bytes + section;
  store_le32(&bytes[6], static_cast<std::uint32_t>(bytes.size()));
  store_le32(&bytes[kFlagsAt], load_le32(&bytes[kFlagsAt]) | flag);
  return bytes;
}

inline Tensor unquantized(std::uint8_t type, std::initializer_list<std::uint64_t> shape,
                          std::initializer_list<std::uint64_t> buffer_sizes) {
  Tensor tensor;
  tensor.type_tag = type;
  tensor.rank = static_cast<std::uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), tensor.shape.begin());
  for (const std::uint64_t size : buffer_sizes) {
    tensor.buffers[tensor.buffer_count++].byte_size = size;
  }
  return tensor;
}

inline Tensor per_channel(std::uint8_t type, std::initializer_list<std::uint64_t> shape,
                          std::initializer_list<std::uint64_t> buffer_sizes, std::uint32_t axis) {
  Tensor tensor = unquantized(type, shape, buffer_sizes);
  tensor.flags = kHasQuantization;
  tensor.quantization.scheme_tag = kSchemePerChannelAffine;
  tensor.quantization.per_channel_affine = {0, axis, 1, 2, 3};
  return tensor;
}

inline Tensor per_block(std::uint8_t type, std::initializer_list<std::uint64_t> shape,
                        std::initializer_list<std::uint64_t> buffer_sizes, std::uint32_t axis,
                        std::uint32_t block_size, std::uint8_t scale_type_tag = 3) {
  Tensor tensor = unquantized(type, shape, buffer_sizes);
  tensor.flags = kHasQuantization;
  tensor.quantization.scheme_tag = kSchemePerBlockAffine;
  tensor.quantization.per_block_affine = {0, axis, block_size, 1, 2, scale_type_tag};
  return tensor;
}

inline Tensor nf4(std::initializer_list<std::uint64_t> shape,
                  std::initializer_list<std::uint64_t> buffer_sizes, std::uint32_t axis,
                  std::uint32_t block_size) {
  Tensor tensor = unquantized(0x49, shape, buffer_sizes);
  tensor.flags = kHasQuantization;
  tensor.quantization.scheme_tag = kSchemeNf4;
  tensor.quantization.nf4 = {0, axis, block_size, 1};
  return tensor;
}

inline Tensor mxfp(std::uint8_t type, std::initializer_list<std::uint64_t> shape,
                   std::initializer_list<std::uint64_t> buffer_sizes, std::uint32_t axis,
                   std::uint32_t block_size) {
  Tensor tensor = unquantized(type, shape, buffer_sizes);
  tensor.flags = kHasQuantization;
  tensor.quantization.scheme_tag = kSchemeMxfp;
  tensor.quantization.mxfp = {0, axis, block_size, 1};
  return tensor;
}

inline void expect_valid(const Tensor& tensor) {
  EXPECT_TRUE(judged(tensor).empty()) << judged(tensor);
}
inline void expect_valid(const Bytes& bytes) {
  EXPECT_TRUE(found_in(bytes).empty()) << found_in(bytes);
}
template <typename TensorOrBytes>
Findings all_of(const TensorOrBytes& it) {
  if constexpr (std::is_same_v<TensorOrBytes, Tensor>) {
    return judged(it);
  } else {
    return found_in(it);
  }
}
template <typename TensorOrBytes>
void expect_must(Status status, const TensorOrBytes& it) {
  EXPECT_TRUE(is_only(all_of(it), Severity::kMust, status)) << all_of(it);
}
template <typename TensorOrBytes>
void expect_soft(Status status, const TensorOrBytes& it) {
  EXPECT_TRUE(is_only(all_of(it), Severity::kSoft, status)) << all_of(it);
}
template <typename TensorOrBytes>
void expect_lenient(Status status, const TensorOrBytes& it) {
  EXPECT_TRUE(is_only(all_of(it), Severity::kLenient, status)) << all_of(it);
}
template <typename TensorOrBytes>
void expect_open(Behaviour behaviour, const TensorOrBytes& it) {
  EXPECT_TRUE(is_only(all_of(it), behaviour)) << all_of(it);
}

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TEST_TENSORS_H
