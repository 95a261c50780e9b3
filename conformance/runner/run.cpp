// SPDX-License-Identifier: Apache-2.0
//
// The run, see run.h.

#include "conformance/runner/run.h"

#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/fingerprint.h"
#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

// Cases are dealt to processes (RunOptions::cases_per_process) like cards, so that each is asked
// some of every kind.

// Storage types that every reader must know, and schemes that a reader refuses if it does not know
// them, are asked for even where they are not claimed.
constexpr std::string_view kEveryReadersTypes = "HQ-PTA-016";
constexpr std::string_view kUnknownSchemes = "HQ-HDR-005";

std::vector<bool> selected_cases(const Suite& suite, const RunOptions& options) {
  const std::string& pattern = options.select;
  std::vector<bool> selected(suite.cases.size(), pattern.empty() && options.cases.empty());
  for (const std::size_t i : options.cases) selected[i] = true;
  if (pattern.empty()) return selected;
  const auto matches = [&](const std::string& name) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  };
  for (std::size_t i = 0; i < suite.cases.size(); ++i) selected[i] = matches(suite.cases[i].name);
  for (const Requirement& each : suite.requirements) {
    if (!matches(each.id)) continue;
    for (const std::size_t i : each.cases) selected[i] = true;
  }
  if (std::find(selected.begin(), selected.end(), true) == selected.end()) {
    throw UsageError(
        fmt::format("--select {}: no requirement id or case name matches; try `list "
                    "requirements` or `list cases`, for example --select 'HQ-PTA-*'",
                    pattern));
  }
  return selected;
}

// What is asked of one target, in which order, and how far it got.
struct Asking : Plan {
  std::atomic<std::size_t> gave_up{SIZE_MAX};  // the first chunk that gave up
  std::mutex mutex;
};

CaseResult judge_refusal(const Case& item, const std::vector<Reply>& replies) {
  const Reply& reply = replies.front();
  if (reply.outcome == Outcome::kValue && !reply.body.starts_with("ok")) {
    CaseResult result;
    result.verdict = CaseVerdict::kPass;
    result.outcome = reply.body.starts_with("reject") ? Outcome::kRejected : Outcome::kUnsupported;
    return result;
  }
  Case refused = item;
  for (Step& step : refused.steps) step.expect = {{"reject", CaseVerdict::kPass, {}, {}}};
  return judge(refused, replies);
}

class Run {
 public:
  Run(const Suite& suite, const std::vector<Candidate>& candidates, const RunOptions& options)
      : suite_(suite),
        candidates_(candidates),
        options_(options),
        first_ids_(first_ids_of(suite)),
        plans_(candidates.size()) {
    gates_.resize(suite.cases.size());
    for (const Requirement& each : suite.requirements) {
      for (const std::size_t i : each.cases) gates_[i] = gates_[i] || each.gates();
    }
  }

  std::vector<TargetResult> go() {
    const unsigned jobs = options_.jobs != 0 ? options_.jobs : processors();
    const std::vector<bool> selected = selected_cases(suite_, options_);
    results_.resize(candidates_.size());
    in_parallel(jobs, candidates_.size(), [&](std::size_t t) { plan(t, selected); });

    std::vector<std::pair<std::size_t, std::size_t>> chunks;  // target, number
    for (std::size_t t = 0; t < plans_.size(); ++t) {
      for (std::size_t chunk = 0; chunk < chunk_count(t); ++chunk) chunks.emplace_back(t, chunk);
      total_ += plans_[t].cases.size();
    }
    in_parallel(jobs, chunks.size(),
                [&](std::size_t i) { ask(chunks[i].first, chunks[i].second); });
    in_parallel(jobs, candidates_.size(), [&](std::size_t t) {
      forget_what_followed(t);
      results_[t].was_stopped = stop_ && any_not_run(t);
      sum_up(suite_, options_.strict, results_[t]);
      if (options_.minimize) minimize_failures(suite_, candidates_[t], results_[t]);
      if (options_.pictures) take_pictures(suite_, candidates_[t], results_[t]);
    });
    return std::move(results_);
  }

