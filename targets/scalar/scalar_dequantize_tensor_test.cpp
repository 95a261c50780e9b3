// SPDX-License-Identifier: Apache-2.0
//
// Does scalar compute the real values of tensors in every layout and scheme? Expected values are
// written out, or computed from the index that a test makes visible in its scales.

#include <bit>
#include <cmath>
#include <limits>

#include "scalar_test_tensor.h"

namespace scalar_test {
namespace {

using Floats = std::vector<float>;

Bytes floats(const Floats& values) {
  Bytes out;
  for (const float value : values) put(out, std::bit_cast<uint32_t>(value));
  return out;
}

Bytes integers(const std::vector<int32_t>& values) {
  Bytes out;
  for (const int32_t value : values) put(out, static_cast<uint32_t>(value));
  return out;
}

Bytes counting(size_t count) {
  Bytes out;
  for (size_t i = 0; i < count; ++i) out.push_back(static_cast<uint8_t>(i));
  return out;
}

// The descriptor's handles get the sizes of `contents`, which lie in allocations of just that size.
hurray_status dequantize(Descriptor d, const std::vector<Bytes>& contents, Floats* out) {
  const std::vector<Bytes> exact(contents);
  std::vector<const uint8_t*> bytes;
  Words sizes;
  d.buffers.clear();
  for (const Bytes& buffer : exact) {
    bytes.push_back(buffer.data());
    sizes.push_back(buffer.size());
    d.buffers.push_back({buffer.size()});
  }
  auto tensor = std::make_unique<hurray_tensor>();
  const hurray_status status = decode(d, tensor.get());
  if (status != HURRAY_OK) return status;
  size_t count = 1;
  for (const uint64_t dimension : d.shape) count *= dimension;
  const hurray_tensor_buffers buffers = {static_cast<uint32_t>(exact.size()), bytes.data(),
                                         sizes.data()};
  const Floats before(count, -77.0f);
  *out = before;
  const hurray_status result = hurray_target_scalar.dequantize_tensor(
      HURRAY_MODE_STRICT, tensor.get(), &buffers, out->data(), count);
  EXPECT_TRUE(result == HURRAY_OK || *out == before);
  EXPECT_EQ(hurray_target_scalar.dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers,
                                                   out->data(), count + 1),
            HURRAY_REJECTED);
  return result;
}

Floats values(const Descriptor& d, const std::vector<Bytes>& contents) {
  Floats out;
  EXPECT_EQ(dequantize(d, contents, &out), HURRAY_OK);
  return out;
}

hurray_status status_of(const Descriptor& d, const std::vector<Bytes>& contents) {
  Floats out;
  return dequantize(d, contents, &out);
}

TEST(ScalarDequantizeTensor, PerTensorInEveryLayout) {  // HQ-MD-033, HQ-PTA-018
  Descriptor d = {.shape = {2, 3}, .buffers = {}, .quantization = per_tensor(0x3f000000, 1)};
  EXPECT_EQ(values(d, {counting(6)}), (Floats{-0.5f, 0, 0.5f, 1, 1.5f, 2}));
  d.byte_offset = 2;
  EXPECT_EQ(values(d, {counting(8)}), (Floats{0.5f, 1, 1.5f, 2, 2.5f, 3}));
  d.byte_offset = 0;
  d.layout = 2;
  EXPECT_EQ(values(d, {counting(6)}), (Floats{-0.5f, 0.5f, 1.5f, 0, 1, 2}));
  d.layout = 3;
  d.strides = {10, 2};
  EXPECT_EQ(values(d, {counting(15)}), (Floats{-0.5f, 0.5f, 1.5f, 4.5f, 5.5f, 6.5f}));
  d.strides = {static_cast<uint64_t>(-3), static_cast<uint64_t>(-1)};
  d.byte_offset = 5;
  EXPECT_EQ(values(d, {counting(6)}), (Floats{2, 1.5f, 1, 0.5f, 0, -0.5f}));
  EXPECT_EQ(values({.shape = {}, .buffers = {}, .quantization = per_tensor(0x3f000000, 1)}, {{7}}),
            Floats{3});
}

TEST(ScalarDequantizeTensor, ElementsNarrowerThanAByteAtEveryPlace) {  // HQ-MD-034, HQ-PACK-032
  for (const uint8_t type : Bytes{0x48, 0x49, 0x4a, 0x4b}) {
    std::vector<int64_t> codes;
    const int64_t least = type == 0x48 ? -8 : type == 0x4a ? -2 : 0;
    const int64_t span = type < 0x4a ? 16 : 4;
    for (int64_t i = 0; i < 12; ++i) codes.push_back(least + i * 7 % span);
    Bytes packed(6, 0);
    ASSERT_EQ(hurray_target_scalar.pack(type, codes.data(), 12, packed.data()), HURRAY_OK);
    packed.insert(packed.begin(), 0xff);
    Descriptor d = {.type = type,
                    .shape = {3, 4},
                    .buffers = {},
                    .quantization = per_tensor(0x40000000, 0),
                    .byte_offset = 1};
    const Floats out = values(d, {packed});
    d.layout = 2;
    const Floats transposed = values(d, {packed});
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(out[i], 2.0f * static_cast<float>(codes[i]));
      EXPECT_EQ(transposed[i], 2.0f * static_cast<float>(codes[i / 4 + i % 4 * 3]));
    }
  }
}

