// SPDX-License-Identifier: Apache-2.0
//
// Families that cross what decode.cpp and encode.cpp vary for int8 alone: every check of a
// per-tensor affine descriptor with every storage type, several zero points and either sign of the
// scale. A check that a fast path skips (no zero point, a narrow type, a longer section) is found
// here. Where two dimensions are long, they turn against each other instead of being multiplied
// out.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::uint32_t kHalf = 0x3f000000;
constexpr std::uint32_t kMinusHalf = 0xbf000000;
constexpr std::array<std::uint32_t, 8> kRefusedScales = {
    0x7fc00000, 0xffc00001, 0x7fa00001, 0xffbfffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000};

// A scale and a zero point that a descriptor of the type may hold.
struct Parameters {
  std::uint32_t scale;
  std::int32_t zero_point;
};

std::string name_of(const Parameters& parameters) {
  return fmt::format("zero-point-{}/scale-{:08x}", parameters.zero_point, parameters.scale);
}

// The ends of the range, its middle, and a small number.
std::array<std::int32_t, 4> four_zero_points(const StorageTypeInfo& info) {
  const std::int64_t max =
      std::min<std::int64_t>(info.max, std::numeric_limits<std::int32_t>::max());
  const auto narrowed = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  return {narrowed(info.min), info.is_signed ? -1 : 1, narrowed((info.min + max + 1) / 2),
          narrowed(max)};
}

Parameters combination(const StorageTypeInfo& info, std::size_t which) {
  return {which % 2 == 0 ? kHalf : kMinusHalf, four_zero_points(info)[which / 2 % 4]};
}

Bytes valid(const Parameters& parameters) {
  return descriptor(parameters.scale, parameters.zero_point);
}
std::string decode(const StorageTypeInfo& info, std::span<const std::uint8_t> bytes) {
  return decode_request(tag_of(info), bytes);
}
std::string encode(const StorageTypeInfo& info, const Parameters& parameters) {
  return encode_request(tag_of(info), parameters.scale, parameters.zero_point);
}

// Bytes that replace those of a valid descriptor from an offset on, written as they lie in memory.
struct Edit {
  std::size_t offset;
  std::string_view hex;
};

Bytes edited(Bytes bytes, const Edit& edit) {
  const Bytes with = parse_hex(edit.hex).value();
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(edit.offset));
  return bytes;
}

// Each edit with each type; over at least eight edits a type goes through all its combinations.
std::vector<Draft> turning(std::size_t offset, std::span<const std::string_view> hex) {
  std::vector<Draft> drafts;
  for (std::size_t type = 0; type < kStorageTypes.size(); ++type) {
    const StorageTypeInfo& info = kStorageTypes[type];
    for (std::size_t i = 0; i < hex.size(); ++i) {
      const Parameters parameters = combination(info, i + type);
      drafts.push_back({fmt::format("{}/{}/{}", info.name, hex[i], name_of(parameters)),
                        {decode(info, edited(valid(parameters), {offset, hex[i]}))}});
    }
  }
  return drafts;
}

std::vector<Draft> scheme_tag() {
  constexpr std::array<std::string_view, 11> kTags = {"00", "06", "1f", "41", "60", "80",
                                                      "c1", "f0", "f7", "fe", "ff"};
  return turning(0, kTags);
}
std::vector<Draft> version() {
  constexpr std::array<std::string_view, 8> kVersions = {"02", "03", "04", "10",
                                                         "7f", "81", "fe", "ff"};
  return turning(1, kVersions);
}
std::vector<Draft> flags() {
  constexpr std::array<std::string_view, 8> kFlags = {"0100", "0001", "0080", "8000",
                                                      "0101", "8080", "ffff", "0010"};
  return turning(2, kFlags);
}
std::vector<Draft> reserved() {
  constexpr std::array<std::string_view, 8> kReserved = {"01000000", "00010000", "00000100",
                                                         "00000001", "00000080", "01010000",
                                                         "80800000", "ffffffff"};
  return turning(12, kReserved);
}

std::vector<Draft> prefix() {
  constexpr std::array<std::size_t, 8> kLengths = {0, 4, 8, 11, 12, 13, 14, 15};
  std::vector<Draft> drafts;
  for (std::size_t type = 0; type < kStorageTypes.size(); ++type) {
    const StorageTypeInfo& info = kStorageTypes[type];
    for (std::size_t i = 0; i < kLengths.size(); ++i) {
      // Without its parameters a prefix of up to four bytes is everybody's.
      const Parameters parameters = combination(info, i + type);
      drafts.push_back(
          {fmt::format("{}/{:02}", info.name, kLengths[i]),
           {decode(info, std::span<const std::uint8_t>(valid(parameters)).first(kLengths[i]))}});
    }
  }
  return drafts;
}

