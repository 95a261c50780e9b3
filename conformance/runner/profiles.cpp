// SPDX-License-Identifier: Apache-2.0
//
// Profiles and their verdicts, see profiles.h.

#include "conformance/runner/profiles.h"

#include <fnmatch.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/claims.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {
namespace {

[[noreturn]] void bad(const std::string& where, const std::string& what) {
  throw SuiteError(where + ": " + what);
}

// Indices of the requirements that the globs name, ascending.
std::vector<std::size_t> named_by(const std::vector<std::string>& globs,
                                  const std::vector<Requirement>& requirements,
                                  const std::string& where) {
  std::set<std::size_t> named;
  for (const std::string& glob : globs) {
    bool any = false;
    for (std::size_t i = 0; i < requirements.size(); ++i) {
      if (fnmatch(glob.c_str(), requirements[i].id.c_str(), 0) != 0) continue;
      any = true;
      named.insert(i);
    }
    if (!any) bad(where, fmt::format("no requirement is named `{}`", glob));
  }
  return {named.begin(), named.end()};
}

Profile profile_of(const ProfileBlock& block, const std::vector<Requirement>& requirements) {
  Profile profile{block.name, block.text, block.claims, block.operations, {}, {}};
  profile.needs = named_by(block.needs, requirements, block.where);
  for (const std::size_t i : profile.needs) {
    const Requirement& each = requirements[i];
    if (each.gates() && each.reason().empty()) continue;
    bad(block.where, each.id + " cannot be needed: it does not gate, or no case judges it");
  }
  for (const std::size_t i : named_by(block.extras, requirements, block.where)) {
    if (requirements[i].gates() && !std::ranges::binary_search(profile.needs, i))
      profile.extras.push_back(i);
  }
  return profile;
}

// Whether a request of this verb is one of the profile's own.
bool concerns(const Profile& profile, std::string_view request) {
  const std::string_view verb = request.substr(0, request.find(' '));
  return std::ranges::find(profile.operations, verb) != profile.operations.end();
}

bool concerns(const Profile& profile, const Case& item) {
  return std::ranges::any_of(item.steps,
                             [&](const Step& each) { return concerns(profile, each.request); });
}

class Verdict {
 public:
  Verdict(const Suite& suite, const TargetResult& target, bool strict, const Profile& profile)
      : suite_(suite), target_(target), strict_(strict), profile_(profile) {}

  ProfileResult result() const {
    ProfileResult result;
    result.profile = &profile_;
    const bool is_claimed =
        target_.claims && std::ranges::any_of(profile_.claims, [&](const std::string& each) {
          return claims_operation(*target_.claims, each);
        });
    if (target_.verdict == TargetVerdict::kBroken) {
      result.verdict = ProfileVerdict::kNotJudged;
      return result;
    }
    if (!is_claimed) return result;
    for (std::size_t i = 0; i < suite_.requirements.size(); ++i) {
      const bool is_needed = std::ranges::binary_search(profile_.needs, i);
      if (!is_needed && !std::ranges::binary_search(profile_.extras, i)) continue;
      const std::string& id = suite_.requirements[i].id;
      const bool judged = is_judged(i);
      result.judged += judged;
      if (is_violated(i)) result.violated.push_back(id);
      if (is_needed && !judged) result.missing.push_back(id);
    }
    result.verdict = !result.violated.empty()  ? ProfileVerdict::kNonConformant
                     : !result.missing.empty() ? ProfileVerdict::kIncomplete
                                               : ProfileVerdict::kConformant;
    return result;
  }

 private:
  bool is_judged(std::size_t requirement) const {
    return std::ranges::any_of(suite_.requirements[requirement].cases, [&](std::size_t i) {
      const CaseVerdict verdict = target_.cases[i].verdict;
      return verdict != CaseVerdict::kSkip && verdict != CaseVerdict::kNotRun &&
             concerns(profile_, suite_.cases[i]);
    });
  }

  // By the operations of the profile: another one's mistake is another profile's.
  bool is_violated(std::size_t requirement) const {
    const RequirementResult& result = target_.requirements[requirement];
    if (result.verdict != RequirementVerdict::kViolated) return false;
    return std::ranges::any_of(result.failed, [&](std::size_t i) {
      const CaseResult& each = target_.cases[i];
      if (each.verdict != CaseVerdict::kFail && !strict_) return false;
      return each.failure ? concerns(profile_, each.failure->request)
                          : concerns(profile_, suite_.cases[i]);
    });
  }

  const Suite& suite_;
  const TargetResult& target_;
  bool strict_;
  const Profile& profile_;
};

// `HQ-PTA-018 and 3 more`
std::string abridged(const std::vector<std::string>& ids) {
  return ids.size() == 1 ? ids.front() : fmt::format("{} and {} more", ids.front(), ids.size() - 1);
}

}  // namespace

std::vector<Profile> read_profiles(std::string_view file, std::string_view content,
                                   const std::vector<Requirement>& requirements) {
  std::vector<Profile> profiles;
  for (const ProfileBlock& block : read_profile_file(file, content)) {
    if (std::ranges::find(profiles, block.name, &Profile::name) != profiles.end())
      bad(block.where, "this profile stands twice");
    profiles.push_back(profile_of(block, requirements));
  }
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const bool has_profile = std::ranges::any_of(profiles, [&](const Profile& each) {
      return std::ranges::binary_search(each.needs, i) ||
             std::ranges::binary_search(each.extras, i);
    });
    if (requirements[i].gates() && !has_profile)
      bad(std::string(file), "no profile has the requirement " + requirements[i].id);
  }
  return profiles;
}

std::vector<Profile> load_profiles(const std::vector<Requirement>& requirements) {
  return read_profiles("profiles.toml", embedded_profiles(), requirements);
}

std::string_view name_of(ProfileVerdict verdict) {
  switch (verdict) {
    case ProfileVerdict::kConformant:
      return "conformant";
    case ProfileVerdict::kNonConformant:
      return "non-conformant";
    case ProfileVerdict::kIncomplete:
      return "incomplete";
    case ProfileVerdict::kNotClaimed:
      return "not claimed";
    case ProfileVerdict::kNotJudged:
      return "not judged";
  }
  return "?";
}

std::vector<ProfileResult> profile_verdicts(const Suite& suite, const TargetResult& target,
                                            bool strict) {
  std::vector<ProfileResult> results;
  for (const Profile& each : suite.profiles)
    results.push_back(Verdict(suite, target, strict, each).result());
  return results;
}

std::string describe_profiles(const std::vector<ProfileResult>& results) {
  std::string text;
  for (const ProfileResult& each : results) {
    if (each.verdict == ProfileVerdict::kNotClaimed || each.verdict == ProfileVerdict::kNotJudged)
      continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", each.profile->name, name_of(each.verdict));
    if (!each.violated.empty())
      text += fmt::format(" ({})", abridged(each.violated));
    else if (!each.missing.empty())
      text += fmt::format(" ({} not judged)", abridged(each.missing));
  }
  return text;
}

}  // namespace hurray::conformance
