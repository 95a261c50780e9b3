// SPDX-License-Identifier: Apache-2.0
//
// Families on dequantizing under the hurray contract: every code of the narrow types, the edges of
// the wide ones, and every count up to a few vector widths.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {
namespace {

std::vector<std::uint32_t> all_scales() {
  std::vector<std::uint32_t> scales(positive_scales().begin(), positive_scales().end());
  scales.insert(scales.end(), negative_scales().begin(), negative_scales().end());
  return scales;
}

// Ends, small codes, powers of two and the neighbourhood of 2^24, where binary32 begins to round.
std::vector<std::int64_t> edge_codes(const StorageTypeInfo& info) {
  std::vector<std::int64_t> codes;
  const auto add = [&](std::int64_t code) {
    if (code >= info.min && code <= info.max) codes.push_back(code);
  };
  for (std::int64_t distance = 0; distance < 4; ++distance) {
    add(info.min + distance);
    add(info.max - distance);
  }
  for (std::int64_t code = -3; code <= 3; ++code) add(code);
  for (unsigned bit = 2; bit < 32; ++bit) {
    for (std::int64_t near = -1; near <= 1; ++near) {
      add((std::int64_t{1} << bit) + near);
      add(-(std::int64_t{1} << bit) + near);
    }
  }
  for (std::int64_t near = -9; near <= 9; ++near) {
    add((std::int64_t{1} << 24) + near);
    add(-(std::int64_t{1} << 24) + near);
    add((std::int64_t{1} << 25) + near);
  }
  // Beside the ties of larger ones: a bit that is dropped early decides there.
  for (unsigned bit = 24; bit < 32; ++bit) {
    const std::int64_t power = std::int64_t{1} << bit;
    const std::int64_t half_ulp = std::int64_t{1} << (bit - 24);
    for (const std::int64_t tie : {power + half_ulp, power + 3 * half_ulp}) {
      for (std::int64_t near = -1; near <= 1; ++near) {
        add(tie + near);
        add(-tie + near);
      }
    }
  }
  Random random(0x5ca1e);
  for (int i = 0; i < 64; ++i) {
    add(info.min + static_cast<std::int64_t>(
                       random.below(static_cast<std::uint64_t>(info.max - info.min) + 1)));
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

// Whether the difference with this zero point fits int32 and the code is the same however a uint32
// is read: no behaviour is open. The rest go to their own family.
bool is_settled(const StorageTypeInfo& info, std::int64_t code, std::int32_t zero_point) {
  const std::int64_t difference = code - zero_point;
  const bool fits = difference >= std::numeric_limits<std::int32_t>::min() &&
                    difference <= std::numeric_limits<std::int32_t>::max();
  return info.bits < 32 || (fits && code <= std::numeric_limits<std::int32_t>::max());
}

// Codes whose difference lies beside a tie above 2^31, where int32 ends.
void add_large_differences(const StorageTypeInfo& info, std::int64_t zero_point,
                           std::vector<std::int64_t>& codes) {
  constexpr std::int64_t kPower = std::int64_t{1} << 31, kHalfUlp = 128;
  for (const std::int64_t tie : {kPower + kHalfUlp, kPower + 3 * kHalfUlp}) {
    for (std::int64_t near = -1; near <= 1; ++near) {
      for (const std::int64_t code : {zero_point + tie + near, zero_point - tie - near}) {
        if (code >= info.min && code <= info.max) codes.push_back(code);
      }
    }
  }
}

std::vector<Draft> grid(bool narrow, std::vector<std::int64_t> (*codes_of)(const StorageTypeInfo&),
                        bool settled) {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if ((info.bits <= 8) != narrow) continue;
    for (const std::int32_t zero_point : legal_zero_points(info)) {
      std::vector<std::int64_t> codes;
      std::vector<std::int64_t> candidates = codes_of(info);
      if (!settled) add_large_differences(info, zero_point, candidates);
      for (const std::int64_t code : candidates) {
        if (is_settled(info, code, zero_point) == settled) codes.push_back(code);
      }
      if (codes.empty()) continue;
      for (const std::uint32_t scale : all_scales()) {
        drafts.push_back(
            {fmt::format("{}/zero-point-{}/scale-{:08x}", info.name, zero_point, scale),
             {dequantize_request(info, scale, zero_point, codes)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> all_codes() { return grid(true, every_code, true); }
std::vector<Draft> edges() { return grid(false, edge_codes, true); }
std::vector<Draft> beyond_int32() { return grid(false, edge_codes, false); }

// Every zero point of the narrow types, and wide ones of every size, eight to a case.
std::vector<Draft> zero_points() {
  constexpr std::size_t kPerCase = 8;
  // No power of two and an odd last bit: a fused or folded form rounds otherwise.
  constexpr std::array<std::uint32_t, 4> kScales = {0x3dcccccd, 0x3e800000, 0xbc008081, 0x3f805555};
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    std::vector<std::int64_t> zero_points;
    Random random(0x2e20 + info.bits);
    if (info.bits <= 8) {
      zero_points = every_code(info);
    } else {
      const std::int64_t most = std::min<std::int64_t>(info.max, 0x7fffffff);
      for (unsigned bit = 0; bit < 31; ++bit) {
        for (const std::int64_t near : {0, 1}) {
          zero_points.push_back(near + (std::int64_t{1} << bit));
          zero_points.push_back(near - (std::int64_t{1} << bit));
        }
      }
      for (int i = 0; i < 72; ++i) {
        // Of every size, not only of the largest.
        const std::int64_t value =
            static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most) >> (i % 8)));
        zero_points.push_back(info.is_signed && i % 2 != 0 ? -value : value);
      }
      std::erase_if(zero_points,
                    [&](std::int64_t value) { return value < info.min || value > most; });
      std::sort(zero_points.begin(), zero_points.end());
      zero_points.erase(std::unique(zero_points.begin(), zero_points.end()), zero_points.end());
    }
    for (std::size_t i = 0; i < zero_points.size(); ++i) {
      const std::int32_t zero_point = static_cast<std::int32_t>(zero_points[i]);
      std::vector<std::int64_t> codes;
      if (info.bits < 8) {
        codes = every_code(info);
      } else {
        codes = {info.min, info.max, zero_points[i] - 1, zero_points[i], zero_points[i] + 1};
        for (int n = 0; n < 27; ++n) {
          codes.push_back(info.min + static_cast<std::int64_t>(random.below(
                                         static_cast<std::uint64_t>(info.max - info.min) + 1)));
        }
        std::erase_if(codes, [&](std::int64_t code) {
          return code < info.min || code > info.max || !is_settled(info, code, zero_point);
        });
      }
      if (i % kPerCase == 0)
        drafts.push_back({fmt::format("{}/from-{}", info.name, zero_point), {}});
      drafts.back().requests.push_back(
          dequantize_request(info, kScales[i % kScales.size()], zero_point, codes));
    }
  }
  return drafts;
}

// Every code of the 16-bit types once.
std::vector<Draft> every_16_bit_code() {
  constexpr std::size_t kPerRequest = 11000;
  std::vector<Draft> drafts;
  for (const StorageType type : {StorageType::kInt16, StorageType::kUint16}) {
    const StorageTypeInfo& info = info_of(type);
    const std::vector<std::int64_t> codes = every_code(info);
    for (std::size_t first = 0; first < codes.size(); first += kPerRequest) {
      const std::size_t count = std::min(kPerRequest, codes.size() - first);
      drafts.push_back({fmt::format("{}/from-{}", info.name, codes[first]),
                        {dequantize_request(info, 0x3dcccccd, info.is_signed ? -700 : 700,
                                            std::span(codes).subspan(first, count))}});
    }
  }
  return drafts;
}

std::vector<Draft> count() {
  constexpr std::size_t kMost = 130;
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    // uint32 codes stay below 2^31, so that nothing but the count is asked.
    const std::uint64_t bound =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(info.max - info.min) + 1, 1u << 31);
    for (std::size_t count = 0; count <= kMost; ++count) {
      Random random(count + 1);
      std::vector<std::int64_t> codes;
      for (std::size_t i = 0; i < count; ++i) {
        codes.push_back(info.min + static_cast<std::int64_t>(random.below(bound)));
      }
      drafts.push_back({fmt::format("{}/{:03}", info.name, count),
                        {dequantize_request(info, 0x3dcccccd, 1, codes)}});
    }
  }
  return drafts;
}

// One code that differs from all others, at each position of three vector widths.
std::vector<Draft> position() {
  constexpr std::size_t kCount = 67;
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (std::size_t lone = 0; lone < kCount; ++lone) {
      std::vector<std::int64_t> codes(kCount, info.min);
      codes[lone] = 1;
      drafts.push_back({fmt::format("{}/{:02}", info.name, lone),
                        {dequantize_request(info, 0x3f800000, 0, codes)}});
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"dequantize/all-codes", "some code of a narrow type becomes another number", all_codes},
    {"dequantize/edges", "a wide code, or its difference with the zero point, is rounded otherwise",
     edges},
    {"dequantize/beyond-int32",
     "a difference that leaves int32, or a uint32 code from 2^31, is neither of the two legal "
     "readings",
     beyond_int32},
    {"dequantize/zero-points", "some zero point is taken for another, or has a formula of its own",
     zero_points},
    {"dequantize/every-16-bit-code", "some code of a 16-bit type becomes another number",
     every_16_bit_code},
    {"dequantize/count", "elements behind the last full vector are wrong or missing", count},
    {"dequantize/position", "an element is taken from, or put at, another position", position},
};

}  // namespace

std::span<const Family> dequantize_families() { return kFamilies; }

}  // namespace hurray::conformance
