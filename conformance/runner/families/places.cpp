// SPDX-License-Identifier: Apache-2.0
//
// Families on where an element stands: behind an odd address, in the remainder of an array, or far
// from its beginning. Kernels treat such elements by other code than the body, so each family sends
// hard numbers (hard_calls.h) where `count` and `offsets` send easy ones.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/families/hard_calls.h"

namespace hurray::conformance {
namespace {

// One family per verb and contract: a requirement belongs to one of them.
std::vector<Draft> only(std::string_view kernels, std::vector<Draft> drafts) {
  std::erase_if(drafts, [&](const Draft& draft) { return !draft.name.starts_with(kernels); });
  for (Draft& draft : drafts) draft.name.erase(0, kernels.size());
  return drafts;
}

// Float arrays at multiples of four that are none of 16, and at such of 16 that are none of 64.
std::vector<Draft> unaligned() {
  constexpr std::size_t kCount = 67;
  struct Place {
    unsigned floats, packed;
  };
  constexpr std::array<Place, 8> kPlaces = {
      {{4, 0}, {8, 1}, {12, 0}, {16, 4}, {20, 3}, {48, 0}, {60, 33}, {24, 2}}};
  std::vector<Draft> drafts;
  for (const HardCall& call : hard_calls()) {
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
      const unsigned in = call.quantizes ? kPlaces[i].floats : kPlaces[i].packed;
      const unsigned out = call.quantizes ? kPlaces[i].packed : kPlaces[i].floats;
      drafts.push_back(
          {fmt::format("{}/{}/in-{}-out-{}", call.kernel(), call.trait, in, out),
           {fmt::format("{} in_off={} out_off={}", call.request(kCount, 3 * i), in, out)}});
    }
  }
  return drafts;
}
std::vector<Draft> dequantize_unaligned() { return only("hurray/dequantize-", unaligned()); }
std::vector<Draft> quantize_unaligned() { return only("hurray/quantize-", unaligned()); }
std::vector<Draft> ra8_dequantize_unaligned() { return only("ra8/dequantize_", unaligned()); }
std::vector<Draft> ra8_quantize_unaligned() { return only("ra8/quantize_", unaligned()); }

// Every remainder of 16 and the stages of 8 and 4 elements before it, behind a body of several
// vectors; then behind as much as a kernel takes in one block.
std::vector<Draft> uneven_count() {
  std::vector<std::size_t> counts = {13};
  for (std::size_t count = 64; count < 80; ++count) counts.push_back(count);
  for (const std::size_t count : {271u, 2047u}) counts.push_back(count);
  std::vector<Draft> drafts;
  for (const HardCall& call : hard_calls()) {
    for (const std::size_t count : counts) {
      drafts.push_back({fmt::format("{}/{}/{:04}", call.kernel(), call.trait, count),
                        {call.request(count, count)}});
    }
  }
  return drafts;
}
std::vector<Draft> dequantize_uneven_count() { return only("hurray/dequantize-", uneven_count()); }
std::vector<Draft> quantize_uneven_count() { return only("hurray/quantize-", uneven_count()); }
std::vector<Draft> ra8_dequantize_uneven_count() { return only("ra8/dequantize_", uneven_count()); }
std::vector<Draft> ra8_quantize_uneven_count() { return only("ra8/quantize_", uneven_count()); }

// Numbers that take a kernel off its usual path, with the input and the environment watched. Ties
// and quotients are left out: who rounds them wrongly has done nothing to the call.
bool is_special(const HardCall& call) {
  return call.trait == "nan" || call.trait == "extremes" || call.trait == "subnormals" ||
         call.trait == "overflow" || call.trait == "far-zero-point";
}
std::vector<Draft> special_bounds() {
  std::vector<Draft> drafts;
  for (const HardCall& call : hard_calls()) {
    if (!is_special(call)) continue;
    drafts.push_back(
        {fmt::format("{}/{}", call.kernel(), call.trait), {call.request(67, 1) + " fill=a5"}});
  }
  return drafts;
}
std::vector<Draft> special_modes() {
  std::vector<Draft> drafts;
  for (const HardCall& call : hard_calls()) {
    if (!is_special(call)) continue;
    for (const std::string_view mode : {"nearest", "upward"}) {
      for (const std::size_t count : {3u, 67u}) {
        drafts.push_back({fmt::format("{}/{}/count-{}/{}", call.kernel(), call.trait, count, mode),
                          {fmt::format("{} fenv={}", call.request(count, 0), mode)}});
      }
    }
  }
  return drafts;
}
std::vector<Draft> hurray_special_bounds() { return only("hurray/", special_bounds()); }
std::vector<Draft> ra8_special_bounds() { return only("ra8/", special_bounds()); }
std::vector<Draft> hurray_special_modes() { return only("hurray/", special_modes()); }
std::vector<Draft> ra8_special_modes() { return only("ra8/", special_modes()); }

constexpr std::array<std::size_t, 12> kLargeCounts = {255, 256, 257, 258, 259,  511,
                                                      512, 513, 514, 515, 1025, 2047};

// Numbers without ties over the whole range of the type, so that an element that is lost, doubled
// or cleared behind the first block shows.
std::vector<Draft> large_counts(bool of_ra8, bool quantizes, std::span<const std::size_t> counts,
                                unsigned most_bits) {
  constexpr std::int32_t kZeroPoint = 1;
  constexpr std::int64_t kMost = std::int64_t{1} << 20;  // exact with a quarter behind it
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if ((of_ra8 && info.bits != 8) || info.bits > most_bits) continue;
    const std::int64_t first = std::max(info.min, -kMost);
    const std::uint64_t span = static_cast<std::uint64_t>(std::min(info.max, kMost) - first) + 1;
    for (const std::size_t count : counts) {
      HardCall call;
      call.of_ra8 = of_ra8;
      call.quantizes = quantizes;
      call.info = &info;
      call.scale_bits = quantizes ? 0x3f800000 : 0x3dcccccd;
      call.zero_point = kZeroPoint;
      Random random(count + info.bits);
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t code = first + static_cast<std::int64_t>(random.below(span));
        call.codes.push_back(code);
        call.inputs.push_back(static_cast<float>(code - kZeroPoint) + 0.25f);
      }
      const std::string_view name = of_ra8 ? ra8_suffix(info) : info.name;
      drafts.push_back({fmt::format("{}/{:04}", name, count), {call.request(count, 0)}});
    }
  }
  return drafts;
}
std::vector<Draft> dequantize_large_count() { return large_counts(false, false, kLargeCounts, 32); }
std::vector<Draft> quantize_large_count() { return large_counts(false, true, kLargeCounts, 32); }
std::vector<Draft> ra8_dequantize_large_count() {
  return large_counts(true, false, kLargeCounts, 32);
}
std::vector<Draft> ra8_quantize_large_count() { return large_counts(true, true, kLargeCounts, 32); }

