// SPDX-License-Identifier: Apache-2.0
//
// Sweeps, see sweep.h. A session of the target is started once for all blocks, and once for every
// round in which a block is taken apart.

#include "conformance/runner/sweep.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "conformance/runner/claims.h"
#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

// Parts of a range that is taken apart: few rounds, since each may start an emulator.
constexpr std::uint64_t kParts = 16;
constexpr std::uint32_t kFirstId = 10;

// What the target gave for one range.
struct Given {
  Outcome outcome = Outcome::kValue;
  std::uint64_t digest = 0;
  std::string detail;  // if the outcome is another
};

Given read_reply(const Reply& reply) {
  if (reply.outcome != Outcome::kValue) return {reply.outcome, 0, reply.detail};
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(reply.body, error);
  if (answer && answer->kind == AnswerKind::kReject) return {Outcome::kRejected, 0, reply.body};
  if (answer && answer->kind == AnswerKind::kUnsupported) {
    return {Outcome::kUnsupported, 0, reply.body};
  }
  const std::string* digest = answer ? answer->fields.find("digest") : nullptr;
  if (digest && digest->size() == 16) {
    const auto high = parse_hex_number(std::string_view(*digest).substr(0, 8), 8);
    const auto low = parse_hex_number(std::string_view(*digest).substr(8), 8);
    if (high && low) return {Outcome::kValue, std::uint64_t{*high} << 32 | *low, {}};
  }
  return {Outcome::kGarbled, 0,
          fmt::format("answered a sweep with `{}`, which has no digest= of 16 hexadecimal digits",
                      reply.body.substr(0, 60))};
}

std::string class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRejected:
      return "rejects-valid";
    case Outcome::kUnsupported:
      return "claims-what-it-lacks";
    case Outcome::kCrashed:
      return "crash";
    case Outcome::kTimedOut:
      return "hang";
    case Outcome::kGarbled:
      return "garbled-answer";
    case Outcome::kValue:
    case Outcome::kCode:
      break;
  }
  return "unknown";
}

std::vector<SweepRange> parts_of(const SweepRange& range) {
  const std::uint64_t size = (range.count + kParts - 1) / kParts;
  std::vector<SweepRange> parts;
  for (std::uint64_t done = 0; done < range.count; done += size) {
    parts.push_back(
        {static_cast<std::uint32_t>(range.first + done), std::min(size, range.count - done)});
  }
  return parts;
}

// The inputs beside one, except where a NaN lies or the patterns end.
std::vector<std::uint32_t> neighbours_of(std::uint32_t input) {
  std::vector<std::uint32_t> neighbours;
  if (input != 0 && !is_nan_pattern(input - 1)) neighbours.push_back(input - 1);
  if (!is_nan_pattern(input + 1)) neighbours.push_back(input + 1);
  return neighbours;
}

// The byte with this digest, if it is that of one.
std::optional<std::uint8_t> byte_with(std::uint64_t digest) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (digest_of_byte(static_cast<std::uint8_t>(byte)) == digest) {
      return static_cast<std::uint8_t>(byte);
    }
  }
  return std::nullopt;
}

class Sweep {
 public:
  Sweep(const Attachment& attachment, const Limits& limits, const Claims& claims,
        const SweepFunction& function)
      : attachment_(attachment),
        limits_(limits),
        claims_(claims),
        function_(function),
        readings_(readings_of(function)) {}

  SweepResult go(const std::vector<SweepRange>& blocks,
                 const std::function<void(std::uint64_t)>& on_progress) {
    std::optional<Problem> problem = first_problem(blocks, on_progress);
    if (result_.broken) return std::move(result_);
    const std::size_t good = problem ? problem->index : blocks.size();
    for (std::size_t i = 0; i < good; ++i) result_.inputs += blocks[i].count;
    if (problem) {
      SweepRange where = blocks[good];
      take_apart(where, *problem);
      result_.inputs += where.first - blocks[good].first;
      if (!result_.broken) describe(where, problem->given);
    }
    for (const SweepReading& each : readings_) result_.readings.emplace_back(each.name);
    return std::move(result_);
  }

 private:
  struct Problem {
    std::size_t index;  // of a range
    Given given;
  };

