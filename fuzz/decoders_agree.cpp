// SPDX-License-Identifier: Apache-2.0
//
// Do all targets read quantization descriptors as the reference does? Two answers that are the same
// need no judge; why they may differ is asked only when they do.

#include <cstring>

#include <fmt/format.h>

#include "conformance/runner/wire.h"
#include "fuzz/asked.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/left_open.h"
#include "reference/quantization.h"
#include "targets/reference/reference_target.h"

extern "C" const struct hurray_target hurray_target_reference;

namespace hurray::fuzz {
namespace {

constexpr std::size_t kMostBytes = 4096;

struct Answer {
  hurray_status status;
  hurray_descriptor fields;
};

bool is_filled(const hurray_descriptor& fields) {
  return Guarded::is_filled(reinterpret_cast<const std::uint8_t*>(&fields), sizeof fields);
}

Answer decoded(const struct hurray_target& target, std::uint8_t type_tag, const std::uint8_t* bytes,
               std::size_t length) {
  Answer answer;
  std::memset(static_cast<void*>(&answer.fields), kFill, sizeof answer.fields);
  answer.status = target.decode(type_tag, bytes, length, &answer.fields);
  return answer;
}

// What differs between the two, if no ruling allows it.
[[gnu::noinline]] std::optional<Mismatch> judged(const hurray_registry_row& row, Input input,
                                                 const Answer& expected, const Answer& got) {
  Quantization quantization;
  Findings findings;
  parse_quantization(input.subspan(1), input[0], quantization, findings);
  if (got.status == HURRAY_OK) {
    if (!may_be_accepted(findings)) return Mismatch{"accepts-invalid", row.name, {}};
    // The reference refuses what a ruling only warns of; the fields are those of the bytes.
    const hurray_descriptor fields =
        expected.status == HURRAY_OK ? expected.fields : as_target::to_table(quantization);
    if (!same_fields(fields, got.fields)) return Mismatch{"wrong-fields", row.name, {}};
  } else if (!may_be_refused(findings)) {
    return Mismatch{"rejects-valid", row.name, {}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> decoders_agree(Input input, Targets targets) {
  if (input.empty() || input.size() > kMostBytes) return std::nullopt;
  static Guarded memory(kMostBytes);
  const std::uint8_t type_tag = input[0];
  const Input section = input.subspan(1);
  const std::uint8_t* const bytes = memory.holding(section);
  const Answer expected = decoded(hurray_target_reference, type_tag, bytes, section.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const hurray_registry_row& row = targets[i];
    const struct hurray_target& target = *row.target;
    if (target.decode == nullptr || is_asked_before<&hurray_target::decode>(targets, i)) continue;
    const Answer got = decoded(target, type_tag, bytes, section.size());
    if (std::memcmp(bytes, section.data(), section.size()) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (got.status != HURRAY_OK && !is_filled(got.fields)) {
      return Mismatch{"writes-on-error", row.name, {}};
    }
    const bool is_claimed = has_type(target.decode_types, type_tag) && !section.empty() &&
                            has_scheme(target, section[0]);
    if (got.status == HURRAY_OK && expected.status == HURRAY_OK) {
      if (!is_claimed) return Mismatch{"accepts-unclaimed", row.name, {}};
      if (!same_fields(expected.fields, got.fields)) return Mismatch{"wrong-fields", row.name, {}};
    } else if (got.status == HURRAY_OK || (expected.status == HURRAY_OK && is_claimed)) {
      if (auto found = judged(row, input, expected, got)) return found;
    }
  }
  return std::nullopt;
}

std::string decode_request(Input input) {
  if (input.empty()) return {};
  return fmt::format("decode type={:02x} bytes={}", input[0],
                     conformance::to_hex(input.subspan(1)));
}

}  // namespace hurray::fuzz
