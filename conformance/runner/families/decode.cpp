// SPDX-License-Identifier: Apache-2.0
//
// Families on reading a per-tensor affine descriptor. Every negative case is a valid base with one
// edit.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kInt8 = "10";

std::vector<Draft> every_value_of_byte(std::size_t offset) {
  std::vector<Draft> drafts;
  for (unsigned value = 0; value < 256; ++value) {
    Bytes bytes = base_descriptor();
    bytes[offset] = static_cast<std::uint8_t>(value);
    drafts.push_back({fmt::format("{:02x}", value), {decode_request(kInt8, bytes)}});
  }
  return drafts;
}

std::vector<Draft> every_bit(std::size_t offset, std::size_t bits) {
  std::vector<Draft> drafts;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    Bytes bytes = base_descriptor();
    bytes[offset + bit / 8] = static_cast<std::uint8_t>(1u << (bit % 8));
    drafts.push_back({fmt::format("{:02}", bit), {decode_request(kInt8, bytes)}});
  }
  return drafts;
}

std::vector<Draft> prefix() {
  std::vector<Draft> drafts;
  const Bytes bytes = base_descriptor();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    drafts.push_back(
        {fmt::format("{:02}", length), {decode_request(kInt8, std::span(bytes).first(length))}});
  }
  return drafts;
}

std::vector<Draft> scheme_tag() { return every_value_of_byte(0); }
std::vector<Draft> version() { return every_value_of_byte(1); }
std::vector<Draft> flags_bit() { return every_bit(2, 16); }
std::vector<Draft> reserved_bit() { return every_bit(12, 32); }

std::vector<Draft> storage_type() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    const std::string type = fmt::format("{:02x}", tag);
    drafts.push_back({type, {decode_request(type, base_descriptor(0))}});
  }
  return drafts;
}

std::vector<Draft> scales(std::span<const std::uint32_t> patterns) {
  std::vector<Draft> drafts;
  for (const std::uint32_t bits : patterns) {
    drafts.push_back({fmt::format("{:08x}", bits), {decode_request(kInt8, descriptor(bits, 3))}});
  }
  return drafts;
}

std::vector<Draft> scale_nan() {
  std::vector<std::uint32_t> patterns;
  for (unsigned bit = 0; bit < 23; ++bit) patterns.push_back(0x7f800000u | 1u << bit);
  for (const std::uint32_t bits : {0x7fffffffu, 0xff800001u, 0xffc00000u, 0xffffffffu}) {
    patterns.push_back(bits);
  }
  return scales(patterns);
}

std::vector<Draft> scale_infinite() {
  constexpr std::array<std::uint32_t, 2> kPatterns = {0x7f800000u, 0xff800000u};
  return scales(kPatterns);
}

std::vector<Draft> scale_zero() {
  constexpr std::array<std::uint32_t, 2> kPatterns = {0x00000000u, 0x80000000u};
  return scales(kPatterns);
}

std::vector<Draft> scale_finite() {
  std::vector<std::uint32_t> patterns(positive_scales().begin(), positive_scales().end());
  patterns.insert(patterns.end(), negative_scales().begin(), negative_scales().end());
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint32_t pattern = 1u << bit;
    if (pattern != 0x80000000u) patterns.push_back(pattern | 0x00000100u);
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return scales(patterns);
}

std::vector<Draft> zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    std::vector<std::int64_t> values = {info.min - 1,
                                        info.max + 1,
                                        info.min * 2 - 7,
                                        info.max * 2 + 7,
                                        std::numeric_limits<std::int32_t>::min(),
                                        std::numeric_limits<std::int32_t>::max(),
                                        256,
                                        -256};
    for (const std::int32_t legal : legal_zero_points(info)) values.push_back(legal);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const std::int64_t value : values) {
      if (value != static_cast<std::int32_t>(value)) continue;
      drafts.push_back(
          {fmt::format("{}/{}", info.name, value),
           {decode_request(tag_of(info), base_descriptor(static_cast<std::int32_t>(value)))}});
    }
  }
  return drafts;
}

std::vector<Draft> zero_point_byte() {
  std::vector<Draft> drafts;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const std::int32_t value = static_cast<std::int32_t>(0x80u << (8 * byte));
    drafts.push_back({fmt::format("{}", byte), {decode_request("14", base_descriptor(value))}});
  }
  drafts.push_back({"all-different", {decode_request("14", base_descriptor(0x04030201))}});
  return drafts;
}

std::vector<Draft> longer() {
  std::vector<Draft> drafts;
  std::vector<std::size_t> lengths;
  for (std::size_t length = 17; length <= 80; ++length) lengths.push_back(length);
  // Of some the low byte is less than a descriptor.
  for (const std::size_t length : {255u, 256u, 260u, 271u, 272u, 512u, 4096u, 28000u}) {
    lengths.push_back(length);
  }
  for (const std::size_t length : lengths) {
    for (const unsigned filler : {0x00u, 0xffu}) {
      Bytes bytes = base_descriptor();
      bytes.resize(length, static_cast<std::uint8_t>(filler));
      drafts.push_back({fmt::format("{}/{:02x}", length, filler), {decode_request(kInt8, bytes)}});
    }
  }
  return drafts;
}

std::vector<Draft> longer_invalid() {
  std::vector<Draft> drafts;
  for (const std::size_t offset : {0u, 1u, 2u, 12u, 15u}) {
    Bytes bytes = base_descriptor();
    bytes[offset] = 0x42;
    bytes.resize(20);
    drafts.push_back({fmt::format("byte-{:02}", offset), {decode_request(kInt8, bytes)}});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"decode/prefix", "a descriptor cut short is read past its end or taken for whole", prefix},
    {"decode/scheme-tag", "the scheme tag is not compared with the one scheme that it may name",
     scheme_tag},
    {"decode/version", "a layout of another version is read by the rules of version 1", version},
    {"decode/flags-bit", "a reserved flag is not looked at", flags_bit},
    {"decode/reserved-bit", "a reserved byte is not looked at", reserved_bit},
    {"decode/storage-type", "the storage type is not compared with the list of the scheme",
     storage_type},
    {"decode/scale-nan", "a scale that is not a number gets through", scale_nan},
    {"decode/scale-infinite", "an infinite scale gets through", scale_infinite},
    {"decode/scale-zero", "a zero scale gets through", scale_zero},
    {"decode/scale-finite", "a legal scale is refused, or its bits change", scale_finite},
    {"decode/zero-point", "the zero point is checked against another range than the storage type's",
     zero_point},
    {"decode/zero-point-byte", "the bytes of the zero point are taken in another order",
     zero_point_byte},
    {"decode/longer", "bytes behind the last field are taken for fields, or sometimes refused",
     longer},
    {"decode/longer-invalid", "a longer section is accepted without the checks", longer_invalid},
};

}  // namespace

std::span<const Family> decode_families() { return kFamilies; }

}  // namespace hurray::conformance
