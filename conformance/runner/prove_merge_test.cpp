// SPDX-License-Identifier: Apache-2.0
//
// Do shards make up exactly one proof or a sentence that says why not, and does what is written
// come back as it was?

#include "conformance/runner/prove_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/runner/planted_target.h"
#include "conformance/runner/prove_file.h"

namespace hurray::conformance {
namespace {

const SweepFunction kCodes{"", 0x15, 0.1f, 3, SweepOperation::kDequantize};

SweepResult agreement(const SweepFunction& function, const SweepRange& range,
                      std::vector<std::string> readings) {
  SweepResult result;
  result.inputs = inputs_of(function, range);
  result.readings = std::move(readings);
  return result;
}

// Shard i of three, from 1 on.
ProofFile shard(std::uint32_t i,
                std::vector<std::string> readings = {"quotient=binary32", "quotient=exact"}) {
  const SweepRange range = shard_of(kInt8, {i, 3});
  return {std::to_string(i) + ".json",
          "1.0",
          "mine",
          {{kInt8, range, agreement(kInt8, range, std::move(readings))}},
          {{"./libmine.so", std::string(64, 'a')}}};
}

std::string refusal(std::vector<ProofFile> files) {
  try {
    merged(files);
    return "merged";
  } catch (const UsageError& error) {
    return error.what();
  }
}

void expect_refused(const std::vector<ProofFile>& files, const std::vector<std::string>& parts) {
  const std::string text = refusal(files);
  for (const std::string& each : parts) EXPECT_NE(text.find(each), std::string::npos) << text;
}

TEST(Merge, OfAllShardsInAnyOrderIsTheWhole) {
  const std::vector<Proof> proofs = merged(std::vector{shard(3), shard(1), shard(2)});
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_EQ(proofs[0].range, (SweepRange{0, 0x1'0000'0000}));
  EXPECT_EQ(proofs[0].result.inputs, 2u * 0x7f800001);
  EXPECT_FALSE(proofs[0].result.finding);
  EXPECT_EQ(proofs[0].result.readings.size(), 2u);
}

TEST(Merge, NamesWhatIsMissing) {
  expect_refused({shard(1), shard(3)}, {"no file has the inputs ", "quantize int8", "3dcccccd"});
  expect_refused({shard(2), shard(3)}, {"no file has the inputs 00000000 to "});
  expect_refused({shard(1), shard(2)}, {"no file has the inputs ", " to ffffffff of"});
  std::vector<ProofFile> files{shard(1), shard(2), shard(3)};
  files[1].proofs[0].range.count -= 1;
  files[1].proofs[0].result.inputs -= 1;
  expect_refused(files, {"no file has the input "});
}

TEST(Merge, NamesWhatIsThereTwice) {
  expect_refused({shard(1), shard(2), shard(2), shard(3)},
                 {"2.json and 2.json both have the inputs", "every input once"});
  ProofFile whole = shard(1);
  whole.path = "whole.json";
  whole.proofs[0].range = {0, 0x1'0000'0000};
  expect_refused({whole, shard(2)}, {"whole.json and 2.json both have"});
}

TEST(Merge, IsOfOneTargetAndOneSuite) {
  ProofFile other = shard(2);
  other.target = "yours";
  expect_refused({shard(1), other, shard(3)},
                 {"1.json is about the target mine, 2.json about yours", "NAME="});
  other = shard(2);
  other.suite_version = "1.1";
  expect_refused({shard(1), other, shard(3)}, {"1.json is of suite version 1.0, 2.json of 1.1"});
}

TEST(Merge, IsOfOneBuild) {
  ProofFile other = shard(2);
  other.files[0].sha256 = std::string(64, 'b');
  expect_refused({shard(1), other, shard(3)},
                 {"1.json was made with ./libmine.so (SHA-256 aaaaaaaaaaaa…), 2.json with "
                  "./libmine.so (SHA-256 bbbbbbbbbbbb…)",
                  "one build", "copy"});
  other = shard(2);
  other.files.clear();
  expect_refused({shard(1), other, shard(3)}, {"2.json with no file"});
  other = shard(2);
  other.files.push_back(other.files[0]);
  expect_refused({shard(1), other, shard(3)}, {"2.json with ./libmine.so"});
  // On another machine it may lie elsewhere.
  other = shard(2);
  other.files[0].file = "/elsewhere/libmine.so";
  EXPECT_EQ(refusal({shard(1), other, shard(3)}), "merged");
}

TEST(Merge, DoesNotMixParameters) {
  for (const SweepFunction& function :
       {SweepFunction{"", 0x10, 0.1f, 4}, SweepFunction{"", 0x10, 0.2f, 3},
        SweepFunction{"", 0x11, 0.1f, 3}, SweepFunction{"quantize_i8", 0, 0.1f, 3}}) {
    ProofFile other = shard(2);
    other.proofs[0].function = function;
    expect_refused({shard(1), other, shard(3)}, {"no file has the inputs "});
  }
}

TEST(Merge, KeepsTheFunctionsOfASetApart) {
  std::vector<ProofFile> files;
  for (const std::uint32_t i : {1u, 2u, 3u}) {
    files.push_back(shard(i));
    const SweepRange range = shard_of(kCodes, {i, 3});
    files.back().proofs.push_back(
        {kCodes, range, agreement(kCodes, range, {"int32-difference=wrap"})});
  }
  const std::vector<Proof> proofs = merged(files);
  ASSERT_EQ(proofs.size(), 2u);
  EXPECT_EQ(proofs[0].result.inputs, 2u * 0x7f800001);
  EXPECT_EQ(proofs[1].result.inputs, 0x1'0000'0000u);
  files[1].proofs.pop_back();
  expect_refused(files, {"no file has the inputs 55555555 to aaaaaaa9 of dequantize uint32"});
}

TEST(Merge, ShardsWithoutInputsCoverNothing) {
  const SweepFunction function{"", 0x4b, 1.0f, 0, SweepOperation::kDequantize};
  std::vector<ProofFile> files;
  for (std::uint32_t i = 1; i <= 7; ++i) {
    const SweepRange range = shard_of(function, {i, 7});
    files.push_back(
        {"", "1.0", "mine", {{function, range, agreement(function, range, {"zeros=ieee"})}}, {}});
  }
  const std::vector<Proof> proofs = merged(files);
  EXPECT_EQ(proofs[0].result.inputs, 4u);
  EXPECT_EQ(proofs[0].result.readings, (std::vector<std::string>{"zeros=ieee"}));
}

TEST(Merge, ReadingsAreThoseThatAllShardsShare) {
  const auto proofs = merged(std::vector{shard(1), shard(2, {"quotient=exact"}), shard(3)});
  EXPECT_FALSE(proofs[0].result.finding);
  EXPECT_EQ(proofs[0].result.readings, (std::vector<std::string>{"quotient=exact"}));
}

TEST(Merge, ReadingsThatExcludeEachOtherAreAFinding) {
  const auto proofs =
      merged(std::vector{shard(1), shard(2, {"quotient=exact"}), shard(3, {"quotient=binary32"})});
  const SweepResult& result = proofs[0].result;
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->failure_class, "inconsistent");
  EXPECT_EQ(result.finding->where, shard_of(kInt8, {3, 3}));
  EXPECT_EQ(result.finding->readings_here, (std::vector<std::string>{"quotient=binary32"}));
  EXPECT_EQ(result.readings, (std::vector<std::string>{"quotient=exact"}));
  EXPECT_NE(result.finding->detail.find("3.json"), std::string::npos);
}

ProofFile with_finding(std::uint32_t i, std::uint32_t at) {
  ProofFile file = shard(i);
  SweepResult& result = file.proofs[0].result;
  result.inputs = at;
  result.finding = SweepFinding{Outcome::kValue,
                                {file.proofs[0].range.first + at, 1},
                                "",
                                "reciprocal",
                                {},
                                {{file.proofs[0].range.first + at, {3, 4}, -7}, {1, {2}, {}}},
                                {}};
  return file;
}

TEST(Merge, TheFirstFindingCountsWhateverComesBehind) {
  const auto proofs = merged(std::vector{with_finding(3, 9), with_finding(2, 5), shard(1)});
  const SweepResult& result = proofs[0].result;
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->where.first, shard_of(kInt8, {2, 3}).first + 5);
  EXPECT_EQ(result.inputs, shard(1).proofs[0].result.inputs + 5);
}

