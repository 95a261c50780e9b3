// SPDX-License-Identifier: Apache-2.0
//
// Does scalar accept exactly the tensors that fit their scheme? Axis, shape, number and length of
// the parameter buffers. Written from the catalogue rows that each test names.

#include "scalar_test_tensor.h"

namespace scalar_test {
namespace {

// A tensor of two rows that obeys every rule of its scheme.
Descriptor good(uint8_t scheme) {
  switch (scheme) {
    case 1:
      return {.shape = {2, 64}, .buffers = {{128}}, .quantization = per_tensor(0x3f000000, 3)};
    case 2:
      return {.shape = {2, 64}, .buffers = {{128}, {8}, {8}}, .quantization = per_channel(0)};
    case 3:
      return {.shape = {2, 64}, .buffers = {{128}, {16}, {16}}, .quantization = per_block(1, 32)};
    case 4:
      return {.type = 0x49,
              .shape = {2, 64},
              .buffers = {{64}, {16}},
              .quantization = blocks(4, 1, 32)};
    default:
      return {.type = 0x41,
              .shape = {2, 64},
              .buffers = {{128}, {4}},
              .quantization = blocks(5, 1, 32)};
  }
}

Bytes with_word(Bytes bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(word >> (8 * i) & 0xff);
  return bytes;
}

size_t scale_index_at(uint8_t scheme) { return scheme == 2 ? 8 : 12; }

TEST(ScalarQuantizedTensor, OfEverySchemeGoesThereAndBack) {
  for (uint8_t scheme = 1; scheme <= 5; ++scheme) {
    auto tensor = std::make_unique<hurray_tensor>();
    Bytes bytes;
    ASSERT_EQ(decode(good(scheme), tensor.get()), HURRAY_OK) << int{scheme};
    EXPECT_EQ(tensor->quantization.scheme_tag, scheme);
    ASSERT_EQ(encode(*tensor, &bytes), HURRAY_OK);
    EXPECT_EQ(bytes, good(scheme).bytes());
  }
}

TEST(ScalarQuantizedTensor, HasItsAxis) {  // HQ-PCA-004, HQ-PBA-004, A57
  for (uint8_t scheme = 2; scheme <= 5; ++scheme) {
    for (const uint32_t axis : {2u, 3u, UINT32_MAX}) {
      Descriptor d = good(scheme);
      d.quantization = with_word(d.quantization, 4, axis);
      EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme} << " " << axis;
    }
    Descriptor d = good(scheme);
    d.shape = {};
    EXPECT_EQ(decode(d), HURRAY_REJECTED);
  }
  Descriptor d = good(1);
  d.shape = {};
  EXPECT_EQ(decode(d), HURRAY_OK);
}

TEST(ScalarQuantizedTensor, HasExactlyTheBuffersOfItsScheme) {  // HQ-MD-018, A21
  for (uint8_t scheme = 1; scheme <= 5; ++scheme) {
    Descriptor d = good(scheme);
    d.buffers.push_back({4});
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme};
    d = good(scheme);
    d.buffers.pop_back();
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme};
  }
}

TEST(ScalarQuantizedTensor, NamesParameterBuffersOfTheTable) {  // HQ-HDR-020, HQ-PCA-014..017
  for (uint8_t scheme = 2; scheme <= 5; ++scheme) {
    for (const uint32_t index : {0u, 3u, 255u, UINT32_MAX}) {
      Descriptor d = good(scheme);
      d.quantization = with_word(d.quantization, scale_index_at(scheme), index);
      EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme} << " " << index;
      if (scheme > 3) continue;
      d = good(scheme);
      d.quantization = with_word(d.quantization, scale_index_at(scheme) + 4, index);
      EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme} << " " << index;
    }
  }
}

