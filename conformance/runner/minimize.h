// SPDX-License-Identifier: Apache-2.0
//
// What minimizing of the suite's cases and of a campaign's findings share.

#ifndef HURRAY_CONFORMANCE_MINIMIZE_H
#define HURRAY_CONFORMANCE_MINIMIZE_H

#include <cstddef>
#include <optional>
#include <string>

namespace hurray::conformance {

// The request with elements `first` to `last` only. Nothing if it carries no array of elements.
std::optional<std::string> with_elements(const std::string& request, std::size_t first,
                                         std::size_t last);

// The request with another array of elements.
std::string with_array(const std::string& request, std::size_t count, const std::string& array);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_MINIMIZE_H