TEST(ScalarDequantizeTensor, PerChannelByTheIndexAlongTheAxis) {  // HQ-PCA-022, 023
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Words shape = {2, 3, 4};
    Floats scales;
    std::vector<int32_t> zero_points;
    for (uint64_t i = 0; i < shape[axis]; ++i) {
      scales.push_back(std::ldexp(-1.0f, static_cast<int>(i)));
      zero_points.push_back(static_cast<int32_t>(5 * i) - 7);
    }
    Descriptor d = {.shape = shape, .buffers = {}, .quantization = per_channel(axis)};
    const Floats out = values(d, {counting(24), floats(scales), integers(zero_points)});
    d.quantization = per_channel(axis, 1, UINT32_MAX);
    const Floats symmetric = values(d, {counting(24), floats(scales)});
    d.quantization = per_channel(axis, 1, 1);
    Bytes both = floats(scales);
    for (const uint8_t byte : integers(zero_points)) both.push_back(byte);
    EXPECT_EQ(values(d, {counting(24), both}), out);  // A20
    for (size_t n = 0; n < 24; ++n) {
      const size_t c = axis == 0 ? n / 12 : axis == 1 ? n / 4 % 3 : n % 4;
      EXPECT_EQ(out[n], scales[c] * static_cast<float>(static_cast<int32_t>(n) - zero_points[c]));
      EXPECT_EQ(symmetric[n], scales[c] * static_cast<float>(n));
    }
  }
}

TEST(ScalarDequantizeTensor, PerChannelDifferencesAreNotWrapped) {  // A01, A55
  Bytes codes;
  put(codes, uint32_t{0x7fffffff});
  put(codes, uint32_t{0x80000000});
  Descriptor d = {.type = 0x14, .shape = {2}, .buffers = {}, .quantization = per_channel(0)};
  EXPECT_EQ(values(d, {codes, floats({1, 1}), integers({-1, 1})}),
            (Floats{2147483648.0f, -2147483648.0f}));
}

TEST(ScalarDequantizeTensor, PerBlockByTheBlocksOfEveryAxis) {  // HQ-PBA-019, 020; A30
  // Partial last blocks too, stored without filler.
  const Words shape = {5, 3, 4};
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const uint64_t along = (shape[axis] + 1) / 2;
    const uint64_t inner = axis == 0 ? 12 : axis == 1 ? 4 : 1;
    Floats scales;
    for (uint64_t i = 0; i < 60 / shape[axis] * along; ++i) {
      scales.push_back(static_cast<float>(i + 1));
    }
    const Descriptor d = {.type = 0x11,
                          .shape = shape,
                          .buffers = {},
                          .quantization = per_block(axis, 2, 3, 1, UINT32_MAX)};
    const Floats out = values(d, {Bytes(60, 1), floats(scales)});
    for (uint64_t n = 0; n < 60; ++n) {
      const uint64_t outer = n / (inner * shape[axis]) * inner + n % inner;
      const uint64_t block = n / inner % shape[axis] / 2;
      EXPECT_EQ(out[n], static_cast<float>(outer * along + block + 1)) << axis << " " << n;
    }
  }
}

