// SPDX-License-Identifier: Apache-2.0
//
// Does a firmware image agree with the reference? The fuzzer of fuzz_firmware_target.h's claims.
// Beside the code of this process, that of the guest guides it: the counters that come with each
// answer are those of libFuzzer's section for extra counters.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "conformance/runner/attachment.h"
#include "fuzz/entry.h"
#include "fuzz/fuzz_firmware_target.h"
#include "fuzz/kernel_input.h"

namespace hurray::fuzz {
namespace {

// The engine looks at all of them after every execution. Of an image with more, some share one.
constexpr std::size_t kExtraCounters = 4096;
__attribute__((section("__libfuzzer_extra_counters"), used))
std::uint8_t extra_counters[kExtraCounters];

const char* environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// Boots the image. Prints what is wrong with it, and ends the process with 2.
const hurray_registry_row& target() {
  static const hurray_registry_row row = [] {
    try {
      static Guest guest(environment(kImageVariable, kImage));
      const bool is_guided = environment("HURRAY_FUZZ_COUNTERS", "1")[0] != '0';
      if (is_guided) guest.count_in(extra_counters);
      std::fprintf(stderr, "INFO: firmware %s, %zu counters in the guest%s\n",
                   guest.image().c_str(), guest.counters(), is_guided ? "" : ", not used");
      return firmware_target(guest);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "fuzz_firmware: %s\nThe image is %s, or what %s names.\n", error.what(),
                   kImage, kImageVariable);
      std::_Exit(2);
    }
  }();
  return row;
}

const NamedClaim& claim_of(Input input) {
  return kFirmwareClaims[input[0] % kFirmwareClaims.size()];
}

}  // namespace
}  // namespace hurray::fuzz

using namespace hurray::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  const hurray_registry_row& row = target();
  [[maybe_unused]] static const bool is_rated = begin_rate();
  ++executions;
  if (length == 0) return 0;
  const Input input(bytes, length);
  const NamedClaim& claim = claim_of(input);
  if (const auto mismatch = asked_of_firmware(claim, input.subspan(1), row)) {
    report(claim, *mismatch, input.subspan(1));
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t length,
                                               std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t length,
                                               std::size_t most, unsigned seed) {
  if (!has_mutator() || length < 2) return engine_mutate(bytes, length, most, seed);
  Random random(seed);
  // Special values are for branches that are known. Those that only the guest has are opened byte
  // by byte: half of the bytes that change lie among the parameters, the rest anywhere. The first
  // of all is another claim, and the parameters of all kernels lie in the same places.
  if (random.once_in(2)) {
    const std::size_t room = random.once_in(2) ? std::min(length, 1 + kKernelDataAt) : length;
    bytes[random.below(room)] = static_cast<std::uint8_t>(random.next());
    return length;
  }
  return 1 + mutate(claim_of({bytes, length}).name, bytes + 1, length - 1, most - 1, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first,
                                                 std::size_t first_length,
                                                 const std::uint8_t* second,
                                                 std::size_t second_length, std::uint8_t* out,
                                                 std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first,
                                                 std::size_t first_length,
                                                 const std::uint8_t* second,
                                                 std::size_t second_length, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
  if (!has_mutator() || first_length < 2 || second_length < 2 || most < 2) return 0;
  const Input one(first, first_length);
  const Input other(second, second_length);
  const NamedClaim& claim = claim_of(one);
  if (&claim != &claim_of(other)) return 0;
  out[0] = first[0];
  return 1 + cross_over(claim.name, one.subspan(1), other.subspan(1), {out + 1, most - 1}, seed);
}
