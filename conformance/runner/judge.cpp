// SPDX-License-Identifier: Apache-2.0
//
// Comparison of answers, see judge.h. By bits; any NaN equals any NaN; a zero of the other sign in
// the output of `dequantize` warns (A06); `free` positions hold one value, whichever (R01, R03).

#include "conformance/runner/judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "conformance/runner/classify.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
bool is_zero(std::uint32_t bits) { return (bits & 0x7fffffffu) == 0; }

const StorageTypeInfo* output_type(const ReadRequest& request) {
  if (request.verb == "quantize") return find_storage_type(request.type);
  if (request.is_ra8()) {
    return &info_of(request.is_ra8_signed() ? StorageType::kInt8 : StorageType::kUint8);
  }
  return nullptr;
}

// Name of the key that carries the array of an `ok` answer.
std::string_view array_key(const ReadRequest& request) {
  if (request.verb == "quantize") return "q";
  if (request.verb == "normalize") return "zero_points";
  if (request.verb == "encode") return "bytes";
  if (request.verb == "decode") return {};
  return "out";
}

enum class Match { kNo, kWithOtherZeroSign, kYes };

bool same_hex(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// One element against one; positions that are free are not asked.
Match match_element(const Elements& expected, const Elements& got, std::size_t i,
                    bool zero_sign_counts) {
  if (!expected.are_floats)
    return expected.integers[i] == got.integers[i] ? Match::kYes : Match::kNo;
  const std::uint32_t want = expected.floats[i];
  const std::uint32_t have = got.floats[i];
  if (want == have || (is_nan(want) && is_nan(have))) return Match::kYes;
  if (!zero_sign_counts && is_zero(want) && is_zero(have)) return Match::kWithOtherZeroSign;
  return Match::kNo;
}

Match match_elements(const Elements& expected, const Elements& got,
                     const std::vector<std::size_t>& free, bool zero_sign_counts) {
  if (expected.size() != got.size() || expected.padding != got.padding) return Match::kNo;
  Match worst = Match::kYes;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::binary_search(free.begin(), free.end(), i)) {
      if (got.integers[i] != got.integers[free.front()]) return Match::kNo;
      continue;
    }
    worst = std::min(worst, match_element(expected, got, i, zero_sign_counts));
    if (worst == Match::kNo) return worst;
  }
  return worst;
}

bool zero_sign_counts(const ReadRequest& request) { return request.verb != "dequantize"; }

Match match_field(const std::string& key, const std::string& expected, const std::string& got) {
  if (expected == "any") return Match::kYes;
  if (key == "code" && expected == "error") {
    const std::optional<std::uint32_t> code = parse_hex_number(got, 4);
    return code && *code != 0 ? Match::kYes : Match::kNo;
  }
  if (key == "zero_point" || key == "scheme" || key == "under" || key == "over" ||
      key == "changed" || key == "in_changed") {
    return parse_decimal(got) == parse_decimal(expected) ? Match::kYes : Match::kNo;
  }
  return same_hex(expected, got) ? Match::kYes : Match::kNo;
}

Match match_answer(const ReadRequest& request, const Alternative& alternative,
                   const Answer& expected, const Answer& got) {
  if (expected.kind != got.kind) return Match::kNo;
  Match worst = Match::kYes;
  for (const auto& [key, value] : expected.fields.all()) {
    const std::string* found = got.fields.find(key);
    if (!found) return Match::kNo;
    if (key == array_key(request) && value != "any") {
      const std::optional<Elements> want = read_elements(request, expected);
      const std::optional<Elements> have = read_elements(request, got);
      if (!want || !have) return Match::kNo;
      worst = std::min(worst,
                       match_elements(*want, *have, alternative.free, zero_sign_counts(request)));
    } else {
      worst = std::min(worst, match_field(key, value, *found));
    }
    if (worst == Match::kNo) return worst;
  }
  return worst;
}

// Which of the usual values stands at the free positions: all that fit, since they may coincide.
std::vector<std::string> kinds_of_nan_value(const ReadRequest& request, std::int64_t value) {
  const StorageTypeInfo* info = output_type(request);
  std::vector<std::string> kinds;
  if (value == info->max) kinds.push_back("qmax");
  if (value == info->min) kinds.push_back("qmin");
  if (value == 0) kinds.push_back("zero");
  if (value == std::clamp<std::int64_t>(request.zero_point, info->min, info->max)) {
    kinds.push_back("zero-point");
  }
  if (kinds.empty()) kinds.push_back("other");
  return kinds;
}

