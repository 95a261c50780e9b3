// SPDX-License-Identifier: Apache-2.0
//
// Comparing of reports, see compare.h.

#include "conformance/runner/compare.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/runner/attachment.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostTargets = 500;  // of a report

// Reads members of an object of the report; what is wrong names the file and the place.
class Object {
 public:
  Object(std::string_view file, std::string place, const Json& json)
      : file_(file), place_(std::move(place)), json_(json) {
    if (!json.is_object()) bad("is no object");
  }

  [[noreturn]] void bad(std::string_view what) const {
    throw UsageError(fmt::format(
        "compare: {}: {} {}; expected report.json of `hurray-conform run --report-dir`, for "
        "example\n  hurray-conform compare a/report.json b/report.json",
        file_, place_.empty() ? "it" : place_, what));
  }

  const Json* find(std::string_view key) const {
    const auto found = json_.find(std::string(key));
    return found == json_.end() ? nullptr : &*found;
  }
  const Json& need(std::string_view key) const {
    const Json* value = find(key);
    if (!value) bad(fmt::format("has no `{}`", key));
    return *value;
  }
  std::string text(std::string_view key, bool is_needed = true) const {
    const Json* value = is_needed ? &need(key) : find(key);
    if (!value) return {};
    if (!value->is_string()) bad(fmt::format("has a `{}` that is no text", key));
    return one_line(value->get<std::string>());
  }
  std::size_t number(std::string_view key) const {
    const Json& value = need(key);
    if (!value.is_number_unsigned()) bad(fmt::format("has a `{}` that is no count", key));
    return value.get<std::size_t>();
  }
  Object object(std::string_view key) const { return {file_, at(key), need(key)}; }
  // Of an array that may be absent.
  template <typename Visit>
  void each(std::string_view key, bool is_needed, Visit visit) const {
    const Json* all = is_needed ? &need(key) : find(key);
    if (!all) return;
    if (!all->is_array()) bad(fmt::format("has a `{}` that is no array", key));
    for (std::size_t i = 0; i < all->size(); ++i) {
      visit((*all)[i], fmt::format("{}[{}]", at(key), i));
    }
  }
  const Json& json() const { return json_; }

 private:
  std::string at(std::string_view key) const {
    return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
  }

  std::string_view file_;
  std::string place_;
  const Json& json_;
};

ComparedRequirement read_requirement(std::string_view file, const Object& object) {
  ComparedRequirement requirement;
  requirement.verdict = object.text("verdict");
  requirement.asked = object.number("cases");
  object.each("failed", true, [&](const Json& json, const std::string& place) {
    if (requirement.failed++ > 0) return;
    const Object failed(file, place, json);
    requirement.case_name = failed.text("case");
    requirement.failure_class = failed.text("class", false);
    if (!failed.find("counter_example")) return;
    const Object example = failed.object("counter_example");
    requirement.expected = example.text("expected");
    requirement.got = example.text("got");
  });
  return requirement;
}

ComparedTarget read_target(std::string_view file, const Object& object) {
  ComparedTarget target;
  target.name = object.text("name");
  target.verdict = object.text("verdict");
  target.reason = object.text("reason", false);
  object.each("contracts", true, [&](const Json& json, const std::string& place) {
    if (!json.is_string()) object.bad(place + " is no text");
    target.contracts.push_back(one_line(json.get<std::string>()));
  });
  const Object behaviours = object.object("behaviours");
  for (const auto& [name, option] : behaviours.json().items()) {
    target.behaviours[one_line(name)] = behaviours.text(name);
  }
  object.each("profiles", false, [&](const Json& json, const std::string& place) {
    const Object profile(file, place, json);
    target.profiles[profile.text("profile")] = profile.text("verdict");
  });
  object.each("requirements", true, [&](const Json& json, const std::string& place) {
    const Object requirement(file, place, json);
    const std::string id = requirement.text("id");
    const bool is_new = target.requirements.emplace(id, read_requirement(file, requirement)).second;
    if (!is_new) requirement.bad(fmt::format("is a second {}", id));
    target.order.push_back(id);
  });
  return target;
}

