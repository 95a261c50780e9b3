// SPDX-License-Identifier: Apache-2.0
//
// Files of reports, see files.h.

#include "conformance/cli/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {

void prepare_folder(const std::filesystem::path& folder, std::string_view what) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure && !std::filesystem::is_directory(folder, failure) && !failure) {
    failure = std::make_error_code(std::errc::not_a_directory);
  }
  if (!failure && access(folder.c_str(), W_OK) != 0) failure = {errno, std::generic_category()};
  if (failure) {
    throw UsageError(
        fmt::format("cannot write {} into {}: {}; expected a folder that can be written to", what,
                    folder.string(), failure.message()));
  }
}

namespace {

// A pipe or a device: written to as it is.
bool is_special(const std::filesystem::path& file) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(file, failure);
  return !failure && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

// An empty file under a name that nobody has, as readable as any other; empty if it fails.
std::string new_file_beside(const std::filesystem::path& path, std::error_code& failure) {
  std::string name = path.string() + ".XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) {
    failure = {errno, std::generic_category()};
    return {};
  }
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
  close(file);
  return name;
}

}  // namespace

void prepare_folder_of(const std::filesystem::path& file) {
  std::error_code failure;
  if (is_special(file)) return;
  if (std::filesystem::is_directory(file, failure)) {
    throw UsageError(
        fmt::format("cannot write {}: it is a folder; expected the name of a file", file.string()));
  }
  prepare_folder(std::filesystem::absolute(file).parent_path());
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::uint64_t most,
                                    std::string_view magic) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw UsageError(fmt::format("cannot read {}: it is a folder; expected a file", path.string()));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes;
  // Piece by piece: what a pipe has is not known beforehand.
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  while (file && bytes.size() < most) {
    const std::size_t before = bytes.size();
    const std::size_t piece = std::min(kPiece + before, static_cast<std::size_t>(most - before));
    bytes.resize(before + piece);
    file.read(reinterpret_cast<char*>(&bytes[before]), static_cast<std::streamsize>(piece));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
    const bool has_magic =
        bytes.size() >= magic.size() &&
        std::equal(magic.begin(), magic.end(), bytes.begin(),
                   [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
    if (!has_magic) break;
  }
  if (!file.is_open() || file.bad()) {
    throw UsageError(fmt::format("cannot read {}: {}", path.string(),
                                 std::error_code(errno, std::generic_category()).message()));
  }
  return bytes;
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t most) {
  const std::vector<std::uint8_t> bytes = read_file(path, most + 1);
  if (bytes.size() > most) {
    throw UsageError(fmt::format("cannot read {}: it has more than {} bytes, so it is no such file",
                                 path.string(), most));
  }
  return {bytes.begin(), bytes.end()};
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  const bool in_place = is_special(path);
  std::error_code failure;
  // Through a link, the file that it names is replaced, and not the link.
  const std::filesystem::path final_path =
      in_place ? path : std::filesystem::weakly_canonical(path, failure);
  const std::string written = in_place ? path.string() : new_file_beside(final_path, failure);
  if (!failure) {
    std::ofstream file(written, std::ios::binary | std::ios::trunc);
    file << content;
    file.close();
    if (!file) failure = {errno, std::generic_category()};
    if (!failure && !in_place) std::filesystem::rename(written, final_path, failure);
    if (!failure) return;
  }
  const std::string reason = failure.message();
  if (!in_place && !written.empty()) std::filesystem::remove(written, failure);
  throw UsageError(fmt::format("cannot write {}: {}", path.string(), reason));
}

void expect_other_file(const std::filesystem::path& out, const std::filesystem::path& in) {
  std::error_code failure;
  if (!std::filesystem::equivalent(out, in, failure) || failure || is_special(out)) return;
  throw UsageError(
      fmt::format("{} is what is read; expected the name of another file to write", out.string()));
}

void append_file(const std::filesystem::path& path, const std::string& content) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << content;
  file.close();
  if (file) return;
  throw UsageError(fmt::format("cannot write {}: {}", path.string(),
                               std::error_code(errno, std::generic_category()).message()));
}

}  // namespace hurray::conformance
