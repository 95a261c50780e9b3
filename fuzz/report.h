// SPDX-License-Identifier: Apache-2.0
//
// What does somebody need who has to look into a mismatch? What differs, the input in hexadecimal,
// the command that replays it, and, where the input asks what the protocol can ask, a unit test in
// C and a vector in JSON, which `hurray-conform replay --vector` puts to a target.

#ifndef HURRAY_FUZZ_REPORT_H
#define HURRAY_FUZZ_REPORT_H

#include <string>

#include "fuzz/claims.h"

namespace hurray::fuzz {

// All of that, as text of several lines.
std::string report_text(const NamedClaim& claim, const Mismatch& mismatch, Input input);

// Prints it and aborts, inside a function of the kind's own, so that the tools that compare stacks
// tell one kind from another.
[[noreturn]] void report(const NamedClaim& claim, const Mismatch& mismatch, Input input);

// Kinds that have a function of their own; all kinds that claims give.
bool has_report(std::string_view kind);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_REPORT_H
