// SPDX-License-Identifier: Apache-2.0
//
// Are elements counted and found without a wrapped number, whatever the shape says?

#include "reference/tensor_layout.h"

#include <limits>

#include "reference/test_tensors.h"

namespace hurray {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;

Tensor shaped(std::initializer_list<std::uint64_t> shape) { return unquantized(0x10, shape, {0}); }

Tensor strided(std::initializer_list<std::uint64_t> shape,
               std::initializer_list<std::int64_t> strides) {
  Tensor tensor = shaped(shape);
  tensor.layout_tag = kLayoutStrided;
  std::copy(strides.begin(), strides.end(), tensor.strides.begin());
  return tensor;
}

TEST(TensorLayout, ProductsAndSumsDoNotWrap) {
  EXPECT_EQ(checked_product(kMost, 1), kMost);
  EXPECT_EQ(checked_product(kMost, 0), 0u);
  EXPECT_EQ(checked_product(0, kMost), 0u);
  EXPECT_EQ(checked_product(kHuge, 2), std::nullopt);
  EXPECT_EQ(checked_product(kHuge, 1), kHuge);
  EXPECT_EQ(checked_product(0xffffffff, 0xffffffff), 0xfffffffe00000001u);
  EXPECT_EQ(checked_sum(kMost, 0), kMost);
  EXPECT_EQ(checked_sum(kMost, 1), std::nullopt);
  EXPECT_EQ(checked_sum(kHuge, kHuge), std::nullopt);
}

TEST(TensorLayout, ElementsAreCounted) {
  EXPECT_EQ(element_count(shaped({})), 1u);
  EXPECT_EQ(element_count(shaped({2, 3, 4})), 24u);
  EXPECT_EQ(element_count(shaped({3, 0, 5})), 0u);
  EXPECT_EQ(element_count(shaped({kHuge, 4, 0})), 0u);
  EXPECT_EQ(element_count(shaped({0, kHuge, 4})), 0u);
  EXPECT_EQ(element_count(shaped({kHuge, 2})), std::nullopt);
  EXPECT_EQ(outer_count(shaped({2, 3, 4}), 1), 8u);
  EXPECT_EQ(outer_count(shaped({2, 0, 4}), 1), 8u);
  EXPECT_EQ(outer_count(shaped({0, 3}), 1), 0u);
  EXPECT_EQ(outer_count(shaped({kHuge, 2, 2}), 0), 4u);
  EXPECT_EQ(outer_count(shaped({kHuge, 2, 2}), 1), std::nullopt);
}

TEST(TensorLayout, RowMajorEndsWithTheLastDimensionColumnMajorWithTheFirst) {
  Tensor tensor = shaped({2, 3});
  Index index{};
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(index[0], static_cast<std::uint64_t>(i) / 3);
    EXPECT_EQ(index[1], static_cast<std::uint64_t>(i) % 3);
    tensor.layout_tag = kLayoutRowMajor;
    EXPECT_EQ(linear_index(tensor, index), i);
    tensor.layout_tag = kLayoutColumnMajor;
    EXPECT_EQ(linear_index(tensor, index), i / 3 + i % 3 * 2);
    next_index(tensor, index);
  }
  EXPECT_EQ(index, Index{});
}

TEST(TensorLayout, StridesGoAnywhere) {
  const Tensor tensor = strided({2, 3}, {10, -2});
  EXPECT_EQ(linear_index(tensor, Index{1, 2}), 6);
  const auto extent = extent_of(tensor);
  ASSERT_TRUE(extent.has_value());
  EXPECT_EQ(extent->below, 4u);
  EXPECT_EQ(extent->above, 10u);
  EXPECT_EQ(extent_of(strided({2, 0}, {10, -2})), std::nullopt);
  // Broadcast: more elements than can be counted, all in one place.
  const auto broadcast = extent_of(strided({kHuge, kHuge, kMost - 1}, {0, 0, 0}));
  ASSERT_TRUE(broadcast.has_value());
  EXPECT_EQ(broadcast->above, 0u);
}

