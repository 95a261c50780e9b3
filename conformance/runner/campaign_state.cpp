// SPDX-License-Identifier: Apache-2.0
//
// A failure that does not show when its case is asked alone: what of all that was asked before
// makes it show? Each candidate is asked of a fresh process, as what matters is what that remembers
// (campaign.h). Leaves the requests themselves as they are.

#include <algorithm>

#include "conformance/runner/campaign.h"
#include "conformance/runner/interview.h"

namespace hurray::conformance {
namespace {

// What nobody would wait for: runs of a target until no case can be left out.
constexpr int kMostAsked = 100;

class Search {
 public:
  Search(const Candidate& candidate, bool strict, const Case& item, const CaseResult& result,
         const ShouldStop& should_stop)
      : candidate_(candidate),
        strict_(strict),
        item_(item),
        result_(result),
        should_stop_(should_stop) {}

  bool is_over() const { return asked_ >= kMostAsked || (should_stop_ && should_stop_()); }

  // Whether the last case fails behind these; keeps what was asked if so.
  bool shows(const std::vector<Case>& before) {
    if (is_over()) return false;
    ++asked_;
    Case all{item_.name, item_.why, {}, {}};
    for (const Case& each : before) {
      all.steps.insert(all.steps.end(), each.steps.begin(), each.steps.end());
    }
    const std::size_t first = all.steps.size();
    all.steps.insert(all.steps.end(), item_.steps.begin(), item_.steps.end());
    // Those in front may be wrong as well: that is another finding.
    CaseResult result;
    interview(candidate_.attachment, std::vector<Question>{{&all, kFirstCaseId}},
              {candidate_.limits, true, {}}, [&](std::size_t, std::vector<Reply> replies) {
                if (replies.size() <= first) return;
                replies.erase(replies.begin(),
                              replies.begin() + static_cast<std::ptrdiff_t>(first));
                result = judge(item_, replies);
              });
    if (!is_finding(result, strict_) ||
        result.failure->failure_class != result_.failure->failure_class) {
      return false;
    }
    result.failure->step += first;
    shown_ = std::move(all);
    shown_result_ = std::move(result);
    return true;
  }

  // Leaves out halves, quarters, … and single cases, as long as it shows.
  void leave_out(std::vector<Case> before) {
    for (std::size_t size = (before.size() + 1) / 2; size > 0 && !before.empty();
         size = size == 1 ? 0 : (size + 1) / 2) {
      for (std::size_t end = before.size(); end > 0;) {
        const std::size_t start = end > size ? end - size : 0;
        std::vector<Case> fewer(before.begin(),
                                before.begin() + static_cast<std::ptrdiff_t>(start));
        fewer.insert(fewer.end(), before.begin() + static_cast<std::ptrdiff_t>(end), before.end());
        if (shows(fewer)) before = std::move(fewer);
        end = start;
      }
    }
  }

  Case shown_;
  CaseResult shown_result_;

 private:
  const Candidate& candidate_;
  bool strict_;
  const Case& item_;
  const CaseResult& result_;
  const ShouldStop& should_stop_;
  int asked_ = 0;
};

}  // namespace

bool find_predecessors(const Candidate& candidate, bool strict, const std::vector<Case>& before,
                       Case& item, CaseResult& result, const ShouldStop& should_stop) {
  // To be asked again and again, it must not cost a start or the time of a request each time.
  // Noise is booked on a neighbor now and then: there is nothing to be found behind that.
  if (result.outcome == Outcome::kTimedOut || result.outcome == Outcome::kGarbled ||
      before.empty()) {
    return false;
  }
  Search search(candidate, strict, item, result, should_stop);
  for (std::size_t count = 1; !search.is_over(); count = std::min(2 * count, before.size())) {
    const std::vector<Case> last(before.end() - static_cast<std::ptrdiff_t>(count), before.end());
    if (search.shows(last)) {
      search.leave_out(last);
      item = std::move(search.shown_);
      result = std::move(search.shown_result_);
      return true;
    }
    if (count == before.size()) break;
  }
  return false;
}

}  // namespace hurray::conformance
