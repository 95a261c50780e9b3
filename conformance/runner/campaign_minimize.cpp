// SPDX-License-Identifier: Apache-2.0
//
// The smallest case that still shows a finding of a campaign: requests left out, fields set back to
// those of the case that it was made of or to plain values, arrays cut. Each candidate is asked of
// a fresh process and judged like any case (campaign.h).

#include <algorithm>
#include <array>
#include <memory>

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
    for (const char* verb : {"pack", "unpack", "widen", "normalize"}) {
      if (request_.verb == verb) elements();
    }
    if (request_.verb == "encode_tensor") sections();
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
    // Fewer elements stay fewer.
    if (key == "count") return parse_decimal(value).value_or(0) < parse_decimal(now).value_or(0);
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

  // Fewer elements from the first on. What remains of a byte is judged like any other.
  void elements() {
    const char* key = request_.verb == "pack" ? "values" : "packed";
    const std::string* text = request_.find(key);
    const auto count = static_cast<std::size_t>(
        request_.has("count") ? parse_decimal(*request_.find("count")).value_or(0) : 0);
    if (!text || text->starts_with("n") || count == 0) return;
    for (const std::size_t fewer : {std::size_t{1}, count / 4, count / 2, count - 1}) {
      const std::size_t digits = 2 * bytes_of(fewer);
      if (fewer == 0 || fewer >= count || digits > text->size()) continue;
      EditableRequest changed = request_;
      changed.set("count", fmt::format("{}", fewer));
      changed.set(key, text->substr(0, digits));
      add(changed);
    }
  }
  std::size_t bytes_of(std::size_t count) const {
    if (request_.verb == "pack") return 8 * count;
    if (const std::string* bits = request_.find("bits")) {
      return (count * static_cast<std::size_t>(parse_decimal(*bits).value_or(8)) + 7) / 8;
    }
    const auto tag = parse_hex_number(*request_.find("type"), 2).value_or(0);
    return static_cast<std::size_t>(
        element_bytes(static_cast<std::uint8_t>(tag), count).value_or(count));
  }

  // Optional sections of a tensor that is written.
  void sections() {
    for (const std::vector<const char*>& keys : std::vector<std::vector<const char*>>{
             {"statistics"},
             {"extension_type"},
             {"member_role"},
             {"parent_shape", "shard_offset"},
             {"scheme", "scale", "zero_point", "flags", "axis", "block_size", "scale_buffer_index",
              "zero_point_buffer_index", "scale_type_tag"}}) {
      if (!request_.has(keys.front())) continue;
      EditableRequest changed = request_;
      for (const char* key : keys) changed.erase(key);
      add(changed);
    }
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

// Asks lists of cases, of one process as long as it answers: starting one costs more than most
// rounds.
class Session {
 public:
  explicit Session(const Candidate& candidate) : candidate_(candidate) {}

  std::vector<CaseResult> ask(const std::vector<Case>& cases) {
    std::vector<Question> questions;
    for (const Case& each : cases) {
      questions.push_back({&each, next_id_});
      next_id_ += static_cast<std::uint32_t>(each.steps.size());
    }
    std::vector<CaseResult> results(cases.size());
    InterviewOptions options{candidate_.limits, true, {}};
    options.kept = &kept_;
    interview(
        candidate_.attachment, questions, options,
        [&](std::size_t i, std::vector<Reply> replies) { results[i] = judge(cases[i], replies); });
    return results;
  }

 private:
  const Candidate& candidate_;
  std::unique_ptr<Connection> kept_;
  std::uint32_t next_id_ = kFirstCaseId;
};

std::size_t length_of(const Case& item) {
  std::size_t length = 0;
  for (const Step& each : item.steps) length += each.request.size();
  return length;
}

bool is_the_same(const CaseResult& a, const CaseResult& b, bool strict) {
  return is_finding(b, strict) && a.failure->failure_class == b.failure->failure_class;
}

// The same failure; or, of a shorter case, another one of the same operation.
bool is_as_good(const Case& item, const CaseResult& result, const Case& smaller,
                const CaseResult& other, bool strict) {
  if (is_the_same(result, other, strict)) return true;
  const auto has_answered = [](const CaseResult& each) {
    return each.outcome <= Outcome::kCode && each.failure->failure_class != "inconsistent";
  };
  return is_finding(other, strict) && has_answered(result) && has_answered(other) &&
         other.verdict == result.verdict && length_of(smaller) < length_of(item) &&
         operation_of(smaller, other) == operation_of(item, result);
}

std::vector<Case> cases_of(const Case& item, const std::vector<Requests>& candidates) {
  std::vector<Case> cases;
  for (const Requests& requests : candidates) {
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
  return cases;
}

CaseResult ask_fresh(const Candidate& candidate, const Case& item) {
  return Session(candidate).ask({item}).front();
}

}  // namespace

bool minimize_finding(const Candidate& candidate, bool strict, const Case& origin, Case& item,
                      CaseResult& result, const ShouldStop& should_stop) {
  const std::string kind = result.failure->failure_class;
  if (!is_the_same(result, ask_fresh(candidate, item), strict)) return false;
  // Each candidate of these would cost a start, or the time that a request has.
  if (result.outcome == Outcome::kGarbled || kind == "hang" ||
      (kind == "crash" && candidate.attachment.one_process)) {
    return true;
  }
  const Case first_item = item;
  const CaseResult first_result = result;
  Session session(candidate);
  for (int round = 0; round < kMostRounds && !(should_stop && should_stop()); ++round) {
    std::vector<Case> cases = cases_of(item, simpler(item, result, origin));
    if (cases.empty()) break;
    const std::vector<CaseResult> results = session.ask(cases);
    std::size_t found = 0;
    while (found < cases.size() && !is_as_good(item, result, cases[found], results[found], strict))
      ++found;
    if (found == cases.size()) break;
    item = std::move(cases[found]);
    result = results[found];
  }
  // Unless only what the session had asked before made it fail.
  if (!is_the_same(result, ask_fresh(candidate, item), strict)) {
    item = first_item;
    result = first_result;
  }
  return true;
}

}  // namespace hurray::conformance
