// SPDX-License-Identifier: Apache-2.0
//
// Families on call discipline of the codec and of normalizing: what calls.cpp asks of the kernels,
// asked of decode, encode and normalize, of every storage type, and of every kind of refusal.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// A request without call-discipline keys, and its place in case names.
struct Call {
  std::string name;
  std::string request;
};

Bytes plane(std::size_t bytes) {
  Random random(bytes + 5);
  Bytes packed(bytes);
  for (std::uint8_t& byte : packed) byte = static_cast<std::uint8_t>(random.next());
  return packed;
}
std::string normalize(int bias, std::size_t count, std::size_t bytes) {
  return fmt::format("normalize bits=4 bias={} order=low-first count={} packed={}", bias, count,
                     to_hex(plane(bytes)));
}

// A scale and a zero point for each type, all different.
std::uint32_t scale_for(const StorageTypeInfo& info) {
  return 0x3d000000u + static_cast<std::uint32_t>(info.type) * 0x00010101u;
}
std::int32_t zero_point_for(const StorageTypeInfo& info) {
  const std::vector<std::int32_t> legal = legal_zero_points(info);
  return legal[static_cast<std::size_t>(info.type) % legal.size()];
}

std::vector<Call> decodes() {
  std::vector<Call> calls;
  for (const StorageTypeInfo& info : kStorageTypes) {
    calls.push_back(
        {fmt::format("decode/{}", info.name),
         decode_request(tag_of(info), descriptor(scale_for(info), zero_point_for(info)))});
  }
  return calls;
}
std::vector<Call> encodes() {
  std::vector<Call> calls;
  for (const StorageTypeInfo& info : kStorageTypes) {
    calls.push_back({fmt::format("encode/{}", info.name),
                     encode_request(tag_of(info), scale_for(info), zero_point_for(info))});
  }
  return calls;
}
std::vector<Call> longer_decodes() {
  std::vector<Call> calls;
  for (const StorageType type : {StorageType::kInt8, StorageType::kUint16, StorageType::kInt4}) {
    const StorageTypeInfo& info = info_of(type);
    for (const std::size_t length : {17u, 20u, 80u}) {
      Bytes bytes = descriptor(scale_for(info), zero_point_for(info));
      bytes.resize(length, 0x3c);
      calls.push_back({fmt::format("decode/{}-{}-bytes", info.name, length),
                       decode_request(tag_of(info), bytes)});
    }
  }
  return calls;
}
std::vector<Call> normalizes(std::span<const std::size_t> counts) {
  std::vector<Call> calls;
  for (const std::size_t count : counts) {
    calls.push_back({fmt::format("normalize/count-{}", count),
                     normalize(static_cast<int>(count % 3 != 0), count, (count + 1) / 2)});
  }
  return calls;
}

