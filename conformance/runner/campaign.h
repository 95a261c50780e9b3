// SPDX-License-Identifier: Apache-2.0
//
// What does a target answer to requests that no case of the suite has? Draws requests beside the
// cases, has the oracle and the judge of the suite decide, makes what failed small, and keeps one
// finding of each kind. The same seed and number of requests give the same findings.

#ifndef HURRAY_CONFORMANCE_CAMPAIGN_H
#define HURRAY_CONFORMANCE_CAMPAIGN_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/claims.h"
#include "conformance/runner/judge.h"
#include "conformance/runner/mutate.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// --- draws.cpp

// The cases of a suite that can be asked of a target, without answers, and what is made of them.
class Draws {
 public:
  // `seeds`: a suite whose cases need no answers.
  Draws(const Suite& seeds, const Claims& claims, std::uint64_t seed);

  // Nothing of the suite is claimed, in a way that could be asked.
  bool is_empty() const { return families_.empty(); }

  // The case with this number: what may be answered is computed. Always the same.
  struct Drawn {
    Case item;
    std::size_t origin = 0;  // index of the seed that it was made of
  };
  Drawn at(std::uint64_t number) const;

 private:
  std::optional<std::vector<std::string>> draw(Random& random, std::size_t& origin) const;
  std::string drawn_tensor(Random& random, std::size_t& origin) const;
  bool can_ask(const std::string& request) const;

  const Suite& seeds_;
  const Claims& claims_;
  std::uint64_t seed_;
  std::vector<std::vector<std::size_t>> families_;  // cases by family
  std::map<std::string, std::vector<std::size_t>> of_verb_;
  std::vector<std::size_t> tensors_;  // a seed of each verb on tensors
  Mutator mutator_;
};

// --- campaign.cpp

struct CampaignFinding;

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> runs;  // cases to ask, or
  double seconds = 60;     // how long to ask; making small has as long again, 10 at least
  bool strict = false;     // warnings are findings
  bool fail_fast = false;  // stop after the first finding
  unsigned jobs = 0;       // 0: one per processor
  // Called with the cases asked so far and the kinds of findings.
  std::function<void(std::uint64_t, std::size_t)> on_progress;
  // When a kind of finding shows for the first time, before anything is made small; and once it has
  // been, with the id that it was shown with first. One at a time.
  std::function<void(const CampaignFinding&)> on_finding;
  std::function<void(const std::string&, const CampaignFinding&)> on_small;
  // Asked between requests: true ends the asking, and the making small. May be empty.
  std::function<bool()> is_interrupted;
};

// What became of a finding when it was asked again of a fresh process.
enum class Again {
  kNotAsked,  // there was no time, or the target fails throughout
  kAlone,     // it showed again
  kBehind,    // behind what was asked before, which is now part of the case
  kNever,
};

struct CampaignFinding {
  Case item;                // as small as it came
  CaseResult result;        // of it
  std::string requirement;  // that the input is about; that of the origin, where nothing tells more
  bool is_guess = true;     // that of the origin
  std::string rule;         // the requirement again, where the bytes themselves break it
  std::string operation;    // `quantize int8`
  std::string origin;       // name of the case that it was made of
  std::uint64_t number = 0;  // of the draw that first showed it
  std::uint64_t times = 0;   // draws that showed the kind
  Again again = Again::kNotAsked;
  bool is_small = false;  // there was time to look for smaller ones
  // `ties-to-even-quantize-int8-1a2b3c4d`: a word for files.
  std::string id() const;
};

struct CampaignResult {
  std::optional<Claims> claims;
  std::optional<Broken> broken;  // not introduced, or given up
  std::uint64_t asked = 0;       // cases
  std::uint64_t requests = 0;
  std::vector<CampaignFinding> findings;  // in the order of the draws
  std::uint64_t not_kept = 0;             // draws of kinds beyond the most that are kept
  bool any_garbled = false;
  bool is_interrupted = false;
};

CampaignResult run_campaign(const Suite& seeds, const Candidate& candidate,
                            const CampaignOptions& options);

// Whether a result is a finding.
bool is_finding(const CaseResult& result, bool strict);

// --- campaign_minimize.cpp

using ShouldStop = std::function<bool()>;

// Asks for smaller cases of the same failure until there is none, or it is time to stop. True if
// the failure showed again at all. Another failure of the same operation will do for a case that
// is strictly shorter.
bool minimize_finding(const Candidate& candidate, bool strict, const Case& origin, Case& item,
                      CaseResult& result, const ShouldStop& should_stop = {});

// --- campaign_state.cpp

// For a failure that does not show alone: asks `item` behind 1, 2, 4, … of the cases that were
// asked before it in its process, the last of `before` first, and leaves out of them what is not
// needed. True if it showed: `item` has those steps in front then.
bool find_predecessors(const Candidate& candidate, bool strict, const std::vector<Case>& before,
                       Case& item, CaseResult& result, const ShouldStop& should_stop = {});

// --- campaign_report.cpp

// `quantize int8`, `ra8 quantize_u8`, `decode int8 scheme 2`, `decode_tensor scheme 5`.
std::string operation_of(const Case& item, const CaseResult& result);
// The id of the one that the input is about: a rule that its bytes break, or one of the origin's
// that names this kind of failure; else any of the origin's, a guess.
struct AboutRequirement {
  std::string id;
  bool is_broken_rule = false;
  bool is_guess = true;
};
AboutRequirement requirement_of(const Suite& seeds, const Case& origin, const Case& item,
                                const CaseResult& result);
// What is wrong, and beside which case: the reason of a vector and of a case.
std::string why_of(const CampaignFinding& finding);

// For a terminal. `replay` is a command that shows it again.
std::string describe_finding(const Suite& seeds, const CampaignFinding& finding,
                             const std::string& replay);
// A [[requirement.case]] block, protocol lines, and a program in C; its vector is vector_of().
std::string finding_toml(const CampaignFinding& finding);
std::string finding_lines(const CampaignFinding& finding);
std::string finding_c(const CampaignFinding& finding);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CAMPAIGN_H
