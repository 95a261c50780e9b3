// SPDX-License-Identifier: Apache-2.0
//
// Digests, see sweep_digest.h.

#include "conformance/runner/sweep_digest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hurray::conformance {
namespace {

// Times kPrime it is 1 modulo 2^64.
constexpr std::uint64_t inverse_of_prime() {
  std::uint64_t inverse = SweepDigest::kPrime;
  // Newton: twice as many low bits are right after each step, three before the first.
  for (int i = 0; i < 5; ++i) inverse *= 2 - SweepDigest::kPrime * inverse;
  return inverse;
}
static_assert(inverse_of_prime() * SweepDigest::kPrime == 1);

}  // namespace

void SweepDigest::add(std::uint32_t element, unsigned width, std::uint64_t count) {
  const auto add_plainly = [&](std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) {
      for (unsigned shift = 0; shift < 8 * width; shift += 8) {
        add_byte(static_cast<std::uint8_t>(element >> shift));
      }
    }
  };
  // n bytes turn the digest h into h * prime^n + s, where s depends on them and on the lowest byte
  // of h. In that byte no bit depends on a higher one, so its cycles have a power of two of at most
  // 256 steps: after 256 times the same element it is back, and s is the same again.
  constexpr std::uint64_t kPeriod = 256;
  if (count < 2 * kPeriod) return add_plainly(count);
  std::uint64_t power = kPrime;
  for (std::uint64_t n = 1; n < kPeriod * width; n *= 2) power *= power;
  const std::uint64_t before = value_;
  add_plainly(kPeriod);
  const std::uint64_t sum = value_ - before * power;
  for (count -= kPeriod; count >= kPeriod; count -= kPeriod) value_ = value_ * power + sum;
  add_plainly(count);
}

std::optional<std::uint32_t> element_with(std::uint64_t digest, unsigned width) {
  constexpr std::uint64_t kInverse = inverse_of_prime();
  // All digests of the first half, then all from which the second half leads to `digest`.
  const unsigned forward = width == 4 ? 2 : 1;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> starts;
  for (std::uint32_t start = 0; start < 1u << (8 * forward); ++start) {
    SweepDigest begun;
    begun.add(start, forward, 1);
    starts.emplace_back(begun.value(), start);
  }
  std::sort(starts.begin(), starts.end());
  const unsigned back = width - forward;
  for (std::uint32_t end = 0; end < 1u << (8 * back); ++end) {
    std::uint64_t before = digest;
    for (unsigned i = back; i-- > 0;) before = (before * kInverse) ^ (end >> (8 * i) & 0xff);
    const auto found = std::lower_bound(starts.begin(), starts.end(), std::pair(before, 0u));
    if (found != starts.end() && found->first == before) {
      return found->second | (back == 0 ? 0 : end << (8 * forward));
    }
  }
  return std::nullopt;
}

}  // namespace hurray::conformance
