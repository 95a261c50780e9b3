// SPDX-License-Identifier: Apache-2.0
//
// The commands of hurray-conform, see commands.h.

#include "conformance/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "conformance/runner/connection.h"
#include "conformance/runner/expectation.h"
#include "conformance/runner/inspect.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

// https://no-color.org: any non-empty value switches colour off.
TextStyle style_for(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return {is_terminal(descriptor) && !(no_color && *no_color)};
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  // Written beside and renamed: an interrupted run leaves the old report whole.
  const std::filesystem::path beside = path.string() + ".new";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  std::error_code failure;
  if (file) std::filesystem::rename(beside, path, failure);
  if (!file || failure) {
    throw UsageError(
        fmt::format("cannot write {}: is the folder of --report-dir writable and the disk "
                    "not full?",
                    path.string()));
  }
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

// A line that overwrites itself, on a terminal only.
class Progress {
 public:
  Progress() : active_(is_terminal(STDERR_FILENO)) {}
  ~Progress() { clear(); }

  void show(std::size_t done, std::size_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (!active_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    drawn_ = true;
    fmt::print(stderr, "\r\x1b[K{} of {} cases", done, all);
    std::fflush(stderr);
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool active_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

std::vector<Candidate> candidates_from(const RunArguments& arguments,
                                       std::vector<MeantTarget>& meant) {
  if (!arguments.expect.empty()) {
    meant = read_expectation_file(arguments.expect);
    if (arguments.targets.empty()) return candidates_of(meant, arguments.expect, arguments.limits);
  }
  if (arguments.targets.empty()) {
    throw UsageError(
        "run: no target; expected --target [NAME=]ATTACHMENT, for example\n"
        "  hurray-conform run --target builtin:scalar");
  }
  std::vector<Candidate> candidates;
  for (const std::string& each : arguments.targets) {
    Candidate candidate{parse_attachment(each), arguments.limits};
    const bool is_taken = std::any_of(
        candidates.begin(), candidates.end(),
        [&](const Candidate& other) { return other.attachment.name == candidate.attachment.name; });
    if (is_taken) {
      throw UsageError(fmt::format("two targets are named {}; tell them apart by NAME=ATTACHMENT",
                                   candidate.attachment.name));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

void write_reports(const RunArguments& arguments, const RunRecord& record, const Suite& suite,
                   const std::vector<TargetResult>& results) {
  const std::filesystem::path folder = arguments.report_dir;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw UsageError(fmt::format("cannot make the folder {} of --report-dir: {}", folder.string(),
                                 failure.message()));
  }
  write_file(folder / "report.json", report_json(suite, results, arguments.options.strict));
  write_file(folder / "run.json", run_json(record, suite, results));
  write_file(folder / "junit.xml", junit_xml(suite, results));
}

int exit_code_of(const std::vector<TargetResult>& results) {
  int code = kExitAsExpected;
  for (const TargetResult& each : results) {
    if (each.verdict == TargetVerdict::kBroken) return kExitBroken;
    if (each.verdict == TargetVerdict::kNonConformant) code = kExitNonConformant;
  }
  return code;
}

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
  for (const std::string& ruling : requirement.rulings) fmt::print("\n{}\n", text_of_ruling(ruling));
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

int run_command(const RunArguments& arguments) {
  std::vector<MeantTarget> meant;
  const std::vector<Candidate> candidates = candidates_from(arguments, meant);
  const Suite suite = load_suite();

  RunRecord record{now_utc(), 0, host_name(), arguments.options.jobs, arguments.command_line};
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  RunOptions options = arguments.options;
  options.on_progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
  const std::vector<TargetResult> results = run(suite, candidates, options);
  progress.clear();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (!arguments.report_dir.empty()) write_reports(arguments, record, suite, results);
  const TextStyle style = style_for(STDOUT_FILENO);
  if (!arguments.table_only) {
    for (const TargetResult& each : results)
      fmt::print("{}", describe_findings(suite, each, style));
  }
  fmt::print("{}", verdict_table(results, style));
  if (!arguments.report_dir.empty()) fmt::print("report in {}\n", arguments.report_dir);

  if (arguments.expect.empty()) return exit_code_of(results);
  const std::vector<std::string> unmet = unmet_expectations(meant, results);
  for (const std::string& each : unmet) fmt::print("not as meant: {}\n", each);
  if (unmet.empty())
    fmt::print("all {} targets have the verdict that they are meant to have\n", results.size());
  return unmet.empty() ? kExitAsExpected : kExitNonConformant;
}

int list_command(const std::string& what, bool json) {
  if (what == "targets") {
    const std::vector<std::string> names = builtin_names();
    if (json)
      fmt::print("[{}]\n", names.empty()
                               ? ""
                               : fmt::format("\"builtin:{}\"", fmt::join(names, "\", \"builtin:")));
    else
      for (const std::string& each : names) fmt::print("builtin:{}\n", each);
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
  throw UsageError(
      fmt::format("explain: `{}` is no requirement id, case name or ruling; see `list requirements` and "
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
    fmt::print("< {}\n", line);
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

namespace {

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return false;
}

}  // namespace

int doctor_command() {
  int code = kExitAsExpected;
  const auto line = [](bool good, std::string_view what, std::string_view detail) {
    fmt::print("{:<4} {:<26} {}\n", good ? "ok" : "no", what, detail);
  };
  try {
    const Suite suite = load_suite();
    line(true, "suite",
         fmt::format("{} requirements, {} cases, digest {}", suite.requirements.size(),
                     suite.cases.size(), suite.digest.substr(0, 16)));
  } catch (const SuiteError& error) {
    line(false, "suite", error.what());
    code = kExitBroken;
  }
  for (const std::string& name : builtin_names()) {
    const Introduction introduction = introduce(parse_attachment("builtin:" + name), {});
    line(introduction.claims.has_value(), "builtin:" + name,
         introduction.claims ? "answers hello" : introduction.broken->reason);
    if (!introduction.claims) code = kExitBroken;
  }
  const bool has_shell = access("/bin/sh", X_OK) == 0;
  line(has_shell, "exec:", has_shell ? "/bin/sh starts commands" : "needs /bin/sh");
  line(true, "lib:", "shared objects are loaded in a child process");
  struct Tool {
    std::string_view program, use;
  };
  constexpr Tool kTools[] = {
      {"python3", "the Python adapter and the second oracle (package python3)"},
      {"cc", "compiling a target of your own (package gcc)"},
      {"cmake", "building the suite (package cmake)"}};
  for (const Tool& tool : kTools)
    line(is_in_path(std::string(tool.program)), tool.program, tool.use);
  return code;
}

}  // namespace hurray::conformance