 private:
  void plan(std::size_t t, const std::vector<bool>& selected) {
    TargetResult& result = results_[t];
    result.attachment = candidates_[t].attachment;
    result.replay_options = replay_options(candidates_[t].limits, options_.strict);
    result.cases.resize(suite_.cases.size());
    Introduction introduction = introduce(candidates_[t].attachment, candidates_[t].limits);
    result.claims = std::move(introduction.claims);
    result.broken = std::move(introduction.broken);
    if (!result.claims) return;

    Asking& plan = plans_[t];
    static_cast<Plan&>(plan) = plan_cases(suite_, selected, result);
    const bool asks_for_all = options_.select.empty() && options_.cases.empty();
    if (plan.cases.empty() && asks_for_all) {
      result.broken = Broken{"claims nothing that any case asks for", {}};
    }
    if (options_.shuffle) {
      Random random(*options_.shuffle);
      for (std::size_t i = plan.cases.size(); i > 1; --i) {
        std::swap(plan.cases[i - 1], plan.cases[random.below(i)]);
      }
    }
  }

  std::size_t chunk_count(std::size_t t) const {
    const std::size_t all = plans_[t].cases.size();
    if (candidates_[t].attachment.one_process) return std::min<std::size_t>(all, 1);
    return (all + options_.cases_per_process - 1) / options_.cases_per_process;
  }

  // Indices of the cases of a chunk, in the order of asking.
  std::vector<std::size_t> cases_of(std::size_t t, std::size_t chunk) const {
    std::vector<std::size_t> dealt;
    for (std::size_t i = chunk; i < plans_[t].cases.size(); i += chunk_count(t)) {
      dealt.push_back(plans_[t].cases[i]);
    }
    return dealt;
  }

  void ask(std::size_t t, std::size_t chunk) {
    Asking& plan = plans_[t];
    const std::vector<std::size_t> cases = cases_of(t, chunk);
    std::vector<Question> questions;
    for (const std::size_t i : cases) questions.push_back({&suite_.cases[i], first_ids_[i]});
    InterviewOptions interview_options{candidates_[t].limits, options_.pipelined, {}};
    interview_options.claims = &*results_[t].claims;
    interview_options.should_stop = [&] { return stop_ || plan.gave_up < chunk; };

    const auto broken = interview(
        candidates_[t].attachment, questions, interview_options,
        [&](std::size_t i, std::vector<Reply> replies) {
          const std::size_t index = cases[i];
          CaseResult result = judge_planned(suite_, plan, index, replies);
          if (options_.on_replies) options_.on_replies(index, replies);
          if (options_.fail_fast && gates_[index] && result.verdict == CaseVerdict::kFail) {
            stop_ = true;
          }
          // What shows a behaviour may yet contradict another case.
          if (result.verdict != CaseVerdict::kPass || !result.shows.empty()) {
            result.fingerprint = fingerprint_of(replies);
          }
          results_[t].cases[index] = std::move(result);
          report_progress();
        });
    if (!broken) return;
    const std::lock_guard lock(plan.mutex);
    if (chunk < plan.gave_up) {
      plan.gave_up = chunk;
      results_[t].broken = broken;
    }
  }

  // What later chunks saw before they heard that an earlier one had given up is chance.
  void forget_what_followed(std::size_t t) {
    const std::size_t gave_up = plans_[t].gave_up;
    if (gave_up == SIZE_MAX) return;
    for (std::size_t chunk = gave_up + 1; chunk < chunk_count(t); ++chunk) {
      for (const std::size_t i : cases_of(t, chunk)) results_[t].cases[i] = {};
    }
  }

  bool any_not_run(std::size_t t) const {
    const std::vector<std::size_t>& asked = plans_[t].cases;
    return std::any_of(asked.begin(), asked.end(), [&](std::size_t i) {
      return results_[t].cases[i].verdict == CaseVerdict::kNotRun;
    });
  }

