// SPDX-License-Identifier: Apache-2.0
//
// Are the hard parameters legal ones of every type, each once, and asked only where they are
// claimed?

#include "conformance/runner/prove_set.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/runner/sweep.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

TEST(DefaultSet, HasEveryTypeInBothDirectionsAndNoRowTwice) {
  std::set<std::tuple<SweepOperation, StorageType>> kinds;
  std::set<std::tuple<SweepOperation, StorageType, std::uint32_t, std::int32_t>> rows;
  for (const HardParameters& row : default_set()) {
    const SweepFunction function = function_of(row);
    const StorageTypeInfo& info = storage_of(function);
    kinds.insert({row.operation, row.type});
    EXPECT_TRUE(rows.insert({row.operation, row.type, row.scale_bits, row.zero_point}).second);
    EXPECT_TRUE(row.zero_point >= info.min && row.zero_point <= info.max) << row.why;
    EXPECT_TRUE(function.scale > 0 || function.dequantizes()) << row.why;
    EXPECT_FALSE(row.why.empty());
  }
  EXPECT_EQ(kinds.size(), 2 * kStorageTypes.size());
}

TEST(DefaultSet, IsAskedAsFarAsItIsClaimed) {
  const auto asked = [](const std::string& claims) {
    std::string error;
    const auto read =
        read_claims(*parse_answer_body("ok version=1 name=x " + claims, error), error);
    EXPECT_TRUE(read) << error;
    std::vector<std::string> requests;
    for (const SweepFunction& each : claimed_of(default_set(), *read)) {
      requests.push_back(sweep_request(each, {0, 1}).substr(0, 22));
    }
    return requests;
  };
  using Requests = std::vector<std::string>;
  EXPECT_EQ(asked("contract=hurray ops=sweep types.quantize=4a types.dequantize=4a"),
            (Requests{"sweep op=quantize type"}));
  EXPECT_EQ(asked("contract=hurray ops=sweep.dequantize types.quantize=4a types.dequantize=4a"),
            (Requests{"sweep op=dequantize ty"}));
  EXPECT_TRUE(asked("contract=hurray types.quantize=4a types.dequantize=4a").empty());
  const Requests firmware = asked("contract=ra8 ops=sweep");
  EXPECT_EQ(firmware.size(), 9u);
  for (const std::string& each : firmware)
    EXPECT_TRUE(each.starts_with("sweep fn=quantize_")) << each;
}

}  // namespace
}  // namespace hurray::conformance
