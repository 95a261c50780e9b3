// SPDX-License-Identifier: Apache-2.0
//
// On how many of all binary32 inputs does a target differ from the reference, with the scale and
// zero point of the measurements? What is fast and wrong, is wrong how often? `hurray-conform
// prove` stops at the first difference; this counts them all, and the codes that become another
// number.
//
//   differences TARGET…        builtin targets, `xnnpack` or `division`; writes JSON
//   differences --here TARGET  only says, by the exit code, whether it is here

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/parameters.h"
#include "conformance/runner/sweep_reference.h"
#include "registry.h"

#ifdef HURRAY_HAS_SIMD
#include "simd/simd.h"
#endif

#ifdef HURRAY_HAS_XNNPACK
extern "C" const struct hurray_target hurray_target_xnnpack;
#endif

namespace {

using namespace hurray::conformance;

#ifdef HURRAY_HAS_SIMD
// The form with which kernels are compared: the best set, dividing.
hurray_status divide(std::uint8_t type_tag, float scale, std::int32_t zero_point, const float* in,
                     void* q, std::size_t count) {
  using namespace hurray::simd;
  best_here()->kernels->quantize[type_index(type_tag)](scale, zero_point, in,
                                                       static_cast<std::uint8_t*>(q), count,
                                                       Quotient::kDivided, store_for(count));
  return HURRAY_OK;
}
#endif

// A builtin target, or `xnnpack`; `division` is that of the best vector kernels.
const struct hurray_target* find(const std::string& name) {
#ifdef HURRAY_HAS_XNNPACK
  if (name == "xnnpack") return &hurray_target_xnnpack;
#endif
#ifdef HURRAY_HAS_SIMD
  if (name == "division" && hurray::simd::best_here()) {
    static struct hurray_target division = {};
    division.quantize = divide;
    return &division;
  }
#endif
  for (std::size_t i = 0; i < hurray_registry_count; ++i) {
    const auto& row = hurray_registry[i];
    if (row.name == name && (!row.is_here || row.is_here() != 0)) return row.target;
  }
  return nullptr;
}

// The codes of a block of inputs of one sign, by the binary32 quotient. Between two inputs of the
// same code all have that code, as quantizing is monotonic.
void fill(const SweepFunction& function, const SweepReading& reading, std::uint32_t first,
          std::uint32_t last, std::uint8_t* out) {
  const auto code = [&](std::uint32_t bits) {
    return static_cast<std::uint8_t>(expected_output(function, reading, bits));
  };
  const std::uint8_t code_first = code(first);
  if (code_first == code(last)) {
    std::memset(out, code_first, std::size_t{last - first} + 1);
    return;
  }
  const std::uint32_t middle = first + (last - first) / 2;
  fill(function, reading, first, middle, out);
  fill(function, reading, middle + 1, last, out + (middle - first) + 1);
}

struct Count {
  std::uint64_t compared = 0;
  std::uint64_t differ = 0;
};

Count count_inputs(const struct hurray_target& target, const SweepFunction& function) {
  const SweepReading reading = readings_of(function).front();  // the binary32 quotient
  Count count;
  std::vector<float> in(kInputsPerBlock);
  std::vector<std::uint8_t> expected(kInputsPerBlock), got(kInputsPerBlock);
  const SweepRange all{0, patterns_of(function)};
  for (const SweepRange& block : blocks_of(function, all)) {
    const auto n = static_cast<std::size_t>(block.count);
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = static_cast<std::uint32_t>(block.first + i);
      std::memcpy(&in[i], &bits, sizeof bits);
    }
    fill(function, reading, block.first, block.last(), expected.data());
    // What is refused is nowhere right.
    const hurray_status status = target.quantize(function.type, function.scale, function.zero_point,
                                                 in.data(), got.data(), n);
    count.compared += n;
    if (status != HURRAY_OK) {
      count.differ += n;
    } else if (std::memcmp(expected.data(), got.data(), n) != 0) {
      for (std::size_t i = 0; i < n; ++i) count.differ += expected[i] != got[i];
    }
  }
  return count;
}

// All codes of 8 bits in one call, as long runs are what is measured.
Count count_codes(const struct hurray_target& target, const SweepFunction& function) {
  const SweepReading reading = readings_of(function).front();
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(patterns_of(function)));
  std::iota(codes.begin(), codes.end(), std::uint8_t{0});
  std::vector<float> out(codes.size());
  const hurray_status status = target.dequantize(function.type, function.scale, function.zero_point,
                                                 codes.data(), out.data(), codes.size());
  Count count;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto expected = static_cast<std::uint32_t>(expected_output(function, reading, codes[i]));
    ++count.compared;
    count.differ += status != HURRAY_OK || std::bit_cast<std::uint32_t>(out[i]) != expected;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr,
               "usage: differences TARGET…, builtin targets, xnnpack or division, for example "
               "differences xnnpack\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "--here") return argc == 3 && find(argv[2]) ? 0 : 1;
  std::string rows;
  for (int i = 1; i < argc; ++i) {
    const struct hurray_target* const target = find(argv[i]);
    if (!target) {
      fmt::print(stderr, "differences: no target {} here; see hurray-conform doctor\n", argv[i]);
      return 2;
    }
    for (const std::uint8_t type : {std::uint8_t{0x10}, std::uint8_t{0x11}}) {
      for (const bool quantizes : {true, false}) {
        const SweepFunction function{
            {},
            type,
            hurray::bench::kScale,
            hurray::bench::kZeroPoint,
            quantizes ? SweepOperation::kQuantize : SweepOperation::kDequantize};
        if (quantizes ? !target->quantize : !target->dequantize) continue;
        const Count count =
            quantizes ? count_inputs(*target, function) : count_codes(*target, function);
        rows += fmt::format(
            "{}\n  {{\"target\": \"{}\", \"op\": \"{}\", \"type\": \"{}\", \"compared\": {}, "
            "\"differ\": {}}}",
            rows.empty() ? "" : ",", argv[i], quantizes ? "quantize" : "dequantize",
            storage_of(function).name, count.compared, count.differ);
      }
    }
  }
  fmt::print("{{\"scale\": {}, \"zero_point\": {}, \"differences\": [{}\n]}}\n",
             hurray::bench::kScale, int{hurray::bench::kZeroPoint}, rows);
  return 0;
}
