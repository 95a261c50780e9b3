// SPDX-License-Identifier: Apache-2.0
//
// Families on calls that are to be refused: what they leave behind, which of two errors wins,
// and whether encoder and decoder refuse the same. Null pointers are in calls.cpp.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/calls.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// Each refusal with the output watched.
std::vector<Draft> refusals() {
  std::vector<Draft> drafts;
  const auto decode = [&](std::string_view name, std::size_t offset, std::uint8_t value) {
    Bytes bytes = base_descriptor();
    bytes[offset] = value;
    drafts.push_back({fmt::format("decode/{}", name),
                      {fmt::format("decode type=10 bytes={} fill=a5", to_hex(bytes))}});
  };
  decode("scheme-tag", 0, 2);
  decode("version", 1, 2);
  decode("flags", 3, 1);
  decode("scale-zero", 7, 0);
  decode("zero-point", 9, 1);
  decode("reserved", 15, 1);
  drafts.push_back(
      {"decode/storage-type", {"decode type=03 bytes=" + to_hex(base_descriptor()) + " fill=a5"}});
  Bytes shorter = base_descriptor();
  shorter.pop_back();
  drafts.push_back({"decode/short", {"decode type=10 bytes=" + to_hex(shorter) + " fill=a5"}});
  drafts.push_back(
      {"encode/scale", {"encode type=10 scheme=1 scale=7fc00000 zero_point=3 fill=a5"}});
  drafts.push_back(
      {"encode/zero-point", {"encode type=10 scheme=1 scale=3f000000 zero_point=128 fill=a5"}});
  drafts.push_back(
      {"encode/storage-type", {"encode type=03 scheme=1 scale=3f000000 zero_point=3 fill=a5"}});
  for (const StorageTypeInfo& info : kStorageTypes) {
    const auto add = [&](std::string_view name, std::uint32_t scale, std::int64_t zero_point,
                         std::size_t count) {
      drafts.push_back({fmt::format("quantize/{}{}", info.name, name),
                        {quantize_request(info, scale, static_cast<std::int32_t>(zero_point),
                                          inputs_for(info, count)) +
                         " fill=a5"}});
    };
    add("", 0, kZeroPoint, 9);
    add("/scale-zero/count-67", 0x80000000, kZeroPoint, 67);
    add("/scale-nan/count-1", 0x7fc00000, kZeroPoint, 1);
    add("/scale-nan/count-257", 0xffa00001, kZeroPoint, 257);
    if (info.type != StorageType::kInt32) {
      add("/zero-point-below/count-9", kScale, info.min - 1, 9);
      add("/zero-point-below/count-67", kScale, info.min - 1, 67);
    }
    if (info.bits < 32) add("/zero-point-above/count-257", kScale, info.max + 1, 257);
    // Whoever refuses a NaN looks for it before the first element is written.
    for (const std::size_t count : {9u, 131u, 271u}) {
      std::vector<float> in = inputs_for(info, count);
      in.back() = std::numeric_limits<float>::quiet_NaN();
      drafts.push_back({fmt::format("quantize/{}/nan-last/count-{}", info.name, count),
                        {quantize_request(info, kScale, kZeroPoint, in) + " fill=a5"}});
    }
  }
  drafts.push_back(
      {"normalize/short", {"normalize bits=4 bias=1 order=low-first count=5 packed=6778 fill=a5"}});
  return drafts;
}

std::vector<Draft> ra8_refusals() {
  std::vector<Draft> drafts;
  const std::array<std::pair<std::string_view, std::uint32_t>, 5> scales = {
      {{"zero", 0},
       {"negative-zero", 0x80000000},
       {"negative", 0xbf800000},
       {"nan", 0x7fc00000},
       {"negative-subnormal", 0x80000001}}};
  for (const std::string_view function : {"quantize_i8", "quantize_u8"}) {
    for (const auto& [name, bits] : scales) {
      for (const std::size_t count : {1u, 67u, 257u}) {
        drafts.push_back(
            {fmt::format("{}/scale-{}/count-{}", function, name, count),
             {fmt::format("ra8 fn={} scale={:08x} zero_point=7 count={} in={} fill=a5", function,
                          bits, count,
                          floats_to_hex(inputs_for(info_of(StorageType::kUint8), count)))}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> two_errors() {
  std::vector<Draft> drafts;
  for (const std::string_view function : {"quantize_i8", "quantize_u8"}) {
    for (const std::uint32_t scale : {0x00000000u, 0xbf800000u, 0x7fc00000u}) {
      for (const std::string_view null : {"in", "out"}) {
        drafts.push_back(
            {fmt::format("{}/{:08x}/null-{}", function, scale, null),
             {fmt::format("ra8 fn={} scale={:08x} zero_point=7 count=1 in=0000803f null={}",
                          function, scale, null)}});
      }
      drafts.push_back({fmt::format("{}/{:08x}/count-0", function, scale),
                        {fmt::format("ra8 fn={} scale={:08x} zero_point=7 count=0 in= fill=a5",
                                     function, scale)}});
    }
  }
  return drafts;
}

// What the encoder says of parameters, and what the decoder says of their bytes, is the same.
std::vector<Draft> encoder_and_decoder() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, std::string_view type, std::uint32_t scale,
                       std::int32_t zero_point) {
    drafts.push_back({std::string(name),
                      {encode_request(type, scale, zero_point),
                       decode_request(type, descriptor(scale, zero_point))}});
  };
  add("valid", "10", 0x3f000000, 3);
  add("negative-scale", "10", 0xbf000000, 3);
  add("subnormal-scale", "10", 0x00000001, 3);
  add("largest-scale", "10", 0x7f7fffff, 3);
  add("zero-scale", "10", 0x00000000, 3);
  add("negative-zero-scale", "10", 0x80000000, 3);
  add("infinite-scale", "10", 0x7f800000, 3);
  add("nan-scale", "10", 0x7fc00000, 3);
  add("signalling-nan-scale", "10", 0x7f800001, 3);
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits == 32) continue;
    add(fmt::format("{}-below", info.name), tag_of(info), 0x3f000000,
        static_cast<std::int32_t>(info.min - 1));
    add(fmt::format("{}-lowest", info.name), tag_of(info), 0x3f000000,
        static_cast<std::int32_t>(info.min));
    add(fmt::format("{}-highest", info.name), tag_of(info), 0x3f000000,
        static_cast<std::int32_t>(info.max));
    add(fmt::format("{}-above", info.name), tag_of(info), 0x3f000000,
        static_cast<std::int32_t>(info.max + 1));
  }
  add("uint32-negative", "15", 0x3f000000, -1);
  for (const std::int32_t end :
       {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    for (const std::string_view type : {"14", "15"}) {
      add(fmt::format("type-{}/zero-point-{}", type, end), type, 0x3f000000, end);
    }
  }
  for (const std::string_view type : {"03", "16", "17", "20", "40", "00", "ff"}) {
    add(fmt::format("storage-type-{}", type), type, 0x3f000000, 0);
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"call/refusals", "a refused call has written part of its output", refusals},
    {"call/encoder-and-decoder", "the encoder writes what the decoder refuses, or the reverse",
     encoder_and_decoder},
    {"ra8-call/refusals", "a refused call has written part of its output", ra8_refusals},
    {"ra8-call/two-errors", "two errors at once are answered neither way, or differently",
     two_errors},
};

}  // namespace

std::span<const Family> refused_call_families() { return kFamilies; }

}  // namespace hurray::conformance
