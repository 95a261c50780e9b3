// SPDX-License-Identifier: Apache-2.0
//
// A list of known deviations as it would have to be, see known.h.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/classify.h"
#include "conformance/runner/known.h"
#include "conformance/runner/known_match.h"

namespace hurray::conformance {
namespace {

constexpr int kDaysOfNewEntries = 90;

using Names = std::vector<std::string_view>;

class Update {
 public:
  Update(const Suite& suite, const std::vector<TargetResult>& targets) : suite_(suite) {
    for (const TargetResult& each : targets) {
      of_targets_.push_back({&each, {}, {}});
      OfTarget& of = of_targets_.back();
      for (const std::size_t i : gating_failures(each)) of.left.insert(i);
      for (std::size_t i = 0; i < suite.cases.size(); ++i) {
        if (was_asked(each, i)) of.asked.emplace_back(suite.cases[i].name);
      }
    }
  }

  // The entry as it would have to be: none, one, or one for each target if those differ.
  std::vector<KnownDeviation> renewed(const KnownDeviation& old) {
    if (is_asked_in_part(old)) {
      keep(old);
      return {old};
    }
    std::vector<KnownDeviation> entries;
    std::size_t named = 0;
    for (OfTarget& of : of_targets_) {
      if (!names_target(old, *of.target)) continue;
      ++named;
      std::vector<std::size_t> cases;
      for (const std::size_t i : asked_matches(suite_, *of.target, old.patterns)) {
        if (of.left.erase(i) == 1) cases.push_back(i);
      }
      if (cases.empty()) continue;
      KnownDeviation entry = old;
      entry.target = literal_pattern(of.target->attachment.name);
      // As people wrote it, as long as it still names exactly these.
      if (asked_matches(suite_, *of.target, old.patterns) != cases) {
        entry.patterns = patterns_of(of, cases);
      }
      fill(of, cases, entry);
      entries.push_back(std::move(entry));
    }
    if (named == 0) return {old};
    const bool are_alike =
        entries.size() == named && std::ranges::all_of(entries, [&](const KnownDeviation& each) {
          return each.patterns == entries.front().patterns &&
                 each.matches == entries.front().matches &&
                 each.fingerprint == entries.front().fingerprint;
        });
    if (!are_alike) return entries;
    entries.resize(1);
    entries.front().target = old.target;
    return entries;
  }

  // Entries for what no entry names: one for each operation and class.
  std::vector<KnownDeviation> for_the_rest(const Day& expires) const {
    std::vector<KnownDeviation> entries;
    for (const OfTarget& of : of_targets_) {
      std::map<std::pair<std::string_view, std::string>, std::vector<std::size_t>> kinds;
      for (const std::size_t i : of.left) {
        const std::string_view name = suite_.cases[i].name;
        const std::optional<Failure>& failure = of.target->cases[i].failure;
        kinds[{name.substr(0, name.find('/')), failure ? failure->failure_class : "unknown"}]
            .push_back(i);
      }
      for (const auto& [kind, cases] : kinds) {
        const std::string_view meaning = meaning_of_class(kind.second);
        KnownDeviation entry;
        entry.target = literal_pattern(of.target->attachment.name);
        entry.patterns = patterns_of(of, cases);
        entry.reason = fmt::format("{}{}{} (found by the suite; nobody has said why yet)",
                                   kind.second, meaning.empty() ? "" : ": ", meaning);
        entry.expires = expires;
        fill(of, cases, entry);
        entries.push_back(std::move(entry));
      }
    }
    return entries;
  }

 private:
  // Fewer cases than it lists were asked, and others that it names were not run: of those that are
  // missing nothing is known.
  bool is_asked_in_part(const KnownDeviation& old) const {
    return std::ranges::any_of(of_targets_, [&](const OfTarget& of) {
      const auto was_not_run = [&](std::size_t i) {
        return of.target->cases[i].verdict == CaseVerdict::kNotRun;
      };
      return names_target(old, *of.target) &&
             asked_matches(suite_, *of.target, old.patterns).size() < old.matches &&
             std::ranges::any_of(matches_of(suite_, old.patterns), was_not_run);
    });
  }

  // What it names is listed by it, of every target: none of it needs an entry of its own.
  void keep(const KnownDeviation& old) {
    for (OfTarget& of : of_targets_) {
      if (!names_target(old, *of.target)) continue;
      for (const std::size_t i : asked_matches(suite_, *of.target, old.patterns)) of.left.erase(i);
    }
  }

  struct OfTarget {
    const TargetResult* target;
    std::set<std::size_t> left;  // failing cases that no entry names yet
    Names asked;
  };

  std::vector<std::string> patterns_of(const OfTarget& of,
                                       const std::vector<std::size_t>& cases) const {
    Names names;
    for (const std::size_t i : cases) names.emplace_back(suite_.cases[i].name);
    return patterns_for(names, of.asked);
  }

  void fill(const OfTarget& of, const std::vector<std::size_t>& cases,
            KnownDeviation& entry) const {
    entry.matches = cases.size();
    if (entry.fingerprint != kAnyFingerprint) {
      entry.fingerprint = fingerprint_of_cases(suite_, *of.target, cases);
    }
  }

  const Suite& suite_;
  std::vector<OfTarget> of_targets_;
};

}  // namespace

KnownFile updated_list(const Suite& suite, const std::vector<TargetResult>& targets,
                       const KnownFile& old, const Day& today) {
  Update update(suite, targets);
  KnownFile list;
  list.header = old.header;
  for (const KnownDeviation& each : old.entries) {
    for (KnownDeviation& entry : update.renewed(each)) list.entries.push_back(std::move(entry));
  }
  const Day expires = std::chrono::sys_days(today) + std::chrono::days(kDaysOfNewEntries);
  for (KnownDeviation& each : update.for_the_rest(expires)) {
    list.entries.push_back(std::move(each));
  }
  return list;
}

}  // namespace hurray::conformance
