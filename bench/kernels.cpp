// SPDX-License-Identifier: Apache-2.0
//
// How fast are the vector kernels beside XNNPACK's operators (Debian's, if they are installed),
// plain division, plain C, and a loop that only moves as many bytes? Inputs in L1, in L2 and in
// memory. All contenders of a row take turns, in thread CPU time; printed are medians of 10^9
// elements per second, and of the ratios of neighbouring turns to XNNPACK or, without it, to the
// first contender.
//
//   kernels [--rounds N] [FILTER]      FILTER: a part of `operation type level`

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scalar/scalar.h"
#include "simd/simd.h"

#ifdef HURRAY_HAS_XNNPACK
#include <xnnpack.h>
#endif

namespace {

using namespace hurray::simd;

struct Level {
  const char* name;
  std::size_t bytes;  // of input and output together
};
constexpr Level kLevels[] = {{"L1", 16 << 10}, {"L2", 1 << 20}, {"memory", 256 << 20}};

struct Type {
  const char* name;
  std::uint8_t tag;
  std::size_t bits;
};
constexpr Type kTypesMeasured[] = {{"int8", 0x10, 8},   {"uint8", 0x11, 8},   {"int16", 0x12, 16},
                                   {"int32", 0x14, 32}, {"uint32", 0x15, 32}, {"int4", 0x48, 4},
                                   {"uint4", 0x49, 4},  {"uint2", 0x4b, 2}};
constexpr float kScale = 0.1f;
constexpr std::int32_t kZeroPoint = 1;

struct Contender {
  std::string name;
  std::function<void()> call;
  double calls_per_turn = 1;
  std::vector<double> seconds = {};  // per call, of each round
};

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double seconds_of_turn(const Contender& contender) {
  const double start = thread_seconds();
  for (double i = 0; i < contender.calls_per_turn; ++i) contender.call();
  return (thread_seconds() - start) / contender.calls_per_turn;
}

void measure(std::vector<Contender>& contenders, int rounds) {
  constexpr double kTurn = 2e-3;
  for (Contender& each : contenders) {
    seconds_of_turn(each);  // touches everything once
    const double once = std::max(seconds_of_turn(each), 1e-9);
    each.calls_per_turn = std::max(1.0, kTurn / once);
  }
  for (int round = 0; round < rounds; ++round) {
    for (Contender& each : contenders) each.seconds.push_back(seconds_of_turn(each));
  }
}

// How much faster than `base`, turn by turn.
double ratio(const Contender& contender, const Contender& base) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < base.seconds.size(); ++i) {
    ratios.push_back(base.seconds[i] / contender.seconds[i]);
  }
  return median(ratios);
}

// What moving the bytes alone costs: one vector in, and as many out as its codes make. The vectors
// are of 32 bytes: where the machine has no such thing, of what it has.
typedef std::uint8_t Wide __attribute__((vector_size(32), aligned(1), may_alias));
#if defined(__x86_64__)
__attribute__((target_clones("default", "avx2")))
#endif
void move_vectors(const std::uint8_t* __restrict from, float* __restrict to, std::size_t bytes,
                  std::size_t values_per_byte) {
  const std::size_t step = 32;
  if (values_per_byte == 2) {
    for (std::size_t i = 0; i + step <= bytes; i += step) {
      const Wide v = *reinterpret_cast<const Wide*>(from + i);
      for (std::size_t k = 0; k < 8; ++k) *reinterpret_cast<Wide*>(to + 2 * i + 8 * k) = v;
    }
  } else {
    for (std::size_t i = 0; i + step <= bytes; i += step) {
      const Wide v = *reinterpret_cast<const Wide*>(from + i);
      for (std::size_t k = 0; k < 4; ++k) *reinterpret_cast<Wide*>(to + i + 8 * k) = v;
    }
  }
}

