// SPDX-License-Identifier: Apache-2.0
//
// What is the likely cause of what a sweep has found? One wrong code has many possible causes: a
// reciprocal and a zero point that is added too early often give the same one. So more is asked
// than what was found.

#ifndef HURRAY_CONFORMANCE_SWEEP_CLASS_H
#define HURRAY_CONFORMANCE_SWEEP_CLASS_H

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/runner/sweep.h"

namespace hurray::conformance {

// The floats nearest to where the code changes, with their neighbours, for both signs: the first
// codes from the zero point on, and every power of two of the rest of the type's range. A few
// hundred. Nothing for a function that dequantizes: a code and its neighbours tell enough.
std::vector<std::uint32_t> probes_of(const SweepFunction& function);

// The mistake that gives these outputs. What is right among them keeps a guess from being too bold.
//   probes   outputs for probes_of, those that there are; they decide between mistakes that give
//            what `inputs` have, and nothing if they show another one
std::string class_of_outputs(const SweepFunction& function, const std::vector<SweepInput>& inputs,
                             std::vector<SweepInput> probes);

// Of something else than a value.
std::string class_of(Outcome outcome);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_CLASS_H
