// SPDX-License-Identifier: Apache-2.0
//
// Reports of mismatches, see report.h.

#include "fuzz/report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/runner/case.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/wire.h"

namespace hurray::fuzz {
namespace {

using namespace conformance;

std::string alternative_json(const Alternative& each) {
  const bool is_warned = each.verdict == CaseVerdict::kWarn;
  std::string text = fmt::format("{{\"answer\":\"{}\",\"verdict\":\"{}\"", each.answer,
                                 is_warned                              ? "warn"
                                 : each.verdict == CaseVerdict::kRecord ? "record"
                                                                        : "pass");
  if (!each.free.empty()) text += fmt::format(",\"free\":{}", each.free);
  return text + "}";
}

// A vector as those of corpus/vectors/, on one line: names and answers are plain text. No
// requirement is known, and the reader of vectors asks for none.
std::string vector_json(std::string_view claim, const Mismatch& mismatch,
                        const std::string& request) {
  std::vector<std::string> answers;
  for (const Alternative& each : expected_answers(read_request(request))) {
    answers.push_back(alternative_json(each));
  }
  return fmt::format(
      "{{\"id\":\"fuzz/{}/"
      "{}\",\"requirements\":[],\"steps\":[{{\"expect\":[{}],\"request\":\"{}\"}}],"
      "\"why\":\"found by fuzzing: {} does not hold\"}}",
      claim, mismatch.kind, fmt::join(answers, ","), request, claim);
}

std::string unit_test(std::string_view kind, const std::string& request) {
  const std::vector<Alternative> expect = expected_answers(read_request(request));
  std::string name(kind);
  std::ranges::replace(name, '-', '_');
  std::string expected;
  for (const Alternative& each : expect) {
    expected += fmt::format("// {}: {}\n", expected.empty() ? "expected" : "or", each.answer);
  }
  const bool is_ra8 = request.starts_with("ra8 ");
  return fmt::format(
      "#undef NDEBUG\n#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "
      "<string.h>\n{}\nvoid test_{}(void) {{\n{}  (void){};\n}}\n",
      is_ra8 ? "#include <ra8_npu_quant.h>\n" : "#include <hurray_target.h>\n", name,
      c_body(c_snippet(request) + expected + c_assertions(request, expect)),
      is_ra8 ? "code" : "status");
}

// The command that asks the same again; images have a program of their own, and faults are asked
// only if they are named.
std::string replay_command(std::string_view claim, std::string_view target, std::string_view hex) {
  constexpr std::string_view kImage = "qemu:";
  if (target.starts_with("fault-")) {
    return fmt::format("hurray-replay {} --targets {} hex:{}", claim, target, hex);
  }
  if (!target.starts_with(kImage)) return fmt::format("hurray-replay {} hex:{}", claim, hex);
  return fmt::format("hurray-replay-firmware --image {} {} hex:{}", target.substr(kImage.size()),
                     claim, hex);
}

}  // namespace

std::string report_text(const NamedClaim& claim, const Mismatch& mismatch, Input input) {
  const std::string hex = to_hex(input);
  std::string text =
      fmt::format("{} does not hold: {}: {}{}{}\ninput    {}\nreplay   {}\n", claim.name,
                  mismatch.target, mismatch.kind, mismatch.detail.empty() ? "" : ": ",
                  mismatch.detail, hex, replay_command(claim.name, mismatch.target, hex));
  const std::string request = claim.request == nullptr ? std::string() : claim.request(input);
  if (request.empty()) return text;
  text += fmt::format("request  {}\n", request);
  try {
    text += fmt::format("vector   {}\nunit test\n{}", vector_json(claim.name, mismatch, request),
                        unit_test(mismatch.kind, request));
  } catch (const SuiteError& error) {
    text += fmt::format("no vector: {}\n", error.what());
  }
  return text;
}

namespace {

// Kind, function. Sorted by theme. Tests of claims see that the kinds that they show stand here;
// one that does not says so when it is found.
#define HURRAY_FUZZ_KINDS(X)                                \
  X("accepts-invalid", accepts_invalid)                     \
  X("accepts-unclaimed", accepts_unclaimed)                 \
  X("rejects-valid", rejects_valid)                         \
  X("refuses-valid", refuses_valid)                         \
  X("writer-refuses-valid", writer_refuses_valid)           \
  X("refuses-its-own", refuses_its_own)                     \
  X("refuses-codes", refuses_codes)                         \
  X("reads-its-own-differently", reads_its_own_differently) \
  X("converts-invalid", converts_invalid)                   \
  X("values-refused", values_refused)                       \
  X("values-of-invalid", values_of_invalid)                 \
  X("wrong-fields", wrong_fields)                           \
  X("wrong-bytes", wrong_bytes)                             \
  X("wrong-length", wrong_length)                           \
  X("wrong-value", wrong_value)                             \
  X("wrong-values", wrong_values)                           \
  X("wrong-code", wrong_code)                               \
  X("wrong-result-code", wrong_result_code)                 \
  X("wrong-elements", wrong_elements)                       \
  X("wrong-zero-points", wrong_zero_points)                 \
  X("wrong-descriptor", wrong_descriptor)                   \
  X("wrong-weights", wrong_weights)                         \
  X("wrong-scales", wrong_scales)                           \
  X("lost-code", lost_code)                                 \
  X("unused-bits", unused_bits)                             \
  X("writes-invalid", writes_invalid)                       \
  X("writes-wrong-fields", writes_wrong_fields)             \
  X("writes-on-error", writes_on_error)                     \
  X("writes-in-front", writes_in_front)                     \
  X("writes-behind", writes_behind)                         \
  X("changes-input", changes_input)                         \
  X("no-reason", no_reason)                                 \
  X("another-answer", another_answer)                       \
  X("another-request", another_request)                     \
  X("other-bytes", other_bytes)                             \
  X("other-floats", other_floats)                           \
  X("another-number", another_number)                       \
  X("not-clean", not_clean)                                 \
  X("too-long", too_long)                                   \
  X("no-id", no_id)                                         \
  X("no-name", no_name)                                     \
  X("throws-something-else", throws_something_else)         \
  X("gives-up", gives_up)                                   \
  X("other-number-of-answers", other_number_of_answers)     \
  X("half-an-answer", half_an_answer)                       \
  X("no-answer", no_answer)                                 \
  X("guest-faults", guest_faults)                           \
  X("guest-hangs", guest_hangs)                             \
  X("guest-ends", guest_ends)

// Different functions to the linker as well: each has its own word.
#define HURRAY_FUZZ_REPORT(KIND, NAME)                 \
  [[noreturn, gnu::noinline]] void mismatch_##NAME() { \
    std::fputs("kind     " KIND "\n", stderr);         \
    std::abort();                                      \
  }
HURRAY_FUZZ_KINDS(HURRAY_FUZZ_REPORT)
#undef HURRAY_FUZZ_REPORT

struct Report {
  std::string_view kind;
  void (*function)();
};
#define HURRAY_FUZZ_ROW(KIND, NAME) Report{KIND, mismatch_##NAME},
constexpr Report kReports[] = {HURRAY_FUZZ_KINDS(HURRAY_FUZZ_ROW)};
#undef HURRAY_FUZZ_ROW

}  // namespace

bool has_report(std::string_view kind) {
  for (const Report& each : kReports) {
    if (each.kind == kind) return true;
  }
  return false;
}

void report(const NamedClaim& claim, const Mismatch& mismatch, Input input) {
  std::fputs(report_text(claim, mismatch, input).c_str(), stderr);
  for (const Report& each : kReports) {
    if (each.kind == mismatch.kind) each.function();
  }
  std::fputs("this kind has no function of its own: add it to HURRAY_FUZZ_KINDS, fuzz/report.cpp\n",
             stderr);
  std::abort();
}

}  // namespace hurray::fuzz
