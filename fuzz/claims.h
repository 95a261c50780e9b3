// SPDX-License-Identifier: Apache-2.0
//
// What does each fuzzer claim? A claim is a pure function of some bytes: nothing if it holds, else
// what contradicts it. Fuzzers, the replay program and tests all call the same functions.

#ifndef HURRAY_FUZZ_CLAIMS_H
#define HURRAY_FUZZ_CLAIMS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "targets/registry.h"

namespace hurray::fuzz {

struct Mismatch {
  std::string_view kind;  // one word for each way to differ, for people and for deduplication
  std::string target;     // its name in the registry
  std::string detail;     // what the reference says, what the target says
};

// What is compared with the reference. Targets that lack an operation are left out of it.
using Targets = std::span<const hurray_registry_row>;
using Input = std::span<const std::uint8_t>;
using Claim = std::optional<Mismatch> (*)(Input input, Targets targets);

// All that this machine can run.
inline Targets builtin_targets() {
  static const std::vector<hurray_registry_row> targets = [] {
    std::vector<hurray_registry_row> here;
    for (const hurray_registry_row& row : Targets{hurray_registry, hurray_registry_count}) {
      if (!row.is_here || row.is_here()) here.push_back(row);
    }
    return here;
  }();
  return targets;
}

// Every target reads, writes and dequantizes tensors as the reference does.
//   input   one byte of settings (bit 0: permissive; bits 1 to 7: contents of the buffers; bit 7:
//           bytes begin behind a page that cannot be touched, else end in front of one), then the
//           descriptor. Buffers of more than 4096 bytes are shorter than their handle says.
std::optional<Mismatch> tensors_agree(Input input, Targets targets);

// Every target converts foreign tensors as the reference does.
//   input   10 to 13 bytes of settings, then bytes for the arrays; see conversions_agree.cpp
std::optional<Mismatch> conversions_agree(Input input, Targets targets);

// Every target reads descriptors of the schemes as the reference does.
//   input   the tag of the storage type, then the section, as long as it is
std::optional<Mismatch> decoders_agree(Input input, Targets targets);

// Every target writes descriptors of the schemes as the reference does, and reads back what it
// wrote.
//   input   30 bytes: tag of the storage type, room, scheme_tag, scale_type_tag, flags, scale,
//           zero_point, axis, block_size, scale_buffer_index, zero_point_buffer_index
std::optional<Mismatch> encoders_agree(Input input, Targets targets);

// Every target dequantizes, and quantizes, as the reference does, under both contracts.
//   input   parameters and packed codes, or reals: kernel_input.h
std::optional<Mismatch> dequantize_agrees(Input input, Targets targets);
std::optional<Mismatch> quantize_agrees(Input input, Targets targets);

// Every target quantizes back what it dequantized, where that is promised.
//   input   as of dequantize_agrees
std::optional<Mismatch> requantize_is_identity(Input input, Targets targets);

// Every target normalizes foreign zero points as the reference does.
//   input   format, then a plane; see zero_points_agree.cpp
std::optional<Mismatch> zero_points_agree(Input input, Targets targets);

// Every target packs, unpacks, widens and measures elements as the reference does.
//   input   tag, settings, then data; see elements_agree.cpp
std::optional<Mismatch> elements_agree(Input input, Targets targets);

// What reads answers, requests and TOML files survives any text. Asks no target.
//   input   a byte that chooses the reader, then text; see text_readers.h
std::optional<Mismatch> text_survives(Input input, Targets targets);

// The kit answers any line, once and in the runner's language.
//   input   lines as a runner sends them
std::optional<Mismatch> lines_are_answered(Input input, Targets targets);

// The same calls as lines of conformance/PROTOCOL.md, for people and for reports; empty where there
// are none, or the input asks nothing.
using AsRequest = std::string (*)(Input input);
std::string decode_request(Input input);
std::string encode_request(Input input);
std::string dequantize_request(Input input);
std::string quantize_request(Input input);
std::string zero_points_request(Input input);
std::string elements_request(Input input);
std::string tensor_request(Input input);

struct NamedClaim {
  std::string_view name;
  Claim claim;
  AsRequest request;
};
inline constexpr NamedClaim kClaims[] = {
    {"tensors_agree", tensors_agree, tensor_request},
    {"conversions_agree", conversions_agree, nullptr},
    {"decoders_agree", decoders_agree, decode_request},
    {"encoders_agree", encoders_agree, encode_request},
    {"dequantize_agrees", dequantize_agrees, dequantize_request},
    {"quantize_agrees", quantize_agrees, quantize_request},
    {"requantize_is_identity", requantize_is_identity, dequantize_request},
    {"zero_points_agree", zero_points_agree, zero_points_request},
    {"elements_agree", elements_agree, elements_request},
    {"text_survives", text_survives, nullptr},
    {"lines_are_answered", lines_are_answered, nullptr},
};

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_CLAIMS_H
