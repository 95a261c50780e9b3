// SPDX-License-Identifier: Apache-2.0
//
// Statements as JSON, and what stands in them, see statement.h.

#include "conformance/certificate/statement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "conformance/certificate/canonical_json.h"
#include "conformance/certificate/envelope.h"
#include "conformance/certificate/kill_score.h"
#include "conformance/certificate/witness.h"
#include "conformance/runner/claims.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/known_file.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;
using Words = std::map<std::string, std::string>;

constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
constexpr std::string_view kPredicateType = "urn:hurray-conformance:certificate:1";

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void expect(bool holds, std::string_view what) {
  if (!holds) throw Invalid(std::string(what));
}

std::string digest_in(const Json& object, const char* key) {
  std::string digest = text_of(object, key);
  expect(is_sha256(digest), fmt::format("`{}` is no SHA-256", key));
  return digest;
}

Words words_in(const Json& object, const char* key) {
  const Json& members = member_of(object, key);
  expect(members.is_object(), fmt::format("`{}` is no object", key));
  Words words;
  for (const auto& [name, value] : members.items()) words[name] = text_of(members, name.c_str());
  return words;
}

std::vector<std::string> list_in(const Json& object, const char* key) {
  const Json& members = member_of(object, key);
  expect(members.is_array(), fmt::format("`{}` is no list", key));
  std::vector<std::string> list;
  for (const Json& each : members) {
    expect(each.is_string(), fmt::format("`{}` is no list of texts", key));
    list.push_back(each.get<std::string>());
  }
  return list;
}

Json json_of(const SuiteIdentity& suite) {
  const KillScore& score = suite.kill_score;
  return {{"name", "hurray-conformance"},
          {"version", suite.version},
          {"cases", suite.cases},
          {"profiles", suite.profiles},
          {"rulings", suite.rulings},
          {"kill_score",
           {{"faults", score.faults},
            {"caught", score.caught},
            {"requirements", score.requirements},
            {"cases", score.cases}}}};
}

SuiteIdentity suite_in(const Json& json) {
  expect(text_of(json, "name") == "hurray-conformance", "it is of another suite altogether");
  const Json& score = member_of(json, "kill_score");
  return {text_of(json, "version"),
          digest_in(json, "cases"),
          digest_in(json, "profiles"),
          digest_in(json, "rulings"),
          {number_of(score, "faults"), number_of(score, "caught"), number_of(score, "requirements"),
           digest_in(score, "cases")}};
}

Json subject_of(const std::vector<FileDigest>& artifacts) {
  Json subject = Json::array();
  for (const FileDigest& each : artifacts)
    subject.push_back({{"name", each.file}, {"digest", {{"sha256", each.sha256}}}});
  return subject;
}

std::vector<FileDigest> subject_in(const Json& json) {
  const Json& subject = member_of(json, "subject");
  expect(subject.is_array() && !subject.empty(), "it is about no artifact");
  std::vector<FileDigest> artifacts;
  for (const Json& each : subject)
    artifacts.push_back({text_of(each, "name"), digest_in(member_of(each, "digest"), "sha256")});
  return artifacts;
}

Json predicate_of(const Statement& statement) {
  const Given& given = statement.given;
  const Followed& followed = statement.followed;
  return {{"suite", json_of(statement.suite)},
          {"issued", given.issued},
          {"target",
           {{"name", given.target},
            {"calls_itself", followed.calls_itself},
            {"claims", followed.claims},
            {"attachment", given.attachment},
            {"execution", given.execution},
            {"machine", given.machine}}},
          {"witness", {{"nonce", given.nonce}, {"cases", followed.witnessed}}},
          {"certifies", given.certifies},
          {"profiles", followed.profiles},
          {"requirements", followed.requirements},
          {"behaviours", followed.behaviours},
          {"rulings", followed.rulings},
          {"cases", followed.cases},
          {"cases_too_long", followed.too_long},
          {"transcript", {{"sha256", followed.transcript}}}};
}

// `"conforms"`, or nothing at all.
std::string quoted(const std::optional<std::string>& word) {
  return word ? fmt::format("\"{}\"", one_line(excerpt(*word, 60))) : "nothing";
}

std::string difference(std::string_view kind, const Words& said, const Words& found) {
  std::set<std::string> keys;
  for (const Words* words : {&said, &found}) {
    for (const auto& [key, value] : *words) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const auto word_in = [&](const Words& words) -> std::optional<std::string> {
      const auto at = words.find(key);
      return at == words.end() ? std::nullopt : std::optional(at->second);
    };
    const std::optional<std::string> before = word_in(said), now = word_in(found);
    if (before == now) continue;
    return fmt::format("of the {} {} it says {}; the answers show {}", kind,
                       one_line(excerpt(key, 60)), quoted(before), quoted(now));
  }
  return {};
}

// As hello says it (PROTOCOL.md), in one order.
Words words_of(const Claims& claims) {
  const auto hex = [](const std::set<std::uint8_t>& tags) {
    return fmt::format("{:02x}", fmt::join(tags, ","));
  };
  std::vector<std::string_view> contracts;
  for (const Contract each : claims.contracts) contracts.push_back(name_of(each));
  Words words = {{"contract", fmt::format("{}", fmt::join(contracts, ","))},
                 {"ops", fmt::format("{}", fmt::join(claims.operations, ","))},
                 {"calls", fmt::format("{}", fmt::join(claims.calls, ","))},
                 {"schemes", fmt::format("{}", fmt::join(claims.schemes, ","))},
                 {"layouts", fmt::format("{}", fmt::join(claims.layouts, ","))},
                 {"permissive", claims.is_permissive ? "yes" : ""},
                 {"max_line", fmt::format("{}", claims.max_line)}};
  for (const auto& [verb, tags] : claims.types) words["types." + verb] = hex(tags);
  std::erase_if(words, [](const auto& each) { return each.second.empty(); });
  return words;
}

