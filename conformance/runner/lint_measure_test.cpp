// SPDX-License-Identifier: Apache-2.0
//
// How often is a forgotten bias found, and how often is one seen where there is none? A thousand
// planes of each kind, through the whole of `lint`; the rates are printed.

#include <fmt/format.h>

#include "conformance/runner/lint_test.h"

namespace hurray::conformance {
namespace {

constexpr unsigned kPlanes = 1000;

struct Rates {
  unsigned bias = 0;   // planes that look un-normalized
  unsigned other = 0;  // planes with any other finding
};

// Planes of 1, 2, 4 … 128 blocks of 32, 64 or 128 elements.
Rates rates_of(PlaneSettings settings, std::uint64_t seed, std::size_t fewest_blocks = 1,
               std::size_t most_blocks = 128) {
  Gaussian gaussian(seed);
  Rates rates;
  for (unsigned i = 0; i < kPlanes; ++i) {
    settings.blocks = std::clamp(std::size_t{1} << i % 8, fewest_blocks, most_blocks);
    settings.group = std::size_t{32} << i / 8 % 3;
    const LintReport report =
        lint(per_block_parts(settings, quantized_plane(settings, gaussian)).file());
    EXPECT_EQ(report.problem, "");
    bool has_bias = false, has_other = false;
    for (const LintFinding& each : report.findings) {
      (each.id == "zero-point-bias" ? has_bias : has_other) = true;
    }
    rates.bias += has_bias;
    rates.other += has_other;
  }
  return rates;
}

void print(std::string_view what, const Rates& rates) {
  fmt::print("{:<58} {:5.1f} % un-normalized, {:4.1f} % anything else\n", what,
             rates.bias * 100.0 / kPlanes, rates.other * 100.0 / kPlanes);
}

TEST(LintMeasure, SymmetricPlanesWithoutTheirBiasAreFoundAndOthersAreNot) {
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    const Rates right = rates_of({}, seed);
    const Rates wrong = rates_of({.stored_offset = -1}, seed + 100);
    print(fmt::format("4 bits, symmetric, normalized, seed {}", seed), right);
    print(fmt::format("4 bits, symmetric, un-normalized, seed {}", seed), wrong);
    EXPECT_LE(right.bias, kPlanes / 100);
    EXPECT_GE(wrong.bias, kPlanes * 95 / 100);
    EXPECT_LE(right.other, kPlanes / 100);
    EXPECT_LE(wrong.other, kPlanes / 100);
  }
}

// One block has a mean that is uncertain by half a step, and a zero point that may be chance.
TEST(LintMeasure, OneBlockSaysLittle) {
  const Rates right = rates_of({}, 14, 1, 1);
  print("4 bits, symmetric, normalized, 1 block", right);
  print("4 bits, symmetric, un-normalized, 1 block", rates_of({.stored_offset = -1}, 15, 1, 1));
  EXPECT_LE(right.bias, kPlanes / 100);
}

TEST(LintMeasure, ItIsTheSameInABytePerCode) {
  const Rates right = rates_of({.type_tag = 0x10}, 21);
  const Rates wrong = rates_of({.stored_offset = -1, .type_tag = 0x10}, 22);
  print("4 bits in int8, symmetric, normalized", right);
  print("4 bits in int8, symmetric, un-normalized", wrong);
  EXPECT_LE(right.bias, kPlanes / 100);
  EXPECT_GE(wrong.bias, kPlanes * 95 / 100);
}

TEST(LintMeasure, AsymmetricPlanesNeedSomeBlocks) {
  const auto settings = [](std::int32_t offset) {
    return PlaneSettings{.plane = Plane::kAsymmetric, .stored_offset = offset};
  };
  print("4 bits, asymmetric, normalized, 1 to 128 blocks", rates_of(settings(0), 31));
  print("4 bits, asymmetric, un-normalized, 1 to 128 blocks", rates_of(settings(-1), 32));
  const Rates right = rates_of(settings(0), 33, 16);
  const Rates wrong = rates_of(settings(-1), 34, 16);
  print("4 bits, asymmetric, normalized, 16 to 128 blocks", right);
  print("4 bits, asymmetric, un-normalized, 16 to 128 blocks", wrong);
  EXPECT_LE(right.bias, kPlanes / 100);
  EXPECT_GE(wrong.bias, kPlanes * 95 / 100);
}

TEST(LintMeasure, TwoAndEightBits) {
  for (const unsigned bits : {2u, 8u}) {
    const std::uint8_t type = bits == 2 ? 0x4b : 0x11;
    const Rates right = rates_of({.bits = bits, .type_tag = type}, 41);
    const Rates wrong = rates_of({.bits = bits, .stored_offset = -1, .type_tag = type}, 42);
    print(fmt::format("{} bits, symmetric, normalized", bits), right);
    print(fmt::format("{} bits, symmetric, un-normalized", bits), wrong);
    EXPECT_LE(right.bias, kPlanes / 100);
    EXPECT_GE(wrong.bias, kPlanes * 95 / 100);
  }
}

}  // namespace
}  // namespace hurray::conformance
