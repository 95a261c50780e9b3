// SPDX-License-Identifier: Apache-2.0
//
// Do all cases of a run show the same choices? Collects what each shows of the behaviours that the
// rulings leave open, and finds the first case that no choice can explain together with those
// before it.

#ifndef HURRAY_CONFORMANCE_CONSISTENCY_H
#define HURRAY_CONFORMANCE_CONSISTENCY_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/case.h"

namespace hurray::conformance {

class Consistency {
 public:
  // Two things that were shown and exclude each other.
  struct Contradiction {
    std::string behaviour;
    std::vector<std::string> before, now;
    std::string by_case;  // showed, or narrowed down to, `before`
  };

  // Takes in what a case shows. What contradicts earlier cases is not taken in.
  std::optional<Contradiction> add(const Shows& shows, const std::string& case_name);

  // behaviour → the options that are left; of those that are only recorded, all that were shown.
  // Ties appear as far as they settled one of their parts.
  std::map<std::string, std::vector<std::string>> shown() const;

 private:
  struct Left {
    std::vector<std::string> options;
    std::string by_case;
  };
  using AllLeft = std::map<std::string, Left>;

  static std::optional<Contradiction> settle(AllLeft& left, const std::string& case_name);

  AllLeft left_;  // behaviours and ties
  std::map<std::string, std::vector<std::string>> recorded_;
};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CONSISTENCY_H