  // Asks for the ranges in one session. `look` may end it by returning false.
  void ask(const std::vector<SweepRange>& ranges,
           const std::function<bool(std::size_t, Given)>& look) {
    std::vector<Case> cases;
    cases.reserve(ranges.size());
    std::vector<Question> questions;
    for (const SweepRange& each : ranges) {
      cases.push_back({"sweep", "", {{sweep_request(function_, each), {}}}, {}});
      questions.push_back({&cases.back(), static_cast<std::uint32_t>(kFirstId + questions.size())});
    }
    bool goes_on = true;
    std::optional<Broken> broken =
        interview(attachment_, questions, {limits_, true, [&] { return !goes_on; }, &claims_},
                  [&](std::size_t i, std::vector<Reply> replies) {
                    if (!look(i, read_reply(replies.back()))) goes_on = false;
                  });
    if (broken && goes_on) result_.broken = std::move(broken);
  }

  // The first range whose answer is none of those still possible. Answers narrow what is.
  std::optional<Problem> first_problem(const std::vector<SweepRange>& ranges,
                                       const std::function<void(std::uint64_t)>& on_progress) {
    std::optional<Problem> problem;
    std::uint64_t done = 0;
    ask(ranges, [&](std::size_t i, Given given) {
      if (problem && problem->index < i) return false;
      if (given.outcome == Outcome::kValue && explain(ranges[i], given.digest)) {
        done += ranges[i].count;
        if (on_progress) on_progress(done);
        return true;
      }
      problem = {i, std::move(given)};
      return false;
    });
    return problem;
  }

  // Keeps the readings with this digest. False, and nothing changed, if there is none.
  bool explain(const SweepRange& range, std::uint64_t digest) {
    const std::vector<std::uint64_t> expected = expected_digests(function_, readings_, range);
    std::vector<SweepReading> left;
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      if (expected[i] == digest) left.push_back(readings_[i]);
    }
    if (left.empty()) return false;
    readings_ = std::move(left);
    return true;
  }

  // Narrows `where` to the smallest part that shows a problem: the first one that is not explained
  // together with everything before it.
  void take_apart(SweepRange& where, Problem& problem) {
    while (where.count > 1 && problem.given.outcome != Outcome::kTimedOut &&
           problem.given.outcome != Outcome::kGarbled) {
      const std::vector<SweepRange> parts = parts_of(where);
      const std::vector<SweepReading> before = readings_;
      std::optional<Problem> smaller = first_problem(parts, {});
      if (result_.broken) return;
      if (!smaller) {
        readings_ = before;
        return;
      }
      where = parts[smaller->index];
      problem = std::move(*smaller);
    }
  }

  void describe(const SweepRange& where, const Given& given) {
    if (given.outcome == Outcome::kGarbled) {
      result_.broken = Broken{given.detail, {}};
      return;
    }
    SweepFinding finding{given.outcome, where, given.detail, class_of(given.outcome), {}, {}};
    if (given.outcome == Outcome::kValue && where.count == 1) {
      const std::optional<std::uint8_t> byte = byte_with(given.digest);
      if (!byte) {
        result_.broken = Broken{
            fmt::format("digest={:016x} of the input {:08x} alone is that of no byte: is it FNV-1a "
                        "with 64 bits, and over all output bytes?",
                        given.digest, where.first),
            {}};
        return;
      }
      describe_code(*byte, finding);
      if (result_.broken) return;
    }
    result_.finding = std::move(finding);
  }

  void describe_code(std::uint8_t byte, SweepFinding& finding) {
    const std::uint32_t input = finding.where.first;
    finding.inputs = {with_expected(input)};
    const std::int64_t code = *(finding.inputs.front().got = code_in(byte));
    for (const SweepReading& each : readings_of(function_)) {
      if (expected_code(function_, each, input) == code) {
        finding.readings_here.emplace_back(each.name);
      }
    }
    ask_neighbours(finding.inputs);
    if (const unsigned bits = storage_of(function_).bits; byte >> bits != 0) {
      finding.readings_here.clear();
      finding.failure_class = "padding-bits";
    } else if (!finding.readings_here.empty()) {
      finding.failure_class = "inconsistent";
    } else {
      finding.failure_class = class_of_codes(finding.inputs);
    }
  }

  void ask_neighbours(std::vector<SweepInput>& inputs) {
    std::vector<SweepRange> ranges;
    for (const std::uint32_t each : neighbours_of(inputs.front().bits)) ranges.push_back({each, 1});
    std::vector<SweepInput> neighbours;
    for (const SweepRange& each : ranges) neighbours.push_back(with_expected(each.first));
    ask(ranges, [&](std::size_t i, Given given) {
      const auto byte = given.outcome == Outcome::kValue ? byte_with(given.digest) : std::nullopt;
      neighbours[i].got = byte ? std::optional(code_in(*byte)) : std::nullopt;
      return true;
    });
    inputs.insert(inputs.end(), neighbours.begin(), neighbours.end());
    std::sort(inputs.begin(), inputs.end(),
              [](const SweepInput& a, const SweepInput& b) { return a.bits < b.bits; });
  }

  SweepInput with_expected(std::uint32_t input) const {
    SweepInput result{input, {}, {}};
    for (const SweepReading& each : readings_) {
      const std::int64_t code = expected_code(function_, each, input);
      if (std::find(result.expected.begin(), result.expected.end(), code) ==
          result.expected.end()) {
        result.expected.push_back(code);
      }
    }
    return result;
  }

  std::int64_t code_in(std::uint8_t byte) const {
    return read_element(storage_of(function_).type, &byte, 0);
  }

  // The mistake that gives these codes; neighbours keep a guess from being too bold.
  std::string class_of_codes(const std::vector<SweepInput>& inputs) const {
    std::vector<std::uint32_t> bits;
    std::vector<std::int64_t> codes;
    for (const SweepInput& each : inputs) {
      if (!each.got) continue;
      bits.push_back(each.bits);
      codes.push_back(*each.got);
    }
    const StorageType type = storage_of(function_).type;
    Bytes packed(packed_bytes(type, codes.size()).value());
    pack(type, codes, packed.data());
    const std::string request = quantize_request(function_, bits);
    const std::string answer =
        (function_.function.empty() ? "ok q=" : "ok code=0000 out=") + to_hex(packed);
    const Case item{"sweep", "", {{request, expected_answers(read_request(request))}}, {}};
    const CaseResult result = judge(item, {Reply{Outcome::kValue, answer, {}}});
    return result.failure ? result.failure->failure_class : "unknown";
  }

  const Attachment& attachment_;
  const Limits& limits_;
  const Claims& claims_;
  const SweepFunction& function_;
  std::vector<SweepReading> readings_;  // those that explain everything so far
  SweepResult result_;
};

}  // namespace

