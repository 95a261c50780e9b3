// SPDX-License-Identifier: Apache-2.0
//
// Are the reports what their readers can read: JSON with the documented keys, well-formed XML, a
// text in which nothing of a target's output reaches the terminal unseen?

#include "conformance/runner/report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "conformance/runner/shell.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

// What a hostile or clumsy target may get into a report: markup, quotes, control characters, an
// escape sequence, and bytes that are no UTF-8.
const std::string kNasty = "<&>\"'\t\x01\x1b[31m\x7f \xff\xfe \xc3";

const Suite& suite() {
  static const Suite kSuite = load_suite();
  return kSuite;
}

// Results of a target that was asked everything: `failing` fails, all else passes.
TargetResult result_with(const std::string& failing, const std::string& got) {
  TargetResult target;
  target.attachment = {"mine", "exec:./mine 'a b'", {}};
  target.attachment.runnable = target.attachment.text;
  target.claims = Claims{};
  target.claims->name = "mine";
  target.claims->contracts = {Contract::kHurray, Contract::kRa8};
  target.cases.resize(suite().cases.size());
  for (std::size_t i = 0; i < target.cases.size(); ++i) {
    target.cases[i].verdict = CaseVerdict::kPass;
    if (suite().cases[i].name != failing) continue;
    target.cases[i].verdict = CaseVerdict::kFail;
    Failure failure;
    failure.request = suite().cases[i].steps.front().request;
    failure.expected = "reject";
    failure.got = got;
    failure.failure_class = "accepts-invalid";
    target.cases[i].failure = failure;
  }
  sum_up(suite(), false, target);
  return target;
}

constexpr const char* kFailing = "decode/scale-zero/00000000";

// --- A checker of well-formedness, no more than these reports need

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const std::size_t more = c < 0x80       ? 0
                             : c >> 5 == 6  ? 1
                             : c >> 4 == 14 ? 2
                             : c >> 3 == 30 ? 3
                                            : SIZE_MAX;
    if (more == SIZE_MAX || i + more >= text.size()) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    i += more + 1;
  }
  return true;
}

// What is wrong with the document, or nothing.
std::string xml_problem(std::string_view text) {
  if (!is_utf8(text)) return "not UTF-8";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      return "a control character";
  }
  if (!text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return "no declaration";
  text.remove_prefix(text.find('\n') + 1);
  std::vector<std::string> open;
  while (!text.empty()) {
    const std::size_t start = text.find('<');
    const std::string_view between = text.substr(0, start);
    if (between.find('>') != std::string_view::npos) return "a bare >";
    for (std::size_t at = between.find('&'); at != std::string_view::npos;
         at = between.find('&', at + 1)) {
      if (between.find(';', at) == std::string_view::npos) return "a bare &";
    }
    if (start == std::string_view::npos) break;
    const std::size_t end = text.find('>', start);
    if (end == std::string_view::npos) return "a tag that does not end";
    const std::string_view tag = text.substr(start + 1, end - start - 1);
    if (tag.find('<') != std::string_view::npos) return "a tag in a tag: " + std::string(tag);
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0)
      return "an odd number of quotes: " + std::string(tag);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1))
        return "closes what is not open: " + std::string(tag);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
    text.remove_prefix(end + 1);
  }
  return open.empty() ? std::string() : "never closed: " + open.back();
}

// --- JUnit

TEST(Junit, IsWellFormedAndCounts) {
  const std::string xml = junit_xml(suite(), {result_with(kFailing, "ok scheme=1")});
  EXPECT_EQ(xml_problem(xml), "");
  EXPECT_NE(xml.find("<testsuite name=\"mine\" tests=\"" +
                     std::to_string(suite().requirements.size()) + "\""),
            std::string::npos);
  EXPECT_NE(xml.find("name=\"HQ-PTA-008\">\n      <failure"), std::string::npos);
  EXPECT_NE(xml.find("type=\"accepts-invalid\""), std::string::npos);
  EXPECT_NE(xml.find("<skipped message=\"not testable: "), std::string::npos);
}