// One edit to a valid descriptor of each type, or another argument, that has to be refused.
std::vector<Call> refused_decodes() {
  std::vector<Call> calls;
  for (const StorageTypeInfo& info : kStorageTypes) {
    const std::string type = tag_of(info);
    const Bytes valid = descriptor(scale_for(info), zero_point_for(info));
    const auto add = [&](std::string_view name, std::span<const std::uint8_t> bytes) {
      calls.push_back({fmt::format("decode/{}/{}", info.name, name), decode_request(type, bytes)});
    };
    const auto edit = [&](std::string_view name, std::size_t offset, std::uint8_t value) {
      Bytes bytes = valid;
      bytes[offset] = value;
      add(name, bytes);
      bytes.resize(24);
      if (offset % 3 == 0) add(fmt::format("{}-24-bytes", name), bytes);
    };
    edit("scheme-tag", 0, 0xf1);
    edit("version", 1, 3);
    edit("flags", 3, 0x40);
    edit("reserved", 12, 0x10);
    const std::int32_t zero_point = zero_point_for(info);
    add("scale-nan", descriptor(0xffa00000, zero_point));
    add("scale-infinite", descriptor(0x7f800000, zero_point));
    add("scale-minus-infinite", descriptor(0xff800000, zero_point));
    add("scale-zero", descriptor(0x80000000, zero_point));
    for (const std::int64_t outside : {info.min - 1, info.max + 1}) {
      const std::int32_t narrowed = static_cast<std::int32_t>(outside);
      if (outside != narrowed) continue;
      add(outside < 0 ? "zero-point-below" : "zero-point-above",
          descriptor(scale_for(info), narrowed));
    }
    add("15-bytes", std::span(valid).first(15));
    add("11-bytes", std::span(valid).first(11));
  }
  calls.push_back({"decode/int64/storage-type", decode_request("16", base_descriptor())});
  return calls;
}
std::vector<Call> refused_encodes() {
  std::vector<Call> calls;
  for (const StorageTypeInfo& info : kStorageTypes) {
    const auto add = [&](std::string_view name, std::uint32_t scale, std::int64_t zero_point) {
      calls.push_back({fmt::format("encode/{}/{}", info.name, name),
                       encode_request(tag_of(info), scale, zero_point)});
    };
    const std::int32_t zero_point = zero_point_for(info);
    add("scale-nan", 0x7fc00000, zero_point);
    add("scale-infinite", 0xff800000, zero_point);
    add("scale-zero", 0x00000000, zero_point);
    for (const std::int64_t outside : {info.min - 1, info.max + 1}) {
      if (outside != static_cast<std::int32_t>(outside)) continue;
      add(outside < 0 ? "zero-point-below" : "zero-point-above", scale_for(info), outside);
    }
  }
  calls.push_back({"encode/int64/storage-type", encode_request("16", 0x3f000000, 0)});
  return calls;
}
std::vector<Call> refused_normalizes() {
  std::vector<Call> calls;
  for (const std::size_t bytes : {0u, 1u, 7u, 16u, 21u, 65u, 256u}) {
    for (const std::size_t excess : {1u, 2u, 9u}) {
      calls.push_back({fmt::format("normalize/{}-bytes/{}-fields", bytes, 2 * bytes + excess),
                       normalize(1, 2 * bytes + excess, bytes)});
    }
  }
  return calls;
}

void append(std::vector<Call>& calls, std::vector<Call> more) {
  std::move(more.begin(), more.end(), std::back_inserter(calls));
}

// Descriptor bytes at any address, against an inaccessible page, and with the result structure
// watched.
std::vector<Draft> places() {
  std::vector<Draft> drafts;
  const std::string decode = "decode type=10 bytes=" + to_hex(base_descriptor());
  const std::string encode = "encode type=10 scheme=1 scale=3f000000 zero_point=3";
  for (const unsigned offset : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    drafts.push_back(
        {fmt::format("decode/offset-{}", offset), {fmt::format("{} in_off={}", decode, offset)}});
    drafts.push_back(
        {fmt::format("encode/offset-{}", offset), {fmt::format("{} out_off={}", encode, offset)}});
  }
  return drafts;
}

// Every byte with its top bit set, and every half: put together from signed parts, they borrow.
std::vector<Draft> signed_parts() {
  constexpr std::array<std::uint32_t, 2> kScales = {0x3f8080ff, 0x80ff8081};
  std::vector<Draft> drafts;
  for (const StorageType type : {StorageType::kInt32, StorageType::kUint32, StorageType::kInt16}) {
    const StorageTypeInfo& info = info_of(type);
    for (const std::int64_t zero_point :
         {std::int64_t{0x18000}, std::int64_t{0x7f808080}, std::int64_t{0xff80}, std::int64_t{0x80},
          std::int64_t{-0x7f7f7f80}, std::int64_t{-0x7f80}, std::int64_t{-128}}) {
      if (zero_point < info.min || zero_point > info.max) continue;
      for (unsigned offset = 0; offset < 4; ++offset) {
        const std::string name =
            fmt::format("{}/zero-point-{}/offset-{}", info.name, zero_point, offset);
        const std::uint32_t scale = kScales[offset % 2];
        drafts.push_back(
            {"decode/" + name,
             {fmt::format("{} in_off={}",
                          decode_request(tag_of(info),
                                         descriptor(scale, static_cast<std::int32_t>(zero_point))),
                          offset)}});
        drafts.push_back({"encode/" + name,
                          {fmt::format("{} out_off={}",
                                       encode_request(tag_of(info), scale, zero_point), offset)}});
      }
    }
  }
  return drafts;
}

