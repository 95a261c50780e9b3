// SPDX-License-Identifier: Apache-2.0
//
// Do all targets pack, unpack, widen and measure elements as the reference does?
//
//   offset  0    1         2
//   field   tag  settings  data
//
//   tag       any of the 256
//   settings  bits 0-1  pack, unpack, widen, packed_bytes
//             bits 2-3  elements fewer than the bytes hold
//             bit 4     what is packed is what the type holds, as far as its bits go
//   data      int64 values to pack, packed elements, or a count of 8 bytes

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
#include "targets/reference/reference_target.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t kDataAt = 2;
constexpr std::size_t kMostData = 1024;
constexpr std::size_t kMostElements = 8 * kMostData;
constexpr std::size_t kMostOutput = kMostElements * sizeof(std::int64_t);

enum Operation { kPack, kUnpack, kWiden, kPackedBytes };

// A call with one input and one output array, as all four are.
struct Call {
  Operation operation;
  std::uint8_t tag;
  std::uint64_t count;
  Input in;
  std::size_t out_bytes;
};

std::uint64_t elements_in(std::uint8_t tag, std::size_t bytes) {
  const ElementTypeInfo* const info = find_element_type(tag);
  if (info == nullptr) return bytes;
  if (info->bits == 6) return bytes / 3 * 4;
  return bytes * 8 / info->bits;
}

// What of the value the type holds: sign-extended, or the low bits.
std::uint64_t held(const ElementTypeInfo& info, std::uint64_t value) {
  if (info.bits >= 64) return value;
  const std::uint64_t low = value & ((std::uint64_t{1} << info.bits) - 1);
  const std::uint64_t sign =
      info.kind == ElementKind::kSigned ? std::uint64_t{1} << (info.bits - 1) : 0;
  return (low ^ sign) - sign;
}

Call call_of(Input input, Guarded& memory) {
  const std::uint8_t settings = input[1];
  Call call;
  call.operation = static_cast<Operation>(settings & 3);
  call.tag = input[0];
  const Input data = input.subspan(kDataAt, std::min(input.size() - kDataAt, kMostData));
  const std::size_t fewer = settings >> 2 & 3;
  const auto without = [&](std::uint64_t count) {
    return count - std::min<std::uint64_t>(count, fewer);
  };
  if (call.operation == kPackedBytes) {
    call.count = load_le(data.data(), static_cast<unsigned>(std::min<std::size_t>(data.size(), 8)));
    call.out_bytes = sizeof(std::uint64_t);
    return call;
  }
  if (call.operation == kPack) {
    const ElementTypeInfo* const info = find_element_type(call.tag);
    call.count = without(data.size() / sizeof(std::int64_t));
    const auto bytes = static_cast<std::size_t>(call.count) * sizeof(std::int64_t);
    std::uint8_t* const at = memory.ending(bytes);
    for (std::size_t i = 0; i < bytes; i += sizeof(std::int64_t)) {
      const std::uint64_t value = load_le64(&data[i]);
      const std::uint64_t shown =
          info != nullptr && (settings & 16) != 0 ? held(*info, value) : value;
      std::memcpy(at + i, &shown, sizeof shown);
    }
    call.in = {at, bytes};
    call.out_bytes = static_cast<std::size_t>(element_bytes(call.tag, call.count).value_or(0));
    return call;
  }
  call.count = without(elements_in(call.tag, data.size()));
  const auto bytes = static_cast<std::size_t>(element_bytes(call.tag, call.count).value_or(0));
  call.in = {memory.holding(data.first(std::min(bytes, data.size()))),
             std::min(bytes, data.size())};
  call.out_bytes = static_cast<std::size_t>(call.count) *
                   (call.operation == kUnpack ? sizeof(std::int64_t) : sizeof(float));
  return call;
}

hurray_status answer(const struct hurray_target& target, const Call& call, std::uint8_t* out) {
  const auto count = static_cast<std::size_t>(call.count);
  switch (call.operation) {
    case kPack:
      return target.pack(call.tag, reinterpret_cast<const std::int64_t*>(call.in.data()), count,
                         out);
    case kUnpack:
      return target.unpack(call.tag, call.in.data(), count, reinterpret_cast<std::int64_t*>(out));
    case kWiden:
      return target.widen(call.tag, call.in.data(), count, reinterpret_cast<float*>(out));
    default:
      return target.packed_bytes(call.tag, call.count, reinterpret_cast<std::uint64_t*>(out));
  }
}