// One function need not treat NaN as another does: the behaviour is kept per function and type.
std::string nan_behaviour(const ReadRequest& request) {
  return fmt::format("nan-input({})",
                     request.is_ra8() ? request.function : std::string(output_type(request)->name));
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

// An `ok` must carry what its verb promises, in the right length; else the adapter is at fault.
std::string what_is_missing(const ReadRequest& request, const Answer& answer) {
  if (answer.kind != AnswerKind::kOk) return {};
  const auto lacks = [&](std::string_view key) { return !answer.fields.find(key); };
  if (request.verb == "decode") {
    for (const std::string_view key : {"scheme", "scale", "zero_point"}) {
      if (lacks(key)) return fmt::format("the answer lacks {}=", key);
    }
    if (!parse_hex_number(*answer.fields.find("scale"), 8))
      return "scale= is not eight hexadecimal digits";
    if (!parse_decimal(*answer.fields.find("zero_point")))
      return "zero_point= is not a decimal number";
    return {};
  }
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

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 160;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "…";
}

std::string show_float(std::uint32_t bits) {
  return fmt::format("{:08x} ({:.9g})", bits, std::bit_cast<float>(bits));
}

std::string show_element(const Elements& elements, std::size_t i) {
  return elements.are_floats ? show_float(elements.floats[i])
                             : fmt::format("{}", elements.integers[i]);
}

std::string show_input(const ReadRequest& request, std::size_t i) {
  if (request.quantizes()) {
    return fmt::format("x = {}, scale = {}, zero point = {}",
                       show_float(std::bit_cast<std::uint32_t>(request.floats[i])),
                       show_float(std::bit_cast<std::uint32_t>(request.scale)), request.zero_point);
  }
  if (request.dequantizes()) {
    const StorageTypeInfo& info =
        request.is_ra8() ? *output_type(request) : *find_storage_type(request.type);
    return fmt::format("q = {}, scale = {}, zero point = {}",
                       read_element(info.type, request.bytes.data(), i),
                       show_float(std::bit_cast<std::uint32_t>(request.scale)), request.zero_point);
  }
  if (request.verb == "normalize") return fmt::format("field {} of the plane", i);
  return fmt::format("byte {}", i);
}

// Distance on the line of all floats, on which -0 and +0 are neighbours.
std::int64_t place_of(std::uint32_t bits) {
  const std::int64_t magnitude = bits & 0x7fffffffu;
  return bits >> 31 ? -magnitude - 1 : magnitude;
}

std::string show_distance(const Elements& expected, const Elements& got, std::size_t i) {
  if (!expected.are_floats) return fmt::format("{:+}", got.integers[i] - expected.integers[i]);
  if (is_nan(expected.floats[i]) || is_nan(got.floats[i])) return "one of them is not a number";
  return fmt::format("{:+} ulp", place_of(got.floats[i]) - place_of(expected.floats[i]));
}

// The alternative from which the answer differs least, among those of the same kind.
struct Closest {
  const Alternative* alternative = nullptr;
  std::size_t differing = SIZE_MAX;
  std::optional<Elements> expected;
};

std::size_t count_differing(const Elements& expected, const Elements& got,
                            const std::vector<std::size_t>& free, bool sign_counts) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) {
    if (std::binary_search(free.begin(), free.end(), i)) continue;
    differing += match_element(expected, got, i, sign_counts) != Match::kYes;
  }
  return differing;
}

Closest closest_alternative(const ReadRequest& request, const Step& step, const Answer& got,
                            const std::optional<Elements>& elements) {
  Closest closest;
  for (const Alternative& each : step.expect) {
    std::string error;
    const std::optional<Answer> expected = parse_answer_body(each.answer, error);
    if (!expected || expected->kind != got.kind) continue;
    std::optional<Elements> want = read_elements(request, *expected);
    const std::size_t differing =
        want && elements ? count_differing(*want, *elements, each.free, zero_sign_counts(request))
                         : 0;
    if (!closest.alternative || differing < closest.differing) {
      closest = {&each, differing, std::move(want)};
    }
  }
  if (!closest.alternative) closest = {&step.expect.front(), 0, std::nullopt};
  return closest;
}

