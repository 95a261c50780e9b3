// SPDX-License-Identifier: Apache-2.0
//
// The campaign, see campaign.h: chunks of draws, each asked of a process of its own, so that what a
// target sees does not depend on how many processes there are.

#include "conformance/runner/campaign.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/behaviours.h"
#include "conformance/runner/consistency.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kCasesPerProcess = 2000;
// Where starting it is dear: Attachment::one_process.
constexpr std::uint64_t kCasesOfOneProcess = 10000;
// Kinds of findings that are kept, and made small.
constexpr std::size_t kMostKinds = 100;
constexpr double kLeastSecondsForSmall = 10;

struct Shown {
  std::uint64_t number = 0;
  CaseResult result;
};

// What one chunk has shown.
struct Chunk {
  std::uint64_t asked = 0, requests = 0;
  std::vector<Shown> findings;  // by number
  // What passed and tells something of open behaviours.
  std::vector<std::pair<std::uint64_t, Shows>> shows;
  std::optional<Broken> broken;
};

class Campaign {
 public:
  Campaign(const Suite& seeds, const Candidate& candidate, const CampaignOptions& options)
      : seeds_(seeds), candidate_(candidate), options_(options) {}

  CampaignResult go() {
    Introduction introduction = introduce(candidate_.attachment, candidate_.limits);
    result_.claims = introduction.claims;
    result_.broken = introduction.broken;
    if (!result_.claims) return std::move(result_);
    const Draws draws(seeds_, *result_.claims, options_.seed);
    if (draws.is_empty()) {
      result_.broken = Broken{"claims nothing that any case asks for", {}};
      return std::move(result_);
    }
    draws_ = &draws;
    deadline_ = Clock::now() +
                std::chrono::milliseconds(static_cast<std::int64_t>(options_.seconds * 1000));
    const unsigned jobs = processes();
    const std::uint64_t per_chunk = cases_per_process();
    for (std::uint64_t next = 0; !is_over(next);) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
      for (unsigned job = 0; job < jobs && !is_over(next); ++job) {
        const std::uint64_t end = std::min(next + per_chunk, options_.runs.value_or(UINT64_MAX));
        ranges.emplace_back(next, end);
        next = end;
      }
      std::vector<Chunk> chunks(ranges.size());
      in_parallel(jobs, ranges.size(),
                  [&](std::size_t i) { chunks[i] = ask(ranges[i].first, ranges[i].second); });
      for (Chunk& each : chunks) {
        take(each);
        if (ends_with(each)) break;
      }
      if (is_stopped_) break;
    }
    finish();
    return std::move(result_);
  }

 private:
  // How many are asked at a time, and never more.
  unsigned processes() const {
    if (candidate_.attachment.one_process) return 1;
    return options_.jobs != 0 ? options_.jobs : processors();
  }

  std::uint64_t cases_per_process() const {
    return candidate_.attachment.one_process ? kCasesOfOneProcess : kCasesPerProcess;
  }

  bool is_interrupted() const { return options_.is_interrupted && options_.is_interrupted(); }
  bool is_late() const { return is_interrupted() || (!options_.runs && Clock::now() >= deadline_); }
  bool is_over(std::uint64_t next) const {
    return options_.runs && next >= *options_.runs ? true : next > 0 && is_late();
  }

  Chunk ask(std::uint64_t first, std::uint64_t end) {
    Chunk chunk;
    // All are drawn before the first is asked: the target does not run meanwhile.
    // Drawing has half of the time that is left, so that some remains for asking.
    const Clock::time_point start = Clock::now(), enough = start + (deadline_ - start) / 2;
    std::vector<Case> cases;
    std::vector<std::size_t> origins;
    cases.reserve(static_cast<std::size_t>(end - first));
    for (std::uint64_t number = first; number < end; ++number) {
      Draws::Drawn drawn = draws_->at(number);
      cases.push_back(std::move(drawn.item));
      origins.push_back(drawn.origin);
      if (is_interrupted() || (!options_.runs && Clock::now() >= enough)) break;
    }
    std::vector<Question> questions;
    for (std::uint32_t id = kFirstCaseId; const Case& each : cases) {
      questions.push_back({&each, id});
      id += static_cast<std::uint32_t>(each.steps.size());
    }
    std::vector<std::optional<CaseResult>> results(cases.size());
    InterviewOptions options{candidate_.limits, true, {}};
    options.claims = &*result_.claims;
    options.should_stop = [this] { return is_late(); };
    options.finishes = true;
    chunk.broken = interview(candidate_.attachment, questions, options,
                             [&](std::size_t i, std::vector<Reply> replies) {
                               if (!results[i]) report_progress();
                               results[i] = judge(cases[i], replies);
                               if (is_finding(*results[i], options_.strict)) {
                                 show_early(first + i, origins[i], cases[i], *results[i]);
                               }
                             });
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!results[i]) continue;
      ++chunk.asked;
      chunk.requests += cases[i].steps.size();
      if (is_finding(*results[i], options_.strict)) {
        chunk.findings.push_back({first + i, std::move(*results[i])});
      } else if (!results[i]->shows.empty()) {
        chunk.shows.emplace_back(first + i, std::move(results[i]->shows));
      }
    }
    return chunk;
  }

  void report_progress() {
    const std::uint64_t done = ++done_;
    if (!options_.on_progress) return;
    const std::unique_lock lock(progress_mutex_, std::try_to_lock);
    if (lock) options_.on_progress(done, kinds_so_far_);
  }

  // Long before its turn comes: what is known is not lost, whatever ends the campaign.
  void show_early(std::uint64_t number, std::size_t origin, const Case& item,
                  const CaseResult& result) {
    if (!options_.on_finding) return;
    const CampaignFinding finding = finding_of(item, origin, result, number);
    const std::lock_guard lock(early_mutex_);
    if (early_.size() >= kMostKinds) return;
    const auto [place, is_new] = early_.try_emplace(kind_of(finding), finding.id());
    if (is_new) options_.on_finding(finding);
  }

  CampaignFinding finding_of(Case item, std::size_t origin, CaseResult result,
                             std::uint64_t number) const {
    CampaignFinding finding;
    finding.origin = seeds_.cases[origin].name;
    finding.item = std::move(item);
    finding.result = std::move(result);
    finding.number = number;
    finding.times = 1;
    look_at(finding);
    return finding;
  }

  // What follows from item and result.
  void look_at(CampaignFinding& finding) const {
    const Case& origin = *seeds_.find_case(finding.origin);
    finding.operation = operation_of(finding.item, finding.result);
    const AboutRequirement about = requirement_of(seeds_, origin, finding.item, finding.result);
    // What another draw of the kind has told is more than a guess.
    if (!about.is_guess || finding.is_guess) {
      finding.requirement = about.id;
      finding.is_guess = about.is_guess;
    }
    finding.rule = about.is_broken_rule ? about.id : std::string();
  }

  void take(Chunk& chunk) {
    result_.asked += chunk.asked;
    result_.requests += chunk.requests;
    for (Shown& each : chunk.findings) {
      Draws::Drawn drawn = draws_->at(each.number);
      add(std::move(drawn.item), drawn.origin, std::move(each.result), each.number);
    }
    for (const auto& [number, shows] : chunk.shows) {
      const auto contradiction = consistency_.add(shows, fmt::to_string(number));
      if (!contradiction) continue;
      // Both draws, one after the other, make a case that shows it.
      const Draws::Drawn before = draws_->at(number_of(contradiction->by_case));
      Draws::Drawn drawn = draws_->at(number);
      drawn.item.steps.insert(drawn.item.steps.begin(), before.item.steps.begin(),
                              before.item.steps.end());
      CaseResult result;
      result.verdict = CaseVerdict::kFail;
      result.failure = Failure{};
      result.failure->step = drawn.item.steps.size() - 1;
      result.failure->request = drawn.item.steps.back().request;
      result.failure->expected =
          fmt::format("{} = {} as in the first request", contradiction->behaviour,
                      fmt::join(contradiction->before, " or "));
      result.failure->got =
          fmt::format("{} = {}", contradiction->behaviour, fmt::join(contradiction->now, " or "));
      result.failure->failure_class = "inconsistent";
      add(std::move(drawn.item), drawn.origin, std::move(result), number);
    }
    kinds_so_far_ = result_.findings.size();
  }

  // What take() called a case of Consistency.
  static std::uint64_t number_of(const std::string& case_name) {
    return static_cast<std::uint64_t>(parse_decimal(case_name).value());
  }

  // Findings that agree in this are one kind.
  static std::string kind_of(const CampaignFinding& finding) {
    return fmt::format("{} {} {}", finding.result.failure->failure_class, finding.operation,
                       finding.rule);
  }

  void add(Case item, std::size_t origin, CaseResult result, std::uint64_t number) {
    result_.any_garbled |= result.outcome == Outcome::kGarbled;
    CampaignFinding finding = finding_of(std::move(item), origin, std::move(result), number);
    const auto [place, is_new] = kinds_.try_emplace(kind_of(finding), result_.findings.size());
    if (!is_new) {
      if (place->second < result_.findings.size()) count_again(finding, place->second);
      if (place->second >= kMostKinds) ++result_.not_kept;
      return;
    }
    if (result_.findings.size() >= kMostKinds) {
      place->second = SIZE_MAX;
      ++result_.not_kept;
      return;
    }
    result_.findings.push_back(std::move(finding));
  }

  void count_again(const CampaignFinding& finding, std::size_t place) {
    CampaignFinding& kept = result_.findings[place];
    ++kept.times;
    if (!kept.is_guess || finding.is_guess) return;
    kept.requirement = finding.requirement;
    kept.is_guess = false;
  }

  // Later chunks have nothing more to say.
  bool ends_with(const Chunk& chunk) {
    if (chunk.broken) {
      result_.broken = chunk.broken;
      is_stopped_ = true;
    }
    if (options_.fail_fast && !result_.findings.empty()) {
      result_.findings.resize(1);
      is_stopped_ = true;
    }
    return is_stopped_;
  }

  // What was asked before in the same process.
  std::vector<Case> predecessors_of(std::uint64_t number) const {
    std::vector<Case> before;
    for (std::uint64_t i = number - number % cases_per_process(); i < number; ++i) {
      before.push_back(draws_->at(i).item);
    }
    return before;
  }

  void make_small(CampaignFinding& finding, const ShouldStop& should_stop) {
    // Who keeps failing is not asked again and again.
    if (result_.broken || should_stop()) return;
    const std::string kind = kind_of(finding);
    const Case& origin = *seeds_.find_case(finding.origin);
    if (minimize_finding(candidate_, options_.strict, origin, finding.item, finding.result,
                         should_stop)) {
      finding.again = Again::kAlone;
    } else if (find_predecessors(candidate_, options_.strict, predecessors_of(finding.number),
                                 finding.item, finding.result, should_stop)) {
      finding.again = Again::kBehind;
    } else if (!should_stop()) {
      finding.again = Again::kNever;
    }
    finding.is_small = !should_stop();
    look_at(finding);
    if (!options_.on_small) return;
    const std::lock_guard lock(early_mutex_);
    const auto shown = early_.find(kind);
    options_.on_small(shown == early_.end() ? std::string() : shown->second, finding);
  }

  // Small ones, of which some turn out to be the same. Without a deadline for asking there is none
  // for this: what comes out depends on seed and number alone.
  void finish() {
    const Clock::time_point enough =
        Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(
                           std::max(options_.seconds, kLeastSecondsForSmall) * 1000));
    const ShouldStop should_stop = [&] {
      return is_interrupted() || (!options_.runs && Clock::now() >= enough);
    };
    in_parallel(processes(), result_.findings.size(),
                [&](std::size_t i) { make_small(result_.findings[i], should_stop); });
    std::vector<CampaignFinding> kept;
    std::map<std::string, std::size_t> kinds;
    for (CampaignFinding& each : result_.findings) {
      const auto [place, is_new] = kinds.try_emplace(kind_of(each), kept.size());
      if (is_new)
        kept.push_back(std::move(each));
      else
        kept[place->second].times += each.times;
    }
    result_.findings = std::move(kept);
    result_.is_interrupted = is_interrupted();
  }

  const Suite& seeds_;
  const Candidate& candidate_;
  const CampaignOptions& options_;
  const Draws* draws_ = nullptr;
  Clock::time_point deadline_;
  CampaignResult result_;
  std::map<std::string, std::size_t> kinds_;  // → index of the finding
  Consistency consistency_;
  bool is_stopped_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::size_t> kinds_so_far_ = 0;
  std::mutex progress_mutex_;
  std::map<std::string, std::string> early_;  // kind → id that it was shown with first
  std::mutex early_mutex_;
};

}  // namespace

bool is_finding(const CaseResult& result, bool strict) {
  if (!result.failure) return false;
  // Between the requests of a case as between cases: only some choices bind.
  const std::string& expected = result.failure->expected;
  if (result.failure->failure_class == "inconsistent" && expected.ends_with(kAsEarlier)) {
    const std::string_view name =
        std::string_view(expected).substr(0, expected.size() - kAsEarlier.size());
    if (!is_tie(name) && !must_be_consistent(name.substr(0, name.find('(')))) return false;
  }
  return result.verdict == CaseVerdict::kFail || (strict && result.verdict == CaseVerdict::kWarn);
}

std::string CampaignFinding::id() const {
  std::string words = fmt::format("{}-{}", result.failure->failure_class, operation);
  for (char& c : words) {
    if (c == ' ' || c == '_') c = '-';
  }
  std::string requests;
  for (const Step& each : item.steps) requests += each.request + "\n";
  return fmt::format("{}-{}", words, sha256_of(requests).substr(0, 8));
}

CampaignResult run_campaign(const Suite& seeds, const Candidate& candidate,
                            const CampaignOptions& options) {
  return Campaign(seeds, candidate, options).go();
}

}  // namespace hurray::conformance
