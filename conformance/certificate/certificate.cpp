// SPDX-License-Identifier: Apache-2.0
//
// Certificates, see certificate.h.

#include "conformance/certificate/certificate.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conformance/certificate/envelope.h"
#include "conformance/certificate/witness.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/profiles.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kConformant = "conformant";

void check_certified(const Statement& statement) {
  if (statement.given.certifies.empty()) throw Invalid("it certifies no profile");
  std::set<std::string_view> named;
  for (const std::string& each : statement.given.certifies) {
    const auto found = statement.followed.profiles.find(each);
    if (!named.insert(each).second) throw Invalid("it certifies a profile twice");
    if (found != statement.followed.profiles.end() && found->second == kConformant) continue;
    throw Invalid(fmt::format("it certifies {}, and does not say that it is conformant",
                              cleaned(excerpt(each, 60))));
  }
}

// A profile with its verdict, and what speaks against it.
std::string reason_against(const ProfileResult& result) {
  std::string text = fmt::format("{} is {}", result.profile->name, name_of(result.verdict));
  const std::vector<std::string>& ids = result.violated.empty() ? result.missing : result.violated;
  if (!ids.empty()) {
    text += fmt::format(" ({} {})",
                        result.violated.empty() ? "not judged:" : "violated:", fmt::join(ids, " "));
  }
  return text;
}

}  // namespace

Judged judge_live(Suite suite, const Candidate& candidate, const JudgeOptions& options) {
  Judged judged;
  Introduction introduction = introduce(candidate.attachment, candidate.limits);
  if (!introduction.claims) {
    judged.target.attachment = candidate.attachment;
    judged.target.broken = std::move(introduction.broken);
    return judged;
  }
  judged.claims = *introduction.claims;
  judged.suite = options.nonce.empty()
                     ? std::move(suite)
                     : with_witness(std::move(suite), judged.claims, options.nonce);
  Session session;
  session.introduction = std::move(introduction.exchanges);
  session.replies.resize(judged.suite.cases.size());
  RunOptions run_options;
  run_options.jobs = options.jobs;
  run_options.minimize = false;
  run_options.on_progress = options.on_progress;
  run_options.on_replies = [&](std::size_t i, const std::vector<Reply>& replies) {
    session.replies[i] = replies;
  };
  judged.target = std::move(run(judged.suite, {candidate}, run_options).front());
  if (!judged.target.broken && judged.target.claims != judged.claims) {
    judged.target.broken = Broken{"answers hello differently from one start to the next", {}};
    judged.target.verdict = TargetVerdict::kBroken;
  }
  if (judged.target.broken) return judged;
  judged.transcript = transcript_of(judged.suite, judged.claims, session);
  // Whoever verifies has the transcript alone.
  const TargetResult again = judge_session(
      judged.suite, judged.claims, read_transcript(judged.suite, judged.claims, judged.transcript));
  const std::string differing =
      difference(followed_from(judged.suite, judged.target, judged.transcript),
                 followed_from(judged.suite, again, judged.transcript));
  if (!differing.empty())
    throw SuiteError("the transcript leads to other verdicts than the run: " + differing);
  return judged;
}

Judged judge_answers(Suite suite, std::string_view answers, std::string_view nonce) {
  Judged judged;
  judged.claims = claims_in(answers);
  judged.suite =
      nonce.empty() ? std::move(suite) : with_witness(std::move(suite), judged.claims, nonce);
  const Session session = read_answers(judged.suite, judged.claims, answers);
  judged.transcript = transcript_of(judged.suite, judged.claims, session);
  judged.target = judge_session(judged.suite, judged.claims, session);
  return judged;
}

