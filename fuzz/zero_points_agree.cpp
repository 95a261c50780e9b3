// SPDX-License-Identifier: Apache-2.0
//
// Do all targets normalize zero points of other toolchains as the reference does?
//
//   offset  0       1         2     6
//   field   bits    settings  bias  the plane
//
//   bits      0 to 3: 4, 4, 2, 8; others as they are
//   settings  bit 0     the field in the high bits comes first
//             bit 1     the bias is the field's lowest bit: 0 or 1
//             bits 2-3  3: one field more than the plane has; else so many fewer

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "conformance/runner/wire.h"
#include "fuzz/asked.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "fuzz/left_open.h"
#include "reference/byte_order.h"
#include "reference/zero_point.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t kPlaneAt = 6;
constexpr std::size_t kMostPlane = 1024;
constexpr std::size_t kMostFields = 4 * kMostPlane + 1;

struct Asked {
  hurray_zero_point_format format;
  Input plane;
  std::size_t count;
};

Asked asked_by(Input input) {
  constexpr std::array<std::uint8_t, 4> kWidths = {4, 4, 2, 8};
  Asked asked;
  asked.format.bits = input[0] < kWidths.size() ? kWidths[input[0]] : input[0];
  asked.format.high_field_first = input[1] & 1;
  const std::uint32_t bias = load_le32(&input[2]);
  asked.format.bias = static_cast<std::int32_t>((input[1] & 2) != 0 ? bias & 1 : bias);
  asked.plane = input.subspan(kPlaneAt, std::min(input.size() - kPlaneAt, kMostPlane));
  const std::size_t width =
      asked.format.bits == 2 || asked.format.bits == 8 ? asked.format.bits : 4;
  const std::size_t fields = asked.plane.size() * 8 / width;
  const std::size_t fewer = input[1] >> 2 & 3;
  asked.count = fewer == 3 ? fields + 1 : fields - std::min(fields, fewer);
  return asked;
}

}  // namespace

std::optional<Mismatch> zero_points_agree(Input input, Targets targets) {
  if (input.size() < kPlaneAt) return std::nullopt;
  static Guarded planes(kMostPlane), zero_points(kMostFields * sizeof(std::int32_t));
  static Guarded expected_zero_points(kMostFields * sizeof(std::int32_t));
  const Asked asked = asked_by(input);
  const std::uint8_t* const plane = planes.holding(asked.plane);
  const std::size_t bytes = asked.count * sizeof(std::int32_t);
  auto* const expected = reinterpret_cast<std::int32_t*>(expected_zero_points.ending(bytes));
  const Status status = normalize_zero_points(
      {asked.format.bits, asked.format.bias, asked.format.high_field_first != 0},
      {plane, asked.plane.size()}, asked.count, expected);

  for (std::size_t i = 0; i < targets.size(); ++i) {
    const hurray_registry_row& row = targets[i];
    const auto normalize = row.target->normalize_zero_points;
    if (normalize == nullptr) continue;
    if (is_asked_before<&hurray_target::normalize_zero_points>(targets, i)) continue;
    std::uint8_t* const memory = zero_points.filled(bytes);
    const hurray_status got = normalize(&asked.format, plane, asked.plane.size(), asked.count,
                                        reinterpret_cast<std::int32_t*>(memory));
    if (!Guarded::front_is_untouched(memory)) return Mismatch{"writes-in-front", row.name, {}};
    if (std::memcmp(plane, asked.plane.data(), asked.plane.size()) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (got != HURRAY_OK) {
      if (!Guarded::is_filled(memory, bytes)) return Mismatch{"writes-on-error", row.name, {}};
      const bool is_declined = got == HURRAY_UNSUPPORTED && may_be_declined(asked.format);
      if (status == Status::kOk && !is_declined) return Mismatch{"refuses-valid", row.name, {}};
      continue;
    }
    if (status != Status::kOk) return Mismatch{"accepts-invalid", row.name, {}};
    if (std::memcmp(memory, expected, bytes) != 0) {
      return Mismatch{"wrong-zero-points", row.name, {}};
    }
  }
  return std::nullopt;
}

std::string zero_points_request(Input input) {
  if (input.size() < kPlaneAt) return {};
  const Asked asked = asked_by(input);
  return fmt::format("normalize bits={} bias={} order={} count={} packed={}", asked.format.bits,
                     asked.format.bias,
                     asked.format.high_field_first != 0 ? "high-first" : "low-first", asked.count,
                     conformance::to_hex(asked.plane));
}

}  // namespace hurray::fuzz