// More elements than 16 bits count. The narrow types, as lines become long.
constexpr std::array<std::size_t, 1> kBeyond16Bits = {65539};
std::vector<Draft> dequantize_beyond() { return large_counts(false, false, kBeyond16Bits, 8); }
std::vector<Draft> quantize_beyond() { return large_counts(false, true, kBeyond16Bits, 8); }
std::vector<Draft> ra8_dequantize_beyond() { return large_counts(true, false, kBeyond16Bits, 8); }
std::vector<Draft> ra8_quantize_beyond() { return large_counts(true, true, kBeyond16Bits, 8); }

constexpr Family kFamilies[] = {
    {"dequantize/unaligned", "elements before or behind an aligned address are computed otherwise",
     dequantize_unaligned},
    {"quantize/unaligned", "elements before or behind an aligned address are computed otherwise",
     quantize_unaligned},
    {"ra8/dequantize-unaligned",
     "elements before or behind an aligned address are computed otherwise",
     ra8_dequantize_unaligned},
    {"ra8/quantize-unaligned",
     "elements before or behind an aligned address are computed otherwise", ra8_quantize_unaligned},
    {"call/special-bounds", "extreme inputs are written over, or something outside the output is",
     hurray_special_bounds},
    {"ra8-call/special-bounds",
     "extreme inputs are written over, or something outside the output is", ra8_special_bounds},
    {"call/special-modes", "extreme inputs leave another floating-point environment",
     hurray_special_modes},
    {"ra8-call/special-modes", "extreme inputs leave another floating-point environment",
     ra8_special_modes},
    {"dequantize/uneven-count", "the remainder of an array is computed otherwise than its body",
     dequantize_uneven_count},
    {"quantize/uneven-count", "the remainder of an array is computed otherwise than its body",
     quantize_uneven_count},
    {"ra8/dequantize-uneven-count", "the remainder of an array is computed otherwise than its body",
     ra8_dequantize_uneven_count},
    {"ra8/quantize-uneven-count", "the remainder of an array is computed otherwise than its body",
     ra8_quantize_uneven_count},
    {"dequantize/large-count", "elements behind the first block are wrong or missing",
     dequantize_large_count},
    {"quantize/large-count", "elements behind the first block are wrong or missing",
     quantize_large_count},
    {"ra8/dequantize-large-count", "elements behind the first block are wrong or missing",
     ra8_dequantize_large_count},
    {"ra8/quantize-large-count", "elements behind the first block are wrong or missing",
     ra8_quantize_large_count},
    {"dequantize/beyond-16-bits", "elements are counted in 16 bits", dequantize_beyond},
    {"quantize/beyond-16-bits", "elements are counted in 16 bits", quantize_beyond},
    {"ra8/dequantize-beyond-16-bits", "elements are counted in 16 bits", ra8_dequantize_beyond},
    {"ra8/quantize-beyond-16-bits", "elements are counted in 16 bits", ra8_quantize_beyond},
};

}  // namespace

std::span<const Family> place_families() { return kFamilies; }

}  // namespace hurray::conformance
