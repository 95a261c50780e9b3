// SPDX-License-Identifier: Apache-2.0
//
// The smallest case that still shows a finding of a campaign: requests left out, fields set back to
// those of the case that it was made of or to plain values, arrays cut. Each candidate is asked of
// a fresh process and judged like any case (campaign.h).

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/runner/campaign.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/minimize.h"
#include "conformance/runner/oracle.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr int kMostRounds = 24;
// Of arrays that are no longer than this, every element is tried.
constexpr std::size_t kFewElements = 8;
constexpr std::uint32_t kFirstId = 10;

using Requests = std::vector<std::string>;

// Simpler values for one request, the boldest first.
class Simpler {
 public:
  Simpler(const std::string& line, const std::string& origin, std::vector<std::string>& out)
      : request_(line), origin_(origin), out_(out) {}

  void go(const std::optional<std::size_t>& element) {
    for (const char* key : {"fill", "guard", "in_off", "out_off", "fenv", "threads", "repeat",
                            "capacity", "mode", "null"}) {
      if (request_.has(key)) without(key);
    }
    if (request_.quantizes() || request_.dequantizes()) kernel(element);
    for (const char* key : {"bytes", "b1", "b2"}) {
      if (request_.has(key)) like_origin(key);
    }
    if (request_.verb == origin_.verb) {
      for (const auto& [key, value] : request_.keys) {
        const std::string* before = origin_.find(key);
        if (before && is_simpler(key, *before, value)) with(key, *before);
      }
    }
    for (const auto& [key, plain] : kPlain) {
      if (request_.has(key) && is_simpler(key, plain, *request_.find(key))) with(key, plain);
    }
    for (const char* key : kZeroed) {
      if (request_.has(key)) zeroed(key);
    }
  }

 private:
  // Values that stand for themselves, the plainest first; arrays of which zeros are.
  static constexpr std::array<std::pair<const char*, const char*>, 6> kPlain = {{
      {"scale", "3f800000"},
      {"scale", "3f000000"},
      {"zero_point", "0"},
      {"bias", "0"},
      {"axis", "0"},
      {"scale_type_tag", "03"},
  }};
  static constexpr std::array<const char*, 7> kZeroed = {"in",      "q",     "packed", "values",
                                                         "weights", "plane", "b0"};

  // Plain values by rank, then that of the origin, then all others: what is set back stays so.
  std::size_t rank(std::string_view key, const std::string& value) const {
    for (std::size_t i = 0; i < kPlain.size(); ++i) {
      if (key == kPlain[i].first && value == kPlain[i].second) return i;
    }
    const std::string* before = origin_.find(key);
    return kPlain.size() + (before && *before == value ? 0 : 1);
  }
  bool is_simpler(std::string_view key, const std::string& value, const std::string& now) const {
    if (std::ranges::find(kZeroed, key) != kZeroed.end()) {
      const auto weight = [](const std::string& text) {
        return text.size() - static_cast<std::size_t>(std::ranges::count(text, '0'));
      };
      return weight(value) < weight(now);
    }
    return rank(key, value) < rank(key, now);
  }

  void add(const EditableRequest& changed) {
    std::string line = changed.line();
    if (line != request_.line() && may_be_asked(line)) out_.push_back(std::move(line));
  }
  void without(std::string_view key) {
    EditableRequest changed = request_;
    changed.erase(key);
    add(changed);
  }
  void with(std::string_view key, std::string value) {
    EditableRequest changed = request_;
    changed.set(key, std::move(value));
    add(changed);
  }

  void kernel(const std::optional<std::size_t>& element) {
    const std::size_t count =
        static_cast<std::size_t>(parse_decimal(*request_.find("count")).value_or(0));
    const auto range = [&](std::size_t first, std::size_t last) {
      if (first > last || last >= count || (first == 0 && last + 1 == count)) return;
      if (auto line = with_elements(request_.line(), first, last); line && may_be_asked(*line)) {
        out_.push_back(std::move(*line));
      }
    };
    if (count < 2) return;
    if (element) range(*element, *element);
    if (element) range(0, *element);
    range(0, count / 2 - 1);
    range(count / 2, count - 1);
    range(0, count - 2);
    range(1, count - 1);
  }

