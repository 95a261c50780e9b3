// SPDX-License-Identifier: Apache-2.0
//
// Findings of a campaign in words and as files, see campaign.h.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/campaign.h"
#include "conformance/runner/case_toml.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/field_words.h"
#include "conformance/runner/inspect.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/tensor_bytes.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kShownRequest = 400;

const Step& failing_step(const Case& item, const CaseResult& result) {
  return item.steps[std::min(result.failure->step, item.steps.size() - 1)];
}

std::string type_word(std::uint8_t tag) {
  return find_element_type(tag) ? std::string(element_type_name(tag)) : "unknown-type";
}

std::string scheme_word(std::uint64_t tag) {
  return tag >= 1 && tag <= 5 ? fmt::format("scheme {}", tag) : "unknown-scheme";
}

// The requirement of the gravest rule that the descriptor of a request breaks, or nothing.
std::string broken_rule(const ReadRequest& request) {
  if (request.verb != "decode" && request.verb != "decode_tensor" &&
      request.verb != "dequantize_tensor") {
    return {};
  }
  const Inspection inspection = request.verb == "decode"
                                    ? inspect_quantization(request.type, request.bytes)
                                    : inspect_tensor(request.bytes);
  if (inspection.findings.empty()) return {};
  return std::string(inspection.findings.front().finding.requirement);
}

}  // namespace

std::string operation_of(const Case& item, const CaseResult& result) {
  const ReadRequest request = read_request(failing_step(item, result).request);
  if (request.is_ra8()) return "ra8 " + request.function;
  if (request.verb == "normalize" || request.verb == "convert") return request.verb;
  std::uint8_t type = request.type;
  std::string scheme;
  if (request.verb == "decode" && !request.bytes.empty()) {
    scheme = " " + scheme_word(request.bytes.front());
  } else if (const std::string* tag = request.fields.find("scheme")) {
    scheme = " " + scheme_word(static_cast<std::uint64_t>(parse_decimal(*tag).value_or(0)));
  } else if (request.is_about_tensors()) {
    const std::optional<TensorBytes> parts = find_parts(request.bytes);
    type = request.bytes.size() > 14 ? request.bytes[14] : std::uint8_t{0};
    if (parts && parts->quantization_bytes > 0)
      scheme = " " + scheme_word(request.bytes[parts->quantization]);
  }
  return fmt::format("{} {}{}", request.verb, type_word(type), scheme);
}

AboutRequirement requirement_of(const Suite& seeds, const Case& origin, const Case& item,
                                const CaseResult& result) {
  const ReadRequest request = read_request(failing_step(item, result).request);
  const std::string& failure_class = result.failure->failure_class;
  if (std::string rule = broken_rule(request); !rule.empty() && seeds.find_requirement(rule))
    return {rule, true, false};
  // One that names this kind of failure, else the first that every kind speaks against.
  const Requirement* first = nullptr;
  for (const std::string& id : seeds.requirements_of(origin)) {
    const Requirement* requirement = seeds.find_requirement(id);
    const bool is_named =
        std::ranges::find(requirement->classes, failure_class) != requirement->classes.end();
    if (is_named) return {id, false, false};
    if (!first || (!first->gates() && requirement->gates()) ||
        (!first->classes.empty() && requirement->classes.empty())) {
      first = requirement;
    }
  }
  return {first ? first->id : std::string(), false, true};
}

std::string why_of(const CampaignFinding& finding) {
  const std::string& failure_class = finding.result.failure->failure_class;
  const std::string_view meaning = meaning_of_class(failure_class);
  return fmt::format("{}: {} (found by fuzz beside {})", finding.operation,
                     meaning.empty() ? std::string_view(failure_class) : meaning, finding.origin);
}

