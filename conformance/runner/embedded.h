// SPDX-License-Identifier: Apache-2.0
//
// The requirement files, profiles.toml, errata.toml, kill_score.json, RULINGS.md, the schema of
// vectors and what stands beside the table of faults, as they were when the program was built. The
// definition is made by CMake.

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
std::string_view embedded_profiles();
std::string_view embedded_errata();
std::string_view embedded_kill_score();
std::string_view embedded_vectors_schema();
std::span<const EmbeddedFile> embedded_fault_files();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_EMBEDDED_H