TEST(Junit, IsWellFormedWhateverATargetSays) {
  TargetResult target = result_with(kFailing, kNasty);
  target.attachment.name = kNasty;
  target.broken = Broken{kNasty, kNasty};
  EXPECT_EQ(xml_problem(junit_xml(suite(), {target})), "");
  MeantTarget meant;
  meant.name = kNasty;
  EXPECT_EQ(xml_problem(junit_xml(suite(), {target}, {meant})), "");
}

TEST(Junit, ATargetThatIsMeantToBeWrongFailsOnlyIfItIsRight) {
  // Else a list with wrong targets is red in every CI that reads this file.
  MeantTarget meant;
  meant.name = "mine";
  meant.verdict = "non-conformant";
  TargetResult wrong = result_with(kFailing, "ok scheme=1");
  const std::string as_meant = junit_xml(suite(), {wrong}, {meant});
  EXPECT_NE(as_meant.find("tests=\"1\" failures=\"0\""), std::string::npos) << as_meant;
  wrong.verdict = TargetVerdict::kConformant;
  const std::string right = junit_xml(suite(), {wrong}, {meant});
  EXPECT_NE(right.find("tests=\"1\" failures=\"1\""), std::string::npos) << right;
  EXPECT_NE(right.find("meant to be non-conformant, is conformant"), std::string::npos) << right;
  EXPECT_EQ(xml_problem(right), "");
}

TEST(Junit, TheCheckItselfSeesMistakes) {
  const std::string start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  for (const char* bad : {"<a>", "<a></b>", "<a b=\"></a>", "<a>&</a>", "<a>\x01</a>",
                          "<a>\xff</a>", "<a <b/></a>"}) {
    EXPECT_NE(xml_problem(start + bad), "") << bad;
  }
  EXPECT_EQ(xml_problem(start + "<a b=\"c\">&lt;<d/></a>"), "");
}

// --- JSON

TEST(ReportJson, HasTheDocumentedKeys) {
  const Json report =
      Json::parse(report_json(suite(), {result_with(kFailing, "ok scheme=1")}, true));
  EXPECT_EQ(report.at("suite").at("name"), "hurray-conformance");
  EXPECT_EQ(report.at("suite").at("digest"), suite().digest);
  EXPECT_EQ(report.at("suite").at("cases"), suite().cases.size());
  EXPECT_EQ(report.at("suite").at("requirements"), suite().requirements.size());
  EXPECT_EQ(report.at("strict"), true);
  const Json& target = report.at("targets").at(0);
  EXPECT_EQ(target.at("name"), "mine");
  EXPECT_EQ(target.at("attachment"), "exec:./mine 'a b'");
  EXPECT_EQ(target.at("verdict"), "non-conformant");
  EXPECT_EQ(target.at("calls_itself"), "mine");
  EXPECT_EQ(target.at("contracts"), (std::vector<std::string>{"hurray", "ra8"}));
  EXPECT_TRUE(target.at("behaviours").is_object());
  EXPECT_FALSE(target.contains("reason"));
  ASSERT_EQ(target.at("requirements").size(), suite().requirements.size());
  for (const Json& each : target.at("requirements")) {
    for (const char* key : {"id", "level", "contract", "verdict", "cases", "failed"})
      EXPECT_TRUE(each.contains(key)) << key;
    if (each.at("id") != "HQ-PTA-008") continue;
    EXPECT_EQ(each.at("verdict"), "violated");
    const Json& failed = each.at("failed").at(0);
    EXPECT_EQ(failed.at("case"), kFailing);
    EXPECT_EQ(failed.at("verdict"), "fail");
    EXPECT_EQ(failed.at("outcome"), "value");
    EXPECT_EQ(failed.at("class"), "accepts-invalid");
    for (const char* key : {"request", "expected", "got", "why", "replay", "c"}) {
      EXPECT_TRUE(failed.at("counter_example").contains(key)) << key;
    }
  }
}

