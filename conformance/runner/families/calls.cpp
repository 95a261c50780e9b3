// SPDX-License-Identifier: Apache-2.0
//
// Families on call discipline: what every caller relies on besides the numbers. A base request per
// verb, and the keys of PROTOCOL.md appended to it.

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/families/calls.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// A kernel call with a name: `dequantize-int4`, `ra8-quantize_u8`.
struct Kernel {
  std::string name;
  std::string (*request)(const StorageTypeInfo&, std::size_t count);
  const StorageTypeInfo* info;
};

std::string dequantize(const StorageTypeInfo& info, std::size_t count) {
  return dequantize_request(info, kScale, kZeroPoint, codes_for(info, count));
}
std::string quantize(const StorageTypeInfo& info, std::size_t count) {
  return quantize_request(info, kScale, kZeroPoint, inputs_for(info, count));
}
std::string ra8_dequantize(const StorageTypeInfo& info, std::size_t count) {
  return ra8_dequantize_request(info, kScale, kZeroPoint, codes_for(info, count));
}
std::string ra8_quantize(const StorageTypeInfo& info, std::size_t count) {
  return ra8_quantize_request(info, kScale, kZeroPoint, inputs_for(info, count));
}

std::vector<Kernel> kernels() {
  std::vector<Kernel> all;
  for (const StorageTypeInfo& info : kStorageTypes) {
    all.push_back({fmt::format("hurray/dequantize-{}", info.name), dequantize, &info});
    all.push_back({fmt::format("hurray/quantize-{}", info.name), quantize, &info});
  }
  for (const StorageType type : {StorageType::kInt8, StorageType::kUint8}) {
    const StorageTypeInfo& info = info_of(type);
    all.push_back({fmt::format("ra8/dequantize_{}", ra8_suffix(info)), ra8_dequantize, &info});
    all.push_back({fmt::format("ra8/quantize_{}", ra8_suffix(info)), ra8_quantize, &info});
  }
  return all;
}

// Every kernel with every count and every string of keys.
std::vector<Draft> grid(std::span<const std::size_t> counts,
                        std::span<const std::string_view> keys) {
  std::vector<Draft> drafts;
  for (const Kernel& kernel : kernels()) {
    for (const std::size_t count : counts) {
      for (const std::string_view key : keys) {
        std::string name(key);
        for (char& c : name) c = c == ' ' || c == '=' ? '-' : c == '_' ? '-' : c;
        drafts.push_back({fmt::format("{}/count-{}/{}", kernel.name, count, name),
                          {kernel.request(*kernel.info, count) + " " + std::string(key)}});
      }
    }
  }
  return drafts;
}

// Behind one block of whatever size kernels take at a time, never a multiple of four.
constexpr std::array<std::size_t, 3> kBlocks = {257, 515, 1027};

constexpr std::array<std::size_t, 19> kTails = {1,  2,  3,  4,  5,  7,  8,  9,   15, 16,
                                                17, 31, 32, 33, 63, 64, 65, 127, 129};

// One family per contract: a requirement belongs to one of them.
std::vector<Draft> only(std::string_view contract, std::vector<Draft> drafts) {
  std::erase_if(drafts, [&](const Draft& draft) { return !draft.name.starts_with(contract); });
  for (Draft& draft : drafts) draft.name.erase(0, contract.size());
  return drafts;
}

