// SPDX-License-Identifier: Apache-2.0
//
// How many wrong implementations does the suite catch, and by what, and does it let all odd ones
// pass? Judges every fault of targets/faults/ and every variant of targets/latitude/, and tells per
// fault, per requirement and per family of cases what caught what.

#ifndef HURRAY_CONFORMANCE_ZOO_H
#define HURRAY_CONFORMANCE_ZOO_H

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/run.h"
#include "conformance/runner/toml_files.h"

namespace hurray::conformance {

// One wrong implementation.
struct Fault {
  std::string id;
  std::vector<std::string> requirements;  // the first is the one that it has to violate
  std::string wrong;                      // what is wrong, one line
  std::set<std::string> replaced;         // members that differ from the scalar target's, or `all`
  bool strict = false;                    // a ruling softens it: judged under --strict
  Attachment attachment = {};
};

// A legal choice that is not scalar's, or one that a ruling warns of, or a mixture of two choices,
// which is not legal.
enum class VariantKind { kChoice, kLenient, kMixture };
struct Variant {
  std::string id;
  std::string rulings;
  std::string choice;                   // what it does, one line
  std::vector<std::string> behaviours;  // name=value; of a mixture, the name of the one it mixes
  VariantKind kind = VariantKind::kChoice;
  Attachment attachment = {};
};

struct Zoo {
  std::vector<Fault> faults;
  std::vector<Variant> variants;
  std::vector<Fault> absent;  // programs that are not built here
  std::vector<RetiredFault> retired;
  std::map<std::string, std::string> without;  // requirement id → why no fault can violate it
};

// The tables of faults and variants, and the files beside them as they were when this program was
// built.
Zoo load_zoo();

struct FaultOutcome {
  Fault fault;
  TargetVerdict verdict = TargetVerdict::kBroken;
  std::string broken;                 // why, if it could not be judged
  std::vector<std::string> violated;  // gating requirements, in the order of the suite
  std::size_t cases = 0;              // that it fails, under --strict also those that warn
  std::size_t attempts = 0;           // more than one, and caught: by chance
  std::set<std::string> families;     // of those cases
  bool is_caught() const;             // non-conformant, and the requirement meant is violated
  std::string caught_by() const;      // that one, else the first other; empty: nothing
};

struct VariantOutcome {
  Variant variant;
  // Empty: conformant with its behaviours, or with warnings, or failed as inconsistent.
  std::string problem;
  TargetVerdict verdict = TargetVerdict::kBroken;
};

struct RequirementCoverage {
  const Requirement* requirement = nullptr;
  std::vector<std::string> faults;  // rows that name it first
  std::vector<std::string> caught;  // of those
  std::string without;              // why there is none
};

struct FamilyCoverage {
  std::size_t cases = 0;
  std::vector<std::string> catches;  // faults
  std::vector<std::string> alone;    // of those, the ones that no other family catches
};

struct Matrix {
  std::vector<FaultOutcome> faults;               // in the order of the table
  std::vector<RequirementCoverage> requirements;  // all that gate and have cases
  std::map<std::string, FamilyCoverage> families;
  std::vector<VariantOutcome> variants;
  std::vector<std::string> problems;  // for people; empty: the suite holds what it promises
  std::size_t caught = 0;
  std::string select;  // what was chosen; empty: all
  // Something could not be judged at all, which says nothing of the suite's cases.
  bool has_broken() const;
};

struct ZooOptions {
  // Glob of ids of faults and variants, or of attachments as `list faults` prints them; empty: all.
  std::string select;
  unsigned jobs = 0;  // 0: one per processor
  // A wrong implementation may never answer; none needs long to answer.
  Limits limits = {3000, Limits{}.memory_mib};
  std::function<void(std::size_t, std::size_t)> on_progress;  // done, all
};

// Judges faults and variants. A fault that replaces only some operations is asked only cases that
// use one of them: to all others it is the scalar target. Throws UsageError if `select` matches
// none.
Matrix judge_zoo(const Suite& suite, const Zoo& zoo, const ZooOptions& options);

// choice, lenient, mixture
std::string_view name_of(VariantKind kind);

// `decode/scale-nan` of `decode/scale-nan/int8/7fc00000`.
std::string family_of(const std::string& case_name);

// --- zoo_report.cpp

// What there is to judge, a line each: attachment, requirement or rulings, what is wrong or odd.
std::string zoo_text(const Zoo& zoo);
std::string matrix_text(const Matrix& matrix, const Zoo& zoo);
// One self-contained page: score, faults × requirements as a picture, tables.
std::string matrix_html(const Suite& suite, const Matrix& matrix, const Zoo& zoo);

// --- report_json.cpp

std::string zoo_json(const Zoo& zoo);
std::string matrix_json(const Suite& suite, const Matrix& matrix, const Zoo& zoo);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ZOO_H
