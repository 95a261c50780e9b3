// SPDX-License-Identifier: Apache-2.0
//
// Which function do the options of `sweep` and `prove` name?

#ifndef HURRAY_CONFORMANCE_SWEEP_ARGUMENTS_H
#define HURRAY_CONFORMANCE_SWEEP_ARGUMENTS_H

#include <cstdint>
#include <string>

#include "conformance/runner/sweep_reference.h"

namespace hurray::conformance {

// Throws UsageError for what no descriptor, or no quantizer, could have.
//   function    of the firmware header, or empty
//   type        name of a storage type, if `function` is empty
//   scale       as written: eight hexadecimal digits or a number
SweepFunction swept_function(SweepOperation operation, const std::string& function,
                             const std::string& type, const std::string& scale,
                             std::int32_t zero_point);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SWEEP_ARGUMENTS_H