std::string describe_finding(const Suite& seeds, const CampaignFinding& finding,
                             const std::string& replay) {
  const Failure& failure = *finding.result.failure;
  const Requirement* requirement = seeds.find_requirement(finding.requirement);
  std::string text =
      fmt::format("{} {}: {} (draw {}, {} in all)\n", name_of(finding.result.verdict),
                  finding.operation, failure.failure_class, finding.number, finding.times);
  if (requirement) {
    text += fmt::format("  {}    {}: {}\n", finding.is_guess ? "beside" : "about ", requirement->id,
                        requirement->text);
  }
  text += fmt::format("  beside    {}\n", finding.origin);
  for (std::size_t i = 0; finding.item.steps.size() > 1 && i < failure.step; ++i) {
    text += fmt::format("  after     {}\n", excerpt(finding.item.steps[i].request, kShownRequest));
  }
  text += fmt::format("  request   {}\n", excerpt(failure.request, kShownRequest));
  if (!failure.input.empty()) text += fmt::format("  input     {}\n", failure.input);
  text += fmt::format("  expected  {}\n", cleaned(failure.expected));
  text += fmt::format("  got       {}", cleaned(failure.got));
  if (!failure.distance.empty()) text += fmt::format("   ({})", failure.distance);
  text += '\n';
  if (failure.total > 1) {
    text += fmt::format("  differing {} of {} elements\n", failure.differing, failure.total);
  }
  const std::string_view meaning = meaning_of_class(failure.failure_class);
  if (!meaning.empty()) text += fmt::format("  class     {}: {}\n", failure.failure_class, meaning);
  if (finding.again == Again::kNever) {
    text += "  alone     it did not happen again: chance, or something older than its process\n";
  } else if (finding.again == Again::kBehind) {
    text += "  alone     it did not happen again, but behind those requests it does\n";
  }
  if (!finding.is_small) text += "  small     not made small\n";
  text += fmt::format("  replay    {}\n", replay);
  return text;
}

std::string finding_toml(const CampaignFinding& finding) {
  std::vector<std::string> requests;
  for (const Step& each : finding.item.steps) requests.push_back(each.request);
  return fmt::format(
      "# Found by hurray-conform fuzz, beside {}. Belongs below {}{}, with a name and a reason of "
      "its own.\n{}",
      finding.origin, finding.requirement, finding.is_guess ? " or one like it" : "",
      case_block(finding.id(), why_of(finding), requests));
}

std::string finding_lines(const CampaignFinding& finding) {
  std::string text = fmt::format("{} {}\n", kHelloId, kHello);
  for (std::uint32_t id = kFirstCaseId; const Step& each : finding.item.steps)
    text += fmt::format("{} {}\n", id++, each.request);
  return text;
}

namespace {

// Why a program of calls and assertions would hold with the target that was fuzzed; empty if not.
std::string reason_not_to_hold(const CampaignFinding& finding, bool is_complete) {
  const std::string& failure_class = finding.result.failure->failure_class;
  if (finding.again == Again::kNever) return "it did not happen again in a process of its own";
  if (failure_class == "inconsistent") return "each answer is allowed, and not both together";
  if (finding.result.verdict == CaseVerdict::kWarn) return "the answer is allowed, with a warning";
  const bool ends = failure_class == "crash" || failure_class == "hang";
  return ends || is_complete ? "" : "the answer is not compared";
}

}  // namespace

std::string finding_c(const CampaignFinding& finding) {
  const Failure& failure = *finding.result.failure;
  std::string text = fmt::format(
      "// Found by hurray-conform fuzz: {}, {}.\n//   expected  {}\n//   got       {}\n"
      "// cc -I PREFIX/include this.c YOUR_TARGET.c\n",
      finding.operation, failure.failure_class, excerpt(cleaned(failure.expected), 80),
      excerpt(cleaned(failure.got), 80));
  std::string statements;
  bool is_complete = false, any_ra8 = false, any_other = false;
  for (std::size_t i = 0; i < finding.item.steps.size(); ++i) {
    const Step& step = finding.item.steps[i];
    const bool is_firmware = step.request.starts_with("ra8 ");
    (is_firmware ? any_ra8 : any_other) = true;
    // What stands in front of the one that fails is only called.
    const bool is_judged = i == failure.step;
    const CTest test = c_test(step.request, step.expect);
    if (is_judged) is_complete = test.is_complete;
    statements += "  {\n" +
                  c_body(is_judged ? test.statements : c_snippet(step.request, Arrays::kWhole)) +
                  (is_firmware ? "  (void)code;\n  }\n" : "  (void)status;\n  }\n");
    if (is_judged) break;
  }
  if (const std::string reason = reason_not_to_hold(finding, is_complete); !reason.empty()) {
    text += fmt::format("#error \"{}: use the vector, {}.json\"\n", reason, finding.id());
  }
  text +=
      "#undef NDEBUG\n#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "
      "<string.h>\n\n";
  if (any_other) text += "#include <hurray/hurray_target.h>\n";
  if (any_ra8) text += "#include \"ra8_npu_quant.h\"\n";
  return text + "\nint main(void) {\n" + statements + "  return 0;\n}\n";
}

}  // namespace hurray::conformance
