// SPDX-License-Identifier: Apache-2.0
//
// The zoo, see zoo.h.

#include "conformance/runner/zoo.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>

#include "conformance/runner/embedded.h"
#include "conformance/runner/expectation.h"
#include "conformance/runner/parallel.h"
#include "conformance/runner/toml_files.h"
#include "targets/faults/faults.h"
#include "targets/latitude/latitude.h"

namespace hurray::conformance {
namespace {

// A race between threads shows by chance, on a busy machine with a small one.
constexpr std::size_t kAttempts = 5;
// All of them: to start a process costs more than to ask it.
constexpr std::size_t kCasesPerProcess = 100000;
constexpr std::string_view kEverything = "all";

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::set<std::string> set_of(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  return {words.begin(), words.end()};
}

// The operation that a member of hurray_target.h answers. The four functions of the firmware are
// one: they have to agree with each other.
std::string operation_of_member(const std::string& member) {
  if (member == "normalize_zero_points") return "normalize";
  return member.substr(0, member.find('.'));
}

// Verbs are named like operations.
std::string operation_of_request(const std::string& request) {
  return request.substr(0, request.find(' '));
}

bool is_asked(const Fault& fault, const Case& item) {
  if (fault.replaced.contains(std::string(kEverything))) return true;
  return std::any_of(item.steps.begin(), item.steps.end(), [&](const Step& step) {
    const std::string operation = operation_of_request(step.request);
    return std::any_of(fault.replaced.begin(), fault.replaced.end(),
                       [&](const std::string& member) {
                         // Values of a tensor are asked for with its descriptor, which is decoded
                         // first.
                         const std::string replaced = operation_of_member(member);
                         return replaced == operation ||
                                (operation == "dequantize_tensor" && replaced == "decode_tensor");
                       });
  });
}

// Megabytes, threads by the hundred, or a survey by the thousand: only for faults that nothing else
// catches.
bool is_expensive(const Case& item) {
  if (item.name.find("survey/") != std::string::npos) return true;
  return std::any_of(item.steps.begin(), item.steps.end(), [](const Step& step) {
    return step.request.find(" repeat=") != std::string::npos ||
           step.request.find(" threads=") != std::string::npos;
  });
}

FaultOutcome judge_fault(const Suite& suite, const Fault& fault, const Limits& limits,
                         bool with_expensive) {
  FaultOutcome outcome;
  outcome.fault = fault;
  RunOptions options;
  options.jobs = 1;
  options.cases_per_process = kCasesPerProcess;
  options.strict = fault.strict;
  options.minimize = false;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const Case& item = suite.cases[i];
    if (is_asked(fault, item) && (with_expensive || !is_expensive(item)))
      options.cases.push_back(i);
  }
  const TargetResult result = run(suite, {Candidate{fault.attachment, limits}}, options).front();

  outcome.verdict = result.verdict;
  if (result.broken) outcome.broken = result.broken->reason;
  for (const RequirementResult& each : result.requirements) {
    if (each.verdict == RequirementVerdict::kViolated) {
      outcome.violated.push_back(each.requirement->id);
    }
  }
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseVerdict verdict = result.cases[i].verdict;
    if (verdict != CaseVerdict::kFail && !(fault.strict && verdict == CaseVerdict::kWarn)) continue;
    ++outcome.cases;
    outcome.families.insert(family_of(suite.cases[i].name));
  }
  return outcome;
}

FaultOutcome judge_until_caught(const Suite& suite, const Fault& fault, const Limits& limits) {
  FaultOutcome outcome = judge_fault(suite, fault, limits, false);
  outcome.attempts = 1;
  for (std::size_t attempt = 1; attempt <= kAttempts && !outcome.is_caught(); ++attempt) {
    outcome = judge_fault(suite, fault, limits, true);
    outcome.attempts = attempt;
  }
  return outcome;
}

