// SPDX-License-Identifier: Apache-2.0
//
// Families on the firmware functions (contract ra8): their numbers, and which scales they refuse.
// Null pointers and the rest of the call discipline are in calls.cpp.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {
namespace {

constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

const StorageTypeInfo& int8() { return info_of(StorageType::kInt8); }
const StorageTypeInfo& uint8() { return info_of(StorageType::kUint8); }

std::string case_name(const StorageTypeInfo& info, std::int32_t zero_point, std::uint32_t scale) {
  return fmt::format("{}/zero-point-{}/scale-{:08x}", ra8_suffix(info), zero_point, scale);
}

constexpr std::array<std::int32_t, 8> kZeroPoints = {-128, -50, 0, 3, 127, 255, 300, -1000};
constexpr std::array<std::int32_t, 10> kExtremeZeroPoints = {
    kMin, kMin + 1, -16777217, -1999900, -1000000, 1000000, 1999900, 16777217, kMax - 1, kMax};

std::vector<Draft> quantize_ties() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kZeroPoints) {
      for (const std::uint32_t scale : positive_scales()) {
        add_in_parts(drafts, case_name(*info, zero_point, scale),
                     tie_inputs(scale, zero_point, info->min, info->max), ra8_quantize_request,
                     *info, scale, zero_point);
      }
    }
  }
  return drafts;
}

std::vector<Draft> quantize_extreme_zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kExtremeZeroPoints) {
      for (const std::uint32_t scale : {kOne, 0x3dcccccdu, 0x40400000u}) {
        std::vector<float> in = tie_inputs(scale, zero_point, info->min, info->max);
        const std::vector<float> plain = special_inputs();
        in.insert(in.end(), plain.begin(), plain.end());
        add_in_parts(drafts, case_name(*info, zero_point, scale), in, ra8_quantize_request, *info,
                     scale, zero_point);
      }
    }
  }
  return drafts;
}

// Of every size between those that a float holds exactly and the ends of int32: a sum or a
// difference in binary32, or a cap, is right near both.
constexpr std::array<std::int32_t, 12> kFarZeroPoints = {
    -33554433,  33554433,   -100000007,  134217729,   -134217733, 536870913,
    -536870913, 1073741825, -1073741831, -1500000001, 1500000001, 2000000011};

std::vector<Draft> quantize_far_zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kFarZeroPoints) {
      for (const std::uint32_t scale : {kOne, 0x3dcccccdu}) {
        // The quotient that cancels the zero point, its neighbours among the floats, and others.
        const double step = std::bit_cast<float>(scale);
        std::vector<float> in = {0.0f, 1e30f, -1e30f, static_cast<float>(zero_point)};
        for (const double code : {-300, -128, -1, 0, 1, 100, 127, 255, 400}) {
          const float centre = static_cast<float>((code - zero_point) * step);
          in.push_back(std::nextafter(centre, -INFINITY));
          in.push_back(centre);
          in.push_back(std::nextafter(centre, INFINITY));
        }
        drafts.push_back({case_name(*info, zero_point, scale),
                          {ra8_quantize_request(*info, scale, zero_point, in)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> dequantize_far_zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kFarZeroPoints) {
      drafts.push_back(
          {case_name(*info, zero_point, 0x3dcccccd),
           {ra8_dequantize_request(*info, 0x3dcccccd, zero_point, every_code(*info))}});
    }
  }
  return drafts;
}

std::vector<Draft> quantize_special() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kZeroPoints) {
      for (const std::uint32_t scale : positive_scales()) {
        drafts.push_back({case_name(*info, zero_point, scale),
                          {ra8_quantize_request(*info, scale, zero_point, special_inputs())}});
      }
    }
  }
  return drafts;
}

