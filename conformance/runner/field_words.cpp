// SPDX-License-Identifier: Apache-2.0
//
// Words for values, see field_words.h. Names are those of the specification.

#include "conformance/runner/field_words.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "reference/binary32.h"
#include "reference/per_channel_affine.h"
#include "reference/tensor.h"

namespace hurray::conformance {
namespace {

constexpr std::array<std::string_view, 5> kTensorFlagNames = {
    "HAS_QUANTIZATION", "HAS_SHARD", "HAS_EXTENSION_TYPE", "HAS_STATISTICS",
    "HAS_COMPOSITE_MEMBER"};
constexpr std::array<std::string_view, 9> kDeviceNames = {
    "CPU", "CUDA", "ROCm", "Metal", "Vulkan", "WebGPU", "Hexagon", "Level Zero", "OpenCL"};

// Names of the bits that have one, then the others as what they are.
std::string bit_words(std::uint32_t bits, std::span<const std::string_view> names) {
  std::vector<std::string> words;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    words.push_back(bit < names.size() ? std::string(names[bit])
                                       : fmt::format("reserved bit {}", bit));
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string_view kind_of(float value) {
  if (is_nan(value)) return "not a number";
  if (is_infinite(value)) return "infinite";
  if (is_zero(value)) return "zero";
  return is_subnormal(value) ? "subnormal" : "normal";
}

}  // namespace

std::string_view scheme_name(std::uint8_t tag) {
  switch (tag) {
    case kSchemePerTensorAffine:
      return "per-tensor affine";
    case kSchemePerChannelAffine:
      return "per-channel affine";
    case kSchemePerBlockAffine:
      return "per-block affine";
    case kSchemeNf4:
      return "NF4";
    case kSchemeMxfp:
      return "MXFP";
    default:
      break;
  }
  if (tag == 0x00 || tag == 0xff) return "invalid";
  if (tag >= 0xf0) return "private";
  if (tag >= 0x80 || (tag >= 0x60 && tag <= 0x7f)) return "reserved";
  return "unassigned";
}

std::string_view layout_name(std::uint8_t tag) {
  switch (tag) {
    case kLayoutRowMajor:
      return "row-major";
    case kLayoutColumnMajor:
      return "column-major";
    case kLayoutStrided:
      return "strided";
    case 0x07:
      return "CSR, which is not taken apart here";
    case 0x08:
      return "CSC, which is not taken apart here";
    case 0x09:
      return "CSF, which is not taken apart here";
    case 0x0a:
      return "block-paged, which is not taken apart here";
    case 0x0b:
      return "composite head, which is not taken apart here";
    case 0x00:
    case 0xff:
      return "invalid";
    default:
      return "not known here";
  }
}

std::string_view device_name(std::uint8_t tag) {
  if (tag < kDeviceNames.size()) return kDeviceNames[tag];
  return tag >= 0xf0 && tag != 0xff ? "private" : "no device";
}

std::string tensor_flags_words(std::uint32_t flags) { return bit_words(flags, kTensorFlagNames); }

std::string scheme_flags_words(std::uint8_t scheme_tag, std::uint16_t flags) {
  constexpr std::array<std::string_view, 1> kNames = {"SYMMETRIC"};
  const bool has_symmetric =
      scheme_tag == kSchemePerChannelAffine || scheme_tag == kSchemePerBlockAffine;
  return bit_words(flags, std::span(kNames).first(has_symmetric ? 1 : 0));
}

std::string dimension_words(std::uint64_t dimension) {
  return dimension == kDynamic ? "dynamic" : fmt::format("{}", dimension);
}

std::string scale_words(float scale) { return fmt::format("{:.9g}, {}", scale, kind_of(scale)); }

std::string buffer_index_words(std::uint32_t index) {
  if (index == kNoBufferIndex) return "no buffer";
  return index == 0 ? "buffer 0, the data" : fmt::format("buffer {}", index);
}

std::string member_role_words(std::uint8_t role) {
  return role == 0 ? "correction" : role == 1 ? "base" : "no role";
}

std::string statistics_mask_words(std::uint32_t mask) {
  std::vector<std::string> words;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((mask >> bit & 1) != 0) {
      words.push_back(fmt::format("{}{}", bit > 5 ? "reserved bit " : "bit ", bit));
    }
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string byte_count_words(std::uint64_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

}  // namespace hurray::conformance