// Whether a report of `a|b` is compatible with the option. A row spells `code 1` as `code_1`.
bool includes(const std::string& shown, std::string option) {
  constexpr std::string_view kCode = "code_";
  if (option.starts_with(kCode)) option[kCode.size() - 1] = ' ';
  return ("|" + shown + "|").find("|" + option + "|") != std::string::npos;
}

// Whether the report shows `name=value`, of all functions or of one.
bool shows(const TargetResult& result, const std::string& name_and_value) {
  const std::size_t equals = name_and_value.find('=');
  const std::string name = name_and_value.substr(0, equals);
  const std::string value = name_and_value.substr(equals + 1);
  return std::any_of(result.behaviours.begin(), result.behaviours.end(), [&](const auto& each) {
    const bool is_named = each.first == name || each.first.starts_with(name + "(");
    return is_named && includes(each.second, value);
  });
}

bool is_called_inconsistent(const TargetResult& result) {
  return std::any_of(result.cases.begin(), result.cases.end(), [](const CaseResult& each) {
    return each.failure && each.failure->failure_class == "inconsistent";
  });
}

bool is_warned(const TargetResult& result) {
  return std::any_of(result.requirements.begin(), result.requirements.end(),
                     [](const auto& each) { return each.verdict == RequirementVerdict::kWarned; });
}

VariantKind kind_of(const hurray_latitude& row) {
  if (row.kind == kLatitudeMixture) return VariantKind::kMixture;
  return row.kind == kLatitudeLenient ? VariantKind::kLenient : VariantKind::kChoice;
}

// Asked of all operations: what one operation chooses has to go with what the others do.
VariantOutcome judge_variant(const Suite& suite, const Variant& variant, const Limits& limits) {
  RunOptions options;
  options.jobs = 1;
  options.cases_per_process = kCasesPerProcess;
  options.minimize = false;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    if (!is_expensive(suite.cases[i])) options.cases.push_back(i);
  }
  const TargetResult result = run(suite, {Candidate{variant.attachment, limits}}, options).front();
  VariantOutcome outcome{variant, {}, result.verdict};
  const std::string what = fmt::format("variant {} ({})", variant.id, variant.choice);
  if (variant.kind == VariantKind::kMixture) {
    if (result.verdict != TargetVerdict::kNonConformant || !is_called_inconsistent(result)) {
      outcome.problem = fmt::format("{} is {}; meant to fail as inconsistent in {}", what,
                                    name_of(result.verdict), variant.behaviours.front());
    }
    return outcome;
  }
  if (result.verdict != TargetVerdict::kConformant) {
    outcome.problem = fmt::format("{} is {}; ruling {} allows it", what, name_of(result.verdict),
                                  variant.rulings);
    for (const RequirementResult& each : result.requirements) {
      if (each.verdict == RequirementVerdict::kViolated) {
        outcome.problem += fmt::format(", {} comes out violated", each.requirement->id);
      }
    }
  }
  if (variant.kind == VariantKind::kLenient && outcome.problem.empty() && !is_warned(result)) {
    outcome.problem = fmt::format("{} comes out without a warning", what);
  }
  for (const std::string& each : variant.behaviours) {
    if (!shows(result, each) && outcome.problem.empty()) {
      outcome.problem = fmt::format("{} does not show {}", what, each);
    }
  }
  return outcome;
}

std::vector<RequirementCoverage> cover_requirements(const Suite& suite, const Zoo& zoo,
                                                    const std::vector<FaultOutcome>& faults) {
  std::vector<RequirementCoverage> all;
  for (const Requirement& requirement : suite.requirements) {
    if (!requirement.gates() || requirement.cases.empty()) continue;
    RequirementCoverage coverage;
    coverage.requirement = &requirement;
    for (const FaultOutcome& each : faults) {
      if (each.fault.requirements.front() != requirement.id) continue;
      coverage.faults.push_back(each.fault.id);
      if (each.is_caught()) coverage.caught.push_back(each.fault.id);
    }
    const auto reason = zoo.without.find(requirement.id);
    if (reason != zoo.without.end()) coverage.without = reason->second;
    all.push_back(std::move(coverage));
  }
  return all;
}

