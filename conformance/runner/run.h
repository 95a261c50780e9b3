// SPDX-License-Identifier: Apache-2.0
//
// From targets to verdicts: introduces each target, puts the cases to it in chunks on several
// threads, and sums up. The result does not depend on the number of threads or the order of cases.

#ifndef HURRAY_CONFORMANCE_RUN_H
#define HURRAY_CONFORMANCE_RUN_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/claims.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/judge.h"

namespace hurray::conformance {

// A target with the limits that hold for it.
struct Candidate {
  Attachment attachment;
  Limits limits;
};

struct RunOptions {
  std::string select;              // glob of requirement ids or case names; empty: everything
  std::vector<std::size_t> cases;  // indices, instead of `select`
  bool strict = false;
  unsigned jobs = 0;  // 0: one per processor
  std::optional<std::uint64_t> shuffle;
  bool fail_fast = false;
  bool pipelined = true;
  bool minimize = true;   // the counter-examples
  bool pictures = false;  // asks what report.html draws beside them
  // Each so many cases are asked of a process of their own: what a target sees does not depend on
  // `jobs`.
  std::size_t cases_per_process = 2000;
  // Called with the index of a case and its replies, from any thread, for different cases at a
  // time; a later call for the same case replaces an earlier one. May be empty.
  std::function<void(std::size_t, const std::vector<Reply>&)> on_replies;
  // Called with the numbers of cases done and of all, from any thread, one call at a time.
  std::function<void(std::size_t, std::size_t)> on_progress;
};

enum class RequirementVerdict {
  kConforms,
  kWarned,
  kViolated,
  kRecorded,  // a row that does not gate went another way
  kNotClaimed,
  kNotRun,
  kNotTestable,
  kCompileTest,  // judged by a script and a compiler
  kOneImplementation,
};
std::string_view name_of(RequirementVerdict verdict);

// kNotJudged: it claims nothing of what was selected, or the run was stopped before it could be
// said to be conformant.
enum class TargetVerdict { kConformant, kNonConformant, kBroken, kNotJudged };
std::string_view name_of(TargetVerdict verdict);

struct RequirementResult {
  const Requirement* requirement = nullptr;
  RequirementVerdict verdict = RequirementVerdict::kNotRun;
  std::size_t asked = 0;            // cases that were put to the target
  std::vector<std::size_t> failed;  // indices of cases that failed or warned, in order of names
};

// What was asked beside a counter-example so that people see more of it than one element.
struct Picture {
  std::string request;
  std::vector<Alternative> expected;
  std::string got;  // the answer, without its id
};

enum class ProfileVerdict {
  kConformant,
  kNonConformant,  // a gating requirement of it is violated, by one of its operations
  kIncomplete,     // something that it needs was not judged
  kNotClaimed,
  kNotJudged,  // the target is broken
};
std::string_view name_of(ProfileVerdict verdict);

struct ProfileResult {
  const Profile* profile = nullptr;
  ProfileVerdict verdict = ProfileVerdict::kNotClaimed;
  std::size_t judged = 0;  // gating requirements of it that cases of its operations judge
  std::vector<std::string> violated;  // ids, in the order of the suite
  std::vector<std::string> missing;   // that it needs, and that were not judged
};

struct TargetResult {
  Attachment attachment;
  std::optional<Claims> claims;
  std::optional<Broken> broken;
  std::vector<CaseResult> cases;                // parallel to Suite::cases
  std::vector<RequirementResult> requirements;  // parallel to Suite::requirements
  std::vector<ProfileResult> profiles;          // parallel to Suite::profiles
  std::map<std::string, std::string> behaviours;
  std::map<std::size_t, Picture> pictures;  // by index of the case
  std::string replay_options;               // ` --memory 0`, for a line that replays a case
  bool was_stopped = false;  // before all that was selected and claimed had been asked
  TargetVerdict verdict = TargetVerdict::kBroken;
};

// Options of a run that a replay needs as well, where they are not the default.
std::string replay_options(const Limits& limits, bool strict);

// Throws UsageError if `select` selects nothing.
std::vector<TargetResult> run(const Suite& suite, const std::vector<Candidate>& candidates,
                              const RunOptions& options);

// What is asked of a target with certain claims.
struct Plan {
  std::vector<std::size_t> cases;      // indices, ascending
  std::vector<bool> refusal_is_right;  // by case index, see must_refuse
};
// Of the selected cases. What is not asked becomes a skip of `target`, whose claims are known.
Plan plan_cases(const Suite& suite, const std::vector<bool>& selected, TargetResult& target);

// One case against its replies, as the plan has it.
CaseResult judge_planned(const Suite& suite, const Plan& plan, std::size_t case_index,
                         const std::vector<Reply>& replies);

// The id of each case's first request, the same in every run.
std::vector<std::uint32_t> first_ids_of(const Suite& suite);

// --- summary.cpp

// Finds contradictions between cases, then fills requirements, behaviours and verdict.
void sum_up(const Suite& suite, bool strict, TargetResult& target);

// --- minimize.cpp

// Replaces the failure of each first failing case by the smallest one that the target still shows.
void minimize_failures(const Suite& suite, const Candidate& candidate, TargetResult& target);

// --- pictures.cpp

// Fills TargetResult::pictures.
void take_pictures(const Suite& suite, const Candidate& candidate, TargetResult& target);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_RUN_H
