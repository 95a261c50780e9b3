// SPDX-License-Identifier: Apache-2.0
//
// Does scalar read and write exactly the legal descriptors of schemes 02 to 05? Written from the
// catalogue rows that each test names; scheme 01 is in scalar_codec_test.cpp.

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Bytes = std::vector<uint8_t>;
const struct hurray_target& scalar = hurray_target_scalar;

const Bytes kChannel = {2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
const Bytes kBlock = {3, 1, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
const Bytes kNf4 = {4, 1, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0};
const Bytes kMxfp = {5, 1, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0};

struct Scheme {
  Bytes golden;
  uint8_t type;
  std::set<uint8_t> types;
  std::set<int> flags;        // bits that are defined
  std::vector<size_t> fixed;  // bytes that have one legal value
};
const Scheme kSchemes[] = {
    {kChannel,
     0x10,
     {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b},
     {0},
     {0, 1, 3, 16, 17, 18, 19}},
    {kBlock, 0x10, {0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b}, {0}, {1, 3, 21, 22, 23}},
    {kNf4, 0x49, {0x49}, {}, {1, 2, 3}},
    {kMxfp, 0x40, {0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48}, {}, {1, 2, 3}},
};

Bytes with_word(Bytes bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(word >> (8 * i) & 0xff);
  return bytes;
}

Bytes with_byte(Bytes bytes, size_t at, unsigned byte) {
  bytes[at] = static_cast<uint8_t>(byte);
  return bytes;
}

hurray_status decode(uint8_t type, const Bytes& bytes, hurray_descriptor* result = nullptr) {
  const Bytes exact(bytes);
  hurray_descriptor out, before;
  std::memset(&out, 0xa5, sizeof out);
  std::memset(&before, 0xa5, sizeof before);
  const hurray_status status = scalar.decode(type, exact.data(), exact.size(), &out);
  EXPECT_TRUE(status == HURRAY_OK || std::memcmp(&out, &before, sizeof out) == 0);
  if (result != nullptr) *result = out;
  return status;
}

hurray_status encode(uint8_t type, const hurray_descriptor& d, Bytes* result = nullptr) {
  Bytes out(24, 0xa5);
  size_t written = 0;
  const hurray_status status = scalar.encode(type, &d, out.data(), out.size(), &written);
  EXPECT_TRUE(status == HURRAY_OK || out == Bytes(24, 0xa5));
  out.resize(written);
  if (result != nullptr) *result = out;
  return status;
}

TEST(ScalarSchemes, GoldenDescriptorsHaveTheirFieldsAndGoBackToTheirBytes) {
  hurray_descriptor d;
  ASSERT_EQ(decode(0x10, kChannel, &d), HURRAY_OK);  // HQ-PCA-027
  EXPECT_EQ(d.scheme_tag, 2);
  EXPECT_EQ(d.axis, 0u);
  EXPECT_EQ(d.scale_buffer_index, 1u);
  EXPECT_EQ(d.zero_point_buffer_index, 2u);
  EXPECT_EQ(d.scale_type_tag, 3);
  EXPECT_EQ(d.block_size | d.flags, 0u);
  ASSERT_EQ(decode(0x10, kBlock, &d), HURRAY_OK);  // HQ-ZP-009
  EXPECT_EQ(d.axis, 1u);
  EXPECT_EQ(d.block_size, 8u);
  for (const Scheme& scheme : kSchemes) {
    Bytes bytes;
    ASSERT_EQ(decode(scheme.type, scheme.golden, &d), HURRAY_OK);
    ASSERT_EQ(encode(scheme.type, d, &bytes), HURRAY_OK);
    EXPECT_EQ(bytes, scheme.golden);
  }
}

TEST(ScalarSchemes, StoreTheirTypesAndNoOther) {  // HQ-PCA-024, HQ-PBA-030, HQ-NF4-014, HQ-MX-016
  for (const Scheme& scheme : kSchemes) {
    hurray_descriptor d;
    ASSERT_EQ(decode(scheme.type, scheme.golden, &d), HURRAY_OK);
    for (int type = 0; type < 256; ++type) {
      const auto tag = static_cast<uint8_t>(type);
      const hurray_status expected = scheme.types.count(tag) != 0 ? HURRAY_OK : HURRAY_REJECTED;
      EXPECT_EQ(decode(tag, scheme.golden), expected) << type;
      EXPECT_EQ(encode(tag, d), expected) << type;
    }
  }
}

TEST(ScalarSchemes, EveryReservedBitAndOtherVersionIsRefused) {  // HQ-HDR-008, 009
  for (const Scheme& scheme : kSchemes) {
    for (const size_t at : scheme.fixed) {
      for (int bit = 0; bit < 8; ++bit) {
        const Bytes bytes = with_byte(scheme.golden, at, scheme.golden[at] ^ 1u << bit);
        EXPECT_EQ(decode(scheme.type, bytes), HURRAY_REJECTED) << at << " " << bit;
      }
    }
    for (int bit = 0; bit < 16; ++bit) {
      if (scheme.flags.count(bit) != 0) continue;
      EXPECT_EQ(decode(scheme.type, with_byte(scheme.golden, bit < 8 ? 2 : 3, 1u << bit % 8)),
                HURRAY_REJECTED);
      hurray_descriptor d;
      ASSERT_EQ(decode(scheme.type, scheme.golden, &d), HURRAY_OK);
      d.flags = static_cast<uint16_t>(1u << bit);
      EXPECT_EQ(encode(scheme.type, d), HURRAY_REJECTED);
    }
  }
}

TEST(ScalarSchemes, EveryPrefixIsRefusedAndEveryTailIsSkipped) {  // rulings A12, A14
  for (const Scheme& scheme : kSchemes) {
    Bytes bytes = scheme.golden;
    bytes.pop_back();
    for (; !bytes.empty(); bytes.pop_back()) EXPECT_EQ(decode(scheme.type, bytes), HURRAY_REJECTED);
    bytes = scheme.golden;
    for (int tail = 1; tail <= 64; ++tail) {
      bytes.push_back(0xff);
      EXPECT_EQ(decode(scheme.type, bytes), HURRAY_OK) << tail;
    }
  }
}

TEST(ScalarSchemes,
     BlockSizesArePowersOfTwoInTheirRange) {  // HQ-PBA-005, 006; HQ-NF4-004; HQ-MX-004
  const auto is_legal = [](const Scheme& scheme, uint32_t size) {
    const uint32_t least = scheme.golden[0] == 3 ? 2 : scheme.golden[0] == 4 ? 8 : 16;
    const uint32_t most = scheme.golden[0] == 5 ? 2048 : UINT32_MAX;
    return size >= least && size <= most && (size & (size - 1)) == 0;
  };
  for (const Scheme& scheme : kSchemes) {
    if (scheme.golden[0] == 2) continue;
    std::vector<uint32_t> sizes = {0, 3, 5, 6, 7, 12, 24, 48, 4095, UINT32_MAX};
    for (int bit = 0; bit < 32; ++bit) sizes.push_back(1u << bit);
    for (const uint32_t size : sizes) {
      hurray_descriptor d;
      ASSERT_EQ(decode(scheme.type, scheme.golden, &d), HURRAY_OK);
      d.block_size = size;
      const hurray_status expected = is_legal(scheme, size) ? HURRAY_OK : HURRAY_REJECTED;
      EXPECT_EQ(decode(scheme.type, with_word(scheme.golden, 8, size)), expected) << size;
      EXPECT_EQ(encode(scheme.type, d), expected) << size;
    }
  }
}

TEST(ScalarSchemes, SymmetricIsWithoutAnIndex) {  // rulings A17 to A19
  const Bytes channel = with_byte(kChannel, 2, 1);
  EXPECT_EQ(decode(0x10, channel), HURRAY_REJECTED);
  EXPECT_EQ(decode(0x10, with_word(channel, 12, 0)), HURRAY_REJECTED);
  EXPECT_EQ(decode(0x10, with_word(channel, 12, UINT32_MAX)), HURRAY_OK);
  EXPECT_EQ(decode(0x10, with_word(kChannel, 12, UINT32_MAX)), HURRAY_REJECTED);
  const Bytes block = with_byte(kBlock, 2, 1);
  hurray_descriptor d;
  EXPECT_EQ(decode(0x10, block, &d), HURRAY_OK);  // ignored
  EXPECT_EQ(encode(0x10, d), HURRAY_REJECTED);    // HQ-PBA-013
  EXPECT_EQ(decode(0x10, with_word(block, 16, UINT32_MAX), &d), HURRAY_OK);
  EXPECT_EQ(encode(0x10, d), HURRAY_OK);
  EXPECT_EQ(decode(0x10, with_word(kBlock, 16, UINT32_MAX)), HURRAY_REJECTED);
}

TEST(ScalarSchemes, ScalesHaveATypeThatTheSchemeKnows) {  // HQ-PCA-008, HQ-PBA-011
  for (int tag = 0; tag < 256; ++tag) {
    EXPECT_EQ(decode(0x10, with_byte(kChannel, 16, static_cast<unsigned>(tag))),
              tag == 3 ? HURRAY_OK : HURRAY_REJECTED);
    EXPECT_EQ(decode(0x10, with_byte(kBlock, 20, static_cast<unsigned>(tag))),
              tag >= 1 && tag <= 3 ? HURRAY_OK : HURRAY_REJECTED);
  }
}

TEST(ScalarSchemes, FieldsOfOtherSchemesAreNotDropped) {
  for (const Scheme& scheme : kSchemes) {
    hurray_descriptor d;
    ASSERT_EQ(decode(scheme.type, scheme.golden, &d), HURRAY_OK);
    hurray_descriptor other = d;
    other.zero_point = 1;
    EXPECT_EQ(encode(scheme.type, other), HURRAY_REJECTED);
    other = d;
    other.scale = -0.0f;
    EXPECT_EQ(encode(scheme.type, other), HURRAY_REJECTED);
    other = d;
    if (scheme.golden[0] == 2) other.block_size = 8;
    if (scheme.golden[0] >= 4) other.scale_type_tag = 3;
    EXPECT_EQ(encode(scheme.type, other), scheme.golden[0] == 3 ? HURRAY_OK : HURRAY_REJECTED);
    uint8_t out[24];
    size_t written;
    EXPECT_EQ(scalar.encode(scheme.type, &d, out, scheme.golden.size() - 1, &written),
              HURRAY_REJECTED);
  }
}

}  // namespace
