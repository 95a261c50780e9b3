// SPDX-License-Identifier: Apache-2.0
//
// Families on encoding tensors: the bytes that come out, and what must not come out.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kPerTensorKeys = "scheme=1 scale=3f000000 zero_point=3";

std::string request(const TensorParts& parts, const std::string& keys) {
  return encode_tensor_request(parts, keys);
}

std::vector<Draft> written() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const TensorParts& parts, const std::string& keys) {
    drafts.push_back({name, {request(parts, keys)}});
    drafts.push_back({name + "/filled", {request(parts, keys) + " fill=a5"}});
  };
  add("plain", plain_tensor(), "");
  add("per-tensor", per_tensor_tensor(), std::string(kPerTensorKeys));
  for (const SchemeBase& base : scheme_bases()) {
    add(std::string(base.name), base.tensor(), base.section().keys());
    TensorParts parts = base.tensor();
    parts.layout = 2;
    add(fmt::format("{}/column-major", base.name), parts, base.section().keys());
    parts.layout = 3;
    parts.strides = {1, static_cast<std::int64_t>(parts.shape[0])};
    add(fmt::format("{}/strided", base.name), parts, base.section().keys());
  }
  for (const SchemeBase& base : scheme_bases().first(2)) {
    SchemeSection section = base.section();
    section.flags = 1;
    for (const std::uint32_t index : {kNoIndex, 2u}) {
      section.zero_point_buffer_index = index;
      TensorParts parts = base.tensor();
      parts.buffers.pop_back();
      add(fmt::format("{}/symmetric/{}", base.name, index == kNoIndex ? "none" : "another"), parts,
          section.keys());
    }
  }
  TensorParts scalar = plain_tensor();
  scalar.shape = {};
  scalar.buffers[0].byte_size = 4;
  add("scalar", scalar, "");
  TensorParts empty = per_tensor_tensor();
  empty.shape = {3, 0, 5};
  empty.buffers[0].byte_size = 0;
  add("empty", empty, std::string(kPerTensorKeys));
  TensorParts offset = per_tensor_tensor();
  offset.byte_offset = 0x40;
  offset.buffers[0].byte_size = 0x48;
  add("byte-offset", offset, std::string(kPerTensorKeys));
  TensorParts most = plain_tensor();
  most.shape.assign(64, 1);
  most.buffers[0].byte_size = 4;
  add("rank-64", most, "");
  return drafts;
}

std::vector<Draft> sections() {
  std::vector<Draft> drafts;
  TensorParts parts = per_block_tensor();
  const std::string keys = per_block_section().keys();
  parts.parent_shape = {20, 40};
  parts.shard_offset = {7, 9};
  drafts.push_back({"shard", {request(parts, keys)}});
  parts.statistics = Bytes(72, 0x07);
  (*parts.statistics)[1] = (*parts.statistics)[2] = (*parts.statistics)[3] = 0;
  drafts.push_back({"shard-statistics", {request(parts, keys)}});
  parts.member = Bytes(16);
  (*parts.member)[0] = 1;
  drafts.push_back({"shard-statistics-member", {request(parts, keys)}});
  TensorParts plain = plain_tensor();
  plain.statistics = parts.statistics;
  drafts.push_back({"statistics", {request(plain, "")}});
  TensorParts of_private_type = plain_tensor();
  of_private_type.type = 0xf3;
  of_private_type.extension_type = Bytes(20, 0x11);
  drafts.push_back({"extension-type", {request(of_private_type, "")}});
  return drafts;
}