std::vector<Draft> guards() {
  std::vector<Draft> drafts;
  const Bytes bytes = base_descriptor();
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    drafts.push_back({fmt::format("decode/{:02}", length),
                      {fmt::format("decode type=10 bytes={} guard=after",
                                   to_hex(std::span(bytes).first(length)))}});
  }
  drafts.push_back({"decode/before", {"decode type=10 bytes=" + to_hex(bytes) + " guard=before"}});
  drafts.push_back(
      {"encode/after", {"encode type=10 scheme=1 scale=3f000000 zero_point=3 guard=after"}});
  drafts.push_back(
      {"encode/before", {"encode type=10 scheme=1 scale=3f000000 zero_point=3 guard=before"}});
  return drafts;
}

// Every call with every string of keys.
void cross(std::vector<Draft>& drafts, const std::vector<Call>& calls,
           std::span<const std::string_view> keys) {
  for (const Call& call : calls) {
    for (const std::string_view key : keys) {
      std::string name(key);
      for (char& c : name) c = c == ' ' || c == '=' || c == '_' ? '-' : c;
      drafts.push_back(
          {fmt::format("{}/{}", call.name, name), {call.request + " " + std::string(key)}});
    }
  }
}

constexpr std::array<std::size_t, 11> kCounts = {1, 2, 3, 4, 7, 8, 9, 16, 17, 67, 257};

std::vector<Draft> bounds() {
  constexpr std::array<std::string_view, 2> kFills = {"fill=a5", "fill=00"};
  constexpr std::array<std::string_view, 4> kAtBytes = {
      "out_off=1 fill=a5", "out_off=2 fill=a5", "out_off=7 fill=a5", "in_off=4 out_off=33 fill=a5"};
  constexpr std::array<std::string_view, 3> kAtWords = {
      "in_off=1 out_off=4 fill=a5", "in_off=3 out_off=12 fill=a5", "in_off=6 out_off=60 fill=a5"};
  std::vector<Draft> drafts;
  std::vector<Call> all = decodes();
  append(all, longer_decodes());
  append(all, encodes());
  append(all, normalizes(kCounts));
  cross(drafts, all, kFills);

  const std::vector<Call> writing = encodes();
  for (std::size_t i = 0; i < writing.size(); ++i) {
    cross(drafts, {writing[i]}, std::span(kAtBytes).subspan(i % kAtBytes.size(), 1));
  }
  std::vector<Call> reading = decodes();
  constexpr std::array<std::size_t, 3> kFew = {3, 9, 67};
  append(reading, normalizes(kFew));
  for (std::size_t i = 0; i < reading.size(); ++i) {
    cross(drafts, {reading[i]}, std::span(kAtWords).subspan(i % kAtWords.size(), 1));
  }
  return drafts;
}

// Room for fewer bytes than a descriptor has, and for no more.
std::vector<Draft> capacity() {
  constexpr std::array<std::string_view, 2> kEnough = {"capacity=16 fill=a5",
                                                       "capacity=16 guard=after"};
  constexpr std::array<std::string_view, 4> kTooLittle = {
      "capacity=0 fill=a5", "capacity=15 fill=a5", "capacity=12 fill=a5", "capacity=4 fill=a5"};
  constexpr std::array<std::string_view, 1> kAtAPage = {"capacity=15 guard=after"};
  std::vector<Draft> drafts;
  const std::vector<Call> writing = encodes();
  for (std::size_t i = 0; i < writing.size(); ++i) {
    cross(drafts, {writing[i]}, std::span(kEnough).subspan(i % 2, 1));
    cross(drafts, {writing[i]}, std::span(kTooLittle).subspan(i % 2 * 2, 2));
    if (i % 3 == 0) cross(drafts, {writing[i]}, kAtAPage);
  }
  // Much room, by numbers whose low byte or half is too little.
  constexpr std::array<std::string_view, 7> kMuch = {
      "capacity=255",   "capacity=256",   "capacity=271",   "capacity=4096",
      "capacity=65536", "capacity=65551", "capacity=131072"};
  cross(drafts, {writing.front(), writing.back()}, kMuch);
  return drafts;
}