std::vector<Draft> both(std::vector<Draft> drafts, std::vector<Draft> more) {
  drafts.insert(drafts.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
  return drafts;
}

std::vector<Draft> bounds() {
  constexpr std::array<std::string_view, 2> kKeys = {"fill=a5", "fill=00"};
  return both(grid(kTails, kKeys), grid(kBlocks, std::span(kKeys).first(1)));
}
std::vector<Draft> guards() {
  constexpr std::array<std::string_view, 2> kKeys = {"guard=after", "guard=before"};
  return both(grid(kTails, kKeys), grid(kBlocks, std::span(kKeys).first(1)));
}
// The output alone: what crashes here has not read beyond its input.
std::vector<Draft> output_guards() {
  constexpr std::array<std::size_t, 9> kCounts = {1, 3, 5, 7, 13, 31, 67, 131, 257};
  constexpr std::array<std::string_view, 1> kKeys = {"guard=output"};
  return grid(kCounts, kKeys);
}
// The input alone in pages without permission to write: what is put back has been written all the
// same.
std::vector<Draft> read_only() {
  constexpr std::array<std::size_t, 3> kCounts = {9, 67, 1027};
  constexpr std::array<std::string_view, 1> kKeys = {"guard=input"};
  return grid(kCounts, kKeys);
}
// A kernel that stores whole vectors at aligned addresses only meets the bytes beside its output
// where the output is not aligned.
std::vector<Draft> unaligned_bounds() {
  constexpr std::array<std::size_t, 2> kCounts = {5, 67};
  constexpr std::array<std::string_view, 5> kKeys = {
      "in_off=4 out_off=4 fill=a5", "in_off=8 out_off=8 fill=a5", "in_off=12 out_off=12 fill=a5",
      "in_off=20 out_off=60 fill=a5", "in_off=60 out_off=32 fill=a5"};
  constexpr std::array<std::string_view, 3> kOdd = {
      "in_off=4 out_off=1 fill=a5", "in_off=8 out_off=3 fill=a5", "in_off=12 out_off=33 fill=a5"};
  // Fewer elements than there are up to an aligned address: whoever walks there first runs past.
  constexpr std::array<std::size_t, 5> kFew = {1, 2, 3, 5, 67};
  constexpr std::array<std::string_view, 3> kOddIn = {
      "in_off=1 out_off=4 fill=a5", "in_off=2 out_off=12 fill=a5", "in_off=3 out_off=8 fill=a5"};
  const auto dequantizes = [](const Draft& draft) {
    return draft.name.find("dequantize") != std::string::npos;
  };
  std::vector<Draft> odd = grid(kFew, kOdd);
  std::erase_if(odd, dequantizes);
  std::vector<Draft> odd_in = grid(kFew, kOddIn);
  std::erase_if(odd_in, std::not_fn(dequantizes));
  return both(grid(kCounts, kKeys), both(std::move(odd), std::move(odd_in)));
}
std::vector<Draft> offsets() {
  constexpr std::array<std::size_t, 3> kCounts = {3, 17, 67};
  constexpr std::array<std::string_view, 6> kFloatSide = {"4", "8", "12", "20", "28", "60"};
  constexpr std::array<std::string_view, 6> kPackedSide = {"1", "2", "3", "5", "7", "33"};
  std::vector<Draft> drafts;
  for (const Kernel& kernel : kernels()) {
    const bool packed_in = kernel.name.find("dequantize") != std::string::npos;
    for (const std::size_t count : kCounts) {
      for (std::size_t i = 0; i < kFloatSide.size(); ++i) {
        const std::string_view in = packed_in ? kPackedSide[i] : kFloatSide[i];
        const std::string_view out = packed_in ? kFloatSide[i] : kPackedSide[i];
        drafts.push_back({fmt::format("{}/count-{}/in-{}-out-{}", kernel.name, count, in, out),
                          {fmt::format("{} in_off={} out_off={}",
                                       kernel.request(*kernel.info, count), in, out)}});
      }
    }
  }
  return drafts;
}
// Codes that borrow if they are put together from signed bytes or halves. All are exact in
// binary32.
std::vector<Draft> signed_parts() {
  constexpr std::array<std::int64_t, 9> kCodes = {0x80,  0x8080,  0x18000,  0x808000, 0xff80,
                                                  -0x80, -0x7f80, -0x18000, 0x7f8000};
  std::vector<Draft> drafts;
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits < 16) continue;
    std::vector<std::int64_t> codes;
    for (const std::int64_t code : kCodes) {
      if (code >= info.min && code <= info.max) codes.push_back(code);
    }
    for (unsigned offset = 0; offset < 4; ++offset) {
      drafts.push_back(
          {fmt::format("dequantize-{}/offset-{}", info.name, offset),
           {fmt::format("{} in_off={}", dequantize_request(info, kScale, 0, codes), offset)}});
    }
  }
  return drafts;
}