// Several bits at once, whose sum, exclusive or, or lowest byte is zero.
std::vector<Draft> int8_with(std::size_t offset, std::span<const std::string_view> hex) {
  std::vector<Draft> drafts;
  const StorageTypeInfo& info = info_of(StorageType::kInt8);
  for (const std::string_view each : hex) {
    drafts.push_back(
        {std::string(each), {decode(info, edited(base_descriptor(), {offset, each}))}});
  }
  return drafts;
}
// Two fields that are each enough to refuse: a check of both at once may miss the pair.
std::vector<Draft> two_wrong() {
  constexpr std::array<Edit, 19> kWrong = {{{0, "00"},
                                            {0, "02"},
                                            {0, "04"},
                                            {0, "61"},
                                            {0, "ff"},
                                            {1, "00"},
                                            {1, "02"},
                                            {1, "81"},
                                            {2, "0100"},
                                            {2, "0080"},
                                            {4, "00000000"},
                                            {4, "0000807f"},
                                            {4, "0100c0ff"},
                                            {8, "00000100"},
                                            {8, "00ffffff"},
                                            {12, "01000000"},
                                            {12, "00000080"},
                                            {12, "80008000"},
                                            {12, "ffffffff"}}};
  std::vector<Draft> drafts;
  constexpr std::array<StorageType, 3> kTypes = {StorageType::kInt8, StorageType::kUint16,
                                                 StorageType::kInt4};
  std::size_t turn = 0;
  for (std::size_t a = 0; a < kWrong.size(); ++a) {
    for (std::size_t b = a + 1; b < kWrong.size(); ++b) {
      if (kWrong[a].offset == kWrong[b].offset) continue;
      const StorageTypeInfo& info = info_of(kTypes[turn++ % kTypes.size()]);
      const Bytes bytes = edited(edited(base_descriptor(0), kWrong[a]), kWrong[b]);
      drafts.push_back({fmt::format("{}/{}-{}-and-{}-{}", info.name, kWrong[a].offset,
                                    kWrong[a].hex, kWrong[b].offset, kWrong[b].hex),
                        {decode(info, bytes)}});
    }
  }
  return drafts;
}

std::vector<Draft> flags_several() {
  constexpr std::array<std::string_view, 12> kFlags = {"0101", "8080", "ffff", "01ff",
                                                       "ff01", "40c0", "c040", "5555",
                                                       "aaaa", "ff00", "00ff", "7f81"};
  return int8_with(2, kFlags);
}
std::vector<Draft> reserved_several() {
  constexpr std::array<std::string_view, 20> kReserved = {
      "01010000", "01000100", "01000001", "00010100", "00010001", "00000101", "80800000",
      "80008000", "00008080", "ff010000", "00ff0100", "0000ff01", "01ffffff", "0100ffff",
      "ffff0100", "ffffffff", "ffff0000", "0000ffff", "40404040", "a5a5a5a5"};
  return int8_with(12, kReserved);
}

std::vector<Draft> scale_nan_bits() {
  std::vector<Draft> drafts;
  for (const std::uint32_t bits : nan_scales()) {
    const StorageTypeInfo& info = info_of(StorageType::kInt8);
    drafts.push_back({fmt::format("{:08x}", bits), {decode(info, valid({bits, 3}))}});
  }
  return drafts;
}
std::vector<Draft> encode_scale_nan_bits() {
  std::vector<Draft> drafts;
  for (const std::uint32_t bits : nan_scales()) {
    const StorageTypeInfo& info = info_of(StorageType::kInt8);
    drafts.push_back({fmt::format("{:08x}", bits), {encode(info, {bits, 3})}});
  }
  return drafts;
}

// Every refused scale with every type and zero point, for the reader and for the writer.
std::vector<Draft> refused_scales(std::span<const std::uint32_t> scales, bool decodes) {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    for (const std::int32_t zero_point : four_zero_points(info)) {
      for (const std::uint32_t scale : scales) {
        const Parameters parameters = {scale, zero_point};
        drafts.push_back({fmt::format("{}/{}", info.name, name_of(parameters)),
                          {decodes ? decode(info, valid(parameters)) : encode(info, parameters)}});
      }
    }
  }
  return drafts;
}
std::vector<Draft> scale_nan() { return refused_scales(std::span(kRefusedScales).first(4), true); }
std::vector<Draft> scale_infinite() {
  return refused_scales(std::span(kRefusedScales).subspan(4, 2), true);
}
std::vector<Draft> scale_zero() { return refused_scales(std::span(kRefusedScales).last(2), true); }
std::vector<Draft> encode_scale() { return refused_scales(kRefusedScales, false); }

