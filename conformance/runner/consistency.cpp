// SPDX-License-Identifier: Apache-2.0
//
// Behaviours and the ties between them, narrowed down case by case, see consistency.h. A tie keeps
// the combinations whose parts are all left, and a part the options that some combination has. The
// ties of today form no ring, so that nothing is left exactly if no choice explains all cases.

#include "conformance/runner/consistency.h"

#include <algorithm>
#include <set>

#include "conformance/runner/behaviours.h"

namespace hurray::conformance {
namespace {

std::vector<std::string> common(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<std::string> united(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> either;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
  return either;
}

bool contains(const std::vector<std::string>& options, const std::string& option) {
  return std::binary_search(options.begin(), options.end(), option);
}

}  // namespace

std::optional<Consistency::Contradiction> Consistency::settle(AllLeft& left,
                                                              const std::string& case_name) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [name, tie] : left) {
      if (!is_tie(name)) continue;
      const std::vector<std::string> parts = parts_of(name);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        std::set<std::string> of_part;
        for (const std::string& each : tie.options) of_part.insert(parts_of(each)[i]);
        const std::vector<std::string> tied_options(of_part.begin(), of_part.end());

        const auto [part, is_new] = left.try_emplace(parts[i], Left{tied_options, case_name});
        if (is_new) {
          changed = true;  // the map has another entry: its iterators stay valid
          continue;
        }
        const std::vector<std::string> both = common(part->second.options, tied_options);
        if (both.empty()) {
          return Contradiction{parts[i], part->second.options, tied_options, part->second.by_case};
        }
        if (both.size() < part->second.options.size()) {
          part->second = {both, case_name};
          changed = true;
        }
        const std::size_t before = tie.options.size();
        std::erase_if(tie.options,
                      [&](const std::string& each) { return !contains(both, parts_of(each)[i]); });
        changed |= tie.options.size() < before;
      }
    }
  }
  return std::nullopt;
}

std::optional<Consistency::Contradiction> Consistency::add(const Shows& shows,
                                                           const std::string& case_name) {
  AllLeft left = left_;
  for (const auto& [name, options] : shows) {
    if (!must_be_consistent(name)) {
      recorded_[name] = united(recorded_[name], options);
      continue;
    }
    const auto [place, is_new] = left.try_emplace(name, Left{options, case_name});
    if (is_new) continue;
    const std::vector<std::string> both = common(place->second.options, options);
    if (both.empty()) {
      return Contradiction{name, place->second.options, options, place->second.by_case};
    }
    if (both.size() < place->second.options.size()) place->second = {both, case_name};
  }
  if (std::optional<Contradiction> contradiction = settle(left, case_name)) return contradiction;
  left_ = std::move(left);
  return std::nullopt;
}

std::map<std::string, std::vector<std::string>> Consistency::shown() const {
  std::map<std::string, std::vector<std::string>> shown = recorded_;
  for (const auto& [name, each] : left_) {
    if (!is_tie(name)) shown[name] = each.options;
  }
  return shown;
}

}  // namespace hurray::conformance