#ifdef HURRAY_HAS_XNNPACK
// An operator over all elements, made and set up once; a call only runs it.
void add_xnnpack(std::vector<Contender>& contenders, bool quantizes, const Type& type,
                 float* values, std::uint8_t* codes, std::size_t count) {
  if (type.bits != 8 || xnn_initialize(nullptr) != xnn_status_success) return;
  xnn_operator_t made = nullptr;
  const bool is_signed = type.tag == 0x10;
  auto* const signed_codes = reinterpret_cast<std::int8_t*>(codes);
  if (quantizes && is_signed) {
    xnn_create_convert_nc_f32_qs8(count, count, count, kScale, kZeroPoint, -128, 127, 0, &made);
    xnn_setup_convert_nc_f32_qs8(made, 1, values, signed_codes, nullptr);
  } else if (quantizes) {
    xnn_create_convert_nc_f32_qu8(count, count, count, kScale, kZeroPoint, 0, 255, 0, &made);
    xnn_setup_convert_nc_f32_qu8(made, 1, values, codes, nullptr);
  } else if (is_signed) {
    xnn_create_convert_nc_qs8_f32(count, count, count, kScale, kZeroPoint, 0, &made);
    xnn_setup_convert_nc_qs8_f32(made, 1, signed_codes, values, nullptr);
  } else {
    xnn_create_convert_nc_qu8_f32(count, count, count, kScale, kZeroPoint, 0, &made);
    xnn_setup_convert_nc_qu8_f32(made, 1, codes, values, nullptr);
  }
  contenders.push_back({"xnnpack", [made] { xnn_run_operator(made, nullptr); }});
}
#endif

void measure_row(bool quantizes, const Type& type, const Level& level, int rounds) {
  const std::size_t count = level.bytes * 8 / (type.bits + 32) / 64 * 64;
  std::vector<float> values(count);
  std::vector<std::uint8_t> codes(count * type.bits / 8);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = kScale * (static_cast<float>(i * 7919 % 2600) * 0.1f - 130.0f);
  }
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i * 37);

  std::vector<Contender> contenders;
#ifdef HURRAY_HAS_XNNPACK
  add_xnnpack(contenders, quantizes, type, values.data(), codes.data(), count);
#endif
  const auto add_table = [&](const char* name, const struct hurray_target* table) {
    contenders.push_back(
        {name, [&, table] {
           if (quantizes) {
             table->quantize(type.tag, kScale, kZeroPoint, values.data(), codes.data(), count);
           } else {
             table->dequantize(type.tag, kScale, kZeroPoint, codes.data(), values.data(), count);
           }
         }});
  };
  for (const InstructionSet& set : instruction_sets()) {
    if (is_here(set)) add_table(set.name, set.target);
  }
  const InstructionSet* const best = best_here();
  if (best && quantizes) {
    contenders.push_back({"division", [&] {
                            best->kernels->quantize[type_index(type.tag)](
                                kScale, kZeroPoint, values.data(), codes.data(), count,
                                Quotient::kDivided);
                          }});
  }
  if (best && !quantizes) {
    contenders.push_back({"cached", [&] {
                            best->kernels->dequantize[type_index(type.tag)](
                                kScale, kZeroPoint, codes.data(), values.data(), count,
                                Store::kCached);
                          }});
  }
  if (level.bytes < (2 << 20)) {
    contenders.push_back({"scalar", [&] {
                            if (quantizes) {
                              hurray_scalar_quantize(type.tag, kScale, kZeroPoint, values.data(),
                                                     codes.data(), count);
                            } else {
                              hurray_scalar_dequantize(type.tag, kScale, kZeroPoint, codes.data(),
                                                       values.data(), count);
                            }
                          }});
  }
  if (!quantizes && (type.bits == 4 || type.bits == 8)) {
    contenders.push_back({"moving", [&] {
                            move_vectors(codes.data(), values.data(), codes.size(), 8 / type.bits);
                          }});
  }
  measure(contenders, level.bytes > (2 << 20) ? std::max(5, rounds / 5) : rounds);
  for (const Contender& each : contenders) {
    fmt::print("{:<10} {:<6} {:<6} {:<9} {:>7.2f}  {:>6.2f}\n",
               quantizes ? "quantize" : "dequantize", type.name, level.name, each.name,
               static_cast<double>(count) / median(each.seconds) * 1e-9,
               ratio(each, contenders.front()));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 51;
  std::string_view filter;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--rounds" && i + 1 < argc) {
      rounds = std::max(1, std::atoi(argv[++i]));
    } else if (argv[i][0] != '-') {
      filter = argv[i];
    } else {
      fmt::print(stderr,
                 "usage: kernels [--rounds N] [FILTER], for example kernels 'dequantize int8'\n");
      return 2;
    }
  }
  fmt::print("operation  type   level  contender  10^9/s  ratio to the first\n");
  for (const bool quantizes : {false, true}) {
    for (const Type& type : kTypesMeasured) {
      for (const Level& level : kLevels) {
        const std::string row =
            fmt::format("{} {} {}", quantizes ? "quantize" : "dequantize", type.name, level.name);
        // `quantize` begins a word, so that it does not name dequantize.
        if ((" " + row).find(" " + std::string(filter)) == std::string::npos) continue;
        measure_row(quantizes, type, level, rounds);
      }
    }
  }
  return 0;
}
