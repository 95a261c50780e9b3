// SPDX-License-Identifier: Apache-2.0
//
// Is there one choice that explains everything that a run has shown? Behaviours by themselves, and
// tied together.

#include "conformance/runner/consistency.h"

#include <gtest/gtest.h>

#include "conformance/runner/behaviours.h"
#include "conformance/runner/combinations.h"

namespace hurray::conformance {
namespace {

using Options = std::vector<std::string>;

const Shows kNegative = {{"difference+codes", {"widen+signed", "wrap+signed", "wrap+unsigned"}}};
const Shows kUnsigned = {{"codes", {"unsigned"}}};
const Shows kSigned = {{"codes", {"signed"}}};
const Shows kWiden = {{"difference", {"widen"}}};
const Shows kWrap = {{"difference", {"wrap"}}};

// The case with the first contradiction, as an index, or -1.
int contradicted(const std::vector<Shows>& cases) {
  Consistency consistency;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (consistency.add(cases[i], "case " + std::to_string(i))) return static_cast<int>(i);
  }
  return -1;
}

TEST(Consistency, OneBehaviourHasOneOption) {
  EXPECT_EQ(contradicted({kWrap, kWrap, kUnsigned}), -1);
  EXPECT_EQ(contradicted({kWrap, kUnsigned, kWiden}), 2);
}

TEST(Consistency, TwoCasesMayExcludeAnOptionTogetherWithATie) {
  EXPECT_EQ(contradicted({kNegative, kUnsigned, kWrap}), -1);
  EXPECT_EQ(contradicted({kNegative, kSigned, kWiden}), -1);
  EXPECT_EQ(contradicted({kNegative, kUnsigned, kWiden}), 2);
  EXPECT_EQ(contradicted({kWiden, kUnsigned, kNegative}), 2);
  EXPECT_EQ(contradicted({kWiden, kNegative, kUnsigned}), 2);
}

TEST(Consistency, TiesExcludeEachOther) {
  const Shows positive = {{"difference+codes", {"widen+unsigned"}}};
  EXPECT_EQ(contradicted({kNegative, kNegative, positive}), 2);
  // Through a behaviour that both name.
  const Shows other = {{"codes+more", {"signed+yes", "unsigned+no"}}};
  const Shows yes = {{"more", {"yes"}}};
  EXPECT_EQ(contradicted({other, yes, kSigned}), -1);
  EXPECT_EQ(contradicted({other, yes, kWiden, kNegative, kUnsigned}), 4);
}

TEST(Consistency, ATieSettlesABehaviourAndNamesTheCase) {
  Consistency consistency;
  EXPECT_FALSE(consistency.add(kNegative, "first"));
  EXPECT_FALSE(consistency.add(kUnsigned, "second"));
  EXPECT_EQ(consistency.shown().at("difference"), Options{"wrap"});
  EXPECT_EQ(consistency.shown().count("difference+codes"), 0u);
  const auto contradiction = consistency.add(kWiden, "third");
  ASSERT_TRUE(contradiction);
  EXPECT_EQ(contradiction->behaviour, "difference");
  EXPECT_EQ(contradiction->before, Options{"wrap"});
  EXPECT_EQ(contradiction->now, Options{"widen"});
  EXPECT_EQ(contradiction->by_case, "second");
}

TEST(Consistency, WhatContradictsIsNotTakenIn) {
  Consistency consistency;
  EXPECT_FALSE(consistency.add(kWrap, "first"));
  Shows both = kWiden;
  both["codes"] = {"signed"};
  EXPECT_TRUE(consistency.add(both, "second"));
  EXPECT_FALSE(consistency.add(kUnsigned, "third"));
}

TEST(Consistency, RecordedBehavioursAreCollected) {
  Consistency consistency;
  EXPECT_FALSE(consistency.add({{"infinite-scale", {"refuse"}}}, "first"));
  EXPECT_FALSE(consistency.add({{"infinite-scale", {"zero-point"}}}, "second"));
  EXPECT_EQ(consistency.shown().at("infinite-scale"), (Options{"refuse", "zero-point"}));
}

TEST(Ties, AreNamedByTheirParts) {
  EXPECT_TRUE(is_tie("a+b"));
  EXPECT_FALSE(is_tie("a"));
  EXPECT_EQ(tied({"a", "b"}), "a+b");
  EXPECT_EQ(parts_of("a+b"), (Options{"a", "b"}));
  EXPECT_EQ(parts_of("a"), Options{"a"});
}

TEST(Ties, AreShownWhereOptionsAloneDoNotTell) {
  const std::vector<Behaviour> behaviours = {{"left", {"no", "yes"}}, {"right", {"no", "yes"}}};
  const auto alternatives = enumerate(behaviours, [](const Combination& combination) -> Result {
    return {combination.has("left", "yes") && combination.has("right", "yes") ? "ok both"
                                                                              : "ok neither"};
  });
  ASSERT_EQ(alternatives.size(), 2u);
  EXPECT_EQ(alternatives[0].shows, (Shows{{"left", {"yes"}}, {"right", {"yes"}}}));
  EXPECT_EQ(alternatives[1].shows, (Shows{{"left+right", {"no+no", "no+yes", "yes+no"}}}));
}

TEST(Ties, LeaveOutWhatIsOnlyRecorded) {
  const std::vector<Behaviour> behaviours = {{"infinite-scale", {"refuse", "zero-point"}},
                                             {"quotient", {"binary32", "exact"}}};
  const auto alternatives = enumerate(behaviours, [](const Combination& combination) -> Result {
    return {combination.has("infinite-scale", "refuse") || combination.has("quotient", "exact")
                ? "ok a"
                : "ok b"};
  });
  EXPECT_EQ(alternatives[0].shows, Shows{});
}

}  // namespace
}  // namespace hurray::conformance