// Whether the target has the operation, and none before is the same.
bool is_to_be_asked(Targets targets, std::size_t index, Operation operation) {
  const struct hurray_target& target = *targets[index].target;
  switch (operation) {
    case kPack:
      return target.pack && !is_asked_before<&hurray_target::pack>(targets, index);
    case kUnpack:
      return target.unpack && !is_asked_before<&hurray_target::unpack>(targets, index);
    case kWiden:
      return target.widen && !is_asked_before<&hurray_target::widen>(targets, index);
    default:
      return target.packed_bytes && !is_asked_before<&hurray_target::packed_bytes>(targets, index);
  }
}

[[gnu::noinline]] bool same_values(const std::uint8_t* a, const std::uint8_t* b,
                                   std::size_t bytes) {
  for (std::size_t i = 0; i + sizeof(float) <= bytes; i += sizeof(float)) {
    if (!same_value(load_binary32(a + i), load_binary32(b + i))) return false;
  }
  return true;
}

}  // namespace

std::optional<Mismatch> elements_agree(Input input, Targets targets) {
  if (input.size() < kDataAt) return std::nullopt;
  static Guarded inputs(kMostData), outputs(kMostOutput), expected_outputs(kMostOutput);
  static Guarded before(kMostData);
  const Call call = call_of(input, inputs);
  const std::uint8_t* const unchanged = before.holding(call.in);
  std::uint8_t* const expected = expected_outputs.ending(call.out_bytes);
  static constexpr struct hurray_target kExpected = [] {
    struct hurray_target target = {};
    target.pack = as_target::pack;
    target.unpack = as_target::unpack;
    target.widen = as_target::widen;
    target.packed_bytes = as_target::packed_bytes;
    return target;
  }();
  const hurray_status status = answer(kExpected, call, expected);

  for (std::size_t i = 0; i < targets.size(); ++i) {
    const hurray_registry_row& row = targets[i];
    if (!is_to_be_asked(targets, i, call.operation)) continue;
    std::uint8_t* const out = outputs.filled(call.out_bytes);
    const hurray_status got = answer(*row.target, call, out);
    if (!Guarded::front_is_untouched(out)) return Mismatch{"writes-in-front", row.name, {}};
    if (!call.in.empty() && std::memcmp(call.in.data(), unchanged, call.in.size()) != 0) {
      return Mismatch{"changes-input", row.name, {}};
    }
    if (got != HURRAY_OK) {
      if (!Guarded::is_filled(out, call.out_bytes))
        return Mismatch{"writes-on-error", row.name, {}};
      if (status != HURRAY_OK || !has_type(row.target->element_types, call.tag)) continue;
      const bool reads_packed = call.operation == kUnpack || call.operation == kWiden;
      if (reads_packed &&
          may_refuse_to_unpack(call.tag, call.in.data(), static_cast<std::size_t>(call.count))) {
        continue;
      }
      return Mismatch{"refuses-valid", row.name, {}};
    }
    if (status != HURRAY_OK) return Mismatch{"accepts-invalid", row.name, {}};
    if (std::memcmp(out, expected, call.out_bytes) == 0) continue;
    if (call.operation == kWiden && same_values(out, expected, call.out_bytes)) continue;
    return Mismatch{"wrong-elements", row.name, {}};
  }
  return std::nullopt;
}

std::string elements_request(Input input) {
  if (input.size() < kDataAt) return {};
  static Guarded memory(kMostData);
  const Call call = call_of(input, memory);
  constexpr std::array<std::string_view, 4> kVerbs = {"pack", "unpack", "widen", "packed_bytes"};
  std::string line =
      fmt::format("{} type={:02x} count={}", kVerbs[call.operation], call.tag, call.count);
  if (call.operation == kPackedBytes) return line;
  return line + fmt::format(" {}={}", call.operation == kPack ? "values" : "packed",
                            conformance::to_hex(call.in));
}

}  // namespace hurray::fuzz
