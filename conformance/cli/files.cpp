// SPDX-License-Identifier: Apache-2.0
//
// Files of reports, see files.h.

#include "conformance/cli/files.h"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {

void prepare_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure && !std::filesystem::is_directory(folder)) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (!failure && access(folder.c_str(), W_OK) != 0) failure = {errno, std::generic_category()};
  if (failure) {
    throw UsageError(
        fmt::format("cannot write reports into {}: {}; expected a folder that can be written to",
                    folder.string(), failure.message()));
  }
}

void prepare_folder_of(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) {
    throw UsageError(
        fmt::format("cannot write {}: it is a folder; expected the name of a file", file.string()));
  }
  prepare_folder(std::filesystem::absolute(file).parent_path());
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  const std::filesystem::path beside = path.string() + ".new";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  std::error_code failure;
  if (file) std::filesystem::rename(beside, path, failure);
  if (!file || failure) {
    throw UsageError(fmt::format("cannot write {}: is the disk full?", path.string()));
  }
}

}  // namespace hurray::conformance
