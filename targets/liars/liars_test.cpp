// SPDX-License-Identifier: Apache-2.0
//
// Do the liars whose lie can be seen from outside tell it? Runs the program as the runner does,
// with the requests of a session start on its standard input. conformance/tests/liars_test.py
// judges all.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

struct Session {
  std::string output;
  int exit_code = -1;
};

// Hello, both probes, two cases that are the same but for the order of their keys, and a last one.
const std::string kRequests =
    R"(1 hello version=1\n2 never-defined\n3 decode type=10 bytes=00 never_defined=1\n)"
    R"(4 decode type=10 bytes=00\n5 decode bytes=00 type=10\n6 dequantize type=10 scale=3f800000 zero_point=0 count=1 q=05\n)";

// The first `limit` bytes that `liar kind` writes within a second, and how the shell saw it end.
Session run_liar(const std::string& kind, int limit = 100000) {
  const std::string command = "printf '" + kRequests + "' | { timeout 1 " LIAR_PROGRAM " " + kind +
                              " 2>/dev/null; echo \"exit=$?\" >&2; } 2>&1 | head -c " +
                              std::to_string(limit);
  Session run;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  char chunk[4096];
  size_t n;
  while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0) run.output.append(chunk, n);
  pclose(pipe);
  const size_t at = run.output.rfind("exit=");
  if (at != std::string::npos) {
    run.exit_code = std::stoi(run.output.substr(at + 5));
    run.output.resize(at);
  }
  return run;
}

// What follows the honest answers to hello and the probes; empty if they are not there.
std::string after_the_probes(const std::string& output) {
  const size_t end = output.find('\n', output.find("\n3 unsupported ") + 1);
  const bool is_honest = output.rfind("1 ok version=1 name=scalar ", 0) == 0 &&
                         output.find("\n2 unsupported ") != std::string::npos;
  return is_honest && end != std::string::npos ? output.substr(end + 1) : std::string();
}

const std::string kHonest = "4 reject\n5 reject\n6 ok out=0000a040\n";

TEST(Liar, OneThatOnlyFillsStandardErrorIsHonest) {
  const Session run = run_liar("fills-stderr");
  EXPECT_EQ(after_the_probes(run.output), kHonest);
  EXPECT_EQ(run.exit_code, 0);
}

TEST(Liar, DiesBeforeHello) {
  const Session run = run_liar("dies");
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.exit_code, 1);
}

TEST(Liar, HangsAfterTheProbes) {
  const Session run = run_liar("hangs");
  EXPECT_NE(run.output.find("\n3 unsupported "), std::string::npos);
  EXPECT_EQ(after_the_probes(run.output), "");
  EXPECT_EQ(run.exit_code, 124) << "expected timeout to end it";
}

TEST(Liar, GarbageHoldsEveryByteValue) {
  const Session run = run_liar("garbage");
  const std::string noise = run.output.substr(run.output.find('\n') + 1);
  EXPECT_GT(noise.size(), 4 * 4096u);
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_NE(noise.find(static_cast<char>(byte)), std::string::npos) << byte;
  }
}

TEST(Liar, WrongIdAnswersCasesUnderTheNextId) {
  EXPECT_EQ(after_the_probes(run_liar("wrong-id").output),
            "5 reject\n6 reject\n7 ok out=0000a040\n");
}

TEST(Liar, EndlessLineHasNoNewline) {
  const Session run = run_liar("endless-line", 4 << 20);
  ASSERT_EQ(run.output.size(), 4u << 20) << "it stopped";
  EXPECT_EQ(run.output.find('\n', run.output.find('\n') + 1), std::string::npos);
}

TEST(Liar, BannerComesBeforeHello) { EXPECT_EQ(run_liar("banner").output.rfind("Acme", 0), 0u); }

TEST(Liar, ClaimsTooLittleLeavesOutPackedTypesOnly) {
  const Session run = run_liar("claims-too-little");
  EXPECT_NE(run.output.find(" types.decode=10,11,12,13,14,15 types.encode=10,"), std::string::npos);
  EXPECT_EQ(after_the_probes(run.output), kHonest);
}

TEST(Liar, AnswersTooMuch) {
  const std::string answers = after_the_probes(run_liar("answers-too-much", 1 << 20).output);
  EXPECT_EQ(answers.rfind("4 reject\n5 reject\n6 ok out=0000a0400000", 0), 0u);
  EXPECT_GT(answers.size(), 100000u);
}

TEST(Liar, UnknownKindIsAUsageError) {
  for (const char* kind : {"honest", ""}) {
    const Session run = run_liar(kind);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.exit_code, 2);
  }
}

}  // namespace
