// SPDX-License-Identifier: Apache-2.0
//
// Are reports read as they were written, garbage refused with its place, and other suites named?

#include "conformance/runner/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

Json failed_row() {
  return {{"id", "HQ-PTA-002"},
          {"verdict", "violated"},
          {"cases", 3},
          {"failed",
           {{{"case", "a/b"},
             {"class", "ties-to-even"},
             {"counter_example", {{"expected", "1"}, {"got", "<0>"}}}},
            {{"case", "a/c"}}}}};
}

Json good_report() {
  const Json held = {
      {"id", "HQ-PTA-001"}, {"verdict", "conforms"}, {"cases", 2}, {"failed", Json::array()}};
  const Json target = {
      {"name", "mine"},
      {"verdict", "non-conformant"},
      {"contracts", Json::array({"hurray"})},
      {"behaviours", {{"nan-input", "zero"}}},
      {"profiles", Json::array({{{"profile", "reader"}, {"verdict", "conformant"}}})},
      {"requirements", Json::array({held, failed_row()})}};
  return {{"suite", {{"name", "hurray-conformance"}, {"version", "1.0"}, {"digest", "abcd"}}},
          {"strict", false},
          {"targets", Json::array({target})}};
}

std::string refusal(const std::string& content) {
  try {
    read_report("some.json", content);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(ReadReport, TakesWhatTheSuiteWrites) {
  const auto targets = read_report("some.json", good_report().dump());
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(targets[0].name, "mine");
  EXPECT_EQ(targets[0].behaviours.at("nan-input"), "zero");
  EXPECT_EQ(targets[0].profiles.at("reader"), "conformant");
  EXPECT_EQ(targets[0].count("conforms"), 1u);
  const ComparedRequirement& row = targets[0].requirements.at("HQ-PTA-002");
  EXPECT_EQ(row.failed, 2u);
  EXPECT_EQ(row.asked, 3u);
  EXPECT_EQ(row.failure_class, "ties-to-even");
  EXPECT_EQ(row.got, "<0>");
}

TEST(ReadReport, RefusesWhatIsNoReportWithItsPlace) {
  for (const char* text : {"", "{", "nonsense", "[1, 2", "\xff\xfe", "{\"a\":NaN}"}) {
    EXPECT_NE(refusal(text).find("some.json: it is no JSON; expected report.json of"),
              std::string::npos)
        << text;
  }
  for (const char* text : {"[]", "1", "null", "\"suite\""}) {
    EXPECT_NE(refusal(text).find("it is no object"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("{}").find("it has no `suite`"), std::string::npos);
}

// Every member of a good report, taken away and made something else.
TEST(ReadReport, EveryFieldThatItNeedsIsMissed) {
  const Json good = good_report();
  std::size_t needed = 0;
  const Json flat = good.flatten();
  for (const auto& [path, value] : flat.items()) {
    const Json::json_pointer pointer(path);
    for (const Json& other : {Json(nullptr), Json{{"x", 1}}, Json(-1)}) {
      Json changed = good;
      changed[pointer] = other;
      const std::string said = refusal(changed.dump());
      EXPECT_TRUE(said == "taken" || said.find("compare: some.json: ") == 0) << path << said;
      needed += said != "taken";
    }
  }
  EXPECT_GT(needed, 30u);
  Json twice = good;
  twice["targets"][0]["requirements"].push_back(failed_row());
  EXPECT_NE(refusal(twice.dump()).find("targets[0].requirements[2] is a second HQ-PTA-002"),
            std::string::npos)
      << refusal(twice.dump());
  Json other = good;
  other["suite"]["name"] = "another";
  EXPECT_NE(refusal(other.dump()).find("suite is not of hurray-conformance"), std::string::npos);
}

TEST(ReadReport, DeepNestingIsNoCrash) {
  const std::string deep(200000, '[');
  EXPECT_NE(refusal(deep).find("no JSON"), std::string::npos);
  EXPECT_NE(refusal(deep + std::string(200000, ']')).find("no object"), std::string::npos);
}

TEST(Compare, NamesAreToldApart) {
  auto targets = read_report("a/report.json", good_report().dump());
  const auto more = read_report("b.json", good_report().dump());
  targets.insert(targets.end(), more.begin(), more.end());
  targets.push_back(more[0]);
  tell_apart(targets);
  EXPECT_EQ(targets[0].name, "mine (a)");
  EXPECT_EQ(targets[1].name, "mine (b)");
  EXPECT_EQ(targets[2].name, "mine (b) 2");
}

TEST(Compare, SaysThatASuiteIsAnother) {
  auto targets = read_report("a.json", good_report().dump());
  Json other = good_report();
  other["suite"]["digest"] = "ef01";
  other["strict"] = true;
  other["targets"][0]["requirements"].push_back(
      {{"id", "HQ-PTA-003"}, {"verdict", "conforms"}, {"cases", 1}, {"failed", Json::array()}});
  EXPECT_TRUE(differing_suites(targets).empty());
  targets.push_back(read_report("b.json", other.dump())[0]);
  const auto said = differing_suites(targets);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[0].find("b.json is of other cases"), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("--strict"), std::string::npos);
  const std::string page = comparison_html(targets);
  EXPECT_NE(page.find("class=\"notice\""), std::string::npos);
  EXPECT_EQ(all_requirements(targets),
            (std::vector<std::string>{"HQ-PTA-001", "HQ-PTA-002", "HQ-PTA-003"}));
}

TEST(Compare, ThePageEscapesWhatAReportHas) {
  Json report = good_report();
  report["targets"][0]["name"] = "<script>alert(1)</script>";
  report["targets"][0]["behaviours"] = {{"<b>", "\"><i>"}};
  auto targets = read_report("<x>.json", report.dump());
  targets.push_back(targets[0]);
  targets[1].behaviours["<b>"] = "other";
  const std::string page = comparison_html(targets);
  for (const char* raw : {"<script", "<b>", "<i>", "<x>", "<0>"}) {
    EXPECT_EQ(page.find(raw), std::string::npos) << raw;
  }
  EXPECT_NE(page.find("&lt;0&gt; instead of 1"), std::string::npos);
}

}  // namespace
}  // namespace hurray::conformance