bool is_day(std::string_view text) {
  int year = 0;
  unsigned month = 0, day = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%4d-%2u-%2u", &year, &month, &day) != 3) return false;
  const Day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  return date.ok() && day_text(date) == text;
}

// Whoever shows it shows it line by line.
void check_texts(const Json& json) {
  const Json flat = json.flatten();
  for (const auto& [path, value] : flat.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    expect(one_line(path) == path && one_line(text) == text,
           fmt::format("{} has line breaks or control characters", one_line(excerpt(path, 60))));
  }
}

}  // namespace

SuiteIdentity identity_of(const Suite& suite) {
  return {std::string(kSuiteVersion), suite.digest, sha256_of(embedded_profiles()),
          sha256_of(embedded_rulings()), load_kill_score()};
}

Followed followed_from(const Suite& suite, const TargetResult& target,
                       std::string_view transcript) {
  Followed followed;
  followed.calls_itself = one_line(target.claims->name);
  followed.claims = words_of(*target.claims);
  for (const ProfileResult& each : target.profiles) {
    if (each.verdict != ProfileVerdict::kNotClaimed)
      followed.profiles[each.profile->name] = name_of(each.verdict);
  }
  std::set<std::string> rulings;
  for (const RequirementResult& each : target.requirements) {
    if (each.requirement->id == kWitnessRequirement) continue;
    followed.requirements[each.requirement->id] = name_of(each.verdict);
    if (each.asked > 0) {
      rulings.insert(each.requirement->rulings.begin(), each.requirement->rulings.end());
    }
  }
  followed.rulings.assign(rulings.begin(), rulings.end());
  followed.behaviours = target.behaviours;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const CaseVerdict verdict = target.cases[i].verdict;
    followed.cases += verdict != CaseVerdict::kSkip && verdict != CaseVerdict::kNotRun;
    followed.too_long += target.cases[i].skip_reason == kLongerThanMaxLine;
  }
  followed.witnessed = witnessed_cases(target);
  followed.transcript = sha256_of(transcript);
  return followed;
}

std::string to_text(const Statement& statement) {
  return to_canonical({{"_type", kStatementType},
                       {"subject", subject_of(statement.given.artifacts)},
                       {"predicateType", kPredicateType},
                       {"predicate", predicate_of(statement)}});
}

Statement read_statement(std::string_view text) {
  const Json json = parse_canonical(text, "the statement");
  expect(text_of(json, "_type") == kStatementType, "it is no in-toto Statement of version 1");
  expect(text_of(json, "predicateType") == kPredicateType,
         fmt::format("it is no certificate of this kind, {}", kPredicateType));
  check_texts(json);
  const Json& predicate = member_of(json, "predicate");
  const Json& target = member_of(predicate, "target");
  const Json& witness = member_of(predicate, "witness");
  Statement statement;
  statement.suite = suite_in(member_of(predicate, "suite"));
  statement.given = {subject_in(json),
                     text_of(predicate, "issued"),
                     text_of(target, "name"),
                     text_of(target, "attachment"),
                     text_of(target, "execution"),
                     words_in(target, "machine"),
                     text_of(witness, "nonce"),
                     list_in(predicate, "certifies")};
  statement.followed = {
      text_of(target, "calls_itself"),   words_in(target, "claims"),
      words_in(predicate, "profiles"),   words_in(predicate, "requirements"),
      words_in(predicate, "behaviours"), list_in(predicate, "rulings"),
      number_of(predicate, "cases"),     number_of(predicate, "cases_too_long"),
      number_of(witness, "cases"),       digest_in(member_of(predicate, "transcript"), "sha256")};
  const std::string& nonce = statement.given.nonce;
  expect(nonce.empty() || is_nonce(nonce), "`nonce` is none");
  expect(is_day(statement.given.issued), "`issued` is no day such as 2026-11-30");
  expect(to_text(statement) == text, "it has members that no certificate has");
  return statement;
}

std::string difference(const Followed& said, const Followed& found) {
  if (std::string text = difference("profile", said.profiles, found.profiles); !text.empty())
    return text;
  if (std::string text = difference("requirement", said.requirements, found.requirements);
      !text.empty()) {
    return text;
  }
  if (std::string text = difference("behaviour", said.behaviours, found.behaviours); !text.empty())
    return text;
  if (std::string text = difference("claim", said.claims, found.claims); !text.empty()) return text;
  if (said.rulings != found.rulings) {
    return fmt::format("it names the rulings {}; the requirements that were judged rest on {}",
                       cleaned(fmt::format("{}", fmt::join(said.rulings, " "))),
                       fmt::join(found.rulings, " "));
  }
  const Words said_words = {{"calls itself", said.calls_itself},
                            {"cases", fmt::format("{}", said.cases)},
                            {"cases that were too long", fmt::format("{}", said.too_long)},
                            {"drawn cases", fmt::format("{}", said.witnessed)},
                            {"transcript", said.transcript}};
  const Words found_words = {{"calls itself", found.calls_itself},
                             {"cases", fmt::format("{}", found.cases)},
                             {"cases that were too long", fmt::format("{}", found.too_long)},
                             {"drawn cases", fmt::format("{}", found.witnessed)},
                             {"transcript", found.transcript}};
  return difference("entry", said_words, found_words);
}

}  // namespace hurray::conformance
