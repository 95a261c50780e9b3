// SPDX-License-Identifier: Apache-2.0
//
// Drawn cases, see witness.h.

#include "conformance/certificate/witness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "conformance/runner/campaign.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/parallel.h"
#include "conformance/runner/sweep.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kDraws = 3000, kTries = 4500;
// Of each kernel, where it sweeps by itself and where it is handed the inputs.
constexpr std::uint64_t kSwept = 65536, kHandedOver = 500;
constexpr unsigned kStretches = 4;

std::uint64_t seed_of(std::string_view nonce, std::string_view use) {
  const std::string digest = sha256_of(fmt::format("hurray-conform witness 1 {} {}", use, nonce));
  return std::uint64_t{parse_hex_number(digest.substr(0, 8), 8).value()} << 32 |
         parse_hex_number(digest.substr(8, 8), 8).value();
}

// Everything that turns arrays of one type into another.
std::vector<SweepFunction> kernels(const Claims& claims) {
  std::vector<SweepFunction> functions;
  if (claims.contracts.contains(Contract::kHurray)) {
    for (const StorageTypeInfo& info : kStorageTypes) {
      for (const SweepOperation operation :
           {SweepOperation::kQuantize, SweepOperation::kDequantize}) {
        SweepFunction function;
        function.type = static_cast<std::uint8_t>(info.type);
        function.operation = operation;
        functions.push_back(function);
      }
    }
  }
  if (claims.contracts.contains(Contract::kRa8)) {
    for (const char* name : {"quantize_i8", "quantize_u8"}) {
      SweepFunction function;
      function.function = name;
      functions.push_back(function);
    }
  }
  return functions;
}

// Finite and above zero; most of them such that ordinary inputs fall inside the range.
float drawn_scale(Random& random) {
  if (random.below(3) == 0) {
    const auto bits = static_cast<std::uint32_t>(1 + random.below(0x7f7fffff));
    return std::bit_cast<float>(bits);
  }
  const auto exponent = static_cast<std::uint32_t>(107 + random.below(30));  // 2^-20 to 2^9
  return std::bit_cast<float>(exponent << 23 | static_cast<std::uint32_t>(random.below(1 << 23)));
}

// `count` consecutive inputs of a kernel, none of them NaN, around where codes change.
SweepRange drawn_range(Random& random, const SweepFunction& function, std::uint64_t count) {
  const std::uint64_t all = patterns_of(function);
  if (function.dequantizes()) {
    const std::uint64_t here = std::min(count, all);
    return {static_cast<std::uint32_t>(random.below(all - here + 1)), here};
  }
  const StorageTypeInfo& info = storage_of(function);
  const double widest = std::ldexp(1.0, static_cast<int>(info.bits));
  const double steps = widest * static_cast<double>(random.below(1 << 20)) / (1 << 20);
  const float input = static_cast<float>(
      std::min(steps * double{function.scale}, double{std::numeric_limits<float>::max()}));
  const std::uint64_t first =
      std::min<std::uint64_t>(std::bit_cast<std::uint32_t>(input), kFloatsPerSign - count);
  return {static_cast<std::uint32_t>(first + random.below(2) * kFirstNegative), count};
}

Case drawn_stretch(Random& random, const Claims& claims, SweepFunction function) {
  function.scale = drawn_scale(random);
  const StorageTypeInfo& info = storage_of(function);
  const std::int64_t least = std::max<std::int64_t>(info.min, INT32_MIN);
  const std::int64_t most = std::min<std::int64_t>(info.max, INT32_MAX);
  function.zero_point = static_cast<std::int32_t>(
      least +
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1))));
  Case item{{}, "Answers what it was asked before, and computes nothing.", {}, {}};
  if (!reason_not_to_sweep(claims, function)) {
    const SweepRange range = drawn_range(random, function, kSwept);
    Step step{sweep_request(function, range), {}};
    const std::vector<SweepReading> readings = readings_of(function);
    std::vector<std::uint64_t> digests = expected_digests(function, readings, range);
    std::ranges::sort(digests);
    const auto repeated = std::ranges::unique(digests);
    digests.erase(repeated.begin(), repeated.end());
    for (const std::uint64_t digest : digests)
      step.expect.push_back({fmt::format("ok digest={:016x}", digest), CaseVerdict::kPass, {}, {}});
    item.steps.push_back(std::move(step));
    return item;
  }
  const SweepRange range = drawn_range(random, function, kHandedOver);
  std::vector<std::uint32_t> inputs(static_cast<std::size_t>(range.count));
  std::iota(inputs.begin(), inputs.end(), range.first);
  const std::string request = request_for(function, inputs);
  item.steps.push_back({request, expected_answers(read_request(request))});
  return item;
}

