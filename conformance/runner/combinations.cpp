// SPDX-License-Identifier: Apache-2.0
//
// Combinations of options, see combinations.h.

#include "conformance/runner/combinations.h"

#include <algorithm>
#include <set>

#include "conformance/runner/behaviours.h"

namespace hurray::conformance {
namespace {

using Options = std::map<std::string, std::string>;

// Adds what the combinations exclude together and not one by one.
void add_tie(const std::vector<Options>& combinations, Shows& shows) {
  std::vector<std::string> names;
  std::size_t product = 1;
  for (const auto& [name, option] : combinations.front()) {
    if (!can_be_tied(name)) continue;
    std::set<std::string> options;
    for (const Options& each : combinations) options.insert(each.at(name));
    product *= options.size();
    names.push_back(name);
  }
  std::set<std::string> left;
  for (const Options& each : combinations) {
    std::vector<std::string> options;
    for (const std::string& name : names) options.push_back(each.at(name));
    left.insert(tied(options));
  }
  if (left.size() < product) shows[tied(names)] = {left.begin(), left.end()};
}

}  // namespace

std::vector<Alternative> enumerate(const std::vector<Behaviour>& behaviours,
                                   const std::function<Result(const Combination&)>& answer_of) {
  struct Merged {
    CaseVerdict verdict;
    std::vector<std::size_t> free;
    std::map<std::string, std::set<std::string>> shows;
    std::vector<Options> combinations;
  };
  std::map<std::string, Merged> merged;

  std::size_t combinations = 1;
  for (const Behaviour& each : behaviours) combinations *= each.options.size();
  for (std::size_t n = 0; n < combinations; ++n) {
    Options options;
    std::size_t rest = n;
    for (const Behaviour& each : behaviours) {
      options[each.name] = each.options[rest % each.options.size()];
      rest /= each.options.size();
    }
    const Combination combination(std::move(options));
    Result result = answer_of(combination);
    auto [place, is_new] = merged.try_emplace(
        std::move(result.answer), Merged{result.verdict, std::move(result.free), {}, {}});
    // The same answer reached on two ways counts as the more harmless.
    place->second.verdict = std::min(place->second.verdict, result.verdict);
    for (const auto& [name, option] : combination.all()) place->second.shows[name].insert(option);
    place->second.combinations.push_back(combination.all());
  }

  const bool in_other_mode =
      std::any_of(behaviours.begin(), behaviours.end(),
                  [](const Behaviour& each) { return each.name == "rounding-mode"; });
  std::vector<Alternative> alternatives;
  for (auto& [answer, each] : merged) {
    Alternative alternative{answer, each.verdict, {}, each.free};
    for (const Behaviour& behaviour : behaviours) {
      const std::set<std::string>& shown = each.shows[behaviour.name];
      // The judge reads the kind of a NaN's value from the answer itself.
      const bool judge_decides = behaviour.name == "nan-input" && !shown.contains("refuse");
      // Under a mode of the caller's, nothing else can be told from the numbers.
      const bool is_hidden = in_other_mode && behaviour.name != "rounding-mode";
      if (shown.size() < behaviour.options.size() && !judge_decides && !is_hidden) {
        alternative.shows[behaviour.name] = {shown.begin(), shown.end()};
      }
    }
    if (!in_other_mode) add_tie(each.combinations, alternative.shows);
    alternatives.push_back(std::move(alternative));
  }
  return alternatives;
}

}  // namespace hurray::conformance
