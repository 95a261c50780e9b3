// SPDX-License-Identifier: Apache-2.0
//
// Is every line that follows PROTOCOL.md read for what it says, and every other line refused with a
// reason that can be printed?

#include "conformance/runner/wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace hurray::conformance {
namespace {

// The message for a line that must be refused.
std::string why_not(std::string_view line) {
  std::string error;
  EXPECT_FALSE(parse_answer(line, error)) << line;
  EXPECT_FALSE(error.empty()) << line;
  return error;
}

std::pair<std::uint32_t, Answer> read(std::string_view line) {
  std::string error;
  const auto answer = parse_answer(line, error);
  EXPECT_TRUE(answer) << line << ": " << error;
  return answer.value_or(std::pair<std::uint32_t, Answer>{});
}

// --- Answers

TEST(Wire, AnIdHasOneSpelling) {
  // Else a target passes hello and fails every case by its spelling.
  std::string error;
  EXPECT_TRUE(parse_answer("5 ok q=00", error));
  EXPECT_TRUE(parse_answer("0 ok", error));
  for (const char* line : {" 5 ok q=00", "05 ok q=00", "+5 ok", "5\tok", "", " "}) {
    EXPECT_FALSE(parse_answer(line, error)) << line;
  }
}

TEST(Wire, AnOkAnswerIsItsIdAndItsPairsInOrder) {
  // Reports print fields as the target wrote them.
  const auto [id, answer] = read("12 ok b=2 a=1 empty=");
  EXPECT_EQ(id, 12u);
  EXPECT_EQ(answer.kind, AnswerKind::kOk);
  ASSERT_EQ(answer.fields.all().size(), 3u);
  EXPECT_EQ(answer.fields.all()[0], (std::pair<std::string, std::string>{"b", "2"}));
  EXPECT_EQ(*answer.fields.find("a"), "1");
  EXPECT_EQ(*answer.fields.find("empty"), "");
  EXPECT_EQ(answer.fields.find("missing"), nullptr);
}

TEST(Wire, AnOkAnswerMayHaveNoFields) {
  // A dequantization of nothing by a lazy adapter is judged later, not here.
  EXPECT_TRUE(read("3 ok").second.fields.all().empty());
}

TEST(Wire, AValueMayHoldAnEqualsSign) {
  // Only the first one separates.
  EXPECT_EQ(*read("3 ok name=a=b").second.fields.find("name"), "a=b");
}

TEST(Wire, RejectCarriesCallDisciplineKeysAndThenAHint) {
  // The hint is for people; what looks like a pair in it is none.
  const auto [id, answer] =
      read("7 reject under=0 over=1 in_changed=0 changed=2 fenv=kept scale=0 is bad");
  EXPECT_EQ(answer.kind, AnswerKind::kReject);
  EXPECT_EQ(*answer.fields.find("over"), "1");
  EXPECT_EQ(*answer.fields.find("changed"), "2");
  EXPECT_EQ(answer.fields.find("scale"), nullptr);
  EXPECT_NE(answer.hint.find("scale=0 is bad"), std::string::npos);
}

TEST(Wire, UnsupportedTakesAnyHint) {
  EXPECT_EQ(read("7 unsupported a=1 a=1 ==").second.kind, AnswerKind::kUnsupported);
}

TEST(Wire, SeveralBlanksCountAsOne) {
  // A line typed by hand is a line.
  EXPECT_EQ(*read("5   ok   out=00  ").second.fields.find("out"), "00");
}

TEST(Wire, TheLargestIdIsBelowTwoToThe32) {
  EXPECT_EQ(read("4294967295 ok").first, 4294967295u);
  EXPECT_EQ(read("0 ok").first, 0u);
  for (const char* line : {"4294967296 ok", "99999999999999999999999999 ok", "-1 ok", "+1 ok",
                           "0x1 ok", "1. ok", "1e3 ok", "one ok", "\xd9\xa1 ok"}) {
    EXPECT_NE(why_not(line).find("does not begin with an id"), std::string::npos) << line;
  }
}

TEST(Wire, LinesThatAreNoAnswersSaySo) {
  EXPECT_NE(why_not("").find("id"), std::string::npos);
  EXPECT_NE(why_not("   ").find("id"), std::string::npos);
  EXPECT_NE(why_not("ok out=00").find("id"), std::string::npos);
  EXPECT_NE(why_not("5").find("expected ok, reject or unsupported"), std::string::npos);
  EXPECT_NE(why_not("5 OK").find("expected ok, reject or unsupported"), std::string::npos);
  EXPECT_NE(why_not("5 okay").find("okay"), std::string::npos);
  EXPECT_NE(why_not("5 out=00").find("expected ok, reject or unsupported"), std::string::npos);
  EXPECT_NE(why_not("5\tok").find("id"), std::string::npos);
}

TEST(Wire, FieldsThatAreNoPairsAreNamed) {
  EXPECT_NE(why_not("5 ok out").find("expected key=value after ok, got: out"), std::string::npos);
  EXPECT_NE(why_not("5 ok =00").find("expected key=value"), std::string::npos);
  EXPECT_NE(why_not("5 ok out=0 0").find("got: 0"), std::string::npos);
}

TEST(Wire, AKeyThatStandsTwiceIsRefused) {
  // Taking the first or the last would let a target answer both ways.
  EXPECT_NE(why_not("5 ok out=00 out=01").find("key given twice: out"), std::string::npos);
  EXPECT_NE(why_not("5 reject over=0 over=1").find("key given twice: over"), std::string::npos);
}

TEST(Wire, MessagesHoldPrintableAsciiOnly) {
  // They reach terminals and XML: no escape sequence and no broken UTF-8 may pass through.
  for (const std::string& line :
       {std::string("\x1b[31m red"), std::string("\xff\xfe\x80"), std::string("5 \0ok", 5),
        std::string("\x7f"), std::string("5 ok \x1b]0;title\x07"), std::string("5 \r")}) {
    for (const char c : why_not(line).substr(0, 90)) {
      const bool is_ellipsis = static_cast<unsigned char>(c) >= 0x80;
      EXPECT_TRUE((c >= ' ' && c <= '~') || is_ellipsis) << int{c};
    }
  }
}

TEST(Wire, MessagesShowTheBeginningOfALongLineOnly) {
  // A megabyte of noise is not repeated to anybody.
  const std::string error = why_not(std::string(1 << 20, 'x'));
  EXPECT_LT(error.size(), 120u);
  EXPECT_TRUE(error.ends_with("…"));
}

// --- Requests

TEST(Wire, ARequestIsAVerbAndDistinctPairs) {
  const auto request = parse_request("decode type=10 bytes=");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->verb, "decode");
  EXPECT_EQ(*request->fields.find("bytes"), "");
  for (const char* text :
       {"", "   ", "type=10", "decode type", "decode =10", "decode type=10 type=10"}) {
    EXPECT_FALSE(parse_request(text)) << text;
  }
}

