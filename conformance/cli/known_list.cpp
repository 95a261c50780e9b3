// SPDX-License-Identifier: Apache-2.0
//
// Lists of known deviations as files, see known_list.h.

#include "conformance/cli/known_list.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "conformance/cli/files.h"
#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

// UTC, so that a list expires everywhere at once.
Day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

}  // namespace

std::optional<KnownFile> read_known(const RunArguments& arguments) {
  const std::string& path = arguments.known;
  if (path.empty()) return std::nullopt;
  if (arguments.update_known) {
    prepare_folder_of(path);
    std::error_code failure;
    if (!std::filesystem::exists(path, failure)) return KnownFile{};
  }
  const std::string content = read_text_file(path, kMostBytes);
  KnownFile list = read_known_text("--known " + path, content);
  const std::size_t lost = arguments.update_known ? lost_comment_line(content) : 0;
  if (lost > 0) {
    throw UsageError(fmt::format(
        "--update-known: {}: line {} has a comment, which rewriting would lose; expected comments "
        "above the first [[known]] only, or as text of an entry, for example\n  note = \"…\"",
        path, lost));
  }
  return list;
}

KnownGate judge_known(const RunArguments& arguments, const KnownFile& known, const Suite& suite,
                      const std::vector<TargetResult>& results) {
  const bool are_all_judged = std::ranges::all_of(results, [](const TargetResult& each) {
    return !each.broken && (each.verdict == TargetVerdict::kConformant ||
                            each.verdict == TargetVerdict::kNonConformant);
  });
  std::vector<KnownDeviation> entries = known.entries;
  if (arguments.update_known && are_all_judged) {
    const std::string text = known_toml(updated_list(suite, results, known, today()));
    write_file(arguments.known, text);
    // As everybody else will read it, with its lines.
    entries = read_known_text(arguments.known, text).entries;
    fmt::print("{} entries in {}\n", entries.size(), arguments.known);
  } else if (arguments.update_known) {
    fmt::print("{} stays as it is: not every target could be judged\n", arguments.known);
  }
  return check_known(suite, results, arguments.known, entries, today());
}

}  // namespace hurray::conformance
