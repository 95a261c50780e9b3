// SPDX-License-Identifier: Apache-2.0
//
// Which integers does a storage type hold, and how do they lie in memory? The ten types that the
// affine schemes may store, their ranges, and packing; then the same for every element type, by
// tag. Source: element-types.md, rows HQ-PACK. Which number a small float is: small_float.h.

#ifndef HURRAY_REFERENCE_ELEMENT_TYPE_H
#define HURRAY_REFERENCE_ELEMENT_TYPE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/status.h"

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

// --- All element types, by tag (element_type_all.cpp)

enum class ElementKind : std::uint8_t { kSigned, kUnsigned, kBool, kFloat, kComplex };

struct ElementTypeInfo {
  std::uint8_t tag;
  std::string_view name;
  unsigned bits;  // 1, 2, 4, 6, 8, 16, 32, 64 or 128
  ElementKind kind;
  unsigned tier;         // 1: every reader knows it; 2: optional (A61)   [HQ-PACK-031]
  bool is_storage_type;  // of at least one quantization scheme
};

// In the order of the bits HURRAY_TYPE_… of targets/hurray_target.h.
inline constexpr std::array<ElementTypeInfo, 26> kElementTypes = {{
    {0x10, "int8", 8, ElementKind::kSigned, 1, true},
    {0x11, "uint8", 8, ElementKind::kUnsigned, 1, true},
    {0x12, "int16", 16, ElementKind::kSigned, 1, true},
    {0x13, "uint16", 16, ElementKind::kUnsigned, 1, true},
    {0x14, "int32", 32, ElementKind::kSigned, 1, true},
    {0x15, "uint32", 32, ElementKind::kUnsigned, 1, true},
    {0x48, "int4", 4, ElementKind::kSigned, 2, true},
    {0x49, "uint4", 4, ElementKind::kUnsigned, 2, true},
    {0x4a, "int2", 2, ElementKind::kSigned, 2, true},
    {0x4b, "uint2", 2, ElementKind::kUnsigned, 2, true},
    {0x40, "float8_e4m3", 8, ElementKind::kFloat, 2, true},
    {0x41, "float8_e5m2", 8, ElementKind::kFloat, 2, true},
    {0x43, "float4_e2m1", 4, ElementKind::kFloat, 2, true},
    {0x44, "float6_e2m3", 6, ElementKind::kFloat, 2, true},
    {0x45, "float6_e3m2", 6, ElementKind::kFloat, 2, true},
    {0x20, "bool", 1, ElementKind::kBool, 1, false},
    {0x42, "float8_e8m0", 8, ElementKind::kFloat, 2, false},
    {0x01, "float16", 16, ElementKind::kFloat, 1, false},
    {0x02, "bfloat16", 16, ElementKind::kFloat, 1, false},
    {0x03, "float32", 32, ElementKind::kFloat, 1, false},
    {0x04, "float64", 64, ElementKind::kFloat, 1, false},
    {0x16, "int64", 64, ElementKind::kSigned, 1, false},
    {0x17, "uint64", 64, ElementKind::kUnsigned, 1, false},
    {0x50, "complex64", 64, ElementKind::kComplex, 2, false},
    {0x51, "complex128", 128, ElementKind::kComplex, 2, false},
    {0x46, "float128", 128, ElementKind::kFloat, 2, false},
}};

// What elements are addressed by: the element itself from 8 bits up, the byte that elements share
// below, three bytes for four elements of 6 bits.   [HQ-PACK-010, -015]
struct ElementGroup {
  unsigned elements;
  unsigned bytes;
};
ElementGroup group_of(const ElementTypeInfo& info);

// The entry with this tag, or nullptr: invalid, reserved, private and unassigned tags have none.
const ElementTypeInfo* find_element_type(std::uint8_t tag);

// Bytes of `count` packed elements: ceil(count * bits / 8), but 3 * ceil(count / 4) for 6 bits,
// whose elements come in groups of four (ruling A42). nullopt for a tag without entry and where the
// number of bytes does not fit 64 bits.   [HQ-PACK-012..014, -016]
std::optional<std::uint64_t> element_bytes(std::uint8_t tag, std::uint64_t count);

// The bits of element `index`, not sign-extended.
//   tag   of a type of at most 64 bits
// Reads only bytes in which the element has bits; any alignment.   [HQ-PACK-004, -007, -010, -033]
std::uint64_t read_element_bits(std::uint8_t tag, const std::uint8_t* packed, std::size_t index);

// Sets element `index` to the low bits of `bits`. All other bits keep what they were.
void write_element_bits(std::uint8_t tag, std::uint8_t* packed, std::size_t index,
                        std::uint64_t bits);

// Element `index` as pack_elements takes it: integers sign-extended, everything else the pattern.
std::int64_t read_element_value(std::uint8_t tag, const std::uint8_t* packed, std::size_t index);

// Packs all values; bits behind the last element become zero.   [HQ-PACK-006, -009, -011]
//   values   integers as they are (uint64 as the int64 with the same bits), floats and complex64 as
//            their bit pattern, bool as 0 or 1
//   out      at least element_bytes(tag, values.size()) bytes, of which that many are written, and
//            only on kOk; must not overlap `values`
// kOk; kElementTypeUnknown: no entry, or more than 64 bits; kValueOutOfRange: a value that the type
// does not have; kBufferTooSmall.
[[nodiscard]] Status pack_elements(std::uint8_t tag, std::span<const std::int64_t> values,
                                   std::span<std::uint8_t> out);

// The way back, values.size() elements; unused bits are ignored (ruling A43).
// kOk, kElementTypeUnknown, or kTooFewBytes. `values` is written only on kOk.
[[nodiscard]] Status unpack_elements(std::uint8_t tag, std::span<const std::uint8_t> packed,
                                     std::span<std::int64_t> values);

// The value of element `index` as binary32: floats of up to 32 bits exactly, integers and float64
// rounded once, to nearest-even, bool as 0 or 1. Not for complex numbers nor float128.
float widen_element(std::uint8_t tag, const std::uint8_t* packed, std::size_t index);

// Whether widen_element has an answer for this type.
bool is_widenable(std::uint8_t tag);

// The values of `count` elements.
//   out   `count` binary32, must not overlap `packed`; written only on kOk
// kOk; kElementTypeUnknown: not is_widenable; kTooFewBytes.
[[nodiscard]] Status widen_elements(std::uint8_t tag, std::span<const std::uint8_t> packed,
                                    std::size_t count, float* out);

// Whether all bits behind element `count` - 1 in its byte (6 bits: in its group) are zero.
//   packed   at least element_bytes(tag, count) bytes   [HQ-PACK-006, -009, -011; ruling A43]
bool unused_bits_are_zero(std::uint8_t tag, const std::uint8_t* packed, std::size_t count);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_ELEMENT_TYPE_H
