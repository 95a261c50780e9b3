// SPDX-License-Identifier: Apache-2.0
//
// Can the C lines of a report be pasted into a file and compiled? Tries them with the C compiler
// that built the suite, for every verb and every odd argument.

#include "conformance/runner/snippet.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/oracle.h"

namespace hurray::conformance {
namespace {

// One request of each verb and function, with arrays that are empty, short and cut.
const std::vector<std::string>& requests() {
  static const std::vector<std::string> kRequests = [] {
    std::vector<std::string> all = {
        "decode type=10 bytes=010100000000003f0300000000000000",
        "decode type=10 bytes=",
        "decode type=ff bytes=" + std::string(200, 'a'),
        "encode type=10 scheme=1 scale=3f000000 zero_point=-2147483648",
        "encode type=4b scheme=1 scale=ffc00000 zero_point=2147483647",
        "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff",
        "dequantize type=48 scale=00000001 zero_point=-8 count=3 q=1203",
        "dequantize type=14 scale=7f800000 zero_point=-2147483648 count=0 q=",
        "dequantize type=11 scale=3f000000 zero_point=3 count=200 q=" + std::string(400, '7'),
        "quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf0000c07f",
        "quantize type=4a scale=80000000 zero_point=1 count=0 in=",
        "quantize type=15 scale=3f000000 zero_point=0 count=140 in=" + std::string(1120, '0'),
        "normalize bits=4 bias=1 order=low-first count=4 packed=6778",
        "normalize bits=2 bias=-1 order=high-first count=0 packed=",
        "dequantize type=10 scale=3f000000 zero_point=3 count=1 q=00 fill=a5 guard=after in_off=1 "
        "fenv=upward threads=2"};
    for (const char* type : {"i8", "u8"}) {
      for (const char* null : {"", " null=in", " null=out", " null=in,out"}) {
        all.push_back(
            fmt::format("ra8 fn=quantize_{} scale=3f000000 zero_point=-2147483648 count=2 "
                        "in=0000c0bf000000c0{}",
                        type, null));
        all.push_back(fmt::format(
            "ra8 fn=dequantize_{} scale=7fc00000 zero_point=3 count=2 in=00ff{}", type, null));
      }
      all.push_back(
          fmt::format("ra8 fn=quantize_{} scale=3f000000 zero_point=0 count=0 in=", type));
      all.push_back(
          fmt::format("ra8 fn=dequantize_{} scale=3f000000 zero_point=0 count=0 in=", type));
    }
    return all;
  }();
  return kRequests;
}

// The program that a person would put around the lines.
std::string wrapped(const std::vector<std::string>& all) {
  std::string program =
      "#include <assert.h>\n#include <string.h>\n#include <stddef.h>\n#include "
      "<stdint.h>\n#include \"hurray_target.h\"\n#include "
      "\"ra8/ra8_npu_quant.h\"\n"
      "extern const struct hurray_target hurray_target;\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string snippet = c_snippet(all[i]);
    const bool has_status = snippet.find("hurray_status status") != std::string::npos;
    program += fmt::format(
        "// {}\nvoid reproduce_{}(void);\nvoid reproduce_{}(void) {{\n{}{}(void){};\n}}\n",
        all[i].substr(0, 60), i, i, snippet,
        c_assertions(all[i], expected_answers(read_request(all[i]))),
        has_status ? "status" : "code");
  }
  return program;
}

// The compiler's messages; empty if it is content. Where a null pointer is passed, a buffer stays
// unused.
std::string compile(const std::string& program) {
  const std::filesystem::path source =
      std::filesystem::temp_directory_path() / fmt::format("snippet-{}.c", getpid());
  const std::filesystem::path messages = source.string() + ".txt";
  std::ofstream(source) << program;
  const std::string command = fmt::format(
      "\"{}\" -std=c11 -Wall -Werror -Wno-unused-variable -fsyntax-only -I\"{}\" \"{}\" > \"{}\" "
      "2>&1",
      HURRAY_C_COMPILER, HURRAY_HEADERS, source.string(), messages.string());
  const int status = std::system(command.c_str());
  std::stringstream text;
  text << std::ifstream(messages).rdbuf();
  std::filesystem::remove(source);
  std::filesystem::remove(messages);
  if (status != 0 && text.str().empty()) return "the compiler failed without a word";
  return status == 0 ? std::string() : text.str();
}

TEST(Snippet, CompilesForEveryVerb) {
  // A reproduction that does not compile wastes the reader's trust.
  EXPECT_EQ(compile(wrapped(requests())), "");
}

// The first and the last case of each family, which the suite asks: tensors and all schemes.
std::vector<std::string> requests_of_families() {
  static const Suite suite = load_suite();
  std::map<std::string, std::pair<std::string, std::string>> families;
  for (const Case& each : suite.cases) {
    const std::string& request = each.steps.front().request;
    const std::string family = each.name.substr(0, each.name.find('/', each.name.find('/') + 1));
    if (request.starts_with("sweep")) continue;
    const auto [place, is_new] = families.try_emplace(family, request, request);
    if (!is_new) place->second.second = request;
  }
  std::vector<std::string> all;
  for (const auto& [family, both] : families) {
    all.push_back(both.first);
    all.push_back(both.second);
  }
  return all;
}

TEST(Snippet, CompilesForEveryFamilyOfCases) {
  EXPECT_EQ(compile(wrapped(requests_of_families())), "");
}

TEST(Snippet, NothingIsCalledButWhatIsAskedFor) {
  for (const std::string& request : requests_of_families()) {
    const std::string verb = request.substr(0, request.find(' '));
    if (verb == "ra8") continue;
    EXPECT_NE(c_snippet(request).find("hurray_target." + verb), std::string::npos)
        << request << "\n"
        << c_snippet(request);
  }
}

TEST(Snippet, ATensorHasItsBuffersAndUntouchableMemoryIsNull) {
  const std::string snippet = c_snippet(
      "dequantize_tensor bytes=48525259 count=2 b0=00ff b1=none:8 b2=null mode=permissive");
  EXPECT_NE(snippet.find("bytes_of[] = {b0, NULL, NULL}"), std::string::npos) << snippet;
  EXPECT_NE(snippet.find("sizes[] = {2, 8, 0}"), std::string::npos) << snippet;
  EXPECT_NE(snippet.find("dequantize_tensor(HURRAY_MODE_PERMISSIVE, &tensor"), std::string::npos);
}

TEST(Snippet, TheCheckItselfSeesAMistake) {
  EXPECT_NE(compile(wrapped(requests()) + "int wrong(void) { return no_such_name; }\n"), "");
}

TEST(Snippet, CallsTheFunctionOfTheRequest) {
  for (const std::string& request : requests()) {
    const std::string snippet = c_snippet(request);
    if (request.starts_with("ra8 ")) {
      const std::string function = request.substr(7, request.find(' ', 7) - 7);
      EXPECT_NE(snippet.find("ra8_npu_" + function + "("), std::string::npos) << snippet;
    } else {
      const std::string verb = request.substr(0, request.find(' '));
      EXPECT_NE(snippet.find("hurray_target." + verb), std::string::npos) << snippet;
    }
  }
}

TEST(Snippet, FloatsKeepTheirBits) {
  // A decimal literal may not survive: the signalling NaN and the subnormal do.
  const std::string snippet =
      c_snippet("quantize type=10 scale=00000001 zero_point=0 count=2 in=0100807f01000000");
  EXPECT_NE(snippet.find("0x7f800001, 0x00000001"), std::string::npos) << snippet;
  EXPECT_NE(snippet.find("scale = {0x00000001}"), std::string::npos) << snippet;
}

TEST(Snippet, TheSmallestIntHasALiteralOfItsOwn) {
  // -2147483648 is an operator and a number too large for int.
  EXPECT_NE(
      c_snippet("encode type=14 scheme=1 scale=3f000000 zero_point=-2147483648").find("INT32_MIN"),
      std::string::npos);
}

TEST(Snippet, EncodeKeepsTheSchemeThatIsToBeRefused) {
  EXPECT_NE(
      c_snippet("encode type=10 scheme=96 scale=3f000000 zero_point=3").find(".scheme_tag = 96,"),
      std::string::npos);
}

TEST(Snippet, ALongArrayIsCutAndSaysSo) {
  const std::string snippet = c_snippet(
      "dequantize type=11 scale=3f000000 zero_point=3 count=200 q=" + std::string(400, '7'));
  EXPECT_NE(snippet.find("and 72 more"), std::string::npos) << snippet;
  EXPECT_TRUE(snippet.starts_with("// Only a part")) << snippet;
  EXPECT_LT(snippet.size(), 1500u);
}

TEST(Snippet, AnArrayThatIsWholeSaysNothingOfParts) {
  const std::string snippet = c_snippet(
      "dequantize type=11 scale=3f000000 zero_point=3 count=128 q=" + std::string(256, '7'));
  EXPECT_EQ(snippet.find("part"), std::string::npos) << snippet;
  EXPECT_EQ(snippet.find("more"), std::string::npos) << snippet;
}

TEST(Snippet, ACutArrayStillHasItsWholeLength) {
  // Else whoever runs the lines reads behind the array: 200 elements are asked for.
  const std::string snippet = c_snippet(
      "dequantize type=11 scale=3f000000 zero_point=3 count=200 q=" + std::string(400, '7'));
  EXPECT_NE(snippet.find("q[200]"), std::string::npos) << snippet;
}

TEST(CAssertions, CompareWhatAKernelWrites) {
  for (const std::string line :
       {"quantize type=10 scale=3f000000 zero_point=3 count=1 in=0000c0bf",
        "quantize type=12 scale=c0400000 zero_point=1 count=1 in=0000c842",
        "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff",
        "ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=0000c0bf",
        "ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=1 in=00"}) {
    const std::string text = c_assertions(line, expected_answers(read_request(line)));
    EXPECT_NE(text.find("memcmp("), std::string::npos) << line << "\n" << text;
  }
  const std::string fields = "decode type=10 bytes=010100000000003f0300000000000000";
  EXPECT_EQ(c_assertions(fields, expected_answers(read_request(fields))),
            "assert(status == HURRAY_OK);\n"
            "assert((out.scheme_tag == 1 && memcmp(&out.scale, &(const unsigned){0x3f000000}, "
            "sizeof out.scale) == 0 && out.zero_point == 3));\n");
  const std::string section = "encode type=10 scheme=1 scale=3f000000 zero_point=3";
  EXPECT_NE(
      c_assertions(section, expected_answers(read_request(section)))
          .find("assert((written == 16 && memcmp(out, expected_0, sizeof expected_0) == 0));"),
      std::string::npos);
  const std::string refused = "quantize type=10 scale=00000000 zero_point=1 count=1 in=00000000";
  EXPECT_EQ(c_assertions(refused, expected_answers(read_request(refused))),
            "assert(status != HURRAY_OK);\n");
}

}  // namespace
}  // namespace hurray::conformance
