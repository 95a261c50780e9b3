// SPDX-License-Identifier: Apache-2.0
//
// Families on quantizing under the hurray contract. Boundaries, not luck: ties, clamp edges and
// their float neighbours for narrow types, chosen and seeded ones for wide types.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "reference/dequantize.h"

namespace hurray::conformance {
namespace {

constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::array<std::uint32_t, 3> kPlainScales = {kOne, 0x3dcccccd, 0x3c008081};

std::string case_name(const StorageTypeInfo& info, std::int32_t zero_point, std::uint32_t scale) {
  return fmt::format("{}/zero-point-{}/scale-{:08x}", info.name, zero_point, scale);
}

std::vector<std::int32_t> few_zero_points(const StorageTypeInfo& info) {
  std::vector<std::int32_t> all = legal_zero_points(info);
  if (info.bits < 8) return all;
  std::vector<std::int32_t> few = {all.front(), 0, 3, all.back()};
  std::sort(few.begin(), few.end());
  few.erase(std::unique(few.begin(), few.end()), few.end());
  return few;
}

std::vector<Draft> ties() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits > 8) continue;
    for (const std::int32_t zero_point : few_zero_points(info)) {
      for (const std::uint32_t scale : positive_scales()) {
        add_in_parts(drafts, case_name(info, zero_point, scale),
                     tie_inputs(scale, zero_point, info.min, info.max), quantize_request, info,
                     scale, zero_point);
      }
    }
  }
  return drafts;
}

std::vector<Draft> wide_ties() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits <= 8) continue;
    for (const std::int32_t zero_point : few_zero_points(info)) {
      for (const std::uint32_t scale : kPlainScales) {
        std::vector<float> in;
        const auto around = [&](std::int64_t code) {
          if (code < info.min - 1 || code > info.max + 1) return;
          const std::vector<float> some = tie_inputs(scale, zero_point, code, code);
          in.insert(in.end(), some.begin(), some.end());
        };
        around(info.min);
        around(info.max);
        for (unsigned bit = 1; bit < 32; ++bit) {
          around((std::int64_t{1} << bit) + zero_point);
          around(-(std::int64_t{1} << bit) + zero_point);
        }
        Random random(0x71e5 + scale);
        const std::uint64_t span = static_cast<std::uint64_t>(info.max - info.min) + 1;
        for (int i = 0; i < 84; ++i)
          around(info.min + static_cast<std::int64_t>(random.below(span)));
        add_in_parts(drafts, case_name(info, zero_point, scale), in, quantize_request, info, scale,
                     zero_point);
      }
    }
  }
  return drafts;
}

std::vector<Draft> special() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (const std::int32_t zero_point : few_zero_points(info)) {
      for (const std::uint32_t scale : positive_scales()) {
        drafts.push_back({case_name(info, zero_point, scale),
                          {quantize_request(info, scale, zero_point, special_inputs())}});
      }
    }
  }
  return drafts;
}

// Scales and inputs drawn over all of binary32, quotients mostly inside the range.
std::vector<Draft> seeded() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (unsigned n = 0; n < 8; ++n) {
      Random random(0xfee1 + n);
      const std::uint32_t scale = static_cast<std::uint32_t>(0x20000000 + random.below(0x40000000));
      const double step = std::bit_cast<float>(scale);
      const std::int32_t zero_point =
          legal_zero_points(info)[random.below(legal_zero_points(info).size())];
      std::vector<float> in;
      for (int i = 0; i < 256; ++i) {
        const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
        const double code = static_cast<double>(info.min) - 2 +
                            unit * (static_cast<double>(info.max - info.min) + 4);
        in.push_back(static_cast<float>((code - zero_point) * step));
      }
      std::sort(in.begin(), in.end());
      drafts.push_back(
          {fmt::format("{}/{}", info.name, n), {quantize_request(info, scale, zero_point, in)}});
    }
  }
  return drafts;
}

