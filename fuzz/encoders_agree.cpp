// SPDX-License-Identifier: Apache-2.0
//
// Do all targets write quantization descriptors as the reference does, and read back what they
// wrote? The input has the fields of any descriptor, those of other schemes than its own left out.

#include <cstring>

#include <fmt/format.h>

#include "conformance/runner/wire.h"
#include "fuzz/asked.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/left_open.h"
#include "reference/byte_order.h"
#include "reference/quantization.h"
#include "targets/reference/reference_target.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t kMostRoom = 255;

// Type, room, scheme_tag, scale_type_tag, flags, then six words.
constexpr std::size_t kInputBytes = 30;

hurray_descriptor fields_of(const std::uint8_t* at) {
  hurray_descriptor fields{};
  fields.scheme_tag = at[2];
  fields.scale_type_tag = at[3];
  fields.flags = load_le16(at + 4);
  fields.scale = load_binary32(at + 6);
  fields.zero_point = static_cast<std::int32_t>(load_le32(at + 10));
  fields.axis = load_le32(at + 14);
  fields.block_size = load_le32(at + 18);
  fields.scale_buffer_index = load_le32(at + 22);
  fields.zero_point_buffer_index = load_le32(at + 26);
  if (!is_known_scheme(fields.scheme_tag)) return fields;
  // Drops what the scheme does not have, but for flags, which all schemes have on the wire.
  hurray_descriptor own = as_target::to_table(as_target::from_table(fields));
  own.flags = fields.flags;
  return own;
}

// What is wrong with the fields themselves, for a writer.
Findings findings_of(const hurray_descriptor& fields, std::uint8_t type_tag) {
  Findings findings;
  judge_quantization(as_target::from_table(fields), type_tag, findings);
  return findings;
}

// A writer that is given another index beside SYMMETRIC writes all ones, or refuses (A17, A18).
hurray_descriptor as_written(hurray_descriptor fields) {
  const bool may_be_symmetric = fields.scheme_tag == 2 || fields.scheme_tag == 3;
  if (may_be_symmetric && (fields.flags & kSymmetric) != 0) {
    fields.zero_point_buffer_index = kNoBufferIndex;
  }
  return fields;
}

struct Asked {
  std::uint8_t type_tag;
  std::size_t room;
  hurray_descriptor fields;
};

// What was written has to be these bytes.
std::optional<Mismatch> written_differently(const hurray_registry_row& row, const Asked& asked,
                                            const std::uint8_t* out, std::size_t written) {
  const hurray_descriptor fields = as_written(asked.fields);
  std::uint8_t expected[kLongestSchemeBytes];
  std::size_t length = 0;
  if (as_target::encode(asked.type_tag, &fields, expected, sizeof expected, &length) != HURRAY_OK) {
    return Mismatch{"writes-invalid", row.name, {}};
  }
  if (written != length || length > asked.room) return Mismatch{"wrong-length", row.name, {}};
  if (std::memcmp(out, expected, length) != 0) return Mismatch{"wrong-bytes", row.name, {}};
  if (!Guarded::is_filled(out + length, asked.room - length)) {
    return Mismatch{"writes-behind", row.name, {}};
  }
  if (row.target->decode == nullptr || !has_type(row.target->decode_types, asked.type_tag)) {
    return std::nullopt;
  }
  hurray_descriptor back{};
  if (row.target->decode(asked.type_tag, out, length, &back) != HURRAY_OK) {
    return Mismatch{"refuses-its-own", row.name, {}};
  }
  if (!same_fields(fields, back)) return Mismatch{"reads-its-own-differently", row.name, {}};
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> encoders_agree(Input input, Targets targets) {
  if (input.size() < kInputBytes) return std::nullopt;
  static Guarded memory(kMostRoom);
  const Asked asked = {input[0], input[1], fields_of(input.data())};
  // Of the writers' choices one is known beforehand: what the fields are without a choice.
  std::optional<bool> must_write;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const hurray_registry_row& row = targets[i];
    const struct hurray_target& target = *row.target;
    if (target.encode == nullptr || is_asked_before<&hurray_target::encode>(targets, i)) continue;
    std::uint8_t* const out = memory.filled(asked.room);
    const hurray_descriptor given = asked.fields;
    std::size_t written = SIZE_MAX;
    const hurray_status status = target.encode(asked.type_tag, &given, out, asked.room, &written);
    if (!Guarded::front_is_untouched(out)) return Mismatch{"writes-in-front", row.name, {}};
    if (std::memcmp(&given, &asked.fields, sizeof given) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (status == HURRAY_OK) {
      if (auto found = written_differently(row, asked, out, written)) return found;
      continue;
    }
    if (written != SIZE_MAX || !Guarded::is_filled(out, asked.room)) {
      return Mismatch{"writes-on-error", row.name, {}};
    }
    if (!must_write) {
      must_write = asked.room >= scheme_bytes(asked.fields.scheme_tag) &&
                   as_target::has_own_fields_only(asked.fields) &&
                   findings_of(asked.fields, asked.type_tag).empty();
    }
    if (*must_write && has_type(target.encode_types, asked.type_tag) &&
        has_scheme(target, asked.fields.scheme_tag)) {
      return Mismatch{"refuses-valid", row.name, {}};
    }
  }
  return std::nullopt;
}

std::string encode_request(Input input) {
  if (input.size() < kInputBytes) return {};
  const hurray_descriptor fields = fields_of(input.data());
  std::string line = fmt::format("encode type={:02x} scheme={}", input[0], fields.scheme_tag);
  if (fields.scheme_tag == kSchemePerTensorAffine) {
    line += fmt::format(" scale={} zero_point={}", conformance::bits_to_hex(fields.scale),
                        fields.zero_point);
  } else {
    line += fmt::format(" flags={:04x} axis={}", fields.flags, fields.axis);
    if (fields.scheme_tag != kSchemePerChannelAffine) {
      line += fmt::format(" block_size={}", fields.block_size);
    }
    line += fmt::format(" scale_buffer_index={}", fields.scale_buffer_index);
    if (fields.scheme_tag <= kSchemePerBlockAffine) {
      line += fmt::format(" zero_point_buffer_index={} scale_type_tag={:02x}",
                          fields.zero_point_buffer_index, fields.scale_type_tag);
    }
  }
  return line + fmt::format(" capacity={}", input[1]);
}

}  // namespace hurray::fuzz
