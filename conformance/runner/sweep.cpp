// SPDX-License-Identifier: Apache-2.0
//
// Sweeps, see sweep.h. A session of the target is started once for all blocks, and once for every
// round in which a block is taken apart.

#include "conformance/runner/sweep.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "conformance/runner/claims.h"
#include "conformance/runner/elements.h"
#include "conformance/runner/sweep_class.h"
#include "conformance/runner/sweep_digest.h"

namespace hurray::conformance {
namespace {

// Parts of a range that is taken apart: few rounds, since each may start an emulator.
constexpr std::uint64_t kParts = 16;

// The inputs beside one, except where a NaN lies or the patterns end.
std::vector<std::uint32_t> neighbours_of(const SweepFunction& function, std::uint32_t input) {
  const auto is_input = [&](std::uint64_t pattern) {
    return pattern < patterns_of(function) &&
           (function.dequantizes() || !is_nan_pattern(static_cast<std::uint32_t>(pattern)));
  };
  std::vector<std::uint32_t> neighbours;
  if (input != 0 && is_input(input - 1)) neighbours.push_back(input - 1);
  if (is_input(std::uint64_t{input} + 1)) neighbours.push_back(input + 1);
  return neighbours;
}

class Sweep {
 public:
  Sweep(const Attachment& attachment, const Limits& limits, const Claims& claims,
        const SweepFunction& function, const SweepOptions& options)
      : attachment_(attachment),
        limits_(limits),
        claims_(claims),
        function_(function),
        options_(options) {
    for (const SweepReading& each : readings_of(function)) {
      if (options.readings.empty() || std::ranges::count(options.readings, each.name) > 0) {
        readings_.push_back(each);
      }
    }
  }

  SweepResult go(const std::vector<SweepRange>& blocks) {
    std::optional<Problem> problem = first_problem(blocks, options_.on_progress);
    if (is_stopped()) return {};
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
    SweepAnswer given;
  };

  // Asks in one session. `look` may end it by returning false. Nothing, or how the target broke.
  std::optional<Broken> ask_requests(const std::vector<std::string>& requests,
                                     const std::function<bool(std::size_t, const Reply&)>& look) {
    std::vector<Case> cases;
    cases.reserve(requests.size());
    std::vector<Question> questions;
    for (const std::string& each : requests) {
      cases.push_back({"sweep", "", {{each, {}}}, {}});
      questions.push_back(
          {&cases.back(), static_cast<std::uint32_t>(kFirstCaseId + questions.size())});
    }
    bool goes_on = true;
    std::optional<Broken> broken = interview(
        attachment_, questions, {limits_, true, [&] { return !goes_on || is_stopped(); }, &claims_},
        [&](std::size_t i, std::vector<Reply> replies) {
          if (!look(i, replies.back())) goes_on = false;
        });
    if (!goes_on || is_stopped()) broken.reset();
    return broken;
  }

  void ask(const std::vector<SweepRange>& ranges,
           const std::function<bool(std::size_t, SweepAnswer)>& look) {
    std::vector<std::string> requests;
    for (const SweepRange& each : ranges) requests.push_back(sweep_request(function_, each));
    std::optional<Broken> broken = ask_requests(requests, [&](std::size_t i, const Reply& reply) {
      return look(i, read_sweep_reply(reply));
    });
    if (broken) result_.broken = std::move(broken);
  }

  bool is_stopped() const { return options_.should_stop && options_.should_stop(); }

