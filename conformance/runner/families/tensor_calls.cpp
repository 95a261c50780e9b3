// SPDX-License-Identifier: Apache-2.0
//
// Families on call discipline of operations on tensors and of conversion: what calls.cpp asks of
// the kernels and codec_calls.cpp of the codec, in as far as it is not asked together with the
// values.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensor_values.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kPerTensorKeys = "scheme=1 scale=3f000000 zero_point=3";

// Every section that a tensor can have.
TensorParts with_all_sections() {
  TensorParts parts = per_block_tensor();
  parts.layout = 3;
  parts.strides = {1, 2};
  parts.parent_shape = {8, 32};
  parts.shard_offset = {2, 16};
  parts.member = Bytes(16);
  return parts;
}

// Tensors that are not their own mirror image, and the scheme's keys of each.
struct Named {
  std::string name;
  TensorParts parts;
  std::string keys;
};
std::vector<Named> tensors() {
  std::vector<Named> all = {
      {"plain", plain_tensor(), ""},
      {"per-tensor", per_tensor_tensor(), std::string(kPerTensorKeys)},
      {"sections", with_all_sections(), per_block_section().keys()},
  };
  for (const SchemeBase& base : scheme_bases()) {
    all.push_back({std::string(base.name), base.tensor(), base.section().keys()});
  }
  return all;
}

std::vector<Draft> readers() {
  std::vector<Draft> drafts;
  for (const Named& each : tensors()) {
    drafts.push_back({"decode/" + each.name, {decode_tensor_request(each.parts)}});
  }
  Bytes refused = per_block_tensor().bytes();
  refused[5] = 9;
  refused[4] = 9;
  drafts.push_back({"decode/refused", {decode_tensor_request(refused)}});
  return drafts;
}
std::vector<Draft> writers() {
  std::vector<Draft> drafts;
  for (const Named& each : tensors()) {
    drafts.push_back({"encode/" + each.name, {encode_tensor_request(each.parts, each.keys)}});
  }
  return drafts;
}

// Data and parameters of a scheme's tensor of this shape, whose axis is the last.
Draft dequantized(const SchemeBase& base, std::vector<std::uint64_t> shape, std::uint64_t seed) {
  const SchemeSection section = base.section();
  const TensorParts parts = shaped(section, base.tensor().type, std::move(shape));
  const std::size_t count = elements_of(parts);
  const std::size_t entries = section.scheme_tag == 2 ? static_cast<std::size_t>(parts.shape[1])
                                                      : count / section.block_size;
  std::vector<Bytes> buffers = {
      noise(bytes_of(type_info(parts.type), count), seed),
      section.scheme_tag == 5 ? e8m0s(entries, seed) : scales(entries, seed)};
  if (section.scheme_tag == 5) {
    // No NaN among the elements: which one comes out is another question.
    for (std::uint8_t& byte : buffers[0]) byte &= 0xf7;
  }
  if (section.scheme_tag <= 3) buffers.push_back(zero_points(entries, -100, 100, seed));
  return values(fmt::format("dequantize/{}/{}", base.name, count), parts, buffers);
}
std::vector<Draft> dequantizers() {
  std::vector<Draft> drafts;
  for (const SchemeBase& base : scheme_bases()) {
    const std::vector<std::uint64_t> shape = base.tensor().shape;
    drafts.push_back(dequantized(base, shape, 11));
    drafts.push_back(dequantized(base, {shape[0] * 5, shape[1] * 4}, 12));
  }
  TensorParts parts = shaped({}, 0x10, {5, 7});
  parts.quantization = descriptor(0x3dcccccd, 1);
  const std::array<Bytes, 1> data = {noise(35, 13)};
  drafts.push_back(values("dequantize/pta/35", parts, data));
  return drafts;
}

// Two rows of blocks of eight with their zero points in a plane, as the recipe has them.
std::vector<Draft> converters() {
  std::vector<Draft> drafts;
  for (const std::uint8_t type : Octets{0x10, 0x49}) {
    const std::array<std::uint64_t, 2> shape = {4, 32};
    drafts.push_back(
        {fmt::format("convert/{:02x}", type),
         {fmt::format("convert type={:02x} shape={} axis=1 group_size=8 bits=4 bias=1 "
                      "order=low-first group_major=0 word_bytes=1 scale_type_tag=03 weights={} "
                      "scales={} plane={}",
                      type, to_hex(le64(shape)), to_hex(noise(type == 0x10 ? 128 : 64, type)),
                      to_hex(scales(16, type)), to_hex(noise(8, type)))}});
  }
  return drafts;
}

void add(std::vector<Draft>& drafts, std::vector<Draft> calls,
         std::initializer_list<std::string_view> keys) {
  for (const Draft& call : calls) {
    for (const std::string_view key : keys) {
      std::string name(key);
      for (char& c : name) c = c == ' ' || c == '=' || c == '_' ? '-' : c;
      drafts.push_back({call.name + "/" + name, {call.requests.front() + " " + std::string(key)}});
    }
  }
}

std::vector<Draft> concurrent() {
  std::vector<Draft> drafts;
  for (const auto& calls : {readers(), writers(), dequantizers(), converters()}) {
    add(drafts, calls, {"threads=4"});
  }
  return drafts;
}

std::vector<Draft> offsets() {
  std::vector<Draft> drafts;
  add(drafts, readers(), {"in_off=1", "in_off=2", "in_off=4 fill=a5", "in_off=7"});
  add(drafts, writers(), {"out_off=1", "out_off=2", "out_off=4 fill=a5", "out_off=7 fill=a5"});
  add(drafts, dequantizers(), {"out_off=4", "out_off=8 fill=a5", "out_off=60 fill=a5"});
  add(drafts, converters(),
      {"in_off=1", "in_off=6 out_off=4", "out_off=1 fill=a5", "in_off=3 out_off=6",
       "out_off=7 fill=a5"});
  return drafts;
}

// In pages without permission to write: what is put back has been written all the same.
std::vector<Draft> read_only() {
  std::vector<Draft> drafts;
  for (const auto& calls : {readers(), writers(), dequantizers(), converters()}) {
    add(drafts, calls, {"guard=input"});
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"call/tensor-threads", "concurrent calls disturb each other", concurrent},
    {"call/tensor-offsets", "bytes at an odd address give other results or a fault", offsets},
    {"call/tensor-read-only", "an input is written to, and perhaps put back", read_only},
};

}  // namespace

std::span<const Family> tensor_call_families() { return kFamilies; }

}  // namespace hurray::conformance
