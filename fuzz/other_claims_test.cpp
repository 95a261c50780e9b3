// SPDX-License-Identifier: Apache-2.0
//
// Does each claim about zero points, elements and text fail for what is broken in one way, under
// that name?

#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/runner/case.h"
#include "fuzz/claims_test.h"
#include "fuzz/text_readers.h"

namespace hurray::fuzz {
namespace {

using Format = hurray_zero_point_format;

hurray_status normalize(const Format* format, const uint8_t* packed, size_t bytes, size_t count,
                        int32_t* out) {
  return hurray_target_scalar.normalize_zero_points(format, packed, bytes, count, out);
}

TEST(ZeroPointsAgree, NamesEachWay) {
  const auto kinds = [](decltype(Table::normalize_zero_points) function) {
    Table table = scalar();
    table.normalize_zero_points = function;
    return kinds_of("zero_points_agree", table);
  };
  EXPECT_EQ(kinds(normalize), "");
  EXPECT_EQ(kinds([](const Format*, const uint8_t*, size_t, size_t, int32_t*) -> hurray_status {
              return HURRAY_REJECTED;
            }),
            "refuses-valid");
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              const hurray_status status = normalize(f, p, b, n, out);
              return status == HURRAY_REJECTED ? HURRAY_OK : status;
            }),
            "accepts-invalid");
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              const hurray_status status = normalize(f, p, b, n, out);
              if (status == HURRAY_OK && n > 0 && out[0] == 16) out[0] = 0;
              return status;
            }),
            "wrong-zero-points");
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              const hurray_status status = normalize(f, p, b, n, out);
              if (status != HURRAY_OK && n > 0) out[0] = 0;
              return status;
            }),
            "writes-on-error");
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              out[-1] = 0;
              return normalize(f, p, b, n, out);
            }),
            "writes-in-front");
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              const hurray_status status = normalize(f, p, b, n, out);
              if (b > 0) const_cast<uint8_t*>(p)[0] ^= 1;
              return status;
            }),
            "changes-input");
  // A27: another form than the recipe's may be declined.
  EXPECT_EQ(kinds([](const Format* f, const uint8_t* p, size_t b, size_t n,
                     int32_t* out) -> hurray_status {
              return f->bits != 4 ? HURRAY_UNSUPPORTED : normalize(f, p, b, n, out);
            }),
            "");
}

TEST(ElementsAgree, NamesEachWay) {
  Table table = scalar();
  EXPECT_EQ(kinds_of("elements_agree", table), "");
  table.pack = [](uint8_t, const int64_t*, size_t, uint8_t*) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "refuses-valid");
  table = scalar();
  table.packed_bytes = [](uint8_t tag, uint64_t count, uint64_t* bytes) -> hurray_status {
    const hurray_status status = hurray_target_scalar.packed_bytes(tag, count, bytes);
    return status == HURRAY_REJECTED && tag == 0x47 ? HURRAY_OK : status;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "accepts-invalid");
  table = scalar();
  table.unpack = [](uint8_t tag, const uint8_t* packed, size_t count,
                    int64_t* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.unpack(tag, packed, count, out);
    if (status == HURRAY_OK && count > 0) out[count - 1] ^= 1;
    return status;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "wrong-elements");
  table.unpack = [](uint8_t tag, const uint8_t* packed, size_t count,
                    int64_t* out) -> hurray_status {
    for (size_t i = 0; tag == 0x42 && i < count; ++i) {
      if (packed[i] == 0x00 || packed[i] == 0xff) return HURRAY_REJECTED;  // ruling A63
    }
    return hurray_target_scalar.unpack(tag, packed, count, out);
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "");
  table = scalar();
  table.widen = [](uint8_t tag, const uint8_t* packed, size_t count, float* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.widen(tag, packed, count, out);
    if (status != HURRAY_OK && count > 0) out[0] = 0;
    return status;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "writes-on-error");
  table = scalar();
  table.widen = [](uint8_t tag, const uint8_t* packed, size_t count, float* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.widen(tag, packed, count, out);
    if (count > 0) out[-1] = 0;
    return status;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "writes-in-front");
  table.widen = [](uint8_t tag, const uint8_t* packed, size_t count, float* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.widen(tag, packed, count, out);
    if (status == HURRAY_OK && count > 0) const_cast<uint8_t*>(packed)[0] ^= 1;
    return status;
  };
  EXPECT_EQ(kinds_of("elements_agree", table), "changes-input");
}

// --- Text: readers and parsers in the place of the targets

std::string kind_of(std::string_view (*read)(std::string_view, const TextParsers&)) {
  const TextReader reader = {"broken", read};
  const conformance::Bytes input = {0, 'a', '=', '1'};
  const auto mismatch = survives(input, {&reader, 1});
  EXPECT_TRUE(!mismatch || has_report(mismatch->kind));
  return mismatch ? std::string(mismatch->kind) : std::string();
}

TEST(TextSurvives, NamesEachWayToEnd) {
  using Text = std::string_view;
  using Parsers = TextParsers;
  EXPECT_EQ(kind_of([](Text, const Parsers&) -> Text { return {}; }), "");
  EXPECT_EQ(kind_of([](Text, const Parsers&) -> Text { return "another-answer"; }),
            "another-answer");
  EXPECT_EQ(
      kind_of([](Text, const Parsers&) -> Text { throw conformance::SuiteError("line 1: no"); }),
      "");
  EXPECT_EQ(kind_of([](Text, const Parsers&) -> Text { throw conformance::SuiteError(""); }),
            "no-reason");
  EXPECT_EQ(kind_of([](Text text, const Parsers&) -> Text {
              return std::string(text).at(10) == 'a' ? "" : "other-bytes";
            }),
            "throws-something-else");
}

