// SPDX-License-Identifier: Apache-2.0
//
// How is a claim shown to fail? A broken target is put to it with all inputs that the suite knows,
// and the name of the first mismatch is looked at.

#ifndef HURRAY_FUZZ_CLAIMS_TEST_H
#define HURRAY_FUZZ_CLAIMS_TEST_H

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/claims.h"
#include "fuzz/report.h"
#include "fuzz/seed_inputs.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace hurray::fuzz {

using Table = struct ::hurray_target;

inline const std::vector<NamedInput>& seeds_of(std::string_view claim) {
  static std::map<std::string, std::vector<NamedInput>, std::less<>> all;
  const auto found = all.find(claim);
  if (found != all.end()) return found->second;
  return all.emplace(std::string(claim), seed_inputs(claim)).first->second;
}

inline const NamedClaim& claim_named(std::string_view name) {
  for (const NamedClaim& each : kClaims) {
    if (each.name == name) return each;
  }
  throw std::invalid_argument(std::string(name));
}

// Kinds that some input shows of the table, the first of each input, sorted, with spaces between.
inline std::string kinds_of(std::string_view claim, const Table& table) {
  const hurray_registry_row row = {"broken", &table, nullptr};
  std::map<std::string_view, int> kinds;
  for (const NamedInput& input : seeds_of(claim)) {
    if (const auto mismatch = claim_named(claim).claim(input.bytes, {&row, 1})) {
      EXPECT_TRUE(has_report(mismatch->kind)) << mismatch->kind;
      EXPECT_EQ(mismatch->target, "broken");
      ++kinds[mismatch->kind];
    }
  }
  std::string text;
  for (const auto& [kind, count] : kinds) text += (text.empty() ? "" : " ") + std::string(kind);
  return text;
}

// The scalar target, which every claim holds for, to be broken.
inline Table scalar() { return hurray_target_scalar; }

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_CLAIMS_TEST_H