// Against pages that cannot be touched.
std::vector<Draft> edges() {
  constexpr std::array<std::string_view, 2> kGuards = {"guard=after", "guard=before"};
  std::vector<Draft> drafts;
  std::vector<Call> all = decodes();
  append(all, longer_decodes());
  append(all, encodes());
  append(all, normalizes(kCounts));
  cross(drafts, all, kGuards);
  std::vector<Call> refused = refused_normalizes();
  std::erase_if(refused, [](const Call& call) { return !call.name.ends_with("1-fields"); });
  cross(drafts, refused, std::span(kGuards).first(1));
  return drafts;
}

std::vector<Draft> read_only() {
  constexpr std::array<std::string_view, 1> kKeys = {"guard=input"};
  constexpr std::array<std::size_t, 2> kFew = {9, 67};
  std::vector<Draft> drafts;
  std::vector<Call> all = decodes();
  append(all, encodes());
  append(all, normalizes(kFew));
  cross(drafts, all, kKeys);
  return drafts;
}

// Any address for bytes, any multiple of four for the rest.
std::vector<Draft> offsets() {
  constexpr std::array<std::string_view, 4> kDecode = {
      "in_off=1 out_off=4", "in_off=2 out_off=8", "in_off=3 out_off=12", "in_off=13 out_off=20"};
  constexpr std::array<std::string_view, 4> kEncode = {
      "in_off=4 out_off=1", "in_off=8 out_off=2", "in_off=12 out_off=3", "in_off=20 out_off=13"};
  constexpr std::array<std::size_t, 3> kFew = {3, 16, 67};
  std::vector<Draft> drafts;
  const std::vector<Call> reading = decodes();
  const std::vector<Call> writing = encodes();
  for (std::size_t i = 0; i < reading.size(); ++i) {
    cross(drafts, {reading[i]}, std::span(kDecode).subspan(i % kDecode.size(), 1));
    cross(drafts, {writing[i]}, std::span(kEncode).subspan(i % kEncode.size(), 1));
  }
  cross(drafts, normalizes(kFew), kDecode);
  return drafts;
}

std::vector<Draft> concurrent() {
  constexpr std::array<std::string_view, 1> kThreads = {"threads=4"};
  constexpr std::array<std::size_t, 4> kSome = {5, 67, 257, 1025};
  std::vector<Draft> drafts;
  std::vector<Call> all = decodes();
  append(all, encodes());
  append(all, normalizes(kSome));
  cross(drafts, all, kThreads);
  return drafts;
}

// What a call makes of the caller's mode. A subnormal scale is a scale like any other, also where
// the caller's mode takes subnormal operands for zero: a check that compares as floats refuses it.
std::vector<Draft> modes() {
  constexpr std::array<std::string_view, 5> kModes = {
      "fenv=nearest", "fenv=upward", "fenv=downward", "fenv=toward-zero", "fenv=flush"};
  std::vector<Call> all;
  for (const StorageType type : {StorageType::kInt8, StorageType::kUint16, StorageType::kInt4}) {
    const StorageTypeInfo& info = info_of(type);
    for (const std::uint32_t scale : {scale_for(info), 0x00000101u, 0x80400000u, 0x7fc00000u}) {
      const std::int32_t zero_point = zero_point_for(info);
      all.push_back({fmt::format("decode/{}/scale-{:08x}", info.name, scale),
                     decode_request(tag_of(info), descriptor(scale, zero_point))});
      all.push_back({fmt::format("encode/{}/scale-{:08x}", info.name, scale),
                     encode_request(tag_of(info), scale, zero_point)});
    }
  }
  Bytes bytes = base_descriptor();
  bytes[14] = 1;
  all.push_back({"decode/int8/reserved", decode_request("10", bytes)});
  all.push_back({"encode/int8/zero-point-128", encode_request("10", 0x3f000000, 128)});
  constexpr std::array<std::size_t, 2> kSome = {9, 67};
  append(all, normalizes(kSome));
  all.push_back({"normalize/too-short", normalize(1, 9, 4)});
  std::vector<Draft> drafts;
  cross(drafts, all, kModes);
  // Each refusal has a way out of its own.
  std::vector<Call> refused = refused_decodes();
  append(refused, refused_encodes());
  std::erase_if(refused, [](const Call& call) {
    return call.name.find("/int16/") == std::string::npos &&
           call.name.find("/uint4/") == std::string::npos;
  });
  cross(drafts, refused, std::span(kModes).subspan(1, 1));
  cross(drafts, refused, std::span(kModes).last(1));
  return drafts;
}

