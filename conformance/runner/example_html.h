// SPDX-License-Identifier: Apache-2.0
//
// A counter-example as part of report.html: what was asked, what was expected and got, the bytes
// with what is wrong in them, a plot, and how to see it again.

#ifndef HURRAY_CONFORMANCE_EXAMPLE_HTML_H
#define HURRAY_CONFORMANCE_EXAMPLE_HTML_H

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/runner/run.h"

namespace hurray::conformance {

std::string example_html(const Suite& suite, const TargetResult& target, std::size_t case_index);

extern const std::string_view kExampleStyle;

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_EXAMPLE_HTML_H