TEST(ScalarDequantizeTensor, TheRecipesTensor) {  // HQ-ZP-010, 013
  const Floats scales = {0.02f, 0.015f, 0.025f, 0.01f};
  const std::vector<int32_t> zero_points = {8, 7, 9, 8};
  const Descriptor d = {.shape = {2, 16}, .buffers = {}, .quantization = per_block(1, 8)};
  const Floats out = values(d, {counting(32), floats(scales), integers(zero_points)});
  for (size_t n = 0; n < 32; ++n) {
    EXPECT_EQ(out[n],
              scales[n / 8] * static_cast<float>(static_cast<int32_t>(n) - zero_points[n / 8]));
  }
}

TEST(ScalarDequantizeTensor, NarrowScalesAreWidenedExactly) {  // HQ-PBA-027
  Descriptor d = {.shape = {4}, .buffers = {}, .quantization = per_block(0, 2, 1, 1, UINT32_MAX)};
  // 2^-24, the smallest subnormal of float16, and -65504.
  EXPECT_EQ(values(d, {{1, 1, 1, 1}, {0x01, 0x00, 0xff, 0xfb}}),
            (Floats{0x1p-24f, 0x1p-24f, -65504, -65504}));
  d.quantization = per_block(0, 2, 2, 1, UINT32_MAX);
  EXPECT_EQ(values(d, {{1, 1, 1, 1}, {0x01, 0x00, 0x80, 0x3f}}),
            (Floats{0x1p-133f, 0x1p-133f, 1, 1}));
  for (const Bytes& scales : {Bytes{0x00, 0x7c}, {0x00, 0x7e}, {0, 0}, {0, 0x80}}) {
    d = {.shape = {2}, .buffers = {}, .quantization = per_block(0, 2, 1, 1, UINT32_MAX)};
    EXPECT_EQ(status_of(d, {{1, 1}, scales}), HURRAY_REJECTED);  // HQ-PBA-028
  }
}

TEST(ScalarDequantizeTensor, Nf4TakesItsLevels) {  // HQ-NF4-007, 010, 017
  Bytes codes;
  for (int i = 0; i < 8; ++i) codes.push_back(static_cast<uint8_t>((2 * i + 1) << 4 | 2 * i));
  Descriptor d = {.type = 0x49, .shape = {16}, .buffers = {}, .quantization = blocks(4, 0, 8)};
  const uint32_t levels[] = {0xbf800000, 0xbf3239b1, 0xbf066b30, 0xbeca32a0, 0xbe91a24d, 0xbe3d353f,
                             0xbdba7871, 0x00000000, 0x3da2faff, 0x3e24cae3, 0x3e7c04dd, 0x3ead033a,
                             0x3ee1a4b8, 0x3f1007ab, 0x3f3913b3, 0x3f800000};
  const Floats out = values(d, {codes, floats({3, 0.1f})});
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(out[i], (i < 8 ? 3 : 0.1f) * std::bit_cast<float>(levels[i]));
  }
  const float inf = std::numeric_limits<float>::infinity();
  for (const float scale : {inf, -inf, -1.0f, -0x1p-149f, std::nanf(""), -std::nanf("")}) {
    EXPECT_EQ(status_of(d, {codes, floats({1, scale})}), HURRAY_REJECTED);  // HQ-NF4-011
  }
  for (const float scale : {0.0f, -0.0f, 0x1p-149f, 0x1.fffffep127f}) {  // A35
    EXPECT_EQ(status_of(d, {codes, floats({1, scale})}), HURRAY_OK);
  }
}

