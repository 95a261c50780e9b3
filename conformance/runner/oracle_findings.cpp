// SPDX-License-Identifier: Apache-2.0
//
// Findings as alternatives, see oracle_findings.h.

#include "conformance/runner/oracle_findings.h"

#include <algorithm>

namespace hurray::conformance {
namespace {

const std::string kRefuse = "refuse";
const std::string kWriterChoice = "writer-choice";
const std::string kPartialBlockData = "partial-block-data";

// The open behaviours of a list, each with the option of who accepts and that of who does not.
struct OpenBehaviour {
  std::string name;
  std::string accepting, refusing;
};

OpenBehaviour open_behaviour(hurray::Behaviour behaviour) {
  const std::string name(name_of(behaviour));
  switch (behaviour) {
    case hurray::Behaviour::kLongerSection:
    case hurray::Behaviour::kUnknownScheme:
      return {name, "skip", kRefuse};
    case hurray::Behaviour::kSymmetricIndex:
    case hurray::Behaviour::kUnusedBits:
      return {name, "ignore", kRefuse};
    case hurray::Behaviour::kPaddedData:
      return {name, "padded", "unpadded"};
    case hurray::Behaviour::kUnpaddedData:
      return {name, "unpadded", "padded"};
    default:
      return {name, "accept", kRefuse};
  }
}

std::vector<OpenBehaviour> open_behaviours(const Findings& findings) {
  std::vector<OpenBehaviour> open;
  for (const Finding& each : findings.all()) {
    if (each.severity != Severity::kOpen) continue;
    OpenBehaviour behaviour = open_behaviour(each.behaviour);
    const bool is_known = std::any_of(open.begin(), open.end(), [&](const OpenBehaviour& other) {
      return other.name == behaviour.name;
    });
    if (!is_known) open.push_back(std::move(behaviour));
  }
  return open;
}

std::vector<std::string> sorted(std::vector<std::string> options) {
  std::sort(options.begin(), options.end());
  return options;
}

// A refusal that is right by any choice tells nothing.
void add_plain_rejection(const ReadRequest& request, CaseVerdict verdict,
                         std::vector<Alternative>& alternatives) {
  const std::string line = reject_line(request);
  for (Alternative& each : alternatives) {
    if (each.answer != line) continue;
    each = {line, std::min(each.verdict, verdict), {}, {}};
    return;
  }
  alternatives.push_back({line, verdict, {}, {}});
}

}  // namespace

std::string ok_suffix(const ReadRequest& request) {
  return std::string(request.has_fill ? " under=0 over=0 in_changed=0" : "") +
         (request.fenv.empty() ? "" : " fenv=kept");
}
std::string reject_line(const ReadRequest& request) {
  return std::string("reject") +
         (request.has_fill ? " under=0 over=0 in_changed=0 changed=0" : "") +
         (request.fenv.empty() ? "" : " fenv=kept");
}
std::vector<Alternative> refuse_or_unsupported(const ReadRequest& request) {
  std::vector<Alternative> refused = {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  add_unsupported(refused);
  return refused;
}
void add_unsupported(std::vector<Alternative>& alternatives) {
  alternatives.push_back({"unsupported", CaseVerdict::kPass, {}, {}});
}

void add_rounding_mode(const ReadRequest& request, std::vector<Behaviour>& behaviours) {
  const bool is_other_mode = !request.fenv.empty() && request.fenv != "nearest";
  if (is_other_mode) behaviours.push_back({"rounding-mode", {"follow", "ignore"}});
}
bool follows_mode(const Combination& combination) {
  return combination.has("rounding-mode", "follow");
}
std::string any_values(std::string_view answer) {
  std::string text;
  for (std::size_t at = 0; at < answer.size();) {
    const std::size_t end = std::min(answer.find(' ', at), answer.size());
    const std::string_view word = answer.substr(at, end - at);
    const std::size_t equals = word.find('=');
    text += text.empty() ? "" : " ";
    text += word.substr(0, equals);
    if (equals != std::string_view::npos) text += "=any";
    at = end + 1;
  }
  return text;
}

Choices choices_of(const Combination& combination) {
  Choices choices;
  if (combination.has("int32-difference", "wrap"))
    choices.difference_width = DifferenceWidth::kWrap;
  if (combination.has("uint32-codes", "reinterpret"))
    choices.uint32_codes = Uint32Codes::kReinterpret;
  if (combination.has("quotient", "exact")) choices.quotient = Quotient::kExact;
  if (combination.has("subnormals", "flush")) choices.subnormals = Subnormals::kFlush;
  if (combination.has("subnormals", "flush-operands"))
    choices.subnormals = Subnormals::kFlushOperands;
  if (combination.has("subnormals", "flush-results"))
    choices.subnormals = Subnormals::kFlushResults;
  if (combination.has("nf4-zero-sign", "positive")) choices.nf4_zeros = Nf4Zeros::kPositive;
  return choices;
}

std::vector<Alternative> answers_of_reader(
    const ReadRequest& request, const Findings& findings, std::vector<Behaviour> more,
    const std::function<std::string(const Combination&)>& answer_of) {
  if (findings.has_must()) return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  const bool is_soft = findings.has(Severity::kSoft);
  std::vector<OpenBehaviour> open = open_behaviours(findings);
  // What should be refused anyway tells nothing of choices, but for the one that every section has.
  if (is_soft) {
    std::erase_if(open, [](const OpenBehaviour& each) { return each.name != "longer-section"; });
  }
  std::vector<Behaviour> behaviours = std::move(more);
  add_rounding_mode(request, behaviours);
  for (const OpenBehaviour& each : open) {
    behaviours.push_back({each.name, sorted({each.accepting, each.refusing})});
  }
  std::vector<Alternative> alternatives =
      enumerate(behaviours, [&](const Combination& combination) -> Result {
        const bool refuses = std::any_of(open.begin(), open.end(), [&](const OpenBehaviour& each) {
          return combination.has(each.name, each.refusing);
        });
        if (refuses) return {reject_line(request)};
        const std::string answer = answer_of(combination);
        if (follows_mode(combination)) {
          return {any_values(answer) + ok_suffix(request), CaseVerdict::kRecord};
        }
        return {answer + ok_suffix(request), is_soft ? CaseVerdict::kWarn : CaseVerdict::kPass};
      });
  // Who takes one size of the data may take the other as well; only a refusal tells which one is
  // meant.
  for (Alternative& each : alternatives) {
    if (each.answer.starts_with("ok")) each.shows.erase(kPartialBlockData);
  }
  if (is_soft) add_plain_rejection(request, CaseVerdict::kPass, alternatives);
  if (!is_soft && findings.has(Severity::kLenient)) {
    add_plain_rejection(request, CaseVerdict::kWarn, alternatives);
  }
  return alternatives;
}

std::vector<Alternative> answers_of_writer(const ReadRequest& request, const Findings& findings,
                                           const std::string& answer) {
  if (findings.for_writer() != Status::kOk) {
    return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  }
  std::vector<Behaviour> behaviours;
  if (findings.has(Severity::kOpen)) behaviours.push_back({kWriterChoice, {kRefuse, "write"}});
  add_rounding_mode(request, behaviours);
  return enumerate(behaviours, [&](const Combination& combination) -> Result {
    if (combination.has(kWriterChoice, kRefuse)) return {reject_line(request)};
    if (follows_mode(combination)) {
      return {any_values(answer) + ok_suffix(request), CaseVerdict::kRecord};
    }
    return {answer + ok_suffix(request)};
  });
}

}  // namespace hurray::conformance
