// SPDX-License-Identifier: Apache-2.0
//
// Reading of the TOML files, see toml_files.h. The only file that includes toml++.

#include "conformance/runner/toml_files.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

[[noreturn]] void bad(const std::string& where, const std::string& what) {
  throw SuiteError(where + ": " + what);
}

std::string text(const toml::table& table, std::string_view key, const std::string& where) {
  const toml::node* node = table.get(key);
  if (!node) return {};
  const std::optional<std::string> value = node->value<std::string>();
  if (!value || !node->is_string()) bad(where, fmt::format("`{}` is not a string", key));
  return *value;
}

std::vector<std::string> texts(const toml::table& table, std::string_view key,
                               const std::string& where) {
  std::vector<std::string> all;
  const toml::node* node = table.get(key);
  if (!node) return all;
  if (!node->is_array()) bad(where, fmt::format("`{}` is not an array of strings", key));
  for (const toml::node& each : *node->as_array()) {
    if (!each.is_string()) bad(where, fmt::format("`{}` is not an array of strings", key));
    all.push_back(**each.as_string());
  }
  return all;
}

void check_keys(const toml::table& table, const std::set<std::string_view>& known,
                const std::string& where) {
  for (const auto& [key, node] : table) {
    if (!known.contains(key.str())) bad(where, fmt::format("unknown key `{}`", key.str()));
  }
}

CaseVerdict verdict_named(const std::string& name, const std::string& where) {
  if (name.empty() || name == "pass") return CaseVerdict::kPass;
  if (name == "warn") return CaseVerdict::kWarn;
  if (name == "record") return CaseVerdict::kRecord;
  bad(where, "a verdict is pass, warn or record, not " + name);
}

Alternative read_alternative(const toml::node& node, const std::string& where) {
  Alternative alternative;
  if (node.is_string()) {
    alternative.answer = **node.as_string();
    return alternative;
  }
  const toml::table* table = node.as_table();
  if (!table) bad(where, "an expectation is a string or a table");
  check_keys(*table, {"answer", "verdict", "shows", "free"}, where);
  alternative.answer = text(*table, "answer", where);
  alternative.verdict = verdict_named(text(*table, "verdict", where), where);
  if (const toml::node* shows = table->get("shows")) {
    if (!shows->is_table()) bad(where, "`shows` is not a table");
    for (const auto& [behaviour, options] : *shows->as_table()) {
      alternative.shows[std::string(behaviour.str())] =
          texts(*shows->as_table(), behaviour.str(), where);
    }
  }
  if (const toml::node* free = table->get("free")) {
    if (!free->is_array()) bad(where, "`free` is not an array of indices");
    for (const toml::node& index : *free->as_array()) {
      const std::optional<std::int64_t> value = index.value<std::int64_t>();
      if (!index.is_integer() || *value < 0) bad(where, "`free` is not an array of indices");
      alternative.free.push_back(static_cast<std::size_t>(*value));
    }
  }
  return alternative;
}

// Keys whose values are written as annotated lines.
constexpr std::array<std::string_view, 11> kArrays = {
    "bytes", "q", "in", "packed", "values", "weights", "scales", "plane", "b0", "b1", "b2"};

// A request line, completed by the annotated arrays beside it.
Step read_step(const toml::table& table, std::vector<std::string>& notes,
               const std::string& where) {
  Step step;
  step.request = text(table, "request", where);
  for (const std::string_view key : kArrays) {
    if (!table.contains(key)) continue;
    step.request += fmt::format(" {}=", key);
    for (const std::string& line : texts(table, key, where)) {
      step.request += line.substr(0, line.find(' '));
      notes.push_back(line);
    }
  }
  const toml::node* expect = table.get("expect");
  if (!expect) bad(where, "no `expect`");
  if (const toml::array* several = expect->as_array()) {
    for (const toml::node& each : *several) step.expect.push_back(read_alternative(each, where));
  } else {
    step.expect.push_back(read_alternative(*expect, where));
  }
  if (step.expect.empty()) bad(where, "`expect` has no alternative");
  return step;
}