  // Runs of bytes that differ from the origin, set back one by one; the length first.
  void like_origin(const char* key) {
    const std::string* text = origin_.find(key);
    if (!text || text->starts_with("n") || request_.find(key)->starts_with("n")) return;
    const Bytes before = origin_.bytes(key), now = request_.bytes(key);
    if (before.size() != now.size()) {
      Bytes changed = now;
      changed.resize(before.size());
      for (std::size_t i = now.size(); i < before.size(); ++i) changed[i] = before[i];
      with(key, to_hex(changed));
      return;
    }
    for (std::size_t i = 0; i < now.size();) {
      if (now[i] == before[i]) {
        ++i;
        continue;
      }
      Bytes changed = now;
      for (; i < now.size() && now[i] != before[i]; ++i) changed[i] = before[i];
      with(key, to_hex(changed));
    }
  }

  void zeroed(const char* key) {
    const std::string& text = *request_.find(key);
    if (text.starts_with("n") || text.find_first_not_of('0') == std::string::npos) return;
    with(key, std::string(text.size(), '0'));
    const std::size_t width = request_.quantizes() ? 8 : std::string_view(key) == "values" ? 16 : 2;
    if (text.size() / width > kFewElements) return;
    for (std::size_t at = 0; at + width <= text.size(); at += width) {
      std::string changed = text;
      changed.replace(at, width, std::string(width, '0'));
      with(key, changed);
    }
  }

  EditableRequest request_;
  EditableRequest origin_;
  std::vector<std::string>& out_;
};

std::vector<Requests> simpler(const Case& item, const CaseResult& result, const Case& origin) {
  std::vector<Requests> all;
  Requests now;
  for (const Step& each : item.steps) now.push_back(each.request);
  if (now.size() > 1) {
    all.push_back({now[result.failure->step]});
    for (std::size_t i = 0; i < now.size(); ++i) {
      Requests fewer = now;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      all.push_back(std::move(fewer));
    }
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string& before = origin.steps[std::min(i, origin.steps.size() - 1)].request;
    std::vector<std::string> lines;
    Simpler(now[i], before, lines)
        .go(i == result.failure->step ? result.failure->element : std::nullopt);
    for (std::string& line : lines) {
      Requests changed = now;
      // A request that is asked twice stays the same both times.
      for (std::size_t j = 0; j < now.size(); ++j) {
        if (now[j] == now[i]) changed[j] = line;
      }
      all.push_back(std::move(changed));
    }
  }
  return all;
}

std::vector<CaseResult> ask(const Candidate& candidate, const std::vector<Case>& cases) {
  std::vector<Question> questions;
  for (std::uint32_t id = kFirstId; const Case& each : cases) {
    questions.push_back({&each, id});
    id += static_cast<std::uint32_t>(each.steps.size());
  }
  std::vector<CaseResult> results(cases.size());
  interview(
      candidate.attachment, questions, {candidate.limits, true, {}},
      [&](std::size_t i, std::vector<Reply> replies) { results[i] = judge(cases[i], replies); });
  return results;
}

bool is_the_same(const CaseResult& a, const CaseResult& b, bool strict) {
  return is_finding(b, strict) && a.failure->failure_class == b.failure->failure_class;
}

}  // namespace

bool minimize_finding(const Candidate& candidate, bool strict, const Case& origin, Case& item,
                      CaseResult& result) {
  const std::string& kind = result.failure->failure_class;
  {
    const std::vector<CaseResult> again = ask(candidate, {item});
    if (!is_the_same(result, again.front(), strict)) return false;
  }
  // Each candidate of these would cost a start, or the time that a request has.
  if (kind == "hang" || (kind == "crash" && candidate.attachment.one_process)) return true;
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Case> cases;
    for (const Requests& requests : simpler(item, result, origin)) {
      Case smaller{item.name, item.why, {}, {}};
      try {
        for (const std::string& each : requests) {
          smaller.steps.push_back({each, expected_answers(read_request(each))});
        }
      } catch (const SuiteError&) {
        continue;
      }
      cases.push_back(std::move(smaller));
    }
    if (cases.empty()) break;
    const std::vector<CaseResult> results = ask(candidate, cases);
    const auto found = std::ranges::find_if(
        results, [&](const CaseResult& each) { return is_the_same(result, each, strict); });
    if (found == results.end()) break;
    item = std::move(cases[static_cast<std::size_t>(found - results.begin())]);
    result = *found;
  }
  return true;
}

}  // namespace hurray::conformance