std::string sweep_request(const SweepFunction& function, const SweepRange& range) {
  const std::string what = function.function.empty()
                               ? fmt::format("op=quantize type={:02x}", function.type)
                               : fmt::format("fn={}", function.function);
  return fmt::format("sweep {} scale={} zero_point={} first={:08x} count={}", what,
                     bits_to_hex(function.scale), function.zero_point, range.first, range.count);
}

std::string quantize_request(const SweepFunction& function, std::span<const std::uint32_t> inputs) {
  const std::string what = function.function.empty()
                               ? fmt::format("quantize type={:02x}", function.type)
                               : fmt::format("ra8 fn={}", function.function);
  Floats floats;
  for (const std::uint32_t each : inputs) floats.push_back(std::bit_cast<float>(each));
  return fmt::format("{} scale={} zero_point={} count={} in={}", what, bits_to_hex(function.scale),
                     function.zero_point, inputs.size(), floats_to_hex(floats));
}

SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const std::function<void(std::uint64_t)>& on_progress) {
  SweepResult result;
  const std::vector<SweepRange> blocks = blocks_of(range);
  if (blocks.empty()) return result;
  Introduction introduction = introduce(attachment, limits);
  if (introduction.broken) {
    result.broken = std::move(introduction.broken);
    return result;
  }
  const Case one_block{"sweep", "", {{sweep_request(function, blocks.front()), {}}}, {}};
  result.not_claimed = reason_to_skip(*introduction.claims, one_block, {});
  if (result.not_claimed) return result;
  return Sweep(attachment, limits, *introduction.claims, function).go(blocks, on_progress);
}

}  // namespace hurray::conformance
