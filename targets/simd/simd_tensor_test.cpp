// SPDX-License-Identifier: Apache-2.0
//
// Do the tables with vector kernels give a tensor the values that plain C gives it, whatever its
// shape and scheme? Shapes around the lengths at which runs begin and end, inside bytes too.

#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "scalar/scalar_test_tensor.h"
#include "simd_test.h"

namespace simd_test {
namespace {

using scalar_test::Descriptor;
using scalar_test::Words;

class Tensors : public testing::TestWithParam<InstructionSet> {
 protected:
  std::mt19937 random_{5};

  // Random contents, all valid, then the values by both tables.
  void compare(Descriptor d, std::size_t entries, bool is_block) {
    const StorageTypeInfo& type = *hurray::find_storage_type(d.type);
    std::size_t count = 1;
    for (const std::uint64_t dimension : d.shape) count *= dimension;
    std::vector<Bytes> contents(1, Bytes(d.byte_offset + packed_bytes(type, count)));
    for (std::uint8_t& byte : contents[0]) byte = static_cast<std::uint8_t>(random_());
    if (entries != 0) {
      contents.resize(3);
      for (std::size_t i = 0; i < entries; ++i) {
        scalar_test::put(contents[1], std::bit_cast<std::uint32_t>(
                                          static_cast<float>(random_() % 999 + 1) * 0.01f));
        auto zero_point =
            static_cast<std::int32_t>(type.min) + static_cast<std::int32_t>(random_() % 3);
        // Outside the range of the type, which blocks may have.   [A24]
        if (is_block && i % 7 == 3) zero_point = i % 2 ? INT32_MIN : INT32_MAX;
        scalar_test::put(contents[2], static_cast<std::uint32_t>(zero_point));
      }
    }
    std::vector<const std::uint8_t*> bytes;
    Words sizes;
    for (const Bytes& each : contents) {
      bytes.push_back(each.data());
      sizes.push_back(each.size());
      d.buffers.push_back({each.size()});
    }
    auto tensor = std::make_unique<struct hurray_tensor>();
    ASSERT_EQ(scalar_test::decode(d, tensor.get()), HURRAY_OK);
    const struct hurray_tensor_buffers buffers = {static_cast<std::uint32_t>(bytes.size()),
                                                  bytes.data(), sizes.data()};
    Floats expected(count), out(count + 1, -77.0f);
    ASSERT_EQ(hurray_target_scalar.dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers,
                                                     expected.data(), count),
              HURRAY_OK);
    ASSERT_EQ(GetParam().target->dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers,
                                                   out.data(), count),
              HURRAY_OK);
    ASSERT_EQ(first_difference(out.data(), expected.data(), count), count) << type.name;
    ASSERT_EQ(out[count], -77.0f);
    ASSERT_EQ(GetParam().target->dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers,
                                                   out.data(), count + 1),
              HURRAY_REJECTED);
    ASSERT_EQ(first_difference(out.data(), expected.data(), count), count);
  }
};

TEST_P(Tensors, PerTensorAtEveryOffset) {
  for (const StorageTypeInfo& type : kStorageTypes) {
    for (std::uint64_t count = 1; count < 70; ++count) {
      compare({.type = static_cast<std::uint8_t>(type.type),
               .shape = {count},
               .buffers = {},
               .quantization = scalar_test::per_tensor(0x3dcccccd, 1),
               .byte_offset = count % 5 * (type.bits + 7) / 8},
              0, false);
    }
  }
}

TEST_P(Tensors, PerChannelOnEveryAxis) {
  for (const StorageTypeInfo& type : kStorageTypes) {
    for (const std::uint64_t inner : {1u, 2u, 7u, 8u, 12u, 33u, 64u, 131u}) {
      const Words shape = {2, 3, inner};
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        compare({.type = static_cast<std::uint8_t>(type.type),
                 .shape = shape,
                 .buffers = {},
                 .quantization = scalar_test::per_channel(axis)},
                shape[axis], false);
      }
    }
  }
}

TEST_P(Tensors, PerBlockWithWholeAndPartialBlocks) {
  for (const StorageTypeInfo& type : kStorageTypes) {
    if (type.bits > 8) continue;
    for (const std::uint32_t block : {2u, 4u, 8u, 16u, 32u, 128u}) {
      for (const std::uint64_t along : {8u, 20u, 32u, 33u, 200u}) {
        if (block > along) continue;  // not allowed
        for (std::uint32_t axis = 0; axis < 2; ++axis) {
          const Words shape = axis == 0 ? Words{along, 3} : Words{3, along};
          compare({.type = static_cast<std::uint8_t>(type.type),
                   .shape = shape,
                   .buffers = {},
                   .quantization = scalar_test::per_block(axis, block)},
                  3 * ((along + block - 1) / block), true);
        }
      }
    }
  }
}

// Beyond the caches, where runs that are long enough are streamed: of one whole tensor, and of rows
// that begin at any place of a vector.
TEST_P(Tensors, LargeOnesWithLongAndShortRuns) {
  constexpr std::uint64_t kBeyond = hurray::simd::kBeyondCaches / sizeof(float);
  for (const StorageTypeInfo* const type :
       {&kStorageTypes[0], &kStorageTypes[2], &kStorageTypes[7]}) {
    const auto tag = static_cast<std::uint8_t>(type->type);
    compare({.type = tag,
             .shape = {kBeyond + 77},
             .buffers = {},
             .quantization = scalar_test::per_tensor(0x3dcccccd, 1)},
            0, false);
    for (const std::uint64_t inner : {1022u, 1034u, 65'538u}) {
      const std::uint64_t rows = kBeyond / inner + 1;
      compare({.type = tag,
               .shape = {rows, inner},
               .buffers = {},
               .quantization = scalar_test::per_channel(0)},
              rows, false);
    }
  }
}

TEST_P(Tensors, OtherLayoutsAndSchemesAsPlainC) {
  compare({.layout = 2,
           .shape = {5, 40},
           .buffers = {},
           .quantization = scalar_test::per_tensor(0x3f000000, 1)},
          0, false);
  compare(
      {.layout = 2, .shape = {5, 40}, .buffers = {}, .quantization = scalar_test::per_channel(0)},
      5, false);
  compare({.shape = {5, 40}, .buffers = {}, .quantization = {}}, 0, false);
}

INSTANTIATE_TEST_SUITE_P(All, Tensors, testing::ValuesIn(sets_here()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace simd_test