Case read_case(const toml::table& table, const std::string& where) {
  std::set<std::string_view> of_step(kArrays.begin(), kArrays.end());
  of_step.insert({"request", "expect"});
  std::set<std::string_view> of_case = of_step;
  of_case.insert({"name", "why", "step"});
  check_keys(table, of_case, where);
  Case item;
  item.name = text(table, "name", where);
  item.why = text(table, "why", where);
  if (item.name.empty()) bad(where, "a case without `name`");
  if (item.why.empty()) bad(item.name, "a case without `why`");
  if (const toml::node* steps = table.get("step")) {
    if (!steps->is_array_of_tables()) bad(item.name, "`step` is not an array of tables");
    for (const std::string_view key : of_step) {
      if (!table.contains(key)) continue;
      bad(item.name, fmt::format("either `{}` or [[…step]], not both", key));
    }
    for (const toml::node& each : *steps->as_array()) {
      check_keys(*each.as_table(), of_step, item.name);
      item.steps.push_back(read_step(*each.as_table(), item.notes, item.name));
    }
  } else {
    item.steps.push_back(read_step(table, item.notes, item.name));
  }
  return item;
}

RequirementBlock read_requirement(const toml::table& table, const std::string& file) {
  RequirementBlock block;
  Requirement& requirement = block.requirement;
  requirement.id = text(table, "id", file);
  const std::string where = block.where = file + ": " + requirement.id;
  static const std::set<std::string_view> kKeys = {
      "id",      "level",  "contract", "clause",       "text",         "rulings",
      "classes", "shares", "families", "not_testable", "compile_test", "one_implementation",
      "case"};
  check_keys(table, kKeys, where);
  requirement.level = text(table, "level", where);
  requirement.clause = text(table, "clause", where);
  requirement.text = text(table, "text", where);
  requirement.rulings = texts(table, "rulings", where);
  requirement.classes = texts(table, "classes", where);
  requirement.not_testable = text(table, "not_testable", where);
  requirement.compile_test = text(table, "compile_test", where);
  if (const toml::node* flag = table.get("one_implementation")) {
    if (!flag->is_boolean()) bad(where, "`one_implementation` is true or false");
    requirement.one_implementation = **flag->as_boolean();
  }
  const std::string contract = text(table, "contract", where);
  if (contract != "hurray" && contract != "ra8") bad(where, "`contract` is hurray or ra8");
  requirement.contract = contract == "hurray" ? Contract::kHurray : Contract::kRa8;
  if (requirement.id.empty() || requirement.level.empty() || requirement.clause.empty() ||
      requirement.text.empty()) {
    bad(where, "id, level, clause and text are all needed");
  }
  block.shares = texts(table, "shares", where);
  block.families = texts(table, "families", where);
  if (const toml::node* some = table.get("case")) {
    if (!some->is_array_of_tables()) bad(where, "`case` is not an array of tables");
    for (const toml::node& each : *some->as_array()) {
      block.cases.push_back(read_case(*each.as_table(), where));
    }
  }
  return block;
}

MeantTarget read_meant_target(const toml::table& table, const std::string& path) {
  check_keys(table, {"name", "attachment", "verdict", "violates", "reason", "timeout", "needs"},
             path);
  MeantTarget target;
  target.name = text(table, "name", path);
  const std::string where = path + ": " + target.name;
  target.attachment = text(table, "attachment", where);
  target.verdict = text(table, "verdict", where);
  target.violates = texts(table, "violates", where);
  target.reason = text(table, "reason", where);
  target.needs = text(table, "needs", where);
  if (const toml::node* seconds = table.get("timeout")) {
    const std::optional<double> value = seconds->value<double>();
    if (!value || !(*value > 0 && *value <= 3600))
      bad(where, "`timeout` is a number of seconds up to 3600");
    target.timeout_ms = static_cast<int>(*value * 1000);
  }
  if (target.name.empty() || target.attachment.empty())
    bad(where, "name and attachment are both needed");
  if (target.verdict != "conformant" && target.verdict != "non-conformant" &&
      target.verdict != "broken") {
    bad(where, "`verdict` is conformant, non-conformant or broken");
  }
  return target;
}

