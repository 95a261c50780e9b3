// SPDX-License-Identifier: Apache-2.0
//
// How do people read what a sweep has shown? What the commands `sweep` and `prove` print alike.

#ifndef HURRAY_CONFORMANCE_SWEEP_TEXT_H
#define HURRAY_CONFORMANCE_SWEEP_TEXT_H

#include <string>
#include <string_view>

#include "conformance/runner/sweep.h"

namespace hurray::conformance {

// What the inputs are called.
struct InputWords {
  std::string_view one, many;
};
InputWords words_of(const SweepFunction& function);

// ` (quotient=exact)`: what explains all inputs, or nothing where nothing is left open.
std::string readings_in_brackets(const SweepFunction& function, const SweepResult& result);

// Prints agreement, or the finding with everything that helps. Returns the exit code.
int print_sweep(std::string_view name, const SweepFunction& function, const SweepResult& result);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_TEXT_H