// More blocks of sixteen elements than 16 bits count.
std::vector<Draft> repeated() {
  constexpr std::array<std::size_t, 1> kCounts = {16};
  constexpr std::array<std::string_view, 1> kKeys = {"repeat=65537"};
  return grid(kCounts, kKeys);
}
// More elements than 22 bits count, and more bytes than what is done in one piece by those who give
// pieces to threads or go around the cache. The length of the part has an odd factor, so that an
// element that is taken from another place than its own shows. Of each direction one: they cost as
// much as thousands of others.
std::vector<Draft> large() {
  constexpr std::array<std::size_t, 1> kCounts = {1048};
  constexpr std::array<std::string_view, 1> kKeys = {"repeat=4009"};
  constexpr std::array<std::string_view, 3> kAsked = {"hurray/quantize-int8",
                                                      "hurray/dequantize-uint8", "ra8/quantize_i8"};
  std::vector<Draft> drafts = grid(kCounts, kKeys);
  std::erase_if(drafts, [&](const Draft& draft) {
    return std::ranges::none_of(
        kAsked, [&](std::string_view kernel) { return draft.name.starts_with(kernel); });
  });
  return drafts;
}
std::vector<Draft> nothing() {
  constexpr std::array<std::size_t, 1> kCounts = {0};
  constexpr std::array<std::string_view, 2> kKeys = {"fill=a5", "guard=after"};
  return grid(kCounts, kKeys);
}
std::vector<Draft> modes() {
  constexpr std::array<std::size_t, 1> kCounts = {67};
  constexpr std::array<std::string_view, 5> kKeys = {"fenv=nearest", "fenv=upward", "fenv=downward",
                                                     "fenv=toward-zero", "fenv=flush"};
  return grid(kCounts, kKeys);
}
std::vector<Draft> concurrent() {
  // The last is more than what kernels keep in a block: a static one is shared from there on.
  constexpr std::array<std::size_t, 3> kCounts = {5, 131, 1025};
  constexpr std::array<std::string_view, 1> kKeys = {"threads=4"};
  return grid(kCounts, kKeys);
}

// The type of the same width and the other signedness.
const StorageTypeInfo& other_type(const Kernel& kernel) {
  for (const StorageTypeInfo& info : kStorageTypes) {
    if (info.bits == kernel.info->bits && info.is_signed != kernel.info->is_signed) return info;
  }
  return *kernel.info;
}

// The call with another scale and another zero point: nothing that is kept for `request` is of use.
std::string unrelated(std::string request) {
  request.replace(request.find("scale=") + 6, 8, "3dcccccd");
  request.replace(request.find("zero_point=1") + 11, 1, "0");
  return request;
}

// A call, one that differs in one thing, the first again; and the second where nothing that was
// kept from the first can have a part in it.
std::vector<std::string> between(const std::string& call, const std::string& other) {
  return {call, other, call, unrelated(call), other};
}

// The same call twice, with another between, and over different earlier contents of the output.
std::vector<Draft> sequences() {
  std::vector<Draft> drafts;
  for (const Kernel& kernel : kernels()) {
    for (const std::size_t count : {1u, 9u, 67u}) {
      const std::string a = kernel.request(*kernel.info, count);
      std::string b = kernel.request(*kernel.info, count + 3);
      // Another scale with the same zero point, and another zero point with the same scale.
      std::string other_scale = a;
      other_scale.replace(other_scale.find("scale=") + 6, 8, "3e800000");
      std::string other_zero_point = a;
      other_zero_point.replace(other_zero_point.find("zero_point=1") + 11, 1, "0");
      // A table kept by magnitude alone, or by parameters and not by type.
      std::string other_sign = a;
      other_sign.replace(other_sign.find("scale=") + 6, 1, "b");
      const std::string of_other_type = kernel.request(other_type(kernel), count);
      const std::string name = fmt::format("{}/count-{}", kernel.name, count);
      drafts.push_back({name + "/twice", {a, a}});
      drafts.push_back({name + "/a-b-a", between(a, b)});
      drafts.push_back({name + "/other-scale-between", between(a, other_scale)});
      drafts.push_back({name + "/other-zero-point-between", between(a, other_zero_point)});
      if (kernel.name.find("ra8/quantize") == std::string::npos) {
        drafts.push_back({name + "/other-sign-between", between(a, other_sign)});
      }
      drafts.push_back({name + "/other-type-between", between(a, of_other_type)});
      if (count == 67 && (kernel.info->bits == 32 || kernel.name.starts_with("ra8/"))) {
        // What is kept from the first call is looked up by the lower half of the zero point.
        std::string other_half = kernel.request(*kernel.info, 300);
        const std::string first = other_half;
        other_half.replace(other_half.find("zero_point=1") + 11, 1, "65537");
        drafts.push_back({name + "/other-half-between", between(first, other_half)});
      }
      if (count == 67 && kernel.info->bits == 8) {
        // The same of the scale: another low half, then another high half.
        const std::string first = kernel.request(*kernel.info, 300);
        for (const std::string_view scale : {"3f00ff00", "3e800000"}) {
          std::string other = first;
          other.replace(other.find("scale=") + 6, 8, scale);
          drafts.push_back(
              {fmt::format("{}/scale-{}-between", name, scale), between(first, other)});
        }
      }
      drafts.push_back({name + "/over-other-contents", {a + " fill=00", a + " fill=ff"}});
    }
  }
  return drafts;
}