TEST(TextSurvives, GivesTheReaderTheWholeText) {
  EXPECT_EQ(kind_of([](std::string_view text, const TextParsers&) -> std::string_view {
              return text == "a=1" ? "" : "other-bytes";
            }),
            "");
}

// Kinds of all seeds, the parsers being broken.
std::string kinds_reading(const TextParsers& parsers) {
  std::set<std::string> kinds;
  for (const NamedInput& each : seeds_of("text_survives")) {
    if (const auto mismatch = survives(each.bytes, text_readers(), parsers)) {
      EXPECT_TRUE(has_report(mismatch->kind)) << mismatch->kind;
      kinds.emplace(mismatch->kind);
    }
  }
  return fmt::format("{}", fmt::join(kinds, " "));
}

TEST(TextSurvives, NamesEachWayToReadLines) {
  using namespace conformance;
  EXPECT_EQ(kinds_reading({}), "");
  EXPECT_EQ(kinds_reading({.answer =
                               [](std::string_view text, std::string& error) {
                                 auto answer = parse_answer(text, error);
                                 if (answer) answer->first += 1;
                                 return answer;
                               }}),
            "another-answer");
  EXPECT_EQ(kinds_reading({.answer_body = [](std::string_view,
                                             std::string&) { return std::optional<Answer>(); }}),
            "no-reason");
  EXPECT_EQ(kinds_reading({.request =
                               [](std::string_view text) {
                                 auto request = parse_request(text);
                                 if (request) request->verb += 'x';
                                 return request;
                               }}),
            "another-request");
}

TEST(TextSurvives, NamesEachWayToReadValues) {
  using namespace conformance;
  EXPECT_EQ(kinds_reading({.bytes =
                               [](std::string_view text) {
                                 auto bytes = parse_hex(text);
                                 if (bytes && !bytes->empty()) bytes->back() ^= 1;
                                 return bytes;
                               }}),
            "other-bytes");
  EXPECT_EQ(kinds_reading({.floats =
                               [](std::string_view text) {
                                 auto floats = parse_floats(text);
                                 if (floats && !floats->empty()) floats->back() += 1;
                                 return floats;
                               }}),
            "other-floats");
  EXPECT_EQ(kinds_reading({.pattern =
                               [](std::string_view text, std::size_t digits) {
                                 auto number = parse_hex_number(text, digits);
                                 if (number) *number ^= 1;
                                 return number;
                               }}),
            "another-number");
  EXPECT_EQ(kinds_reading({.decimal =
                               [](std::string_view text) {
                                 auto number = parse_decimal(text);
                                 if (number && *number < 0) *number += 1;
                                 return number;
                               }}),
            "another-number");
}

TEST(TextSurvives, NamesEachWayToShowTextToPeople) {
  using namespace conformance;
  EXPECT_EQ(kinds_reading({.clean = [](std::string_view text) { return std::string(text); }}),
            "not-clean");
  EXPECT_EQ(kinds_reading({.clean = [](std::string_view text) { return cleaned(text) + "!"; }}),
            "not-clean");
  EXPECT_EQ(kinds_reading({.excerpt =
                               [](std::string_view text, std::size_t most) {
                                 return excerpt(text, most) + std::string(50, '.');
                               }}),
            "too-long");
}

TEST(TextSurvives, NamesEachWayToReadFiles) {
  using namespace conformance;
  EXPECT_EQ(kinds_reading({.requirements =
                               [](std::string_view name, std::string_view text) {
                                 auto blocks = read_requirement_file(name, text);
                                 for (RequirementBlock& each : blocks) each.requirement.id.clear();
                                 return blocks;
                               }}),
            "no-id");
  EXPECT_EQ(kinds_reading({.expectations =
                               [](std::string_view name, std::string_view text) {
                                 auto targets = read_expectation_text(name, text);
                                 for (MeantTarget& each : targets) each.attachment.clear();
                                 return targets;
                               }}),
            "no-name");
}

TEST(LinesAreAnswered, HoldsForRequestsAndRubbish) {
  for (const std::string_view text :
       {"", "\n", "1 hello version=1\n", "1\n2 x\n", "4294967296 hello\n",
        "1 decode type=10 bytes=0",
        "7 dequantize type=10 scale=3f800000 zero_point=0 count=18446744073709551615 q=00\n"}) {
    const conformance::Bytes input(text.begin(), text.end());
    EXPECT_FALSE(lines_are_answered(input, builtin_targets())) << text;
  }
}

TEST(LinesAreAnswered, FailsForATableThatNoKitServes) {
  Table table = scalar();
  table.abi = 0;
  EXPECT_EQ(kinds_of("lines_are_answered", table), "gives-up");
}

TEST(LinesAreAnswered, NamesEachWay) {
  constexpr std::string_view kLines = "1 hello version=1\n2 x\n";
  const auto kind = [&](int result, std::string_view answers) {
    const auto mismatch = answered(kLines, "kit", result, answers);
    EXPECT_TRUE(!mismatch || has_report(mismatch->kind));
    return mismatch ? std::string(mismatch->kind) : std::string();
  };
  EXPECT_EQ(kind(0, "1 ok version=1\n2 unsupported\n"), "");
  EXPECT_EQ(kind(1, "1 ok version=1\n2 unsupported\n"), "gives-up");
  EXPECT_EQ(kind(0, "1 ok version=1\n"), "other-number-of-answers");
  EXPECT_EQ(kind(0, "1 ok\n2 ok\nx"), "half-an-answer");
  EXPECT_EQ(kind(0, "1 ok\nperhaps\n"), "no-answer");
}

}  // namespace
}  // namespace hurray::fuzz
