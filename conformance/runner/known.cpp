// SPDX-License-Identifier: Apache-2.0
//
// The gate of known deviations, see known.h.

#include "conformance/runner/known.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/digest.h"
#include "conformance/runner/fingerprint.h"
#include "conformance/runner/known_match.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

bool was_asked(const TargetResult& target, std::size_t case_index) {
  const CaseVerdict verdict = target.cases[case_index].verdict;
  return verdict != CaseVerdict::kSkip && verdict != CaseVerdict::kNotRun;
}

std::vector<std::size_t> matches_of(const Suite& suite, const std::vector<std::string>& patterns) {
  std::set<std::size_t> matches;
  for (const std::string& pattern : patterns) {
    // Cases are sorted by name: only those that begin as the pattern does can match.
    const std::string_view start =
        std::string_view(pattern).substr(0, pattern.find_first_of("*?[\\"));
    auto at = std::ranges::lower_bound(suite.cases, start, {}, &Case::name);
    for (; at != suite.cases.end() && at->name.starts_with(start); ++at) {
      const auto index = static_cast<std::size_t>(at - suite.cases.begin());
      if (fnmatch(pattern.c_str(), at->name.c_str(), 0) == 0) matches.insert(index);
    }
  }
  return {matches.begin(), matches.end()};
}

std::vector<std::size_t> asked_matches(const Suite& suite, const TargetResult& target,
                                       const std::vector<std::string>& patterns) {
  std::vector<std::size_t> matches = matches_of(suite, patterns);
  std::erase_if(matches, [&](std::size_t i) { return !was_asked(target, i); });
  return matches;
}

bool names_target(const KnownDeviation& entry, const TargetResult& target) {
  return fnmatch(entry.target.c_str(), target.attachment.name.c_str(), 0) == 0;
}

std::string fingerprint_of_cases(const Suite& suite, const TargetResult& target,
                                 const std::vector<std::size_t>& cases) {
  Digest digest;
  for (const std::size_t i : cases) {
    digest.add(suite.cases[i].name);
    digest.add(fingerprint_text(target.cases[i].fingerprint));
  }
  return digest.finish().substr(0, kFingerprintDigits);
}

std::vector<std::size_t> gating_failures(const TargetResult& target) {
  std::set<std::size_t> failing;
  for (const RequirementResult& each : target.requirements) {
    if (each.verdict != RequirementVerdict::kViolated) continue;
    failing.insert(each.failed.begin(), each.failed.end());
  }
  return {failing.begin(), failing.end()};
}

namespace {

std::string spelled(const KnownDeviation& entry) {
  const std::size_t more = entry.patterns.size() - 1;
  return fmt::format("{}{}{}", entry.patterns.front(),
                     more > 0 ? fmt::format(" and {} more", more) : "",
                     entry.line > 0 ? fmt::format(" (line {})", entry.line) : "");
}

class Check {
 public:
  Check(const Suite& suite, const std::vector<TargetResult>& targets, const Day& today,
        KnownGate& gate)
      : suite_(suite), targets_(targets), today_(today), gate_(gate) {}

  void go() {
    gate_.listed.resize(targets_.size());
    for (std::size_t e = 0; e < gate_.entries.size(); ++e) {
      const KnownDeviation& entry = gate_.entries[e];
      if (entry.expires < today_) {
        problem("{}: expired after {}", spelled(entry), day_text(entry.expires));
      }
      bool any = false;
      for (std::size_t t = 0; t < targets_.size(); ++t) {
        if (!names_target(entry, targets_[t])) continue;
        any = true;
        check_entry(t, e);
      }
      if (!any) {
        problem("{}: no target that was run is named {}", spelled(entry), entry.target);
      }
    }
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      // What was not asked any more could be wrong in any way.
      if (targets_[t].broken)
        problem("{}: {}", targets_[t].attachment.name, one_line(targets_[t].broken->reason));
      check_unlisted(t);
    }
  }

