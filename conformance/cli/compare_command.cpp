// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform compare`: reports read, a table on the terminal, a page in a file.

#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/runner/attachment.h"
#include "conformance/runner/compare.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

struct Named {
  std::string name;  // empty: as the report says
  std::string file;
};

// `NAME=FILE`, unless a file is called so.
Named named(const std::string& text) {
  std::error_code failure;
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || std::filesystem::exists(text, failure)) {
    return {{}, text};
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
  if (!arguments.html.empty()) prepare_folder_of(arguments.html);
  std::vector<ComparedTarget> targets;
  for (const std::string& each : arguments.files) {
    const Named report = named(each);
    if (!arguments.html.empty()) expect_other_file(arguments.html, report.file);
    std::vector<ComparedTarget> some =
        read_report(report.file, read_text_file(report.file, kMostBytes));
    if (!report.name.empty() && some.size() > 1) {
      throw UsageError(
          fmt::format("compare: {}: has {} targets, which keep their names; expected "
                      "{} without a name before it",
                      each, some.size(), report.file));
    }
    if (!report.name.empty()) some.front().name = report.name;
    std::move(some.begin(), some.end(), std::back_inserter(targets));
  }
  tell_apart(targets);
  for (const std::string& each : differing_suites(targets)) {
    fmt::print(stderr, "compare: {}\n", each);
  }
  if (!arguments.html.empty()) write_file(arguments.html, comparison_html(targets));
  fmt::print("{}", comparison_text(targets));
  if (!arguments.html.empty()) fmt::print("page in {}\n", arguments.html);
  return kExitAsExpected;
}

}  // namespace hurray::conformance
