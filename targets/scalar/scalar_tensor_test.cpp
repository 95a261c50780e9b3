// SPDX-License-Identifier: Apache-2.0
//
// Does scalar accept exactly the legal tensor descriptors? Written from the catalogue rows that
// each test names; what a scheme asks of its tensor is in scalar_tensor_quantization_test.cpp.

#include "scalar_test_tensor.h"

namespace scalar_test {
namespace {

const Bytes kGolden = from_hex(
    "4852525901005100000001000000110102000000020000000000000004000000000000000000000000000000"
    "010800000000000000400000000000000010000000010100000ad7a33c8000000000000000");
const Bytes kRecipe = from_hex(
    "485252590100790000000100000010010200000002000000000000001000000000000000000000000000000003"
    "200000000000000040000000000000001000000000000000400000000000000010000000000000004000000000"
    "00000018000000030100000100000008000000010000000200000003000000");
const Bytes kPlain = from_hex(
    "4852525901003d0000000000000003010200000003000000000000000400000000000000000000000000000001"
    "c0000000000000004000000000000000");

const Descriptor kInt8 = {.shape = {2, 4}, .buffers = {{8}}, .quantization = {}};

TEST(ScalarTensor, GoldenDescriptorsGoThereAndBack) {
  for (const Bytes& golden : {kGolden, kRecipe, kPlain}) {  // HQ-MD-038
    auto tensor = std::make_unique<hurray_tensor>();
    Bytes bytes;
    ASSERT_EQ(decode(golden, tensor.get()), HURRAY_OK);
    EXPECT_EQ(tensor->descriptor_length, golden.size());
    ASSERT_EQ(encode(*tensor, &bytes), HURRAY_OK);
    EXPECT_EQ(bytes, golden);
  }
  // A zero point of 128 is outside int8.
  Bytes signed_one = kGolden;
  signed_one[14] = 0x10;
  EXPECT_EQ(decode(signed_one), HURRAY_REJECTED);
}

TEST(ScalarTensor, EveryPrefixIsRefusedAndWhatFollowsIsNotLookedAt) {  // HQ-MD-008, 009; A51
  for (const Bytes& golden : {kGolden, kRecipe, kPlain}) {
    Bytes bytes = golden;
    bytes.insert(bytes.end(), golden.begin(), golden.end());
    auto tensor = std::make_unique<hurray_tensor>();
    EXPECT_EQ(decode(bytes, tensor.get()), HURRAY_OK);
    EXPECT_EQ(tensor->descriptor_length, golden.size());
    for (bytes = golden, bytes.pop_back(); !bytes.empty(); bytes.pop_back()) {
      EXPECT_EQ(decode(bytes), HURRAY_REJECTED) << bytes.size();
    }
    // The same with a length that says so.
    for (size_t length = 0; length < golden.size(); ++length) {
      bytes = golden;
      for (size_t i = 0; i < 4; ++i) bytes[6 + i] = static_cast<uint8_t>(length >> 8 * i & 0xff);
      EXPECT_EQ(decode(bytes), HURRAY_REJECTED) << length;
    }
  }
}

TEST(ScalarTensor, HeadersOfOtherKindsAreRefused) {  // HQ-MD-004, 005, 010
  for (size_t i = 0; i < 4; ++i) {
    Bytes bytes = kPlain;
    bytes[i] ^= 0x20;
    EXPECT_EQ(decode(bytes), HURRAY_REJECTED);
  }
  for (int major = 0; major < 256; ++major) {
    Descriptor d = kInt8;
    d.major = static_cast<uint8_t>(major);
    EXPECT_EQ(decode(d), major == 1 ? HURRAY_OK : HURRAY_REJECTED) << major;
  }
  for (unsigned bit = 5; bit < 32; ++bit) {
    Descriptor d = kInt8;
    d.flags = 1u << bit;
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << bit;
  }
  Descriptor d = kInt8;
  d.minor = 7;
  d.tail = {1, 2, 3};
  auto tensor = std::make_unique<hurray_tensor>();
  EXPECT_EQ(decode(d, tensor.get()), HURRAY_OK);  // HQ-MD-006, A50
  EXPECT_EQ(tensor->version_minor, 7);
}

TEST(ScalarTensor, TypesAndLayoutsAreThoseThatItClaims) {  // HQ-PACK-028, 029; HQ-MD-032
  for (int tag = 0; tag < 256; ++tag) {
    Descriptor d = kInt8;
    d.shape = {4};
    d.buffers = {{64}};
    d.type = static_cast<uint8_t>(tag);
    const bool is_read = (tag >= 0x01 && tag <= 0x04) || (tag >= 0x10 && tag <= 0x17) ||
                         tag == 0x20 || tag == 0x40 || tag == 0x41 ||
                         (tag >= 0x43 && tag <= 0x45) || (tag >= 0x48 && tag <= 0x4b);
    const bool is_known = tag == 0x42 || tag == 0x46 || tag == 0x50 || tag == 0x51;
    const hurray_status expected = is_read    ? HURRAY_OK
                                   : is_known ? HURRAY_UNSUPPORTED
                                              : HURRAY_REJECTED;
    EXPECT_EQ(decode(d), expected) << tag;
    d.extension_type = Bytes(20, 0);
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << tag;  // A62, HQ-MD-030
    d = kInt8;
    d.layout = static_cast<uint8_t>(tag);
    if (tag == 3) d.strides = {4, 1};
    EXPECT_EQ(decode(d), tag >= 1 && tag <= 3 ? HURRAY_OK : HURRAY_REJECTED) << tag;
  }
}

TEST(ScalarTensor, HasUpTo64Dimensions) {  // HQ-MD-027, 028
  for (const size_t rank : {0, 1, 63, 64, 65, 255}) {
    Descriptor d = kInt8;
    d.shape.assign(rank, 1);
    EXPECT_EQ(decode(d), rank <= 64 ? HURRAY_OK : HURRAY_REJECTED) << rank;
    d.layout = 2;
    EXPECT_EQ(decode(d), rank >= 1 && rank <= 64 ? HURRAY_OK : HURRAY_REJECTED);
    d.layout = 3;
    d.strides.assign(rank, 1);
    EXPECT_EQ(decode(d), rank >= 1 && rank <= 64 ? HURRAY_OK : HURRAY_REJECTED);
  }
  // A rank without its shape.
  Bytes bytes = kInt8.bytes();
  for (size_t i = 16; i < 20; ++i) bytes[i] = 0xff;
  EXPECT_EQ(decode(bytes), HURRAY_REJECTED);
  auto tensor = std::make_unique<hurray_tensor>();
  ASSERT_EQ(decode(kInt8, tensor.get()), HURRAY_OK);
  tensor->rank = 65;
  EXPECT_EQ(encode(*tensor), HURRAY_REJECTED);
  tensor->rank = UINT32_MAX;
  EXPECT_EQ(encode(*tensor), HURRAY_REJECTED);
}

TEST(ScalarTensor, DataThatDoesNotFitIsRefusedWithoutWrappingAround) {  // A47, A48
  const uint64_t huge = UINT64_C(1) << 63;
  const Words too_large[] = {{9},
                             {huge},
                             {huge, 2},
                             {huge, 4},
                             {3, 3},
                             {UINT64_MAX - 1},
                             {1ull << 32, 1ull << 32},
                             {1ull << 32, (1ull << 32) + 1}};
  for (const Words& shape : too_large) {
    for (const uint8_t layout : Bytes{1, 2}) {
      Descriptor d = kInt8;
      d.shape = shape;
      d.layout = layout;
      EXPECT_EQ(decode(d), HURRAY_REJECTED);
      d.buffers = {{UINT64_MAX}};
      const bool fits = shape.size() == 1 || shape[0] == 3 || (shape[0] == huge && shape[1] == 1);
      EXPECT_EQ(decode(d), fits ? HURRAY_OK : HURRAY_REJECTED);
      // A zero makes it empty.
      d.shape.push_back(0);
      d.buffers = {{0}};
      EXPECT_EQ(decode(d), HURRAY_OK);
    }
  }
  for (const uint8_t type : Bytes{0x48, 0x44, 0x20, 0x4a, 0x12}) {
    uint64_t bytes;
    ASSERT_EQ(hurray_target_scalar.packed_bytes(type, 7, &bytes), HURRAY_OK);
    Descriptor d = kInt8;
    d.type = type;
    d.shape = {7};
    for (const uint64_t offset : Words{0, 1, 5}) {
      d.byte_offset = offset;
      d.buffers = {{bytes + offset}};
      EXPECT_EQ(decode(d), HURRAY_OK);
      d.buffers = {{bytes + offset - 1}};
      EXPECT_EQ(decode(d), HURRAY_REJECTED);
    }
  }
  Descriptor d = kInt8;
  d.shape = {0};
  for (const uint64_t offset : Words{0, 8, 9, UINT64_MAX}) {  // HQ-MD-014
    d.byte_offset = offset;
    EXPECT_EQ(decode(d), offset <= 8 ? HURRAY_OK : HURRAY_REJECTED);
  }
}

TEST(ScalarTensor, StridesStayInsideTheBuffer) {
  const auto with = [](const Words& shape, const std::vector<int64_t>& strides, uint64_t size,
                       uint64_t offset) {
    Descriptor d = kInt8;
    d.layout = 3;
    d.shape = shape;
    for (const int64_t stride : strides) d.strides.push_back(static_cast<uint64_t>(stride));
    d.buffers = {{size}};
    d.byte_offset = offset;
    return decode(d);
  };
  EXPECT_EQ(with({2, 4}, {4, 1}, 8, 0), HURRAY_OK);
  EXPECT_EQ(with({2, 4}, {4, 1}, 7, 0), HURRAY_REJECTED);
  EXPECT_EQ(with({2, 4}, {100, 1}, 104, 0), HURRAY_OK);
  EXPECT_EQ(with({2, 4}, {100, 1}, 103, 0), HURRAY_REJECTED);
  EXPECT_EQ(with({2, 4}, {0, 0}, 1, 0), HURRAY_OK);
  EXPECT_EQ(with({4}, {-1}, 4, 3), HURRAY_OK);
  EXPECT_EQ(with({4}, {-1}, 4, 2), HURRAY_REJECTED);
  EXPECT_EQ(with({4}, {-1}, 3, 3), HURRAY_REJECTED);
  for (const int64_t stride : {INT64_MAX, INT64_MIN, INT64_MIN + 1}) {
    EXPECT_EQ(with({3}, {stride}, UINT64_MAX, UINT64_MAX), HURRAY_REJECTED);
    EXPECT_EQ(with({3, 5, 5}, {stride, stride, stride}, UINT64_MAX, 0), HURRAY_REJECTED);
    EXPECT_EQ(with({1}, {stride}, 1, 0), HURRAY_OK);
    EXPECT_EQ(with({0, 3}, {stride, stride}, 0, 0), HURRAY_OK);
  }
}

TEST(ScalarTensor, DynamicDimensionsAreNotComputedWith) {  // HQ-MD-012
  Descriptor d = kInt8;
  d.shape = {HURRAY_DYNAMIC, 1000};
  EXPECT_EQ(decode(d), HURRAY_OK);
  d.layout = 3;
  d.strides = {7, 9};
  EXPECT_EQ(decode(d), HURRAY_OK);
  d.parent_shape = {5, HURRAY_DYNAMIC};
  d.shard_offset = {9, 9};
  EXPECT_EQ(decode(d), HURRAY_OK);
}

TEST(ScalarTensor, HandlesAreThoseOfTheirDevice) {  // HQ-MD-020..025
  const auto with = [](const Handle& handle) {
    Descriptor d = kInt8;
    if (handle.byte_size == 0) d.shape = {0};
    d.buffers = {handle};
    return decode(d);
  };
  for (uint32_t bit = 0; bit < 32; ++bit) {
    const uint32_t alignment = 1u << bit;
    EXPECT_EQ(with({8, alignment}), alignment >= 64 ? HURRAY_OK : HURRAY_REJECTED);
    EXPECT_EQ(with({0, alignment}), HURRAY_OK);  // A23
    EXPECT_EQ(with({0, alignment | 1u << ((bit + 3) % 32)}), HURRAY_REJECTED);
  }
  EXPECT_EQ(with({0, 0}), HURRAY_REJECTED);
  // Classes by device, as the format lists them.
  const int most_class[] = {2, 3, 3, 2, 3, 0, 2, 3, 2};
  for (int device = 0; device < 256; ++device) {
    const bool is_private = device >= 0xf0 && device <= 0xfe;
    for (int value = 0; value < 256; ++value) {
      const auto byte = static_cast<uint8_t>(value);
      const auto tag = static_cast<uint8_t>(device);
      const bool has_class = device <= 8  ? value <= most_class[device]
                             : is_private ? value == 0 || (value >= 0xf0 && value <= 0xfe)
                                          : false;
      const bool has_sync = device == 0 ? value == 0 : value <= 2 && (device <= 8 || is_private);
      EXPECT_EQ(with({8, 64, tag, 0, byte}), has_class ? HURRAY_OK : HURRAY_REJECTED);
      EXPECT_EQ(with({8, 64, tag, byte, 0}), has_sync ? HURRAY_OK : HURRAY_REJECTED);
    }
  }
  for (unsigned bit = 0; bit < 8; ++bit) {
    EXPECT_EQ(with({8, 64, 0, 0, 0, static_cast<uint8_t>(1u << bit)}), HURRAY_REJECTED);
  }
  Descriptor d = kInt8;
  d.buffers = {};
  EXPECT_EQ(decode(d), HURRAY_REJECTED);  // HQ-MD-016
  d.buffers = {{8}, {8}};
  EXPECT_EQ(decode(d), HURRAY_REJECTED);  // HQ-MD-017
}

TEST(ScalarTensor, SectionsComeBackInEveryCombination) {  // HQ-MD-011, 041..043
  for (int sections = 0; sections < 16; ++sections) {
    Descriptor d = kInt8;
    if ((sections & 1) != 0) d.quantization = per_tensor(0x3f000000, 3);
    if ((sections & 2) != 0) {
      d.parent_shape = {5, 9};
      d.shard_offset = {3, 5};
    }
    if ((sections & 4) != 0) {
      d.statistics = Bytes(72, 0x5a);
      for (size_t i = 0; i < 4; ++i) d.statistics[i] = i == 0 ? 0x3f : 0;
    }
    if ((sections & 8) != 0) {
      d.member = Bytes(16, 0);
      d.member[0] = 1;
    }
    auto tensor = std::make_unique<hurray_tensor>();
    Bytes bytes;
    ASSERT_EQ(decode(d, tensor.get()), HURRAY_OK) << sections;
    if ((sections & 2) != 0) {
      EXPECT_EQ(tensor->parent_shape[1], 9u);
      EXPECT_EQ(tensor->shard_offset[0], 3u);
    }
    EXPECT_TRUE((sections & 4) == 0 || tensor->statistics[71] == 0x5a);
    EXPECT_TRUE((sections & 8) == 0 || tensor->member_role == 1);
    ASSERT_EQ(encode(*tensor, &bytes), HURRAY_OK);
    EXPECT_EQ(bytes, d.bytes());
  }
}

TEST(ScalarTensor, ShardsLieInsideTheirParent) {
  const auto with = [](uint64_t parent, uint64_t offset) {
    Descriptor d = kInt8;
    d.parent_shape = {2, parent};
    d.shard_offset = {0, offset};
    return decode(d);
  };
  EXPECT_EQ(with(4, 0), HURRAY_OK);
  EXPECT_EQ(with(10, 6), HURRAY_OK);
  EXPECT_EQ(with(10, 7), HURRAY_REJECTED);
  EXPECT_EQ(with(3, 0), HURRAY_REJECTED);
  EXPECT_EQ(with(10, UINT64_MAX), HURRAY_REJECTED);
  EXPECT_EQ(with(10, UINT64_MAX - 3), HURRAY_REJECTED);
}

TEST(ScalarTensor, ReservedPartsOfSectionsAreZero) {
  for (unsigned bit = 6; bit < 32; ++bit) {
    Descriptor d = kInt8;
    d.statistics = Bytes(72, 0);
    d.statistics[bit / 8] = static_cast<uint8_t>(1u << bit % 8);
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << bit;
  }
  for (size_t at = 0; at < 16; ++at) {
    Descriptor d = kInt8;
    d.member = Bytes(16, 0);
    d.member[at] = 2;
    EXPECT_EQ(decode(d), HURRAY_REJECTED) << at;
  }
}

TEST(ScalarTensor, WritesNothingWithoutRoom) {
  auto tensor = std::make_unique<hurray_tensor>();
  ASSERT_EQ(decode(kRecipe, tensor.get()), HURRAY_OK);
  tensor->version_major = 9;  // a decoder's business
  tensor->version_minor = 9;
  for (size_t capacity = 0; capacity <= kRecipe.size(); ++capacity) {
    Bytes out(capacity, 0xa5);
    size_t written = 77;
    const hurray_status status =
        hurray_target_scalar.encode_tensor(tensor.get(), out.data(), capacity, &written);
    if (capacity < kRecipe.size()) {
      EXPECT_NE(status, HURRAY_OK);
      EXPECT_EQ(written, 77u);
    } else {
      EXPECT_EQ(status, HURRAY_OK);
      EXPECT_EQ(out, kRecipe);
    }
  }
  tensor->buffer_count = 256;
  EXPECT_EQ(encode(*tensor), HURRAY_REJECTED);  // HQ-MD-019
}

}  // namespace
}  // namespace scalar_test
