// SPDX-License-Identifier: Apache-2.0
//
// Commands of hurray-conform that show or replay something, see commands.h.

#include "conformance/cli/commands.h"

#include <chrono>

#include <fmt/format.h>

#include "conformance/cli/terminal.h"
#include "conformance/runner/connection.h"
#include "conformance/runner/inspect.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

std::uint8_t storage_type_from(const std::string& text) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    if (element_type_name(static_cast<std::uint8_t>(tag)) == text)
      return static_cast<std::uint8_t>(tag);
  }
  if (const auto tag = parse_hex_number(text, 2)) return static_cast<std::uint8_t>(*tag);
  throw UsageError(fmt::format(
      "--type {}: expected a type name or a two-digit tag, for example int8 or 10", text));
}

void print_requirement(const Suite& suite, const Requirement& requirement) {
  fmt::print("{}  {}  contract {}\n{}\n\nclause    {}\n", requirement.id, requirement.level,
             name_of(requirement.contract), requirement.text, requirement.clause);
  if (!requirement.rulings.empty()) {
    fmt::print("rulings   {} (RULINGS.md)\n", fmt::join(requirement.rulings, ", "));
  }
  if (const std::string reason = requirement.reason(); !reason.empty())
    fmt::print("no cases  {}\n", reason);
  if (!requirement.cases.empty()) fmt::print("cases     {}\n", requirement.cases.size());
  for (const std::size_t index : requirement.cases) {
    fmt::print("  {}\n", suite.cases[index].name);
  }
  for (const std::string& ruling : requirement.rulings)
    fmt::print("\n{}\n", text_of_ruling(ruling));
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

}  // namespace

int list_command(const std::string& what, bool json) {
  if (what == "targets") {
    if (json)
      fmt::print("{}", targets_json(builtin_names()));
    else
      for (const std::string& each : builtin_names()) fmt::print("builtin:{}\n", each);
    return kExitAsExpected;
  }
  const Suite suite = load_suite();
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

int explain_command(const std::string& id) {
  const Suite suite = load_suite();
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
      id));
}

int replay_command(const std::string& target, const std::string& case_name, const Limits& limits) {
  const Candidate candidate{parse_attachment(target), limits};
  const Suite suite = load_suite();
  const Case* item = suite.find_case(case_name);
  if (!item) {
    throw UsageError(fmt::format("replay: no case named `{}`; see `list cases`", case_name));
  }
  const std::size_t index = static_cast<std::size_t>(item - suite.cases.data());
  const std::uint32_t first_id = first_id_of(suite, index);

  RunOptions options;
  options.select = case_name;
  options.jobs = 1;
  const std::vector<TargetResult> results = run(suite, {candidate}, options);
  const TargetResult& result = results.front();
  if (!result.claims) {
    fmt::print("{}", describe_findings(suite, result, {}));
    return kExitBroken;
  }
  if (result.cases[index].verdict == CaseVerdict::kSkip) {
    fmt::print("{}: skipped: {}\n", case_name, result.cases[index].skip_reason);
    return kExitAsExpected;
  }

  Connection connection(candidate.attachment, limits);
  connection.send("1 hello version=1");
  for (std::size_t step = 0; step < item->steps.size(); ++step) {
    connection.send(fmt::format("{} {}", first_id + step, item->steps[step].request));
  }
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::milliseconds(limits.timeout_ms) * (item->steps.size() + 1);
  std::string line;
  fmt::print("> 1 hello version=1\n");
  for (std::size_t step = 0; step <= item->steps.size(); ++step) {
    if (step > 0) fmt::print("> {} {}\n", first_id + step - 1, item->steps[step - 1].request);
    if (connection.next_line(deadline, line) != Connection::Event::kLine) {
      connection.end();
      fmt::print("< (no answer: {})\n", connection.how_it_ended());
      break;
    }
    fmt::print("< {}\n", cleaned(line));
    if (step > 0) print_alternatives(item->steps[step - 1]);
  }
  const CaseVerdict verdict = result.cases[index].verdict;
  fmt::print("{}\n", name_of(verdict));
  if (result.cases[index].failure) {
    fmt::print("{}", describe_failure(suite, result, index, style_for(STDOUT_FILENO)));
  }
  if (result.verdict == TargetVerdict::kBroken) return kExitBroken;
  return verdict == CaseVerdict::kFail ? kExitNonConformant : kExitAsExpected;
}

int inspect_command(const std::string& type, const std::string& hex) {
  const std::uint8_t tag = storage_type_from(type);
  const std::optional<Bytes> bytes = parse_hex(hex);
  if (!bytes) {
    throw UsageError(
        fmt::format("inspect: `{}` is not an even number of hexadecimal digits, for example "
                    "010100000000003f0300000000000000",
                    hex.substr(0, 80)));
  }
  const Inspection inspection = inspect_descriptor(load_suite(), tag, *bytes);
  fmt::print("{}", inspection.text);
  return inspection.is_valid ? kExitAsExpected : kExitNonConformant;
}

}  // namespace hurray::conformance