TEST(ScalarQuantizedTensor, HasArraysOfExactlyTheirLength) {  // HQ-PCA-011, 013; HQ-PBA-017, 018
  for (uint8_t scheme = 2; scheme <= 5; ++scheme) {
    for (size_t buffer = 1; buffer < good(scheme).buffers.size(); ++buffer) {
      for (const int change : {-4, -1, 1, 4}) {
        Descriptor d = good(scheme);
        d.buffers[buffer].byte_size += static_cast<uint64_t>(change);
        EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme} << " " << change;
      }
    }
  }
  for (const uint32_t scale_type : {1u, 2u}) {
    Descriptor d = good(3);
    d.quantization = per_block(1, 32, scale_type);
    EXPECT_EQ(decode(d), HURRAY_REJECTED);
    d.buffers[1].byte_size = 8;
    EXPECT_EQ(decode(d), HURRAY_OK);
  }
}

TEST(ScalarQuantizedTensor, MaySaveOrShareTheZeroPoints) {  // A20, HQ-PCA-006
  for (const uint8_t scheme : Bytes{2, 3}) {
    Descriptor d = good(scheme);
    d.buffers.pop_back();
    d.quantization =
        scheme == 2 ? per_channel(0, 1, UINT32_MAX) : per_block(1, 32, 3, 1, UINT32_MAX);
    EXPECT_EQ(decode(d), HURRAY_OK);
    d.quantization = scheme == 2 ? per_channel(0, 1, 1) : per_block(1, 32, 3, 1, 1);
    EXPECT_EQ(decode(d), HURRAY_REJECTED);
    d.buffers[1].byte_size *= 2;
    EXPECT_EQ(decode(d), HURRAY_OK);
  }
  // An index that a symmetric per-block tensor ignores.   [A17]
  Descriptor d = good(3);
  d.buffers.pop_back();
  d.quantization = with_word(per_block(1, 32, 3, 1, UINT32_MAX), 16, 7);
  EXPECT_EQ(decode(d), HURRAY_OK);
}

TEST(ScalarQuantizedTensor, HasBlocksThatFitTheAxis) {  // HQ-PBA-007, 008; HQ-MX-005; A33, A34
  for (const uint8_t scheme : Bytes{3, 4}) {
    for (const uint64_t size : Words{1, 31, 32, 33, 63, 65}) {
      const uint64_t count = (size + 31) / 32;
      Descriptor d = good(scheme);
      d.shape = {size};
      d.quantization = with_word(d.quantization, 4, 0);
      for (size_t i = 1; i < d.buffers.size(); ++i) d.buffers[i].byte_size = 4 * count;
      EXPECT_EQ(decode(d), size >= 32 ? HURRAY_OK : HURRAY_REJECTED) << size;
    }
    Descriptor d = good(scheme);
    for (size_t i = 0; i < d.buffers.size(); ++i) d.buffers[i].byte_size = 0;
    d.shape = {2, 0};
    EXPECT_EQ(decode(d), HURRAY_OK);
    d.shape = {0, 64};
    EXPECT_EQ(decode(d), HURRAY_OK);
    d.shape = {0, 16};
    EXPECT_EQ(decode(d), HURRAY_REJECTED);
    d.shape = {2, 0};
    d.buffers[1].byte_size = 4;
    EXPECT_EQ(decode(d), HURRAY_REJECTED);
  }
  for (const uint64_t size : Words{0, 16, 31, 32, 33, 40, 48, 64}) {
    Descriptor d = good(5);
    d.shape = {2, size};
    d.buffers[1].byte_size = 2 * (size / 32);
    EXPECT_EQ(decode(d), size != 0 && size % 32 == 0 ? HURRAY_OK : HURRAY_REJECTED) << size;
  }
  // Channels need none.   [HQ-PCA-028]
  Descriptor d = good(2);
  d.shape = {2, 0};
  EXPECT_EQ(decode(d), HURRAY_OK);
  d.quantization = per_channel(1);
  EXPECT_EQ(decode(d), HURRAY_REJECTED);
  d.buffers = {{0}, {0}, {0}};
  EXPECT_EQ(decode(d), HURRAY_OK);
}

TEST(ScalarQuantizedTensor, MayLackTheFillerOfItsLastBlock) {  // A28
  Descriptor d = good(3);
  d.shape = {40};
  d.quantization = per_block(0, 32);
  d.buffers = {{40}, {8}, {8}};
  EXPECT_EQ(decode(d), HURRAY_OK);
  d.buffers[0].byte_size = 64;
  EXPECT_EQ(decode(d), HURRAY_OK);
  d.buffers[0].byte_size = 39;
  EXPECT_EQ(decode(d), HURRAY_REJECTED);
}

