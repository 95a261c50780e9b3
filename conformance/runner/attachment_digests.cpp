// SPDX-License-Identifier: Apache-2.0
//
// Digests of what is executed, see attachment_digests.h.

#include "conformance/runner/attachment_digests.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/digest.h"

namespace hurray::conformance {
namespace {

FileDigest digest_of(std::string file) {
  const std::optional<std::string> digest = sha256_of_file(file);
  if (!digest) {
    throw UsageError(fmt::format(
        "cannot read {}, which the target is made of; expected files that can be read", file));
  }
  return {std::move(file), *digest};
}

bool is_regular_file(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && !failure;
}

}  // namespace

std::vector<std::string> words_of_command(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool has_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (has_word) words.push_back(std::move(word));
    word.clear();
    has_word = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      has_word = true;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
      has_word = true;
    } else if (quote == 0 && std::string_view(" \t\n;|&<>()").find(c) != std::string_view::npos) {
      end_word();
    } else {
      word += c;
      has_word = true;
    }
  }
  end_word();
  return words;
}

std::vector<std::string> files_of_command(const std::string& line) {
  std::vector<std::string> words = words_of_command(line);
  // Where a shell has more to do than to start one program, names may be those of other places.
  const bool is_plain = line.find_first_of(";|&<>()`$\n") == std::string::npos;
  if (!is_plain || std::ranges::find(words, "cd") != words.end()) return {};
  const auto command = std::ranges::find_if(
      words, [](const std::string& each) { return each.find('=') == std::string::npos; });
  // Without a slash it is looked for in PATH, and not here.
  const bool is_of_path = command != words.end() && command->find('/') == std::string::npos;
  if (is_of_path) words.erase(command);
  std::erase_if(words, [](const std::string& each) { return !is_regular_file(each); });
  return words;
}

std::vector<FileDigest> digests_of(const Attachment& attachment) {
  const std::size_t colon = attachment.text.find(':');
  const std::string_view kind = std::string_view(attachment.text).substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : attachment.text.substr(colon + 1);
  std::vector<FileDigest> digests;
  if (kind == "lib") digests.push_back(digest_of(std::move(rest)));
  if (kind == "qemu") digests.push_back(digest_of(rest.substr(0, rest.find(','))));
  if (kind == "exec") {
    for (std::string& each : files_of_command(rest)) digests.push_back(digest_of(std::move(each)));
  }
  return digests;
}

}  // namespace hurray::conformance
