// SPDX-License-Identifier: Apache-2.0
//
// Is everything found that a buffer table can do wrong by itself?

#include "reference/tensor_buffers.h"

#include "reference/test_tensors.h"

namespace hurray {
namespace {

// Three buffers of a valid tensor with one handle, or all of them, changed.
Tensor with_handle(std::size_t i, auto edit) {
  Tensor tensor;
  found_in(kPerBlockTensor, tensor);
  edit(tensor.buffers[i]);
  return tensor;
}
Tensor with_handles(auto edit) {
  Tensor tensor;
  found_in(kPerBlockTensor, tensor);
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) edit(tensor.buffers[i]);
  return tensor;
}

TEST(TensorBuffers, ThereHasToBeOne) {  // HQ-MD-016
  Tensor tensor = unquantized(0x10, {1}, {});
  expect_must(Status::kNoBuffer, tensor);
}

TEST(TensorBuffers, UnquantizedThereIsOneOnly) {  // HQ-MD-017, ruling A21
  expect_soft(Status::kTooManyBuffers, unquantized(0x10, {1}, {1, 1}));
}

// HQ-MD-020; rulings A23, A60.
TEST(TensorBuffers, AlignmentIsAPowerOfTwoAndAtLeast64) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      const Tensor tensor = with_handle(i, [&](BufferHandle& h) { h.alignment = 1u << bit; });
      if (bit >= 6) {
        expect_valid(tensor);
      } else {
        expect_soft(Status::kHandleAlignment, tensor);
      }
    }
    for (std::uint32_t alignment : {0u, 3u, 63u, 65u, 96u, 0xffffffffu}) {
      expect_must(Status::kHandleAlignment,
                  with_handle(i, [&](BufferHandle& h) { h.alignment = alignment; }));
    }
  }
  Tensor empty = unquantized(0x10, {0}, {0});
  empty.buffers[0].alignment = 1;
  expect_open(Behaviour::kEmptyBufferAlignment, empty);
  empty.buffers[0].alignment = 0;
  expect_must(Status::kHandleAlignment, empty);
}

TEST(TensorBuffers, TheLastByteOfAHandleIsZero) {  // HQ-MD-021
  for (std::size_t i = 0; i < 3; ++i) {
    expect_must(Status::kHandleReserved, with(kPerBlockTensor, kHandleAt + 16 * i + 15, 1, 0x80));
  }
}

TEST(TensorBuffers, DevicesAreThoseOfTheTable) {  // HQ-MD-022
  for (unsigned tag = 0; tag < 256; ++tag) {
    const auto device = static_cast<std::uint8_t>(tag);
    const Tensor tensor = with_handles([&](BufferHandle& h) { h.device_tag = device; });
    if (tag <= 8 || (tag >= 0xf0 && tag <= 0xfe)) {
      expect_valid(tensor);
    } else {
      expect_must(Status::kDeviceTag, tensor);
    }
  }
}

// HQ-MD-023, HQ-HDR-024.
TEST(TensorBuffers, AllAreInOnePlace) {
  for (std::size_t i = 0; i < 3; ++i) {
    expect_must(Status::kMixedDevices, with_handle(i, [](BufferHandle& h) { h.device_tag = 1; }));
    const Tensor mixed = with_handle(i, [](BufferHandle& h) { h.memory_class = 1; });
    EXPECT_TRUE(judged(mixed).has(Status::kMixedMemoryClasses));
    EXPECT_TRUE(judged(mixed).has_must());
  }
}

TEST(TensorBuffers, SynchronizationIsForOtherDevices) {  // HQ-MD-024, ruling A22
  for (unsigned mode = 0; mode < 256; ++mode) {
    const auto edit = [&](std::uint8_t device) {
      return with_handles([&](BufferHandle& h) {
        h.device_tag = device;
        h.sync_mode = static_cast<std::uint8_t>(mode);
      });
    };
    if (mode == 0) {
      expect_valid(edit(1));
    } else if (mode <= 2) {
      expect_open(Behaviour::kHandleBytes, edit(1));
      expect_must(Status::kSyncMode, edit(0));
    } else {
      expect_must(Status::kSyncMode, edit(1));
      expect_must(Status::kSyncMode, edit(0));
    }
  }
}

// HQ-MD-025, ruling A22: the largest memory class of each device.
TEST(TensorBuffers, DevicesHaveTheirMemoryClasses) {
  const unsigned largest[] = {2, 3, 3, 2, 3, 0, 2, 3, 2};
  for (unsigned device = 0; device < 9; ++device) {
    for (unsigned memory = 0; memory < 256; ++memory) {
      const Tensor tensor = with_handles([&](BufferHandle& h) {
        h.device_tag = static_cast<std::uint8_t>(device);
        h.memory_class = static_cast<std::uint8_t>(memory);
      });
      if (memory == 0) {
        expect_valid(tensor);
      } else if (memory <= largest[device]) {
        expect_open(Behaviour::kHandleBytes, tensor);
      } else {
        expect_must(Status::kMemoryClass, tensor);
      }
    }
  }
  EXPECT_TRUE(is_memory_class_of(0xf0, 0x00));
  EXPECT_TRUE(is_memory_class_of(0xfe, 0xf3));
  EXPECT_FALSE(is_memory_class_of(0xf0, 0x01));
  EXPECT_FALSE(is_memory_class_of(0xf0, 0xff));
  EXPECT_FALSE(is_memory_class_of(0x09, 0x00));
}

}  // namespace
}  // namespace hurray