TEST(ScalarDequantizeTensor, MxfpScalesByPowersOfTwo) {  // HQ-MX-011..013
  Descriptor d = {.type = 0x43, .shape = {16}, .buffers = {}, .quantization = blocks(5, 0, 16)};
  const Bytes codes = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
  const Floats magnitudes = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (int e = 1; e < 255; ++e) {
    const Floats out = values(d, {codes, {static_cast<uint8_t>(e)}});
    for (size_t i = 0; i < 16; ++i) {
      const float value = std::ldexp(i < 8 ? magnitudes[i] : -magnitudes[i - 8], e - 127);
      EXPECT_EQ(std::bit_cast<uint32_t>(out[i]), std::bit_cast<uint32_t>(value));
    }
  }
  for (const uint8_t e : Bytes{0x00, 0xff}) {  // HQ-MX-010
    for (size_t at = 0; at < 3; ++at) {
      d.shape = {48};
      Bytes scales = {127, 127, 127};
      scales[at] = e;
      EXPECT_EQ(status_of(d, {Bytes(24, 0), scales}), HURRAY_REJECTED);
    }
  }
  // Infinities and NaN go through, integers are signed, 6-bit elements cross bytes.
  d = {.type = 0x41, .shape = {16}, .buffers = {}, .quantization = blocks(5, 0, 16)};
  Bytes data(16, 0);
  data[0] = 0x7c;
  data[1] = 0xfc;
  data[2] = 0x7d;
  data[3] = 0x01;
  const Floats out = values(d, {data, {1}});
  EXPECT_EQ(out[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(out[1], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_EQ(out[3], 0x1p-142f);
  d.type = 0x10;
  data[0] = 0x80;
  EXPECT_EQ(values(d, {data, {128}})[0], -256.0f);
  d.type = 0x44;
  EXPECT_EQ(values(d, {{0x81, 0x40, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {127}}),
            (Floats{0.125f, 0.25f, 0.5f, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(ScalarDequantizeTensor, BadContentsOfChannelsAreRefusedAnywhere) {  // HQ-PCA-019, 020
  const Descriptor d = {.type = 0x49, .shape = {3}, .buffers = {}, .quantization = per_channel(0)};
  const float inf = std::numeric_limits<float>::infinity();
  for (size_t at = 0; at < 3; ++at) {
    for (const float bad : {0.0f, -0.0f, inf, -inf, std::nanf("")}) {
      Floats scales = {1, 1, 1};
      scales[at] = bad;
      EXPECT_EQ(status_of(d, {{0, 0}, floats(scales), integers({0, 0, 0})}), HURRAY_REJECTED);
    }
    for (const int32_t bad : {-1, 16, INT32_MIN, INT32_MAX}) {
      std::vector<int32_t> zero_points = {0, 15, 0};
      zero_points[at] = bad;
      EXPECT_EQ(status_of(d, {{0, 0}, floats({1, 1, 1}), integers(zero_points)}), HURRAY_REJECTED);
    }
  }
  // In per-block affine they have no range.   [A24]
  const Descriptor blocks_of_two = {
      .type = 0x49, .shape = {2}, .buffers = {}, .quantization = per_block(0, 2)};
  EXPECT_EQ(values(blocks_of_two, {{0xf0}, floats({1}), integers({16})}), (Floats{-16, -1}));
  EXPECT_EQ(values(blocks_of_two, {{0xf0}, floats({1}), integers({INT32_MIN})}),
            (Floats{2147483648.0f, 2147483648.0f}));
}

TEST(ScalarDequantizeTensor, NothingIsTouchedThatIsNotNeeded) {  // HQ-MD-040, HQ-PCA-023
  Descriptor d = {.shape = {0}, .buffers = {{0}, {0}, {0}}, .quantization = per_channel(0)};
  auto tensor = std::make_unique<hurray_tensor>();
  ASSERT_EQ(decode(d, tensor.get()), HURRAY_OK);
  const auto* nowhere = reinterpret_cast<const uint8_t*>(uintptr_t{64});
  for (const uint8_t* at : {static_cast<const uint8_t*>(nullptr), nowhere}) {
    const uint8_t* const bytes[] = {at, at, at};
    const uint64_t sizes[] = {0, 0, 0};
    const hurray_tensor_buffers buffers = {3, bytes, sizes};
    EXPECT_EQ(hurray_target_scalar.dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers,
                                                     nullptr, 0),
              HURRAY_OK);
  }
  // Buffers shorter than their handles say.
  d = {.shape = {4}, .buffers = {{4}}, .quantization = per_tensor(0x3f800000, 0)};
  ASSERT_EQ(decode(d, tensor.get()), HURRAY_OK);
  const Bytes data(3, 0);
  const uint8_t* const bytes[] = {data.data()};
  const uint64_t sizes[] = {3};
  float out[4];
  for (const uint32_t count : {0u, 1u}) {
    const hurray_tensor_buffers buffers = {count, bytes, sizes};
    EXPECT_EQ(
        hurray_target_scalar.dequantize_tensor(HURRAY_MODE_STRICT, tensor.get(), &buffers, out, 4),
        HURRAY_REJECTED);
  }
}

}  // namespace
}  // namespace scalar_test