std::vector<Case> drawn_stretches(const Claims& claims, std::string_view nonce) {
  Random random(seed_of(nonce, "stretches"));
  std::vector<Case> cases;
  for (const SweepFunction& function : kernels(claims)) {
    for (unsigned i = 0; i < kStretches; ++i) {
      Case item = drawn_stretch(random, claims, function);
      if (!reason_to_skip(claims, item, {})) cases.push_back(std::move(item));
    }
  }
  return cases;
}

std::vector<Case> drawn_requests(const Suite& suite, const Claims& claims, std::string_view nonce) {
  const Draws draws(suite, claims, seed_of(nonce, "requests"));
  if (draws.is_empty()) return {};
  std::vector<Case> drawn(kTries);
  in_parallel(processors(), drawn.size(), [&](std::size_t i) { drawn[i] = draws.at(i).item; });
  // What is known already, or drawn twice, witnesses nothing.
  std::unordered_set<std::string_view> known;
  for (const Case& item : suite.cases) {
    for (const Step& step : item.steps) known.insert(step.request);
  }
  std::vector<const Case*> chosen;
  for (const Case& item : drawn) {
    // Within a case even choices that bind nobody have to agree; between cases they need not.
    if (item.steps.size() != 1 || chosen.size() == kDraws) continue;
    if (known.insert(item.steps.front().request).second) chosen.push_back(&item);
  }
  std::vector<Case> cases;
  for (const Case* each : chosen) cases.push_back(*each);
  return cases;
}

const RequirementResult* witness_in(const TargetResult& target) {
  const auto found = std::ranges::find_if(target.requirements, [](const RequirementResult& each) {
    return each.requirement->id == kWitnessRequirement;
  });
  return found == target.requirements.end() ? nullptr : &*found;
}

}  // namespace

bool is_nonce(std::string_view text) {
  return text.size() >= kLeastNonceDigits && text.size() <= kMostNonceDigits &&
         text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Suite with_witness(Suite suite, const Claims& claims, std::string_view nonce) {
  std::vector<Case> drawn = drawn_requests(suite, claims, nonce);
  for (Case& each : drawn_stretches(claims, nonce)) drawn.push_back(std::move(each));
  Requirement requirement;
  requirement.id = kWitnessRequirement;
  requirement.level = "MUST";
  requirement.contract =
      claims.contracts.contains(Contract::kHurray) ? Contract::kHurray : Contract::kRa8;
  requirement.clause = "conformance/CERTIFICATION.md §Witnessed";
  requirement.text = "What was never asked before is answered as well as what was.";
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    drawn[i].name = fmt::format("witness/{:05}", i);
    requirement.cases.push_back(suite.cases.size());
    suite.cases.push_back(std::move(drawn[i]));
  }
  for (Profile& each : suite.profiles) each.needs.push_back(suite.requirements.size());
  suite.requirements.push_back(std::move(requirement));
  return suite;
}

std::size_t witnessed_cases(const TargetResult& target) {
  const RequirementResult* result = witness_in(target);
  return result ? result->asked : 0;
}

std::string describe_witness(const Suite& suite, const TargetResult& target) {
  constexpr std::size_t kShown = 3, kShownBytes = 200;
  const RequirementResult* result = witness_in(target);
  if (!result || result->failed.empty()) return {};
  std::string text = fmt::format("{}: {} of {} cases that the nonce drew are answered wrongly\n",
                                 target.attachment.name, result->failed.size(), result->asked);
  for (std::size_t i = 0; i < std::min(kShown, result->failed.size()); ++i) {
    const std::size_t index = result->failed[i];
    const Failure failure = target.cases[index].failure.value_or(Failure{});
    text += fmt::format("  case      {}\n  request   {}\n  expected  {}\n  got       {}\n",
                        suite.cases[index].name, excerpt(failure.request, kShownBytes),
                        cleaned(excerpt(failure.expected, kShownBytes)),
                        cleaned(excerpt(failure.got, kShownBytes)));
  }
  return text;
}

}  // namespace hurray::conformance
