// SPDX-License-Identifier: Apache-2.0
//
// Does the reader of lists of known deviations take what REPORTS.md says, and tell of everything
// else where it stands, what is wrong and what would be right? Is what is written what was read?

#include "conformance/runner/known_file.h"

#include <gtest/gtest.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

const std::string kGood = R"(# Ours.

[[known]]
target = "mine"
pattern = "quantize/ties/*"
matches = 2
fingerprint = "0123456789abcdef"
reason = "ties"
note = "until 3.0"
link = "https://tracker.example/1"
expires = 2027-03-31
)";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

// What is said about the list.
std::string refusal(const std::string& content) {
  try {
    read_known_text("list.toml", content);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(KnownFileReader, TakesEveryField) {
  const KnownFile file = read_known_text("list.toml", kGood);
  EXPECT_EQ(file.header, "# Ours.\n");
  ASSERT_EQ(file.entries.size(), 1u);
  const KnownDeviation& entry = file.entries[0];
  EXPECT_EQ(entry.target, "mine");
  EXPECT_EQ(entry.patterns, std::vector<std::string>{"quantize/ties/*"});
  EXPECT_EQ(entry.matches, 2u);
  EXPECT_EQ(entry.fingerprint, "0123456789abcdef");
  EXPECT_EQ(entry.reason, "ties");
  EXPECT_EQ(entry.note, "until 3.0");
  EXPECT_EQ(entry.link, "https://tracker.example/1");
  EXPECT_EQ(day_text(entry.expires), "2027-03-31");
  EXPECT_EQ(entry.line, 3u);
}

TEST(KnownFileReader, TakesSeveralPatternsAndNoEntryAtAll) {
  const std::string several = replaced(kGood, "\"quantize/ties/*\"", "[\"b/*\", \"a/*\"]");
  EXPECT_EQ(read_known_text("l", several).entries[0].patterns,
            (std::vector<std::string>{"a/*", "b/*"}));
  EXPECT_TRUE(read_known_text("l", "").entries.empty());
  EXPECT_EQ(read_known_text("l", "# only this").header, "# only this\n");
}

TEST(KnownFileReader, SaysFileLineFieldAndAnExample) {
  const struct {
    const char *what, *by, *message;
  } kRows[] = {
      {"matches = 2", "matches = 0",
       "list.toml: line 6: `matches` is not a whole number above 0; expected how many cases it "
       "names, a whole number above 0, for example\n  matches = 12"},
      {"matches = 2", "matches = \"2\"", "line 6: `matches` is not a whole number"},
      {"matches = 2\n", "", "line 3: `matches` is missing"},
      {"\"quantize/ties/*\"", "[]", "line 5: `pattern` is empty"},
      {"\"quantize/ties/*\"", "[1]", "line 5: `pattern` has what is no pattern"},
      {"\"quantize/ties/*\"", "7", "line 5: `pattern` is not a string"},
      {"\"ties\"", "\"\"", "line 8: `reason` is empty"},
      {"0123456789abcdef", "0123456789ABCDEF", "line 7: `fingerprint` is none"},
      {"0123456789abcdef", "12", "for example\n  fingerprint = \"0123456789abcdef\""},
      {"https:", "ftp:", "line 10: `link` is no address"},
      {"2027-03-31", "\"2027-03-31\"", "line 11: `expires` is not a date"},
      {"2027-03-31", "2027-03-31T00:00:00Z", "line 11: `expires` is not a date"},
      {"expires = 2027-03-31", "", "line 3: `expires` is missing"},
      {"2027-03-31", "2027-02-31", "line 11"},
      {"reason", "raeson", "line 8: unknown field `raeson`; expected target, pattern"},
      {"[[known]]", "[[unknown]]",
       "`unknown` does not belong there; expected entries that begin "
       "with [[known]]"},
      {"[[known]]", "[[known]", "line 3"},
  };
  for (const auto& row : kRows) {
    const std::string said = refusal(replaced(kGood, row.what, row.by));
    EXPECT_NE(said.find(row.message), std::string::npos) << row.by << ": " << said;
    EXPECT_TRUE(said.starts_with("list.toml: ")) << said;
  }
}

TEST(KnownFileWriter, WritesWhatWasReadAndSortsIt) {
  EXPECT_EQ(known_toml(read_known_text("l", kGood)), kGood);
  KnownFile file = read_known_text("l", kGood);
  file.entries.push_back(file.entries[0]);
  file.entries[1].patterns = {"decode/x", "decode/y"};
  file.entries[1].reason = "quotes \" and \\ and\nlines and \x01 and ü";
  const std::string text = known_toml(file);
  const KnownFile again = read_known_text("l", text);
  ASSERT_EQ(again.entries.size(), 2u);
  EXPECT_EQ(again.entries[0].patterns, file.entries[1].patterns) << text;
  EXPECT_EQ(again.entries[0].reason, file.entries[1].reason) << text;
  EXPECT_EQ(known_toml(again), text);
}

TEST(KnownFileWriter, NamesACommentThatItWouldLose) {
  EXPECT_EQ(lost_comment_line(kGood), 0u);
  EXPECT_EQ(lost_comment_line(""), 0u);
  EXPECT_EQ(lost_comment_line(kGood + "# behind\n"), 12u);
  EXPECT_EQ(lost_comment_line(replaced(kGood, "matches = 2", "matches = 2  # two")), 6u);
  EXPECT_EQ(lost_comment_line(replaced(kGood, "\"ties\"", "\"a \\\" # no comment\"")), 0u);
  for (const std::string quotes : {"\"\"\"", "\'\'\'"}) {
    const std::string text = quotes + "a\n # of \" and ' no comment\n" + quotes;
    EXPECT_EQ(lost_comment_line(replaced(kGood, "\"ties\"", text)), 0u);
    EXPECT_GT(lost_comment_line(replaced(kGood, "\"ties\"", text + " # why")), 0u);
    EXPECT_GT(lost_comment_line(replaced(kGood, "\"ties\"", quotes + "a" + quotes + "#")), 0u);
  }
  EXPECT_GT(lost_comment_line(replaced(kGood, "\"ties\"", "\"\"\"a\"\"\"\" # why")), 0u);
}

}  // namespace
}  // namespace hurray::conformance
