// SPDX-License-Identifier: Apache-2.0
//
// What is a case, what is a requirement, and what can a case say about a target? The nouns that the
// loader, the judge and the reports share.

#ifndef HURRAY_CONFORMANCE_CASE_H
#define HURRAY_CONFORMANCE_CASE_H

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// The suite itself is wrong: a requirement file that cannot be read, an oracle that cannot answer.
class SuiteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a case says of a target, from harmless to grave.
enum class CaseVerdict { kPass, kRecord, kSkip, kNotRun, kWarn, kFail };
std::string_view name_of(CaseVerdict verdict);

// behaviour → the options of it that an answer is compatible with, sorted. Behaviours are named in
// RULINGS.md.
using Shows = std::map<std::string, std::vector<std::string>>;

// One answer that the texts and rulings allow, and how it counts.
struct Alternative {
  // Without id; a field value `any` matches everything, `code=error` all but 0000.
  std::string answer;
  CaseVerdict verdict = CaseVerdict::kPass;
  Shows shows;
  // Output elements that may hold any value; those that are made of a NaN all the same one.
  std::vector<std::size_t> free;
};

// One request of a case and everything that may be answered.
struct Step {
  std::string request;  // without id
  std::vector<Alternative> expect;
};

struct Case {
  std::string name;  // stable and unique, never reused
  std::string why;   // what is wrong with an implementation that fails it
  std::vector<Step> steps;
  std::vector<std::string> notes;  // annotated bytes of a hand-written case, for `explain`
};

enum class Contract { kHurray, kRa8 };
std::string_view name_of(Contract contract);

struct Requirement {
  std::string id;
  std::string level;
  Contract contract = Contract::kHurray;
  std::string clause;
  std::string text;
  std::vector<std::string> rulings;
  std::vector<std::size_t> cases;  // indices into Suite::cases, ascending
  // Failure classes that speak against it, and then against no other that does not name them.
  // Empty: every failure of its cases does that none names.
  std::vector<std::string> classes;
  std::string not_testable;         // the reason
  std::string compile_test;         // script that judges it, by the compiler and not by cases
  bool one_implementation = false;  // describes one implementation, judges nobody

  // A violation makes a target non-conformant.
  bool gates() const;
  // A violation is reported as a warning (SHOULD); other levels are recorded.
  bool warns() const;
  // Why there is no case: not testable, judged by a compile test or of one
  // implementation. Empty if there are cases.
  std::string reason() const;
  // `HQ-PTA` of `HQ-PTA-006`.
  std::string group() const;
};

// What a product can claim to be, see profiles.h. Requirements are indices, ascending.
struct Profile {
  std::string name;
  std::string text;
  std::vector<std::string> claims;      // verbs: whoever claims one of them claims the profile
  std::vector<std::string> operations;  // verbs: what counts
  std::vector<std::size_t> needs;       // have to be judged, and to hold
  std::vector<std::size_t> extras;      // have to hold where they are judged
};

struct Suite {
  std::vector<Requirement> requirements;  // in the order of the files, which is that of the clauses
  std::vector<Case> cases;                // by name
  std::string digest;                     // SHA-256 over every case and requirement
  std::vector<Profile> profiles;

  const Requirement* find_requirement(std::string_view id) const;
  const Case* find_case(std::string_view name) const;
  // Ids of the requirements that the case belongs to.
  std::vector<std::string> requirements_of(const Case& item) const;
};

// Loads the requirement files that were built into the program, makes the families, and computes
// what may be answered. Throws SuiteError.
Suite load_suite();

// The same without what may be answered, which takes half the time: cases to draw others from.
Suite load_seeds();

// The requirements alone, without cases: what they say, and quickly.
std::vector<Requirement> load_requirements();

// The section of RULINGS.md on a ruling, heading first. Empty if there is none with this id.
std::string_view text_of_ruling(std::string_view id);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CASE_H
