// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the judge share: a case of one request, with what the oracle allows, and the
// verdict about an answer to it.

#ifndef HURRAY_CONFORMANCE_JUDGE_TEST_H
#define HURRAY_CONFORMANCE_JUDGE_TEST_H

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "conformance/runner/judge.h"

namespace hurray::conformance {

inline Reply said(std::string body) { return {Outcome::kValue, std::move(body), {}}; }

// A case of one request, with what the oracle allows.
inline Case case_of(const std::string& request) {
  return {"a/case", "why", {{request, expected_answers(read_request(request))}}, {}};
}

inline CaseResult judge_one(const std::string& request, const std::string& body) {
  return judge(case_of(request), {said(body)});
}

inline void expect(const std::string& request, const std::string& body, CaseVerdict verdict,
                   std::string_view failure_class = {}) {
  const CaseResult result = judge_one(request, body);
  EXPECT_EQ(name_of(result.verdict), name_of(verdict)) << request << " -> " << body;
  EXPECT_EQ(result.failure ? result.failure->failure_class : "", failure_class)
      << request << " -> " << body;
}

inline constexpr const char* kDecode = "decode type=10 bytes=010100000000003f0300000000000000";
inline constexpr const char* kDequantize =
    "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff";
inline constexpr const char* kNegativeScale =
    "dequantize type=10 scale=bf000000 zero_point=3 count=2 q=0304";
inline constexpr const char* kQuantize =
    "quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0";
inline constexpr const char* kQuantizeNans =
    "quantize type=10 scale=3f800000 zero_point=3 count=4 in=0000c07f0000803f0000c0ff0000c07f";

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_JUDGE_TEST_H
