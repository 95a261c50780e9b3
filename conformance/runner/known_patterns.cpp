// SPDX-License-Identifier: Apache-2.0
//
// Names of cases as globs, see known_match.h. People read lists of known deviations, so
// `quantize/ties/*` stands there and not each of its cases. Greedy: the glob that names most comes
// first.

#include <fnmatch.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "conformance/runner/known_match.h"

namespace hurray::conformance {
namespace {

using Names = std::vector<std::string_view>;

// More parts than any name has; each doubles the globs that are tried.
constexpr std::size_t kMostParts = 9;

Names parts_of(std::string_view name) {
  Names parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Every way to put `*` for parts behind the first; what ends in such parts ends in one `*`.
template <typename Visit>
void each_pattern(std::string_view name, Visit visit) {
  const Names parts = parts_of(name);
  if (parts.size() < 2 || parts.size() > kMostParts) return;
  for (unsigned mask = 1; mask < 1u << (parts.size() - 1); ++mask) {
    const auto is_star = [&](std::size_t part) { return (mask >> (part - 1) & 1u) != 0; };
    std::size_t last = parts.size() - 1;
    while (last > 1 && is_star(last) && is_star(last - 1)) --last;
    std::string pattern = literal_pattern(parts[0]);
    for (std::size_t i = 1; i <= last; ++i) {
      pattern += '/';
      pattern += is_star(i) ? "*" : literal_pattern(parts[i]);
    }
    visit(pattern);
  }
}

struct Candidate {
  std::set<std::string_view> names;
  std::set<std::string_view> asked;
};

// Globs that name no other case, as far as cases of as many parts go; most names first, then what
// begins with most that is no star.
std::vector<std::pair<std::string, Candidate>> candidates_for(const Names& names,
                                                              const Names& asked) {
  std::map<std::string, Candidate> all;
  for (const std::string_view name : names) {
    each_pattern(name, [&](const std::string& pattern) { all[pattern].names.insert(name); });
  }
  std::erase_if(all, [](const auto& each) { return each.second.names.size() < 2; });
  for (const std::string_view name : asked) {
    each_pattern(name, [&](const std::string& pattern) {
      const auto found = all.find(pattern);
      if (found != all.end()) found->second.asked.insert(name);
    });
  }
  std::erase_if(
      all, [](const auto& each) { return each.second.names.size() != each.second.asked.size(); });
  std::vector<std::pair<std::string, Candidate>> sorted(all.begin(), all.end());
  std::ranges::sort(sorted, std::ranges::greater{}, [](const auto& each) {
    return std::tuple(each.second.names.size(), each.first.find('*'), std::string_view(each.first));
  });
  return sorted;
}

// A `*` may stand for several parts, so that a glob may name more than was counted.
bool names_only(const std::string& pattern, const Names& names, const Names& asked) {
  const std::string_view start =
      std::string_view(pattern).substr(0, pattern.find_first_of("*?[\\"));
  for (auto at = std::ranges::lower_bound(asked, start); at != asked.end(); ++at) {
    if (!at->starts_with(start)) break;
    const bool is_named = fnmatch(pattern.c_str(), std::string(*at).c_str(), 0) == 0;
    if (is_named && !std::ranges::binary_search(names, *at)) return false;
  }
  return true;
}

}  // namespace

std::string literal_pattern(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::vector<std::string> patterns_for(const Names& names, const Names& asked) {
  std::set<std::string_view> left(names.begin(), names.end());
  std::vector<std::string> patterns;
  for (const auto& [pattern, candidate] : candidates_for(names, asked)) {
    const auto gained = std::ranges::count_if(
        candidate.names, [&](std::string_view name) { return left.contains(name); });
    if (gained < 2 || !names_only(pattern, names, asked)) continue;
    for (const std::string_view name : candidate.names) left.erase(name);
    patterns.push_back(pattern);
  }
  for (const std::string_view name : left) patterns.push_back(literal_pattern(name));
  std::ranges::sort(patterns);
  return patterns;
}

}  // namespace hurray::conformance
