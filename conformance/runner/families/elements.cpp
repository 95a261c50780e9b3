// SPDX-License-Identifier: Apache-2.0
//
// Families on element types: packing, unpacking, sizes, and what value each pattern has.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

using Element = ElementTypeInfo;

// Those that pack and widen are asked for: no complex numbers, and nothing wider than 64 bits.
const std::vector<Element>& asked_types() {
  static const std::vector<Element> kTypes = [] {
    std::vector<Element> types(kElementTypes.begin(), kElementTypes.end());
    std::erase_if(types, [](const Element& each) {
      return each.bits > 64 || each.kind == ElementKind::kComplex;
    });
    return types;
  }();
  return kTypes;
}
const Element& element(std::uint8_t tag) { return *find_element_type(tag); }
bool is_signed(const Element& type) { return type.kind == ElementKind::kSigned; }
constexpr std::array<std::uint8_t, 3> kFourBits = {0x48, 0x49, 0x43};
constexpr std::array<std::uint8_t, 2> kTwoBits = {0x4a, 0x4b};
constexpr std::array<std::uint8_t, 2> kSixBits = {0x44, 0x45};

std::string unpack(const Element& type, std::size_t count, const Bytes& packed) {
  return fmt::format("unpack type={:02x} count={} packed={}", type.tag, count, to_hex(packed));
}
std::string widen(const Element& type, std::size_t count, const Bytes& packed) {
  return fmt::format("widen type={:02x} count={} packed={}", type.tag, count, to_hex(packed));
}
std::string pack(const Element& type, std::span<const std::uint64_t> values) {
  return fmt::format("pack type={:02x} count={} values={}", type.tag, values.size(),
                     to_hex(le64(values)));
}

// The values of `count` patterns, the lowest, the highest and others.
std::vector<std::uint64_t> values_of(const Element& type, std::size_t count, std::uint64_t seed) {
  Random random(seed * 1000003 + type.tag);
  std::vector<std::uint64_t> values(count);
  for (std::uint64_t& value : values) {
    value = random.next() >> (64 - type.bits);
    // 00 and ff are no e8m0 data (A37).
    if (type.tag == 0x42 && (value == 0 || value == 0xff)) value = 0x7f;
    if (is_signed(type) && type.bits < 64 && value >> (type.bits - 1) != 0) {
      value -= std::uint64_t{1} << type.bits;
    }
  }
  return values;
}
Bytes bytes_for(const Element& type, std::size_t count, std::uint64_t seed) {
  Random random(seed * 7919 + type.tag);
  Bytes bytes(bytes_of(type, count));
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random.next());
    if (type.tag == 0x42 && (byte == 0 || byte == 0xff)) byte = 0x7f;
  }
  return bytes;
}
// Bits behind the last element become zero.
void clear_unused(const Element& type, std::size_t count, Bytes& packed) {
  std::size_t used = count * type.bits;
  for (std::size_t i = 0; i < packed.size(); ++i, used -= std::min<std::size_t>(used, 8)) {
    if (used < 8) packed[i] = static_cast<std::uint8_t>(packed[i] & ((1u << used) - 1));
  }
}

constexpr std::array<std::size_t, 12> kCounts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 67};

std::vector<Draft> every_type(std::string (*ask)(const Element&, std::size_t)) {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    for (const std::size_t count : kCounts) {
      drafts.push_back({fmt::format("{}/{:02}", type.name, count), {ask(type, count)}});
    }
  }
  return drafts;
}
std::vector<Draft> packs() {
  return every_type([](const Element& type, std::size_t count) {
    return pack(type, values_of(type, count, count));
  });
}
std::vector<Draft> unpacks() {
  return every_type([](const Element& type, std::size_t count) {
    Bytes packed = bytes_for(type, count, count);
    clear_unused(type, count, packed);
    return unpack(type, count, packed);
  });
}
std::vector<Draft> filled_packs() {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    if (type.bits >= 8) continue;
    for (const std::size_t count : {1u, 2u, 3u, 5u, 6u, 7u, 9u, 11u}) {
      for (const std::string_view fill : {"ff", "00"}) {
        drafts.push_back(
            {fmt::format("{}/{:02}/{}", type.name, count, fill),
             {pack(type, values_of(type, count, count)) + fmt::format(" fill={}", fill)}});
      }
    }
  }
  return drafts;
}

