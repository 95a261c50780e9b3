// SPDX-License-Identifier: Apache-2.0
//
// Where do requirements and cases come from? Takes the requirement files that were built into the
// program, makes the families that they name, and has the oracle compute what may be answered. A
// hand-written expectation that the oracle does not share is an error of the suite.

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/families/families.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/parallel.h"
#include "conformance/runner/profiles.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {
namespace {

[[noreturn]] void bad(const std::string& where, const std::string& what) {
  throw SuiteError(where + ": " + what);
}

bool equal(const Alternative& a, const Alternative& b) {
  return a.answer == b.answer && a.verdict == b.verdict && a.shows == b.shows && a.free == b.free;
}

std::string describe(const std::vector<Alternative>& alternatives) {
  std::string all;
  for (const Alternative& each : alternatives) {
    all += fmt::format("\n    {} ({})", each.answer.substr(0, 200), name_of(each.verdict));
    for (const auto& [behaviour, options] : each.shows) {
      all += fmt::format(" {}={}", behaviour, fmt::join(options, "|"));
    }
    if (!each.free.empty()) all += fmt::format(" free={}", fmt::join(each.free, ","));
  }
  return all;
}

// What a person wrote and what the oracle computes must be the same.
void check_expectation(const Case& item, const Step& step,
                       const std::vector<Alternative>& computed) {
  if (std::equal(step.expect.begin(), step.expect.end(), computed.begin(), computed.end(), equal)) {
    return;
  }
  bad(item.name,
      fmt::format("the oracle disagrees with the requirement file\n  request {}\n  file{}"
                  "\n  oracle{}",
                  step.request.substr(0, 200), describe(step.expect), describe(computed)));
}

using Names = std::map<std::string, std::size_t, std::less<>>;

// Indices of the names that match a glob. Only names that begin like it are tried.
std::vector<std::size_t> matching_names(const Names& names, const std::string& pattern) {
  const std::string start = pattern.substr(0, pattern.find_first_of("*?["));
  std::vector<std::size_t> indices;
  for (auto each = names.lower_bound(start); each != names.end() && each->first.starts_with(start);
       ++each) {
    if (fnmatch(pattern.c_str(), each->first.c_str(), 0) == 0) indices.push_back(each->second);
  }
  return indices;
}

// Puts requirements, hand-written cases and families together.
class Loader {
 public:
  Loader() {
    const std::vector<Family> families = all_families();
    std::vector<std::vector<Draft>> drafts(families.size());
    in_parallel(processors(), families.size(),
                [&](std::size_t i) { drafts[i] = families[i].make(); });
    for (std::size_t i = 0; i < families.size(); ++i) add(families[i], drafts[i]);
  }

  void add(RequirementBlock block) {
    for (const std::string& family : block.families) block.shares.push_back(family + "/*");
    for (Case& item : block.cases) {
      // A requirement always judges by its own cases; the name finds them again.
      block.shares.push_back(item.name);
      insert(std::move(item));
    }
    const std::string where = block.where;
    const std::string id = block.requirement.id;
    if (!blocks_.emplace(id, std::move(block)).second) bad(where, "this id stands twice");
  }

  Suite finish(bool with_answers) {
    Suite suite;
    for (auto& [name, item] : cases_) suite.cases.push_back(std::move(item));
    if (with_answers) {
      in_parallel(processors(), suite.cases.size(),
                  [&](std::size_t i) { complete(suite.cases[i]); });
    }
    Names index_of;
    for (std::size_t i = 0; i < suite.cases.size(); ++i) index_of[suite.cases[i].name] = i;

    std::vector<bool> judging(suite.cases.size(), false);
    for (auto& [id, block] : blocks_) {
      for (const std::string& ruling : block.requirement.rulings) {
        if (text_of_ruling(ruling).empty()) bad(id, "RULINGS.md has no section on " + ruling);
      }
      for (const std::string& name : block.requirement.classes) {
        if (meaning_of_class(name).empty()) bad(id, "no failure has the class " + name);
      }
      std::set<std::size_t> indices;
      for (const std::string& pattern : block.shares) {
        const std::vector<std::size_t> matching = matching_names(index_of, pattern);
        if (matching.empty()) bad(id, "`shares` names no case: " + pattern);
        indices.insert(matching.begin(), matching.end());
      }
      Requirement& requirement = block.requirement;
      requirement.cases.assign(indices.begin(), indices.end());
      for (const std::size_t index : indices) judging[index] = true;
      if (indices.empty() == requirement.reason().empty()) {
        bad(id,
            "needs cases, or else one reason why there are none (not_testable, "
            "compile_test, one_implementation)");
      }
      suite.requirements.push_back(std::move(requirement));
    }
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
      if (!judging[i]) bad(suite.cases[i].name, "no requirement is judged by this case");
    }
    return suite;
  }