Failure describe_difference(const ReadRequest& request, const Step& step, const Answer& got,
                            const std::string& body) {
  const std::optional<Elements> elements = read_elements(request, got);
  const Closest closest = closest_alternative(request, step, got, elements);
  Failure failure;
  failure.request = step.request;
  failure.expected = excerpt(closest.alternative->answer);
  for (const Alternative& each : step.expect) {
    if (&each != closest.alternative && each.verdict == CaseVerdict::kPass) {
      failure.expected += " or " + excerpt(each.answer);
    }
  }
  failure.got = excerpt(body);
  if (elements && closest.expected && closest.expected->size() == elements->size()) {
    failure.total = elements->size();
    failure.differing = closest.differing;
    const bool sign_counts = zero_sign_counts(request);
    for (std::size_t i = 0; i < elements->size(); ++i) {
      const std::vector<std::size_t>& free = closest.alternative->free;
      if (std::binary_search(free.begin(), free.end(), i)) continue;
      if (match_element(*closest.expected, *elements, i, sign_counts) == Match::kYes) continue;
      failure.element = i;
      failure.expected = show_element(*closest.expected, i);
      failure.got = show_element(*elements, i);
      failure.input = show_input(request, i);
      failure.distance = show_distance(*closest.expected, *elements, i);
      break;
    }
  }
  failure.failure_class = classify(request, step, got);
  return failure;
}

Failure without_answer(const Step& step, const Reply& reply, std::string failure_class) {
  Failure failure;
  failure.request = step.request;
  failure.expected = excerpt(step.expect.front().answer);
  failure.got = reply.detail.empty() ? std::string(name_of(reply.outcome)) : reply.detail;
  failure.failure_class = std::move(failure_class);
  return failure;
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
      break;
    }
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

  for (const auto& [behaviour, options] : matched->shows) {
    const std::string name =
        behaviour == "nan-input" ? nan_behaviour(read_request(step.request)) : behaviour;
    if (narrow(result.shows, name, options)) continue;
    Failure failure;
    failure.request = step.request;
    failure.expected = fmt::format("{} as in the earlier request of the case", behaviour);
    failure.got = fmt::format("{}", fmt::join(options, " or "));
    failure.failure_class = "inconsistent";
    return fail(std::move(failure));
  }
  if (!matched->free.empty()) {
    const std::optional<Elements> elements = read_elements(request, *got);
    narrow(result.shows, nan_behaviour(request),
           kinds_of_nan_value(request, elements->integers[matched->free.front()]));
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
      failure.expected = excerpt(step.expect.back().answer);
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

std::optional<Elements> read_elements(const ReadRequest& request, const Answer& answer) {
  const std::string_view key = array_key(request);
  const std::string* hex = key.empty() ? nullptr : answer.fields.find(key);
  if (!hex) return std::nullopt;
  const std::optional<Bytes> bytes = parse_hex(*hex);
  if (!bytes) return std::nullopt;

  Elements elements;
  if (request.verb == "encode") {
    elements.integers.assign(bytes->begin(), bytes->end());
    return elements;
  }
  if (request.dequantizes() || request.verb == "normalize") {
    if (bytes->size() != request.count * 4) return std::nullopt;
    elements.are_floats = request.dequantizes();
    for (std::size_t i = 0; i < request.count; ++i) {
      std::uint32_t word = 0;
      for (std::size_t k = 4; k-- > 0;) word = word << 8 | (*bytes)[4 * i + k];
      if (elements.are_floats)
        elements.floats.push_back(word);
      else
        elements.integers.push_back(static_cast<std::int32_t>(word));
    }
    return elements;
  }
  const StorageTypeInfo* info = output_type(request);
  if (!info || bytes->size() != packed_bytes(info->type, request.count)) return std::nullopt;
  elements.integers.resize(request.count);
  for (std::size_t i = 0; i < request.count; ++i) {
    elements.integers[i] = read_element(info->type, bytes->data(), i);
  }
  const std::size_t used_bits = request.count * info->bits % 8;
  if (used_bits != 0) elements.padding = {static_cast<std::uint8_t>(bytes->back() >> used_bits)};
  return elements;
}

CaseResult judge(const Case& item, const std::vector<Reply>& replies) {
  CaseResult result;
  result.verdict = CaseVerdict::kPass;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!judge_step(item.steps[i], replies[i], result)) {
      result.failure->step = i;
      break;
    }
    if (result.failure) result.failure->step = i;
  }
  return result;
}

}  // namespace hurray::conformance
