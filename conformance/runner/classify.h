// SPDX-License-Identifier: Apache-2.0
//
// What did the implementation probably do? Recomputes a wrong output by the mistakes that real
// kernels make and names the first one that explains every differing element. A guess for people,
// never a verdict.

#ifndef HURRAY_CONFORMANCE_CLASSIFY_H
#define HURRAY_CONFORMANCE_CLASSIFY_H

#include <span>
#include <string>
#include <string_view>

#include "conformance/runner/case.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

// The class of a failure: `ties-to-even`, `flush-to-zero`, `tail`, … or `unknown`.
std::string classify(const ReadRequest& request, const Step& step, const Answer& got);

// What a class means, in one sentence. Empty for a name that is none.
std::string_view meaning_of_class(std::string_view name);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CLASSIFY_H