std::vector<Draft> null_pointers(std::string_view which) {
  std::vector<Draft> drafts;
  for (const Kernel& kernel : kernels()) {
    if (!kernel.name.starts_with("ra8/")) continue;
    for (const std::size_t count : {0u, 1u, 17u}) {
      drafts.push_back({fmt::format("{}/count-{}", kernel.name.substr(4), count),
                        {fmt::format("{} null={}", kernel.request(*kernel.info, count), which)}});
    }
    drafts.push_back({fmt::format("{}/untouched", kernel.name.substr(4)),
                      {fmt::format("{} null={} fill=a5", kernel.request(*kernel.info, 9), which)}});
  }
  return drafts;
}
std::vector<Draft> null_in() { return null_pointers("in"); }
std::vector<Draft> null_out() { return null_pointers("out"); }
std::vector<Draft> null_both() { return null_pointers("in,out"); }

template <std::vector<Draft> (*make)()>
std::vector<Draft> of_hurray() {
  return only("hurray/", make());
}
template <std::vector<Draft> (*make)()>
std::vector<Draft> of_ra8() {
  return only("ra8/", make());
}

constexpr Family kFamilies[] = {
    {"call/bounds", "something outside the output is written, or the input is", of_hurray<bounds>},
    {"call/unaligned-bounds", "something beside an output that is not aligned is written",
     of_hurray<unaligned_bounds>},
    {"call/guards", "memory outside the buffers is touched", of_hurray<guards>},
    {"call/output-guards", "memory behind the output is written, and perhaps put back",
     of_hurray<output_guards>},
    {"ra8-call/output-guards", "memory behind the output is written, and perhaps put back",
     of_ra8<output_guards>},
    {"call/read-only", "the input is written to, and perhaps put back", of_hurray<read_only>},
    {"ra8-call/read-only", "the input is written to, and perhaps put back", of_ra8<read_only>},
    {"call/signed-parts", "a code at an odd address is put together from signed bytes or halves",
     signed_parts},
    {"call/offsets", "a buffer at an odd address gives other results or a fault",
     of_hurray<offsets>},
    {"call/repeated", "elements are counted in blocks, and the blocks in 16 bits",
     of_hurray<repeated>},
    {"call/large", "elements are counted in 22 bits, or large arrays are computed in pieces",
     of_hurray<large>},
    {"call/count-0", "a call for nothing writes something or fails", of_hurray<nothing>},
    {"call/modes", "the floating-point environment after the call is another one",
     of_hurray<modes>},
    {"call/threads", "concurrent calls disturb each other", of_hurray<concurrent>},
    {"call/sequences", "a result depends on an earlier call or on what the output held",
     of_hurray<sequences>},
    {"ra8-call/bounds", "something outside the output is written, or the input is", of_ra8<bounds>},
    {"ra8-call/unaligned-bounds", "something beside an output that is not aligned is written",
     of_ra8<unaligned_bounds>},
    {"ra8-call/guards", "memory outside the buffers is touched", of_ra8<guards>},
    {"ra8-call/offsets", "a buffer at an odd address gives other results or a fault",
     of_ra8<offsets>},
    {"ra8-call/repeated", "elements are counted in blocks, and the blocks in 16 bits",
     of_ra8<repeated>},
    {"ra8-call/large", "elements are counted in 22 bits, or large arrays are computed in pieces",
     of_ra8<large>},
    {"ra8-call/count-0", "a call for nothing writes something or fails", of_ra8<nothing>},
    {"ra8-call/modes", "the floating-point environment after the call is another one",
     of_ra8<modes>},
    {"ra8-call/threads", "concurrent calls disturb each other", of_ra8<concurrent>},
    {"ra8-call/sequences", "a result depends on an earlier call or on what the output held",
     of_ra8<sequences>},
    {"ra8-call/null-in", "a null input is not answered by null_ptr", null_in},
    {"ra8-call/null-out", "a null output is not answered by null_ptr", null_out},
    {"ra8-call/null-both", "null pointers are not answered by null_ptr", null_both},
};

}  // namespace

std::span<const Family> call_families() { return kFamilies; }

}  // namespace hurray::conformance
