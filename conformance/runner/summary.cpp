// SPDX-License-Identifier: Apache-2.0
//
// From case results to verdicts: consistency of behaviours over the whole run, one verdict per
// requirement, one for the target (run.h).

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/consistency.h"
#include "conformance/runner/profiles.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {
namespace {

using Shown = std::map<std::string, std::vector<std::string>>;

// Fails the first case of each that contradicts an earlier one; returns what was shown.
Shown check_consistency(const Suite& suite, TargetResult& target) {
  Consistency consistency;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    CaseResult& result = target.cases[i];
    if (result.verdict == CaseVerdict::kFail || result.shows.empty()) continue;
    const auto contradiction = consistency.add(result.shows, suite.cases[i].name);
    if (!contradiction) continue;
    Failure failure;
    failure.request = suite.cases[i].steps.back().request;
    failure.expected =
        fmt::format("{} = {} as in the case {}", contradiction->behaviour,
                    fmt::join(contradiction->before, " or "), contradiction->by_case);
    failure.got =
        fmt::format("{} = {}", contradiction->behaviour, fmt::join(contradiction->now, " or "));
    failure.failure_class = "inconsistent";
    failure.contradicts = contradiction->by_case;
    result.verdict = CaseVerdict::kFail;
    result.failure = std::move(failure);
  }
  return consistency.shown();
}

std::vector<std::string> common(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// `nan-input` of `nan-input(quantize_i8)`.
std::string base_name(const std::string& behaviour) {
  return behaviour.substr(0, behaviour.find('('));
}

// The options that are left. A code by its number only where it is none of the usual values.
std::string described(std::vector<std::string> options) {
  const auto is_number = [](const std::string& option) { return option.starts_with("code "); };
  if (!std::all_of(options.begin(), options.end(), is_number)) std::erase_if(options, is_number);
  return fmt::format("{}", fmt::join(options, "|"));
}

// What was shown, with one line for functions that agree.
std::map<std::string, std::string> describe_behaviours(const Shown& shown) {
  std::map<std::string, std::vector<std::string>> of_all;
  for (const auto& [behaviour, options] : shown) {
    const auto [place, is_new] = of_all.try_emplace(base_name(behaviour), options);
    if (!is_new) place->second = common(place->second, options);
  }
  std::map<std::string, std::string> behaviours;
  for (const auto& [behaviour, options] : shown) {
    const std::vector<std::string>& agreed = of_all[base_name(behaviour)];
    if (agreed.empty()) {
      behaviours[behaviour] = described(options);
    } else {
      behaviours[base_name(behaviour)] = described(agreed);
    }
  }
  return behaviours;
}

// Which requirements does a failure speak against? A case may serve several. Those that are about
// this kind of failure by name (Requirement::classes) answer for it alone: input that was changed
// says nothing of the codes. Else those that are about every kind do: a wrong code does not tell
// that the input was changed. A failure that no gating requirement would answer for speaks against
// all of the case's.
class Blames {
 public:
  Blames(const Suite& suite, const TargetResult& target)
      : target_(target), answered_as_(suite.cases.size(), About::kOther) {
    for (const Requirement& each : suite.requirements) {
      if (!each.gates()) continue;
      for (const std::size_t i : each.cases) {
        answered_as_[i] = std::max(answered_as_[i], about(each, i));
      }
    }
  }

  bool includes(const Requirement& requirement, std::size_t case_index) const {
    return about(requirement, case_index) >= answered_as_[case_index];
  }

 private:
  enum class About { kOther, kEveryKind, kThisKind };

  About about(const Requirement& requirement, std::size_t case_index) const {
    if (requirement.classes.empty()) return About::kEveryKind;
    const std::optional<Failure>& failure = target_.cases[case_index].failure;
    const bool is_named =
        failure && std::find(requirement.classes.begin(), requirement.classes.end(),
                             failure->failure_class) != requirement.classes.end();
    return is_named ? About::kThisKind : About::kOther;
  }

  const TargetResult& target_;
  std::vector<About> answered_as_;  // by case, the closest of its gating requirements
};

RequirementVerdict verdict_of(const Requirement& requirement, const RequirementResult& result,
                              const TargetResult& target, bool strict) {
  if (!requirement.not_testable.empty()) return RequirementVerdict::kNotTestable;
  if (!requirement.compile_test.empty()) return RequirementVerdict::kCompileTest;
  if (requirement.one_implementation) return RequirementVerdict::kOneImplementation;

  CaseVerdict worst = CaseVerdict::kPass;
  bool any_skipped = false;
  for (const std::size_t i : result.failed) worst = std::max(worst, target.cases[i].verdict);
  for (const std::size_t i : requirement.cases) {
    any_skipped |= target.cases[i].verdict == CaseVerdict::kSkip;
  }
  if (worst == CaseVerdict::kFail) {
    if (requirement.gates()) return RequirementVerdict::kViolated;
    if (!requirement.warns()) return RequirementVerdict::kRecorded;
    worst = CaseVerdict::kWarn;
  }
  if (worst == CaseVerdict::kWarn) {
    return strict && requirement.gates() ? RequirementVerdict::kViolated
                                         : RequirementVerdict::kWarned;
  }
  if (result.asked > 0) return RequirementVerdict::kConforms;
  return any_skipped ? RequirementVerdict::kNotClaimed : RequirementVerdict::kNotRun;
}

}  // namespace

void sum_up(const Suite& suite, bool strict, TargetResult& target) {
  const Shown shown = check_consistency(suite, target);
  target.behaviours = describe_behaviours(shown);

  const Blames blames(suite, target);
  bool any_violated = false;
  bool any_asked = false;
  bool any_garbled = false;
  for (const Requirement& requirement : suite.requirements) {
    RequirementResult result;
    result.requirement = &requirement;
    for (const std::size_t i : requirement.cases) {
      const CaseResult& each = target.cases[i];
      if (each.verdict == CaseVerdict::kNotRun || each.verdict == CaseVerdict::kSkip) continue;
      any_garbled |= each.outcome == Outcome::kGarbled && each.verdict == CaseVerdict::kFail;
      const bool is_bad = each.verdict == CaseVerdict::kFail || each.verdict == CaseVerdict::kWarn;
      if (is_bad && !blames.includes(requirement, i)) continue;
      ++result.asked;
      if (is_bad) result.failed.push_back(i);
    }
    // A plain mistake tells more than a contradiction between two cases.
    const auto is_contradiction = [&](std::size_t i) {
      const std::optional<Failure>& failure = target.cases[i].failure;
      return failure && failure->failure_class == "inconsistent";
    };
    std::sort(result.failed.begin(), result.failed.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(is_contradiction(a), a) < std::pair(is_contradiction(b), b);
    });
    result.verdict = verdict_of(requirement, result, target, strict);
    any_violated |= result.verdict == RequirementVerdict::kViolated;
    any_asked |= result.asked > 0;
    target.requirements.push_back(std::move(result));
  }
  if (!target.broken && any_garbled) {
    target.broken = Broken{"some answers do not follow the protocol", {}};
  }
  // Whoever answered well for a while and then fell silent is wrong, and can be told where.
  const bool is_broken = target.broken && !(target.broken->after_answers && any_violated);
  target.verdict = is_broken                          ? TargetVerdict::kBroken
                   : any_violated                     ? TargetVerdict::kNonConformant
                   : target.was_stopped || !any_asked ? TargetVerdict::kNotJudged
                                                      : TargetVerdict::kConformant;
  target.profiles = profile_verdicts(suite, target, strict);
}

}  // namespace hurray::conformance