TEST(TensorLayout, IndicesThatDoNotFitAreNotComputed) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(extent_of(strided({4}, {kHighest})), std::nullopt);
  EXPECT_EQ(extent_of(strided({3}, {kLowest})), std::nullopt);
  EXPECT_EQ(extent_of(strided({3, 3}, {kHighest, 1})), std::nullopt);
  EXPECT_EQ(extent_of(strided({kMost - 1}, {2})), std::nullopt);
  EXPECT_EQ(extent_of(strided({3}, {kHighest}))->above, kMost - 1);
  EXPECT_EQ(extent_of(strided({2}, {kLowest}))->below, kHuge);
  EXPECT_EQ(extent_of(shaped({kMost - 1}))->above, kMost - 2);
  EXPECT_EQ(extent_of(shaped({kHuge, 2})), std::nullopt);
  // Packed, more elements than a signed number counts fit a buffer's size.
  Tensor bits = shaped({kHuge + 8});
  bits.type_tag = 0x20;
  EXPECT_EQ(needed_data_bytes(bits), (kHuge >> 3) + 1);
}

// HQ-PBA-020: a table by hand for shape [2, 5, 3], blocks of 2 along axis 1.
TEST(TensorLayout, BlocksAreCountedRowMajorOverTheOtherDimensions) {
  const Tensor tensor = shaped({2, 5, 3});
  EXPECT_EQ(block_index(tensor, Index{0, 0, 0}, 1, 2), 0u);
  EXPECT_EQ(block_index(tensor, Index{0, 4, 0}, 1, 2), 2u);
  EXPECT_EQ(block_index(tensor, Index{0, 0, 1}, 1, 2), 3u);
  EXPECT_EQ(block_index(tensor, Index{1, 0, 0}, 1, 2), 9u);
  EXPECT_EQ(block_index(tensor, Index{1, 3, 2}, 1, 2), 16u);
  // Along the others: 15 or 10 runs of one block each.
  EXPECT_EQ(block_index(tensor, Index{1, 3, 2}, 0, 2), 11u);
  EXPECT_EQ(block_index(tensor, Index{1, 3, 2}, 2, 2), 17u);
}

// HQ-MD-014, -015, -033, -034; HQ-PACK-012 to -014.
TEST(TensorLayout, TheDataNeedsItsBytes) {
  const auto needed = [](std::uint8_t type, std::initializer_list<std::uint64_t> shape,
                         std::uint64_t offset) {
    Tensor tensor = unquantized(type, shape, {0});
    tensor.byte_offset = offset;
    return needed_data_bytes(tensor);
  };
  EXPECT_EQ(needed(0x03, {3, 4}, 0), 48u);
  EXPECT_EQ(needed(0x48, {5}, 7), 10u);
  EXPECT_EQ(needed(0x44, {5}, 1), 7u);
  EXPECT_EQ(needed(0x20, {9}, 0), 2u);
  EXPECT_EQ(needed(0x03, {0}, 99), 0u);
  EXPECT_EQ(needed(0x04, {kHuge}, 0), std::nullopt);
  EXPECT_EQ(needed(0x10, {kHuge}, kHuge - 1), kMost);
  EXPECT_EQ(needed(0x10, {kHuge}, kHuge), std::nullopt);
}

TEST(TensorLayout, NegativeStridesNeedBytesBeforeTheOffset) {
  Tensor tensor = strided({4}, {-1});
  tensor.byte_offset = 2;
  EXPECT_EQ(needed_data_bytes(tensor), std::nullopt);
  tensor.byte_offset = 3;
  EXPECT_EQ(needed_data_bytes(tensor), 4u);
  tensor.type_tag = 0x48;  // three nibbles back are two bytes
  tensor.byte_offset = 1;
  EXPECT_EQ(needed_data_bytes(tensor), std::nullopt);
  tensor.byte_offset = 2;
  EXPECT_EQ(needed_data_bytes(tensor), 3u);
}

// Rulings A47, A48, A42.
TEST(TensorLayout, TheDataBufferIsJudgedAgainstTheShape) {
  expect_valid(unquantized(0x03, {3, 4}, {48}));
  expect_valid(unquantized(0x03, {3, 4}, {49}));
  expect_soft(Status::kDataBufferTooSmall, unquantized(0x03, {3, 4}, {47}));
  expect_soft(Status::kDataBufferTooSmall, unquantized(0x03, {kHuge, 4}, {kMost}));
  expect_soft(Status::kDataBufferTooSmall, unquantized(0x44, {5}, {4}));
  expect_valid(unquantized(0x03, {kHuge, 4, 0}, {0}));

  Tensor empty = unquantized(0x03, {0}, {16});
  empty.byte_offset = 16;
  expect_valid(empty);
  empty.byte_offset = 17;
  expect_soft(Status::kByteOffset, empty);
  empty.byte_offset = kMost;
  expect_soft(Status::kByteOffset, empty);
}

}  // namespace
}  // namespace hurray