// What is legal for int8 is legal for the others: scales of any magnitude and sign, a third of them
// for each type.
std::vector<Draft> legal(bool decodes) {
  std::vector<std::uint32_t> scales(positive_scales().begin(), positive_scales().end());
  scales.insert(scales.end(), negative_scales().begin(), negative_scales().end());
  // Subnormals of many bits, and the neighbours of every limit that somebody might draw.
  for (const std::uint32_t bits : {0x00001235u, 0x00555555u, 0x80003001u, 0x00800001u, 0x01a2b3c5u,
                                   0x7f7ffffeu, 0xff000001u, 0x02000001u, 0x3f805555u}) {
    scales.push_back(bits);
  }
  std::vector<Draft> drafts;
  for (std::size_t type = 0; type < kStorageTypes.size(); ++type) {
    const StorageTypeInfo& info = kStorageTypes[type];
    for (std::size_t i = type % 3; i < scales.size(); i += 3) {
      const Parameters parameters = {scales[i], four_zero_points(info)[(i + type) % 4]};
      drafts.push_back({fmt::format("{}/{}", info.name, name_of(parameters)),
                        {decodes ? decode(info, valid(parameters)) : encode(info, parameters)}});
    }
  }
  return drafts;
}
std::vector<Draft> decode_legal() { return legal(true); }
std::vector<Draft> encode_legal() { return legal(false); }

// --- Zero points in bands

// Inside the range and around it: a range drawn from another type, or a number that is cut to fewer
// bits before it is compared, agrees with the right one at the ends of the type.
std::vector<std::int32_t> band(const StorageTypeInfo& info) {
  constexpr std::int64_t kAround = 40;
  std::vector<std::int64_t> values;
  if (info.bits <= 8) {
    for (std::int64_t value = info.min - kAround; value <= info.max + kAround; ++value) {
      values.push_back(value);
    }
  } else {
    for (unsigned bit = 0; bit < 31; ++bit) {
      values.push_back(info.min - 1 - (std::int64_t{1} << bit));
      values.push_back(info.max + 1 + (std::int64_t{1} << bit));
    }
    Random random(info.bits + info.is_signed);
    const std::uint64_t span = static_cast<std::uint64_t>(info.max - info.min) + 1;
    for (int i = 0; i < 64; ++i) {
      values.push_back(info.min + static_cast<std::int64_t>(random.below(span)));
      values.push_back(info.min - static_cast<std::int64_t>(random.below(span)));
    }
  }
  for (const std::int64_t low : {0, 1}) {
    for (const unsigned bit : {8u, 16u, 24u, 30u}) {
      values.push_back(low + (std::int64_t{1} << bit));
      values.push_back(low - (std::int64_t{1} << bit));
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::int32_t> fitting;
  for (const std::int64_t value : values) {
    if (value == static_cast<std::int32_t>(value)) {
      fitting.push_back(static_cast<std::int32_t>(value));
    }
  }
  return fitting;
}

// So many that several make a case. What lies inside the range and what lies outside are apart: a
// reader whose range is too wide still reads the bytes rightly.
std::vector<Draft> bands(bool decodes, bool inside) {
  constexpr std::size_t kPerCase = 16;
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    std::vector<std::int32_t> values = band(info);
    std::erase_if(values, [&](std::int32_t value) {
      return (value >= info.min && value <= info.max) != inside;
    });
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % kPerCase == 0)
        drafts.push_back({fmt::format("{}/from-{}", info.name, values[i]), {}});
      const Parameters parameters = {i % 3 == 0 ? kMinusHalf : kHalf, values[i]};
      drafts.back().requests.push_back(decodes ? decode(info, valid(parameters))
                                               : encode(info, parameters));
    }
  }
  return drafts;
}
std::vector<Draft> decode_inside() { return bands(true, true); }
std::vector<Draft> decode_outside() { return bands(true, false); }
std::vector<Draft> encode_inside() { return bands(false, true); }
std::vector<Draft> encode_outside() { return bands(false, false); }

// --- Longer sections

constexpr std::array<std::size_t, 4> kLongerLengths = {17, 20, 32, 80};

Bytes longer(Bytes bytes, std::size_t length, std::uint8_t filler) {
  bytes.resize(length, filler);
  return bytes;
}

std::vector<Draft> longer_valid() {
  std::vector<Draft> drafts;
  for (std::size_t type = 0; type < kStorageTypes.size(); ++type) {
    const StorageTypeInfo& info = kStorageTypes[type];
    for (std::size_t i = 0; i < kLongerLengths.size(); ++i) {
      const Parameters parameters = combination(info, 2 * i + type);
      const Bytes bytes = longer(valid(parameters), kLongerLengths[i], type % 2 ? 0 : 0xff);
      drafts.push_back({fmt::format("{}/{}", info.name, kLongerLengths[i]), {decode(info, bytes)}});
    }
  }
  return drafts;
}