// The tables of the one array that the file holds.
std::vector<const toml::table*> tables_of(const toml::table& root, std::string_view key,
                                          const std::string& file) {
  check_keys(root, {key}, file);
  const toml::node* all = root.get(key);
  if (!all || !all->is_array_of_tables()) bad(file, fmt::format("no [[{}]]", key));
  std::vector<const toml::table*> tables;
  for (const toml::node& each : *all->as_array()) tables.push_back(each.as_table());
  return tables;
}

SeparateFault read_separate_fault(const toml::table& table, const std::string& file) {
  check_keys(table, {"id", "requirements", "wrong", "replaced", "attachment", "needs", "as"}, file);
  SeparateFault fault;
  fault.id = text(table, "id", file);
  const std::string where = file + ": " + fault.id;
  fault.requirements = text(table, "requirements", where);
  fault.wrong = text(table, "wrong", where);
  fault.replaced = text(table, "replaced", where);
  fault.attachment = text(table, "attachment", where);
  fault.needs = text(table, "needs", where);
  fault.as = text(table, "as", where);
  if (fault.id.empty() || fault.requirements.empty() || fault.attachment.empty())
    bad(where, "id, requirements and attachment are all needed");
  return fault;
}

RetiredFault read_retired_fault(const toml::table& table, const std::string& file) {
  check_keys(table,
             {"id", "requirements", "wrong", "replaced", "ruling", "reason", "operation", "ranges",
              "digest"},
             file);
  RetiredFault fault;
  fault.id = text(table, "id", file);
  const std::string where = file + ": " + fault.id;
  fault.requirements = text(table, "requirements", where);
  fault.wrong = text(table, "wrong", where);
  const std::string ruling = text(table, "ruling", where);
  const std::string digest = text(table, "digest", where);
  if (!ruling.empty()) {
    fault.evidence = fmt::format("ruling {}: {}", ruling, text(table, "reason", where));
  } else if (!digest.empty()) {
    fault.evidence =
        fmt::format("{} over {} is the same, SHA-256 {}", text(table, "operation", where),
                    text(table, "ranges", where), digest);
  } else {
    bad(where, "a retired fault needs a ruling, or the digest of an exhaustive run");
  }
  return fault;
}

[[noreturn]] void bad_syntax(const std::string& file, const toml::parse_error& error) {
  bad(file, fmt::format("line {}: {}", error.source().begin.line, error.description()));
}

}  // namespace

std::vector<RequirementBlock> read_requirement_file(std::string_view name,
                                                    std::string_view content) {
  const std::string file(name);
  try {
    const toml::table root = toml::parse(content, file);
    std::vector<RequirementBlock> blocks;
    for (const toml::table* each : tables_of(root, "requirement", file)) {
      blocks.push_back(read_requirement(*each, file));
    }
    return blocks;
  } catch (const toml::parse_error& error) {
    bad_syntax(file, error);
  }
}

std::vector<ProfileBlock> read_profile_file(std::string_view name, std::string_view content) {
  const std::string file(name);
  try {
    const toml::table root = toml::parse(content, file);
    std::vector<ProfileBlock> blocks;
    for (const toml::table* each : tables_of(root, "profile", file)) {
      ProfileBlock block;
      block.name = text(*each, "name", file);
      block.where = file + ": " + block.name;
      check_keys(*each, {"name", "text", "claims", "operations", "needs", "extras"}, block.where);
      block.text = text(*each, "text", block.where);
      block.claims = texts(*each, "claims", block.where);
      block.operations = texts(*each, "operations", block.where);
      if (block.operations.empty()) block.operations = block.claims;
      block.needs = texts(*each, "needs", block.where);
      block.extras = texts(*each, "extras", block.where);
      if (block.name.empty() || block.text.empty() || block.claims.empty() || block.needs.empty())
        bad(block.where, "name, text, claims and needs are all needed");
      blocks.push_back(std::move(block));
    }
    return blocks;
  } catch (const toml::parse_error& error) {
    bad_syntax(file, error);
  }
}

