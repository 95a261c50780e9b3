// SPDX-License-Identifier: Apache-2.0
//
// Inputs that reach something new, see cover.h. Counters are one byte for each edge, see clang's
// SanitizerCoverage, inline-8bit-counters; in a fuzzer the engine defines the same function.

#include "fuzz/cover.h"

#include <algorithm>
#include <bit>

namespace {

// Of the program and of each library that has some.
std::vector<std::span<std::uint8_t>>& counters() {
  static std::vector<std::span<std::uint8_t>> all;
  return all;
}

}  // namespace

// Called once for each file that was compiled so, always with the counters of the whole module.
extern "C" void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin, std::uint8_t* end);
extern "C" void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin, std::uint8_t* end) {
  for (const auto& known : counters()) {
    if (known.data() == begin) return;
  }
  if (begin != end) counters().emplace_back(begin, end);
}

namespace hurray::fuzz {
namespace {

// One bit for each order of magnitude.
std::uint8_t magnitude(std::uint8_t count) {
  if (count <= 3) return static_cast<std::uint8_t>(1 << count >> 1);
  return static_cast<std::uint8_t>(count >= 128 ? 1 << 7
                                                : 1 << std::min<int>(std::bit_width(count), 6));
}

// Whether the counters say something that `seen` does not know yet; it knows afterwards.
bool adds_to(std::vector<std::uint8_t>& seen) {
  bool is_new = false;
  std::size_t at = 0;
  for (const auto& module : counters()) {
    for (const std::uint8_t count : module) {
      const std::uint8_t bit = magnitude(count);
      if ((seen[at] & bit) != bit) {
        seen[at] = static_cast<std::uint8_t>(seen[at] | bit);
        is_new = true;
      }
      ++at;
    }
  }
  return is_new;
}

}  // namespace

bool has_counters() { return !counters().empty(); }

std::vector<NamedInput> covering(Claim claim, Targets targets, std::vector<NamedInput> inputs,
                                 const std::set<std::string>& always) {
  std::ranges::sort(inputs, [](const NamedInput& a, const NamedInput& b) {
    if (a.bytes.size() != b.bytes.size()) return a.bytes.size() < b.bytes.size();
    return a.name < b.name;
  });
  std::size_t edges = 0;
  for (const auto& module : counters()) edges += module.size();
  std::vector<std::uint8_t> seen(edges);
  // What is made at first use is not reached by every input of its own.
  for (const NamedInput& each : inputs) claim(each.bytes, targets);
  std::vector<NamedInput> kept;
  for (NamedInput& each : inputs) {
    for (const auto& module : counters()) std::ranges::fill(module, std::uint8_t{0});
    if (claim(each.bytes, targets)) continue;
    if (adds_to(seen) || always.contains(each.name)) kept.push_back(std::move(each));
  }
  std::ranges::sort(kept, {}, &NamedInput::name);
  return kept;
}

}  // namespace hurray::fuzz