TEST(ReportJson, ABrokenTargetHasItsReasonAndNoContract) {
  TargetResult target;
  target.attachment = {"gone", "exec:gone", {}};
  target.broken = Broken{"never started", "on standard error"};
  target.cases.resize(suite().cases.size());
  sum_up(suite(), false, target);
  const Json report = Json::parse(report_json(suite(), {target}, false));
  EXPECT_EQ(report.at("targets").at(0).at("reason"), "never started");
  EXPECT_TRUE(report.at("targets").at(0).at("contracts").empty());
  // What it wrote for people differs from run to run, so it stands in run.json.
  EXPECT_EQ(report.dump().find("on standard error"), std::string::npos);
  const Json run = Json::parse(run_json(
      {"2000-01-01T00:00:00Z", 1.5, "host", 2, {"hurray-conform", "run"}}, suite(), {target}));
  EXPECT_EQ(run.at("targets").at(0).at("standard_error"), "on standard error");
  EXPECT_EQ(run.at("started"), "2000-01-01T00:00:00Z");
  EXPECT_EQ(run.at("seconds"), 1.5);
  EXPECT_EQ(run.at("host"), "host");
  EXPECT_EQ(run.at("jobs"), 2);
  EXPECT_EQ(run.at("command").size(), 2u);
}

TEST(ReportJson, ParsesWhateverATargetSays) {
  TargetResult target = result_with(kFailing, kNasty);
  target.claims->name = kNasty;
  target.broken = Broken{kNasty, kNasty};
  EXPECT_TRUE(Json::accept(report_json(suite(), {target}, false)));
  EXPECT_TRUE(Json::accept(run_json({}, suite(), {target})));
}

TEST(ListJson, RequirementsHaveEverythingThatIsKnown) {
  const Json all = Json::parse(requirements_json(suite()));
  ASSERT_EQ(all.size(), suite().requirements.size());
  for (const Json& each : all) {
    for (const char* key : {"id", "level", "contract", "clause", "text", "rulings", "cases"}) {
      EXPECT_TRUE(each.contains(key)) << key;
    }
    EXPECT_EQ(each.contains("reason"), each.at("cases").empty()) << each.at("id");
  }
}

TEST(ListJson, CasesHaveTheFormThatTheSecondOracleReads) {
  const Json all = Json::parse(cases_json(suite()));
  ASSERT_EQ(all.at("cases").size(), suite().cases.size());
  for (const Json& each : all.at("cases")) {
    ASSERT_TRUE(each.contains("name") && each.contains("requirements") && each.contains("why"));
    for (const Json& step : each.at("steps")) {
      ASSERT_TRUE(step.at("request").is_string());
      for (const Json& expected : step.at("expect")) {
        ASSERT_TRUE(expected.at("answer").is_string() && expected.at("verdict").is_string() &&
                    expected.at("shows").is_object());
      }
    }
  }
}

// --- Text

TEST(Text, AFailureShowsAllThatHelps) {
  const TargetResult target = result_with(kFailing, "ok scheme=1");
  const std::string text = describe_findings(suite(), target, {});
  for (const char* part : {"HQ-PTA-008 violated", "A reader refuses a scale of zero",
                           "case      decode/scale-zero/00000000", "looks for ",
                           "request   decode type=", "expected  reject", "got       ok scheme=1",
                           "class     accepts-invalid: accepts what must be refused",
                           "replay    hurray-conform replay --target 'exec:./mine '\\''a b'\\''' "
                           "decode/scale-zero/00000000",
                           "in C", "hurray_target.decode("}) {
    EXPECT_NE(text.find(part), std::string::npos) << "`" << part << "` is not in:\n" << text;
  }
}

TEST(Text, ArraysOfARequestAreCutAndNothingElse) {
  const auto shown = [](const std::string& request) {
    TargetResult target = result_with(kFailing, "ok scheme=1");
    for (CaseResult& each : target.cases) {
      if (each.failure) each.failure->request = request;
    }
    const std::string text = describe_findings(suite(), target, {});
    const std::size_t start = text.find("request   ") + 10;
    return text.substr(start, text.find('\n', start) - start);
  };
  const std::string head = "dequantize type=10 scale=3f000000 zero_point=3 ";
  const std::string q(66, 'a');
  EXPECT_EQ(shown(head + "count=33 q=" + q + " in_off=1"),
            head + "count=33 q=" + q.substr(0, 16) + "…(33 bytes) in_off=1");
  const std::string whole = head + "count=32 q=" + q.substr(2) + " in_off=1";
  EXPECT_EQ(shown(whole), whole);
}

