// SPDX-License-Identifier: Apache-2.0
//
// How does one reproduce a failure without the suite? A few lines of C that make the same call.

#ifndef HURRAY_CONFORMANCE_SNIPPET_H
#define HURRAY_CONFORMANCE_SNIPPET_H

#include <string>

namespace hurray::conformance {

// C statements that call the function of hurray_target.h (or ra8_npu_quant.h) with the request's
// arguments. Long arrays are cut and say so.
std::string c_snippet(const std::string& request);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SNIPPET_H
