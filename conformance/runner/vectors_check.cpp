// SPDX-License-Identifier: Apache-2.0
//
// Are these files an export, whole and of this suite? Digests first, then the schema, then a fresh
// export to compare with, see vectors.h. The only file that includes valijson.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "conformance/runner/digest.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/vectors.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;
using Kind = VectorProblem::Kind;

constexpr std::size_t kMostNamed = 5;

std::string named(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNamed);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

class Check {
 public:
  Check(const Suite& suite, const VectorFiles& files) : suite_(suite), files_(files) {}

  std::vector<VectorProblem> go() {
    check_digests();
    check_shapes();
    if (problems_.empty()) compare();
    return std::move(problems_);
  }

 private:
  static bool is_group(std::string_view name) {
    return name.ends_with(".json") && name != kVectorManifest && name != kVectorSchema;
  }

  void add(Kind kind, std::string_view file, std::string what) {
    problems_.push_back({kind, std::string(file), std::move(what)});
  }

  const std::string* find(std::string_view name) const {
    const auto found = files_.find(std::string(name));
    return found == files_.end() ? nullptr : &found->second;
  }

  void check_digests() {
    const std::string* sums = find(kVectorSums);
    if (!sums) {
      add(Kind::kDamaged, kVectorSums, "missing: this is no export");
      return;
    }
    if (sums->find('\r') != std::string::npos) {
      add(Kind::kDamaged, kVectorSums,
          "has carriage returns: line ends were converted, by Git perhaps (core.autocrlf)");
      return;
    }
    std::set<std::string> listed = {std::string(kVectorSums)};
    for (std::size_t start = 0; start < sums->size();) {
      const std::size_t end = std::min(sums->find('\n', start), sums->size());
      const std::string line = sums->substr(start, end - start);
      start = end + 1;
      if (line.size() < 67 || line.substr(64, 2) != "  ") {
        add(Kind::kDamaged, kVectorSums,
            fmt::format("`{}` is not a digest, two blanks and a name", cleaned(excerpt(line, 80))));
        continue;
      }
      const std::string name = line.substr(66);
      listed.insert(name);
      const std::string* content = find(name);
      if (!content) {
        add(Kind::kDamaged, name, "missing");
      } else if (const std::string digest = sha256_of(*content); digest != line.substr(0, 64)) {
        add(Kind::kDamaged, name,
            fmt::format("its SHA-256 is {} and not {}", digest, cleaned(line.substr(0, 64))));
      }
    }
    for (const auto& [name, content] : files_) {
      if (!listed.contains(name)) add(Kind::kDamaged, name, "not listed in SHA256SUMS");
    }
  }

  // What a schema cannot say without regular expressions over megabytes.
  static std::string unreadable_line(const Json& vector) {
    std::string error;
    for (const Json& step : vector["steps"]) {
      if (!parse_request(step["request"].get<std::string>())) return "a request is no request line";
      for (const Json& each : step["expect"]) {
        if (!parse_answer_body(each["answer"].get<std::string>(), error)) return error;
      }
    }
    return {};
  }

  void check_shapes() {
    const Json schema_json = Json::parse(embedded_vectors_schema());
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(schema_json), schema);
    for (const auto& [name, content] : files_) {
      if (!is_group(name)) continue;
      const Json file = Json::parse(content, nullptr, false);
      if (file.is_discarded()) {
        add(Kind::kDamaged, name, "not JSON");
        continue;
      }
      valijson::Validator validator;
      valijson::ValidationResults results;
      if (!validator.validate(schema, Adapter(file), &results)) {
        valijson::ValidationResults::Error error;
        std::string what = "does not fit the schema";
        // The innermost is reported first.
        if (results.popError(error)) {
          what += fmt::format(": at {}: {}", fmt::join(error.context, ""), error.description);
        }
        add(Kind::kDamaged, name, cleaned(what));
        continue;
      }
      for (const Json& vector : file["vectors"]) {
        if (const std::string what = unreadable_line(vector); !what.empty()) {
          add(Kind::kDamaged, name,
              cleaned(fmt::format("{}: {}", vector["id"].get<std::string>(), what)));
        }
      }
    }
    const std::string* manifest = find(kVectorManifest);
    const Json json = manifest ? Json::parse(*manifest, nullptr, false) : Json();
    const bool has_selection = json.is_object() && json.contains("selection");
    if (has_selection && json["selection"] == name_of(VectorSelection::kAll)) {
      selection_ = VectorSelection::kAll;
    } else if (has_selection && json["selection"] == name_of(VectorSelection::kSmall)) {
      selection_ = VectorSelection::kSmall;
    } else {
      add(Kind::kDamaged, kVectorManifest, "does not say `selection`, all or small");
    }
  }

  // Vectors by id, as their lines in the file have them.
  static std::map<std::string, std::string> vectors_of(const std::string& content) {
    std::map<std::string, std::string> vectors;
    const Json file = Json::parse(content, nullptr, false);
    for (const Json& each : file["vectors"]) vectors[each["id"]] = each.dump();
    return vectors;
  }

  void compare_vectors(const std::string& name, const std::string& ours) {
    const auto here = vectors_of(files_.at(name)), fresh = vectors_of(ours);
    std::vector<std::string> gone, changed, added;
    for (const auto& [id, vector] : here) {
      const auto found = fresh.find(id);
      if (found == fresh.end())
        gone.push_back(id);
      else if (found->second != vector)
        changed.push_back(id);
    }
    for (const auto& [id, vector] : fresh) {
      if (!here.contains(id)) added.push_back(id);
    }
    std::string what;
    for (const auto& [word, names] :
         {std::pair{"other vectors", &changed}, std::pair{"vectors only here", &gone},
          std::pair{"vectors only in this program", &added}}) {
      if (names->empty()) continue;
      what +=
          fmt::format("{}{} {}: {}", what.empty() ? "" : "; ", names->size(), word, named(*names));
    }
    add(Kind::kDiffers, name, what.empty() ? "other text around the vectors" : what);
  }

  void compare() {
    const VectorFiles fresh = export_vectors(suite_, selection_);
    for (const auto& [name, content] : files_) {
      const auto ours = fresh.find(name);
      if (ours == fresh.end()) {
        add(Kind::kDiffers, name, "this program does not export it");
      } else if (ours->second != content) {
        if (is_group(name))
          compare_vectors(name, ours->second);
        else
          add(Kind::kDiffers, name, "not as this program exports it");
      }
    }
    for (const auto& [name, content] : fresh) {
      if (!files_.contains(name)) add(Kind::kDiffers, name, "this program exports it as well");
    }
  }

  const Suite& suite_;
  const VectorFiles& files_;
  VectorSelection selection_ = VectorSelection::kAll;
  std::vector<VectorProblem> problems_;
};

}  // namespace

std::vector<VectorProblem> check_vectors(const Suite& suite, const VectorFiles& files) {
  return Check(suite, files).go();
}

}  // namespace hurray::conformance