// The checks of the first 16 bytes hold for longer sections too. Two lengths for each edit and
// type.
std::vector<Draft> longer_invalid(std::span<const Edit> edits) {
  std::vector<Draft> drafts;
  for (std::size_t type = 0; type < kStorageTypes.size(); ++type) {
    const StorageTypeInfo& info = kStorageTypes[type];
    for (std::size_t e = 0; e < edits.size(); ++e) {
      // Every int32 is a zero point of int32 itself.
      if (edits[e].offset == 8 && info.type == StorageType::kInt32) continue;
      for (std::size_t i = (e + type) % 2; i < kLongerLengths.size(); i += 2) {
        const Bytes bytes = edited(valid(combination(info, i + type)), edits[e]);
        drafts.push_back({fmt::format("{}/{}/{}", info.name, edits[e].hex, kLongerLengths[i]),
                          {decode(info, longer(bytes, kLongerLengths[i], 0))}});
      }
    }
  }
  return drafts;
}
std::vector<Draft> longer_scheme_tag() {
  constexpr std::array<Edit, 1> kEdits = {{{0, "f0"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_version() {
  constexpr std::array<Edit, 1> kEdits = {{{1, "02"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_flags() {
  constexpr std::array<Edit, 1> kEdits = {{{2, "0100"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_scale_nan() {
  constexpr std::array<Edit, 1> kEdits = {{{4, "0000c07f"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_scale_infinite() {
  constexpr std::array<Edit, 1> kEdits = {{{4, "000080ff"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_scale_zero() {
  constexpr std::array<Edit, 1> kEdits = {{{4, "00000000"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_zero_point() {
  constexpr std::array<Edit, 1> kEdits = {{{8, "00000080"}}};
  return longer_invalid(kEdits);
}
std::vector<Draft> longer_reserved() {
  constexpr std::array<Edit, 2> kEdits = {{{12, "00000001"}, {12, "ffffffff"}}};
  return longer_invalid(kEdits);
}

constexpr Family kFamilies[] = {
    {"decode/scheme-tags-crossed", "some storage type or fast path skips the check of the tag",
     scheme_tag},
    {"decode/versions-crossed", "some storage type or fast path skips the check of the version",
     version},
    {"decode/flags-crossed", "some storage type or fast path skips the check of the flags", flags},
    {"decode/two-wrong", "two wrong fields cancel each other in a combined check", two_wrong},
    {"decode/flags-several", "set flags cancel each other in the check", flags_several},
    {"decode/reserved-crossed",
     "some storage type or fast path skips the check of the reserved bytes", reserved},
    {"decode/reserved-several", "set reserved bytes cancel each other in the check",
     reserved_several},
    {"decode/prefixes-crossed", "some storage type is read from fewer bytes", prefix},
    {"decode/scales-nan-crossed", "some storage type or fast path skips the check of the scale",
     scale_nan},
    {"decode/scales-nan-bits", "NaN is told by some of its bits", scale_nan_bits},
    {"decode/scales-infinite-crossed",
     "some storage type or fast path skips the check of the scale", scale_infinite},
    {"decode/scales-zero-crossed", "some storage type or fast path skips the check of the scale",
     scale_zero},
    {"decode/legal-crossed", "a legal descriptor of some storage type is refused or read wrongly",
     decode_legal},
    {"decode/zero-points-inside",
     "a zero point inside the range is refused, or another one is read", decode_inside},
    {"decode/zero-points-outside", "the range of the zero point is another one away from its ends",
     decode_outside},
    {"decode/longer-crossed", "longer sections are skipped for some storage types only",
     longer_valid},
    {"decode/scheme-tags-longer", "a longer section is accepted without this check",
     longer_scheme_tag},
    {"decode/versions-longer", "a longer section is accepted without this check", longer_version},
    {"decode/flags-longer", "a longer section is accepted without this check", longer_flags},
    {"decode/scales-nan-longer", "a longer section is accepted without this check",
     longer_scale_nan},
    {"decode/scales-infinite-longer", "a longer section is accepted without this check",
     longer_scale_infinite},
    {"decode/scales-zero-longer", "a longer section is accepted without this check",
     longer_scale_zero},
    {"decode/zero-points-longer", "a longer section is accepted without this check",
     longer_zero_point},
    {"decode/reserved-longer", "a longer section is accepted without this check", longer_reserved},
    {"encode/scales-crossed", "some storage type or fast path skips the check of the scale",
     encode_scale},
    {"encode/scales-nan-bits", "NaN is told by some of its bits", encode_scale_nan_bits},
    {"encode/legal-crossed", "a legal descriptor of some storage type is not written, or wrongly",
     encode_legal},
    {"encode/zero-points-inside", "a zero point inside the range is refused, or another is written",
     encode_inside},
    {"encode/zero-points-outside", "the range of the zero point is another one away from its ends",
     encode_outside},
};

}  // namespace

std::span<const Family> crossed_families() { return kFamilies; }

}  // namespace hurray::conformance
