// SPDX-License-Identifier: Apache-2.0
//
// What does a tensor descriptor say, and is it valid? Fixed header, shape, layout, buffer table and
// the sections that its flags announce. Source: metadata.md, rows HQ-MD. Layouts 01 to 03 only; the
// rules of the buffer table are in tensor_buffers.h, those between a quantization section and the
// rest in tensor_quantization.h, the contents of buffers in dequantize_tensor.h.

#ifndef HURRAY_REFERENCE_TENSOR_H
#define HURRAY_REFERENCE_TENSOR_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/quantization.h"
#include "reference/status.h"

namespace hurray {

inline constexpr std::size_t kTensorHeaderBytes = 20;
inline constexpr std::size_t kBufferHandleBytes = 16;
inline constexpr std::size_t kStatisticsBytes = 72;
inline constexpr std::size_t kExtensionTypeBytes = 20;
inline constexpr std::size_t kCompositeMemberBytes = 16;

inline constexpr std::uint32_t kMostRank = 64;         // [HQ-MD-027]
inline constexpr std::uint32_t kMostBuffers = 255;     // [HQ-MD-019]
inline constexpr std::uint64_t kDynamic = UINT64_MAX;  // a dimension that is not known yet

inline constexpr std::uint8_t kLayoutRowMajor = 0x01;
inline constexpr std::uint8_t kLayoutColumnMajor = 0x02;
inline constexpr std::uint8_t kLayoutStrided = 0x03;

inline constexpr std::uint32_t kHasQuantization = 1u << 0;
inline constexpr std::uint32_t kHasShard = 1u << 1;
inline constexpr std::uint32_t kHasExtensionType = 1u << 2;
inline constexpr std::uint32_t kHasStatistics = 1u << 3;
inline constexpr std::uint32_t kHasCompositeMember = 1u << 4;
inline constexpr std::uint32_t kTensorFlags = 0x1f;  // the others are reserved

// An entry of the buffer table. Its last byte is reserved and has no member.
struct BufferHandle {
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  std::uint8_t device_tag = 0;  // 0: CPU
  std::uint8_t sync_mode = 0;
  std::uint8_t memory_class = 0;

  friend bool operator==(const BufferHandle&, const BufferHandle&) = default;
};

// A descriptor under the names of the wire. Entries beyond `rank` and `buffer_count`, strides of
// another layout than strided, and sections whose flag is not set are zero after parsing, and not
// looked at by anything else.
struct Tensor {
  std::uint32_t descriptor_length = 0;
  std::uint8_t version_major = 1;
  std::uint8_t version_minor = 0;
  std::uint8_t type_tag = 0;
  std::uint8_t layout_tag = kLayoutRowMajor;
  std::uint32_t flags = 0;
  std::uint32_t rank = 0;
  std::array<std::uint64_t, kMostRank> shape{};
  std::array<std::int64_t, kMostRank> strides{};  // in elements
  std::uint64_t byte_offset = 0;
  std::uint32_t buffer_count = 0;
  std::array<BufferHandle, kMostBuffers> buffers{};
  Quantization quantization{};
  std::array<std::uint64_t, kMostRank> parent_shape{};
  std::array<std::uint64_t, kMostRank> shard_offset{};
  std::array<std::uint8_t, kStatisticsBytes> statistics{};
  std::array<std::uint8_t, kExtensionTypeBytes> extension_type{};
  std::uint8_t member_role = 0;

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};

// Reads the descriptor at the start of `bytes` and finds everything that is wrong with it, except
// the contents of buffers. Calls judge_tensor() for all that does not concern bytes.
//   bytes   any alignment, any length; what is behind descriptor_length is not looked at
//   out     members in the order of the wire, up to the point where reading could not go on;
//           complete unless one of kTruncated, kMagic, kMajorVersion, kDescriptorLength,
//           kRankTooLarge, kLayoutUnknown and kSectionCut was found
// Findings with a status of their own here: kDescriptorCut (soft, A51) says that `bytes` ends
// before descriptor_length; if the content itself is cut, there is kSectionCut (must) as well.
void parse_tensor(std::span<const std::uint8_t> bytes, Tensor& out, Findings& findings,
                  Mode mode = Mode::kStrict);

// The rules for the members, whether they were read or are to be written.
void judge_tensor(const Tensor& tensor, Findings& findings, Mode mode = Mode::kStrict);

// Writes the descriptor in version 1.0, sections in the order of the flags, no byte more.
//   tensor    descriptor_length and version are not looked at
//   out       any alignment; touched only on kOk
//   written   set only on kOk
// Refuses what judge_tensor() says a reader must or should refuse, with the gravest status, and too
// little room with kBufferTooSmall.   [HQ-MD-039, HQ-HDR-032]
[[nodiscard]] Status encode_tensor(const Tensor& tensor, std::span<std::uint8_t> out,
                                   std::size_t& written);

// Bytes that encode_tensor writes for a tensor that it does not refuse.
std::size_t encoded_tensor_bytes(const Tensor& tensor);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TENSOR_H
