// SPDX-License-Identifier: Apache-2.0
//
// How does a case look in a requirement file? As conformance/requirements/README.md describes it.

#ifndef HURRAY_CONFORMANCE_CASE_TOML_H
#define HURRAY_CONFORMANCE_CASE_TOML_H

#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// A [[requirement.case]] block: the requests with arrays annotated, and what the oracle allows as
// answers. To be pasted below the requirement that it belongs to.
std::string case_block(std::string_view name, std::string_view why,
                       const std::vector<std::string>& requests);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CASE_TOML_H
