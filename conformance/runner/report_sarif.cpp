// SPDX-License-Identifier: Apache-2.0
//
// SARIF 2.1.0 for code scanning, see report.h. One run whatever the number of targets, as GitHub
// takes one of each tool; one result for each violated requirement of a target. Which fields are
// there because somebody needs them: REPORTS.md.

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/runner/attachment_digests.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/fingerprint.h"
#include "conformance/runner/known.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::ordered_json;

// GitHub cuts descriptions there; a byte is at least a character.
constexpr std::size_t kMostDescription = 1000;
// And takes no more results of a run.
constexpr std::size_t kMostResults = 25000;

std::string_view level_of(RequirementVerdict verdict) {
  return verdict == RequirementVerdict::kViolated ? "error" : "warning";
}

Json rule_of(const Requirement& requirement) {
  std::string help = fmt::format("{}\n\nClause: {}\n", requirement.text, requirement.clause);
  for (const std::string& each : requirement.rulings) help += fmt::format("Ruling: {}\n", each);
  help += fmt::format("\nhurray-conform explain {}\n", requirement.id);
  const std::string_view level = requirement.gates()   ? "error"
                                 : requirement.warns() ? "warning"
                                                       : "note";
  return {{"id", requirement.id},
          {"shortDescription", {{"text", excerpt(requirement.text, kMostDescription)}}},
          {"fullDescription", {{"text", excerpt(requirement.text, kMostDescription)}}},
          {"defaultConfiguration", {{"level", level}}},
          {"help",
           {{"text", help},
            {"markdown", fmt::format("{}\n\n*Clause* `{}`\n\n`hurray-conform explain {}`",
                                     requirement.text, requirement.clause, requirement.id)}}},
          {"properties",
           {{"tags", {requirement.group(), requirement.level, name_of(requirement.contract)}},
            {"precision", "very-high"},
            {"problem.severity", level == "note" ? "recommendation" : level}}}};
}

// A path as a URI reference: what is no plain character by its number.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// The last relative path that an attachment names and that is there: a script rather than its
// interpreter.
std::string source_of(const Attachment& attachment) {
  const std::size_t colon = attachment.text.find(':');
  const std::string kind = attachment.text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : attachment.text.substr(colon + 1);
  std::vector<std::string> files;
  if (kind == "exec") files = words_of_command(rest);
  if (kind == "lib") files = {rest};
  if (kind == "qemu") files = {rest.substr(0, rest.find(','))};
  std::string source;
  for (const std::string& each : files) {
    const std::filesystem::path path = std::filesystem::path(each).lexically_normal();
    std::error_code failure;
    const bool is_inside = path.is_relative() && !path.string().starts_with("..");
    if (is_inside && std::filesystem::is_regular_file(path, failure)) source = path.string();
  }
  // Nothing that a repository has: the name keeps results of several targets apart.
  return source.empty() ? attachment.name : source;
}

Json location_of(const TargetResult& target, const ReportOptions& options,
                 const std::string& requirement) {
  const std::string source = options.source.empty() ? source_of(target.attachment) : options.source;
  const std::string name = cleaned(target.attachment.name);
  const Json logical = {{"name", name},
                        {"fullyQualifiedName", fmt::format("{}/{}", name, requirement)},
                        {"kind", "module"}};
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(source)}, {"uriBaseId", "%SRCROOT%"}}},
            {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 1}}}}},
          {"logicalLocations", Json::array({logical})}};
}

Json result_of(const Suite& suite, const TargetResult& target, const RequirementResult& result,
               std::size_t rule, const ReportOptions& options, const KnownDeviation* known) {
  const std::size_t index = result.failed.front();
  const Requirement& requirement = *result.requirement;
  const std::string example = cleaned(describe_failure(suite, target, index, {}));
  // The same finding in the next run, whatever was got: target and requirement.
  const std::string identity =
      sha256_of(fmt::format("{}\n{}", target.attachment.name, requirement.id)).substr(0, 16);
  Json json = {
      {"ruleId", requirement.id},
      {"ruleIndex", rule},
      {"level", known ? "note" : level_of(result.verdict)},
      {"message",
       {{"text", fmt::format("{}: {} ({} of {} cases)\n\n{}", cleaned(target.attachment.name),
                             requirement.text, result.failed.size(), result.asked, example)}}},
      {"locations", Json::array({location_of(target, options, requirement.id)})},
      {"partialFingerprints",
       {{"primaryLocationLineHash", identity + ":1"},
        {"hurrayOutcome/v1", fingerprint_text(target.cases[index].fingerprint)}}}};
  if (known) {
    const Json suppression = {{"kind", "external"}, {"justification", known->reason}};
    json["suppressions"] = Json::array({suppression});
  }
  const auto& failure = target.cases[index].failure;
  json["properties"] = {{"case", suite.cases[index].name},
                        {"class", failure ? failure->failure_class : "unknown"}};
  return json;
}

}  // namespace

std::string sarif(const Suite& suite, const std::vector<TargetResult>& targets,
                  const ReportOptions& options) {
  Json rules = Json::array(), results = Json::array(), notifications = Json::array();
  std::map<std::string, std::size_t> places;
  for (const Requirement& each : suite.requirements) {
    places[each.id] = rules.size();
    rules.push_back(rule_of(each));
  }
  bool all_answered = true;
  std::size_t left_out = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const TargetResult& target = targets[t];
    if (target.broken) {
      all_answered = false;
      notifications.push_back({{"level", "error"},
                               {"message",
                                {{"text", fmt::format("{}: {}", cleaned(target.attachment.name),
                                                      cleaned(target.broken->reason))}}}});
    }
    for (const RequirementResult& each : target.requirements) {
      const bool is_bad = each.verdict == RequirementVerdict::kViolated ||
                          each.verdict == RequirementVerdict::kWarned;
      if (!is_bad || each.failed.empty()) continue;
      if (results.size() == kMostResults) {
        ++left_out;
        continue;
      }
      const KnownDeviation* known = options.known ? options.known->entry_of(t, each) : nullptr;
      results.push_back(
          result_of(suite, target, each, places[each.requirement->id], options, known));
    }
  }
  if (left_out > 0) {
    notifications.push_back(
        {{"level", "warning"},
         {"message", {{"text", fmt::format("{} further results are left out", left_out)}}}});
  }
  const Json invocation = {{"executionSuccessful", all_answered},
                           {"toolExecutionNotifications", std::move(notifications)}};
  const Json run = {{"tool",
                     {{"driver",
                       {{"name", "hurray-conform"},
                        {"semanticVersion", kSuiteVersion},
                        {"rules", std::move(rules)}}}}},
                    {"automationDetails", {{"id", "hurray-conform/"}}},
                    {"invocations", Json::array({invocation})},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)},
                    {"properties", {{"suiteDigest", suite.digest}}}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hurray::conformance
