// SPDX-License-Identifier: Apache-2.0
//
// What does a descriptor say, for a person? Its bytes field by field, and which rule it breaks.

#ifndef HURRAY_CONFORMANCE_INSPECT_H
#define HURRAY_CONFORMANCE_INSPECT_H

#include <cstdint>
#include <span>
#include <string>

#include "conformance/runner/case.h"

namespace hurray::conformance {

struct Inspection {
  std::string text;
  bool is_valid = false;
};

// Never fails: any bytes can be inspected.
Inspection inspect_descriptor(const Suite& suite, std::uint8_t type_tag,
                              std::span<const std::uint8_t> bytes);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_INSPECT_H