// Patterns of floats that do not survive a register: quiet and signaling NaNs with their payloads,
// subnormals, zeros of either sign.
std::vector<Draft> float_patterns() {
  std::vector<Draft> drafts;
  const auto add = [&](std::uint8_t tag, std::initializer_list<std::uint64_t> patterns) {
    const Element& type = element(tag);
    const std::vector<std::uint64_t> list(patterns);
    Bytes packed;
    for (const std::uint64_t pattern : list) {
      for (unsigned i = 0; i < type.bits / 8; ++i) {
        packed.push_back(static_cast<std::uint8_t>(pattern >> 8 * i));
      }
    }
    drafts.push_back({fmt::format("{}/pack", type.name), {pack(type, list)}});
    drafts.push_back({fmt::format("{}/unpack", type.name), {unpack(type, list.size(), packed)}});
  };
  add(0x01, {0x7e00, 0x7c01, 0xfdff, 0xffff, 0x7c00, 0x0001, 0x83ff, 0x8000});
  add(0x02, {0x7fc0, 0x7f81, 0xffbf, 0xffff, 0x7f80, 0x0001, 0x807f, 0x8000});
  add(0x03,
      {0x7fc00000, 0x7f800001, 0xffbfffff, 0xffc12345, 0x7f800000, 1, 0x807fffff, 0x80000000});
  add(0x04, {0x7ff8000000000000, 0x7ff0000000000001, 0xfff7ffffffffffff, 0xfff8123456789abc, 1,
             0x800fffffffffffff, 0x8000000000000000});
  return drafts;
}

// Every byte, or every group of six-bit elements with one of them going through its patterns.
std::vector<Draft> every_pattern() {
  std::vector<Draft> drafts;
  Bytes all(256);
  for (unsigned byte = 0; byte < 256; ++byte) all[byte] = static_cast<std::uint8_t>(byte);
  for (const Element& type : asked_types()) {
    if (type.bits > 8 || type.bits == 6) continue;
    // 00 and ff are no e8m0 data (A37): below.
    const std::span<const std::uint8_t> some(all);
    const Bytes bytes(some.begin() + (type.tag == 0x42), some.end() - (type.tag == 0x42));
    drafts.push_back({std::string(type.name), {unpack(type, bytes.size() * 8 / type.bits, bytes)}});
  }
  for (const std::uint8_t tag : kSixBits) {
    for (unsigned place = 0; place < 4; ++place) {
      Bytes packed;
      for (unsigned pattern = 0; pattern < 64; ++pattern) {
        const std::uint32_t group = (0x00a5a5a5u & ~(0x3fu << 6 * place)) | pattern << 6 * place;
        for (unsigned i = 0; i < 3; ++i)
          packed.push_back(static_cast<std::uint8_t>(group >> 8 * i));
      }
      drafts.push_back({fmt::format("{}/place-{}", element(tag).name, place),
                        {unpack(element(tag), 256, packed)}});
    }
  }
  return drafts;
}

std::vector<Draft> unused_bits() {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    if (type.bits >= 8) continue;
    for (const std::size_t count : {1u, 2u, 3u, 5u, 9u}) {
      Bytes packed(bytes_of(type, count), 0xff);
      Bytes cleared = packed;
      clear_unused(type, count, cleared);
      if (cleared == packed) continue;
      drafts.push_back({fmt::format("{}/{}", type.name, count), {unpack(type, count, packed)}});
    }
  }
  return drafts;
}

// Values outside the range of the type.
std::vector<Draft> out_of_range() {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    if (type.bits == 64) continue;
    const std::uint64_t past = std::uint64_t{1} << (is_signed(type) ? type.bits - 1 : type.bits);
    const std::array<std::uint64_t, 3> outside = {past, is_signed(type) ? 0 - past - 1 : ~0ull,
                                                  std::uint64_t{1} << 62};
    for (std::size_t i = 0; i < outside.size(); ++i) {
      const std::array<std::uint64_t, 3> values = {1, 0, outside[i]};
      drafts.push_back({fmt::format("{}/{}", type.name, i), {pack(type, values)}});
      drafts.push_back(
          {fmt::format("{}/{}/filled", type.name, i), {pack(type, values) + " fill=5a"}});
    }
  }
  return drafts;
}

std::vector<Draft> no_type() {
  std::vector<Draft> drafts;
  for (const unsigned tag :
       {0x00u, 0x05u, 0x18u, 0x21u, 0x47u, 0x4cu, 0x80u, 0xefu, 0xf0u, 0xffu}) {
    drafts.push_back({fmt::format("packed-bytes/{:02x}", tag),
                      {fmt::format("packed_bytes type={:02x} count=3", tag)}});
  }
  return drafts;
}

