// SPDX-License-Identifier: Apache-2.0
//
// The planted target, see planted_target.h, and the main of the tests that start it.

#include "conformance/runner/planted_target.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "conformance/runner/guardian.h"
#include "conformance/runner/wire.h"
#include "kit/hurray_kit_posix.h"
#include "reference/dequantize.h"
#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

struct Faults {
  std::map<std::uint32_t, std::string> planted;
  std::map<std::string_view, std::uint32_t> from;
  bool has_positive_zeros = false, has_tail = false, has_padding = false;

  bool has_begun(std::string_view reading, std::uint32_t bits) const {
    const auto found = from.find(reading);
    return found != from.end() && bits >= found->second;
  }
  std::string_view at(std::uint32_t bits) const {
    const auto found = planted.find(bits);
    return found == planted.end() ? std::string_view() : found->second;
  }
};
Faults faults;

// HURRAY_OK, or what a call returns instead of a result; does not return from all of it.
hurray_status happen(std::string_view what) {
  if (what == "crash") std::raise(SIGSEGV);
  if (what == "leave") std::_Exit(0);
  if (what == "hang") pause();
  if (what == "unsupported") return HURRAY_UNSUPPORTED;
  return what == "reject" ? HURRAY_REJECTED : HURRAY_OK;
}

// Whether a call of `count` elements has another result for this one.
bool is_changed(std::uint32_t bits, std::size_t count) {
  return faults.at(bits) == "+1" || (faults.at(bits) == "+1-of-8" && count >= 8);
}

hurray_status quantize(std::uint8_t tag, float scale, std::int32_t zero_point, const float* in,
                       void* out, std::size_t count) {
  const StorageTypeInfo& info = *find_storage_type(tag);
  auto* const q = static_cast<std::uint8_t*>(out);
  std::memset(q, 0, packed_bytes(info.type, count).value());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, in + i, sizeof bits);
    if (const hurray_status status = happen(faults.at(bits)); status != HURRAY_OK) return status;
    Choices choices;
    if (faults.has_begun("flush", bits)) choices.subnormals = Subnormals::kFlush;
    if (faults.has_begun("exact", bits)) choices.quotient = hurray::Quotient::kExact;
    std::int64_t code = quantize_value(in[i], scale, zero_point, info.min, info.max, choices);
    if (is_changed(bits, count)) code = code == info.max ? code - 1 : code + 1;
    write_element(info.type, q, i, code);
  }
  if (faults.has_tail && count > 512) q[packed_bytes(info.type, count).value() - 1] ^= 1;
  if (faults.has_padding && count * info.bits % 8 != 0) q[count * info.bits / 8] |= 0x80;
  return HURRAY_OK;
}

hurray_status dequantize(std::uint8_t tag, float scale, std::int32_t zero_point, const void* q,
                         float* out, std::size_t count) {
  const StorageTypeInfo& info = *find_storage_type(tag);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t code = read_element(info.type, static_cast<const std::uint8_t*>(q), i);
    const auto pattern =
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(code) & ((1ull << info.bits) - 1));
    if (const hurray_status status = happen(faults.at(pattern)); status != HURRAY_OK) return status;
    Choices choices;
    if (faults.has_begun("wrap", pattern)) choices.difference_width = DifferenceWidth::kWrap;
    if (faults.has_begun("reinterpret", pattern)) choices.uint32_codes = Uint32Codes::kReinterpret;
    auto bits =
        std::bit_cast<std::uint32_t>(dequantize_value(info.type, scale, zero_point, code, choices));
    if (faults.has_positive_zeros && bits == 0x80000000) bits = 0;
    if (is_changed(pattern, count)) ++bits;
    out[i] = std::bit_cast<float>(bits);
  }
  return HURRAY_OK;
}

std::uint16_t firmware_code(hurray_status status) {
  constexpr std::uint16_t kInvalidArg = 0x0103;
  return status == HURRAY_REJECTED ? kInvalidArg : static_cast<std::uint16_t>(status);
}
std::uint16_t quantize_i8(const float* in, std::int8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point) {
  return firmware_code(quantize(0x10, scale, zero_point, in, out, count));
}
std::uint16_t quantize_u8(const float* in, std::uint8_t* out, std::size_t count, float scale,
                          std::int32_t zero_point) {
  return firmware_code(quantize(0x11, scale, zero_point, in, out, count));
}

// Whether the word means anything; a test that misspells one would plant nothing and pass.
bool plant(std::string_view fault) {
  constexpr std::string_view kDeeds[] = {"+1",   "+1-of-8", "crash",      "leave",
                                         "hang", "reject",  "unsupported"};
  constexpr std::string_view kReadings[] = {"flush", "exact", "wrap", "reinterpret"};
  const std::size_t colon = fault.find(':');
  const std::string_view name = fault.substr(0, colon);
  if (colon == std::string_view::npos) {
    bool* const flag = name == "tail"             ? &faults.has_tail
                       : name == "padding"        ? &faults.has_padding
                       : name == "positive-zeros" ? &faults.has_positive_zeros
                                                  : nullptr;
    if (flag) *flag = true;
    return flag != nullptr;
  }
  const std::string_view rest = fault.substr(colon + 1);
  if (const auto bits = parse_hex_number(name, 8)) {
    faults.planted[*bits] = rest;
    return std::ranges::find(kDeeds, rest) != std::end(kDeeds);
  }
  const auto bits = parse_hex_number(rest, 8);
  if (bits) faults.from[name] = *bits;
  return bits && std::ranges::find(kReadings, name) != std::end(kReadings);
}

int serve() {
  const hurray_ra8_functions ra8 = {quantize_i8, nullptr, quantize_u8, nullptr};
  struct hurray_target target {};
  target.struct_bytes = sizeof target;
  target.abi = HURRAY_TARGET_ABI;
  target.name = "planted";
  target.contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8;
  target.quantize_types = target.dequantize_types = HURRAY_TYPES_AFFINE;
  target.quantize = quantize;
  target.dequantize = dequantize;
  target.ra8 = &ra8;
  return hurray_kit_serve_fds(&target, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

Attachment with_planted(const std::vector<std::string>& words) {
  Attachment attachment;
  attachment.command.argv = this_program();
  attachment.command.argv.push_back("serve");
  attachment.command.argv.insert(attachment.command.argv.end(), words.begin(), words.end());
  return attachment;
}

}  // namespace hurray::conformance

int main(int argc, char** argv) {
  using namespace hurray::conformance;
  guard_if_asked(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "serve") == 0) {
    for (const std::string_view each : std::span(argv + 2, static_cast<std::size_t>(argc - 2))) {
      if (plant(each)) continue;
      std::fprintf(stderr, "no fault is called %.*s: see planted_target.h\n",
                   static_cast<int>(each.size()), each.data());
      std::abort();
    }
    return serve();
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
