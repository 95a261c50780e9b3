// SPDX-License-Identifier: Apache-2.0
//
// Proofs, see prove.h. Parts start out with every reading, as none knows what the others show; the
// few whose result depends on it are swept once more.

#include "conformance/runner/prove.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "conformance/runner/parallel.h"

namespace hurray::conformance {
namespace {

// Few requests, each short enough for slow targets and for --timeout.
constexpr std::uint64_t kInputsPerRequest = std::uint64_t{1} << 18;
// Inputs differ in what they cost, subnormal ones by a factor of a hundred.
constexpr unsigned kPartsPerJob = 8;

std::vector<std::string> names_of(const std::vector<SweepReading>& readings) {
  std::vector<std::string> names;
  for (const SweepReading& each : readings) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> in_both(const std::vector<std::string>& some,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> both;
  for (const std::string& each : some) {
    if (std::ranges::find(others, each) != others.end()) both.push_back(each);
  }
  return both;
}

bool has_ended(const SweepResult& result) {
  return result.finding || result.broken || result.not_claimed;
}

// The first pattern of shard `index`, from 0 on.
std::uint64_t start_of_shard(const SweepFunction& function, std::uint64_t index, std::uint64_t of) {
  if (index == of) return patterns_of(function);
  if (function.dequantizes()) return patterns_of(function) * index / of;
  // NaN patterns cost nothing.
  const std::uint64_t input = 2 * kFloatsPerSign * index / of;
  return input < kFloatsPerSign ? input : input - kFloatsPerSign + kFirstNegative;
}

}  // namespace

SweepRange shard_of(const SweepFunction& function, const Shard& shard) {
  const std::uint64_t first = start_of_shard(function, shard.index - 1, shard.of);
  const std::uint64_t next = start_of_shard(function, shard.index, shard.of);
  return {static_cast<std::uint32_t>(first), next - first};
}

SweepResult joined(const SweepFunction& function, const std::vector<SweepResult>& parts,
                   const SweepAgain& again) {
  SweepResult whole;
  whole.readings = names_of(readings_of(function));
  const std::size_t all_readings = whole.readings.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    SweepResult part = parts[i];
    const bool compared = part.inputs > 0 || part.finding;
    if (compared && whole.readings.size() < all_readings &&
        (part.finding || in_both(whole.readings, part.readings).empty())) {
      // An end that does not come again is one all the same: the target is not always right.
      SweepResult once_more = again(i, whole.readings);
      if (has_ended(once_more) || !has_ended(part)) part = std::move(once_more);
    }
    whole.inputs += part.inputs;
    if (part.inputs > 0) whole.readings = in_both(whole.readings, part.readings);
    if (!has_ended(part)) continue;
    whole.finding = std::move(part.finding);
    whole.broken = std::move(part.broken);
    whole.not_claimed = std::move(part.not_claimed);
    return whole;
  }
  return whole;
}

SweepResult prove(const Attachment& attachment, const Claims& claims, const SweepFunction& function,
                  const SweepRange& range, const ProveOptions& options) {
  // One process needs no parts; one that is dear to start gets as few as possible.
  const std::uint64_t per_job = options.jobs == 1 || attachment.one_process ? 1 : kPartsPerJob;
  const std::uint64_t most = std::max<std::uint64_t>(1, range.count / options.least_part);
  const std::vector<SweepRange> parts = parts_of(range, std::min(options.jobs * per_job, most));
  std::vector<SweepResult> results(parts.size());

  std::atomic<std::size_t> first_end = parts.size();  // what comes behind it does not matter
  std::mutex mutex;
  std::vector<std::uint64_t> done(parts.size());
  std::uint64_t all_done = 0;
  const auto sweep_part = [&](std::size_t i, const std::vector<std::string>& readings) {
    SweepOptions one;
    one.inputs_per_block = kInputsPerRequest;
    one.readings = readings;
    one.claims = &claims;
    one.should_stop = [&first_end, i] { return first_end < i; };
    one.on_progress = [&, i](std::uint64_t inputs) {
      const std::lock_guard lock(mutex);
      // A part that is swept once more was counted before.
      if (inputs > done[i]) all_done += inputs - done[i];
      done[i] = std::max(done[i], inputs);
      if (options.on_progress) options.on_progress(all_done);
    };
    return sweep(attachment, options.limits, function, parts[i], one);
  };
  in_parallel(options.jobs, parts.size(), [&](std::size_t i) {
    if (first_end < i) return;
    results[i] = sweep_part(i, {});
    if (!has_ended(results[i])) return;
    std::size_t known = first_end;
    while (i < known && !first_end.compare_exchange_weak(known, i)) {
    }
  });
  SweepResult whole =
      joined(function, results, [&](std::size_t i, const std::vector<std::string>& readings) {
        return sweep_part(i, readings);
      });
  if (!has_ended(whole) && whole.inputs != inputs_of(function, range)) {
    throw std::logic_error("a proof without a finding did not compare all inputs");
  }
  return whole;
}

}  // namespace hurray::conformance
