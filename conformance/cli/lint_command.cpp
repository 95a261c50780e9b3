// SPDX-License-Identifier: Apache-2.0
//
// hurray-conform lint: what is valid and yet suspicious about tensors in files.

#include <new>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/lint.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 33;

LintReport lint_file(const std::string& name) {
  LintReport unreadable;
  try {
    const Bytes bytes = read_file(name, kMostBytes + 1, "HRRY");
    if (bytes.size() <= kMostBytes) return lint(bytes);
    unreadable.problem = "more than 8 GiB; expected a single tensor";
  } catch (const std::bad_alloc&) {
    unreadable.problem = "too large for the memory of this machine, which has to hold all of it";
  } catch (const UsageError& error) {
    // The name stands before it already.
    const std::string prefix = fmt::format("cannot read {}: ", name);
    const std::string what = error.what();
    unreadable.problem = what.starts_with(prefix) ? what.substr(prefix.size()) : what;
  }
  return unreadable;
}

}  // namespace

int lint_command(const LintArguments& arguments) {
  std::vector<LintedFile> files;
  bool any_suspicious = false, any_unreadable = false;
  for (const std::string& name : arguments.files) {
    files.push_back({cleaned(name), lint_file(name)});
    const LintReport& report = files.back().report;
    any_suspicious |= !report.findings.empty();
    any_unreadable |= !report.problem.empty();
    const std::string text = lint_text(files.back().name, report, style_for(STDOUT_FILENO));
    if (!report.problem.empty()) {
      fmt::print(stderr, "hurray-conform: lint: {}", text);
    } else if (!arguments.json) {
      fmt::print("{}", text);
    }
  }
  if (arguments.json) fmt::print("{}", lint_json(files));
  if (any_unreadable) return kExitUsage;
  return any_suspicious ? kExitNonConformant : kExitAsExpected;
}

}  // namespace hurray::conformance
