// SPDX-License-Identifier: Apache-2.0
//
// Wrong answers for people, see difference.h.

#include "conformance/runner/difference.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "conformance/runner/answer_fields.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/ulps.h"

namespace hurray::conformance {
namespace {

std::string show_element(const Elements& elements, std::size_t i) {
  return elements.are_floats ? show_float(elements.floats[i])
                             : fmt::format("{}", elements.integers[i]);
}

std::string show_input(const ReadRequest& request, const Elements& expected, std::size_t i) {
  if (request.quantizes()) {
    return fmt::format("x = {}, scale = {}, zero point = {}",
                       show_float(std::bit_cast<std::uint32_t>(request.floats[i])),
                       show_float(std::bit_cast<std::uint32_t>(request.scale)), request.zero_point);
  }
  if (request.dequantizes()) {
    const StorageTypeInfo& info = *storage_type_of(request);
    return fmt::format("q = {}, scale = {}, zero point = {}",
                       read_element(info.type, request.bytes.data(), i),
                       show_float(std::bit_cast<std::uint32_t>(request.scale)), request.zero_point);
  }
  if (request.verb == "normalize") return fmt::format("field {} of the plane", i);
  if (request.verb == "convert") {
    return fmt::format("b2: zero point of block {}, stored as {} with bias {}", i,
                       expected.integers[i] - request.bias, request.bias);
  }
  if (array_key(request) == "bytes") {
    return describe_byte(request, Bytes(expected.integers.begin(), expected.integers.end()), i);
  }
  if (array_key(request) == "out" || array_key(request) == "values") {
    return fmt::format("element {}", i);
  }
  return fmt::format("byte {}", i);
}

std::string show_distance(const Elements& expected, const Elements& got, std::size_t i) {
  if (!expected.are_floats) return fmt::format("{:+}", got.integers[i] - expected.integers[i]);
  if (is_nan_pattern(expected.floats[i]) || is_nan_pattern(got.floats[i]))
    return "one of them is not a number";
  return fmt::format("{:+} ulp", ulps_between(expected.floats[i], got.floats[i]));
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

// Answers of one kind that differ in another field than the array: the rest of them would hide it.
void describe_field(const ReadRequest& request, const Alternative& alternative, const Answer& got,
                    Failure& failure) {
  std::string error;
  const std::optional<Answer> expected = parse_answer_body(alternative.answer, error);
  if (!expected || expected->kind != got.kind || !alternative.free.empty()) return;
  const std::optional<FieldDifference> difference = first_difference(request, *expected, got);
  if (!difference) return;
  failure.total = failure.differing = 0;
  failure.input = difference->where;
  failure.expected = difference->expected;
  failure.got = difference->got;
}

}  // namespace

Failure describe_difference(const ReadRequest& request, const Step& step, const Answer& got,
                            const std::string& body) {
  const std::optional<Elements> elements = read_elements(request, got);
  const Closest closest = closest_alternative(request, step, got, elements);
  Failure failure;
  failure.request = step.request;
  failure.expected = excerpt(closest.alternative->answer, kShownBytes);
  for (const Alternative& each : step.expect) {
    if (&each != closest.alternative && each.verdict == CaseVerdict::kPass) {
      failure.expected += " or " + excerpt(each.answer, kShownBytes);
    }
  }
  failure.got = excerpt(body, kShownBytes);
  if (elements && closest.expected && closest.expected->size() == elements->size()) {
    failure.total = elements->size();
    failure.differing = closest.differing;
    const bool sign_counts = zero_sign_counts(request);
    // A wrong number outweighs a zero of the other sign.
    for (const Match shown : {Match::kNo, Match::kWithOtherZeroSign}) {
      for (std::size_t i = 0; i < elements->size() && !failure.element; ++i) {
        const std::vector<std::size_t>& free = closest.alternative->free;
        if (std::binary_search(free.begin(), free.end(), i)) continue;
        if (match_element(*closest.expected, *elements, i, sign_counts) != shown) continue;
        failure.element = i;
        failure.expected = show_element(*closest.expected, i);
        failure.got = show_element(*elements, i);
        failure.input = show_input(request, *closest.expected, i);
        failure.distance = show_distance(*closest.expected, *elements, i);
      }
    }
  }
  if (!failure.element) describe_field(request, *closest.alternative, got, failure);
  failure.failure_class = classify(request, step, got);
  return failure;
}

}  // namespace hurray::conformance