  void report_progress() {
    const std::size_t done = ++done_;
    if (!options_.on_progress) return;
    const std::unique_lock lock(progress_mutex_, std::try_to_lock);
    if (lock) options_.on_progress(std::min(done, total_), total_);
  }

  const Suite& suite_;
  const std::vector<Candidate>& candidates_;
  const RunOptions& options_;
  std::vector<std::uint32_t> first_ids_;
  std::vector<bool> gates_;  // by case: a failure makes a target non-conformant
  std::vector<Asking> plans_;
  std::vector<TargetResult> results_;
  std::size_t total_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex progress_mutex_;
};

}  // namespace

std::string_view name_of(RequirementVerdict verdict) {
  switch (verdict) {
    case RequirementVerdict::kConforms:
      return "conforms";
    case RequirementVerdict::kWarned:
      return "warned";
    case RequirementVerdict::kViolated:
      return "violated";
    case RequirementVerdict::kRecorded:
      return "recorded";
    case RequirementVerdict::kNotClaimed:
      return "not claimed";
    case RequirementVerdict::kNotRun:
      return "not run";
    case RequirementVerdict::kNotTestable:
      return "not testable";
    case RequirementVerdict::kCompileTest:
      return "compile test";
    case RequirementVerdict::kOneImplementation:
      return "one implementation";
  }
  return "?";
}

std::string_view name_of(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::kConformant:
      return "conformant";
    case TargetVerdict::kNonConformant:
      return "non-conformant";
    case TargetVerdict::kBroken:
      return "broken";
    case TargetVerdict::kNotJudged:
      return "not judged";
  }
  return "?";
}

std::string replay_options(const Limits& limits, bool strict) {
  std::string text;
  if (limits.timeout_ms != Limits{}.timeout_ms) {
    text += fmt::format(" --timeout {}", limits.timeout_ms / 1000.0);
  }
  if (limits.memory_mib != Limits{}.memory_mib)
    text += fmt::format(" --memory {}", limits.memory_mib);
  if (strict) text += " --strict";
  return text;
}

Plan plan_cases(const Suite& suite, const std::vector<bool>& selected, TargetResult& target) {
  std::vector<AlwaysAsked> always(suite.cases.size());
  if (const Requirement* types = suite.find_requirement(kEveryReadersTypes)) {
    for (const std::size_t i : types->cases) always[i].types = true;
  }
  if (const Requirement* schemes = suite.find_requirement(kUnknownSchemes)) {
    for (const std::size_t i : schemes->cases) always[i].schemes = true;
  }
  Plan plan;
  plan.refusal_is_right.resize(suite.cases.size());
  target.cases.resize(suite.cases.size());
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    if (!selected[i]) continue;
    const Case& item = suite.cases[i];
    if (const auto reason = reason_to_skip(*target.claims, item, always[i])) {
      target.cases[i].verdict = CaseVerdict::kSkip;
      target.cases[i].skip_reason = *reason;
      continue;
    }
    plan.refusal_is_right[i] = must_refuse(*target.claims, item);
    plan.cases.push_back(i);
  }
  return plan;
}

CaseResult judge_planned(const Suite& suite, const Plan& plan, std::size_t case_index,
                         const std::vector<Reply>& replies) {
  const Case& item = suite.cases[case_index];
  return plan.refusal_is_right[case_index] ? judge_refusal(item, replies) : judge(item, replies);
}

std::vector<std::uint32_t> first_ids_of(const Suite& suite) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = kFirstCaseId; const Case& each : suite.cases) {
    ids.push_back(id);
    id += static_cast<std::uint32_t>(each.steps.size());
  }
  return ids;
}

std::vector<TargetResult> run(const Suite& suite, const std::vector<Candidate>& candidates,
                              const RunOptions& options) {
  return Run(suite, candidates, options).go();
}

}  // namespace hurray::conformance
