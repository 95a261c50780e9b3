// SPDX-License-Identifier: Apache-2.0
//
// How does a wrong answer differ from a right one, in words that people can use?

#ifndef HURRAY_CONFORMANCE_DIFFERENCE_H
#define HURRAY_CONFORMANCE_DIFFERENCE_H

#include <cstddef>
#include <string>

#include "conformance/runner/judge.h"

namespace hurray::conformance {

// The first element that differs from the closest alternative, with its input and the distance; the
// whole answers where there are no elements to compare. `body` is the answer as it came.
Failure describe_difference(const ReadRequest& request, const Step& step, const Answer& got,
                            const std::string& body);

// How much of an answer without comparable elements is shown.
inline constexpr std::size_t kShownBytes = 160;

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_DIFFERENCE_H
