// SPDX-License-Identifier: Apache-2.0
//
// Element types. Arrays of the table have no length of their own, so it is computed here; and data
// is meant, of which two bytes of e8m0 are none (ruling A37).

#include <algorithm>
#include <optional>
#include <span>

#include "reference/element_type.h"
#include "reference/small_float.h"
#include "reference_target.h"

namespace hurray::as_target {
namespace {

constexpr std::uint8_t kFloat8E8m0 = 0x42;

template <typename Pattern>
bool has_invalid_e8m0(std::uint8_t type_tag, std::span<const Pattern> patterns) {
  return type_tag == kFloat8E8m0 && std::ranges::any_of(patterns, [](Pattern pattern) {
           return !is_float8_e8m0_legal(static_cast<std::uint8_t>(pattern));
         });
}

}  // namespace

hurray_status pack(std::uint8_t type_tag, const std::int64_t* values, std::size_t count,
                   std::uint8_t* out) {
  const std::optional<std::uint64_t> bytes = element_bytes(type_tag, count);
  const std::span<const std::int64_t> all(values, count);
  if (!bytes || has_invalid_e8m0(type_tag, all)) return HURRAY_REJECTED;
  return status_of(pack_elements(type_tag, all, {out, static_cast<std::size_t>(*bytes)}));
}

hurray_status unpack(std::uint8_t type_tag, const std::uint8_t* packed, std::size_t count,
                     std::int64_t* values) {
  const std::optional<std::uint64_t> bytes = element_bytes(type_tag, count);
  if (!bytes) return HURRAY_REJECTED;
  return status_of(
      unpack_elements(type_tag, {packed, static_cast<std::size_t>(*bytes)}, {values, count}));
}

hurray_status packed_bytes(std::uint8_t type_tag, std::uint64_t count, std::uint64_t* bytes) {
  const std::optional<std::uint64_t> found = element_bytes(type_tag, count);
  if (found) *bytes = *found;
  return found ? HURRAY_OK : HURRAY_REJECTED;
}

hurray_status widen(std::uint8_t type_tag, const std::uint8_t* packed, std::size_t count,
                    float* out) {
  const std::optional<std::uint64_t> bytes = element_bytes(type_tag, count);
  if (!bytes) return HURRAY_REJECTED;
  const std::span<const std::uint8_t> all(packed, static_cast<std::size_t>(*bytes));
  if (has_invalid_e8m0(type_tag, all)) return HURRAY_REJECTED;
  return status_of(widen_elements(type_tag, all, count, out));
}

}  // namespace hurray::as_target
