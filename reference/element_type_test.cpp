// SPDX-License-Identifier: Apache-2.0
//
// Are the ten storage types what element-types.md says: ranges, sizes, packing, sign extension?

#include "reference/element_type.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace hurray {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Values = std::vector<std::int64_t>;

Bytes packed(StorageType type, const Values& values) {
  // Filled with ones, so that a bit nobody clears shows.
  Bytes out(static_cast<std::size_t>(*packed_bytes(type, values.size())), 0xff);
  pack(type, values, out.data());
  return out;
}

Values unpacked(StorageType type, const Bytes& bytes, std::size_t count) {
  Values out(count);
  unpack(type, bytes.data(), out);
  return out;
}

// HQ-PACK-003, and the tags of the format.
TEST(ElementType, TheTenStorageTypesHaveTheirTagsWidthsAndRanges) {
  struct Row {
    std::uint8_t tag;
    const char* name;
    unsigned bits;
    bool is_signed;
    std::int64_t min, max;
  };
  const Row rows[] = {
      {0x10, "int8", 8, true, -128, 127},
      {0x11, "uint8", 8, false, 0, 255},
      {0x12, "int16", 16, true, -32768, 32767},
      {0x13, "uint16", 16, false, 0, 65535},
      {0x14, "int32", 32, true, -2147483648LL, 2147483647LL},
      {0x15, "uint32", 32, false, 0, 4294967295LL},
      {0x48, "int4", 4, true, -8, 7},
      {0x49, "uint4", 4, false, 0, 15},
      {0x4a, "int2", 2, true, -2, 1},
      {0x4b, "uint2", 2, false, 0, 3},
  };
  std::size_t position = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const StorageTypeInfo* const found = find_storage_type(row.tag);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found, &kStorageTypes[position++]);
    EXPECT_EQ(&info_of(found->type), found);
    EXPECT_EQ(static_cast<std::uint8_t>(found->type), row.tag);
    EXPECT_EQ(found->name, row.name);
    EXPECT_EQ(found->bits, row.bits);
    EXPECT_EQ(found->is_signed, row.is_signed);
    EXPECT_EQ(found->min, row.min);
    EXPECT_EQ(found->max, row.max);
  }
  EXPECT_EQ(position, kStorageTypes.size());
}

TEST(ElementType, NoOtherTagIsAStorageType) {
  const std::set<unsigned> ten = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b};
  for (unsigned tag = 0; tag < 256; ++tag) {
    const bool found = find_storage_type(static_cast<std::uint8_t>(tag)) != nullptr;
    EXPECT_EQ(found, ten.count(tag) == 1) << tag;
  }
}

// HQ-PACK-012, -013, -016.
TEST(ElementType, SizesRoundUpToWholeBytes) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (std::uint64_t count = 0; count <= 17; ++count) {
      EXPECT_EQ(packed_bytes(info.type, count), (count * info.bits + 7) / 8) << info.name << count;
    }
  }
}

TEST(ElementType, SizesBeyond64BitsAreRefusedAndNoneWraps) {
  const std::uint64_t all = ~std::uint64_t{0};
  EXPECT_EQ(packed_bytes(StorageType::kUint4, std::uint64_t{1} << 62), 2305843009213693952u);
  EXPECT_EQ(packed_bytes(StorageType::kUint4, all), std::uint64_t{1} << 63);
  EXPECT_EQ(packed_bytes(StorageType::kInt2, all), std::uint64_t{1} << 62);
  EXPECT_EQ(packed_bytes(StorageType::kInt8, all), all);
  EXPECT_EQ(packed_bytes(StorageType::kInt16, all / 2), all - 1);
  EXPECT_EQ(packed_bytes(StorageType::kInt16, all / 2 + 1), std::nullopt);
  EXPECT_EQ(packed_bytes(StorageType::kUint32, all / 4), all - 3);
  EXPECT_EQ(packed_bytes(StorageType::kUint32, all / 4 + 1), std::nullopt);
}

// HQ-PACK-004 and -006.
TEST(ElementType, FourBitEvenIndexTakesTheLowHalfAndAnOddTailIsZero) {
  EXPECT_EQ(packed(StorageType::kUint4, {5, 12, 3}), (Bytes{0xc5, 0x03}));
  EXPECT_EQ(unpacked(StorageType::kUint4, {0xc5, 0x03}, 3), (Values{5, 12, 3}));
  EXPECT_EQ(packed(StorageType::kUint4, {1, 2, 3}), (Bytes{0x21, 0x03}));
  EXPECT_EQ(unpacked(StorageType::kUint4, {0x21, 0x43}, 4), (Values{1, 2, 3, 4}));
  EXPECT_EQ(packed(StorageType::kInt4, {0, -8}), Bytes{0x80});
  EXPECT_EQ(packed(StorageType::kInt4, {-1, 2}), Bytes{0x2f});
}

