// SPDX-License-Identifier: Apache-2.0
//
// A statement for people (statement.h). What stands in it may come from anybody.

#include <fmt/format.h>

#include "conformance/certificate/statement.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kShownBytes = 120;

std::string shown(const std::string& text) { return one_line(excerpt(text, kShownBytes)); }

std::string row(std::string_view name, const std::string& value) {
  return fmt::format("  {:<12} {}\n", name, value);
}

// `214 conforms, 40 not claimed`
std::string counted(const std::map<std::string, std::string>& verdicts) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [id, verdict] : verdicts) ++counts[verdict];
  std::string text;
  for (const auto& [verdict, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, shown(verdict));
  return text;
}

std::string pairs(const std::map<std::string, std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& [name, value] : words)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", shown(name), between, shown(value));
  return text;
}

}  // namespace

std::string describe(const Statement& statement) {
  const Given& given = statement.given;
  const Followed& followed = statement.followed;
  std::string certifies;
  for (const std::string& each : given.certifies)
    certifies += fmt::format("{}{}", certifies.empty() ? "" : ", ", shown(each));
  std::string text = row("certifies", certifies);
  text += row("profiles", pairs(followed.profiles, " "));
  for (const FileDigest& each : given.artifacts)
    text += row("artifact", fmt::format("{} {}", each.sha256, shown(each.file)));
  text += row("target", fmt::format("{}, calls itself {}, reached by {}", shown(given.target),
                                    shown(followed.calls_itself), shown(given.attachment)));
  text += row("execution", given.machine.empty() ? shown(given.execution)
                                                 : fmt::format("{}: {}", shown(given.execution),
                                                               pairs(given.machine, " ")));
  text += row("requirements", counted(followed.requirements));
  if (!followed.behaviours.empty()) text += row("behaviours", pairs(followed.behaviours, "="));
  const KillScore& score = statement.suite.kill_score;
  text += row("suite",
              fmt::format("{}, cases {}", shown(statement.suite.version), statement.suite.cases));
  text += row("kill score", fmt::format("{} of {} wrong implementations are caught, by {} "
                                        "requirements",
                                        score.caught, score.faults, score.requirements));
  text += row("claims", pairs(followed.claims, "="));
  text += row("judged by", followed.too_long == 0
                               ? fmt::format("{} cases", followed.cases)
                               : fmt::format("{} cases; {} were not asked, as they are longer than "
                                             "the target's max_line",
                                             followed.cases, followed.too_long));
  text += row("witness",
              given.nonce.empty()
                  ? std::string("none: a self-run, in which all that was asked was known before")
                  : fmt::format("{} of the cases were drawn from the certifier's nonce {}",
                                followed.witnessed, given.nonce));
  text += row("issued", shown(given.issued));
  return text;
}

}  // namespace hurray::conformance