// --- Values

TEST(Wire, HexadecimalIsBytesInMemoryOrderInEitherCase) {
  EXPECT_EQ(parse_hex("00fFAb"), (Bytes{0x00, 0xff, 0xab}));
  EXPECT_EQ(parse_hex(""), Bytes{});
  EXPECT_EQ(to_hex(Bytes{0x00, 0xff, 0xab}), "00ffab");
  for (const char* text : {"0", "000", "0g", "g0", " 0", "0x", "-1", "00 00", "٠٠"}) {
    EXPECT_FALSE(parse_hex(text)) << text;
  }
}

TEST(Wire, EveryByteSurvivesTheWire) {
  Bytes bytes(256);
  for (std::size_t i = 0; i < 256; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(parse_hex(to_hex(bytes)), bytes);
}

TEST(Wire, HexadecimalNumbersHaveExactlyTheirDigits) {
  EXPECT_EQ(parse_hex_number("3F000000", 8), 0x3f000000u);
  EXPECT_EQ(parse_hex_number("ffffffff", 8), 0xffffffffu);
  EXPECT_EQ(parse_hex_number("0103", 4), 0x0103u);
  for (const char* text :
       {"", "3f00000", "3f0000000", "3f00000g", "0x3f0000", " 3f00000", "-3f00000"}) {
    EXPECT_FALSE(parse_hex_number(text, 8)) << text;
  }
}

TEST(Wire, DecimalNumbersAreWholeAndInRange) {
  EXPECT_EQ(parse_decimal("-2147483648"), -2147483648LL);
  EXPECT_EQ(parse_decimal("007"), 7);
  EXPECT_EQ(parse_decimal("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text :
       {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "--1", "-", "9223372036854775808", "one"}) {
    EXPECT_FALSE(parse_decimal(text)) << text;
  }
}

TEST(Wire, FloatsAreLittleEndianAndKeepEveryBit) {
  // Signalling NaNs and -0 included: values travel as bits, not as numbers.
  const Floats values = {1.0f, -0.0f, std::bit_cast<float>(0x7f800001u),
                         std::bit_cast<float>(0x00000001u)};
  const std::string hex = floats_to_hex(values);
  EXPECT_EQ(hex,
            "0000803f"
            "00000080"
            "0100807f"
            "01000000");
  const auto back = parse_floats(hex);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>((*back)[i]), std::bit_cast<std::uint32_t>(values[i]))
        << i;
  }
  EXPECT_FALSE(parse_floats("0000803f00"));
  EXPECT_FALSE(parse_floats("0000803g"));
  EXPECT_EQ(parse_floats("")->size(), 0u);
}

TEST(Wire, Int32sAreLittleEndianTwosComplement) {
  EXPECT_EQ(
      int32s_to_hex(std::vector<std::int32_t>{1, -1, std::numeric_limits<std::int32_t>::min()}),
      "01000000"
      "ffffffff"
      "00000080");
}

TEST(Wire, ScalarsHaveTheMostSignificantDigitFirst) {
  EXPECT_EQ(bits_to_hex(0.5f), "3f000000");
  EXPECT_EQ(parse_hex_number(bits_to_hex(-0.0f), 8), 0x80000000u);
}

}  // namespace
}  // namespace hurray::conformance
