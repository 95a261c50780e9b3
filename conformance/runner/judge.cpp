// SPDX-License-Identifier: Apache-2.0
//
// One case against its replies, see judge.h.

#include "conformance/runner/judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/answer_fields.h"
#include "conformance/runner/behaviours.h"
#include "conformance/runner/difference.h"
#include "conformance/runner/sweep_requests.h"

namespace hurray::conformance {
namespace {

// Of the elements that no text decides, those that are made of a NaN: they hold one and the same
// value (R01). What infinity over infinity gives is free (R03).
std::vector<std::size_t> made_of_nan(const ReadRequest& request,
                                     const std::vector<std::size_t>& free) {
  std::vector<std::size_t> positions;
  for (const std::size_t i : free) {
    if (std::isnan(request.floats[i])) positions.push_back(i);
  }
  return positions;
}

bool nans_become_one_value(const ReadRequest& request, const std::vector<std::size_t>& free,
                           const Elements& got) {
  const std::vector<std::size_t> positions = made_of_nan(request, free);
  return std::all_of(positions.begin(), positions.end(), [&](std::size_t i) {
    return got.integers[i] == got.integers[positions.front()];
  });
}

Match match_answer(const ReadRequest& request, const Alternative& alternative,
                   const Answer& expected, const Answer& got) {
  if (expected.kind != got.kind) return Match::kNo;
  if (request.verb == "decode_tensor" && !has_same_parts(expected, got)) return Match::kNo;
  Match worst = Match::kYes;
  for (const auto& [key, value] : expected.fields.all()) {
    const std::string* found = got.fields.find(key);
    if (!found) return Match::kNo;
    if (key == array_key(request) && value != "any") {
      const std::optional<Elements> want = read_elements(request, expected);
      const std::optional<Elements> have = read_elements(request, got);
      if (!want || !have) return Match::kNo;
      if (!nans_become_one_value(request, alternative.free, *have)) return Match::kNo;
      worst = std::min(worst,
                       match_elements(*want, *have, alternative.free, zero_sign_counts(request)));
    } else {
      worst = std::min(worst, match_field(request.verb, key, value, *found));
    }
    if (worst == Match::kNo) return worst;
  }
  return worst;
}

// What stands at the free positions: one code always, or one of the usual values. All that fit,
// since they may coincide; sorted.
std::vector<std::string> kinds_of_nan_value(const ReadRequest& request, std::int64_t value) {
  const StorageTypeInfo* info = storage_type_of(request);
  std::vector<std::string> kinds = {fmt::format("code {}", value)};
  if (value == info->max) kinds.push_back("qmax");
  if (value == info->min) kinds.push_back("qmin");
  if (value == 0) kinds.push_back("zero");
  if (value == std::clamp<std::int64_t>(request.zero_point, info->min, info->max)) {
    kinds.push_back("zero-point");
  }
  return kinds;
}

// Some choices bind each function by itself: one need not treat NaN or subnormals as another does.
std::string scoped_name(const std::string& behaviour, const std::string& request_line) {
  if (is_tie(behaviour)) {
    std::vector<std::string> parts = parts_of(behaviour);
    for (std::string& part : parts) part = scoped_name(part, request_line);
    return tied(parts);
  }
  if (behaviour != "nan-input" && behaviour != "subnormals") return behaviour;
  const ReadRequest request = read_request(request_line);
  return fmt::format(
      "{}({})", behaviour,
      request.is_ra8() ? request.function : std::string(storage_type_of(request)->name));
}

// Keeps of `shows` what both allow. False if nothing is left.
bool narrow(Shows& shows, const std::string& behaviour, const std::vector<std::string>& options) {
  const auto [place, is_new] = shows.try_emplace(behaviour, options);
  if (is_new) return true;
  std::vector<std::string> both;
  std::set_intersection(place->second.begin(), place->second.end(), options.begin(), options.end(),
                        std::back_inserter(both));
  if (both.empty()) return false;
  place->second = std::move(both);
  return true;
}

Outcome outcome_of(const ReadRequest& request, const Answer& answer) {
  switch (answer.kind) {
    case AnswerKind::kReject:
      return Outcome::kRejected;
    case AnswerKind::kUnsupported:
      return Outcome::kUnsupported;
    case AnswerKind::kOk:
      break;
  }
  const std::string* code = answer.fields.find("code");
  return request.is_ra8() && code && *code != "0000" ? Outcome::kCode : Outcome::kValue;
}

// The same for an answer that is known to be well formed.
Outcome outcome_of_line(std::string_view body) {
  if (body.starts_with("reject")) return Outcome::kRejected;
  if (body.starts_with("unsupported")) return Outcome::kUnsupported;
  const bool has_code = body.starts_with("ok code=");
  return has_code && !body.starts_with("ok code=0000") ? Outcome::kCode : Outcome::kValue;
}

// An `ok` must carry what its verb promises, in the right length; else the adapter is at fault.
std::string what_is_missing(const ReadRequest& request, const Answer& answer) {
  if (answer.kind != AnswerKind::kOk) return {};
  const auto lacks = [&](std::string_view key) { return !answer.fields.find(key); };
  if (request.verb == "decode") {
    if (lacks("scheme")) return "the answer lacks scheme=";
    if (parse_decimal(*answer.fields.find("scheme")) != 1) return {};
    for (const std::string_view key : {"scale", "zero_point"}) {
      if (lacks(key)) return fmt::format("the answer lacks {}=", key);
    }
    if (!parse_hex_number(*answer.fields.find("scale"), 8))
      return "scale= is not eight hexadecimal digits";
    if (!parse_decimal(*answer.fields.find("zero_point")))
      return "zero_point= is not a decimal number";
    return {};
  }
  if (request.verb == "decode_tensor") {
    for (const std::string_view key : {"length", "type", "layout", "shape", "buffers"}) {
      if (lacks(key)) return fmt::format("the answer lacks {}=", key);
    }
    return {};
  }
  if (request.verb == "packed_bytes") return lacks("bytes") ? "the answer lacks bytes=" : "";
  if (request.is_ra8()) {
    if (lacks("code")) return "the answer lacks code=";
    const std::optional<std::uint32_t> code = parse_hex_number(*answer.fields.find("code"), 4);
    if (!code) return "code= is not four hexadecimal digits";
    if (*code != 0 && lacks("out")) return {};
  }
  const std::string_view key = array_key(request);
  if (lacks(key)) return fmt::format("the answer lacks {}=", key);
  if (!read_elements(request, answer)) {
    return fmt::format(
        "{}= does not have the length that the request asks for, or is not hexadecimal", key);
  }
  return {};
}

Failure without_answer(const Step& step, const Reply& reply, std::string failure_class) {
  Failure failure;
  failure.request = step.request;
  failure.expected = excerpt(step.expect.front().answer, kShownBytes);
  failure.got = reply.detail.empty() ? std::string(name_of(reply.outcome)) : reply.detail;
  failure.failure_class = std::move(failure_class);
  return failure;
}

// Of a digest there is only the letter: which of the inputs it was about is wrong, does not show.
CaseResult of_wrong_sweep(const Step& step, const Reply& reply) {
  const SweepAnswer answer = read_sweep_reply(reply);
  CaseResult result;
  result.verdict = CaseVerdict::kFail;
  result.outcome = answer.outcome;
  result.failure = answer.outcome == Outcome::kGarbled
                       ? without_answer(step, {answer.outcome, {}, answer.detail}, "garbled-answer")
                       : without_answer(step, {answer.outcome, {}, reply.body}, "unknown");
  return result;
}

// Judges one step and folds it into `result`. Returns false when the case is decided.
bool judge_step(const Step& step, const Reply& reply, CaseResult& result) {
  result.outcome = reply.outcome;
  const auto fail = [&](Failure failure) {
    result.verdict = CaseVerdict::kFail;
    result.failure = std::move(failure);
    return false;
  };
  if (reply.outcome == Outcome::kCrashed) return fail(without_answer(step, reply, "crash"));
  if (reply.outcome == Outcome::kTimedOut) return fail(without_answer(step, reply, "hang"));
  if (reply.outcome == Outcome::kGarbled)
    return fail(without_answer(step, reply, "garbled-answer"));

  // Almost every answer is one of the expected lines to the letter.
  const Alternative* matched = nullptr;
  Match match = Match::kNo;
  for (const Alternative& each : step.expect) {
    if (each.free.empty() && each.answer == reply.body) {
      matched = &each;
      match = Match::kYes;
      result.outcome = outcome_of_line(reply.body);
      break;
    }
  }
  if (!matched && step.request.starts_with("sweep ")) {
    result = of_wrong_sweep(step, reply);
    return false;
  }
  std::string error;
  std::optional<Answer> got;
  const ReadRequest request = matched ? ReadRequest{} : read_request(step.request);
  if (!matched) {
    got = parse_answer_body(reply.body, error);
    if (got) error = what_is_missing(request, *got);
    if (!got || !error.empty()) {
      result.outcome = Outcome::kGarbled;
      return fail(without_answer(step, {Outcome::kGarbled, {}, error}, "garbled-answer"));
    }
    result.outcome = outcome_of(request, *got);
    for (const Alternative& each : step.expect) {
      const std::optional<Answer> expected = parse_answer_body(each.answer, error);
      const Match this_match = match_answer(request, each, *expected, *got);
      if (this_match > match || (this_match == match && matched && this_match != Match::kNo &&
                                 each.verdict < matched->verdict)) {
        match = this_match;
        matched = &each;
      }
    }
    if (match == Match::kNo) return fail(describe_difference(request, step, *got, reply.body));
  }

  Shows shows = matched->shows;
  const std::vector<std::size_t> of_nan = made_of_nan(request, matched->free);
  if (!of_nan.empty()) {
    const std::optional<Elements> elements = read_elements(request, *got);
    shows["nan-input"] = kinds_of_nan_value(request, elements->integers[of_nan.front()]);
  }
  for (const auto& [behaviour, options] : shows) {
    if (narrow(result.shows, scoped_name(behaviour, step.request), options)) continue;
    Failure failure;
    failure.request = step.request;
    failure.expected = fmt::format("{}{}", behaviour, kAsEarlier);
    failure.got = fmt::format("{}", fmt::join(options, " or "));
    failure.failure_class = "inconsistent";
    return fail(std::move(failure));
  }

  CaseVerdict verdict = matched->verdict;
  if (match == Match::kWithOtherZeroSign) verdict = std::max(verdict, CaseVerdict::kWarn);
  if (verdict == CaseVerdict::kWarn && result.verdict < CaseVerdict::kWarn) {
    if (!got) got = parse_answer_body(reply.body, error);
    const ReadRequest again = read_request(step.request);
    Failure failure = describe_difference(again, step, *got, reply.body);
    if (match == Match::kWithOtherZeroSign) {
      failure.failure_class = "zero-sign";
    } else {
      failure.expected = excerpt(step.expect.back().answer, kShownBytes);
      failure.failure_class = "accepts-invalid";
    }
    result.failure = std::move(failure);
  }
  result.verdict = std::max(result.verdict, verdict);
  return true;
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kValue:
      return "value";
    case Outcome::kRejected:
      return "rejected";
    case Outcome::kCode:
      return "code";
    case Outcome::kUnsupported:
      return "unsupported";
    case Outcome::kCrashed:
      return "crashed";
    case Outcome::kTimedOut:
      return "timed out";
    case Outcome::kGarbled:
      return "garbled";
  }
  return "?";
}

namespace {

// The request without what the output held before, which no result may depend on.
std::string_view without_fill(std::string_view request) {
  return request.substr(0, request.find(" fill="));
}

// Was the same request answered rightly at another step of the case? Then what came between them
// has decided.
bool is_right_elsewhere(const Case& item, const std::vector<Reply>& replies, std::size_t wrong) {
  for (std::size_t i = 0; i < replies.size(); ++i) {
    CaseResult alone;
    if (i != wrong &&
        without_fill(item.steps[i].request) == without_fill(item.steps[wrong].request) &&
        judge_step(item.steps[i], replies[i], alone)) {
      return true;
    }
  }
  return false;
}

}  // namespace

CaseResult judge(const Case& item, const std::vector<Reply>& replies) {
  CaseResult result;
  result.verdict = CaseVerdict::kPass;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!judge_step(item.steps[i], replies[i], result)) {
      result.failure->step = i;
      // Another legal choice than before is inconsistent, and a crash a crash.
      std::string& failure_class = result.failure->failure_class;
      const bool is_wrong_answer =
          result.outcome < Outcome::kCrashed && failure_class != "inconsistent";
      if (is_wrong_answer && is_right_elsewhere(item, replies, i)) {
        failure_class = "depends-on-earlier-calls";
      }
      break;
    }
    if (result.failure) result.failure->step = i;
  }
  // Silence after a good beginning must not look like a good end.
  if (result.verdict == CaseVerdict::kPass && replies.size() < item.steps.size()) {
    throw SuiteError(item.name + ": judged before all of its steps were answered");
  }
  return result;
}

}  // namespace hurray::conformance