std::vector<Draft> sizes() {
  std::vector<Draft> drafts;
  constexpr std::array<std::uint64_t, 8> kLarge = {
      0xffffffffull,         0x100000001ull,        0x1fffffffffffffffull, 0x2000000000000000ull,
      0x5555555555555555ull, 0x7fffffffffffffffull, 0x8000000000000000ull, 0xffffffffffffffffull};
  for (const Element& type : asked_types()) {
    for (std::uint64_t count = 0; count <= 17; ++count) {
      drafts.push_back({fmt::format("{}/{:02}", type.name, count),
                        {fmt::format("packed_bytes type={:02x} count={}", type.tag, count)}});
    }
    for (const std::uint64_t count : kLarge) {
      const std::string name = fmt::format("{}/{:016x}", type.name, count);
      const std::string request = fmt::format("packed_bytes type={:02x} count={}", type.tag, count);
      drafts.push_back({name, {request}});
      drafts.push_back({name + "/filled", {request + " fill=a5"}});
    }
  }
  return drafts;
}

// All patterns of types up to 16 bits, in parts; some of the others.
std::vector<Draft> values() {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    if (type.bits <= 8) {
      const std::size_t count = std::size_t{1} << type.bits;
      Bytes packed = every_code(type);
      // 00 and ff are no e8m0 numbers (A37).
      if (type.tag == 0x42) packed.front() = packed.back() = 0x7f;
      drafts.push_back({std::string(type.name), {widen(type, count, packed)}});
    } else if (type.bits == 16) {
      for (unsigned part = 0; part < 16; ++part) {
        Bytes packed;
        for (unsigned i = part * 4096; i < (part + 1) * 4096; ++i) {
          packed.push_back(static_cast<std::uint8_t>(i));
          packed.push_back(static_cast<std::uint8_t>(i >> 8));
        }
        drafts.push_back(
            {fmt::format("{}/part-{:02}", type.name, part), {widen(type, 4096, packed)}});
      }
    } else {
      drafts.push_back({std::string(type.name), {widen(type, 200, bytes_for(type, 200, 5))}});
    }
  }
  // Where rounding to binary32 decides: halfway between, a little beside it, and beyond the range.
  const auto add = [&](std::string_view name, std::uint8_t tag,
                       std::initializer_list<std::uint64_t> patterns) {
    const std::vector<std::uint64_t> list(patterns);
    Bytes packed;
    for (const std::uint64_t pattern : list) {
      for (unsigned i = 0; i < element(tag).bits / 8; ++i) {
        packed.push_back(static_cast<std::uint8_t>(pattern >> 8 * i));
      }
    }
    drafts.push_back({std::string(name), {widen(element(tag), list.size(), packed)}});
  };
  add("int32-rounds", 0x14,
      {0x01000001, 0x01000003, 0x02000002, 0x7fffffff, 0x80000000, 0xfeffffff});
  add("uint32-rounds", 0x15, {0x01000001, 0x01000003, 0xffffff80, 0xffffff7f, 0xffffffff});
  add("int64-rounds", 0x16,
      {0x4000004000000000, 0x4000004000000001, 0x7fffffffffffffff, 0x8000000000000000,
       0xbfffffbfffffffff});
  add("uint64-rounds", 0x17, {0x8000008000000000, 0x8000008000000001, 0xffffffffffffffff});
  add("float64-rounds", 0x04,
      {0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x47efffffe0000000,
       0x47effffff0000000, 0x47efffffefffffff, 0x36a0000000000000, 0x3690000000000000,
       0x3690000000000001, 0x380fffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
       0x8000000000000000, 0x0000000000000001});
  return drafts;
}

std::vector<Draft> invalid_e8m0() {
  std::vector<Draft> drafts;
  for (const std::uint8_t byte : Octets{0x00, 0xff}) {
    const std::string request = widen(element(0x42), 3, {0x7f, byte, 0x80});
    drafts.push_back({fmt::format("{:02x}", byte), {request}});
    drafts.push_back({fmt::format("{:02x}/filled", byte), {request + " fill=a5"}});
  }
  return drafts;
}

std::vector<Draft> packed_e8m0() {
  std::vector<Draft> drafts;
  for (const std::uint64_t value : {0x00ull, 0xffull, 0x01ull, 0xfeull}) {
    const std::array<std::uint64_t, 3> values = {0x7f, value, 0x80};
    drafts.push_back({fmt::format("{:02x}", value), {pack(element(0x42), values)}});
  }
  return drafts;
}

