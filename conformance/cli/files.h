// SPDX-License-Identifier: Apache-2.0
//
// Where do reports go? Folders are made and tried before a run, so that a typing mistake does not
// cost its results; files are replaced whole.

#ifndef HURRAY_CONFORMANCE_FILES_H
#define HURRAY_CONFORMANCE_FILES_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// Throws UsageError if the folder cannot be made or written to. `what` is to be written there.
void prepare_folder(const std::filesystem::path& folder, std::string_view what = "reports");
// The same for the folder that a file is to be written into.
void prepare_folder_of(const std::filesystem::path& file);

// The file from its start, `most` bytes of it at most; only the first piece of a file that does not
// begin with `magic`. Throws UsageError.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::uint64_t most,
                                    std::string_view magic = {});

// All of a text file. Throws UsageError, also if it is longer than `most` bytes.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t most);

// Throws UsageError. An interrupted run leaves the old file whole.
void write_file(const std::filesystem::path& path, const std::string& content);

// Throws UsageError if both are the same file, which would be lost.
void expect_other_file(const std::filesystem::path& out, const std::filesystem::path& in);

// Adds to the end of a file, which is made if it is not there. Throws UsageError.
void append_file(const std::filesystem::path& path, const std::string& content);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FILES_H