// Every code of the 16-bit types once, halfway between the ties around it.
std::vector<Draft> every_16_bit_code() {
  constexpr std::int64_t kPerRequest = 6000;
  std::vector<Draft> drafts;
  for (const StorageType type : {StorageType::kInt16, StorageType::kUint16}) {
    const StorageTypeInfo& info = info_of(type);
    const std::int32_t zero_point = info.is_signed ? -700 : 700;
    for (std::int64_t first = info.min; first <= info.max; first += kPerRequest) {
      std::vector<float> in;
      for (std::int64_t code = first; code <= std::min(info.max, first + kPerRequest - 1); ++code) {
        in.push_back(static_cast<float>(code - zero_point));
      }
      drafts.push_back({fmt::format("{}/from-{}", info.name, first),
                        {quantize_request(info, kOne, zero_point, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> requantize() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    std::vector<std::int64_t> codes;
    const std::int64_t first = std::max<std::int64_t>(info.min, -500);
    const std::int64_t last = std::min<std::int64_t>(info.max, 500);
    for (std::int64_t code = first; code <= last; ++code) codes.push_back(code);
    for (const std::int32_t zero_point : few_zero_points(info)) {
      if (std::abs(static_cast<std::int64_t>(zero_point)) > 99000) continue;
      for (const std::uint32_t scale : positive_scales()) {
        // The product has to stay a normal number.
        if (scale < 0x00800000 || scale > 0x70000000) continue;
        std::vector<float> in;
        for (const std::int64_t code : codes) {
          in.push_back(dequantize_value(info.type, std::bit_cast<float>(scale), zero_point, code));
        }
        drafts.push_back(
            {case_name(info, zero_point, scale), {quantize_request(info, scale, zero_point, in)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> count() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (std::size_t count = 0; count <= 130; ++count) {
      Random random(count + 7);
      std::vector<float> in;
      for (std::size_t i = 0; i < count; ++i) {
        // No ties: they have cases of their own.
        in.push_back(static_cast<float>(static_cast<std::int64_t>(random.below(24)) - 12) + 0.25f);
      }
      drafts.push_back(
          {fmt::format("{}/{:03}", info.name, count), {quantize_request(info, kOne, 1, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> same_everywhere() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (const std::uint32_t bits :
         {0x3f000000u, 0xbfc00000u, 0x3effffffu, 0x7f800000u, 0xcf000000u}) {
      const std::vector<float> in(67, std::bit_cast<float>(bits));
      drafts.push_back(
          {fmt::format("{}/{:08x}", info.name, bits), {quantize_request(info, kOne, 0, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> nan() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    const std::int32_t zero_point = 1;
    for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
      const float value = std::bit_cast<float>(bits);
      std::vector<float> alone = {value};
      std::vector<float> everywhere(67, value);
      std::vector<float> mixed;
      for (int i = 0; i < 67; ++i)
        mixed.push_back(i % 3 == 1 ? value : static_cast<float>(i % 5) - 2);
      drafts.push_back({fmt::format("{}/{:08x}/alone", info.name, bits),
                        {quantize_request(info, kOne, zero_point, alone)}});
      drafts.push_back({fmt::format("{}/{:08x}/everywhere", info.name, bits),
                        {quantize_request(info, kOne, zero_point, everywhere)}});
      drafts.push_back({fmt::format("{}/{:08x}/between-numbers", info.name, bits),
                        {quantize_request(info, kOne, zero_point, mixed)}});
    }
  }
  return drafts;
}

std::vector<Draft> with_scales(std::span<const std::uint32_t> scales) {
  std::vector<Draft> drafts;
  const std::array<float, 5> in = {0.0f, 1.0f, -2.5f, 100.0f, 0.05f};
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (const std::uint32_t scale : scales) {
      drafts.push_back(
          {fmt::format("{}/{:08x}", info.name, scale), {quantize_request(info, scale, 1, in)}});
    }
  }
  return drafts;
}

std::vector<Draft> scale_refused() {
  constexpr std::array<std::uint32_t, 6> kScales = {0x00000000, 0x80000000, 0x7fc00000,
                                                    0xffc00000, 0x7f800001, 0xffffffff};
  return with_scales(kScales);
}

// A check that some count, zero point or payload gets around.
std::vector<Draft> scale_refused_crossed() {
  std::vector<Draft> drafts;
  std::size_t turn = 0;
  for (const StorageTypeInfo& info : kStorageTypes) {
    const std::vector<std::int32_t> legal = legal_zero_points(info);
    for (const std::int32_t zero_point :
         {legal.front(), std::int32_t{info.is_signed ? 0 : 2}, legal.back()}) {
      for (const std::size_t count : {1u, 16u, 67u}) {
        const std::vector<float> in(count, 1.0f);
        const std::uint32_t sign = ++turn % 2 == 0 ? 0 : 0x80000000u;
        for (const std::uint32_t scale : {sign, nan_scales()[turn % nan_scales().size()]}) {
          drafts.push_back(
              {fmt::format("{}/zero-point-{}/count-{}/{:08x}", info.name, zero_point, count, scale),
               {quantize_request(info, scale, zero_point, in)}});
        }
      }
    }
  }
  return drafts;
}

// Every bit of a NaN's payload, either sign; each with one type, in turn.
std::vector<Draft> scale_nan_bits() {
  std::vector<Draft> drafts;
  const std::array<float, 3> in = {0.0f, 1.0f, -2.5f};
  for (std::size_t i = 0; i < nan_scales().size(); ++i) {
    const StorageTypeInfo& info = kStorageTypes[i % kStorageTypes.size()];
    drafts.push_back({fmt::format("{:08x}/{}", nan_scales()[i], info.name),
                      {quantize_request(info, nan_scales()[i], static_cast<int>(i % 2), in)}});
  }
  return drafts;
}

std::vector<Draft> scale_negative() {
  constexpr std::array<std::uint32_t, 3> kScales = {0xbf800000, 0xbdcccccd, 0xc0400000};
  return with_scales(kScales);
}

std::vector<Draft> scale_infinite() {
  constexpr std::array<std::uint32_t, 2> kScales = {0x7f800000, 0xff800000};
  return with_scales(kScales);
}

constexpr Family kFamilies[] = {
    {"quantize/ties", "a tie, a clamp edge or the float beside one goes to the wrong code", ties},
    {"quantize/wide-ties", "a tie of a wide type goes to the wrong code, or its sum is rounded",
     wide_ties},
    {"quantize/special", "an extreme value wraps or is undefined instead of saturating", special},
    {"quantize/seeded", "ordinary values go to the wrong code", seeded},
    {"quantize/every-16-bit-code", "some code of a 16-bit type is missed", every_16_bit_code},
    {"quantize/requantize", "a dequantized code does not come back", requantize},
    {"quantize/count", "elements behind the last full vector are wrong or missing", count},
    {"quantize/same-everywhere", "one value becomes different codes at different positions",
     same_everywhere},
    {"quantize/nan", "NaN becomes different codes, or half an output and an error", nan},
    {"quantize/scale-refused", "a scale by which nothing can be divided is used", scale_refused},
    {"quantize/scales-refused-crossed", "some count or zero point skips the check of the scale",
     scale_refused_crossed},
    {"quantize/scales-nan-bits", "NaN is told by some of its bits", scale_nan_bits},
    {"quantize/scale-negative", "a negative scale is neither refused nor divided by",
     scale_negative},
    {"quantize/scale-infinite", "an infinite scale gives something else than the zero point",
     scale_infinite},
};

}  // namespace

std::span<const Family> quantize_families() { return kFamilies; }

}  // namespace hurray::conformance
