// SPDX-License-Identifier: Apache-2.0
//
// Families on the buffer table of a tensor: how many entries, and what a handle may hold.

#include <array>

#include <fmt/format.h>

#include "conformance/runner/families/tensors.h"

namespace hurray::conformance {
namespace {

std::vector<Draft> buffer_counts() {
  std::vector<Draft> drafts;
  for (const std::size_t count : {0u, 2u, 3u, 255u}) {
    drafts.push_back(edited(fmt::format("plain/{}", count), plain_tensor(),
                            [&](auto& parts) { parts.buffers.resize(count, {.byte_size = 16}); }));
    drafts.push_back(edited(fmt::format("per-tensor/{}", count), per_tensor_tensor(),
                            [&](auto& parts) { parts.buffers.resize(count, {.byte_size = 16}); }));
  }
  for (const SchemeBase& base : scheme_bases()) {
    drafts.push_back(edited(fmt::format("{}/one-more", base.name), base.tensor(),
                            [](auto& parts) { parts.buffers.push_back({.byte_size = 16}); }));
    drafts.push_back(edited(fmt::format("{}/one-less", base.name), base.tensor(),
                            [](auto& parts) { parts.buffers.pop_back(); }));
  }
  return drafts;
}

// One field of one handle of a tensor with three buffers, or of all of them alike.
void add_handle(std::vector<Draft>& drafts, const std::string& name,
                const std::function<void(Handle&)>& edit) {
  for (const std::size_t which : {0u, 2u}) {
    drafts.push_back(edited(fmt::format("{}/buffer-{}", name, which), per_block_tensor(),
                            [&](auto& parts) { edit(parts.buffers[which]); }));
  }
  drafts.push_back(edited(fmt::format("{}/plain", name), plain_tensor(),
                          [&](auto& parts) { edit(parts.buffers[0]); }));
}

std::vector<Draft> alignments() {
  std::vector<Draft> drafts;
  for (const std::uint32_t alignment : {0u, 1u, 2u, 32u, 63u, 65u, 96u, 128u, 192u, 4096u, 4095u,
                                        0x80000000u, 0x80000040u, 0xffffffffu}) {
    add_handle(drafts, fmt::format("{}", alignment),
               [&](Handle& handle) { handle.alignment = alignment; });
  }
  for (const std::uint32_t alignment : {0u, 1u, 2u, 32u, 33u, 64u}) {
    drafts.push_back(
        edited(fmt::format("empty-buffer/{}", alignment), plain_tensor(), [&](auto& parts) {
          parts.shape = {0, 4};
          parts.buffers[0] = {.byte_size = 0, .alignment = alignment};
        }));
  }
  return drafts;
}

std::vector<Draft> handle_reserved() {
  std::vector<Draft> drafts;
  for (unsigned bit = 0; bit < 8; ++bit) {
    add_handle(drafts, fmt::format("{}", bit),
               [&](Handle& handle) { handle.reserved = static_cast<std::uint8_t>(1u << bit); });
  }
  return drafts;
}

std::vector<Draft> devices() {
  std::vector<Draft> drafts;
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (tag > 16 && tag < 0xed && tag % 16 != 0) continue;
    drafts.push_back(edited(fmt::format("{:02x}", tag), plain_tensor(), [&](auto& parts) {
      parts.buffers[0].device_tag = static_cast<std::uint8_t>(tag);
    }));
  }
  return drafts;
}

std::vector<Draft> mixed() {
  std::vector<Draft> drafts;
  for (const std::size_t which : {0u, 1u, 2u}) {
    drafts.push_back(edited(fmt::format("device/{}", which), per_block_tensor(),
                            [&](auto& parts) { parts.buffers[which].device_tag = 1; }));
    drafts.push_back(edited(fmt::format("class/{}", which), per_block_tensor(), [&](auto& parts) {
      for (Handle& handle : parts.buffers) handle.device_tag = 1;
      parts.buffers[which].memory_class = 1;
    }));
  }
  drafts.push_back(edited("device/all-alike", per_block_tensor(), [&](auto& parts) {
    for (Handle& handle : parts.buffers) handle.device_tag = 1;
  }));
  return drafts;
}

std::vector<Draft> sync_modes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t device : Octets{0, 1, 4}) {
    for (const std::uint8_t mode : Octets{0, 1, 2, 3, 4, 0x7f, 0xfe, 0xff}) {
      drafts.push_back(
          edited(fmt::format("device-{}/{:02x}", device, mode), plain_tensor(), [&](auto& parts) {
            parts.buffers[0].device_tag = device;
            parts.buffers[0].sync_mode = mode;
          }));
    }
  }
  return drafts;
}

std::vector<Draft> memory_classes() {
  std::vector<Draft> drafts;
  for (const std::uint8_t device :
       Octets{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0xf0, 0xfe}) {
    for (const std::uint8_t memory_class : Octets{0, 1, 2, 3, 4, 0x80, 0xef, 0xf0, 0xfe, 0xff}) {
      drafts.push_back(edited(fmt::format("device-{:02x}/{:02x}", device, memory_class),
                              plain_tensor(), [&](auto& parts) {
                                parts.buffers[0].device_tag = device;
                                parts.buffers[0].memory_class = memory_class;
                              }));
    }
  }
  return drafts;
}

std::vector<Draft> byte_offsets() {
  std::vector<Draft> drafts;
  for (const std::uint64_t offset : {0ull, 1ull, 8ull, 52ull, 53ull, 100ull, ~0ull, 1ull << 63}) {
    drafts.push_back(edited(fmt::format("{}", offset), plain_tensor(), [&](auto& parts) {
      parts.byte_offset = offset;
      parts.buffers[0].byte_size = 100;
    }));
  }
  for (const std::uint64_t offset : {1ull, 3ull}) {
    drafts.push_back(edited(fmt::format("uint4/{}", offset), nf4_tensor(), [&](auto& parts) {
      parts.byte_offset = offset;
      parts.buffers[0].byte_size = 16 + offset;
    }));
  }
  return drafts;
}

constexpr Family kFamilies[] = {
    {"tensor/buffer-count", "buffers that nothing needs, or too few of them, are taken",
     buffer_counts},
    {"tensor/alignment", "an alignment is not looked at", alignments},
    {"tensor/handle-reserved", "the reserved byte of a handle is not looked at", handle_reserved},
    {"tensor/device", "a device that does not exist is taken", devices},
    {"tensor/mixed", "buffers on two devices, or of two classes, are taken", mixed},
    {"tensor/sync-mode", "a sync mode that does not exist is taken", sync_modes},
    {"tensor/memory-class", "a memory class is taken that the device does not have",
     memory_classes},
    {"tensor/byte-offset", "a byte offset is not looked at, or read wrongly", byte_offsets},
};

}  // namespace

std::span<const Family> tensor_buffer_families() { return kFamilies; }

}  // namespace hurray::conformance