// `reports/b.json` is told from `a.json` by `reports/b`; report.json by its folder.
std::string short_name(std::string_view file) {
  if (file.ends_with(".json")) file.remove_suffix(5);
  if (file.ends_with("/report")) file.remove_suffix(7);
  return std::string(file);
}

}  // namespace

std::size_t ComparedTarget::count(std::string_view wanted) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      requirements, [&](const auto& each) { return each.second.verdict == wanted; }));
}

std::vector<ComparedTarget> read_report(std::string_view file, std::string_view content) {
  const Json json = Json::parse(content, nullptr, false);
  if (json.is_discarded()) Object(file, {}, Json::object()).bad("is no JSON");
  const Object report(file, {}, json);
  const Object suite = report.object("suite");
  if (suite.text("name") != "hurray-conformance") suite.bad("is not of hurray-conformance");
  const Json& strict = report.need("strict");
  if (!strict.is_boolean()) report.bad("has a `strict` that is neither true nor false");
  std::vector<ComparedTarget> targets;
  report.each("targets", true, [&](const Json& each, const std::string& place) {
    if (targets.size() == kMostTargets) report.bad("has too many targets");
    targets.push_back(read_target(file, Object(file, place, each)));
    ComparedTarget& target = targets.back();
    target.file = file;
    target.strict = strict.get<bool>();
    target.suite_version = suite.text("version");
    target.suite_digest = suite.text("digest");
  });
  if (targets.empty()) report.bad("has no target");
  return targets;
}

void tell_apart(std::vector<ComparedTarget>& targets) {
  std::map<std::string, std::size_t> names;
  for (const ComparedTarget& each : targets) ++names[each.name];
  std::set<std::string> taken;
  for (ComparedTarget& each : targets) {
    if (names[each.name] > 1) each.name += fmt::format(" ({})", one_line(short_name(each.file)));
    const std::string name = each.name;
    for (int i = 2; !taken.insert(each.name).second; ++i) each.name = fmt::format("{} {}", name, i);
  }
}

std::vector<std::string> all_requirements(const std::vector<ComparedTarget>& targets) {
  std::vector<std::string> ids;
  std::set<std::string> seen;
  for (const ComparedTarget& target : targets) {
    // What only a later report has stands behind what came before it there.
    std::size_t at = 0;
    for (const std::string& id : target.order) {
      if (seen.insert(id).second) {
        ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(at), id);
        ++at;
      } else {
        at = static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin()) + 1;
      }
    }
  }
  return ids;
}

std::vector<std::string> differing_suites(const std::vector<ComparedTarget>& targets) {
  std::vector<std::string> sentences;
  std::set<std::string> said;
  const ComparedTarget& first = targets.front();
  for (const ComparedTarget& each : targets) {
    if (!said.insert(each.file).second) continue;
    if (each.suite_digest != first.suite_digest) {
      sentences.push_back(fmt::format(
          "{} is of other cases (suite {}, digest {}…) than {} (suite {}, digest {}…): a "
          "difference may be the suite's",
          one_line(each.file), each.suite_version, excerpt(each.suite_digest, 12),
          one_line(first.file), first.suite_version, excerpt(first.suite_digest, 12)));
    }
    if (each.strict != first.strict) {
      sentences.push_back(fmt::format("{} {} made with --strict, and {} {}", one_line(each.file),
                                      each.strict ? "was" : "was not", one_line(first.file),
                                      first.strict ? "was" : "was not"));
    }
  }
  return sentences;
}

std::string comparison_text(const std::vector<ComparedTarget>& targets) {
  std::size_t width = 6;
  for (const ComparedTarget& each : targets) width = std::max(width, each.name.size());
  std::string text = fmt::format("{:<{}}  holds  warned  violated  verdict\n", "target", width);
  for (const ComparedTarget& each : targets) {
    text += fmt::format("{:<{}}  {:>5}  {:>6}  {:>8}  {}\n", each.name, width,
                        each.count("conforms") + each.count("recorded"), each.count("warned"),
                        each.count("violated"), each.verdict);
  }
  return text;
}

}  // namespace hurray::conformance
