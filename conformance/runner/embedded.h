// SPDX-License-Identifier: Apache-2.0
//
// The requirement files and RULINGS.md as they were when the program was built. The definition is
// made by CMake.

#ifndef HURRAY_CONFORMANCE_EMBEDDED_H
#define HURRAY_CONFORMANCE_EMBEDDED_H

#include <span>
#include <string_view>

namespace hurray::conformance {

struct EmbeddedFile {
  std::string_view name;
  std::string_view content;
};

std::span<const EmbeddedFile> embedded_requirement_files();
std::string_view embedded_rulings();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_EMBEDDED_H