TEST(Text, ClassesOfManyViolationsAndUnknownWordsOfHelloComeFirst) {
  TargetResult target = result_with(kFailing, "ok scheme=1");
  EXPECT_EQ(describe_findings(suite(), target, {}).find("by class"), std::string::npos);
  const Failure failure = *std::ranges::find_if(target.cases, [](const CaseResult& each) {
                             return each.failure.has_value();
                           })->failure;
  for (std::size_t i = 0; i < target.cases.size(); ++i) {
    if (suite().cases[i].name.starts_with("decode/scale-nan") ||
        suite().cases[i].name.starts_with("decode/scale-zero")) {
      target.cases[i].verdict = CaseVerdict::kFail;
      target.cases[i].failure = failure;
    }
  }
  target.claims->unknown = {"ops=normalze", "colour"};
  sum_up(suite(), false, target);
  const std::string text = describe_findings(suite(), target, {});
  const std::size_t classes = text.find("requirements are violated; by class of their examples: ");
  EXPECT_NE(classes, std::string::npos) << text;
  EXPECT_LT(classes, text.find(" violated (")) << text;
  EXPECT_NE(text.find(" accepts-invalid\n"), std::string::npos) << text;
  EXPECT_NE(text.find("does not know: ops=normalze colour"), std::string::npos) << text;
}

TEST(Text, ARequirementThatSeveralMistakesViolateCountsThem) {
  TargetResult target = result_with(kFailing, "ok scheme=1");
  EXPECT_EQ(describe_findings(suite(), target, {}).find("of cases"), std::string::npos);
  Failure failure = *std::ranges::find_if(target.cases, [](const CaseResult& each) {
                       return each.failure.has_value();
                     })->failure;
  failure.failure_class = "tail";
  for (const Requirement& each : suite().requirements) {
    if (each.id != "HQ-PTA-008") continue;
    for (const std::size_t i : std::span(each.cases).last(3)) {
      target.cases[i].verdict = CaseVerdict::kFail;
      target.cases[i].failure = failure;
    }
  }
  target.requirements.clear();
  sum_up(suite(), false, target);
  const std::string text = describe_findings(suite(), target, {});
  EXPECT_NE(text.find("\n  of cases  3 tail, 1 accepts-invalid\n"), std::string::npos) << text;
}

TEST(Text, HasColorsOnlyWhereAskedFor) {
  const TargetResult target = result_with(kFailing, "ok scheme=1");
  EXPECT_EQ(describe_findings(suite(), target, {false}).find('\x1b'), std::string::npos);
  EXPECT_NE(describe_findings(suite(), target, {true}).find('\x1b'), std::string::npos);
  EXPECT_EQ(verdict_table({target}, {false}).find('\x1b'), std::string::npos);
}

TEST(Text, NothingOfATargetsOutputSteersTheTerminal) {
  // An escape sequence in an answer could recolour, retitle or clear what people read.
  TargetResult target = result_with(kFailing, kNasty);
  target.broken = Broken{kNasty, kNasty};
  const std::string text = describe_findings(suite(), target, {});
  for (const char c : {'\x1b', '\x01', '\x7f'})
    EXPECT_EQ(text.find(c), std::string::npos) << int{c};
}

TEST(Text, TheTableCountsRowsPerGroupAndEndsWithTheVerdict) {
  const std::string table = verdict_table({result_with(kFailing, "ok scheme=1")}, {});
  EXPECT_NE(table.find("HQ-PTA"), std::string::npos);
  EXPECT_NE(table.find("23/24"), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with("non-conformant\n")) << table;
}

TEST(ShellWord, QuotesWhatAShellWouldRead) {
  for (const std::string_view plain :
       {"builtin:fault-ties-to-even", "lib:./a_b.so", "a=b,c+d@e%"}) {
    EXPECT_EQ(shell_word(plain), plain);
  }
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  for (const std::string_view read :
       {"a b", "a\nb", "a\tb", "$a", "~a", "^a", "a\xc3\xa4", "{a,b}"}) {
    EXPECT_EQ(shell_word(read), "'" + std::string(read) + "'");
  }
}

}  // namespace
}  // namespace hurray::conformance