std::map<std::string, FamilyCoverage> cover_families(const Suite& suite,
                                                     const std::vector<FaultOutcome>& faults) {
  std::map<std::string, FamilyCoverage> families;
  for (const Case& each : suite.cases) ++families[family_of(each.name)].cases;
  for (const FaultOutcome& each : faults) {
    for (const std::string& family : each.families) {
      families[family].catches.push_back(each.fault.id);
      if (each.families.size() == 1) families[family].alone.push_back(each.fault.id);
    }
  }
  return families;
}

std::string problem_of(const FaultOutcome& outcome) {
  const Fault& fault = outcome.fault;
  const std::string what = fmt::format("fault {} ({})", fault.id, fault.wrong);
  if (outcome.verdict == TargetVerdict::kBroken) {
    return fmt::format("{} cannot be judged: {}", what, outcome.broken);
  }
  if (outcome.violated.empty()) {
    return fmt::format("{} is not caught; meant to violate {}", what, fault.requirements.front());
  }
  return fmt::format("{} is meant to violate {}, and is caught by {} only", what,
                     fault.requirements.front(), fmt::join(outcome.violated, ", "));
}

void find_problems(bool is_whole, Matrix& matrix) {
  for (const FaultOutcome& each : matrix.faults) {
    if (!each.is_caught()) matrix.problems.push_back(problem_of(each));
  }
  for (const VariantOutcome& each : matrix.variants) {
    if (!each.problem.empty()) matrix.problems.push_back(each.problem);
  }
  if (!is_whole) return;
  for (const RequirementCoverage& each : matrix.requirements) {
    const std::string& id = each.requirement->id;
    if (each.faults.empty() && each.without.empty()) {
      matrix.problems.push_back(
          fmt::format("requirement {} gates and has cases, and no fault violates it", id));
    }
    if (!each.faults.empty() && !each.without.empty()) {
      matrix.problems.push_back(
          fmt::format("requirement {} is said to have no fault, and has {}", id, each.faults[0]));
    }
  }
}

// What is installed comes without the programs that only the zoo needs.
bool is_build_tree() { return std::filesystem::exists(build_folder() + "/targets/faults"); }

bool is_there(const SeparateFault& fault) {
  if (!fault.as.empty() && !is_builtin_here(fault.as)) return false;
  const std::string command = in_build_folder(fault.attachment);
  const std::size_t start = command.find(':') + 1;
  return std::filesystem::exists(command.substr(start, command.find(' ', start) - start));
}

template <typename Row>
std::vector<const Row*> chosen(const std::vector<Row>& rows, const std::string& glob) {
  std::vector<const Row*> matching;
  for (const Row& each : rows) {
    const bool is_chosen = glob.empty() || fnmatch(glob.c_str(), each.id.c_str(), 0) == 0 ||
                           fnmatch(glob.c_str(), each.attachment.text.c_str(), 0) == 0;
    if (is_chosen) matching.push_back(&each);
  }
  return matching;
}

// Throws SuiteError: a row that names what there is not.
void check_requirements(const Suite& suite, const Zoo& zoo) {
  for (const Fault& fault : zoo.faults) {
    for (const std::string& id : fault.requirements) {
      if (!suite.find_requirement(id)) {
        throw SuiteError(fmt::format("fault {}: there is no requirement {}", fault.id, id));
      }
    }
    if (fault.requirements.empty()) {
      throw SuiteError(fmt::format("fault {} names no requirement", fault.id));
    }
  }
  for (const auto& [id, reason] : zoo.without) {
    if (!suite.find_requirement(id)) {
      throw SuiteError(fmt::format("without_fault.toml: there is no requirement {}", id));
    }
  }
}

}  // namespace

