// SPDX-License-Identifier: Apache-2.0
//
// Is somebody looking? Colour and progress are for terminals only.

#ifndef HURRAY_CONFORMANCE_TERMINAL_H
#define HURRAY_CONFORMANCE_TERMINAL_H

#include <unistd.h>

#include <cstdlib>

#include "conformance/runner/report.h"

namespace hurray::conformance {

inline bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

// https://no-color.org: any non-empty value switches colour off.
inline TextStyle style_for(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return {is_terminal(descriptor) && !(no_color && *no_color)};
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_TERMINAL_H
