// SPDX-License-Identifier: Apache-2.0
//
// What was got, in a few digits: the same in every run and on every machine as long as the target
// answers the same. For lists of known deviations, which must notice when a wrong answer becomes
// another wrong answer.

#ifndef HURRAY_CONFORMANCE_FINGERPRINT_H
#define HURRAY_CONFORMANCE_FINGERPRINT_H

#include <cstdint>
#include <span>
#include <string>

#include "conformance/runner/judge.h"

namespace hurray::conformance {

// The first 64 bits of a SHA-256 over what was done with each step: the fields of an answer with
// their values, a refusal without its hint, else only that it crashed, was silent or was garbled.
// How it crashed is left out: processors differ in it.
std::uint64_t fingerprint_of(std::span<const Reply> replies);

// 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FINGERPRINT_H