std::vector<Erratum> read_errata(std::string_view name, std::string_view content) {
  const std::string file(name);
  std::vector<Erratum> errata;
  try {
    const toml::table root = toml::parse(content, file);
    const toml::array* none = root["erratum"].as_array();
    if (none && none->empty() && root.size() == 1) return errata;
    for (const toml::table* each : tables_of(root, "erratum", file)) {
      Erratum erratum{text(*each, "id", file), {}, {}, {}, {}, {}, false};
      const std::string where = file + ": " + erratum.id;
      check_keys(*each, {"id", "date", "suites", "cases", "requirements", "wrong", "treatment"},
                 where);
      erratum.date = text(*each, "date", where);
      erratum.suites = texts(*each, "suites", where);
      erratum.cases = texts(*each, "cases", where);
      erratum.requirements = texts(*each, "requirements", where);
      erratum.wrong = text(*each, "wrong", where);
      const std::string treatment = text(*each, "treatment", where);
      erratum.is_withdrawn = treatment == "withdrawn";
      if (treatment != "withdrawn" && treatment != "stands")
        bad(where, "`treatment` is withdrawn or stands");
      if (erratum.id.empty() || erratum.date.empty() || erratum.wrong.empty() ||
          erratum.suites.empty() || erratum.cases.empty() || erratum.requirements.empty()) {
        bad(where, "id, date, suites, cases, requirements, wrong and treatment are all needed");
      }
      errata.push_back(std::move(erratum));
    }
  } catch (const toml::parse_error& error) {
    bad_syntax(file, error);
  }
  return errata;
}

FaultFiles read_fault_files(std::span<const EmbeddedFile> files) {
  FaultFiles read;
  for (const EmbeddedFile& each : files) {
    const std::string file(each.name);
    try {
      const toml::table root = toml::parse(each.content, file);
      if (file == "separate.toml") {
        for (const toml::table* fault : tables_of(root, "fault", file))
          read.separate.push_back(read_separate_fault(*fault, file));
      } else if (file == "retired.toml") {
        for (const toml::table* fault : tables_of(root, "retired", file))
          read.retired.push_back(read_retired_fault(*fault, file));
      } else {
        for (const toml::table* row : tables_of(root, "without", file)) {
          check_keys(*row, {"requirement", "reason"}, file);
          read.without[text(*row, "requirement", file)] = text(*row, "reason", file);
        }
      }
    } catch (const toml::parse_error& error) {
      bad_syntax(file, error);
    }
  }
  return read;
}

namespace {

// `parse` gives the table; what is wrong with it names the path.
template <typename Parse>
std::vector<MeantTarget> read_expectations(const std::string& path, Parse parse) {
  try {
    const toml::table root = parse();
    std::vector<MeantTarget> targets;
    for (const toml::table* each : tables_of(root, "target", path)) {
      targets.push_back(read_meant_target(*each, path));
      const std::string& name = targets.back().name;
      if (std::count_if(targets.begin(), targets.end(),
                        [&](const MeantTarget& other) { return other.name == name; }) > 1) {
        bad(path, "two targets are named " + name);
      }
    }
    return targets;
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("--expect {}: line {}: {}", path, error.source().begin.line,
                                 error.description()));
  } catch (const SuiteError& error) {
    throw UsageError(fmt::format("--expect {}", error.what()));
  }
}

}  // namespace

std::vector<MeantTarget> read_expectation_file(const std::string& path) {
  return read_expectations(path, [&] { return toml::parse_file(path); });
}

std::vector<MeantTarget> read_expectation_text(std::string_view name, std::string_view content) {
  const std::string path(name);
  return read_expectations(path, [&] { return toml::parse(content, path); });
}

}  // namespace hurray::conformance
