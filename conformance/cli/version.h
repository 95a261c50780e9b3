// SPDX-License-Identifier: Apache-2.0
//
// What does --version say?

#ifndef HURRAY_CONFORMANCE_VERSION_H
#define HURRAY_CONFORMANCE_VERSION_H

#include <string>

namespace hurray::conformance {

// The version of the suite; in a second line that of its cases, how many they are, and their
// digest.
std::string version_text();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_VERSION_H