 private:
  template <typename... Values>
  void problem(fmt::format_string<Values...> format, Values&&... values) {
    gate_.problems.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  void check_entry(std::size_t t, std::size_t e) {
    const KnownDeviation& entry = gate_.entries[e];
    const TargetResult& target = targets_[t];
    const std::string& name = target.attachment.name;
    const std::vector<std::size_t> failing = gating_failures(target);
    const std::vector<std::size_t> matches = asked_matches(suite_, target, entry.patterns);
    std::vector<std::size_t> passing;
    for (const std::size_t i : matches) {
      if (!std::ranges::binary_search(failing, i)) {
        passing.push_back(i);
        continue;
      }
      const auto [place, is_new] = gate_.listed[t].try_emplace(i, e);
      if (!is_new && place->second != e) {
        problem("{}: {}: {} is listed by {} as well", name, spelled(entry), suite_.cases[i].name,
                spelled(gate_.entries[place->second]));
      }
    }
    if (matches.empty()) {
      problem("{}: {}: matches no case that was asked", name, spelled(entry));
      return;
    }
    if (!passing.empty()) {
      problem("{}: {}: {} of {} cases are right now, the first: {}", name, spelled(entry),
              passing.size(), matches.size(), suite_.cases[passing.front()].name);
    }
    if (matches.size() != entry.matches) {
      problem("{}: {}: matches {} cases, the list says {}", name, spelled(entry), matches.size(),
              entry.matches);
    }
    if (!passing.empty() || entry.fingerprint == kAnyFingerprint) return;
    const std::string got = fingerprint_of_cases(suite_, target, matches);
    if (got != entry.fingerprint) {
      problem("{}: {}: wrong in another way: fingerprint {}, the list says {}; the first case: {}",
              name, spelled(entry), got, entry.fingerprint, suite_.cases[matches.front()].name);
    }
  }

  // A line for each requirement: a mistake seldom fails one case alone.
  void check_unlisted(std::size_t t) {
    const TargetResult& target = targets_[t];
    for (const RequirementResult& each : target.requirements) {
      if (each.verdict != RequirementVerdict::kViolated) continue;
      std::vector<std::size_t> unlisted;
      std::ranges::copy_if(each.failed, std::back_inserter(unlisted),
                           [&](std::size_t i) { return !gate_.listed[t].contains(i); });
      if (unlisted.empty()) continue;
      problem("{}: {} is violated by {} cases that are not listed, the first: {}",
              target.attachment.name, each.requirement->id, unlisted.size(),
              suite_.cases[unlisted.front()].name);
    }
  }

  const Suite& suite_;
  const std::vector<TargetResult>& targets_;
  const Day& today_;
  KnownGate& gate_;
};

}  // namespace

const KnownDeviation* KnownGate::entry_of(std::size_t target, std::size_t case_index) const {
  if (target >= listed.size()) return nullptr;
  const auto found = listed[target].find(case_index);
  return found == listed[target].end() ? nullptr : &entries[found->second];
}

const KnownDeviation* KnownGate::entry_of(std::size_t target,
                                          const RequirementResult& requirement) const {
  if (requirement.failed.empty()) return nullptr;
  const bool are_all_listed = std::ranges::all_of(
      requirement.failed, [&](std::size_t i) { return entry_of(target, i) != nullptr; });
  return are_all_listed ? entry_of(target, requirement.failed.front()) : nullptr;
}

KnownGate check_known(const Suite& suite, const std::vector<TargetResult>& targets,
                      std::string file, const std::vector<KnownDeviation>& entries,
                      const Day& today) {
  KnownGate gate;
  gate.file = std::move(file);
  gate.entries = entries;
  Check(suite, targets, today, gate).go();
  return gate;
}

std::string describe_gate(const KnownGate& gate) {
  std::string text;
  for (const std::string& each : gate.problems) text += fmt::format("not as known: {}\n", each);
  std::size_t cases = 0;
  for (const auto& each : gate.listed) cases += each.size();
  if (gate.problems.empty()) {
    text += fmt::format("all as known: {} failing cases, {} entries of {}\n", cases,
                        gate.entries.size(), gate.file);
  }
  return text;
}

}  // namespace hurray::conformance