// The same call twice, with another type, a refusal or another bias between, and over other
// contents.
std::vector<Draft> sequences() {
  std::vector<Draft> drafts;
  const auto around = [&](const std::vector<Call>& calls, std::string_view refusal) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Call& a = calls[i];
      const Call& b = calls[(i + 1) % calls.size()];
      drafts.push_back(
          {a.name + "/twice-and-other-between", {a.request, a.request, b.request, a.request}});
      drafts.push_back({a.name + "/refusal-between", {a.request, std::string(refusal), a.request}});
      drafts.push_back(
          {a.name + "/over-other-contents", {a.request + " fill=00", a.request + " fill=ff"}});
    }
  };
  // The same bytes for the type of the same width and the other signedness, which has no such zero
  // point. That one comes first: whoever takes it at once keeps nothing, but does not check.
  for (std::size_t i = 0; i < kStorageTypes.size(); ++i) {
    const StorageTypeInfo& info = kStorageTypes[i];
    const auto sibling =
        std::find_if(kStorageTypes.begin(), kStorageTypes.end(), [&](const StorageTypeInfo& other) {
          return other.bits == info.bits && other.is_signed != info.is_signed;
        });
    const std::int32_t zero_point =
        info.is_signed ? -1
                       : static_cast<std::int32_t>(std::min<std::int64_t>(info.max, 0x7fffffff));
    const Bytes bytes = descriptor(scale_for(info), zero_point);
    const std::string decode = decode_request(tag_of(info), bytes);
    const std::string of_sibling = decode_request(tag_of(*sibling), bytes);
    drafts.push_back({fmt::format("decode/{}/sibling-between", info.name),
                      {of_sibling, decode, of_sibling, decode}});
    const std::string encode = encode_request(tag_of(info), scale_for(info), zero_point);
    const std::string encode_sibling =
        encode_request(tag_of(*sibling), scale_for(info), zero_point);
    drafts.push_back({fmt::format("encode/{}/sibling-between", info.name),
                      {encode_sibling, encode, encode_sibling, encode}});
  }
  Bytes refused = base_descriptor();
  refused[13] = 2;
  around(decodes(), decode_request("12", refused));
  around(encodes(), encode_request("12", 0x7f800000, 3));
  constexpr std::array<std::size_t, 3> kSome = {3, 16, 67};
  around(normalizes(kSome), normalize(1, 9, 4));
  drafts.push_back({"normalize/other-bias-between",
                    {normalize(1, 9, 5), normalize(0, 9, 5), normalize(1, 9, 5)}});
  return drafts;
}

// Each kind of refusal with the output watched.
std::vector<Draft> refusals() {
  constexpr std::array<std::string_view, 1> kFill = {"fill=c3"};
  std::vector<Draft> drafts;
  std::vector<Call> all = refused_decodes();
  append(all, refused_encodes());
  append(all, refused_normalizes());
  cross(drafts, all, kFill);
  return drafts;
}

constexpr Family kFamilies[] = {
    {"call/codec-places", "descriptor bytes at an odd address give other results or a fault",
     places},
    {"call/codec-signed-parts", "a field is put together from signed bytes or halves",
     signed_parts},
    {"call/codec-guards", "memory outside the descriptor is touched", guards},
    {"call/codec-bounds", "something outside the output is written, or the input is", bounds},
    {"call/codec-capacity", "the encoder writes more than it was given room for", capacity},
    {"call/codec-edges", "memory outside the buffers is touched", edges},
    {"call/codec-read-only", "an input is written to, and perhaps put back", read_only},
    {"call/codec-offsets", "a buffer at an odd address gives other results or a fault", offsets},
    {"call/codec-threads", "concurrent calls disturb each other", concurrent},
    {"call/codec-modes",
     "the floating-point environment after the call is another one, or decides what is refused",
     modes},
    {"call/codec-sequences", "a result depends on an earlier call or on what the output held",
     sequences},
    {"call/codec-refusals", "a refused call has written part of its output", refusals},
};

}  // namespace

std::span<const Family> codec_call_families() { return kFamilies; }

}  // namespace hurray::conformance
