// SPDX-License-Identifier: Apache-2.0
//
// Can the case that a violation prints be pasted into a requirement file? Written by hand here as
// it has to come out, and read back by the loader.

#include "conformance/property_case.h"

#include <gtest/gtest.h>

#include "conformance/runner/oracle.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {
namespace {

constexpr const char* kRequirement = R"([[requirement]]
id = "XX-AAA-001"
level = "MUST"
contract = "hurray"
clause = "a clause"
text = "A sentence."

)";

// The text without its name, which ends in a digest.
std::string without_name(const std::string& text) {
  const std::size_t at = text.find("name = ");
  return text.substr(0, at) + text.substr(text.find('\n', at) + 1);
}

TEST(CaseOf, OneCallWithAnAnnotatedArray) {
  const Violation violation = {"a-property",
                               "A \"sentence\".",
                               {"dequantize type=48 scale=3f000000 zero_point=-1 count=3 q=f107"}};
  EXPECT_EQ(without_name(case_of(violation)), R"([[requirement.case]]
why = "A 'sentence'."
request = "dequantize type=48 scale=3f000000 zero_point=-1 count=3"
q = [
  "f1  codes 1, -1",
  "07  code 7",
]
expect = "ok out=0000803f0000000000008040"
)");
}

TEST(CaseOf, SeveralAnswersWithWhatTheyShow) {
  // A quarter is 2.5 steps of 0.1 in binary32, and a little less exactly.
  const Violation violation = {
      "a-property",
      "A sentence.",
      {"ra8 fn=quantize_i8 scale=3dcccccd zero_point=0 count=1 in=0000803e"}};
  EXPECT_EQ(without_name(case_of(violation)), R"([[requirement.case]]
why = "A sentence."
request = "ra8 fn=quantize_i8 scale=3dcccccd zero_point=0 count=1"
in = [
  "0000803e  0.25",
]
expect = [
  { answer = "ok code=0000 out=02", shows = { "quotient" = ["exact"] } },
  { answer = "ok code=0000 out=03", shows = { "quotient" = ["binary32"] } },
]
)");
}

TEST(CaseOf, SeveralCallsAreSteps) {
  const Violation violation = {"a-property",
                               "A sentence.",
                               {"encode type=10 scheme=1 scale=3f000000 zero_point=128",
                                "decode type=10 bytes=010100000000003f8000000000000000"}};
  EXPECT_EQ(without_name(case_of(violation)), R"([[requirement.case]]
why = "A sentence."
[[requirement.case.step]]
request = "encode type=10 scheme=1 scale=3f000000 zero_point=128"
expect = "reject"
[[requirement.case.step]]
request = "decode type=10"
bytes = [
  "01  scheme_tag",
  "01  scheme_version",
  "0000  flags",
  "0000003f  scale",
  "80000000  zero_point",
  "00000000  reserved",
]
expect = "reject"
)");
}

bool equal(const Alternative& a, const Alternative& b) {
  return a.answer == b.answer && a.verdict == b.verdict && a.shows == b.shows && a.free == b.free;
}

TEST(CaseOf, IsReadBackAsItWas) {
  // Every verb; arrays that are empty, cut and long; answers that warn, are free or record.
  const std::vector<std::string> requests = {
      "decode type=10 bytes=",
      "decode type=ff bytes=0101",
      "decode type=10 bytes=010000000000003f0300000000000000",
      "decode type=10 bytes=010100000000003f030000000000000000ff",
      "encode type=4b scheme=1 scale=ffc00000 zero_point=2147483647",
      "dequantize type=15 scale=3f000000 zero_point=3 count=2 q=0000000000000080",
      "dequantize type=4a scale=00000001 zero_point=-2 count=5 q=e401 in_off=3",
      "quantize type=13 scale=bf000000 zero_point=3 count=2 in=0000c0bf0000c07f out_off=8",
      "quantize type=10 scale=7f800000 zero_point=0 count=1 in=0000807f",
      "normalize bits=4 bias=1 order=low-first count=3 packed=67f8",
      "ra8 fn=dequantize_u8 scale=7fc00000 zero_point=3 count=2 in=00ff",
      "ra8 fn=quantize_u8 scale=00000001 zero_point=-2147483648 count=1 in=01000080"};
  for (const std::string& request : requests) {
    const std::string text = case_of({"a-property", "A sentence.", {request}});
    const auto blocks = read_requirement_file("file.toml", kRequirement + text);
    const Case& item = blocks.at(0).cases.at(0);
    EXPECT_TRUE(item.name.starts_with("a-property/")) << text;
    const Step& step = item.steps.at(0);
    const std::vector<Alternative> wanted = expected_answers(read_request(request));
    EXPECT_EQ(expected_answers(read_request(step.request)).front().answer, wanted.front().answer);
    EXPECT_TRUE(
        std::equal(step.expect.begin(), step.expect.end(), wanted.begin(), wanted.end(), equal))
        << text;
  }
}

}  // namespace
}  // namespace hurray::conformance