 private:
  void add(const Family& family, std::vector<Draft>& drafts) {
    for (Draft& draft : drafts) {
      Case item;
      item.name = std::string(family.name) + "/" + draft.name;
      item.why = family.why;
      for (std::string& request : draft.requests) item.steps.push_back({std::move(request), {}});
      insert(std::move(item));
    }
  }

  // Only hand-written cases come with an expectation of their own.
  static void complete(Case& item) {
    for (Step& step : item.steps) {
      try {
        std::vector<Alternative> computed = expected_answers(read_request(step.request));
        if (!step.expect.empty()) check_expectation(item, step, computed);
        step.expect = std::move(computed);
      } catch (const SuiteError& error) {
        if (std::string_view(error.what()).starts_with(item.name)) throw;
        bad(item.name, error.what());
      }
    }
  }

  void insert(Case item) {
    const std::string name = item.name;
    if (!cases_.emplace(name, std::move(item)).second) bad(name, "this case name stands twice");
  }

  std::map<std::string, RequirementBlock> blocks_;
  std::map<std::string, Case, std::less<>> cases_;
};

// Everything that a verdict rests on.
std::string digest_of(const Case& item) {
  Digest digest;
  digest.add(item.name);
  for (const Step& step : item.steps) {
    digest.add(step.request);
    for (const Alternative& each : step.expect) {
      digest.add(each.answer);
      digest.add(name_of(each.verdict));
      for (const auto& [behaviour, options] : each.shows) {
        digest.add(behaviour);
        digest.add(fmt::format("{}", fmt::join(options, "|")));
      }
      digest.add(fmt::format("{}", fmt::join(each.free, ",")));
    }
  }
  return digest.finish();
}

std::string digest_of(const Suite& suite) {
  std::vector<std::string> of_cases(suite.cases.size());
  in_parallel(processors(), of_cases.size(),
              [&](std::size_t i) { of_cases[i] = digest_of(suite.cases[i]); });

  Digest digest;
  for (const Requirement& each : suite.requirements) {
    digest.add(each.id);
    digest.add(each.level);
    digest.add(name_of(each.contract));
    for (const std::size_t index : each.cases) digest.add(suite.cases[index].name);
  }
  for (const std::string& each : of_cases) digest.add(each);
  return digest.finish();
}

}  // namespace

std::string_view text_of_ruling(std::string_view id) {
  const std::string_view all = embedded_rulings();
  const std::size_t start = all.find(fmt::format("\n### {} ", id));
  if (start == std::string_view::npos) return {};
  const std::string_view section = all.substr(start + 1);
  return section.substr(0, std::min(section.find("\n\n##"), section.size()));
}

namespace {

Suite load(bool with_answers) {
  Loader loader;
  for (const EmbeddedFile& file : embedded_requirement_files()) {
    for (RequirementBlock& block : read_requirement_file(file.name, file.content)) {
      loader.add(std::move(block));
    }
  }
  return loader.finish(with_answers);
}

}  // namespace

Suite load_suite() {
  Suite suite = load(true);
  suite.digest = digest_of(suite);
  suite.profiles = load_profiles(suite.requirements);
  return suite;
}

Suite load_seeds() { return load(false); }

std::vector<Requirement> load_requirements() {
  std::vector<Requirement> requirements;
  for (const EmbeddedFile& file : embedded_requirement_files()) {
    for (RequirementBlock& block : read_requirement_file(file.name, file.content)) {
      requirements.push_back(std::move(block.requirement));
    }
  }
  return requirements;
}

}  // namespace hurray::conformance
