// SPDX-License-Identifier: Apache-2.0
//
// Does scalar accept exactly the legal descriptors? Written from the catalogue rows that each test
// names. Inputs lie in allocations of their exact size, so that the address sanitizer sees
// over-reads.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "hurray_target.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Bytes = std::vector<uint8_t>;
const struct hurray_target& scalar = hurray_target_scalar;

// Scale 0.5, zero point 3: the descriptor of PROTOCOL.md's examples.
const Bytes kGolden = {1, 1, 0, 0, 0, 0, 0, 0x3f, 3, 0, 0, 0, 0, 0, 0, 0};

Bytes with_word(Bytes bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(word >> (8 * i) & 0xff);
  return bytes;
}

// Decodes into a structure full of a sentinel, and checks that a refusal leaves it alone.
hurray_status decode(uint8_t type_tag, const Bytes& bytes, hurray_descriptor* result = nullptr) {
  const Bytes exact(bytes);
  hurray_descriptor out, before;
  std::memset(&out, 0xa5, sizeof out);
  std::memset(&before, 0xa5, sizeof before);
  const hurray_status status = scalar.decode(type_tag, exact.data(), exact.size(), &out);
  EXPECT_TRUE(status == HURRAY_OK || std::memcmp(&out, &before, sizeof out) == 0);
  if (result != nullptr) *result = out;
  return status;
}

TEST(ScalarDecode, GoldenDescriptorHasScaleOneHalfAndZeroPointThree) {
  hurray_descriptor d;
  ASSERT_EQ(decode(0x10, kGolden, &d), HURRAY_OK);
  EXPECT_EQ(d.scheme_tag, 1);
  EXPECT_EQ(d.scale, 0.5f);
  EXPECT_EQ(d.zero_point, 3);
  EXPECT_EQ(d.flags | d.scale_type_tag, 0);
  EXPECT_EQ(d.axis | d.block_size | d.scale_buffer_index | d.zero_point_buffer_index, 0u);
}

TEST(ScalarDecode, ZeroPointOutsideTheStorageTypeIsRefused) {  // HQ-PTA-011
  const struct {
    uint8_t tag;
    int64_t min, max;
  } ranges[] = {{0x10, -128, 127},
                {0x11, 0, 255},
                {0x12, -32768, 32767},
                {0x13, 0, 65535},
                {0x14, INT32_MIN, INT32_MAX},
                {0x15, 0, INT32_MAX},
                {0x48, -8, 7},
                {0x49, 0, 15},
                {0x4a, -2, 1},
                {0x4b, 0, 3}};
  for (const auto& r : ranges) {
    for (int64_t z : {r.min - 1, r.min, r.max, r.max + 1, int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
      if (z < INT32_MIN || z > INT32_MAX) continue;
      const bool legal = z >= r.min && z <= r.max;
      hurray_descriptor d;
      EXPECT_EQ(decode(r.tag, with_word(kGolden, 8, static_cast<uint32_t>(z)), &d),
                legal ? HURRAY_OK : HURRAY_REJECTED)
          << std::hex << int{r.tag} << " " << std::dec << z;
      EXPECT_TRUE(!legal || d.zero_point == z);
    }
  }
}

TEST(ScalarDecode, ScaleIsFiniteAndNotZeroAndKeepsItsBits) {  // HQ-PTA-006..009
  for (uint32_t bits : {0x7fc00000u, 0x7f800001u, 0xffc00000u, 0xffffffffu, 0x7f800000u,
                        0xff800000u, 0x00000000u, 0x80000000u}) {
    EXPECT_EQ(decode(0x10, with_word(kGolden, 4, bits)), HURRAY_REJECTED) << std::hex << bits;
  }
  for (uint32_t bits : {0xbf000000u, 0x00000001u, 0x80000001u, 0x007fffffu, 0x00800000u,
                        0x7f7fffffu, 0xff7fffffu}) {
    hurray_descriptor d;
    ASSERT_EQ(decode(0x10, with_word(kGolden, 4, bits), &d), HURRAY_OK) << std::hex << bits;
    EXPECT_EQ(std::bit_cast<uint32_t>(d.scale), bits);
  }
}

TEST(ScalarDecode, AnySingleFlagOrReservedBitIsRefused) {  // HQ-PTA-004, HQ-PTA-013
  for (size_t bit = 0; bit < 128; ++bit) {
    if (bit / 8 < 2 || (bit / 8 >= 4 && bit / 8 < 12)) continue;
    Bytes bytes = kGolden;
    bytes[bit / 8] = static_cast<uint8_t>(1u << bit % 8);
    EXPECT_EQ(decode(0x10, bytes), HURRAY_REJECTED) << bit;
  }
}

TEST(ScalarDecode, OnlyVersionOneOfSchemeOneIsRead) {  // HQ-PTA-003, HQ-HDR-005, 011
  for (int byte = 0; byte < 256; ++byte) {
    Bytes version = kGolden, tag = kGolden;
    version[1] = static_cast<uint8_t>(byte);
    tag[0] = static_cast<uint8_t>(byte);
    EXPECT_EQ(decode(0x10, version), byte == 1 ? HURRAY_OK : HURRAY_REJECTED) << byte;
    // Tags 02 and 03 are truncated at 16 bytes; 04 and 05 are whole, with a block size of 3.
    EXPECT_EQ(decode(0x10, tag), byte == 1 ? HURRAY_OK : HURRAY_REJECTED) << byte;
  }
}

TEST(ScalarDecode, EveryPrefixIsRefusedAndEveryTailIsSkipped) {  // HQ-PTA-015, rulings A12, A14
  for (size_t length = 0; length < 16; ++length) {
    EXPECT_EQ(decode(0x10, Bytes(kGolden.begin(), kGolden.begin() + static_cast<int>(length))),
              HURRAY_REJECTED)
        << length;
  }
  for (size_t tail = 1; tail <= 64; ++tail) {
    Bytes longer = kGolden;
    longer.resize(16 + tail, 0xde);
    hurray_descriptor d;
    ASSERT_EQ(decode(0x10, longer, &d), HURRAY_OK) << tail;
    EXPECT_EQ(d.scale, 0.5f);
    EXPECT_EQ(d.zero_point, 3);
  }
}

TEST(ScalarDecode, ExactlyTenStorageTypesAreTaken) {  // HQ-PTA-016, HQ-PTA-017
  const Bytes listed = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b};
  for (int tag = 0; tag < 256; ++tag) {
    const bool legal = std::find(listed.begin(), listed.end(), tag) != listed.end();
    EXPECT_EQ(decode(static_cast<uint8_t>(tag), with_word(kGolden, 8, 1)),
              legal ? HURRAY_OK : HURRAY_REJECTED)
        << tag;
  }
}

