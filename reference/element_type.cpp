// SPDX-License-Identifier: Apache-2.0
//
// Packing, as one rule for every width: an element is a field of `bits` bits inside a little-endian
// word. For 8 bits and more the word is the element's own bytes; below, it is the one byte that the
// element shares with its neighbours.

#include "reference/element_type.h"

#include <algorithm>
#include <limits>

#include "reference/byte_order.h"

namespace hurray {
namespace {

// Where the bits of one element lie.
struct Field {
  std::size_t byte;  // offset of the word's first byte
  unsigned bytes;    // of the word
  unsigned shift;    // of the field inside the word
  std::uint64_t mask;
};

Field locate(const StorageTypeInfo& info, std::size_t index) {
  const std::uint64_t mask = (std::uint64_t{1} << info.bits) - 1;
  if (info.bits >= 8) {
    const unsigned bytes = info.bits / 8;
    return {index * bytes, bytes, 0, mask};
  }
  // The least significant end of a byte fills first: with 4 bits an even index has the low half,
  // and with 2 bits element 4k + j has bits 2j and 2j + 1 of byte k.   [HQ-PACK-004, -007]
  const unsigned per_byte = 8 / info.bits;
  const auto slot = static_cast<unsigned>(index % per_byte);
  return {index / per_byte, 1, slot * info.bits, mask};
}

struct NamedType {
  std::uint8_t tag;
  std::string_view name;
};

// Every assigned tag of element-types.md, and the single reserved one.   [HQ-PACK-029, -031]
constexpr std::array<NamedType, 29> kNamedTypes = {{
    {0x01, "float16"},     {0x02, "bfloat16"},    {0x03, "float32"},     {0x04, "float64"},
    {0x10, "int8"},        {0x11, "uint8"},       {0x12, "int16"},       {0x13, "uint16"},
    {0x14, "int32"},       {0x15, "uint32"},      {0x16, "int64"},       {0x17, "uint64"},
    {0x20, "bool"},        {0x40, "float8_e4m3"}, {0x41, "float8_e5m2"}, {0x42, "float8_e8m0"},
    {0x43, "float4_e2m1"}, {0x44, "float6_e2m3"}, {0x45, "float6_e3m2"}, {0x46, "float128"},
    {0x47, "reserved"},    {0x48, "int4"},        {0x49, "uint4"},       {0x4a, "int2"},
    {0x4b, "uint2"},       {0x50, "complex64"},   {0x51, "complex128"},  {0x00, "invalid"},
    {0xff, "invalid"},
}};

}  // namespace

const StorageTypeInfo* find_storage_type(std::uint8_t tag) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (static_cast<std::uint8_t>(info.type) == tag) return &info;
  }
  return nullptr;
}

const StorageTypeInfo& info_of(StorageType type) {
  return *find_storage_type(static_cast<std::uint8_t>(type));
}

std::optional<std::uint64_t> packed_bytes(StorageType type, std::uint64_t count) {
  const unsigned bits = info_of(type).bits;
  if (bits < 8) {
    // Dividing first cannot overflow, where count * bits could: 2^62 elements of 4 bits are 2^61
    // bytes, not 0.   [HQ-PACK-013]
    const unsigned per_byte = 8 / bits;
    return count / per_byte + (count % per_byte != 0 ? 1 : 0);
  }
  const unsigned bytes = bits / 8;
  if (count > std::numeric_limits<std::uint64_t>::max() / bytes) return std::nullopt;
  return count * bytes;  // [HQ-PACK-012]
}

std::int64_t read_element(StorageType type, const std::uint8_t* packed, std::size_t index) {
  const StorageTypeInfo& info = info_of(type);
  const Field field = locate(info, index);
  const std::uint64_t word = load_le(packed + field.byte, field.bytes);
  const auto code = static_cast<std::int64_t>((word >> field.shift) & field.mask);

  // Two's complement: a code with the top bit set stands for itself minus 2^bits, which is how a
  // code above the largest value of a signed type is told.   [HQ-PACK-002, -005, -008]
  return code > info.max ? code - (std::int64_t{1} << info.bits) : code;
}

void write_element(StorageType type, std::uint8_t* packed, std::size_t index, std::int64_t value) {
  const Field field = locate(info_of(type), index);
  std::uint8_t* const first = packed + field.byte;
  const std::uint64_t neighbours = load_le(first, field.bytes) & ~(field.mask << field.shift);
  const std::uint64_t code = static_cast<std::uint64_t>(value) & field.mask;
  store_le(first, field.bytes, neighbours | (code << field.shift));
}

void pack(StorageType type, std::span<const std::int64_t> values, std::uint8_t* out) {
  // Zero first, so that bits that belong to no element are zero in the end.   [HQ-PACK-006, -009]
  std::fill_n(out, packed_bytes(type, values.size()).value_or(0), std::uint8_t{0});
  for (std::size_t i = 0; i < values.size(); ++i) write_element(type, out, i, values[i]);
}

void unpack(StorageType type, const std::uint8_t* packed, std::span<std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = read_element(type, packed, i);
}

std::string_view element_type_name(std::uint8_t tag) {
  for (const NamedType& named : kNamedTypes) {
    if (named.tag == tag) return named.name;
  }
  // Ranges of the type space.   [HQ-PACK-028, -029]
  if (tag >= 0xf0) return "private";
  if (tag >= 0x80) return "reserved";
  return "unassigned";
}

}  // namespace hurray
