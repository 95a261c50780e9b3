// SPDX-License-Identifier: Apache-2.0
//
// Is the buffer table of a tensor legal by itself? Alignments, devices, synchronization and memory
// classes. Source: metadata.md §Buffer Table and buffer-protocol.md, which wins where they differ
// (rulings A22, A23). Rows HQ-MD-016 to -025. Sizes are in tensor_quantization.h.

#ifndef HURRAY_REFERENCE_TENSOR_BUFFERS_H
#define HURRAY_REFERENCE_TENSOR_BUFFERS_H

#include <cstdint>

#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray {

inline constexpr std::uint8_t kDeviceCpu = 0x00;

// 00 to 08, and the private f0 to fe.   [HQ-MD-022]
bool is_device_tag(std::uint8_t device_tag);

// Whether a device has memory of this class: the table of buffer-protocol.md.   [HQ-MD-025]
bool is_memory_class_of(std::uint8_t device_tag, std::uint8_t memory_class);

// Each handle alone, then all of them together.
void judge_buffers(const Tensor& tensor, Findings& findings);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TENSOR_BUFFERS_H