TEST(Merge, WhatBrokeBeforeAFindingIsBroken) {
  ProofFile broken = shard(1);
  broken.proofs[0].result = {};
  broken.proofs[0].result.broken = Broken{"gone", {}};
  const auto proofs = merged(std::vector{broken, with_finding(2, 5), shard(3)});
  EXPECT_TRUE(proofs[0].result.broken);
  EXPECT_FALSE(proofs[0].result.finding);
}

TEST(Merge, ShardsAgreeOnWhatIsClaimed) {
  ProofFile other = shard(2);
  other.proofs[0].result = {};
  other.proofs[0].result.not_claimed = "sweep is not claimed";
  expect_refused({shard(1), other, shard(3)}, {"1.json and 2.json do not agree", "claimed"});
}

// --- Files

TEST(ProofFiles, ComeBackAsTheyWereWritten) {
  ProofFile file = with_finding(2, 5);
  file.proofs.push_back({kCodes, {7, 9}, agreement(kCodes, {7, 9}, {"int32-difference=wrap"})});
  file.proofs.push_back({{"quantize_u8", 0, 1.5f, -700}, {0, 16}, {}});
  file.proofs.back().result.not_claimed = "not this";
  file.proofs.push_back({kInt8, {0, 16}, {}});
  file.proofs.back().result.broken = Broken{"gone", {}};
  const std::string text = proof_json(file);
  const ProofFile read = read_proof_json("a.json", text);
  EXPECT_EQ(proof_json(read), text);
  ASSERT_EQ(read.proofs.size(), 4u);
  EXPECT_EQ(read.path, "a.json");
  EXPECT_EQ(read.target, "mine");
  EXPECT_EQ(read.files, file.files);
  EXPECT_EQ(read.proofs[0].result.finding, file.proofs[0].result.finding);
  EXPECT_EQ(read.proofs[0].result.inputs, 5u);
  EXPECT_TRUE(read.proofs[1].function.dequantizes());
  EXPECT_EQ(read.proofs[1].range, (SweepRange{7, 9}));
  EXPECT_EQ(read.proofs[2].function.zero_point, -700);
  EXPECT_EQ(read.proofs[2].result.not_claimed, "not this");
  EXPECT_EQ(read.proofs[3].result.broken->reason, "gone");
}