TEST(ScalarDecode, DoesNotDependOnAlignment) {
  for (size_t offset = 0; offset < 8; ++offset) {
    Bytes shifted(offset, 0xff);
    shifted.insert(shifted.end(), kGolden.begin(), kGolden.end());
    hurray_descriptor d;
    ASSERT_EQ(scalar.decode(0x10, shifted.data() + offset, 16, &d), HURRAY_OK);
    EXPECT_EQ(d.scale, 0.5f);
  }
}

hurray_descriptor descriptor(float scale, int32_t zero_point) {
  hurray_descriptor d{};
  d.scheme_tag = 1;
  d.scale = scale;
  d.zero_point = zero_point;
  return d;
}

// Encodes into a sentinel with room around it; empty unless accepted, and then untouched.
Bytes encode(uint8_t type_tag, const hurray_descriptor& d, size_t capacity = 20) {
  Bytes out(capacity + 1, 0xa5);
  size_t written = 77;
  const hurray_status status = scalar.encode(type_tag, &d, out.data(), capacity, &written);
  if (status != HURRAY_OK) {
    EXPECT_EQ(out, Bytes(capacity + 1, 0xa5));
    EXPECT_EQ(written, 77u);
    return {};
  }
  EXPECT_EQ(out[written], 0xa5);
  out.resize(written);
  return out;
}

TEST(ScalarEncode, WritesTheGoldenBytes) {  // HQ-PTA-001, 002, 004, 005, 010, 013, 014
  EXPECT_EQ(encode(0x10, descriptor(0.5f, 3)), kGolden);
  EXPECT_EQ(encode(0x10, descriptor(0.5f, 3), 16), kGolden);
  EXPECT_EQ(encode(0x14, descriptor(1.0f, -1)),
            with_word(with_word(kGolden, 4, 0x3f800000), 8, 0xffffffff));
}

TEST(ScalarEncode, RefusesWhatItsDecoderRefuses) {  // HQ-PTA-026
  for (uint32_t bits : {0x7fc00000u, 0x7f800001u, 0x7f800000u, 0xff800000u, 0u, 0x80000000u}) {
    EXPECT_TRUE(encode(0x10, descriptor(std::bit_cast<float>(bits), 0)).empty()) << bits;
  }
  EXPECT_TRUE(encode(0x10, descriptor(1, 128)).empty());
  EXPECT_TRUE(encode(0x11, descriptor(1, -1)).empty());
  EXPECT_TRUE(encode(0x15, descriptor(1, -1)).empty());
  EXPECT_TRUE(encode(0x49, descriptor(1, 16)).empty());
  for (uint8_t tag : Bytes{0x00, 0x03, 0x16, 0x20, 0x40, 0xf0}) {
    EXPECT_TRUE(encode(tag, descriptor(1, 0)).empty()) << int{tag};
  }
  EXPECT_TRUE(encode(0x10, descriptor(1, 0), 15).empty()) << "no room";
  for (uint8_t scheme : Bytes{0, 6, 0x60, 0x80, 0xf0, 0xff}) {
    hurray_descriptor d = descriptor(1, 0);
    d.scheme_tag = scheme;
    EXPECT_TRUE(encode(0x10, d).empty()) << int{scheme};
  }
  hurray_descriptor flagged = descriptor(1, 0);
  flagged.flags = 1;
  EXPECT_TRUE(encode(0x10, flagged).empty());
  hurray_descriptor foreign = descriptor(1, 0);
  foreign.block_size = 8;
  EXPECT_TRUE(encode(0x10, foreign).empty());
}

}  // namespace
