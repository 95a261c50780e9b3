// SPDX-License-Identifier: Apache-2.0
//
// How does a violation become a case? As the block of a requirement file that would have caught it.

#ifndef HURRAY_CONFORMANCE_PROPERTY_CASE_H
#define HURRAY_CONFORMANCE_PROPERTY_CASE_H

#include <string>

#include "conformance/properties.h"

namespace hurray::conformance {

// A [[requirement.case]] as requirements/README.md describes it: the calls of the violation, arrays
// annotated, and what the oracle allows as answers. To be pasted below the requirement that it
// belongs to, with a name and a reason of one's own.
std::string case_of(const Violation& violation);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROPERTY_CASE_H
