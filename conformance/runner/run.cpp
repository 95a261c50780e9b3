// SPDX-License-Identifier: Apache-2.0
//
// The run, see run.h.

#include "conformance/runner/run.h"

#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "conformance/runner/families/families.h"
#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

// Chunks of a fixed size, each asked of a process of its own: what a target sees does not depend on
// the number of threads.
constexpr std::size_t kCasesPerChunk = 600;
// The first ids belong to hello and the probes.
constexpr std::uint32_t kFirstCaseId = 10;
// Storage types that every reader must know are asked for even where they are not claimed.
constexpr std::string_view kEveryReadersTypes = "HQ-PTA-016";

std::vector<bool> selected_cases(const Suite& suite, const std::string& pattern) {
  std::vector<bool> selected(suite.cases.size(), pattern.empty());
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

// What is asked of one target, and how far it got.
struct Plan {
  std::vector<std::size_t> cases;              // indices, in the order of asking
  std::vector<bool> refusal_is_right;          // by case index, see must_refuse
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
      : suite_(suite), candidates_(candidates), options_(options), plans_(candidates.size()) {
    for (std::uint32_t id = kFirstCaseId; const Case& each : suite.cases) {
      first_ids_.push_back(id);
      id += static_cast<std::uint32_t>(each.steps.size());
    }
  }

  std::vector<TargetResult> go() {
    const unsigned jobs = options_.jobs != 0 ? options_.jobs : processors();
    const std::vector<bool> selected = selected_cases(suite_, options_.select);
    results_.resize(candidates_.size());
    in_parallel(jobs, candidates_.size(), [&](std::size_t t) { plan(t, selected); });

    struct Chunk {
      std::size_t target, first, count;
    };
    std::vector<Chunk> chunks;
    for (std::size_t t = 0; t < plans_.size(); ++t) {
      const std::size_t all = plans_[t].cases.size();
      const std::size_t most = chunk_size(t);
      for (std::size_t first = 0; first < all; first += most) {
        chunks.push_back({t, first, std::min(most, all - first)});
      }
      total_ += all;
    }
    in_parallel(jobs, chunks.size(),
                [&](std::size_t i) { ask(chunks[i].target, chunks[i].first, chunks[i].count); });
    in_parallel(jobs, candidates_.size(), [&](std::size_t t) {
      forget_what_followed(t);
      sum_up(suite_, options_.strict, results_[t]);
      minimize_failures(suite_, candidates_[t], results_[t]);
    });
    return std::move(results_);
  }

 private:
  void plan(std::size_t t, const std::vector<bool>& selected) {
    TargetResult& result = results_[t];
    result.attachment = candidates_[t].attachment;
    result.cases.resize(suite_.cases.size());
    Introduction introduction = introduce(candidates_[t].attachment, candidates_[t].limits);
    result.claims = std::move(introduction.claims);
    result.broken = std::move(introduction.broken);
    if (!result.claims) return;

    const Requirement* every_reader = suite_.find_requirement(kEveryReadersTypes);
    Plan& plan = plans_[t];
    plan.refusal_is_right.resize(suite_.cases.size());
    for (std::size_t i = 0; i < suite_.cases.size(); ++i) {
      if (!selected[i]) continue;
      const Case& item = suite_.cases[i];
      const bool always_asked = every_reader && std::binary_search(every_reader->cases.begin(),
                                                                   every_reader->cases.end(), i);
      if (const auto reason = reason_to_skip(*result.claims, item, always_asked)) {
        result.cases[i].verdict = CaseVerdict::kSkip;
        result.cases[i].skip_reason = *reason;
        continue;
      }
      plan.refusal_is_right[i] = must_refuse(*result.claims, item);
      plan.cases.push_back(i);
    }
    if (options_.shuffle) {
      Random random(*options_.shuffle);
      for (std::size_t i = plan.cases.size(); i > 1; --i) {
        std::swap(plan.cases[i - 1], plan.cases[random.below(i)]);
      }
    }
  }

  void ask(std::size_t t, std::size_t first, std::size_t count) {
    Plan& plan = plans_[t];
    const std::size_t chunk = first / chunk_size(t);
    std::vector<Question> questions;
    for (std::size_t i = first; i < first + count; ++i) {
      questions.push_back({&suite_.cases[plan.cases[i]], first_ids_[plan.cases[i]]});
    }
    InterviewOptions interview_options{candidates_[t].limits, options_.pipelined, {}};
    interview_options.should_stop = [&] { return stop_ || plan.gave_up < chunk; };

    const auto broken = interview(candidates_[t].attachment, questions, interview_options,
                                  [&](std::size_t i, std::vector<Reply> replies) {
                                    const std::size_t index = plan.cases[first + i];
                                    CaseResult result =
                                        plan.refusal_is_right[index]
                                            ? judge_refusal(suite_.cases[index], replies)
                                            : judge(suite_.cases[index], replies);
                                    if (options_.fail_fast && result.verdict == CaseVerdict::kFail)
                                      stop_ = true;
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

  std::size_t chunk_size(std::size_t t) const {
    return candidates_[t].attachment.one_process ? std::max<std::size_t>(plans_[t].cases.size(), 1)
                                                 : kCasesPerChunk;
  }

  // What later chunks saw before they heard that an earlier one had given up is chance.
  void forget_what_followed(std::size_t t) {
    const std::size_t gave_up = plans_[t].gave_up;
    if (gave_up == SIZE_MAX) return;
    for (std::size_t i = (gave_up + 1) * chunk_size(t); i < plans_[t].cases.size(); ++i) {
      results_[t].cases[plans_[t].cases[i]] = {};
    }
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
  std::vector<Plan> plans_;
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
    case RequirementVerdict::kDeferred:
      return "deferred";
    case RequirementVerdict::kNotTestable:
      return "not testable";
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
  }
  return "?";
}

std::uint32_t first_id_of(const Suite& suite, std::size_t case_index) {
  std::uint32_t id = kFirstCaseId;
  for (std::size_t i = 0; i < case_index; ++i) {
    id += static_cast<std::uint32_t>(suite.cases[i].steps.size());
  }
  return id;
}

std::vector<TargetResult> run(const Suite& suite, const std::vector<Candidate>& candidates,
                              const RunOptions& options) {
  return Run(suite, candidates, options).go();
}

}  // namespace hurray::conformance