// A finding in 9 inputs, the one in the call `offset` from the first.
std::string only_in_calls(std::uint32_t offset, std::uint64_t count) {
  ProofFile file = with_finding(2, 5);
  SweepFinding& finding = *file.proofs[0].result.finding;
  finding.where.count = count;
  finding.in_one_call = finding.where.first + offset;
  return proof_json(file);
}

TEST(ProofFiles, KeepWhatIsWrongOnlyInCalls) {
  const ProofFile read = read_proof_json("a.json", only_in_calls(8, 9));
  const SweepFinding& finding = *read.proofs[0].result.finding;
  EXPECT_EQ(finding.in_one_call, finding.where.first + 8);
  EXPECT_EQ(proof_json(read), only_in_calls(8, 9));
  const auto proofs = merged(std::vector{shard(1), read, shard(3)});
  EXPECT_EQ(proofs[0].result.finding->in_one_call, finding.in_one_call);
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = proof_json(with_finding(2, 5));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ProofFiles, ThatAreNoneAreRefusedWithTheirName) {
  const std::pair<std::string, std::string> kCases[] = {
      {"", "not JSON"},
      {"garbage", "not JSON"},
      {"[]", "not a proof"},
      {"{\"a\": 1}", "not a proof"},
      {changed("proof 1", "proof 2"), "`format`"},
      {changed("\"op\": \"quantize\"", "\"op\": \"sing\""), "`op`"},
      {changed("\"int8\"", "\"int7\""), "`type`"},
      {changed("3dcccccd", "3dccccc"), "`scale`"},
      {changed("3dcccccd", "00000000"), "`scale`"},
      {changed("3dcccccd", "ff800000"), "`scale`"},
      {changed("\"zero_point\": 3", "\"zero_point\": 128"), "`zero_point`"},
      {changed("\"zero_point\": 3", "\"zero_point\": 3.5"), "`zero_point`"},
      {changed("\"zero_point\": 3", "\"zero_point\": \"3\""), "`zero_point`"},
      {changed("\"count\": ", "\"count\": 9"), "`count`"},
      {changed("\"count\": ", "\"count\": -"), "`count`"},
      {changed("\"first\": \"55", "\"first\": \"f5"), "go beyond"},
      {changed("differs", "perhaps"), "`verdict`"},
      {changed("differs", "as-reference"), "without a finding"},
      {changed("quotient=exact", "quotient=odd"), "`readings`"},
      {changed("\"outcome\": \"value\"", "\"outcome\": \"garbled\""), "`outcome`"},
      {changed("\"finding\"", "\"found\""), "finding"},
      {changed("\"got\": -7", "\"got\": true"), "`got`"},
      {changed("\"inputs\": 5,", "\"inputs\": 4,"), "`inputs`"},
      {changed("\"target\"", "\"towel\""), "target"},
      {changed("\"files\"", "\"piles\""), "files"},
      {changed("\"sha256\": \"aa", "\"sha256\": \"xa"), "`sha256`"},
      {changed("\"sha256\": \"aa", "\"sha256\": \"a"), "`sha256`"},
      {only_in_calls(9, 9), "`in_one_call`"},
  };
  for (const auto& [text, part] : kCases) {
    try {
      read_proof_json("a.json", text);
      ADD_FAILURE() << "taken: " << text;
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("a.json: ")) << message;
      EXPECT_NE(message.find(part), std::string::npos) << message << " lacks " << part;
      EXPECT_NE(message.find("prove --out"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
