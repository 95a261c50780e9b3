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
//   input   one byte of settings (bit 0: permissive; bits 1 to 7: contents of the buffers), then
//           the descriptor. Buffers of more than 4096 bytes are shorter than their handle says.
std::optional<Mismatch> tensors_agree(Input input, Targets targets);

// Every target converts foreign tensors as the reference does.
//   input   16 bytes of settings, then weights, scales and plane; see conversions_agree.cpp
std::optional<Mismatch> conversions_agree(Input input, Targets targets);

struct NamedClaim {
  std::string_view name;
  Claim claim;
};
inline constexpr NamedClaim kClaims[] = {
    {"tensors_agree", tensors_agree},
    {"conversions_agree", conversions_agree},
};

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_CLAIMS_H
