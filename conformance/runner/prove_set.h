// SPDX-License-Identifier: Apache-2.0
//
// Which parameters are hard? The table behind `prove --set default`, each row with the reason why
// an implementation that passes everything else may fail it.

#ifndef HURRAY_CONFORMANCE_PROVE_SET_H
#define HURRAY_CONFORMANCE_PROVE_SET_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/runner/claims.h"
#include "conformance/runner/sweep_reference.h"

namespace hurray::conformance {

struct HardParameters {
  SweepOperation operation;
  StorageType type;
  std::uint32_t scale_bits;  // the pattern of a binary32
  std::int32_t zero_point;
  std::string_view why;
};

// The rows of `--set default`, in the order in which they are proved.
std::span<const HardParameters> default_set();

SweepFunction function_of(const HardParameters& row);

// The rows as a target can be asked them: those on which the format's operation is claimed, those
// on 8-bit quantizers once more for the firmware's functions if it has that contract.
std::vector<SweepFunction> claimed_of(std::span<const HardParameters> rows, const Claims& claims);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROVE_SET_H
