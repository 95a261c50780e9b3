// SPDX-License-Identifier: Apache-2.0
//
// Families on writing a per-tensor affine descriptor.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"

namespace hurray::conformance {
namespace {

std::vector<Draft> storage_type() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    const std::string type = fmt::format("{:02x}", tag);
    drafts.push_back({type, {encode_request(type, 0x3f000000, 0)}});
  }
  return drafts;
}

std::vector<Draft> scale() {
  std::vector<Draft> drafts;
  const auto add = [&drafts](std::uint32_t bits) {
    drafts.push_back({fmt::format("{:08x}", bits), {encode_request("10", bits, 3)}});
  };
  for (const std::uint32_t bits : positive_scales()) add(bits);
  for (const std::uint32_t bits : negative_scales()) add(bits);
  for (const std::uint32_t bits :
       {0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u,
        0xffffffffu, 0x12345678u, 0x80400000u}) {
    add(bits);
  }
  return drafts;
}

std::vector<Draft> zero_point() {
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    std::vector<std::int64_t> values = {info.min - 1, info.max + 1,
                                        std::numeric_limits<std::int32_t>::min(),
                                        std::numeric_limits<std::int32_t>::max()};
    for (const std::int32_t legal : legal_zero_points(info)) values.push_back(legal);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const std::int64_t value : values) {
      if (value != static_cast<std::int32_t>(value)) continue;
      drafts.push_back({fmt::format("{}/{}", info.name, value),
                        {encode_request(tag_of(info), 0x3f000000, value)}});
    }
  }
  return drafts;
}

// Tags of no scheme, in turn with every type: an encoder that knows one scheme may not look.
std::vector<Draft> scheme_tag() {
  constexpr std::array<unsigned, 24> kTags = {0x00, 0x06, 0x07, 0x09, 0x11, 0x1f, 0x21, 0x41,
                                              0x5f, 0x60, 0x61, 0x7f, 0x80, 0x81, 0xa5, 0xc1,
                                              0xe0, 0xef, 0xf0, 0xf1, 0xf7, 0xfd, 0xfe, 0xff};
  std::vector<Draft> drafts;
  for (std::size_t i = 0; i < kTags.size(); ++i) {
    const StorageTypeInfo& info = kStorageTypes[i % kStorageTypes.size()];
    drafts.push_back({fmt::format("{:02x}/{}", kTags[i], info.name),
                      {fmt::format("encode type={} scheme={} scale=3f000000 zero_point=0",
                                   tag_of(info), kTags[i])}});
  }
  // Without a field that another scheme would have.
  drafts.push_back({"06/no-fields", {"encode type=10 scheme=6 scale=00000000 zero_point=0"}});
  return drafts;
}

constexpr Family kFamilies[] = {
    {"encode/scheme-tag", "a descriptor of a scheme that does not exist is written as another",
     scheme_tag},
    {"encode/storage-type", "a descriptor is written for a tensor that the scheme does not allow",
     storage_type},
    {"encode/scale", "the scale's bytes are wrong, or a scale is written that every reader refuses",
     scale},
    {"encode/zero-point",
     "the zero point's bytes are wrong, or one is written that every reader refuses", zero_point},
};

}  // namespace

std::span<const Family> encode_families() { return kFamilies; }

}  // namespace hurray::conformance
