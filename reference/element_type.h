// SPDX-License-Identifier: Apache-2.0
//
// Which integers does a storage type hold, and how do they lie in memory? The ten types that the
// affine schemes may store, their ranges, and packing. Source: element-types.md, rows HQ-PACK.
// Other element types have a name here and nothing else; no scheme of this library stores them.

#ifndef HURRAY_REFERENCE_ELEMENT_TYPE_H
#define HURRAY_REFERENCE_ELEMENT_TYPE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hurray {

// Values are the type tags of the format.
enum class StorageType : std::uint8_t {
  kInt8 = 0x10,
  kUint8 = 0x11,
  kInt16 = 0x12,
  kUint16 = 0x13,
  kInt32 = 0x14,
  kUint32 = 0x15,
  kInt4 = 0x48,
  kUint4 = 0x49,
  kInt2 = 0x4a,
  kUint2 = 0x4b,
};

struct StorageTypeInfo {
  StorageType type;
  std::string_view name;
  unsigned bits;  // 2, 4, 8, 16 or 32
  bool is_signed;
  std::int64_t min;
  std::int64_t max;
};

// The ranges of HQ-PACK-003, in the order of the bits HURRAY_TYPE_… of targets/hurray_target.h.
inline constexpr std::array<StorageTypeInfo, 10> kStorageTypes = {{
    {StorageType::kInt8, "int8", 8, true, -128, 127},
    {StorageType::kUint8, "uint8", 8, false, 0, 255},
    {StorageType::kInt16, "int16", 16, true, -32768, 32767},
    {StorageType::kUint16, "uint16", 16, false, 0, 65535},
    {StorageType::kInt32, "int32", 32, true, -2147483648LL, 2147483647},
    {StorageType::kUint32, "uint32", 32, false, 0, 4294967295LL},
    {StorageType::kInt4, "int4", 4, true, -8, 7},
    {StorageType::kUint4, "uint4", 4, false, 0, 15},
    {StorageType::kInt2, "int2", 2, true, -2, 1},
    {StorageType::kUint2, "uint2", 2, false, 0, 3},
}};

// The entry with this tag, or nullptr if the tag is none of the ten.
const StorageTypeInfo* find_storage_type(std::uint8_t tag);

// The entry of `type`, which has to be an enumerator.
const StorageTypeInfo& info_of(StorageType type);

// Bytes of `count` packed elements: the bits, rounded up to whole bytes; 0 for none. nullopt where
// the number of bytes does not fit 64 bits.   [HQ-PACK-012, -013, -016]
std::optional<std::uint64_t> packed_bytes(StorageType type, std::uint64_t count);

// Element `index` of packed storage, sign-extended for a signed type. Reads only the bytes of that
// element; any alignment.   [HQ-PACK-002, -004, -005, -007, -008]
std::int64_t read_element(StorageType type, const std::uint8_t* packed, std::size_t index);

// Sets element `index` to the low bits of `value`, which is the value itself if the type can hold
// it. All other bits keep what they were, also those of elements in the same byte.
void write_element(StorageType type, std::uint8_t* packed, std::size_t index, std::int64_t value);

// Writes packed_bytes(type, values.size()) bytes; bits behind the last element are zero.
//   values   each inside the range of `type`
//   out      any alignment, must not overlap `values`   [HQ-PACK-006, -009]
void pack(StorageType type, std::span<const std::int64_t> values, std::uint8_t* out);

// Reads values.size() elements; bits behind the last one are ignored (ruling A43).
void unpack(StorageType type, const std::uint8_t* packed, std::span<std::int64_t> values);

// The name that the format gives an element type, for any tag of all 256: the ten above, floats,
// complex numbers and so on; else "invalid", "reserved", "private" or "unassigned".
std::string_view element_type_name(std::uint8_t tag);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_ELEMENT_TYPE_H
