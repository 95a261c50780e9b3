// SPDX-License-Identifier: Apache-2.0
//
// The walk through everything that the rulings leave open: one answer per combination of options,
// equal answers merged (oracle/README.md).

#ifndef HURRAY_CONFORMANCE_COMBINATIONS_H
#define HURRAY_CONFORMANCE_COMBINATIONS_H

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"

namespace hurray::conformance {

// A behaviour that the rulings leave open for this request, with its options.
struct Behaviour {
  std::string name;
  std::vector<std::string> options;
};

// One option per behaviour.
class Combination {
 public:
  explicit Combination(std::map<std::string, std::string> options) : options_(std::move(options)) {}
  bool has(std::string_view behaviour, std::string_view option) const {
    const auto found = options_.find(std::string(behaviour));
    return found != options_.end() && found->second == option;
  }
  const std::map<std::string, std::string>& all() const { return options_; }

 private:
  std::map<std::string, std::string> options_;
};

// What one combination answers.
struct Result {
  std::string answer;
  CaseVerdict verdict = CaseVerdict::kPass;
  std::vector<std::size_t> free = {};
};

// Asks for the answer of every combination and merges equal ones, sorted by answer.
std::vector<Alternative> enumerate(const std::vector<Behaviour>& behaviours,
                                   const std::function<Result(const Combination&)>& answer_of);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_COMBINATIONS_H
