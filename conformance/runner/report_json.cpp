// SPDX-License-Identifier: Apache-2.0
//
// JSON for machines, see report.h. Keys keep the order in which they are written here; nothing in
// report.json depends on time, host, threads or the order of asking.

#include <nlohmann/json.hpp>

#include "conformance/runner/fingerprint.h"
#include "conformance/runner/known.h"
#include "conformance/runner/lint.h"
#include "conformance/runner/report.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  // Evidence from a target may be anything; what is not UTF-8 is replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json failed_case(const Suite& suite, const TargetResult& target, std::size_t index, bool is_first) {
  const CaseResult& result = target.cases[index];
  Json json = {{"case", suite.cases[index].name},
               {"verdict", name_of(result.verdict)},
               {"outcome", name_of(result.outcome)}};
  if (!result.failure) return json;
  const Failure& failure = *result.failure;
  json["class"] = failure.failure_class;
  json["fingerprint"] = fingerprint_text(result.fingerprint);
  if (!is_first) return json;
  Json example = {
      {"request", failure.request}, {"expected", failure.expected}, {"got", failure.got}};
  if (suite.cases[index].steps.size() > 1) example["step"] = failure.step + 1;
  if (failure.element) example["element"] = *failure.element;
  if (!failure.input.empty()) example["input"] = failure.input;
  if (!failure.distance.empty()) example["distance"] = failure.distance;
  if (failure.total > 0) {
    example["differing"] = failure.differing;
    example["elements"] = failure.total;
  }
  example["why"] = suite.cases[index].why;
  example["replay"] = replay_line(target.attachment.text, target, suite.cases[index], failure);
  example["c"] = c_snippet(failure.request);
  json["counter_example"] = std::move(example);
  return json;
}

Json requirement_result(const Suite& suite, const TargetResult& target,
                        const RequirementResult& result) {
  const Requirement& requirement = *result.requirement;
  Json json = {{"id", requirement.id},
               {"level", requirement.level},
               {"contract", name_of(requirement.contract)},
               {"verdict", name_of(result.verdict)},
               {"cases", result.asked}};
  if (!requirement.rulings.empty()) json["rulings"] = requirement.rulings;
  if (const std::string reason = requirement.reason(); !reason.empty()) json["reason"] = reason;
  Json failed = Json::array();
  for (const std::size_t index : result.failed) {
    failed.push_back(failed_case(suite, target, index, failed.empty()));
  }
  json["failed"] = std::move(failed);
  return json;
}

