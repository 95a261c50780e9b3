// SPDX-License-Identifier: Apache-2.0
//
// Expectations about targets, see expectation.h.

#include "conformance/runner/expectation.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

const RequirementResult* find_result(const TargetResult& target, const std::string& id) {
  for (const RequirementResult& each : target.requirements) {
    if (each.requirement->id == id) return &each;
  }
  return nullptr;
}

}  // namespace

std::string build_folder() {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? "." : program.parent_path().parent_path().string();
}

std::string in_build_folder(const std::string& attachment) {
  return replaced(attachment, "{bin}", build_folder());
}

bool is_here(const MeantTarget& meant) {
  if (meant.needs.empty()) return true;
  if (meant.attachment.starts_with("builtin:")) return is_builtin_here(meant.attachment);
  const std::string command = in_build_folder(meant.attachment);
  const std::size_t start = command.find(':') + 1;
  return std::filesystem::exists(command.substr(start, command.find(' ', start) - start));
}

std::vector<Candidate> candidates_of(const std::vector<MeantTarget>& meant,
                                     const std::string& list_path, const Limits& limits) {
  const std::filesystem::path folder = std::filesystem::absolute(list_path).parent_path();
  std::vector<Candidate> candidates;
  for (const MeantTarget& each : meant) {
    if (!is_here(each)) continue;
    const std::string attachment =
        replaced(in_build_folder(each.attachment), "{here}", folder.string());
    Candidate candidate{parse_attachment(attachment), limits};
    candidate.attachment.name = each.name;
    // Reports are the same wherever the checkout stands.
    candidate.attachment.text = each.attachment;
    if (each.timeout_ms) candidate.limits.timeout_ms = *each.timeout_ms;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::vector<std::string> unmet_expectations(const std::vector<MeantTarget>& meant,
                                            const std::vector<TargetResult>& results) {
  std::vector<std::string> unmet;
  for (const MeantTarget& wanted : meant) {
    const auto found = std::find_if(results.begin(), results.end(), [&](const TargetResult& each) {
      return each.attachment.name == wanted.name;
    });
    if (found == results.end() || found->verdict == TargetVerdict::kNotJudged) continue;
    const bool nothing_to_violate =
        !wanted.violates.empty() &&
        std::all_of(wanted.violates.begin(), wanted.violates.end(), [&](const std::string& id) {
          const RequirementResult* result = find_result(*found, id);
          return result && result->verdict == RequirementVerdict::kNotRun;
        });
    if (!nothing_to_violate && name_of(found->verdict) != wanted.verdict) {
      unmet.push_back(fmt::format("{}: meant to be {}, is {}{}", wanted.name, wanted.verdict,
                                  name_of(found->verdict),
                                  found->broken ? " (" + found->broken->reason + ")" : ""));
    }
    for (const std::string& id : wanted.violates) {
      const RequirementResult* result = find_result(*found, id);
      if (!result) {
        unmet.push_back(
            fmt::format("{}: meant to violate {}, which is no requirement", wanted.name, id));
      } else if (result->verdict != RequirementVerdict::kViolated &&
                 result->verdict != RequirementVerdict::kNotRun) {
        unmet.push_back(fmt::format("{}: meant to violate {}, does not", wanted.name, id));
      }
    }
    if (!wanted.reason.empty() &&
        (!found->broken || found->broken->reason.find(wanted.reason) == std::string::npos)) {
      unmet.push_back(fmt::format("{}: meant to be broken because of `{}`, the reason is `{}`",
                                  wanted.name, wanted.reason,
                                  found->broken ? found->broken->reason : "none"));
    }
  }
  for (const TargetResult& each : results) {
    const bool is_listed = std::any_of(meant.begin(), meant.end(), [&](const MeantTarget& wanted) {
      return wanted.name == each.attachment.name;
    });
    if (!is_listed)
      unmet.push_back(fmt::format("{}: not in the list of --expect", each.attachment.name));
  }
  return unmet;
}

}  // namespace hurray::conformance
