// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the classifier share: one wrong answer, and the class that the report gives it.

#ifndef HURRAY_CONFORMANCE_CLASSIFY_TEST_H
#define HURRAY_CONFORMANCE_CLASSIFY_TEST_H

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/runner/classify.h"
#include "conformance/runner/judge.h"
#include "reference/element_type.h"

namespace hurray::conformance {

using Codes = std::vector<std::int64_t>;

inline std::string class_of(const std::string& request, const std::string& body) {
  const Case item{"a/case", "why", {{request, expected_answers(read_request(request))}}, {}};
  const CaseResult result = judge(item, {{Outcome::kValue, body, {}}});
  EXPECT_TRUE(result.failure) << "the answer is right: " << request << " -> " << body;
  const std::string found = result.failure ? result.failure->failure_class : "none";
  if (found != "unknown") {
    EXPECT_FALSE(meaning_of_class(found).empty()) << found;
  }
  return found;
}

inline std::string packed(StorageType type, const Codes& codes) {
  Bytes bytes(packed_bytes(type, codes.size()).value());
  pack(type, codes, bytes.data());
  return to_hex(bytes);
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CLASSIFY_TEST_H
