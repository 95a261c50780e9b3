// SPDX-License-Identifier: Apache-2.0
//
// Does each liar tell its lie, and only that one? Runs the program as the runner does, with the
// requests of a session start on its standard input.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

struct Session {
  std::string output;
  int exit_code = -1;
};

// The first `limit` bytes that `liar kind` writes within a second, and how the shell saw it end.
Session run_liar(const std::string& kind, int limit = 100000) {
  const std::string requests =
      R"(1 hello version=1\n2 frobnicate x=1\n3 decode type=10 bytes=00 zork=1\n4 decode type=10 bytes=00\n5 decode bytes= type=10\n)";
  const std::string command = "printf '" + requests + "' | { timeout 1 " LIAR_PROGRAM " " + kind +
                              " 2>&1; echo \"exit=$?\" >&2; } 2>&1 | head -c " +
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

std::string hello_of(const std::string& kind) {
  return "1 ok version=1 name=liar-" + kind + " contract=hurray schemes=1 types.decode=10,11\n";
}
const std::string kProbes = "2 unsupported\n3 unsupported\n";

TEST(Liar, DiesBeforeHello) {
  const Session run = run_liar("dies");
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.exit_code, 1);
}

TEST(Liar, HangsAfterTheProbes) {
  const Session run = run_liar("hangs");
  EXPECT_EQ(run.output, hello_of("hangs") + kProbes);
  EXPECT_EQ(run.exit_code, 124) << "expected timeout to end it";
}

TEST(Liar, GarbageHoldsEveryByteValue) {
  const Session run = run_liar("garbage");
  const std::string hello = hello_of("garbage");
  ASSERT_EQ(run.output.substr(0, hello.size()), hello);
  const std::string noise = run.output.substr(hello.size());
  EXPECT_GT(noise.size(), 4 * 4096u);
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_NE(noise.find(static_cast<char>(byte)), std::string::npos) << byte;
  }
}

TEST(Liar, WrongIdAnswersDecodesUnderTheNextId) {
  const Session run = run_liar("wrong-id");
  EXPECT_EQ(run.output, hello_of("wrong-id") + kProbes +
                            "5 ok scheme=1 scale=3f000000 zero_point=3\n"
                            "6 ok scheme=1 scale=3f000000 zero_point=3\n");
  EXPECT_EQ(run.exit_code, 0);
}

TEST(Liar, EndlessLineHasNoNewline) {
  const Session run = run_liar("endless-line", 4 << 20);
  const std::string hello = hello_of("endless-line");
  ASSERT_EQ(run.output.size(), 4u << 20) << "it stopped";
  EXPECT_EQ(run.output.substr(0, hello.size()), hello);
  EXPECT_EQ(run.output.find('\n', hello.size()), std::string::npos);
}

TEST(Liar, UnknownKindIsAUsageErrorThatNamesTheKinds) {
  for (const char* kind : {"honest", ""}) {
    const Session run = run_liar(kind);
    EXPECT_EQ(run.exit_code, 2);
    for (const char* known : {"dies", "hangs", "garbage", "wrong-id", "endless-line"}) {
      EXPECT_NE(run.output.find(known), std::string::npos) << known;
    }
  }
}

}  // namespace