// Inputs in rising order, across the whole range of the type and some steps beyond.
std::vector<Draft> quantize_rising() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (unsigned n = 0; n < 8; ++n) {
      Random random(0x415e + n);
      const std::uint32_t scale = static_cast<std::uint32_t>(0x30000000 + random.below(0x20000000));
      const double step = std::bit_cast<float>(scale);
      const std::int32_t zero_point = static_cast<std::int32_t>(random.below(256)) - 128;
      std::vector<float> in;
      for (int i = 0; i < 512; ++i) {
        const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
        in.push_back(static_cast<float>((unit * 600 - 300 - zero_point) * step));
      }
      std::sort(in.begin(), in.end());
      drafts.push_back({fmt::format("{}/{}", ra8_suffix(*info), n),
                        {ra8_quantize_request(*info, scale, zero_point, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> requantize() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : {-99000, -128, -1, 0, 3, 127, 255, 99000}) {
      for (const std::uint32_t scale : positive_scales()) {
        if (scale < 0x00800000 || scale > 0x70000000) continue;
        std::vector<float> in;
        for (const std::int64_t code : every_code(*info)) {
          in.push_back(std::bit_cast<float>(scale) * static_cast<float>(code - zero_point));
        }
        drafts.push_back({case_name(*info, zero_point, scale),
                          {ra8_quantize_request(*info, scale, zero_point, in)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> quantize_count() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (std::size_t count = 0; count <= 257; ++count) {
      Random random(count + 3);
      std::vector<float> in;
      for (std::size_t i = 0; i < count; ++i) {
        // No ties: they have cases of their own.
        in.push_back(static_cast<float>(static_cast<std::int64_t>(random.below(300)) - 150) +
                     0.25f);
      }
      drafts.push_back({fmt::format("{}/{:03}", ra8_suffix(*info), count),
                        {ra8_quantize_request(*info, kOne, 1, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> quantize_same_everywhere() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::uint32_t bits :
         {0x3f000000u, 0xbfc00000u, 0x40200000u, 0x3effffffu, 0x7f800000u, 0xff800000u, 0x4f000000u,
          0xcf000000u, 0x4cbebc20u}) {
      const std::vector<float> in(67, std::bit_cast<float>(bits));
      drafts.push_back({fmt::format("{}/{:08x}", ra8_suffix(*info), bits),
                        {ra8_quantize_request(*info, kOne, 0, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> quantize_nan() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : {7, 300, -1000}) {
      for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
        const float value = std::bit_cast<float>(bits);
        std::vector<float> mixed;
        for (int i = 0; i < 67; ++i)
          mixed.push_back(i % 3 == 1 ? value : static_cast<float>(i % 5) - 2);
        const std::string name =
            fmt::format("{}/zero-point-{}/{:08x}", ra8_suffix(*info), zero_point, bits);
        drafts.push_back(
            {name + "/alone", {ra8_quantize_request(*info, kOne, zero_point, std::vector{value})}});
        drafts.push_back(
            {name + "/everywhere",
             {ra8_quantize_request(*info, kOne, zero_point, std::vector<float>(67, value))}});
        drafts.push_back(
            {name + "/between-numbers", {ra8_quantize_request(*info, kOne, zero_point, mixed)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> quantize_subnormal() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    // Odd significands: no quotient is a tie.
    for (const std::uint32_t scale : {0x00000001u, 0x00000003u, 0x00000101u, 0x00400001u,
                                      0x007fffffu, 0x00800001u, 0x00800003u, 0x01000001u}) {
      std::vector<float> in;
      for (const std::uint32_t bits :
           {0x00000001u, 0x00000002u, 0x00000003u, 0x00000080u, 0x00200000u, 0x00400000u,
            0x007fffffu, 0x00800000u, 0x01000000u, 0x02000000u}) {
        in.push_back(std::bit_cast<float>(bits));
        in.push_back(std::bit_cast<float>(bits | 0x80000000u));
      }
      // Long enough for a vector body and a tail that must agree.
      for (int i = 0; i < 17; ++i) in.push_back(std::bit_cast<float>(0x00000003u));
      drafts.push_back({fmt::format("{}/scale-{:08x}", ra8_suffix(*info), scale),
                        {ra8_quantize_request(*info, scale, 5, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> with_scales(std::span<const std::uint32_t> scales) {
  std::vector<Draft> drafts;
  const std::array<float, 6> in = {0.0f, -0.0f, 1.0f, -2.5f, 1e30f, 0.05f};
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::uint32_t scale : scales) {
      drafts.push_back({fmt::format("{}/{:08x}", ra8_suffix(*info), scale),
                        {ra8_quantize_request(*info, scale, 7, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> scale_not_positive() {
  constexpr std::array<std::uint32_t, 7> kScales = {0x00000000, 0x80000000, 0x80000001, 0x80800000,
                                                    0xbf800000, 0xff7fffff, 0xff800000};
  return with_scales(kScales);
}

std::vector<Draft> scale_nan() {
  constexpr std::array<std::uint32_t, 6> kScales = {0x7fc00000, 0xffc00000, 0x7f800001,
                                                    0xff800001, 0x7fffffff, 0xffffffff};
  return with_scales(kScales);
}

// A check that some count, zero point or payload gets around.
std::vector<Draft> scale_refused_crossed() {
  std::vector<std::uint32_t> scales = {0x00000000, 0x80000000, 0x80000001, 0xbf800000, 0xff800000};
  scales.insert(scales.end(), nan_scales().begin(), nan_scales().begin() + 5);
  constexpr std::array<std::size_t, 3> kCounts = {1, 16, 67};
  std::vector<Draft> drafts;
  std::size_t turn = 0;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : {kMin, -5, 0, 5, kMax}) {
      for (const std::uint32_t scale : scales) {
        const std::size_t count = kCounts[turn++ % kCounts.size()];
        drafts.push_back(
            {case_name(*info, zero_point, scale) + fmt::format("/count-{}", count),
             {ra8_quantize_request(*info, scale, zero_point, std::vector<float>(count, 1.0f))}});
      }
      ++turn;
    }
  }
  return drafts;
}

std::vector<Draft> scale_nan_bits() {
  std::vector<Draft> drafts;
  for (std::size_t i = 0; i < nan_scales().size(); ++i) {
    const StorageTypeInfo& info = i % 2 == 0 ? int8() : uint8();
    const std::array<float, 3> in = {0.0f, 1.0f, -2.5f};
    drafts.push_back({fmt::format("{:08x}/{}", nan_scales()[i], ra8_suffix(info)),
                      {ra8_quantize_request(info, nan_scales()[i], static_cast<int>(i % 3), in)}});
  }
  return drafts;
}

std::vector<Draft> scale_positive() { return with_scales(positive_scales()); }

std::vector<Draft> scale_infinite() {
  const std::array<std::uint32_t, 1> scales = {0x7f800000};
  std::vector<Draft> drafts = with_scales(scales);
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    const std::vector<float> in = {1.0f, INFINITY, -INFINITY, -1.0f};
    drafts.push_back({fmt::format("{}/infinite-input", ra8_suffix(*info)),
                      {ra8_quantize_request(*info, scales[0], 7, in)}});
  }
  return drafts;
}

std::vector<Draft> dequantize_all_codes() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kZeroPoints) {
      for (const std::uint32_t scale : positive_scales()) {
        drafts.push_back({case_name(*info, zero_point, scale),
                          {ra8_dequantize_request(*info, scale, zero_point, every_code(*info))}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> dequantize_extreme_zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::int32_t zero_point : kExtremeZeroPoints) {
      for (const std::uint32_t scale : {kOne, 0x3dcccccdu, 0x40400000u}) {
        drafts.push_back({case_name(*info, zero_point, scale),
                          {ra8_dequantize_request(*info, scale, zero_point, every_code(*info))}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> dequantize_odd_scale() {
  std::vector<Draft> drafts;
  const std::vector<std::int64_t> codes = {0, 1, 2, 3, 127};
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (const std::uint32_t scale : {0x00000000u, 0x80000000u, 0xbf800000u, 0x7f800000u,
                                      0xff800000u, 0x7fc00000u, 0xbdcccccdu}) {
      drafts.push_back({fmt::format("{}/{:08x}", ra8_suffix(*info), scale),
                        {ra8_dequantize_request(*info, scale, 2, codes)}});
    }
  }
  return drafts;
}

std::vector<Draft> dequantize_count() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo* info : {&int8(), &uint8()}) {
    for (std::size_t count = 0; count <= 257; ++count) {
      Random random(count + 11);
      std::vector<std::int64_t> codes;
      for (std::size_t i = 0; i < count; ++i) {
        codes.push_back(info->min + static_cast<std::int64_t>(random.below(256)));
      }
      drafts.push_back({fmt::format("{}/{:03}", ra8_suffix(*info), count),
                        {ra8_dequantize_request(*info, 0x3dcccccd, 1, codes)}});
    }
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"ra8/quantize-ties", "a tie, a clamp edge or the float beside one goes to the wrong code",
     quantize_ties},
    {"ra8/quantize-extreme-zero-point",
     "a zero point far outside the type is clamped, capped or overflows before the sum is "
     "saturated",
     quantize_extreme_zero_point},
    {"ra8/quantize-far-zero-point", "a large zero point is added in binary32, or capped",
     quantize_far_zero_point},
    {"ra8/quantize-special", "an extreme real wraps or is undefined instead of saturating",
     quantize_special},
    {"ra8/quantize-rising", "a larger input gets a smaller code", quantize_rising},
    {"ra8/requantize", "a dequantized code does not come back", requantize},
    {"ra8/quantize-count", "elements behind the last full vector are wrong or missing",
     quantize_count},
    {"ra8/quantize-same-everywhere", "one value becomes different codes at different positions",
     quantize_same_everywhere},
    {"ra8/quantize-nan", "NaN becomes different codes, or half an output and an error",
     quantize_nan},
    {"ra8/quantize-subnormal", "subnormals are flushed in one place and not in another",
     quantize_subnormal},
    {"ra8/scale-not-positive", "a scale that is not above zero is not refused", scale_not_positive},
    {"ra8/scale-nan", "NaN passes a check written as scale <= 0", scale_nan},
    {"ra8/scales-refused-crossed", "some count or zero point skips the check of the scale",
     scale_refused_crossed},
    {"ra8/scales-nan-bits", "NaN is told by some of its bits", scale_nan_bits},
    {"ra8/scale-positive", "a positive scale is refused, subnormal ones for instance",
     scale_positive},
    {"ra8/scale-infinite", "an infinite scale gives something else than the zero point",
     scale_infinite},
    {"ra8/dequantize-all-codes", "some code becomes another number", dequantize_all_codes},
    {"ra8/dequantize-extreme-zero-point", "in - zero_point wraps in 32 bits",
     dequantize_extreme_zero_point},
    {"ra8/dequantize-far-zero-point", "a large zero point is subtracted in binary32",
     dequantize_far_zero_point},
    {"ra8/dequantize-odd-scale", "what an undocumented scale gives", dequantize_odd_scale},
    {"ra8/dequantize-count", "elements behind the last full vector are wrong or missing",
     dequantize_count},
};

}  // namespace

std::span<const Family> ra8_families() { return kFamilies; }

}  // namespace hurray::conformance
