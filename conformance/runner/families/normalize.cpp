// SPDX-License-Identifier: Apache-2.0
//
// Families on normalizing a foreign plane of 4-bit zero points: low nibble first, and the other
// way.

#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

std::string request(std::int32_t bias, std::size_t count, std::span<const std::uint8_t> packed,
                    std::string_view order = "low-first") {
  return fmt::format("normalize bits=4 bias={} order={} count={} packed={}", bias, order, count,
                     to_hex(packed));
}

std::vector<Draft> every_byte() {
  Bytes packed(256);
  for (unsigned i = 0; i < 256; ++i) packed[i] = static_cast<std::uint8_t>(i);
  return {{"bias-1", {request(1, 512, packed)}}, {"bias-0", {request(0, 512, packed)}}};
}

std::vector<Draft> one_byte() {
  std::vector<Draft> drafts;
  for (unsigned value = 0; value < 256; ++value) {
    const Bytes packed = {static_cast<std::uint8_t>(value)};
    drafts.push_back({fmt::format("{:02x}", value), {request(1, 2, packed)}});
  }
  return drafts;
}

Bytes plane(std::size_t bytes) {
  Random random(bytes);
  Bytes packed(bytes);
  for (std::uint8_t& byte : packed) byte = static_cast<std::uint8_t>(random.next());
  return packed;
}

std::vector<Draft> count() {
  std::vector<Draft> drafts;
  for (std::size_t count = 0; count <= 70; ++count) {
    drafts.push_back({fmt::format("{:02}", count), {request(1, count, plane((count + 1) / 2))}});
  }
  return drafts;
}

// Other widths, in both orders, with any bias; and widths that there are not.
std::vector<Draft> widths() {
  std::vector<Draft> drafts;
  for (const unsigned bits : {2u, 4u, 8u, 3u, 0u, 16u}) {
    for (const std::string_view order : {"low-first", "high-first"}) {
      for (const std::int32_t bias : {1, 0, -1, 1000}) {
        for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 8u, 13u, 64u, 259u}) {
          const Bytes packed = plane((count * bits + 7) / 8 + count % 2);
          drafts.push_back({fmt::format("{}/{}/bias-{}/{:03}", bits, order, bias, count),
                            {fmt::format("normalize bits={} bias={} order={} count={} packed={}",
                                         bits, bias, order, count, to_hex(packed))}});
        }
      }
    }
  }
  return drafts;
}

std::vector<Draft> large_count() {
  std::vector<Draft> drafts;
  for (const std::size_t count :
       {127u, 128u, 129u, 255u, 256u, 257u, 511u, 512u, 513u, 1025u, 2047u}) {
    drafts.push_back({fmt::format("{:04}", count), {request(1, count, plane((count + 1) / 2))}});
  }
  return drafts;
}

// More bytes than are asked for: the first ones count.
std::vector<Draft> longer_plane() {
  std::vector<Draft> drafts;
  for (const std::size_t count : {0u, 1u, 2u, 3u, 8u, 15u}) {
    drafts.push_back({fmt::format("{:02}", count), {request(1, count, plane(24))}});
  }
  return drafts;
}

std::vector<Draft> too_short() {
  std::vector<Draft> drafts;
  for (const std::size_t bytes : {0u, 1u, 2u, 7u, 16u, 65u, 256u}) {
    for (const std::size_t excess : {1u, 2u, 16u}) {
      drafts.push_back({fmt::format("{}-bytes/{}-fields", bytes, bytes * 2 + excess),
                        {request(1, bytes * 2 + excess, plane(bytes))}});
    }
  }
  return drafts;
}

// Each field in each half of a byte once.
Bytes every_field() {
  Bytes packed;
  for (unsigned field = 0; field < 16; ++field) {
    packed.push_back(static_cast<std::uint8_t>(field << 4 | ((field * 7 + 3) & 15)));
  }
  return packed;
}

// The bias is an argument (A26): the 0 and 1 of today's toolchains are two of its values.
std::vector<Draft> bias() {
  std::vector<Draft> drafts;
  for (const std::int32_t value : {-1, -2, -8, -15, -16, 2, 7, 8, 15, 100, 65536, 2147483632,
                                   std::numeric_limits<std::int32_t>::min()}) {
    drafts.push_back({fmt::format("{}", value), {request(value, 32, every_field())}});
  }
  // Where a sum leaves a byte, a half word, or what binary32 holds, in the body and behind it.
  Bytes longer = every_field();
  for (int i = 0; i < 2; ++i) longer.insert(longer.end(), longer.begin(), longer.begin() + 16);
  for (const std::int32_t value :
       {112,    113,    120,    127,   128,   -112,  -113,     -128,     -129,
        -136,   240,    241,    255,   256,   32752, 32753,    32767,    32768,
        -32768, -32769, -32776, 65520, 65521, 65535, 16777215, 16777216, -16777217}) {
    drafts.push_back({fmt::format("{}/count-67", value), {request(value, 67, longer)}});
  }
  return drafts;
}

// More fields, and more bytes, than 16 bits count.
std::vector<Draft> beyond_16_bits() {
  return {{"65539", {request(1, 65539, plane(32770))}},
          {"131073", {request(1, 131073, plane(65537))}},
          {"too-short", {request(1, 131072, plane(65535))}}};
}

std::vector<Draft> order_between() {
  std::vector<Draft> drafts;
  for (const std::size_t count : {3u, 31u}) {
    const std::string low = request(1, count, every_field());
    const std::string high = request(1, count, every_field(), "high-first");
    // Nothing that is kept for one bias is of use for the other.
    const std::string other_bias = request(0, count, every_field());
    drafts.push_back(
        {fmt::format("low-first/count-{}", count), {low, high, low, other_bias, high}});
    drafts.push_back(
        {fmt::format("high-first/count-{}", count), {high, low, high, other_bias, low}});
  }
  return drafts;
}

// More words of fields than 16 bits count.
std::vector<Draft> repeated() {
  return {{"16-fields", {request(1, 16, plane(8)) + " repeat=65537"}}};
}

std::vector<Draft> high_first() {
  std::vector<Draft> drafts;
  for (const std::int32_t value : {0, 1, -3}) {
    for (const std::size_t count : {1u, 2u, 3u, 16u, 31u, 32u}) {
      drafts.push_back({fmt::format("bias-{}/{:02}", value, count),
                        {request(value, count, every_field(), "high-first")}});
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"normalize/widths", "fields of another width, order or bias are read wrongly", widths},
    {"normalize/every-byte", "a field is taken from the wrong nibble, or the bias is added wrongly",
     every_byte},
    {"normalize/one-byte", "15 + 1 wraps, saturates or carries into the neighbour", one_byte},
    {"normalize/count", "an odd count, or a count beyond a word, reads the wrong nibbles", count},
    {"normalize/large-count", "fields behind the first block are wrong or missing", large_count},
    {"normalize/longer-plane", "the fields are not the first ones of the plane", longer_plane},
    {"normalize/bias", "a bias other than 0 and 1 is taken for one of them", bias},
    {"normalize/high-first", "the order that the call names is not looked at", high_first},
    {"normalize/beyond-16-bits", "fields or bytes are counted in 16 bits", beyond_16_bits},
    {"normalize/repeated", "fields are counted in words, and the words in 16 bits", repeated},
    {"normalize/order-between", "a table is kept for the bias and used for the other order too",
     order_between},
    {"normalize/too-short", "a plane with too few fields is read past its end", too_short},
};

}  // namespace

std::span<const Family> normalize_families() { return kFamilies; }

}  // namespace hurray::conformance