std::vector<std::string> certified_profiles(const TargetResult& target,
                                            const std::vector<std::string>& wanted,
                                            std::string& refusal) {
  const auto is_wanted = [&](const ProfileResult& each) {
    return wanted.empty() ? each.verdict != ProfileVerdict::kNotClaimed
                          : std::ranges::find(wanted, each.profile->name) != wanted.end();
  };
  std::vector<std::string> certified, reasons;
  bool any_violated = false;
  for (const ProfileResult& each : target.profiles) {
    if (!is_wanted(each)) continue;
    any_violated |= each.verdict == ProfileVerdict::kNonConformant;
    if (each.verdict == ProfileVerdict::kConformant)
      certified.push_back(each.profile->name);
    else
      reasons.push_back(reason_against(each));
  }
  const auto is_certified = [&](const std::string& name) {
    return std::ranges::find(certified, name) != certified.end();
  };
  // Who asks for no profile by name gets those that are complete, and none beside a violation.
  const bool is_refused = wanted.empty() ? certified.empty() || any_violated ||
                                               target.verdict != TargetVerdict::kConformant
                                         : !std::ranges::all_of(wanted, is_certified);
  refusal.clear();
  if (!is_refused) return certified;
  refusal = reasons.empty() ? fmt::format("the target is {}", name_of(target.verdict))
                            : fmt::format("{}", fmt::join(reasons, "; "));
  return {};
}

std::string issue(const Judged& judged, Given given, const Key& key) {
  const SuiteIdentity suite = identity_of(judged.suite);
  if (suite.kill_score.cases != judged.suite.digest) {
    throw SuiteError(
        "conformance/kill_score.json is of other cases than this program has; expected that of "
        "`hurray-conform faults --score conformance/kill_score.json`, built in");
  }
  given.target = one_line(given.target);
  given.attachment = one_line(given.attachment);
  for (FileDigest& each : given.artifacts) each.file = one_line(each.file);
  for (auto& [name, value] : given.machine) value = one_line(value);
  const Statement statement{suite, std::move(given),
                            followed_from(judged.suite, judged.target, judged.transcript)};
  check_certified(statement);
  return seal(to_text(statement), key);
}

Statement open_certificate(std::string_view file, const Key& key) {
  Statement statement = read_statement(unseal(file, key));
  check_certified(statement);
  return statement;
}

void check_suite(const Statement& statement, const Suite& suite) {
  const SuiteIdentity here = identity_of(suite);
  const SuiteIdentity& there = statement.suite;
  if (there == here) {
    for (const auto& [name, verdict] : statement.followed.profiles) {
      if (std::ranges::find(suite.profiles, name, &Profile::name) == suite.profiles.end())
        throw Invalid(fmt::format("this suite has no profile {}", one_line(excerpt(name, 60))));
    }
    return;
  }
  const auto differing = [&](std::string_view what, const std::string& in_it,
                             const std::string& in_us) {
    throw OtherSuite(fmt::format(
        "it was issued by suite {} with the {} {}; this program is {} with {}: its verdicts can "
        "be had again by the program that issued it, or one built from the same source",
        cleaned(excerpt(there.version, 40)), what, cleaned(in_it), here.version, in_us));
  };
  if (there.cases != here.cases) differing("cases", there.cases, here.cases);
  if (there.profiles != here.profiles) differing("profiles", there.profiles, here.profiles);
  if (there.rulings != here.rulings) differing("rulings", there.rulings, here.rulings);
  if (there.version != here.version) differing("version", there.version, here.version);
  const auto score = [](const KillScore& of) {
    return fmt::format("{} of {} by {} requirements and the cases {}", of.caught, of.faults,
                       of.requirements, of.cases);
  };
  differing("kill score", score(there.kill_score), score(here.kill_score));
}

void check_transcript(const Statement& statement, Suite suite, std::string_view transcript) {
  const Followed& said = statement.followed;
  if (const std::string digest = sha256_of(transcript); digest != said.transcript) {
    throw Invalid(fmt::format(
        "the transcript is not the one that was certified: it has the SHA-256 {}, expected {}",
        digest, said.transcript));
  }
  const Claims claims = claims_in(transcript);
  if (!statement.given.nonce.empty())
    suite = with_witness(std::move(suite), claims, statement.given.nonce);
  const TargetResult target =
      judge_session(suite, claims, read_transcript(suite, claims, transcript));
  if (target.broken)
    throw Invalid("the target of the transcript is broken: " + target.broken->reason);
  if (const std::string text = difference(said, followed_from(suite, target, transcript));
      !text.empty()) {
    throw Invalid(text);
  }
}

}  // namespace hurray::conformance
