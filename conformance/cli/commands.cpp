// SPDX-License-Identifier: Apache-2.0
//
// Commands of hurray-conform that show or replay something, see commands.h.

#include "conformance/cli/commands.h"

#include <algorithm>
#include <cctype>
#include <chrono>

#include <fmt/format.h>

#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/connection.h"
#include "conformance/runner/report.h"
#include "conformance/runner/vectors.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

void print_requirement(const Suite& suite, const Requirement& requirement) {
  fmt::print("{}  {}  contract {}\n{}\n\nclause    {}\na target that breaks it {}\n",
             requirement.id, requirement.level, name_of(requirement.contract), requirement.text,
             requirement.clause,
             requirement.gates()   ? "is non-conformant"
             : requirement.warns() ? "is warned, and non-conformant under --strict"
                                   : "is conformant: it is only recorded");
  if (!requirement.rulings.empty()) {
    fmt::print("rulings   {} (RULINGS.md)\n", fmt::join(requirement.rulings, ", "));
  }
  if (const std::string reason = requirement.reason(); !reason.empty())
    fmt::print("no cases  {}\n", reason);
  for (const std::string& ruling : requirement.rulings)
    fmt::print("\n{}\n", text_of_ruling(ruling));
  if (requirement.cases.empty()) return;
  constexpr std::size_t kMostCases = 12;
  fmt::print("\ncases     {}\n", requirement.cases.size());
  for (std::size_t i = 0; i < std::min(kMostCases, requirement.cases.size()); ++i) {
    fmt::print("  {}\n", suite.cases[requirement.cases[i]].name);
  }
  if (requirement.cases.size() > kMostCases) {
    fmt::print("  … and {} more: hurray-conform list requirements --json\n",
               requirement.cases.size() - kMostCases);
  }
}

void print_alternatives(const Step& step) {
  for (const Alternative& each : step.expect) {
    fmt::print("  may answer {}", each.answer);
    if (each.verdict != CaseVerdict::kPass) fmt::print("  ({})", name_of(each.verdict));
    for (const auto& [behaviour, options] : each.shows) {
      fmt::print("  [{}={}]", behaviour, fmt::join(options, "|"));
    }
    if (!each.free.empty())
      fmt::print("  [any one value at elements {}]", fmt::join(each.free, ","));
    fmt::print("\n");
  }
}

void print_case(const Suite& suite, const Case& item) {
  fmt::print("{}\nfails if  {}\njudges    {}\n", item.name, item.why,
             fmt::join(suite.requirements_of(item), ", "));
  for (const std::string& note : item.notes) fmt::print("  {}\n", note);
  for (const Step& step : item.steps) {
    fmt::print("request   {}\n", step.request);
    print_alternatives(step);
  }
}

// Asks the steps of a case of a fresh process, one after the other, and prints both sides.
void show_conversation(const Candidate& candidate, const Suite& suite, std::size_t index) {
  const Case& item = suite.cases[index];
  const std::uint32_t first_id = first_ids_of(suite)[index];
  Connection connection(candidate.attachment, candidate.limits);
  for (std::size_t i = 0; i <= item.steps.size(); ++i) {
    const std::string request =
        i == 0 ? "1 hello version=1"
               : fmt::format("{} {}", first_id + i - 1, item.steps[i - 1].request);
    fmt::print("> {}\n", request);
    connection.send(request);
    std::string line;
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(candidate.limits.timeout_ms);
    switch (connection.next_line(deadline, line)) {
      case Connection::Event::kLine:
        fmt::print("< {}\n", cleaned(line));
        break;
      case Connection::Event::kTimeout:
        fmt::print("< (no answer within {} ms)\n", candidate.limits.timeout_ms);
        return;
      case Connection::Event::kEnd:
        fmt::print("< (no answer: {})\n", connection.how_it_ended());
        return;
      case Connection::Event::kEndlessLine:
        fmt::print("< (a line that does not end)\n");
        return;
    }
    if (i > 0) print_alternatives(item.steps[i - 1]);
  }
}

// A suite of the one case that the file has.
Suite suite_of_vector(const std::string& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  const std::string content = read_text_file(file, kMostBytes);
  Suite suite;
  bool differs = false;
  suite.cases.push_back(case_of_vector(content, file, &differs));
  if (differs) {
    fmt::print(stderr,
               "{}: its expectations are not those of this program, which judges by its own\n",
               file);
  }
  Requirement requirement;
  requirement.id = "VECTOR";
  requirement.level = "MUST";
  requirement.cases = {0};
  suite.requirements.push_back(std::move(requirement));
  return suite;
}

}  // namespace