// Either byte alone and both, at the ends and between.
std::vector<Draft> unpacked_e8m0() {
  std::vector<Draft> drafts;
  for (const Bytes& packed :
       {Bytes{0x00, 0x7f, 0x80}, Bytes{0x7f, 0x00, 0x80}, Bytes{0x01, 0xfe, 0x00},
        Bytes{0xff, 0x7f, 0x80}, Bytes{0x7f, 0xff, 0x80}, Bytes{0x01, 0xfe, 0xff},
        Bytes{0x00, 0xff}}) {
    const std::string request = unpack(element(0x42), packed.size(), packed);
    drafts.push_back({to_hex(packed), {request}});
    drafts.push_back({to_hex(packed) + "/filled", {request + " fill=a5"}});
  }
  return drafts;
}

// The packings of one width, for the rows that are about it.
template <std::size_t count>
std::vector<Draft> round_trips(const std::array<std::uint8_t, count>& tags) {
  std::vector<Draft> drafts;
  for (const std::uint8_t tag : tags) {
    const Element& type = element(tag);
    for (std::size_t n = 1; n <= 13; ++n) {
      Bytes packed = bytes_for(type, n, n + 100);
      clear_unused(type, n, packed);
      drafts.push_back({fmt::format("{}/unpack-{:02}", type.name, n), {unpack(type, n, packed)}});
      drafts.push_back(
          {fmt::format("{}/pack-{:02}", type.name, n), {pack(type, values_of(type, n, n + 100))}});
    }
  }
  return drafts;
}
std::vector<Draft> four_bits() { return round_trips(kFourBits); }
std::vector<Draft> two_bits() { return round_trips(kTwoBits); }
std::vector<Draft> six_bits() { return round_trips(kSixBits); }

std::vector<Draft> places() {
  std::vector<Draft> drafts;
  for (const Element& type : asked_types()) {
    Bytes packed = bytes_for(type, 9, 77);
    clear_unused(type, 9, packed);
    for (const std::string_view keys : {"in_off=1", "guard=after", "guard=before"}) {
      std::string name(keys);
      std::replace(name.begin(), name.end(), '=', '-');
      drafts.push_back({fmt::format("unpack/{}/{}", type.name, name),
                        {unpack(type, 9, packed) + " " + std::string(keys)}});
      drafts.push_back({fmt::format("widen/{}/{}", type.name, name),
                        {widen(type, 9, packed) + " " + std::string(keys)}});
    }
    for (const std::string_view keys : {"out_off=1", "guard=after", "fill=a5"}) {
      std::string name(keys);
      std::replace(name.begin(), name.end(), '=', '-');
      drafts.push_back({fmt::format("pack/{}/{}", type.name, name),
                        {pack(type, values_of(type, 9, 78)) + " " + std::string(keys)}});
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"elements/pack", "elements are packed in another order or width", packs},
    {"elements/pack-filled", "unused bits keep what the output held", filled_packs},
    {"elements/unpack", "elements are taken from another place, or with another sign", unpacks},
    {"elements/every-pattern", "a pattern is changed on the way", every_pattern},
    {"elements/float-patterns", "a NaN is made another, or a subnormal flushed, on the way",
     float_patterns},
    {"elements/unused-bits", "unused bits change an element", unused_bits},
    {"elements/out-of-range", "a value that the type cannot hold is packed", out_of_range},
    {"elements/no-type", "a tag of no element type is taken", no_type},
    {"elements/sizes", "a number of bytes is rounded the wrong way, or overflows", sizes},
    {"elements/values", "a pattern is given another value", values},
    {"elements/invalid-e8m0", "00 or ff is taken for a power of two", invalid_e8m0},
    {"elements/pack-e8m0", "00 or ff is packed as a power of two", packed_e8m0},
    {"elements/unpack-e8m0", "00 or ff is unpacked as another pattern", unpacked_e8m0},
    {"elements/four-bits", "the halves of a byte are taken in the wrong order", four_bits},
    {"elements/two-bits", "the quarters of a byte are taken in the wrong order", two_bits},
    {"elements/six-bits", "six-bit elements are not four in three bytes", six_bits},
    {"elements/places", "bytes at an odd address, or at a page, are read or written wrongly",
     places},
};

}  // namespace

std::span<const Family> element_families() { return kFamilies; }

}  // namespace hurray::conformance