  // The first range whose answer is none of those still possible. Answers narrow what is.
  std::optional<Problem> first_problem(const std::vector<SweepRange>& ranges,
                                       const std::function<void(std::uint64_t)>& on_progress) {
    std::optional<Problem> problem;
    std::uint64_t done = 0;
    ask(ranges, [&](std::size_t i, SweepAnswer given) {
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
      const std::vector<SweepRange> parts = parts_of(where, kParts);
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

  void describe(const SweepRange& where, const SweepAnswer& given) {
    if (given.outcome == Outcome::kGarbled) {
      result_.broken = Broken{given.detail, {}};
      return;
    }
    SweepFinding finding;
    finding.outcome = given.outcome;
    finding.where = where;
    finding.detail = given.detail;
    finding.failure_class = class_of(given.outcome);
    if (given.outcome == Outcome::kValue && where.count > 1) ask_in_one_call(finding);
    if (given.outcome == Outcome::kValue && where.count == 1) {
      const std::optional<std::uint32_t> element = element_with(given.digest, output_bytes());
      if (!element) {
        result_.broken = Broken{
            fmt::format("digest={:016x} of the input {:08x} alone is that of no {}: is it FNV-1a "
                        "with 64 bits, and over all output bytes?",
                        given.digest, where.first,
                        output_bytes() == 1 ? "byte" : fmt::format("{} bytes", output_bytes())),
            {}};
        return;
      }
      describe_output(*element, finding);
      if (result_.broken) return;
    }
    result_.finding = std::move(finding);
  }

  void describe_output(std::uint32_t element, SweepFinding& finding) {
    const std::uint32_t input = finding.where.first;
    finding.inputs = {with_expected(readings_, input)};
    finding.inputs.front().got = output_in(element);
    name_readings_here(finding, finding.inputs.front());
    ask_neighbours(finding.inputs);
    if (const unsigned bits = output_bits(function_); bits < 8 && element >> bits != 0) {
      finding.readings_here.clear();
      finding.failure_class = "padding-bits";
    } else if (!finding.readings_here.empty()) {
      finding.failure_class = "inconsistent";
    } else {
      finding.failure_class = class_of_outputs(function_, finding.inputs, probed_alone());
    }
  }

  // The readings, possible or not, that have this output.
  void name_readings_here(SweepFinding& finding, const SweepInput& input) const {
    for (const SweepReading& each : readings_of(function_)) {
      if (expected_output(function_, each, input.bits) == input.got) {
        finding.readings_here.emplace_back(each.name);
      }
    }
  }

  // Each part of the range is right, the whole is not: looks for the first input that is wrong in a
  // plain call with all of them.
  void ask_in_one_call(SweepFinding& finding) {
    if (finding.where.count > kMostInOneCall) return;
    std::vector<std::uint32_t> bits;
    for (std::uint64_t i = 0; i < finding.where.count; ++i) {
      bits.push_back(static_cast<std::uint32_t>(finding.where.first + i));
    }
    const std::vector<SweepInput> inputs = called(bits);
    std::vector<SweepReading> left = readings_;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::vector<SweepReading> explaining;
      std::ranges::copy_if(left, std::back_inserter(explaining), [&](const SweepReading& each) {
        return expected_output(function_, each, inputs[i].bits) == inputs[i].got;
      });
      if (!explaining.empty()) {
        left = std::move(explaining);
        continue;
      }
      finding.in_one_call = inputs[i].bits;
      for (std::size_t near = i == 0 ? 0 : i - 1; near <= i + 1 && near < inputs.size(); ++near) {
        finding.inputs.push_back(with_expected(left, inputs[near].bits));
        finding.inputs.back().got = inputs[near].got;
      }
      name_readings_here(finding, inputs[i]);
      finding.failure_class =
          finding.readings_here.empty()
              ? class_of_outputs(function_, inputs, called(probes_of(function_)))
              : "inconsistent";
      return;
    }
  }

  // The outputs of one plain call with these inputs; nothing if it is not claimed or gives none.
  // What goes wrong here takes nothing from what the sweep has shown.
  std::vector<SweepInput> called(const std::vector<std::uint32_t>& bits) {
    std::vector<SweepInput> inputs;
    if (bits.empty()) return inputs;
    const std::string request = request_for(function_, bits);
    const Case item{"sweep", "", {{request, {}}}, {}};
    if (reason_to_skip(claims_, item, {})) return inputs;
    ask_requests({request}, [&](std::size_t, const Reply& reply) {
      inputs.clear();
      const auto outputs = outputs_in(request, reply);
      for (std::size_t i = 0; outputs && i < bits.size(); ++i) {
        inputs.push_back({bits[i], {}, (*outputs)[i]});
      }
      return true;
    });
    return inputs;
  }

  // The probes, each swept by itself; those before the first that gives no output.
  std::vector<SweepInput> probed_alone() {
    std::vector<std::string> requests;
    std::vector<SweepInput> inputs;
    for (const std::uint32_t each : probes_of(function_)) {
      requests.push_back(sweep_request(function_, {each, 1}));
      inputs.push_back({each, {}, {}});
    }
    ask_requests(requests, [&](std::size_t i, const Reply& reply) {
      inputs[i].got = output_in(read_sweep_reply(reply));
      return inputs[i].got.has_value();
    });
    return inputs;
  }

  void ask_neighbours(std::vector<SweepInput>& inputs) {
    std::vector<SweepRange> ranges;
    for (const std::uint32_t each : neighbours_of(function_, inputs.front().bits))
      ranges.push_back({each, 1});
    std::vector<SweepInput> neighbours;
    for (const SweepRange& each : ranges)
      neighbours.push_back(with_expected(readings_, each.first));
    ask(ranges, [&](std::size_t i, SweepAnswer given) {
      neighbours[i].got = output_in(given);
      return true;
    });
    inputs.insert(inputs.end(), neighbours.begin(), neighbours.end());
    std::sort(inputs.begin(), inputs.end(),
              [](const SweepInput& a, const SweepInput& b) { return a.bits < b.bits; });
  }

  SweepInput with_expected(const std::vector<SweepReading>& readings, std::uint32_t input) const {
    SweepInput result{input, {}, {}};
    for (const SweepReading& each : readings) {
      const std::int64_t code = expected_output(function_, each, input);
      if (std::find(result.expected.begin(), result.expected.end(), code) ==
          result.expected.end()) {
        result.expected.push_back(code);
      }
    }
    return result;
  }

  unsigned output_bytes() const { return std::max(output_bits(function_), 8u) / 8; }

  std::int64_t output_in(std::uint32_t element) const {
    return function_.dequantizes() ? std::int64_t{element} : code_of_pattern(function_, element);
  }
  // Of a sweep over one input; nothing if it gave no output.
  std::optional<std::int64_t> output_in(const SweepAnswer& given) const {
    if (given.outcome != Outcome::kValue) return std::nullopt;
    const auto element = element_with(given.digest, output_bytes());
    return element ? std::optional(output_in(*element)) : std::nullopt;
  }

  const Attachment& attachment_;
  const Limits& limits_;
  const Claims& claims_;
  const SweepFunction& function_;
  const SweepOptions& options_;
  std::vector<SweepReading> readings_;  // those that explain everything so far
  SweepResult result_;
};

}  // namespace

std::optional<std::string> reason_not_to_sweep(const Claims& claims,
                                               const SweepFunction& function) {
  const Case one_input{"sweep", "", {{sweep_request(function, {0, 1}), {}}}, {}};
  return reason_to_skip(claims, one_input, {});
}

SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const SweepOptions& options) {
  SweepResult result;
  const std::vector<SweepRange> blocks = blocks_of(function, range, options.inputs_per_block);
  if (blocks.empty()) return result;
  Introduction introduction;
  if (options.claims == nullptr) {
    introduction = introduce(attachment, limits);
    if (introduction.broken) {
      result.broken = std::move(introduction.broken);
      return result;
    }
  }
  const Claims& claims = options.claims != nullptr ? *options.claims : *introduction.claims;
  result.not_claimed = reason_not_to_sweep(claims, function);
  if (result.not_claimed) return result;
  return Sweep(attachment, limits, claims, function, options).go(blocks);
}

}  // namespace hurray::conformance
