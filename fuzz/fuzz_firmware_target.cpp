// SPDX-License-Identifier: Apache-2.0
//
// The table of a guest, see fuzz_firmware_target.h. Arrays lie in the guest as they lie here: as
// far from the page that cannot be touched.

#include "fuzz/fuzz_firmware_target.h"

#include <cstring>

#include "reference/element_type.h"

namespace hurray::fuzz {
namespace {

constexpr std::uintptr_t kPage = 4096;

Guest* the_guest = nullptr;
std::string the_name;
struct hurray_target the_table;

struct Call {
  std::uint8_t operation;
  std::uint8_t type_tag = 0;
  float scale = 0;
  std::int32_t zero_point = 0;
  std::size_t count = 0;
};

// Bytes between an output and the page, as far as alignment goes.
std::uint8_t distance_of(const void* array, std::size_t bytes) {
  const auto end = reinterpret_cast<std::uintptr_t>(array) + bytes;
  return static_cast<std::uint8_t>((kPage - end % kPage) % 4);
}

// The same of an input, which may begin behind a page.
std::uint8_t place_of(const void* array, std::size_t bytes) {
  const bool is_at_start = reinterpret_cast<std::uintptr_t>(array) % kPage == 0;
  if (is_at_start && bytes % kPage != 0) return HURRAY_FUZZ_AT_START;
  return distance_of(array, bytes);
}

// Asks, and leaves in `out` what the guest left there.
GuestAnswer ask(const Call& call, const void* in, std::size_t in_bytes, void* out,
                std::size_t out_bytes) {
  hurray_fuzz_request request{};
  request.operation = call.operation;
  request.type_tag = call.type_tag;
  request.scale = call.scale;
  request.zero_point = call.zero_point;
  request.count = static_cast<std::uint32_t>(call.count);
  request.in_place = place_of(in, in_bytes);
  request.out_place = distance_of(out, out_bytes);
  request.out_bytes = static_cast<std::uint32_t>(out_bytes);
  const GuestAnswer answer =
      the_guest->ask(request, {static_cast<const std::uint8_t*>(in), in_bytes});
  if (!answer.out.empty()) std::memcpy(out, answer.out.data(), answer.out.size());
  return answer;
}

hurray_status decode(std::uint8_t type_tag, const std::uint8_t* bytes, std::size_t length,
                     hurray_descriptor* out) {
  return ask({HURRAY_FUZZ_DECODE, type_tag}, bytes, length, out, sizeof *out).result;
}

hurray_status encode(std::uint8_t type_tag, const hurray_descriptor* descriptor, std::uint8_t* out,
                     std::size_t capacity, std::size_t* written) {
  // Aligned in the guest, wherever it is here.
  alignas(kPage) static std::uint8_t fields[kPage];
  std::uint8_t* const at = fields + kPage - sizeof *descriptor;
  std::memcpy(at, descriptor, sizeof *descriptor);
  const GuestAnswer answer =
      ask({HURRAY_FUZZ_ENCODE, type_tag}, at, sizeof *descriptor, out, capacity);
  if (answer.written != UINT32_MAX) *written = answer.written;
  return answer.result;
}

std::size_t bytes_of(std::uint8_t type_tag, std::size_t count) {
  return static_cast<std::size_t>(element_bytes(type_tag, count).value_or(0));
}

hurray_status dequantize(std::uint8_t type_tag, float scale, std::int32_t zero_point, const void* q,
                         float* out, std::size_t count) {
  return ask({HURRAY_FUZZ_DEQUANTIZE, type_tag, scale, zero_point, count}, q,
             bytes_of(type_tag, count), out, count * sizeof(float))
      .result;
}

hurray_status quantize(std::uint8_t type_tag, float scale, std::int32_t zero_point, const float* in,
                       void* q, std::size_t count) {
  return ask({HURRAY_FUZZ_QUANTIZE, type_tag, scale, zero_point, count}, in, count * sizeof(float),
             q, bytes_of(type_tag, count))
      .result;
}

template <std::uint8_t operation, typename In, typename Out>
std::uint16_t ra8(const In* in, Out* out, std::size_t count, float scale, std::int32_t zero_point) {
  return static_cast<std::uint16_t>(ask({operation, 0, scale, zero_point, count}, in,
                                        count * sizeof(In), out, count * sizeof(Out))
                                        .result);
}

constexpr hurray_ra8_functions kRa8 = {
    ra8<HURRAY_FUZZ_RA8_QUANTIZE_I8, float, std::int8_t>,
    ra8<HURRAY_FUZZ_RA8_DEQUANTIZE_I8, std::int8_t, float>,
    ra8<HURRAY_FUZZ_RA8_QUANTIZE_U8, float, std::uint8_t>,
    ra8<HURRAY_FUZZ_RA8_DEQUANTIZE_U8, std::uint8_t, float>,
};

}  // namespace

hurray_registry_row firmware_target(Guest& guest) {
  const hurray_fuzz_hello& hello = guest.hello();
  const auto has = [&](unsigned operation) { return (hello.operations >> operation & 1) != 0; };
  the_guest = &guest;
  the_name = "qemu:" + guest.image();
  the_table = {};
  the_table.struct_bytes = sizeof the_table;
  the_table.abi = HURRAY_TARGET_ABI;
  the_table.name = the_name.c_str();
  the_table.contracts = hello.contracts;
  the_table.schemes = hello.schemes;
  the_table.modes = hello.modes;
  the_table.decode_types = hello.decode_types;
  the_table.encode_types = hello.encode_types;
  the_table.dequantize_types = hello.dequantize_types;
  the_table.quantize_types = hello.quantize_types;
  if (has(HURRAY_FUZZ_DECODE)) the_table.decode = decode;
  if (has(HURRAY_FUZZ_ENCODE)) the_table.encode = encode;
  if (has(HURRAY_FUZZ_DEQUANTIZE)) the_table.dequantize = dequantize;
  if (has(HURRAY_FUZZ_QUANTIZE)) the_table.quantize = quantize;
  if (has(HURRAY_FUZZ_RA8_QUANTIZE_I8)) the_table.ra8 = &kRa8;
  return {the_table.name, &the_table, nullptr};
}

std::optional<Mismatch> asked_of_firmware(const NamedClaim& claim, Input input,
                                          const hurray_registry_row& target) {
  try {
    return claim.claim(input, {&target, 1});
  } catch (const GuestTrouble& trouble) {
    return Mismatch{trouble.kind, target.name, trouble.detail};
  }
}

}  // namespace hurray::fuzz
