// SPDX-License-Identifier: Apache-2.0
//
// Descriptors for people, see inspect.h.

#include "conformance/runner/inspect.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/wire.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/per_tensor_affine.h"

namespace hurray::conformance {
namespace {

struct Field {
  std::string_view name;
  std::size_t offset, bytes;
};
constexpr std::array<Field, 6> kFields = {{{"scheme_tag", 0, 1},
                                           {"scheme_version", 1, 1},
                                           {"flags", 2, 2},
                                           {"scale", 4, 4},
                                           {"zero_point", 8, 4},
                                           {"_reserved", 12, 4}}};

std::string_view scheme_name(std::uint8_t tag) {
  switch (tag) {
    case 0x01:
      return "per-tensor affine";
    case 0x02:
      return "per-channel affine";
    case 0x03:
      return "per-block affine";
    case 0x04:
      return "NF4";
    case 0x05:
      return "MXFP";
    default:
      break;
  }
  if (tag == 0x00 || tag == 0xff) return "invalid";
  if (tag >= 0xf0) return "private";
  if (tag >= 0x80 || (tag >= 0x60 && tag <= 0x7f)) return "reserved";
  return "unassigned";
}

std::string_view kind_of(float value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return "infinite";
  if (value == 0) return "zero";
  return std::fpclassify(value) == FP_SUBNORMAL ? "subnormal" : "normal";
}

std::string value_of(const Field& field, const std::uint8_t* bytes) {
  if (field.name == "scheme_tag") return std::string(scheme_name(bytes[0]));
  if (field.name == "scheme_version") return fmt::format("{}", bytes[0]);
  if (field.name == "flags") return fmt::format("{:04x}", load_le16(bytes));
  if (field.name == "zero_point")
    return fmt::format("{}", static_cast<std::int32_t>(load_le32(bytes)));
  if (field.name == "scale") {
    const float scale = load_binary32(bytes);
    return fmt::format("{:.9g}, {}", scale, kind_of(scale));
  }
  return {};
}

}  // namespace

Inspection inspect_descriptor(const Suite& suite, std::uint8_t type_tag,
                              std::span<const std::uint8_t> bytes) {
  Inspection inspection;
  std::string& text = inspection.text;
  text = fmt::format("storage type  {:02x}  {}\n", type_tag, element_type_name(type_tag));
  for (const Field& field : kFields) {
    if (field.offset + field.bytes > bytes.size()) {
      text += fmt::format("@{:<3} {:<15} missing\n", field.offset, field.name);
      continue;
    }
    const std::span<const std::uint8_t> part = bytes.subspan(field.offset, field.bytes);
    text += fmt::format("@{:<3} {:<15} {:<10} {}\n", field.offset, field.name, to_hex(part),
                        value_of(field, part.data()));
  }
  if (bytes.size() > kPerTensorAffineBytes) {
    text += fmt::format("@16  behind the fields  {} bytes, skipped or refused (ruling A12)\n",
                        bytes.size() - kPerTensorAffineBytes);
  }

  PerTensorAffine descriptor{};
  const Status status = decode_for(bytes, type_tag, descriptor);
  inspection.is_valid = status == Status::kOk;
  if (inspection.is_valid) {
    const StorageTypeInfo& info = *find_storage_type(type_tag);
    const auto real = [&](std::int64_t q) {
      return descriptor.scale * static_cast<float>(q - descriptor.zero_point);
    };
    text += fmt::format("valid: code {} stands for 0; codes {} to {} for {:.9g} to {:.9g}\n",
                        descriptor.zero_point, info.min, info.max, real(info.min), real(info.max));
    return inspection;
  }
  const std::string id(requirement_of(status));
  text += fmt::format("invalid: {}\n", text_of(status));
  if (const Requirement* requirement = suite.find_requirement(id)) {
    text += fmt::format("breaks {}: {}\n", id, requirement->text);
  }
  return inspection;
}

}  // namespace hurray::conformance