// What it claims to be: nothing of a target that is broken.
Json profile_results(const TargetResult& target) {
  Json profiles = Json::array();
  for (const ProfileResult& each : target.profiles) {
    if (each.verdict == ProfileVerdict::kNotClaimed || each.verdict == ProfileVerdict::kNotJudged)
      continue;
    Json profile = {{"profile", each.profile->name},
                    {"verdict", name_of(each.verdict)},
                    {"requirements", each.judged}};
    if (!each.violated.empty()) profile["violated"] = each.violated;
    if (!each.missing.empty()) profile["not_judged"] = each.missing;
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

Json target_result(const Suite& suite, const TargetResult& target) {
  Json json = {{"name", target.attachment.name},
               {"attachment", target.attachment.text},
               {"verdict", name_of(target.verdict)}};
  if (target.broken) json["reason"] = target.broken->reason;
  if (!target.attachment.execution.empty()) json["execution"] = target.attachment.execution;
  Json contracts = Json::array();
  if (target.claims) {
    json["calls_itself"] = target.claims->name;
    for (const Contract contract : target.claims->contracts) contracts.push_back(name_of(contract));
  }
  json["contracts"] = std::move(contracts);
  json["profiles"] = profile_results(target);
  json["behaviours"] = target.behaviours;
  Json requirements = Json::array();
  for (const RequirementResult& each : target.requirements) {
    requirements.push_back(requirement_result(suite, target, each));
  }
  json["requirements"] = std::move(requirements);
  return json;
}

Json suite_identity(const Suite& suite) {
  return {{"name", "hurray-conformance"},
          {"version", kSuiteVersion},
          {"cases_version", HURRAY_CASES_VERSION},
          {"digest", suite.digest},
          {"requirements", suite.requirements.size()},
          {"cases", suite.cases.size()}};
}

}  // namespace

std::string report_json(const Suite& suite, const std::vector<TargetResult>& targets, bool strict,
                        const KnownGate* known) {
  Json json = {{"suite", suite_identity(suite)}, {"strict", strict}};
  if (known) json["known"] = {{"file", known->file}, {"problems", known->problems}};
  Json results = Json::array();
  for (const TargetResult& each : targets) results.push_back(target_result(suite, each));
  json["targets"] = std::move(results);
  return dump(json);
}

std::string run_json(const RunRecord& record, const Suite& suite,
                     const std::vector<TargetResult>& targets) {
  Json json = {{"suite", suite_identity(suite)},
               {"started", record.started},
               {"seconds", record.seconds},
               {"host", record.host},
               {"jobs", record.jobs},
               {"command", record.command}};
  Json all = Json::array();
  for (const TargetResult& each : targets) {
    Json target = {{"name", each.attachment.name}, {"verdict", name_of(each.verdict)}};
    if (each.broken && !each.broken->errors.empty()) target["standard_error"] = each.broken->errors;
    all.push_back(std::move(target));
  }
  json["targets"] = std::move(all);
  return dump(json);
}

std::string requirements_json(const Suite& suite) {
  Json all = Json::array();
  for (const Requirement& each : suite.requirements) {
    Json cases = Json::array();
    for (const std::size_t index : each.cases) cases.push_back(suite.cases[index].name);
    Json json = {{"id", each.id},
                 {"level", each.level},
                 {"contract", name_of(each.contract)},
                 {"clause", each.clause},
                 {"text", each.text},
                 {"rulings", each.rulings},
                 {"cases", std::move(cases)}};
    if (const std::string reason = each.reason(); !reason.empty()) json["reason"] = reason;
    all.push_back(std::move(json));
  }
  return dump(all);
}

std::string targets_json(const std::vector<std::string>& builtin_names) {
  Json all = Json::array();
  for (const std::string& each : builtin_names) {
    all.push_back({{"name", each}, {"attachment", "builtin:" + each}});
  }
  return dump(all);
}

std::string cases_json(const Suite& suite) {
  std::vector<Json> requirement_ids(suite.cases.size(), Json::array());
  for (const Requirement& each : suite.requirements) {
    for (const std::size_t index : each.cases) requirement_ids[index].push_back(each.id);
  }
  Json all = Json::array();
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    Json steps = Json::array();
    for (const Step& step : suite.cases[i].steps) {
      Json expect = Json::array();
      for (const Alternative& each : step.expect) {
        Json alternative = {
            {"answer", each.answer}, {"verdict", name_of(each.verdict)}, {"shows", each.shows}};
        if (!each.free.empty()) alternative["free"] = each.free;
        expect.push_back(std::move(alternative));
      }
      steps.push_back({{"request", step.request}, {"expect", std::move(expect)}});
    }
    all.push_back({{"name", suite.cases[i].name},
                   {"requirements", std::move(requirement_ids[i])},
                   {"why", suite.cases[i].why},
                   {"steps", std::move(steps)}});
  }
  return dump({{"suite", suite_identity(suite)}, {"cases", std::move(all)}});
}

std::string profiles_json(const Suite& suite) {
  const auto ids = [&](const std::vector<std::size_t>& requirements) {
    Json list = Json::array();
    for (const std::size_t i : requirements) list.push_back(suite.requirements[i].id);
    return list;
  };
  Json all = Json::array();
  for (const Profile& each : suite.profiles) {
    all.push_back({{"profile", each.name},
                   {"text", each.text},
                   {"claims", each.claims},
                   {"operations", each.operations},
                   {"needs", ids(each.needs)},
                   {"extras", ids(each.extras)}});
  }
  return dump(all);
}

