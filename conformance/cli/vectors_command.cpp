// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform vectors export` and `vectors check`: folders of vectors.

#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/vectors.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{256} << 20;

// What people keep beside an export: its README and programs that read it.
bool is_exported(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".json" || extension == ".txt" || file.filename() == kVectorSums;
}

VectorFiles files_in(const std::string& folder) {
  std::error_code failure;
  if (!std::filesystem::is_directory(folder, failure)) {
    throw UsageError(fmt::format(
        "vectors check: {} is no folder; expected one that `vectors export` has written", folder));
  }
  VectorFiles files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!is_exported(entry.path())) continue;
    if (!entry.is_regular_file()) {
      throw UsageError(
          fmt::format("vectors check: {} is not a regular file; expected what "
                      "`vectors export` has written",
                      entry.path().string()));
    }
    const std::vector<std::uint8_t> bytes = read_file(entry.path(), kMostFileBytes);
    files[entry.path().filename().string()].assign(bytes.begin(), bytes.end());
  }
  return files;
}

}  // namespace

int vectors_export_command(const std::string& folder, bool small) {
  prepare_folder(folder);
  const Suite suite = load_suite();
  const VectorFiles files =
      export_vectors(suite, small ? VectorSelection::kSmall : VectorSelection::kAll);
  Progress progress;
  std::size_t done = 0;
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : files) {
    write_file(std::filesystem::path(folder) / name, content);
    bytes += content.size();
    progress.show(++done, files.size(), "files");
  }
  progress.clear();
  fmt::print("{} files, {} bytes in {}\n", files.size(), bytes, folder);
  return kExitAsExpected;
}

int vectors_check_command(const std::string& folder) {
  const VectorFiles files = files_in(folder);
  const std::vector<VectorProblem> problems = check_vectors(load_suite(), files);
  bool is_damaged = false;
  for (const VectorProblem& each : problems) {
    is_damaged |= each.kind == VectorProblem::Kind::kDamaged;
    fmt::print("{}: {}\n", cleaned(each.file), each.what);
  }
  if (problems.empty()) {
    fmt::print("{}: {} files, whole and as this program exports them\n", folder, files.size());
    return kExitAsExpected;
  }
  fmt::print("{}: {}\n", folder,
             is_damaged ? "damaged: not what was exported"
                        : "whole, and of another version of the suite than this program");
  return is_damaged ? kExitBroken : kExitNonConformant;
}

}  // namespace hurray::conformance