int list_command(const std::string& what, bool json) {
  if (what == "targets") {
    if (json)
      fmt::print("{}", targets_json(builtin_names()));
    else
      for (const std::string& each : builtin_names()) fmt::print("builtin:{}\n", each);
    return kExitAsExpected;
  }
  if (what == "faults") {
    const Zoo zoo = load_zoo();
    fmt::print("{}", json ? zoo_json(zoo) : zoo_text(zoo));
    return kExitAsExpected;
  }
  const Suite suite = load_suite();
  if (what == "profiles") {
    fmt::print("{}", json ? profiles_json(suite) : profiles_text(suite));
    return kExitAsExpected;
  }
  if (json) {
    fmt::print("{}", what == "cases" ? cases_json(suite) : requirements_json(suite));
    return kExitAsExpected;
  }
  if (what == "cases") {
    for (const Case& each : suite.cases) fmt::print("{}\n", each.name);
    return kExitAsExpected;
  }
  for (const Requirement& each : suite.requirements) {
    const std::string reason = each.reason();
    fmt::print("{:<13} {:<10} {:>5}  {}\n", each.id, each.level,
               reason.empty() ? fmt::format("{}", each.cases.size()) : "–",
               reason.empty() ? each.text : fmt::format("{} [{}]", each.text, reason));
  }
  return kExitAsExpected;
}

int explain_command(const std::string& what) {
  const Suite suite = load_suite();
  // Ids are upper case, names of cases lower case.
  std::string id = what;
  if (!suite.find_case(id)) {
    std::transform(id.begin(), id.end(), id.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  if (const Requirement* requirement = suite.find_requirement(id)) {
    print_requirement(suite, *requirement);
    return kExitAsExpected;
  }
  if (const Case* item = suite.find_case(id)) {
    print_case(suite, *item);
    return kExitAsExpected;
  }
  if (const std::string_view ruling = text_of_ruling(id); !ruling.empty()) {
    fmt::print("{}\n", ruling);
    return kExitAsExpected;
  }
  throw UsageError(fmt::format(
      "explain: `{}` is no requirement id, case name or ruling; see `list requirements` and "
      "`list cases`",
      what));
}

int replay_command(const ReplayArguments& arguments) {
  const Candidate candidate{parse_attachment(arguments.target), arguments.limits};
  if (arguments.cases.empty() && arguments.vector.empty()) {
    throw UsageError("replay: no case; expected its name (see `list cases`) or --vector FILE");
  }
  const Suite suite = arguments.vector.empty() ? load_suite() : suite_of_vector(arguments.vector);
  std::vector<std::size_t> indices;
  if (!arguments.vector.empty()) indices = {0};
  for (const std::string& name : arguments.cases) {
    const Case* item = suite.find_case(name);
    if (!item) throw UsageError(fmt::format("replay: no case named `{}`; see `list cases`", name));
    indices.push_back(static_cast<std::size_t>(item - suite.cases.data()));
  }
  RunOptions options;
  options.cases = indices;
  options.strict = arguments.strict;
  options.jobs = 1;
  const std::vector<TargetResult> results = run(suite, {candidate}, options);
  const TargetResult& result = results.front();
  if (!result.claims) {
    fmt::print("{}", describe_findings(suite, result, {}));
    return kExitBroken;
  }
  bool any_skipped = false, any_failed = false;
  for (const std::size_t index : indices) {
    const CaseResult& judged = result.cases[index];
    if (judged.verdict == CaseVerdict::kSkip) {
      fmt::print("{}: not judged: {}\n", suite.cases[index].name, judged.skip_reason);
      any_skipped = true;
      continue;
    }
    show_conversation(candidate, suite, index);
    const bool failed = judged.verdict == CaseVerdict::kFail ||
                        (arguments.strict && judged.verdict == CaseVerdict::kWarn);
    any_failed |= failed;
    fmt::print("{}\n", name_of(failed ? CaseVerdict::kFail : judged.verdict));
    if (judged.failure) {
      std::string text = describe_failure(suite, result, index, style_for(STDOUT_FILENO));
      const std::size_t line = text.find("\n  replay ");
      // What is not among the cases of the suite is found again by its file.
      if (!arguments.vector.empty() && line != std::string::npos) {
        const std::string& name = suite.cases[index].name;
        const std::size_t at = text.find(name, line);
        if (at != std::string::npos) text.replace(at, name.size(), "--vector " + arguments.vector);
      }
      fmt::print("{}", text);
    }
  }
  if (result.verdict == TargetVerdict::kBroken || (any_skipped && !any_failed)) return kExitBroken;
  return any_failed ? kExitNonConformant : kExitAsExpected;
}

}  // namespace hurray::conformance
