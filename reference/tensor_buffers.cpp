// SPDX-License-Identifier: Apache-2.0
//
// The rules of the buffer table: handles one by one, then the table as a whole.

#include "reference/tensor_buffers.h"

#include <bit>

namespace hurray {
namespace {

constexpr std::uint8_t kLargestDevice = 0x08;
constexpr std::uint8_t kFirstPrivate = 0xf0;
constexpr std::uint8_t kLastPrivate = 0xfe;
constexpr std::uint8_t kLargestSyncMode = 0x02;
constexpr std::uint32_t kSmallestAlignment = 64;

bool is_private(std::uint8_t tag) { return tag >= kFirstPrivate && tag <= kLastPrivate; }

void judge_alignment(const BufferHandle& handle, Findings& findings) {
  // Without a power of two nothing can be aligned. A small one is only forbidden, and for an empty
  // buffer not even that by both texts.   [HQ-MD-020, A23, A60]
  if (!std::has_single_bit(handle.alignment)) {
    findings.must(Status::kHandleAlignment, "HQ-MD-020");
  } else if (handle.alignment < kSmallestAlignment && handle.byte_size == 0) {
    findings.open(Behaviour::kEmptyBufferAlignment, Status::kHandleAlignment, "HQ-MD-020");
  } else if (handle.alignment < kSmallestAlignment) {
    findings.soft(Status::kHandleAlignment, "HQ-MD-020");
  }
}

// One document reserves these two bytes, the later one defines them. What both refuse is refused;
// what only the first one does is free.   [A22]
void judge_device_bytes(const BufferHandle& handle, Findings& findings) {
  const bool sync_legal = handle.sync_mode <= kLargestSyncMode &&
                          (handle.device_tag != kDeviceCpu || handle.sync_mode == 0);
  const bool class_legal = is_memory_class_of(handle.device_tag, handle.memory_class);

  if (!is_device_tag(handle.device_tag)) {
    findings.must(Status::kDeviceTag, "HQ-MD-022");
  } else if (!class_legal) {
    findings.must(Status::kMemoryClass, "HQ-MD-025");
  }
  if (!sync_legal) findings.must(Status::kSyncMode, "HQ-MD-024");

  if (sync_legal && class_legal && (handle.sync_mode != 0 || handle.memory_class != 0)) {
    findings.open(Behaviour::kHandleBytes, Status::kHandleBytes, "HQ-MD-021");
  }
}

}  // namespace

bool is_device_tag(std::uint8_t device_tag) {
  return device_tag <= kLargestDevice || is_private(device_tag);
}

bool is_memory_class_of(std::uint8_t device_tag, std::uint8_t memory_class) {
  if (is_private(device_tag)) return memory_class == 0 || is_private(memory_class);
  switch (device_tag) {
    case 0x00:
      return memory_class <= 0x02;  // CPU
    case 0x01:                      // CUDA
    case 0x02:                      // ROCm
    case 0x04:                      // Vulkan
    case 0x07:
      return memory_class <= 0x03;  // Level Zero
    case 0x03:                      // Metal
    case 0x06:                      // Hexagon
    case 0x08:
      return memory_class <= 0x02;  // OpenCL
    case 0x05:
      return memory_class == 0x00;  // WebGPU
    default:
      return false;
  }
}

void judge_buffers(const Tensor& tensor, Findings& findings) {
  if (tensor.buffer_count == 0) {
    findings.must(Status::kNoBuffer, "HQ-MD-016");
    return;
  }
  if (tensor.buffer_count > kMostBuffers) {  // only a writer can be asked for that
    findings.must(Status::kTooManyBuffers, "HQ-MD-019");
    return;
  }

  const BufferHandle& data = tensor.buffers[0];
  for (std::uint32_t i = 0; i < tensor.buffer_count; ++i) {
    const BufferHandle& handle = tensor.buffers[i];
    judge_alignment(handle, findings);
    judge_device_bytes(handle, findings);
    // All of a tensor is in one place.   [HQ-MD-023, HQ-HDR-024]
    if (handle.device_tag != data.device_tag) {
      findings.must(Status::kMixedDevices, "HQ-MD-023");
    }
    if (handle.memory_class != data.memory_class) {
      findings.must(Status::kMixedMemoryClasses, "HQ-MD-023");
    }
  }
}

}  // namespace hurray