TEST(ScalarQuantizedTensor, MayBeDynamicAcrossTheAxis) {  // HQ-MD-013, A32
  for (uint8_t scheme = 2; scheme <= 5; ++scheme) {
    const size_t axis = scheme == 2 ? 0 : 1;
    Descriptor d = good(scheme);
    d.shape[1 - axis] = HURRAY_DYNAMIC;
    EXPECT_EQ(decode(d), HURRAY_OK) << int{scheme};
    d = good(scheme);
    d.shape[axis] = HURRAY_DYNAMIC;
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << int{scheme};
  }
}

TEST(ScalarQuantizedTensor, CountsBlocksWithoutWrappingAround) {  // HQ-PBA-019
  Descriptor d = good(3);
  d.type = 0x4b;
  d.quantization = per_block(1, 2);
  // 2^62 blocks: their arrays have 2^64 bytes.
  d.shape = {UINT64_C(1) << 31, UINT64_C(1) << 32};
  d.buffers = {{UINT64_MAX}, {0}, {0}};
  EXPECT_EQ(decode(d), HURRAY_REJECTED);
  d.shape = {UINT64_C(1) << 63, 4};
  EXPECT_EQ(decode(d), HURRAY_REJECTED);
  d.shape = {UINT64_C(1) << 60, 4};
  d.buffers = {{UINT64_C(1) << 60}, {UINT64_C(1) << 63}, {UINT64_C(1) << 63}};
  EXPECT_EQ(decode(d), HURRAY_OK);
}

TEST(ScalarQuantizedTensor, MayHaveASectionWithATail) {  // A12, HQ-HDR-030
  for (uint8_t scheme = 1; scheme <= 5; ++scheme) {
    Descriptor d = good(scheme);
    d.quantization.resize(d.quantization.size() + 4, 0);
    d.parent_shape = {2, 64};
    d.shard_offset = {0, 0};
    auto tensor = std::make_unique<hurray_tensor>();
    ASSERT_EQ(decode(d, tensor.get()), HURRAY_OK);
    EXPECT_EQ(tensor->parent_shape[1], 64u);
  }
  for (const uint32_t length : {0u, 15u, 17u, 0x80000000u, UINT32_MAX}) {  // HQ-MD-002
    Bytes bytes = good(1).bytes();
    bytes = with_word(bytes, bytes.size() - 20, length);
    EXPECT_EQ(decode(bytes), HURRAY_REJECTED) << length;
  }
}

TEST(ScalarQuantizedTensor, OfAnUnknownSchemeIsSteppedOverIfAsked) {  // HQ-HDR-006, 007, 011
  for (int tag = 0; tag < 256; ++tag) {
    Descriptor d = good(1);
    d.quantization = Bytes(7, 0xee);
    d.quantization[0] = static_cast<uint8_t>(tag);
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << tag;
    const bool is_unknown = tag > 5 && tag != 0xff;
    auto tensor = std::make_unique<hurray_tensor>();
    ASSERT_EQ(decode(d, tensor.get(), HURRAY_MODE_PERMISSIVE),
              is_unknown ? HURRAY_OK : HURRAY_REJECTED)
        << tag;
    if (!is_unknown) continue;
    EXPECT_EQ(tensor->quantization.scheme_tag, tag);
    EXPECT_EQ(tensor->shape[1], 64u);
    const uint8_t* const bytes[] = {nullptr};
    const uint64_t sizes[] = {128};
    const hurray_tensor_buffers buffers = {1, bytes, sizes};
    float out[128];
    EXPECT_EQ(hurray_target_scalar.dequantize_tensor(HURRAY_MODE_PERMISSIVE, tensor.get(), &buffers,
                                                     out, 128),
              HURRAY_UNSUPPORTED);
    EXPECT_EQ(encode(*tensor), HURRAY_REJECTED);
  }
  EXPECT_EQ(decode(good(3), nullptr, HURRAY_MODE_PERMISSIVE), HURRAY_OK);
}

}  // namespace
}  // namespace scalar_test