bool FaultOutcome::is_caught() const {
  if (fault.requirements.empty()) return false;
  return verdict == TargetVerdict::kNonConformant && caught_by() == fault.requirements.front();
}

std::string FaultOutcome::caught_by() const {
  const std::string& meant = fault.requirements.front();
  if (std::find(violated.begin(), violated.end(), meant) != violated.end()) return meant;
  return violated.empty() ? std::string() : violated.front();
}

bool Matrix::has_broken() const {
  const auto is_broken = [](const auto& each) { return each.verdict == TargetVerdict::kBroken; };
  return std::any_of(faults.begin(), faults.end(), is_broken) ||
         std::any_of(variants.begin(), variants.end(), is_broken);
}

std::string_view name_of(VariantKind kind) {
  constexpr std::string_view kNames[] = {"choice", "lenient", "mixture"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string family_of(const std::string& case_name) {
  const std::size_t first = case_name.find('/');
  return first == std::string::npos ? case_name
                                    : case_name.substr(0, case_name.find('/', first + 1));
}

Zoo load_zoo() {
  Zoo zoo;
  for (std::size_t i = 0; i < hurray_fault_count; ++i) {
    const hurray_fault& row = hurray_faults[i];
    zoo.faults.push_back({row.id, words_of(row.requirements), row.wrong, set_of(row.replaced),
                          row.strict, parse_attachment(fmt::format("builtin:fault-{}", row.id))});
  }
  for (std::size_t i = 0; i < hurray_latitude_count; ++i) {
    const hurray_latitude& row = hurray_latitudes[i];
    zoo.variants.push_back({row.id, row.rulings, row.choice, words_of(row.behaviours), kind_of(row),
                            parse_attachment(fmt::format("builtin:latitude-{}", row.id))});
  }
  const FaultFiles files = read_fault_files(embedded_fault_files());
  for (const SeparateFault& each : files.separate) {
    Fault fault{each.id,    words_of(each.requirements),
                each.wrong, set_of(each.replaced),
                false,      parse_attachment(in_build_folder(each.attachment))};
    const bool may_be_absent = !each.needs.empty() || !is_build_tree();
    (may_be_absent && !is_there(each) ? zoo.absent : zoo.faults).push_back(std::move(fault));
  }
  zoo.retired = files.retired;
  zoo.without = files.without;
  return zoo;
}

Matrix judge_zoo(const Suite& suite, const Zoo& zoo, const ZooOptions& options) {
  check_requirements(suite, zoo);
  const std::vector<const Fault*> faults = chosen(zoo.faults, options.select);
  const std::vector<const Variant*> variants = chosen(zoo.variants, options.select);
  const std::size_t all = faults.size() + variants.size();
  if (all == 0) {
    throw UsageError(
        fmt::format("--select {}: no fault or variant has an id like that; `list faults` has them, "
                    "for example --select 'ties-*'",
                    options.select));
  }
  Matrix matrix;
  matrix.select = options.select;
  matrix.faults.resize(faults.size());
  matrix.variants.resize(variants.size());
  std::size_t done = 0;
  std::mutex mutex;
  in_parallel(options.jobs != 0 ? options.jobs : processors(), all, [&](std::size_t i) {
    if (i < faults.size()) {
      matrix.faults[i] = judge_until_caught(suite, *faults[i], options.limits);
    } else {
      matrix.variants[i - faults.size()] =
          judge_variant(suite, *variants[i - faults.size()], options.limits);
    }
    const std::lock_guard lock(mutex);
    if (options.on_progress) options.on_progress(++done, all);
  });
  matrix.caught = static_cast<std::size_t>(
      std::count_if(matrix.faults.begin(), matrix.faults.end(),
                    [](const FaultOutcome& each) { return each.is_caught(); }));
  matrix.requirements = cover_requirements(suite, zoo, matrix.faults);
  matrix.families = cover_families(suite, matrix.faults);
  find_problems(options.select.empty(), matrix);
  return matrix;
}

}  // namespace hurray::conformance
