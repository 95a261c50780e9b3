// SPDX-License-Identifier: Apache-2.0
//
// How does one reproduce a failure without the suite? A few lines of C that make the same call, and
// fail where what it gives may not be answered.

#ifndef HURRAY_CONFORMANCE_SNIPPET_H
#define HURRAY_CONFORMANCE_SNIPPET_H

#include <span>
#include <string>

#include "conformance/runner/case.h"

namespace hurray::conformance {

// Long ones are cut for people to read, and say so; whole for compilers.
enum class Arrays { kCut, kWhole };

// C statements that call the function of hurray_target.h (or ra8_npu_quant.h) with the request's
// arguments.
std::string c_snippet(const std::string& request, Arrays arrays = Arrays::kCut);

// Assertions to stand behind them: of the status, and of what was written, but for the members of
// tensors and what conversion gives, if it is whole and every answer says all of it. Want assert.h
// and string.h. Empty where nothing binds.
std::string c_assertions(const std::string& request, std::span<const Alternative> expect);

// Both, with whole arrays.
struct CTest {
  std::string statements;
  // The request is asked as it is, and the answer compared: who gives another one fails.
  bool is_complete = false;
};
CTest c_test(const std::string& request, std::span<const Alternative> expect);

// Statements as the body of a function: each line two blanks further in.
std::string c_body(const std::string& statements);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SNIPPET_H
