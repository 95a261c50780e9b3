// SPDX-License-Identifier: Apache-2.0
//
// Does another build have other digests, and which words of a command are files?

#include "conformance/runner/attachment_digests.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

// As `printf abc | sha256sum` prints it: the example of FIPS 180-4.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

class AttachmentDigests : public testing::Test {
 protected:
  AttachmentDigests()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("digests-{}", getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~AttachmentDigests() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << content;
    return path;
  }
  static std::vector<FileDigest> of(const std::string& text) {
    Attachment attachment;
    attachment.text = text;
    return digests_of(attachment);
  }

  std::filesystem::path folder_;
};

TEST_F(AttachmentDigests, ALibraryAndAnImageAreTheFileThatIsNamed) {
  const std::string path = file("a", "abc");
  EXPECT_EQ(of("lib:" + path), (std::vector<FileDigest>{{path, kAbc}}));
  EXPECT_EQ(of("qemu:" + path + ",cpu=cortex-m55"), (std::vector<FileDigest>{{path, kAbc}}));
  file("a", "");
  EXPECT_EQ(of("lib:" + path), (std::vector<FileDigest>{{path, kEmpty}}));
  EXPECT_TRUE(of("builtin:scalar").empty());
}

TEST_F(AttachmentDigests, ACommandIsEveryWordThatIsAFile) {
  const std::string script = file("my script.sh", "abc"), data = file("data", "");
  EXPECT_EQ(
      of(fmt::format("exec:LANG=C sh '{}' --data {} {} nowhere", script, data, folder_.string())),
      (std::vector<FileDigest>{{script, kAbc}, {data, kEmpty}}));
  // A folder is none, and nobody looks for programs.
  EXPECT_TRUE(of("exec:sh " + folder_.string()).empty());
}

// The file of this name here need not be the one that runs.
TEST_F(AttachmentDigests, NoWordIsAFileWhereItMayBeAnotherOne) {
  const std::string path = file("adapter", "abc");
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_TRUE(of("exec:adapter").empty());
  EXPECT_TRUE(of("exec:LANG=C adapter").empty());
  EXPECT_EQ(of("exec:./adapter"), (std::vector<FileDigest>{{"./adapter", kAbc}}));
  EXPECT_EQ(of("exec:sh adapter"), (std::vector<FileDigest>{{"adapter", kAbc}}));
  for (const char* command : {"cd sub && sh adapter", "cd sub\nsh adapter", "sh $HOME/x ./adapter",
                              "sh adapter; ./adapter", "sh `x` ./adapter", "(cd ..) ./adapter"}) {
    EXPECT_TRUE(of(std::string("exec:") + command).empty()) << command;
  }
  std::filesystem::current_path(here);
}

TEST_F(AttachmentDigests, WhatCannotBeReadIsSaid) {
  EXPECT_THROW(of("lib:" + (folder_ / "nowhere").string()), UsageError);
  EXPECT_THROW(of("lib:" + folder_.string()), UsageError);
}

TEST(WordsOfCommand, AreThoseOfAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of_command("a  b\tc\n"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words_of_command("'a b' \"c d\" e\\ f ''"), (Words{"a b", "c d", "e f", ""}));
  EXPECT_EQ(words_of_command("x'a\\'\"b\\\"\"'c d'"), (Words{"xa\\b\"c d"}));
  EXPECT_EQ(words_of_command("cd a&&./b<c>d|(e);f"), (Words{"cd", "a", "./b", "c", "d", "e", "f"}));
  EXPECT_TRUE(words_of_command("").empty());
}

}  // namespace
}  // namespace hurray::conformance
