// SPDX-License-Identifier: Apache-2.0
//
// Vectors as JSON, see vectors.h. Keys are sorted, and each vector stands on a line of its own, so
// that a change of one case is a change of one line.

#include "conformance/runner/vectors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/runner/attachment.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/report.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "hurray-conformance vectors 1";

// What VectorSelection::kSmall keeps: requests and answers of so many characters together, and of
// each family at least so many cases unless they are longer than that.
constexpr std::size_t kShort = 200;
constexpr std::size_t kLeastOfFamily = 4;
constexpr std::size_t kNotLonger = 4000;

std::size_t length_of(const Case& item) {
  std::size_t length = 0;
  for (const Step& step : item.steps) {
    length += step.request.size();
    for (const Alternative& each : step.expect) length += each.answer.size();
  }
  return length;
}

Json json_of(const Step& step) {
  Json expect = Json::array();
  for (const Alternative& each : step.expect) {
    Json alternative = {{"answer", each.answer}, {"verdict", name_of(each.verdict)}};
    if (!each.shows.empty()) alternative["shows"] = each.shows;
    if (!each.free.empty()) alternative["free"] = each.free;
    std::vector<std::string> patterns = patterns_of(step.request, each);
    const bool is_literal = patterns == std::vector{each.answer};
    if (!is_literal && each.answer.starts_with("ok")) alternative["patterns"] = std::move(patterns);
    expect.push_back(std::move(alternative));
  }
  return {{"request", step.request}, {"expect", std::move(expect)}};
}

std::string group_of(const std::string& case_name) {
  return case_name.substr(0, case_name.find('/'));
}

// Which cases are written out, by index.
std::vector<bool> selected(const Suite& suite, VectorSelection selection) {
  std::vector<bool> chosen(suite.cases.size(), selection == VectorSelection::kAll);
  if (selection == VectorSelection::kAll) return chosen;
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> families;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    families[family_of(suite.cases[i].name)].emplace_back(length_of(suite.cases[i]), i);
  }
  for (auto& [family, cases] : families) {
    std::ranges::sort(cases);
    for (std::size_t rank = 0; rank < cases.size(); ++rank) {
      const auto& [length, index] = cases[rank];
      chosen[index] = length <= kShort || (rank < kLeastOfFamily && length <= kNotLonger);
    }
  }
  return chosen;
}

// The two files of a group.
class Group {
 public:
  void add(const Case& item, const std::string& vector) {
    vectors_ += (vectors_.empty() ? "" : ",\n") + vector;
    lines_ += lines_of(item, next_id_);
    ++count_;
  }
  void omit(const std::string& family, const std::string& vector) {
    Omitted& omitted = omitted_[family];
    ++omitted.cases;
    omitted.vectors += vector + "\n";
  }
  std::size_t size() const { return count_; }

  std::string json(const std::string& name) const {
    Json omitted = Json::array();
    for (const auto& [family, each] : omitted_) {
      omitted.push_back(
          {{"family", family}, {"cases", each.cases}, {"digest", sha256_of(each.vectors)}});
    }
    std::string all;
    for (const Json& each : omitted) all += (all.empty() ? "\n" : ",\n") + each.dump();
    return fmt::format(
        "{{\"format\":\"{}\",\"group\":\"{}\",\"omitted\":[{}],\"vectors\":[\n{}\n]}}\n", kFormat,
        name, all, vectors_);
  }
  const std::string& lines() const { return lines_; }

 private:
  struct Omitted {
    std::size_t cases = 0;
    std::string vectors;  // a line each
  };
  std::string vectors_, lines_;
  std::map<std::string, Omitted> omitted_;
  std::size_t count_ = 0;
  std::uint32_t next_id_ = 1;
};

std::string manifest_of(const Suite& suite, VectorSelection selection,
                        const std::map<std::string, Group>& groups) {
  Json files = Json::object();
  std::size_t all = 0;
  for (const auto& [name, group] : groups) {
    files[name + ".json"] = {{"vectors", group.size()}};
    all += group.size();
  }
  const Json manifest = {{"format", kFormat},
                         {"selection", name_of(selection)},
                         {"vectors", all},
                         {"suite",
                          {{"version", kSuiteVersion},
                           {"digest", suite.digest},
                           {"cases", suite.cases.size()},
                           {"requirements", suite.requirements.size()}}},
                         {"groups", files}};
  return manifest.dump(1) + "\n";
}

}  // namespace

std::string_view name_of(VectorSelection selection) {
  return selection == VectorSelection::kAll ? "all" : "small";
}

std::string vector_of(const Case& item, std::span<const std::string> requirements) {
  Json steps = Json::array();
  for (const Step& each : item.steps) steps.push_back(json_of(each));
  const Json vector = {{"id", item.name},
                       {"requirements", requirements},
                       {"why", item.why},
                       {"steps", std::move(steps)}};
  return vector.dump();
}

VectorFiles export_vectors(const Suite& suite, VectorSelection selection) {
  std::vector<std::vector<std::string>> requirements(suite.cases.size());
  for (const Requirement& each : suite.requirements) {
    for (const std::size_t index : each.cases) requirements[index].push_back(each.id);
  }
  const std::vector<bool> chosen = selected(suite, selection);
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const Case& item = suite.cases[i];
    const std::string vector = vector_of(item, requirements[i]);
    Group& group = groups[group_of(item.name)];
    if (chosen[i])
      group.add(item, vector);
    else
      group.omit(family_of(item.name), vector);
  }

  VectorFiles files;
  for (const auto& [name, group] : groups) {
    files[name + ".json"] = group.json(name);
    files[name + ".txt"] = group.lines();
  }
  files[std::string(kVectorManifest)] = manifest_of(suite, selection, groups);
  files[std::string(kVectorSchema)] = embedded_vectors_schema();
  std::string sums;
  for (const auto& [name, content] : files) {
    sums += fmt::format("{}  {}\n", sha256_of(content), name);
  }
  files[std::string(kVectorSums)] = sums;
  return files;
}

Case case_of_vector(std::string_view text, const std::string& where, bool* differs) {
  const auto bad = [&](std::string_view what) {
    return UsageError(
        fmt::format("{}: {}; expected one vector, as fuzz --out writes them and a line of "
                    "`vectors export` is",
                    where, what));
  };
  const Json vector = Json::parse(text, nullptr, false);
  if (!vector.is_object()) throw bad("not a JSON object");
  Case item;
  const auto text_at = [&](const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string()) {
      throw bad(fmt::format("no text `{}`", key));
    }
    return object[key].get<std::string>();
  };
  item.name = text_at(vector, "id");
  item.why = text_at(vector, "why");
  if (!vector.contains("steps") || !vector["steps"].is_array() || vector["steps"].empty()) {
    throw bad("no `steps`");
  }
  for (const Json& each : vector["steps"]) {
    const std::string request = text_at(each, "request");
    try {
      item.steps.push_back({request, expected_answers(read_request(request))});
    } catch (const SuiteError& error) {
      throw bad(error.what());
    }
  }
  if (differs) {
    // Compared as this program would write it.
    *differs = Json::parse(vector_of(item, {}))["steps"] != vector["steps"];
  }
  return item;
}

}  // namespace hurray::conformance
