// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform faults`: does the suite catch every wrong implementation that it
// knows, and pass every odd one?

#include <fmt/format.h>

#include "conformance/certificate/kill_score.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {

int faults_command(const FaultsArguments& arguments) {
  for (const std::string& file : {arguments.matrix, arguments.score, arguments.html}) {
    if (!file.empty()) prepare_folder_of(file);
  }
  if (!arguments.matrix.empty() && arguments.matrix == arguments.html) {
    throw UsageError("--matrix and --html name the same file");
  }
  if (!arguments.score.empty() && !arguments.select.empty()) {
    throw UsageError("--score is that of all faults; expected it without --select");
  }
  const Suite suite = load_suite();
  const Zoo zoo = load_zoo();
  Progress progress;
  ZooOptions options{arguments.select, arguments.jobs, arguments.limits, {}};
  options.on_progress = [&](std::size_t done, std::size_t all) {
    progress.show(done, all, "implementations");
  };
  const Matrix matrix = judge_zoo(suite, zoo, options);
  progress.clear();
  fmt::print("{}", matrix_text(matrix, zoo));
  if (!arguments.matrix.empty()) write_file(arguments.matrix, matrix_json(suite, matrix, zoo));
  if (!arguments.score.empty()) write_file(arguments.score, kill_score_json(suite, matrix, zoo));
  if (!arguments.html.empty()) write_file(arguments.html, matrix_html(suite, matrix, zoo));
  if (matrix.has_broken()) return kExitBroken;
  return matrix.problems.empty() ? kExitAsExpected : kExitNonConformant;
}

}  // namespace hurray::conformance