// HQ-PACK-005.
TEST(ElementType, Int4SignExtends) {
  const Values codes = {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
  for (unsigned byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(unpacked(StorageType::kInt4, {static_cast<std::uint8_t>(byte)}, 2),
              (Values{codes[byte % 16], codes[byte / 16]}));
  }
}

// HQ-PACK-007 and -009.
TEST(ElementType, TwoBitElementsFillAByteFromItsLowEndAndATailIsZero) {
  EXPECT_EQ(packed(StorageType::kUint2, {3, 1, 2}), Bytes{0x27});
  EXPECT_EQ(unpacked(StorageType::kUint2, {0x27}, 3), (Values{3, 1, 2}));
  EXPECT_EQ(unpacked(StorageType::kUint2, {0x63, 0x03}, 5), (Values{3, 0, 2, 1, 3}));
}

// HQ-PACK-008.
TEST(ElementType, Int2SignExtends) {
  EXPECT_EQ(unpacked(StorageType::kInt2, {0xe4}, 4), (Values{0, 1, -2, -1}));
  EXPECT_EQ(unpacked(StorageType::kUint2, {0xe4}, 4), (Values{0, 1, 2, 3}));
}

// HQ-PACK-001 and -002.
TEST(ElementType, WholeByteElementsAreLittleEndianTwosComplement) {
  EXPECT_EQ(unpacked(StorageType::kInt8, {0x00, 0x7f, 0x80, 0xff}, 4), (Values{0, 127, -128, -1}));
  EXPECT_EQ(unpacked(StorageType::kUint8, {0x80, 0xff}, 2), (Values{128, 255}));
  EXPECT_EQ(unpacked(StorageType::kInt16, {0xfe, 0xff, 0x00, 0x80}, 2), (Values{-2, -32768}));
  EXPECT_EQ(unpacked(StorageType::kUint16, {0x34, 0x12, 0x00, 0x80}, 2), (Values{0x1234, 32768}));
  EXPECT_EQ(unpacked(StorageType::kInt32, {0x00, 0x00, 0x00, 0x80}, 1), Values{-2147483648LL});
  EXPECT_EQ(unpacked(StorageType::kUint32, {0x01, 0x00, 0x00, 0x80}, 1), Values{2147483649LL});
  EXPECT_EQ(packed(StorageType::kInt16, {-2, 0x1234}), (Bytes{0xfe, 0xff, 0x34, 0x12}));
  EXPECT_EQ(packed(StorageType::kUint32, {4294967294LL}), (Bytes{0xfe, 0xff, 0xff, 0xff}));
}

TEST(ElementType, EveryValueOfTheNarrowTypesSurvivesAtEveryPlace) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    const std::int64_t step = info.bits == 32 ? 65537 * 255 : 1;
    for (std::int64_t value = info.min; value <= info.max; value += step) {
      const Values values = {info.max, value, info.min, value, value};
      ASSERT_EQ(unpacked(info.type, packed(info.type, values), 5), values) << info.name << value;
    }
  }
}

TEST(ElementType, WritingAnElementLeavesItsNeighboursAlone) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (unsigned fill : {0x00u, 0xffu, 0xa5u}) {
      const Bytes untouched(16, static_cast<std::uint8_t>(fill));
      for (std::size_t index = 1; index < 3; ++index) {
        Bytes bytes = untouched;
        write_element(info.type, bytes.data(), index, info.min);
        Values expected = unpacked(info.type, untouched, 4);
        expected[index] = info.min;
        EXPECT_EQ(unpacked(info.type, bytes, 4), expected) << info.name;
      }
    }
  }
}

TEST(ElementType, NothingIsWrittenForNoElements) {
  std::uint8_t byte = 0xaa;
  pack(StorageType::kInt4, {}, &byte);
  unpack(StorageType::kInt4, &byte, {});
  EXPECT_EQ(byte, 0xaa);
}

TEST(ElementType, EveryTagHasTheNameThatTheFormatGivesIt) {
  const std::map<unsigned, std::string> assigned = {
      {0x01, "float16"},     {0x02, "bfloat16"},    {0x03, "float32"},     {0x04, "float64"},
      {0x10, "int8"},        {0x11, "uint8"},       {0x12, "int16"},       {0x13, "uint16"},
      {0x14, "int32"},       {0x15, "uint32"},      {0x16, "int64"},       {0x17, "uint64"},
      {0x20, "bool"},        {0x40, "float8_e4m3"}, {0x41, "float8_e5m2"}, {0x42, "float8_e8m0"},
      {0x43, "float4_e2m1"}, {0x44, "float6_e2m3"}, {0x45, "float6_e3m2"}, {0x46, "float128"},
      {0x47, "reserved"},    {0x48, "int4"},        {0x49, "uint4"},       {0x4a, "int2"},
      {0x4b, "uint2"},       {0x50, "complex64"},   {0x51, "complex128"},
  };
  for (unsigned tag = 0; tag < 256; ++tag) {
    std::string expected = "unassigned";
    if (assigned.count(tag) == 1) expected = assigned.at(tag);
    if (tag >= 0x80 && tag <= 0xef) expected = "reserved";
    if (tag >= 0xf0 && tag <= 0xfe) expected = "private";
    if (tag == 0x00 || tag == 0xff) expected = "invalid";
    EXPECT_EQ(element_type_name(static_cast<std::uint8_t>(tag)), expected) << tag;
  }
}

}  // namespace
}  // namespace hurray
