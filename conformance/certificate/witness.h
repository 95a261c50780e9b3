// SPDX-License-Identifier: Apache-2.0
//
// How does a certifier know that the target computes its answers? The cases of the suite are
// public, and whoever has seen a run can answer them from a list. So the certifier chooses a number
// once (a nonce), and cases are drawn from it that nobody has seen before: requests beside the
// suite's, and stretches of consecutive inputs. What may be answered comes from the oracle alone:
// there is no time to ask the second one.

#ifndef HURRAY_CONFORMANCE_WITNESS_H
#define HURRAY_CONFORMANCE_WITNESS_H

#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/runner/case.h"
#include "conformance/runner/claims.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// The requirement that the drawn cases judge; each profile needs it.
inline constexpr std::string_view kWitnessRequirement = "HC-WITNESS";

inline constexpr std::size_t kLeastNonceDigits = 32, kMostNonceDigits = 128;
// Whether it is one: so many lower-case hexadecimal digits, an even number.
bool is_nonce(std::string_view text);

// The suite with the cases that the nonce draws for a target with these claims, last. The same
// nonce and claims always give the same.
Suite with_witness(Suite suite, const Claims& claims, std::string_view nonce);

// Drawn cases that were put to the target, and those that it failed.
std::size_t witnessed_cases(const TargetResult& target);
// What it got wrong of them, the first few; empty if nothing.
std::string describe_witness(const Suite& suite, const TargetResult& target);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_WITNESS_H