std::string zoo_json(const Zoo& zoo) {
  Json faults = Json::array(), variants = Json::array();
  for (const Fault& each : zoo.faults) {
    faults.push_back({{"id", each.id},
                      {"attachment", each.attachment.text},
                      {"requirements", each.requirements},
                      {"wrong", each.wrong},
                      {"replaced", each.replaced},
                      {"strict", each.strict}});
  }
  for (const Variant& each : zoo.variants) {
    variants.push_back({{"id", each.id},
                        {"attachment", each.attachment.text},
                        {"rulings", each.rulings},
                        {"choice", each.choice},
                        {"behaviours", each.behaviours},
                        {"kind", name_of(each.kind)}});
  }
  return dump({{"faults", std::move(faults)}, {"latitude", std::move(variants)}});
}

std::string matrix_json(const Suite& suite, const Matrix& matrix, const Zoo& zoo) {
  Json faults = Json::array();
  for (const FaultOutcome& each : matrix.faults) {
    const Fault& fault = each.fault;
    faults.push_back({{"id", fault.id},
                      {"requirement", fault.requirements.front()},
                      {"wrong", fault.wrong},
                      {"replaced", fault.replaced},
                      {"strict", fault.strict},
                      {"caught", each.is_caught()},
                      {"caught_by", each.caught_by()},
                      {"violated", each.violated},
                      {"cases", each.cases},
                      {"attempts", each.attempts},
                      {"families", each.families}});
  }
  Json requirements = Json::array();
  for (const RequirementCoverage& each : matrix.requirements) {
    Json row = {{"id", each.requirement->id},
                {"level", each.requirement->level},
                {"cases", each.requirement->cases.size()},
                {"faults", each.faults},
                {"caught", each.caught}};
    if (!each.without.empty()) row["without"] = each.without;
    requirements.push_back(std::move(row));
  }
  Json families = Json::array();
  for (const auto& [name, each] : matrix.families) {
    families.push_back({{"family", name},
                        {"cases", each.cases},
                        {"catches", each.catches.size()},
                        {"alone", each.alone}});
  }
  Json variants = Json::array();
  for (const VariantOutcome& each : matrix.variants) {
    variants.push_back({{"id", each.variant.id},
                        {"rulings", each.variant.rulings},
                        {"choice", each.variant.choice},
                        {"kind", name_of(each.variant.kind)},
                        {"behaviours", each.variant.behaviours},
                        {"as_meant", each.problem.empty()}});
  }
  Json retired = Json::array();
  for (const RetiredFault& each : zoo.retired) {
    retired.push_back({{"id", each.id}, {"wrong", each.wrong}, {"evidence", each.evidence}});
  }
  Json absent = Json::array();
  for (const Fault& each : zoo.absent) absent.push_back(each.id);
  return dump({{"suite", suite_identity(suite)},
               {"select", matrix.select},
               {"score", {{"faults", matrix.faults.size()}, {"caught", matrix.caught}}},
               {"faults", std::move(faults)},
               {"requirements", std::move(requirements)},
               {"cases", std::move(families)},
               {"latitude", std::move(variants)},
               {"retired", std::move(retired)},
               {"absent", std::move(absent)},
               {"without", zoo.without},
               {"problems", matrix.problems}});
}

std::string lint_json(const std::vector<LintedFile>& files) {
  Json list = Json::array();
  for (const auto& [name, report] : files) {
    Json file = {{"file", name}};
    if (!report.problem.empty()) {
      file["problem"] = report.problem;
      list.push_back(std::move(file));
      continue;
    }
    file["tensor"] = report.summary;
    file["findings"] = Json::array();
    for (const LintFinding& each : report.findings) {
      Json finding = {
          {"id", each.id}, {"looks_like", each.looks_like}, {"evidence", each.evidence}};
      if (each.correction) {
        finding["correction"] = {{"add", each.correction->add},
                                 {"zero_points", each.correction->count},
                                 {"first", each.correction->from},
                                 {"first_corrected", each.correction->to}};
      }
      if (!each.see.empty()) finding["see"] = each.see;
      file["findings"].push_back(std::move(finding));
    }
    file["notes"] = report.notes;
    list.push_back(std::move(file));
  }
  return dump({{"suite", kSuiteVersion}, {"files", std::move(list)}});
}

}  // namespace hurray::conformance