// One edit to what can be written.
std::vector<Draft> refused() {
  std::vector<Draft> drafts;
  const auto add = [&](const std::string& name, const TensorParts& base, const std::string& keys,
                       const Edit& edit) {
    TensorParts parts = base;
    edit(parts);
    drafts.push_back({name, {request(parts, keys)}});
    drafts.push_back({name + "/filled", {request(parts, keys) + " fill=c3"}});
  };
  const auto plain = [&](const std::string& name, const Edit& edit) {
    add("plain/" + name, plain_tensor(), "", edit);
  };
  plain("type-00", [](auto& parts) { parts.type = 0; });
  plain("type-47", [](auto& parts) { parts.type = 0x47; });
  plain("type-90", [](auto& parts) { parts.type = 0x90; });
  plain("private-type-without-its-section", [](auto& parts) { parts.type = 0xf3; });
  plain("extension-type-of-float32", [](auto& parts) { parts.extension_type = Bytes(20, 0x11); });
  plain("layout-00", [](auto& parts) { parts.layout = 0; });
  plain("layout-ff", [](auto& parts) { parts.layout = 0xff; });
  plain("no-buffer", [](auto& parts) { parts.buffers.clear(); });
  plain("two-buffers", [](auto& parts) { parts.buffers.resize(2, {.byte_size = 8}); });
  plain("alignment-0", [](auto& parts) { parts.buffers[0].alignment = 0; });
  plain("alignment-32", [](auto& parts) { parts.buffers[0].alignment = 32; });
  plain("alignment-96", [](auto& parts) { parts.buffers[0].alignment = 96; });
  plain("device-ff", [](auto& parts) { parts.buffers[0].device_tag = 0xff; });
  plain("sync-on-cpu", [](auto& parts) { parts.buffers[0].sync_mode = 1; });
  plain("class-04", [](auto& parts) { parts.buffers[0].memory_class = 4; });
  plain("byte-offset", [](auto& parts) { parts.byte_offset = 49; });
  plain("shard-outside", [](auto& parts) {
    parts.parent_shape = {3, 4};
    parts.shard_offset = {0, 1};
  });
  plain("statistics-mask", [](auto& parts) {
    parts.statistics = Bytes(72);
    (*parts.statistics)[0] = 0x40;
  });
  plain("member-role", [](auto& parts) {
    parts.parent_shape = {3, 4};
    parts.shard_offset = {0, 0};
    parts.member = Bytes(16);
    (*parts.member)[0] = 2;
  });
  add("pta/type", per_tensor_tensor(), std::string(kPerTensorKeys), [](auto& parts) {
    parts.type = 0x03;
    parts.buffers[0].byte_size = 32;
  });
  add("pta/zero-point", per_tensor_tensor(), "scheme=1 scale=3f000000 zero_point=128",
      [](auto&) {});
  add("pta/scale", per_tensor_tensor(), "scheme=1 scale=7fc00000 zero_point=0", [](auto&) {});
  add("pta/two-buffers", per_tensor_tensor(), std::string(kPerTensorKeys),
      [](auto& parts) { parts.buffers.push_back({.byte_size = 4}); });
  for (const SchemeBase& base : scheme_bases()) {
    const auto section = [&](const std::string& name,
                             const std::function<void(SchemeSection&)>& edit) {
      SchemeSection edited = base.section();
      edit(edited);
      add(fmt::format("{}/{}", base.name, name), base.tensor(), edited.keys(), [](auto&) {});
    };
    const auto tensor = [&](const std::string& name, const Edit& edit) {
      add(fmt::format("{}/{}", base.name, name), base.tensor(), base.section().keys(), edit);
    };
    section("axis-2", [](SchemeSection& each) { each.axis = 2; });
    section("axis-all-ones", [](SchemeSection& each) { each.axis = kNoIndex; });
    section("scales-in-data", [](SchemeSection& each) { each.scale_buffer_index = 0; });
    section("scale-index", [](SchemeSection& each) { each.scale_buffer_index = 3; });
    tensor("type", [](auto& parts) {
      parts.type = 0x03;
      parts.buffers[0].byte_size *= 8;
    });
    tensor("scalar", [](auto& parts) { parts.shape = {}; });
    tensor("dynamic-axis", [](auto& parts) { parts.shape[1] = kDynamic; });
    tensor("short-scales", [](auto& parts) { parts.buffers[1].byte_size -= 1; });
    tensor("long-scales", [](auto& parts) { parts.buffers[1].byte_size += 1; });
    tensor("short-data", [](auto& parts) { parts.buffers[0].byte_size -= 1; });
    tensor("one-buffer-more", [](auto& parts) { parts.buffers.push_back({.byte_size = 4}); });
    tensor("other-device", [](auto& parts) { parts.buffers[1].device_tag = 1; });
    if (base.section().scheme_tag != 2) {
      section("block-size-0", [](SchemeSection& each) { each.block_size = 0; });
      section("block-size-12", [](SchemeSection& each) { each.block_size = 12; });
      section("block-size-1", [](SchemeSection& each) { each.block_size = 1; });
      section("block-size-of-more", [](SchemeSection& each) { each.block_size = 64; });
    }
    if (base.section().scheme_tag <= 3) {
      section("zero-points-in-data", [](SchemeSection& each) { each.zero_point_buffer_index = 0; });
      section("no-zero-points",
              [](SchemeSection& each) { each.zero_point_buffer_index = kNoIndex; });
      section("scale-type", [](SchemeSection& each) { each.scale_type_tag = 4; });
      section("flags", [](SchemeSection& each) { each.flags = 4; });
      tensor("short-zero-points", [](auto& parts) { parts.buffers[2].byte_size -= 4; });
    }
  }
  return drafts;
}

// What is encoded is what the decoder of the same target reads.
std::vector<Draft> encoder_and_decoder() {
  std::vector<Draft> drafts;
  const auto add = [&](std::string_view name, const TensorParts& parts, const std::string& keys) {
    drafts.push_back({std::string(name), {request(parts, keys), decode_tensor_request(parts)}});
  };
  add("plain", plain_tensor(), "");
  for (const SchemeBase& base : scheme_bases())
    add(base.name, base.tensor(), base.section().keys());
  return drafts;
}

constexpr Family kFamilies[] = {
    {"tensor-written/valid", "a field is written to another place", written},
    {"tensor-written/sections", "a section is written to another place", sections},
    {"tensor-written/refused", "a tensor is written that a reader has to refuse", refused},
    {"tensor-written/encoder-and-decoder", "the two directions do not agree", encoder_and_decoder},
};

}  // namespace

std::span<const Family> tensor_writer_families() { return kFamilies; }

}  // namespace hurray::conformance
